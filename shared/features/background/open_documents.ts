import type { ClaimedFile, OpenDocument } from "./open_file.ts";

/** The position up to which a document has been read. */
type Place = Pick<ClaimedFile, "id" | "storagePath" | "position">;

/**
 * Keeps the last document that was released open, because the next call may reach this isolate. Opening a document
 * takes up to a second of the two that an isolate has, and continuing a tenth of that. At most one is kept, to save
 * memory.
 */
export interface OpenDocuments {
  keep(document: OpenDocument, place: Place): void;
  /**
   * Returns the open document if it is of this file and at the same position. Otherwise, closes it and returns null.
   */
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
        // Without a bookmark, the file must be read from the beginning.
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
