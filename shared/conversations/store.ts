import * as z from "zod/mini";
import type { AccountDatabase } from "../db/account_database.ts";
import { parseReply } from "../db/database.ts";
import { type Page, readPage, readSearchedPage } from "../wire/paging.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** Which conversations, and who asks. */
export type ConversationFilter = {
  coachId: string;
  /** Null: the key acts alone. */
  userId: string | null;
  /** Null: none. */
  search: string | null;
  hasDown: boolean;
  needsReply: boolean;
  /** The first instant of their `updated_at`, and the one before which they are; null: any. */
  from: Date | null;
  before: Date | null;
};

/** A page of the conversations with a coach, in the JSON of the API, or a refusal: see {@link readRefusal}. */
export async function listConversations(
  database: AccountDatabase,
  { coachId, userId, search, hasDown, needsReply, from, before }: ConversationFilter,
  page: Page & { limit: number },
): Promise<Json> {
  const { afterScore, afterAt, afterKey } = search === null
    ? { afterScore: null, ...readPage(page) }
    : readSearchedPage(page);
  return await database.callForBytes("list_conversations", {
    coach_id: coachId,
    user_id: userId,
    search,
    has_down: hasDown,
    needs_reply: needsReply,
    from_time: from?.toISOString() ?? null,
    before_time: before?.toISOString() ?? null,
    page_size: page.limit,
    after_score: afterScore,
    after_at: afterAt,
    after_id: afterKey,
  });
}

const Refusal = z.object({ error: z.enum(["coach_not_found", "not_the_expert"]) });

const decoder = new TextDecoder();

/** Why a reply is a refusal; null where it is not. */
export function readRefusal(reply: Json): z.infer<typeof Refusal>["error"] | null {
  // The first bytes tell the kinds of reply apart: the usual one is passed on without being parsed.
  if (decoder.decode(reply.subarray(0, 8)) !== '{"error"') return null;
  return parseReply("list_conversations", Refusal, JSON.parse(decoder.decode(reply))).error;
}
