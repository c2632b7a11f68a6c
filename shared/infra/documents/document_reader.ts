import type { Position } from "./bookmark.ts";

/** A stretch of a document, in reading order; `page` counts from 1. */
export type Block = {
  text: string;
  page: number | null;
  /** Set for headings: a smaller level is above a greater one. */
  level: number | null;
};

/** One step: its text, and where to go on; null at the end of the document. */
export type Step = { blocks: Block[]; next: Position | null };

/** Reads an opened document step by step. A step is a small piece of work that depends on its position alone. */
export interface DocumentReader extends AsyncDisposable {
  /** Throws UnreadableDocument. */
  read(position: Position): Promise<Step>;
}
