import * as z from "zod/mini";
import { type Batch, type Bookmark, type Passage, UnreadableDocument } from "../../libs/documents/read_passages.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { RefusedFile } from "../../libs/llm/media_reader.ts";
import { ModelRequestError } from "../../libs/llm/openai_client.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels, type WorkModels } from "../../core/budgets/work_models.ts";
import type { IndexerServices, SweepServices } from "./meter_services.ts";
import { ClaimedFile, NothingToRead, type OpenDocument, type OpenDocuments, openFile } from "./open_file.ts";
import type { Embedding } from "../../libs/llm/embedder.ts";

/** The limits of a sweep, and the work that the previous sweep has left. */
export type SweepOptions = {
  /** True if another batch may be read. One batch is always read, so that every sweep makes progress. */
  mayGoOn: () => boolean;
  /** Cancels reads from Storage and calls of models. */
  signal: AbortSignal;
  documents: OpenDocuments;
  /** Has the model answer what waited for the expert when a takeover ended. It continues after the sweep. */
  answerWaiting: () => void;
  /** Runs the tests that are due, which goes on after the end of the sweep, too. */
  runTests: (isBudgeted: boolean) => void;
  log: Log;
};

/** The progress of a file: a step on the way (`indexing`, `queued`) or its end. */
type Progress = {
  status: "indexing" | "queued" | "ready" | "empty" | "failed";
  bookmark?: Bookmark | null;
  reason?: string;
};

/** `is_claimed`: the file still belongs to this worker. `file`: the next one, if it was asked for and is due. */
const SavedIndexing = replyObject({ is_claimed: z.boolean(), file: z.nullable(ClaimedFile) });

/**
 * Indexes a claimed file, batch by batch, until it is complete or the sweep must end. A file that cannot be read ends
 * as `failed`. If a backend or a model fails, the file is released, to be tried again.
 *
 * @returns the next file to index; null if no file is due or the sweep must end.
 */
export async function indexFile(
  services: SweepServices,
  file: ClaimedFile,
  { mayGoOn, signal, documents, log }: SweepOptions,
): Promise<ClaimedFile | null> {
  const { database } = services;
  const claim = { file_id: file.id, claim: file.claim };
  let position = file.position;
  const about = { file_id: file.id, upload_request_id: file.requestId, attempt: file.attempt };

  async function save(passages: EmbeddedPassage[], { status, bookmark = null, reason }: Progress) {
    const saved = await database.call("save_indexing", {
      ...claim,
      from_position: position,
      passages,
      status,
      bookmark,
      reason: reason ?? null,
      takes_next: mayGoOn(),
    }, SavedIndexing);
    position += passages.length;
    if (status === "indexing" && saved.isClaimed) return { isOver: false, next: null };
    log("info", "indexed", { ...about, status, passages: position, reason });
    return { isOver: true, next: saved.file };
  }

  const models = openWorkModels(services, file.coachId);
  let document: OpenDocument | null = null;
  try {
    document = await documents.take(file) ?? await openFile({ ...services, models }, file, signal);
    while (true) {
      const { value: batch, done } = await document.next();
      if (done) throw new TypeError("A document ended before its last batch");
      const passages = await embedPassages({ ...services, models }, batch.passages, signal);
      const isEmpty = position + passages.length === 0;
      const status = batch.next !== null ? mayGoOn() ? "indexing" : "queued" : isEmpty ? "empty" : "ready";
      const reason = status === "empty" ? describeEmpty(batch) : batch.warning;
      const saved = await save(passages, { status, bookmark: batch.next, ...(reason && { reason }) });
      if (!saved.isOver) continue;
      if (status === "queued") {
        documents.keep(document, { ...file, position });
        document = null;
      }
      return saved.next;
    }
  } catch (error) {
    if (error instanceof UnreadableDocument || error instanceof RefusedFile) {
      return (await save([], { status: "failed", reason: error.message })).next;
    }
    if (error instanceof NothingToRead) return (await save([], { status: "empty", reason: error.message })).next;
    // While a model fails or an object is gone, other files can still be read; while the backend fails, they cannot.
    const isWaiting = waitsForBudget(error);
    const isModelAlone = error instanceof ModelRequestError;
    const isObjectGone = error instanceof StorageError && error.isMissing;
    const reason = describeError(error);
    log("warn", "indexing_postponed", { ...about, reason });
    const postponed = await database.call("postpone_indexing", {
      ...claim,
      reason: isWaiting
        ? "A budget does not allow it now"
        : isModelAlone
        ? error.message
        : `A backend failed while the file was being read: ${reason}`,
      takes_next: (isModelAlone || isObjectGone || isWaiting) && mayGoOn(),
      waits_for_budget: isWaiting,
    }, SavedIndexing);
    return postponed.file;
  } finally {
    await document?.return(undefined);
  }
}

function describeEmpty({ hasPictures = false }: Batch): string {
  const advice = "If it is a scan, run text recognition (OCR) on it and upload the result";
  return `No text was found in it${hasPictures ? `. ${advice}` : ""}`;
}

/** A passage as it is stored. */
type EmbeddedPassage = Passage & { embedding?: Embedding };

/**
 * Adds embeddings to passages, if an embedding model is configured.
 *
 * @throws 429 if a budget does not allow it; {ModelRequestError} when the model fails, has not answered within 30 s, or the signal aborts.
 */
async function embedPassages(
  { models, timeouts }: Pick<IndexerServices, "timeouts"> & { models: Pick<WorkModels, "embed"> },
  passages: Passage[],
  signal: AbortSignal,
): Promise<EmbeddedPassage[]> {
  if (models.embed === null || passages.length === 0) return passages;
  const texts = passages.map(({ heading, content }) => heading === null ? content : `${heading}\n\n${content}`);
  const embeddings = await models.embed(
    texts,
    AbortSignal.any([signal, AbortSignal.timeout(timeouts.embedPassages)]),
  );
  return passages.map((passage, index) => ({
    ...passage,
    embedding: embeddings[index]!,
  }));
}
