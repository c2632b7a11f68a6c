import { createParser } from "eventsource-parser";
import { createTextCleaner } from "./clean_text.ts";

/** What a turn needs to know of a streamed response. Times, items, parts and the rest are not even parsed. */
export type ModelEvent =
  | { type: "created"; responseId: string }
  | { type: "text"; text: string }
  | { type: "ended"; usage: Usage | null }
  | { type: "failed"; reason: string };

/** Tokens read and written. */
export type Usage = { inputTokens: number; outputTokens: number };

type Payload = {
  delta?: unknown;
  code?: unknown;
  error?: { code?: unknown } | null;
  response?: {
    id?: unknown;
    error?: { code?: unknown } | null;
    usage?: { input_tokens?: unknown; output_tokens?: unknown } | null;
  };
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
      // A reply that ran into its token limit is a whole reply.
      case "response.completed":
      case "response.incomplete":
        return addEnd(JSON.parse(data));
      case "response.failed":
      case "error":
        return addFailure(JSON.parse(data));
    }
  }
  function addCreated({ response }: Payload) {
    if (typeof response?.id === "string") events.push({ type: "created", responseId: response.id });
  }
  function addText(delta: unknown) {
    if (typeof delta !== "string") throw new SyntaxError("A text event of the model holds no text");
    const text = clean(delta);
    if (text !== "") events.push({ type: "text", text });
  }
  function addEnd({ response }: Payload) {
    const rest = clean();
    if (rest !== "") events.push({ type: "text", text: rest });
    const { input_tokens: inputTokens, output_tokens: outputTokens } = response?.usage ?? {};
    const isCounted = typeof inputTokens === "number" && typeof outputTokens === "number";
    events.push({ type: "ended", usage: isCounted ? { inputTokens, outputTokens } : null });
  }
  function addFailure({ code, error, response }: Payload) {
    // Errors come with their code beside the type and, from some servers, one level down.
    const reason = response?.error?.code ?? error?.code ?? code;
    events.push({ type: "failed", reason: typeof reason === "string" ? reason : "unknown" });
  }

  return (bytes) => {
    events = [];
    parser.feed(decoder.decode(bytes, { stream: true }));
    return events;
  };
}
