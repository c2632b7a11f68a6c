import { usualSentences } from "./prompt/usual_sentences.ts";

/** What a person reads who asks while the expert has taken over. It is not stored. */
export function describeTakeover(coach: { takeoverNotice: string | null; language: string }): string {
  return coach.takeoverNotice ?? usualSentences(coach.language).takeoverNotice;
}
