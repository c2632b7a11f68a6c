import { classify, isOverflow, isSlip, isUnknownModel } from "./failure.ts";
import type { ReportedFailure } from "./model_event.ts";

/**
 * The parts of a request that some server refuses, and that an answer can do without. Where a refusal names several, the
 * first of this order goes: "reasoning models take no temperature" is about the temperature.
 */
export const parts = [
  "temperature",
  "reasoning",
  "verbosity",
  "response_format",
  "max_output_tokens",
  "safety_identifier",
  "prompt_cache_key",
  "stream_options",
  "stream",
  "store",
  "phase",
  "kept",
  "tool_choice",
  "tools",
  "system",
] as const;
export type Part = typeof parts[number];

/** The form of the assistant's messages: `{type: "message", content: "…"}`, with a list as content, or without type. */
export type ItemForm = "typed" | "listed" | "untyped";

/** The form in which a model takes its requests. */
export type Quirks = { readonly leftOut: ReadonlySet<Part>; readonly itemForm: ItemForm };

/** The form of the Responses API. */
export const noQuirks: Quirks = { leftOut: new Set(), itemForm: "typed" };

/** The names that servers have for the parts, in sentences and as a parameter. */
const names: Record<Part, string[]> = {
  temperature: ["temperature"],
  reasoning: ["reasoning", "reasoning_effort", "effort", "think", "thinking", "thinking_level", "thinking_budget"],
  verbosity: ["verbosity"],
  response_format: ["response_format", "json_schema", "json_object"],
  max_output_tokens: ["max_output_tokens", "max_completion_tokens", "max_tokens"],
  safety_identifier: ["safety_identifier"],
  prompt_cache_key: ["prompt_cache_key"],
  stream_options: ["stream_options", "include_usage"],
  stream: ["stream", "streaming"],
  store: ["store"],
  phase: ["phase"],
  kept: ["reasoning_content", "extra_content"],
  tool_choice: ["tool_choice"],
  tools: ["tools", "tool", "function", "functions"],
  system: ["system", "developer"],
};

/** The optional parts that were sent, and whether messages of the assistant were among the items. */
export type Sent = { parts: Part[]; hasAssistant: boolean };

/**
 * Reads from a refusal the quirks of a server that might take the request; null where no other form would help.
 *
 * @param tried the quirks with which this request was refused so far; the last have failed now
 */
export function adapt(
  failure: ReportedFailure,
  sent: Sent,
  tried: readonly Quirks[],
): { quirks: Quirks; change: string } | null {
  const { status, param, code } = failure;
  const kind = classify(failure);
  const last = tried.at(-1) ?? noQuirks;
  // In a stream there is no status. An error there is about the request only if it says so.
  const isAboutRequest = status === 400 || isAboutTemplate(failure) || status === 422 ||
    status === 404 && /that support/.test(failure.message) ||
    status === null && !failure.isUnreachable && (param !== null || /invalid|unsupported|unknown_param/i.test(code));
  if (!isAboutRequest || kind === "refused" || isSlip(failure) || isUnknownModel({ ...failure, message: "" })) {
    return null;
  }

  const message = withoutEcho(failure.message);
  const named = [...wordsOf(param ?? ""), ...(param === "text" ? ["verbosity"] : [])];
  // Sentences speak of systems for many reasons.
  const isAboutRole = /\brole|support|developer instruction/i.test(`${param} ${message}`);
  const isNamed = (words: string[]) => (part: Part) =>
    (part !== "system" || isAboutRole) && names[part].some((name) => words.includes(name));
  const part = sent.parts.find(isNamed(named)) ??
    (isOverflow({ ...failure, message: "" }) ? undefined : sent.parts.find(isNamed(wordsOf(message))));
  if (part !== undefined) {
    return { quirks: { ...last, leftOut: new Set([...last.leftOut, part]) }, change: part };
  }

  if (
    !sent.hasAssistant || kind !== "unavailable" || !/type|item|input|message|content|role/i.test(`${param} ${message}`)
  ) {
    return null;
  }
  const forms: ItemForm[] = message.includes("output_text") ? ["listed", "untyped"] : ["untyped", "listed"];
  const itemForm = forms.find((form) => !tried.some((quirks) => quirks.itemForm === form));
  return itemForm ? { quirks: { ...last, itemForm }, change: itemForm === "untyped" ? "type" : "content" } : null;
}

/** Returns whether this is llama.cpp without a template for tools or instructions, by a status of its own. */
function isAboutTemplate({ status, message }: ReportedFailure): boolean {
  return status === 500 && /\btools param requires\b|\bparam: tools\b|\bsystem role not supported\b/i.test(message);
}

/** The words of a text, `reasoningEffort` as `reasoning_effort`. */
function wordsOf(text: string): string[] {
  return text.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/\W+/);
}

/** Up to where a server begins to repeat what it was sent, which may hold any word. */
function withoutEcho(message: string): string {
  return message.slice(0, 2_000).split(/['"]?\binput(?:_value)?['"]?\s*[:=]\s*[[{'"]/)[0] ?? "";
}
