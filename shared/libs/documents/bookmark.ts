import * as z from "zod/mini";

/** The state that goes from one step of a sheet to the next. */
export const SheetState = z.object({
  /** The names of the columns by their places; null before the first row of a table. */
  columns: z.nullable(z.array(z.string())),
  /** It has had something so far. */
  isBegun: z.boolean(),
  /** A blank row, or a title, is behind the last row. */
  isInterrupted: z.boolean(),
  isTitled: z.boolean(),
  /** The table has values that are no text. */
  hasValues: z.boolean(),
  /** The last row has the names, or those of groups of columns: the next one may have more. */
  isNew: z.boolean(),
  hasGroups: z.boolean(),
});
export type SheetState = z.infer<typeof SheetState>;

/** A place between two steps of a reader; only that reader understands it. */
export const Position = z.object({
  offset: z.number(),
  encoding: z.optional(z.string()),
  fence: z.optional(z.string()),
  open: z.optional(z.array(z.string())),
  unreadPages: z.optional(z.number()),
  emptyPages: z.optional(z.number()),
  /** Those with text, whose font does not say which letters it has. */
  garbledPages: z.optional(z.number()),
  /** Those whose content breaks off. */
  brokenPages: z.optional(z.number()),
  /** Those of the unread pages that hold too much. */
  hugePages: z.optional(z.number()),
  /** Those whose picture was looked at, and those of them whose text was recognized. */
  seenPages: z.optional(z.number()),
  recognizedPages: z.optional(z.number()),
  /** The last numbers of the lists of a document. */
  counters: z.optional(z.record(z.string(), z.array(z.nullable(z.number())))),
  /** The first row of the table that goes on here. */
  header: z.optional(z.string()),
  /** The number of parts of each kind that could not be read so far. */
  lost: z.optional(z.record(z.string(), z.number())),
  /** Of a document in parts: which of them, from 0. `offset` is a place in it. */
  part: z.optional(z.number()),
  /** The table of a sheet that goes on here, and the separator of its cells. */
  sheet: z.optional(SheetState),
  separator: z.optional(z.string()),
  /** The characters that were read so far, where they are counted. */
  length: z.optional(z.number()),
  /** The cells above that are merged with some below, by the column: their text, and the last row that has it. */
  merged: z.optional(z.record(z.string(), z.object({ text: z.string(), until: z.number() }))),
});
export type Position = z.infer<typeof Position>;

/** The state of a splitter between two blocks. */
export const SplitterState = z.object({
  /** The headings of this place, outermost first. */
  headings: z.array(z.object({
    level: z.number(),
    text: z.string(),
    page: z.optional(z.nullable(z.number())),
    isRecognized: z.optional(z.boolean()),
  })),
  /** Nothing has followed the last heading so far. */
  isBare: z.boolean(),
  /** Sentences that wait for their passage, or parts of very long ones. */
  pieces: z.array(z.object({
    text: z.string(),
    opensParagraph: z.boolean(),
    page: z.nullable(z.number()),
    heading: z.nullable(z.string()),
    /** Of a row: the first one of its table. */
    header: z.optional(z.string()),
    isRecognized: z.optional(z.boolean()),
  })),
  /** The number of pieces that were in the last passage already. */
  repeated: z.number(),
});
export type SplitterState = z.infer<typeof SplitterState>;

/** The place at which a later process continues to read a document. It is stored as JSON; nothing else reads it. */
export const Bookmark = z.object({
  position: Position,
  splitter: SplitterState,
  /** The number of passages of the next step that are in the last batch already. */
  skip: z.number(),
});
export type Bookmark = z.infer<typeof Bookmark>;
