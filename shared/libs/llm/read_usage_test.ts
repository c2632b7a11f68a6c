import type { Usage } from "./model_event.ts";
import { readUsage } from "./read_fields.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

/** Fresh and cached input, visible output and reasoning; null for no report. */
type Counts = [freshInput: number, cachedInput: number, visibleOutput: number, reasoning: number] | null;

const cases: Record<string, [reported: unknown, counts: Counts]> = {
  "the Responses API": [{
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 20 },
    total_tokens: 130,
  }, [40, 60, 10, 20]],
  "chat completions": [{
    prompt_tokens: 100,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens: 30,
    completion_tokens_details: { reasoning_tokens: 20 },
    total_tokens: 130,
  }, [40, 60, 10, 20]],
  "DeepSeek's name for cached input": [
    { prompt_tokens: 100, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36, completion_tokens: 5 },
    [36, 64, 5, 0],
  ],
  "Moonshot's name for cached input": [
    { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cached_tokens: 64 },
    [36, 64, 5, 0],
  ],
  "no parts": [{ input_tokens: 7, output_tokens: 3 }, [7, 0, 3, 0]],
  "parts that are null": [
    { prompt_tokens: 7, prompt_tokens_details: null, completion_tokens: 3, completion_tokens_details: null },
    [7, 0, 3, 0],
  ],
  "reasoning beside the output, as xAI counts it": [{
    prompt_tokens: 32,
    completion_tokens: 9,
    completion_tokens_details: { reasoning_tokens: 110 },
    total_tokens: 151,
  }, [32, 0, 9, 110]],
  "reasoning in the total alone, as Gemini counts it": [
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 },
    [10, 0, 5, 100],
  ],
  "a total that is too small changes nothing": [{ input_tokens: 7, output_tokens: 3, total_tokens: 1 }, [7, 0, 3, 0]],
  "all of the input cached, all of the output thoughts": [{
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 7 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 3 },
  }, [0, 7, 0, 3]],
  "more cached than read": [{ input_tokens: 7, input_tokens_details: { cached_tokens: 8 }, output_tokens: 3 }, [
    7,
    0,
    3,
    0,
  ]],
  "more thoughts than output": [
    { input_tokens: 7, output_tokens: 3, output_tokens_details: { reasoning_tokens: 4 } },
    [7, 0, 3, 0],
  ],
  "negative parts": [{
    input_tokens: 7,
    input_tokens_details: { cached_tokens: -8 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: -4 },
  }, [7, 0, 3, 0]],
  "parts that are texts": [{ input_tokens: 7, input_tokens_details: { cached_tokens: "7" }, output_tokens: 3 }, [
    7,
    0,
    3,
    0,
  ]],
  "negative counts": [{ input_tokens: -7, output_tokens: 3 }, null],
  "counts that are texts": [{ input_tokens: "7", output_tokens: "3" }, null],
  "counts that are not whole": [{ input_tokens: 1.5, output_tokens: 3 }, null],
  "a count that Postgres cannot hold": [{ input_tokens: 1, output_tokens: 3e9 }, null],
  "no input, which no request has": [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null],
  "half a report": [{ input_tokens: 7 }, null],
  "null": [null, null],
  "a text": ["many", null],
};

Deno.test("what a server reports becomes four counts that do not overlap", async (t) => {
  for (const [name, [reported, counts]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(readUsage(reported), counts && toUsage(counts)));
  }
});

function toUsage([freshInput, cachedInput, visibleOutput, reasoning]: NonNullable<Counts>): Usage {
  return { freshInput, cachedInput, visibleOutput, reasoning };
}
