import type { Ending } from "../../core/answers/answer.ts";
import { sizeOf } from "../../infra/llm/fit_request.ts";
import type { ModelRequest } from "../../infra/llm/model_request.ts";

/** Tokens read and written. */
export type Tokens = { input: number; output: number };

/** Characters of a token, in most languages and models, on average. */
const charactersOfToken = 4;

/**
 * The tokens of an answer as the model's server reported them or, where it has not, an estimate. An answer in the expert's
 * own words has none: no model was asked.
 *
 * @param request the request to the model; null if that is no longer known
 */
export function countTokens(
  { inputTokens, outputTokens, author }: Ending,
  request: ModelRequest | null,
  text: string,
): Tokens {
  if (author === "expert") return { input: 0, output: 0 };
  return {
    input: inputTokens ?? (request === null ? 0 : Math.ceil(sizeOf(request) / charactersOfToken)),
    output: outputTokens ?? Math.ceil(text.length / charactersOfToken),
  };
}
