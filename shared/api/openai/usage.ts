import type { Ending } from "../../core/answers/answer.ts";

/** Tokens read and written, and what is part of them. */
export type Tokens = { input: number; cached: number; output: number; reasoning: number };

/**
 * The tokens of an answer as the model's server reported them or, where it has not, an estimate. An answer in the expert's
 * own words has none: no model was asked.
 */
export function countTokens({ usage, author }: Ending): Tokens {
  if (!usage || author === "expert") return { input: 0, cached: 0, output: 0, reasoning: 0 };
  return {
    input: usage.freshInput + usage.cachedInput,
    cached: usage.cachedInput,
    output: usage.visibleOutput + usage.reasoning,
    reasoning: usage.reasoning,
  };
}
