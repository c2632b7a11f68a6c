import { fieldsOf } from "../base/fields_of.ts";
import type { Usage } from "./model_event.ts";
import { isCount } from "./read_fields.ts";

/**
 * The tokens that a server reports, in the words of either API; null if it reports none, or counts that cannot be true.
 * A part that is larger than the whole is left out, so that nothing becomes cheaper by a wrong report.
 */
export function readUsage(reported: unknown): Usage | null {
  const counts = fieldsOf(reported);
  const input = counts.input_tokens ?? counts.prompt_tokens;
  const output = counts.output_tokens ?? counts.completion_tokens;
  // Every request has some input: a server that reports none does not count.
  if (!isCount(input) || !isCount(output) || input === 0) return null;
  const ofInput = fieldsOf(counts.input_tokens_details ?? counts.prompt_tokens_details);
  const ofOutput = fieldsOf(counts.output_tokens_details ?? counts.completion_tokens_details);
  const cached = readPart(ofInput.cached_tokens ?? counts.prompt_cache_hit_tokens ?? counts.cached_tokens, input);
  const beside = isCount(counts.total_tokens) ? counts.total_tokens - input - output : 0;
  // xAI and Gemini count thoughts in the total, but not in the output.
  const reasoning = beside > 0 ? beside : readPart(ofOutput.reasoning_tokens, output);
  return {
    freshInput: input - cached,
    cachedInput: cached,
    visibleOutput: beside > 0 ? output : output - reasoning,
    reasoning,
  };
}

function readPart(part: unknown, whole: number): number {
  return isCount(part) && part <= whole ? part : 0;
}
