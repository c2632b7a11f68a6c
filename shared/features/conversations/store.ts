import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Page, readPage, readSearchedPage } from "../../core/wire/paging.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The filter of a list of conversations, and the caller. */
export type ConversationFilter = {
  coachId: string;
  /** Null: the key acts alone. */
  userId: string | null;
  /** Null: none. */
  search: string | null;
  hasDown: boolean;
  needsReply: boolean;
  isStandalone: boolean;
  /** Their `updated_at` is from `from` on and before `before`; null: any. */
  from: Date | null;
  before: Date | null;
};

/** A page of the conversations with a coach, in the JSON of the API. */
export async function listConversations(
  database: AccountDatabase,
  { coachId, userId, search, hasDown, needsReply, isStandalone, from, before }: ConversationFilter,
  page: Page & { limit: number },
): Promise<Json> {
  const { afterScore, afterAt, afterKey } = search === null
    ? { afterScore: null, ...readPage(page) }
    : readSearchedPage(page);
  return await database.callForBytes("list_conversations", {
    user_id: userId,
    filter: {
      coach_id: coachId,
      search,
      has_down: hasDown,
      needs_reply: needsReply,
      is_standalone: isStandalone,
      from_time: from?.toISOString(),
      before_time: before?.toISOString(),
      page_size: page.limit,
      after_score: afterScore,
      after_at: afterAt,
      after_id: afterKey,
    },
  });
}

/** The coach, the first and last day (both included), and the caller. */
export type UsageFilter = { coachId: string; userId: string | null; from: string; to: string };

/** The usage of a coach by day, in the JSON of the API. */
export async function readUsage(
  database: AccountDatabase,
  { coachId, userId, from, to }: UsageFilter,
): Promise<Json> {
  return await database.callForBytes("read_coach_usage", {
    coach_id: coachId,
    user_id: userId,
    from_day: from,
    to_day: to,
  });
}
