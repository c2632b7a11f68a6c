import type { Batch } from "../../infra/documents/read_passages.ts";
import type { ClaimedFile } from "./store.ts";

/** A document that is being read, batch by batch. It must be closed with `return`. */
export type OpenDocument = AsyncGenerator<Batch>;

/** How far a document has been read. */
type Place = Pick<ClaimedFile, "id" | "storagePath" | "position">;

/**
 * Keeps the document that was given back last open, since the next call may come to this isolate: opening a document
 * takes up to a second of the two that an isolate has, and reading on a tenth of that. One at most, to save memory.
 */
export interface OpenDocuments {
  keep(document: OpenDocument, place: Place): void;
  /** The kept document, if it is of this file and as far read. Otherwise closes it and returns null. */
  take(file: ClaimedFile): Promise<OpenDocument | null>;
  close(): Promise<void>;
}

export function createOpenDocuments(): OpenDocuments {
  let kept: { document: OpenDocument; place: Place } | null = null;

  async function close(): Promise<void> {
    const closing = kept;
    kept = null;
    await closing?.document.return(undefined);
  }

  return {
    keep: (document, place) => void (kept = { document, place }),
    async take(file) {
      const { document, place } = kept ?? {};
      const isHere = place?.id === file.id && place.storagePath === file.storagePath &&
        // Without a bookmark the file is to be read from its beginning.
        place.position === file.position && file.bookmark !== null;
      if (!isHere || document === undefined) {
        await close();
        return null;
      }
      kept = null;
      return document;
    },
    close,
  };
}
