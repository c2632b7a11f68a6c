import type { AccountDatabase } from "../../infra/db/account_database.ts";

/** The coach, the caller, and the moment from which on changes count. */
export type OverviewQuery = {
  coachId: string;
  /** Null: a server with a key. */
  userId: string | null;
  /** Null: the beginning of the week. */
  since: Date | null;
};

/** The overview of a coach, in the JSON of the API. */
export async function readOverview(
  database: AccountDatabase,
  { coachId, userId, since }: OverviewQuery,
): Promise<Uint8Array<ArrayBuffer>> {
  return await database.callForBytes("read_overview", {
    coach_id: coachId,
    user_id: userId,
    since: since?.toISOString() ?? null,
  });
}
