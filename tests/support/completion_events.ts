import { defaultUsage, type FunctionCall, type ResponseUsage, type StreamEvent } from "./response_events.ts";

/** The model's text as events of the chat-completions API. */
type Delta = Record<string, unknown>;

/**
 * Makes the chunks of one streamed chat completion, with the methods of `createResponseEvents`. The API has no phases
 * and only one message, so all texts become one.
 */
export function createCompletionEvents(request: { model?: string }, id: string) {
  const created = Math.floor(Date.now() / 1000);
  let text = "";
  const calls: object[] = [];

  function chunk(delta: Delta, fields: object = {}): StreamEvent {
    return { ...head("chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: null, ...fields }] };
  }
  function head(object: string) {
    // Chunks have no type; `StreamEvent` wants one.
    return { id, object, created, model: request.model ?? "none" } as unknown as StreamEvent;
  }
  function finishReason() {
    return calls.length > 0 ? "tool_calls" : "stop";
  }

  const events = {
    begin: () => [chunk({ role: "assistant", content: "" })],
    addText(content: string): StreamEvent[] {
      text += content;
      return [chunk({ content })];
    },
    addMessage: (content: string) => events.addText(content),
    addReasoning: (reasoning_content: string) => [chunk({ reasoning_content })],
    /** The arguments come in two pieces. */
    addCall({ id, name, arguments: given }: FunctionCall): StreamEvent[] {
      const written = typeof given === "string" ? given : JSON.stringify(given);
      const [begin, end] = [written.slice(0, 5), written.slice(5)];
      const index = calls.push({ id, type: "function", function: { name, arguments: written } }) - 1;
      return [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: begin } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: end } }] }),
      ];
    },
    complete(usage?: ResponseUsage): StreamEvent[] {
      return [
        chunk({}, { finish_reason: finishReason() }),
        { ...head("chat.completion.chunk"), choices: [], usage: describeUsage(usage) },
      ];
    },
    /** The completion, as it is without a stream. */
    describe: (usage?: ResponseUsage) => ({
      ...head("chat.completion"),
      choices: [{
        index: 0,
        message: { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
        finish_reason: finishReason(),
      }],
      usage: describeUsage(usage),
    }),
  };
  return events;
}

/** Writes a chunk of a stream. The last one is followed by `[DONE]`. */
export function formatChunk(chunk: StreamEvent): string {
  const line = `data: ${JSON.stringify(chunk)}\n\n`;
  return "usage" in chunk ? `${line}data: [DONE]\n\n` : line;
}

function describeUsage({ input_tokens, output_tokens, cached, reasoning }: ResponseUsage = defaultUsage) {
  return {
    prompt_tokens: input_tokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    completion_tokens: output_tokens,
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    total_tokens: input_tokens + output_tokens,
  };
}
