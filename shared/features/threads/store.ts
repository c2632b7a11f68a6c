import * as z from "zod/mini";
import type { AbandonedAnswer } from "../../core/answers/stored_answer.ts";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import { isNullReply, parseReply } from "../../infra/db/database.ts";
import { lazy } from "../../base/lazy.ts";
import { type Page, readPage, readSearchedPage } from "../../core/wire/paging.ts";
import type { Rating } from "./ratings.ts";
import type { RatedAnswer } from "./replies.ts";
import type { MessageExtra } from "./schemas.ts";

// Only where a reply is parsed: lists pass the bytes on. `npm run bench -- cold` has the time of a list.
const loadReplies = lazy(() => import("./stored_replies.ts"));

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The user whose threads to list, and filters. */
export type ThreadFilter = {
  userId: string;
  /** Null: with every coach. */
  coachId: string | null;
  /** Null: archived or not. */
  isArchived: boolean | null;
  /** True: only turns that stand alone, which no other list shows. */
  isStandalone: boolean;
  /** True to include the state of each thread. */
  hasState: boolean;
};

/** The coaches that a list comes with: all whom the caller may talk to, the one of the filter, or none. */
type Company = { company: "all" | "one" | null; picturesUrl: string };

/** The threads of a user, newest first, in the JSON of the interface. */
export async function listThreads(
  database: AccountDatabase,
  { userId, coachId, isArchived, isStandalone, hasState, company, picturesUrl }: ThreadFilter & Company,
  page: Page,
): Promise<Json> {
  const { pageSize, afterAt, afterKey } = readPage(page);
  return await database.callForBytes("list_threads", {
    user_id: userId,
    coach_id: coachId,
    is_archived: isArchived,
    is_standalone: isStandalone,
    has_state: hasState,
    page_size: pageSize,
    after_at: afterAt,
    after_id: afterKey,
    company,
    pictures_url: picturesUrl,
  });
}

/** The threads of a user that match a search, best match first, in the JSON of the interface. */
export async function searchThreads(
  database: AccountDatabase,
  { userId, coachId, isArchived, isStandalone, hasState, search }: ThreadFilter & { search: string },
  page: Page,
): Promise<Json> {
  const { pageSize, afterScore, afterAt, afterKey } = readSearchedPage(page);
  return await database.callForBytes("search_threads", {
    user_id: userId,
    filter: {
      coach_id: coachId,
      is_archived: isArchived,
      is_standalone: isStandalone,
      has_state: hasState,
      search,
      page_size: pageSize,
      after_score: afterScore,
      after_at: afterAt,
      after_id: afterKey,
    },
  });
}

/** A thread, and its reader. */
export type ThreadAccess = {
  threadId: string;
  /** Null: the key acts alone, and may read the threads of every user. */
  userId: string | null;
};

/** Changes of a thread; fields that are left out do not change. */
export type ThreadChange = { title?: string; is_pinned?: boolean; is_archived?: boolean };

/** A thread with its state, as JSON; null if the caller has no such thread. */
export async function readThread(database: AccountDatabase, { threadId, userId }: ThreadAccess): Promise<Json | null> {
  const reply = await database.callForBytes("read_thread", { thread_id: threadId, user_id: userId });
  return isNullReply(reply) ? null : reply;
}

/** Changes the fields that are passed, and returns the thread as {@link readThread} does. */
export async function updateThread(
  database: AccountDatabase,
  { threadId, userId }: ThreadAccess,
  change: ThreadChange,
): Promise<Json | null> {
  const reply = await database.callForBytes("update_thread", {
    thread_id: threadId,
    user_id: userId,
    title: change.title ?? null,
    is_pinned: change.is_pinned ?? null,
    is_archived: change.is_archived ?? null,
  });
  return isNullReply(reply) ? null : reply;
}

/** Marks the messages of a thread as read, and returns the thread as {@link readThread} does. */
export async function markRead(database: AccountDatabase, { threadId, userId }: ThreadAccess): Promise<Json | null> {
  const reply = await database.callForBytes("mark_read", { thread_id: threadId, user_id: userId });
  return isNullReply(reply) ? null : reply;
}

/** Deletes a thread with all its messages; false if the caller has no such thread. */
export async function deleteThread(database: AccountDatabase, { threadId, userId }: ThreadAccess): Promise<boolean> {
  const args = { thread_id: threadId, user_id: userId };
  return await database.call("delete_thread", args, z.nullable(z.string())) !== null;
}

/** Deletes all that a user of the account has said and was told. */
export async function eraseUser(database: AccountDatabase, userId: string): Promise<void> {
  await callRepeatable(database, "erase_self", { user_id: userId }, z.object({ threads: z.int() }));
}

const decoder = new TextDecoder();

/** The page, order and fields of a list of messages. */
export type MessageListing = Page & {
  isNewestFirst: boolean;
  /** Fields in addition to those of the interface. */
  include: MessageExtra[];
  /** True to list abandoned answers unchanged. */
  skipAbandoned: boolean;
  /** The address of the pictures of coaches. */
  picturesUrl: string;
};

/**
 * The messages of a thread in the JSON of the interface; null if the caller has no such thread. If the thread has
 * abandoned answers, the reply lists these instead, unless `skipAbandoned` is set; see {@link readAbandoned}.
 */
export async function listMessages(
  database: AccountDatabase,
  { threadId, userId }: ThreadAccess,
  { isNewestFirst, include, skipAbandoned, picturesUrl, ...page }: MessageListing,
): Promise<Json | null> {
  const { pageSize, afterAt, afterKey } = readPage(page);
  const reply = await database.callForBytes("list_messages", {
    thread_id: threadId,
    user_id: userId,
    page_size: pageSize,
    after_at: afterAt,
    after_sequence: afterKey === null ? null : Number(afterKey),
    skip_abandoned: skipAbandoned,
    is_newest_first: isNewestFirst,
    include,
    pictures_url: picturesUrl,
  });
  return isNullReply(reply) ? null : reply;
}

/** The abandoned answers in a reply of `listMessages`; null if it contains the messages. */
export async function readAbandoned(reply: Json): Promise<AbandonedAnswer[] | null> {
  // The first bytes distinguish the kinds of replies: the usual one is passed on without parsing.
  if (decoder.decode(reply.subarray(0, 12)) !== '{"abandoned"') return null;
  const { AbandonedReply } = await loadReplies();
  return parseReply("list_messages", AbandonedReply, JSON.parse(decoder.decode(reply))).abandoned;
}

/** A user's rating of an answer. */
export type NewRating = ThreadAccess & {
  /** Null: no answer can have such an id. */
  messageId: string | null;
  /** Null takes the rating back. */
  rating: Rating | null;
  comment: string | null;
};

/** Stores a user's rating of an answer, replacing an earlier one. */
export async function rateAnswer(
  database: AccountDatabase,
  { threadId, userId, messageId, rating, comment }: NewRating,
): Promise<RatedAnswer> {
  const { RatedAnswer } = await loadReplies();
  return await callRepeatable(database, "rate_answer", {
    user_id: userId,
    thread_id: threadId,
    message_id: messageId,
    rating,
    comment,
  }, RatedAnswer);
}
