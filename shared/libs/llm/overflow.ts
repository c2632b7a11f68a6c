import type { ReportedFailure } from "./model_event.ts";

/** A server's sign that the input is too long for its model: a code, or words of its message. */
type Wording = { said: RegExp; by: string };

/** Codes and types of errors, and who sends them. */
const codes: Wording[] = [
  { said: /context_(?:length|window|size)/i, by: "OpenAI, Azure, Groq, Zhipu, Fireworks" },
  { said: /exceed_context/i, by: "llama.cpp" },
  { said: /(?:prompt|input|request)_too_long/i, by: "Anthropic's gateways" },
  { said: /too_many_(?:prompt|input|context)_tokens/i, by: "Perplexity" },
];

/** Words of messages, and who writes them. */
const wordings: Wording[] = [
  { said: /context.?(?:length|window|size|limit)/i, by: "OpenAI, vLLM, LiteLLM, LM Studio, MiniMax, OpenRouter" },
  { said: /maximum (?:context|model|prompt|input)|max_seq_len/i, by: "xAI, Mistral, vLLM, SiliconFlow" },
  { said: /model token limit/i, by: "Moonshot" },
  { said: /range of input length/i, by: "DashScope" },
  { said: /prompt exceeds/i, by: "Zhipu" },
  { said: /max_new_tokens\W+must be/i, by: "Hugging Face, Together" },
  { said: /at least 1, got -\d/i, by: "older vLLM: what is left for the answer" },
  {
    said: /(?:prompt|input|request|messages?)\b.{0,40}\b(?:is|are) too (?:long|large)/i,
    by: "Anthropic, Perplexity, Bedrock",
  },
  { said: /(?:prompt|request|input) too (?:long|large)/i, by: "Ollama, OpenAI's limit of a minute" },
  { said: /reduce the (?:length|number) of (?:the |your )?(?:messages?|prompt|input|tokens)/i, by: "Groq, OpenAI" },
  // Bedrock's "Too many tokens, please wait" is a limit of a minute.
  { said: /too many (?:input |prompt )?tokens(?!,? (?:per|please wait))/i, by: "Cohere, Bedrock" },
  { said: /must have less than \d+ tokens/i, by: "TGI" },
  { said: /max tokens of \d+ exceeded/i, by: "Snowflake" },
  { said: /(?:input|prompt)s? tokens? (?:count )?exceed/i, by: "Perplexity" },
  { said: /tokens? (?:count )?\S+ exceeds|exceeds the maximum number of tokens/i, by: "Gemini, Copilot" },
  { said: /longer than the (?:maximum|model)/i, by: "vLLM, SGLang" },
];

/** Two amounts of tokens, the one that was sent and the one that is allowed: `213462 tokens > 200000 maximum`. */
const amount = /\d[\d,_.]*\d/g;
const isAboutInput = /token|prompt|input|message|sequence/i;
const isLimit = /exceed|maximum|limit|at most|allow|>|<=|must be|up to|only|larger than|greater than|more than/i;
/** A limit of the answer, or of a time, which a shorter input does not meet. */
const isOtherLimit =
  /max_(?:completion_|output_)?tokens|completion tokens|output|per (?:min|hour|day)|\bTP[MD]\b|rate.?limit/i;

/** The smallest context of a model in use, in tokens: smaller numbers mean something else. */
const smallestContext = 512;

/** Returns whether a failure says that the input is too long for the model. */
export function isOverflow({ status, code, message }: Pick<ReportedFailure, "status" | "code" | "message">): boolean {
  if (status === 413 || codes.some(({ said }) => said.test(code))) return true;
  const isPossible = status === null || status === 400 || status === 422 || status === 429;
  const text = message.slice(0, 1_000);
  return isPossible && (wordings.some(({ said }) => said.test(text)) || status !== 429 && comparesAmounts(text));
}

function comparesAmounts(text: string): boolean {
  if (!isAboutInput.test(text) || !isLimit.test(text) || isOtherLimit.test(text)) return false;
  const amounts = (text.match(amount) ?? []).map((written) => Number(written.replace(/[,_.]/g, "")));
  return new Set(amounts.filter((tokens) => tokens >= smallestContext)).size >= 2;
}
