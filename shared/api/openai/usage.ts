import type { Ending } from "../../core/answers/answer.ts";

/** Tokens read and written. */
export type Tokens = { input: number; output: number };

/** Characters of a token, in most languages and models, on average. */
const charactersOfToken = 4;

/**
 * The tokens of an answer as the model's server reported them or, where it has not, an estimate. An answer in the expert's
 * own words has none: no model was asked.
 */
export function countTokens(
  { inputTokens, outputTokens, author }: Ending,
  inputCharacters: number,
  text: string,
): Tokens {
  if (author === "expert") return { input: 0, output: 0 };
  return {
    input: inputTokens ?? Math.ceil(inputCharacters / charactersOfToken),
    output: outputTokens ?? Math.ceil(text.length / charactersOfToken),
  };
}
