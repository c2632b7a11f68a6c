import { pickQuote } from "./pick_quote.ts";
import type { FoundPassage } from "../turn/begun_turn.ts";
import type { Source } from "../../answers/stored_answer.ts";

/** The sources of an answer, in the order of its passages; null without any. */
export function citePassages(passages: FoundPassage[], question: string): Source[] | null {
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
