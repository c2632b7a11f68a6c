import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Page, readPage } from "../../core/wire/paging.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The coach of the pinned answers, and the caller. */
export type ExpertAccess = {
  coachId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

/** A pinned answer, and the caller. */
export type AnswerAccess = ExpertAccess & {
  /** Null: no pinned answer can have such an id. */
  answerId: string | null;
};

/** The pinned answers of a coach, the newest change first. */
export async function listPinnedAnswers(
  database: AccountDatabase,
  { coachId, userId }: ExpertAccess,
  { search, isActive }: { search: string | null; isActive: boolean | null },
  page: Page,
): Promise<Json> {
  const { pageSize, afterAt, afterKey } = readPage(page);
  return await database.callForBytes("list_pinned_answers", {
    user_id: userId,
    coach_id: coachId,
    search,
    is_active: isActive,
    page_size: pageSize,
    after_at: afterAt,
    after_id: afterKey,
  });
}

/** A pinned answer with its versions. */
export async function getPinnedAnswer(
  database: AccountDatabase,
  { coachId, userId, answerId }: AnswerAccess,
): Promise<Json> {
  return await database.callForBytes("get_pinned_answer", { user_id: userId, coach_id: coachId, answer_id: answerId });
}

/** The content of a pinned answer. */
export type PinnedText = { question: string; variants: string[]; answer: string; is_active: boolean };

/** Pins an answer, and returns it. */
export async function createPinnedAnswer(
  database: AccountDatabase,
  { coachId, userId }: ExpertAccess,
  text: PinnedText,
): Promise<Json> {
  return await database.callForBytes("create_pinned_answer", { user_id: userId, coach_id: coachId, ...text });
}

/** Changes the fields that are passed of a pinned answer, and returns it. */
export async function updatePinnedAnswer(
  database: AccountDatabase,
  { coachId, userId, answerId }: AnswerAccess,
  change: Partial<PinnedText>,
): Promise<Json> {
  return await database.callForBytes("update_pinned_answer", {
    user_id: userId,
    coach_id: coachId,
    answer_id: answerId,
    question: change.question ?? null,
    variants: change.variants ?? null,
    answer: change.answer ?? null,
    is_active: change.is_active ?? null,
  });
}

/** Deletes a pinned answer with its versions. */
export async function deletePinnedAnswer(
  database: AccountDatabase,
  { coachId, userId, answerId }: AnswerAccess,
): Promise<Json> {
  return await database.callForBytes("delete_pinned_answer", {
    user_id: userId,
    coach_id: coachId,
    answer_id: answerId,
  });
}

/** The barred passages of a coach, the newest first. */
export async function listBarredPassages(
  database: AccountDatabase,
  { coachId, userId }: ExpertAccess,
  page: Page,
): Promise<Json> {
  const { pageSize, afterAt, afterKey } = readPage(page);
  return await database.callForBytes("list_barred_passages", {
    user_id: userId,
    coach_id: coachId,
    page_size: pageSize,
    after_at: afterAt,
    after_id: afterKey,
  });
}

/** Bars a passage, or lets it be used again, and returns it. `passageId` null: no passage can have such an id. */
export async function setPassageBarred(
  database: AccountDatabase,
  { coachId, userId, passageId }: ExpertAccess & { passageId: string | null },
  isBarred: boolean,
): Promise<Json> {
  return await database.callForBytes("set_passage_barred", {
    user_id: userId,
    coach_id: coachId,
    passage_id: passageId,
    is_barred: isBarred,
  });
}
