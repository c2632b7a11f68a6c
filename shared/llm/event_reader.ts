import { createParser } from "eventsource-parser";
import { createTextCleaner } from "../text/clean_text.ts";

/** What a turn needs to know of a streamed response. Times, items, parts and the rest are not even parsed. */
export type ModelEvent =
  | { type: "created"; responseId: string }
  | { type: "text"; text: string }
  /** Arguments of a call are arriving: a sign of life, no more. */
  | { type: "calling" }
  | { type: "call"; call: ToolCall }
  | { type: "ended"; usage: Usage | null }
  | { type: "failed"; reason: string };

/** A function that the model calls. Nothing is known of the arguments but that they are a text, meant as JSON. */
export type ToolCall = { id: string; name: string; arguments: string };

/** Tokens read and written. */
export type Usage = { inputTokens: number; outputTokens: number };

/** The parts of a response object that matter; nothing of it is taken on trust. */
type ResponsePart = {
  id?: unknown;
  error?: { code?: unknown } | null;
  incomplete_details?: { reason?: unknown } | null;
  usage?: { input_tokens?: unknown; output_tokens?: unknown } | null;
};

type CallItem = { type?: unknown; call_id?: unknown; name?: unknown; arguments?: unknown };

type Payload = {
  delta?: unknown;
  code?: unknown;
  error?: { code?: unknown } | null;
  item?: CallItem;
  response?: ResponsePart;
};

/**
 * Reads the event stream of the Responses API: bytes in, events out, in whatever pieces the network delivers.
 * Format: https://platform.openai.com/docs/api-reference/responses-streaming
 * An event that matters and cannot be read counts as a failure.
 */
export function createEventReader(): (bytes: Uint8Array) => ModelEvent[] {
  let events: ModelEvent[] = [];
  const decoder = new TextDecoder();
  const clean = createTextCleaner();
  const parser = createParser({
    onEvent({ event, data }) {
      try {
        readEvent(event, data);
      } catch {
        events.push({ type: "failed", reason: "malformed_event" });
      }
    },
  });

  function readEvent(event: string | undefined, data: string) {
    // Servers that leave the event line out have the type in the data, which then must be parsed to see it.
    const type = event ?? (data.startsWith("{") ? (JSON.parse(data) as { type?: unknown }).type : undefined);
    switch (type) {
      case "response.created":
        return addCreated(JSON.parse(data));
      case "response.output_text.delta":
      case "response.refusal.delta":
        return addText((JSON.parse(data) as Payload).delta);
      case "response.function_call_arguments.delta":
        return void events.push({ type: "calling" });
      case "response.output_item.done":
        // A text comes again here, as a whole; it is not parsed a second time.
        return data.includes('"function_call"') ? addCall(JSON.parse(data)) : undefined;
      case "response.completed":
      case "response.incomplete":
        return addEnd(type, JSON.parse(data));
      case "response.failed":
      case "error":
        return addFailure(JSON.parse(data));
    }
  }
  function addCreated({ response }: Payload) {
    const responseId = readName(response?.id);
    if (responseId !== null) events.push({ type: "created", responseId });
  }
  function addText(delta: unknown) {
    if (typeof delta !== "string") throw new SyntaxError("A text event of the model holds no text");
    const text = clean(delta);
    if (text !== "") events.push({ type: "text", text });
  }
  function addCall({ item }: Payload) {
    if (item?.type !== "function_call") return;
    const { call_id: id, name, arguments: written } = item;
    if (typeof id !== "string" || typeof name !== "string" || typeof written !== "string") {
      throw new SyntaxError("A call of the model lacks its id, name or arguments");
    }
    events.push({ type: "call", call: { id, name, arguments: written } });
  }
  function addEnd(type: string, { response }: Payload) {
    const rest = clean();
    if (rest !== "") events.push({ type: "text", text: rest });
    if (type === "response.completed" || isCutAtTokenLimit(response)) {
      events.push({ type: "ended", usage: readUsage(response) });
    } else {
      events.push({ type: "failed", reason: readName(response?.incomplete_details?.reason) ?? "incomplete" });
    }
  }
  function addFailure({ code, error, response }: Payload) {
    // Errors come with their code beside the type and, from some servers, one level down.
    events.push({ type: "failed", reason: readName(response?.error?.code ?? error?.code ?? code) ?? "unknown" });
  }

  return (bytes) => {
    events = [];
    parser.feed(decoder.decode(bytes, { stream: true }));
    return events;
  };
}

/** A reply that ran into its own token limit is a whole reply; one that was cut for another reason is not. */
export function isCutAtTokenLimit(response: ResponsePart | undefined): boolean {
  return response?.incomplete_details?.reason === "max_output_tokens";
}

/** Token counts of a response, or null where they are not whole numbers that Postgres can hold. */
export function readUsage(response: ResponsePart | undefined): Usage | null {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = response?.usage ?? {};
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : null;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** An id or code that can be stored and logged. */
function readName(value: unknown): string | null {
  return typeof value === "string" && /^[\w.:-]{1,200}$/.test(value) ? value : null;
}
