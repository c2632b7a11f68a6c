import { fieldsOf, readJson } from "../base/fields_of.ts";
import type { ToolCall, Usage } from "./model_event.ts";

/** An object that a server has sent, and of which nothing is known yet. */
export type Fields = Record<string, unknown>;

/** Returns whether a text is one JSON object, whole. */
export function isObjectText(text: string): boolean {
  const value = readJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON that should be an object, or a list of one. @throws {SyntaxError} where it is none. */
export function parseObject(data: string): Fields {
  const parsed: unknown = JSON.parse(data);
  const value = Array.isArray(parsed) ? parsed[0] : parsed;
  if (typeof value !== "object" || value === null) throw new SyntaxError("An event of the model is not an object");
  return fieldsOf(value);
}

/** The text of a message. Cloudflare sends an object as it is where JSON was asked for. */
export function readContent(content: unknown): string {
  const isPlain = typeof content !== "object" || content === null || Array.isArray(content);
  return isPlain || "type" in content || "text" in content ? textOf(content) : JSON.stringify(content);
}

/** A text, or the texts among the parts of a message. Some servers send one part, or parts without a type. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("");
  const { type = "text", text, refusal } = fieldsOf(content);
  const said = type === "refusal" ? refusal : type === "text" || type === "output_text" ? text : "";
  return typeof said === "string" ? said : "";
}

/** The thoughts among the parts of a message, of Magistral and Databricks. */
export function thoughtOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const parts = content.map(fieldsOf).flatMap(({ thinking, summary }) => [thinking ?? summary ?? []].flat());
  return parts.map((part) => typeof part === "string" ? part : String(fieldsOf(part).text ?? "")).join("");
}

/** The arguments of a call, which some servers send as an object. */
export function writeArguments(sent: unknown): unknown {
  return typeof sent === "object" && sent !== null ? JSON.stringify(sent) : sent;
}

/** Returns whether a reply that ends for this reason is whole but for its length; many servers have their own word. */
export function isCutReason(reason: unknown): boolean {
  return /^(?:length|max_(?:output_|completion_)?tokens|max_length|token_limit|model_length|model_context_window_exceeded)$/i
    .test(String(reason));
}

/** Returns whether a value is a number of tokens that Postgres can hold. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** An id of the server: opaque, but short enough for an index of Postgres; null for anything else. */
export function readId(value: unknown): string | null {
  return typeof value === "string" && /^[!-~]{1,1000}$/.test(value) ? value : null;
}

/**
 * @param extra what came with the latest piece, to be given back with the call
 * @throws {RangeError} where a call is longer than any that a tool could take.
 */
export function requireShort({ id, name, arguments: written }: ToolCall, extra?: unknown): void {
  const length = id.length + name.length + written.length + (extra === undefined ? 0 : JSON.stringify(extra).length);
  if (length > 1024 * 1024) throw new RangeError("A call of the model is too long");
}

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
