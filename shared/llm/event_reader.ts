import { createParser } from "eventsource-parser";
import { fieldsOf } from "../fields_of.ts";
import { createTextCleaner } from "../text/clean_text.ts";

/** What a turn needs to know of a streamed response. All other events are not even parsed. */
export type ModelEvent =
  | { type: "created"; responseId: string }
  | { type: "text"; text: string }
  /** Arguments of a call are arriving: no more than a sign of life. */
  | { type: "calling" }
  | { type: "call"; call: ToolCall }
  | { type: "ended"; usage: Usage | null }
  | { type: "failed"; reason: string };

/** A function that the model calls. The arguments are meant to be JSON, but may be any text. */
export type ToolCall = { id: string; name: string; arguments: string };

/** Tokens read and written. */
export type Usage = { inputTokens: number; outputTokens: number };

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
    // Some servers leave the event line out: the type is then in the data, which must be parsed to see it.
    const type = event ?? (data.startsWith("{") ? parse(data).type : undefined);
    switch (type) {
      case "response.created":
        return addCreated(parse(data));
      case "response.output_text.delta":
      case "response.refusal.delta":
        return addText(parse(data));
      case "response.function_call_arguments.delta":
        return void events.push({ type: "calling" });
      case "response.output_item.done":
        // A whole text, whose deltas have been read, is not parsed a second time.
        return data.includes('"function_call"') ? addCall(parse(data)) : undefined;
      case "response.completed":
      case "response.incomplete":
        return addEnd(type, parse(data));
      case "response.failed":
      case "error":
        return addFailure(parse(data));
    }
  }
  function addCreated({ response }: Fields) {
    const responseId = readName(fieldsOf(response).id);
    if (responseId !== null) events.push({ type: "created", responseId });
  }
  function addText({ delta }: Fields) {
    if (typeof delta !== "string") throw new SyntaxError("A text event of the model holds no text");
    const text = clean(delta);
    if (text !== "") events.push({ type: "text", text });
  }
  function addCall({ item }: Fields) {
    const { type, call_id: id, name, arguments: written } = fieldsOf(item);
    if (type !== "function_call") return;
    if (typeof id !== "string" || typeof name !== "string" || typeof written !== "string") {
      throw new SyntaxError("A call of the model lacks its id, name or arguments");
    }
    events.push({ type: "call", call: { id, name, arguments: written } });
  }
  function addEnd(type: string, { response }: Fields) {
    const rest = clean();
    if (rest !== "") events.push({ type: "text", text: rest });
    if (type === "response.completed" || isCutAtTokenLimit(response)) {
      events.push({ type: "ended", usage: readUsage(response) });
    } else {
      events.push({ type: "failed", reason: readName(cutReasonOf(response)) ?? "incomplete" });
    }
  }
  function addFailure({ code, error, response }: Fields) {
    // The code of an error is beside the type or, with some servers, one level down.
    const reason = fieldsOf(fieldsOf(response).error).code ?? fieldsOf(error).code ?? code;
    events.push({ type: "failed", reason: readName(reason) ?? "unknown" });
  }

  return (bytes) => {
    events = [];
    parser.feed(decoder.decode(bytes, { stream: true }));
    return events;
  };
}

/** Whether a reply ran into its token limit. It counts as a whole reply; one that was cut for another reason does not. */
export function isCutAtTokenLimit(response: unknown): boolean {
  return cutReasonOf(response) === "max_output_tokens";
}

/** Token counts of a response, or null where they are not whole numbers that Postgres can hold. */
export function readUsage(response: unknown): Usage | null {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = fieldsOf(fieldsOf(response).usage);
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : null;
}

type Fields = Record<string, unknown>;

/** The fields of an event, of which nothing is known yet. @throws {SyntaxError} where it is not a JSON object. */
function parse(data: string): Fields {
  const event: unknown = JSON.parse(data);
  if (typeof event !== "object" || event === null) throw new SyntaxError("An event of the model is not an object");
  return fieldsOf(event);
}

function cutReasonOf(response: unknown): unknown {
  return fieldsOf(fieldsOf(response).incomplete_details).reason;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** An id or code that can be stored and logged. */
function readName(value: unknown): string | null {
  return typeof value === "string" && /^[\w.:-]{1,200}$/.test(value) ? value : null;
}
