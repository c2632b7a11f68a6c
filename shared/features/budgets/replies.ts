import * as z from "zod/mini";
import { Count, Timestamp } from "../../core/wire/fields.ts";

/** A budget that limits a user. */
export const Budget = z.object({
  scope: z.enum(["account", "key", "coach"]).check(
    z.describe("Whose budget it is: the account's, the API key's or the coach's"),
  ),
  limit: z.optional(Count).check(
    z.describe("The amount of a period. It is left out, like the other figures, where other people share the budget"),
  ),
  used: z.optional(Count).check(z.describe("The part of it that is used")),
  reserved: z.optional(Count).check(z.describe("The part of it that answers under way may use at most")),
  unit: z.optional(z.enum(["tokens", "micro_usd"])).check(
    z.describe("The unit of the amounts: tokens of language models, or millionths of a US dollar"),
  ),
  resets_at: z.nullable(Timestamp).check(z.describe("When the next period begins; null if it never does")),
  is_exhausted: z.boolean().check(z.describe("Whether nothing is left")),
});

/** Reply of `GET /users/{userId}/budget`. */
export const BudgetList = z.object({
  data: z.array(Budget).check(z.describe("Those of the account first, then those of the key and of coaches")),
});
