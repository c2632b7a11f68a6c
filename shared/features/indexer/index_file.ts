import { type Batch, type Bookmark, UnreadableDocument } from "../../infra/documents/read_passages.ts";
import { RefusedFile } from "../../infra/llm/media_reader.ts";
import { ModelRequestError } from "../../infra/llm/openai_client.ts";
import { describeError, type Log } from "../../infra/log.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels } from "../../core/budgets/work_models.ts";
import type { SweepServices } from "./indexer_services.ts";
import { type EmbeddedPassage, embedPassages } from "./embed_passages.ts";
import type { OpenDocument, OpenDocuments } from "./open_documents.ts";
import { NothingToRead, openFile } from "./open_file.ts";
import * as store from "./store.ts";

/** The limits of a sweep, and the work that the previous sweep has left. */
export type SweepOptions = {
  /** True if another batch may be read. One batch is always read, so that every sweep makes progress. */
  mayGoOn: () => boolean;
  /** Cancels reads from Storage and calls of models. */
  signal: AbortSignal;
  documents: OpenDocuments;
  /**
   * Has the model answer the questions that waited for the expert when a takeover ended. It continues after the end of
   * the sweep.
   */
  answerWaiting: () => void;
  /** Runs the tests that are due, which goes on after the end of the sweep, too. */
  runTests: (isBudgeted: boolean) => void;
  log: Log;
};

/** The result of indexing a file. */
type Outcome = Pick<store.IndexingProgress, "status"> & { bookmark?: Bookmark | null; reason?: string };

/**
 * Indexes a claimed file, batch by batch, until it is complete or the sweep must end. A file that cannot be read ends
 * as `failed`. If a backend or a model fails, the file is released, to be tried again.
 *
 * @returns the next file to index; null if no file is due or the sweep must end.
 */
export async function indexFile(
  services: SweepServices,
  file: store.ClaimedFile,
  { mayGoOn, signal, documents, log }: SweepOptions,
): Promise<store.ClaimedFile | null> {
  const { database } = services;
  let position = file.position;
  const about = { file_id: file.id, upload_request_id: file.requestId, attempt: file.attempt };

  async function save(passages: EmbeddedPassage[], { status, bookmark = null, reason }: Outcome) {
    const progress = {
      fromPosition: position,
      passages,
      status,
      bookmark,
      reason: reason ?? null,
      takesNext: mayGoOn(),
    };
    const saved = await store.saveIndexing(database, file, progress);
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
    const postponed = await store.postponeIndexing(database, file, {
      reason: isWaiting
        ? "A budget does not allow it now"
        : isModelAlone
        ? error.message
        : `A backend failed while the file was being read: ${reason}`,
      takesNext: (isModelAlone || isObjectGone || isWaiting) && mayGoOn(),
      waitsForBudget: isWaiting,
    });
    return postponed.file;
  } finally {
    await document?.return(undefined);
  }
}

function describeEmpty({ hasPictures = false }: Batch): string {
  const advice = "If it is a scan, run text recognition (OCR) on it and upload the result";
  return `No text was found in it${hasPictures ? `. ${advice}` : ""}`;
}
