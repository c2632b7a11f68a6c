import { UnreadableDocument } from "../documents/read_passages.ts";
import { RefusedFile } from "../llm/media_reader.ts";
import { ModelRequestError } from "../llm/openai_client.ts";
import { describeError } from "../log.ts";
import type { CoreServices } from "../core_services.ts";
import { type EmbeddedPassage, embedPassages } from "./embed_passages.ts";
import type { OpenDocument } from "./open_documents.ts";
import { NothingToRead, openFile } from "./open_file.ts";
import { type ClaimedFile, SavedIndexing } from "./schemas.ts";
import type { SweepOptions } from "./sweep.ts";

/** What a file came to: a step on the way (`indexing`, `queued`) or its end. */
type Outcome = { status: "indexing" | "queued" | "ready" | "empty" | "failed"; bookmark?: unknown; reason?: string };

/**
 * Indexes a claimed file, batch by batch, until it has ended or no more may be done. What cannot be read ends as
 * `failed`; where a backend or a model fails, the file is given back to be tried again.
 *
 * @returns the next file to index; null when nothing more is due or nothing more may be done.
 */
export async function indexFile(
  services: CoreServices,
  file: ClaimedFile,
  { mayGoOn, signal, documents, log }: SweepOptions,
): Promise<ClaimedFile | null> {
  const { database } = services;
  let position = file.position;
  const about = { file_id: file.id, upload_request_id: file.request_id, attempt: file.attempt };

  async function save(passages: EmbeddedPassage[], { status, bookmark = null, reason }: Outcome) {
    const saved = SavedIndexing.parse(
      await database.call("save_indexing", {
        file_id: file.id,
        claim: file.claim,
        from_position: position,
        passages,
        status,
        bookmark: bookmark as string | null,
        reason: reason ?? null,
        takes_next: mayGoOn(),
      }),
    );
    position += passages.length;
    if (status === "indexing" && saved.is_claimed) return { isOver: false, next: null };
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
    // Without the model other files can be read; without the backend none.
    const isModelAlone = error instanceof ModelRequestError;
    const reason = describeError(error);
    log("warn", "indexing_postponed", { ...about, reason });
    const postponed = SavedIndexing.parse(
      await database.call("postpone_indexing", {
        file_id: file.id,
        claim: file.claim,
        reason: isModelAlone ? error.message : `A backend failed while the file was read: ${reason}`,
        takes_next: isModelAlone && mayGoOn(),
      }),
    );
    return postponed.file;
  } finally {
    await document?.return(undefined);
  }
}
