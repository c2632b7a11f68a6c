import type { ModelRequest } from "./model_request.ts";

/** Characters of a token, in most languages and models, on average. */
const charactersOfToken = 4;

/** Estimates the tokens of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersOfToken);
}

/** Tokens that the form of a message takes, beside its text. */
const tokensOfMessage = 4;
/** Tokens of an image of usual size: servers count from 85 to about 1,500. */
const tokensOfImage = 1_000;

/** Estimates the tokens of everything that the model reads. */
export function estimateRequest({ instructions, history, quoted, input, tools = [] }: ModelRequest): number {
  let tokens = estimateTokens(instructions) + tokensOfMessage;
  for (const items of [history, quoted, input]) {
    for (const item of items) tokens += estimateItem(item) + tokensOfMessage;
  }
  for (const tool of tools) tokens += estimateTokens(JSON.stringify(tool));
  return tokens;
}

function estimateItem(item: ModelRequest["input"][number]): number {
  if ("output" in item) return estimateTokens(item.output);
  if ("arguments" in item) return estimateTokens(item.name) + estimateTokens(item.arguments);
  return typeof item.content === "string" ? estimateTokens(item.content) : item.content.length * tokensOfImage;
}
