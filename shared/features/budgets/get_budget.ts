import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { requireCoachId, requireNamedUser } from "../../core/wire/ids.ts";
import { Count, requiredId, Timestamp } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";

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

export const BudgetList = z.object({
  data: z.array(Budget).check(z.describe("Those of the account first, then those of the key and of coaches")),
});

/** The budgets that limit a user. A signed-in user may say `me`. */
export const operation = defineEndpoint({
  name: "getBudget",
  method: "GET",
  path: "/users/:userId/budget",
  pathWithoutParameter: "/users/budget",
  scope: "chat",
  failure: "Failed to fetch the budget",
  isRepeatable: true,
  errors: () => [errors.userMismatch(), errors.coachNotFound()],
  input: z.object({
    userId: requiredId("userId", "The user: any ID that is not blank, as sent with chats; `me` with an access token"),
    coachId: z.optional(z.string("coachId must be a string")).check(
      z.describe("Leaves out the budgets of other coaches; an empty value is ignored"),
    ),
  }),
  output: BudgetList,
  async verb({ database, userId: signedIn }, { userId: asked, coachId }) {
    const userId = requireNamedUser(asked, signedIn);
    return await database.callForBytes("read_budgets", {
      // No user has an ID that Postgres cannot store: nobody has used anything by it.
      user_id: isStorableText(userId) ? userId : "",
      // Figures that are shared with others are left out for a user who asks.
      is_signed_in: signedIn !== null,
      coach_id: coachId ? requireCoachId(coachId) : undefined,
    });
  },
});
