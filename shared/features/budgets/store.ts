import type { AccountDatabase } from "../../infra/db/account_database.ts";

/** The user whose budgets are read. */
export type BudgetQuery = {
  userId: string;
  /** True if the user asks, and no server: figures that are shared with others are left out. */
  isSignedIn: boolean;
  /** Null: those of all coaches. */
  coachId: string | null;
};

/** The budgets that limit a user, in the JSON of the API. */
export async function readBudgets(
  database: AccountDatabase,
  { userId, isSignedIn, coachId }: BudgetQuery,
): Promise<Uint8Array<ArrayBuffer>> {
  return await database.callForBytes("read_budgets", {
    user_id: userId,
    is_signed_in: isSignedIn,
    coach_id: coachId ?? undefined,
  });
}
