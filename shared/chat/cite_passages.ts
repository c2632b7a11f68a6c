import { pickQuote } from "../knowledge/text/pick_quote.ts";
import type { Passage } from "./schemas.ts";

/** A passage that an answer was given, as it is kept with the message. The quote stands in the file word for word. */
export type Source = {
  fileId: string;
  filename: string;
  page: number | null;
  heading: string | null;
  quote: string;
  score: number;
};

/** The sources of an answer, in the order of its passages; null without any. */
export function citePassages(passages: Passage[], question: string): Source[] | null {
  if (passages.length === 0) return null;
  return passages.map(({ file_id, filename, page, heading, content, score }) => ({
    fileId: file_id,
    filename,
    page,
    heading,
    quote: pickQuote(content, question),
    score,
  }));
}
