import { usualSentences } from "./prompt/usual_sentences.ts";

/** Returns the notice shown to someone who asks during a takeover. It is not stored. */
export function describeTakeover(coach: { takeoverNotice: string | null; language: string }): string {
  return coach.takeoverNotice ?? usualSentences(coach.language).takeoverNotice;
}
