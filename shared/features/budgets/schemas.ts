import * as z from "zod/mini";
import { requiredId } from "../../core/wire/fields.ts";

/** Input of `getBudget`. */
export const GetBudgetInput = z.object({
  userId: requiredId("userId", "The user: any ID that is not blank, as sent with chats; `me` with an access token"),
  coachId: z.optional(z.string("coachId must be a string")).check(
    z.describe("Leaves out the budgets of other coaches; an empty value is ignored"),
  ),
});
export type GetBudgetInput = z.infer<typeof GetBudgetInput>;
