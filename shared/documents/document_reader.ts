/** A stretch of a document, in reading order; `page` counts from 1. */
export type Block = {
  text: string;
  page: number | null;
  /** Set for headings: smaller levels stand above greater ones. */
  level: number | null;
};

/** A place between two steps of a reader, which only that reader understands; it can be written as JSON. */
export type Position = { offset: number; encoding?: string; fence?: string; open?: string[]; unreadPages?: number };

/** One step: what stands there, and where to go on; null at the end of the document. */
export type Step = { blocks: Block[]; next: Position | null };

/** Reads an opened document step by step, each a small piece of work that depends on nothing but its position. */
export interface DocumentReader extends AsyncDisposable {
  /** Throws UnreadableDocument. */
  read(position: Position): Promise<Step>;
}
