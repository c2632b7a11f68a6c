import type { Position } from "./bookmark.ts";

/** A stretch of a document, in reading order; `page` counts from 1. */
export type Block = {
  text: string;
  page: number | null;
  /** Set for headings: a smaller level is above a greater one. */
  level: number | null;
  /** Set for tables, whose rows are lines: the row that names the columns. The table may have begun before this block. */
  header?: string;
  /** Of a heading: nothing before it is in a passage with what follows, however short both are. */
  isApart?: boolean;
  /** A model has read it from a picture. */
  isRecognized?: boolean;
};

/** Something of a document that could not be read, and how often; of pages also how many there are. */
export type Loss = {
  kind:
    | "pages_without_text"
    | "pages_without_letters"
    | "recognized_pages"
    | "broken_pages"
    | "unreadable_pages"
    | "charts"
    | "diagrams"
    | "parts"
    | "objects"
    | "fields"
    | "slides_without_text"
    | "hidden_slides"
    | "hidden_sheets"
    | "hidden_rows"
    | "hidden_columns"
    | "answer_sheets";
  count: number;
  total?: number;
};

/** One step: its text, and where to go on; null at the end of the document. The last step tells what was not read. */
export type Step = { blocks: Block[]; next: Position | null; losses?: Loss[]; hasPictures?: boolean };

/** Reads an opened document step by step. A step is a small piece of work that depends on its position alone. */
export interface DocumentReader extends AsyncDisposable {
  /** Throws UnreadableDocument. */
  read(position: Position): Promise<Step>;
}

/** A document that its parser cannot read: encrypted, damaged or too large. `message` is for operators. */
export class UnreadableDocument extends Error {
  override name = "UnreadableDocument";
}

/** The documents that cannot be read, and the messages for operators. */
export const unreadable = {
  encrypted: () => new UnreadableDocument("The file is encrypted"),
  damaged: () => new UnreadableDocument("The file is damaged"),
  explosive: () => new UnreadableDocument("The file unpacks to more than can be read"),
  tooLarge: () => new UnreadableDocument("The file holds or unpacks to more text than can be read"),
  outdated: () => new UnreadableDocument("The file is packed in an outdated way that cannot be read; save it again"),
};
