import type { Batch } from "../documents/read_passages.ts";
import type { ClaimedFile } from "./schemas.ts";

/** A document that is being read: batch after batch, from its bookmark on. Whoever has it closes it with `return`. */
export type OpenDocument = AsyncGenerator<Batch>;

/** Where a document stands: the same passages are stored of it wherever it is read. */
type Place = Pick<ClaimedFile, "id" | "storage_path" | "position">;

/**
 * Keeps the document that was given back last open, since the next call may well come to this isolate: opening one takes
 * up to a second of the two that an isolate has, and reading on a tenth of that. Never more than one, for memory's sake.
 */
export interface OpenDocuments {
  keep(document: OpenDocument, place: Place): void;
  /** The document, if it is kept and stands where the file does; null otherwise, and then none is kept any more. */
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
      const isHere = place?.id === file.id && place.storage_path === file.storage_path &&
        // Without a bookmark the file is read anew, for whatever reason.
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
