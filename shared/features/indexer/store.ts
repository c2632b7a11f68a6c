import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Bookmark } from "../../infra/documents/read_passages.ts";
import type { Embedding } from "../../infra/llm/embedder.ts";
import type { ModelWarning } from "../../infra/llm/find_model_warnings.ts";
import type { EmbeddedPassage } from "./embed_passages.ts";

/** A file that this worker has claimed. */
const ClaimedFile = replyObject({
  id: z.string(),
  claim: z.string(),
  coach_id: z.string(),
  name: z.string(),
  category: z.enum(["documents", "images", "videos"]),
  content_type: z.string(),
  storage_path: z.string(),
  /** The request that uploaded it. */
  request_id: z.nullable(z.string()),
  attempt: z.number(),
  /** Parsed when the file is read, so that an invalid bookmark does not affect other files. */
  bookmark: z.unknown(),
  /** The number of its passages that are stored. */
  position: z.number(),
});
export type ClaimedFile = z.infer<typeof ClaimedFile>;

/** A question or variant of a pinned answer, whose embedding is due. */
const Phrase = replyObject({ id: z.number(), coach_id: z.string(), content: z.string() });
export type Phrase = z.infer<typeof Phrase>;

const IndexingWork = replyObject({
  /** Paths of objects that nothing names, by bucket. */
  removals: replyObject({ knowledge: z.array(z.string()), pictures: z.array(z.string()) }),
  /** IDs of responses whose messages are deleted. */
  responses: z.array(z.string()),
  has_more_responses: z.boolean(),
  /** True while the search index has deleted passages. */
  has_removed_passages: z.boolean(),
  /** True while there are messages that the index of threads lacks. */
  has_unsearchable_threads: z.boolean(),
  /** True if webhook messages are due. */
  has_webhook_messages: z.boolean(),
  /** True if threads that are not kept any longer are to be looked for. */
  has_due_retention: z.boolean(),
  /** True if questions have waited for the expert too long. */
  has_waiting_turns: z.boolean(),
  /** True if tests are due. */
  has_tests: z.boolean(),
  /** True if any account has budgets. */
  has_budgets: z.boolean(),
  phrases: z.array(Phrase),
  /** True if open questions are to be worded or compared. */
  has_due_questions: z.boolean(),
  /** Set once a day: the models of coaches, to be checked together with those of the deployment. */
  model_check: z.nullable(replyObject({ coach_models: z.array(z.string()) })),
  file: z.nullable(ClaimedFile),
});
export type IndexingWork = z.infer<typeof IndexingWork>;

/** `is_claimed`: the file still belongs to this worker. `file`: the next one, if it was asked for and is due. */
const SavedIndexing = replyObject({ is_claimed: z.boolean(), file: z.nullable(ClaimedFile) });
export type SavedIndexing = z.infer<typeof SavedIndexing>;

const Nothing = z.null();

/** Claims a file that is due, and lists the other work of a sweep. */
export async function takeIndexingWork(database: Database): Promise<IndexingWork> {
  return await database.call("take_indexing_work", {}, IndexingWork);
}

/** Indexes a batch of messages in idle threads. True if there may be more. */
export async function indexThreads(database: Database): Promise<boolean> {
  return await database.call("index_threads", {}, z.boolean());
}

/** Erases a part of the threads that are not kept any longer. True if there may be more. */
export async function eraseUntouchedThreads(database: Database): Promise<boolean> {
  return await database.call("erase_untouched_threads", {}, z.boolean());
}

/** The progress of a file: a step on the way (`indexing`, `queued`) or its end. */
export type IndexingProgress = {
  /** The number of passages stored before these. */
  fromPosition: number;
  passages: EmbeddedPassage[];
  status: "indexing" | "queued" | "ready" | "empty" | "failed";
  bookmark: Bookmark | null;
  reason: string | null;
  /** Claims the next file if this one has ended. */
  takesNext: boolean;
};

/** Stores passages and the progress of a claimed file. */
export async function saveIndexing(
  database: Database,
  { id, claim }: ClaimedFile,
  progress: IndexingProgress,
): Promise<SavedIndexing> {
  return await database.call("save_indexing", {
    file_id: id,
    claim,
    from_position: progress.fromPosition,
    passages: progress.passages,
    status: progress.status,
    bookmark: progress.bookmark,
    reason: progress.reason,
    takes_next: progress.takesNext,
  }, SavedIndexing);
}

const SavedPhrases = replyObject({ phrases: z.array(Phrase), has_more: z.boolean() });

/** Saves the embeddings of phrases, or that there are none. Returns the next phrases, and whether more are due. */
export async function savePhrases(
  database: Database,
  phrases: { id: number; embedding?: Embedding }[],
  takesNext: boolean,
): Promise<z.infer<typeof SavedPhrases>> {
  return await database.call("save_phrases", { phrases, takes_next: takesNext }, SavedPhrases);
}

/**
 * Gives a claimed file back, to be tried again later; with `waitsForBudget`, this was no attempt. `reason` is for
 * operators.
 */
export async function postponeIndexing(
  database: Database,
  { id, claim }: ClaimedFile,
  { reason, takesNext, waitsForBudget }: { reason: string; takesNext: boolean; waitsForBudget: boolean },
): Promise<SavedIndexing> {
  return await database.call(
    "postpone_indexing",
    { file_id: id, claim, reason, takes_next: takesNext, waits_for_budget: waitsForBudget },
    SavedIndexing,
  );
}

/** Notes that objects have been removed from Storage. */
export async function endObjectRemovals(database: Database, paths: string[]): Promise<void> {
  await database.call("end_object_removals", { paths }, Nothing);
}

/** Notes that responses have been deleted at the model's backend. */
export async function endResponseRemovals(database: Database, responseIds: string[]): Promise<void> {
  await database.call("end_response_removals", { response_ids: responseIds }, Nothing);
}

/** Notes why the server could not be asked for its models. */
export async function failModelCheck(database: Database, reason: string): Promise<void> {
  await database.call("fail_model_check", { reason }, Nothing);
}

/** Saves the warnings of a check of the models, in place of earlier ones. */
export async function saveModelCheck(database: Database, warnings: ModelWarning[]): Promise<void> {
  await database.call("save_model_check", { warnings }, Nothing);
}
