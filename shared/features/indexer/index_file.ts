import { type Bookmark, UnreadableDocument } from "../../infra/documents/read_passages.ts";
import { RefusedFile } from "../../infra/llm/media_reader.ts";
import { ModelRequestError } from "../../infra/llm/openai_client.ts";
import { describeError, type Log } from "../../infra/log.ts";
import type { IndexerServices } from "./indexer_services.ts";
import { type EmbeddedPassage, embedPassages } from "./embed_passages.ts";
import type { OpenDocument, OpenDocuments } from "./open_documents.ts";
import { NothingToRead, openFile } from "./open_file.ts";
import * as store from "./store.ts";

/** What a sweep may do, and what the sweep before it has left open. */
export type SweepOptions = {
  /** Whether it may go on after a batch. One batch is always done, so that every sweep gets further. */
  mayGoOn: () => boolean;
  /** Breaks off reading from Storage and the calls of models. */
  signal: AbortSignal;
  documents: OpenDocuments;
  /** Has the model answer what has waited for the expert in vain. It goes on when the sweep has ended. */
  answerWaiting: () => void;
  log: Log;
};

/** What a file has come to. */
type Outcome = Pick<store.IndexingProgress, "status"> & { bookmark?: Bookmark | null; reason?: string };

/**
 * Indexes a claimed file, batch by batch, until it has ended or the sweep may not go on. A file that cannot be read ends
 * as `failed`; where a backend or a model fails, the file is given back to be tried again.
 *
 * @returns the next file to index; null when no file is due or the sweep may not go on.
 */
export async function indexFile(
  services: IndexerServices,
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

  let document: OpenDocument | null = null;
  try {
    document = await documents.take(file) ?? await openFile(services, file, signal);
    while (true) {
      const { value: batch, done } = await document.next();
      if (done) throw new TypeError("A document ended before its last batch");
      const passages = await embedPassages(services, batch.passages, signal);
      const status = batch.next === null ? "ready" : mayGoOn() ? "indexing" : "queued";
      const saved = await save(passages, { status, bookmark: batch.next });
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
    // Other files can be read while a model fails, but not while the backend does.
    const isModelAlone = error instanceof ModelRequestError;
    const reason = describeError(error);
    log("warn", "indexing_postponed", { ...about, reason });
    const postponed = await store.postponeIndexing(database, file, {
      reason: isModelAlone ? error.message : `A backend failed while the file was being read: ${reason}`,
      takesNext: isModelAlone && mayGoOn(),
    });
    return postponed.file;
  } finally {
    await document?.return(undefined);
  }
}
