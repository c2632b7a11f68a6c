import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Page, readPage } from "../../core/wire/paging.ts";
import { FoundRows, type PinnedText } from "./compare_rows.ts";
import { type SheetStore, StoredIds } from "./import_sheet.ts";

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

/** The pinned answers of a coach, as a sheet is imported into them. */
export function openSheetStore(database: AccountDatabase, { coachId, userId }: ExpertAccess): SheetStore {
  const access = { user_id: userId, coach_id: coachId };
  return {
    compare: (questions) => database.call("compare_pinned_answers", { ...access, questions }, z.nullable(FoundRows)),
    write: (rows) => database.call("import_pinned_answers", { ...access, rows }, StoredIds),
  };
}

const DatedAnswer = z.object({
  id: z.string(),
  question: z.string(),
  variants: z.array(z.string()),
  answer: z.string(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
/** A pinned answer, with the times by which a sheet sorts. */
export type DatedAnswer = z.infer<typeof DatedAnswer>;

const DatedPage = z.object({ data: z.array(DatedAnswer), next_cursor: z.nullish(z.string()) });
/** Short enough that no other call waits long for the connection. */
const pageSize = 200;

/**
 * All pinned answers of a coach, the latest change first. They are read in parts; what has been changed meanwhile is the
 * latest then, and read at the end.
 */
export async function readPinnedAnswers(
  database: AccountDatabase,
  { coachId, userId }: ExpertAccess,
): Promise<DatedAnswer[]> {
  async function readUntil(isKnown: (answer: DatedAnswer) => boolean): Promise<DatedAnswer[]> {
    const read: DatedAnswer[] = [];
    let cursor: string | undefined;
    do {
      const { afterAt, afterKey } = readPage({ cursor });
      const args = { user_id: userId, coach_id: coachId, page_size: pageSize, after_at: afterAt, after_id: afterKey };
      const { data, next_cursor } = await database.call("list_pinned_answers", args, DatedPage);
      const known = data.findIndex(isKnown);
      read.push(...known < 0 ? data : data.slice(0, known));
      cursor = known < 0 ? next_cursor ?? undefined : undefined;
    } while (cursor !== undefined);
    return read;
  }
  let answers = await readUntil(() => false);
  // A single page shows one moment.
  for (let late = answers; answers.length > pageSize && late.length > 0;) {
    const known = new Map(answers.map(({ id, updated_at }) => [id, updated_at]));
    late = await readUntil(({ id, updated_at }) => known.get(id) === updated_at);
    const changed = new Set(late.map(({ id }) => id));
    answers = [...late, ...answers.filter(({ id }) => !changed.has(id))];
  }
  return answers;
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
