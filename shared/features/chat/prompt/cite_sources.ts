import type { PinnedAnswerSource, Source } from "../../../core/answers/stored_answer.ts";
import type { BegunTurn, NearAnswer } from "../store.ts";
import { citePassages, quoteBeginning } from "./cite_passages.ts";

/** The sources of an answer: the pinned answers that the model was given, then the passages; null without any. */
export function citeSources(
  { pinned, passages }: Pick<BegunTurn, "pinned" | "passages">,
  question: string,
): Source[] | null {
  const sources = [...pinned.map(citePinnedAnswer), ...citePassages(passages, question) ?? []];
  return sources.length === 0 ? null : sources;
}

/** A pinned answer as the source of an answer that the model writes. */
export function citePinnedAnswer({ id, version, question, answer }: NearAnswer): PinnedAnswerSource {
  return {
    kind: "pinned_answer",
    pinnedAnswerId: id,
    version,
    question,
    quote: quoteBeginning(answer),
    isWordForWord: false,
  };
}
