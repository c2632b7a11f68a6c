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
  /** Of its upload. */
  request_id: z.nullable(z.string()),
  attempt: z.number(),
  /** Parsed when the file is read, so that one that cannot be used stops no other file. */
  bookmark: z.unknown(),
  /** How many of its passages are stored. */
  position: z.number(),
});
export type ClaimedFile = z.infer<typeof ClaimedFile>;

/** A question or variant of a pinned answer, whose embedding is due. */
const Phrase = replyObject({ id: z.number(), content: z.string() });
export type Phrase = z.infer<typeof Phrase>;

const IndexingWork = replyObject({
  /** Paths of objects that no file owns. */
  removals: z.array(z.string()),
  /** Ids of responses whose messages are gone. */
  responses: z.array(z.string()),
  has_more_responses: z.boolean(),
  /** Whether the search index still has deleted passages. */
  has_removed_passages: z.boolean(),
  /** Whether something was said that the search of threads still reads from the messages. */
  has_unsearchable_threads: z.boolean(),
  /** Whether something is to be sent to webhooks. */
  has_webhook_messages: z.boolean(),
  /** Whether questions have waited for the expert in vain. */
  has_waiting_turns: z.boolean(),
  phrases: z.array(Phrase),
  /** Whether open questions are to be put into words or compared. */
  has_due_questions: z.boolean(),
  /** Not null once a day: the models of coaches, which are to be looked up with those of the deployment. */
  model_check: z.nullable(replyObject({ coach_models: z.array(z.string()) })),
  file: z.nullable(ClaimedFile),
});
export type IndexingWork = z.infer<typeof IndexingWork>;

/** Whether the file is still this worker's, and the next file where one was asked for and is due. */
const SavedIndexing = replyObject({ is_claimed: z.boolean(), file: z.nullable(ClaimedFile) });
export type SavedIndexing = z.infer<typeof SavedIndexing>;

const Nothing = z.null();

/** Claims a file that is due, and lists what is to be removed. */
export async function takeIndexingWork(database: Database): Promise<IndexingWork> {
  return await database.call("take_indexing_work", {}, IndexingWork);
}

/** Indexes a batch of what was said in threads at rest, and says whether there may be more. */
export async function indexThreads(database: Database): Promise<boolean> {
  return await database.call("index_threads", {}, z.boolean());
}

/** What a file has come to: a step on the way (`indexing`, `queued`) or its end. */
export type IndexingProgress = {
  /** How many passages were stored before these. */
  fromPosition: number;
  passages: EmbeddedPassage[];
  status: "indexing" | "queued" | "ready" | "empty" | "failed";
  bookmark: Bookmark | null;
  reason: string | null;
  /** Whether to claim the next file, if this one is done with. */
  takesNext: boolean;
};

/** Stores passages of a claimed file and how far it is. */
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

/** Gives a claimed file back, to be tried again later. `reason` is for operators. */
export async function postponeIndexing(
  database: Database,
  { id, claim }: ClaimedFile,
  { reason, takesNext }: { reason: string; takesNext: boolean },
): Promise<SavedIndexing> {
  return await database.call(
    "postpone_indexing",
    { file_id: id, claim, reason, takes_next: takesNext },
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

/** Saves what a check of the models has found, in place of earlier warnings. */
export async function saveModelCheck(database: Database, warnings: ModelWarning[]): Promise<void> {
  await database.call("save_model_check", { warnings }, Nothing);
}
