import type OpenAI from "openai";

export type ResponseRequest = OpenAI.Responses.ResponseCreateParams;
/** Tokens read and written, as the wire spells them, and the parts of them that are cached or thoughts. */
export type ResponseUsage = { input_tokens: number; output_tokens: number; cached?: number; reasoning?: number };
export type StreamEvent = { type: string; [field: string]: unknown };
/** A function that the model calls. Arguments that are not a string are sent as JSON. */
export type FunctionCall = { id: string; name: string; arguments: unknown };

/** The fields of a request that a response repeats. */
type RepeatedFields = Pick<ResponseRequest, "model" | "instructions" | "temperature">;
type OutputItem =
  | OpenAI.Responses.ResponseOutputMessage
  | OpenAI.Responses.ResponseReasoningItem
  | OpenAI.Responses.ResponseFunctionToolCall;
/** The IDs that some models give their messages. */
export type MessagePhase = "commentary" | "final_answer";

/** The default usage of a response. */
export const defaultUsage: ResponseUsage = { input_tokens: 11, output_tokens: 7 };

/** The fields that are the same in all responses. */
const sameFields = {
  object: "response",
  background: false,
  access_programs: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: true,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: "auto",
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  incomplete_details: null,
} as const;

/** A response object in the form of the real API. */
export function describeResponse(
  request: RepeatedFields,
  { id, status, output, usage = defaultUsage }: {
    id: string;
    status: "completed" | "failed" | "in_progress" | "cancelled";
    output: OutputItem[];
    usage?: ResponseUsage;
  },
): Omit<OpenAI.Responses.Response, "output_text" | "usage"> & { usage: OpenAI.Responses.ResponseUsage | null } {
  return {
    ...sameFields,
    id,
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: status === "failed" ? { code: "server_error", message: "Scripted failure" } : null,
    instructions: request.instructions ?? null,
    model: request.model ?? "none",
    output: [...output],
    temperature: request.temperature ?? 1,
    tools: [],
    usage: status === "in_progress" ? null : describeUsage(usage),
  };
}

function describeUsage({ input_tokens, output_tokens, cached = 0, reasoning = 0 }: ResponseUsage) {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input_tokens + output_tokens,
  };
}

/** A whole text, as an item of a response's output. */
export function describeMessage(
  text: string,
  { id = newId("msg"), phase }: { id?: string; phase?: MessagePhase } = {},
): OpenAI.Responses.ResponseOutputMessage {
  const named = phase === undefined ? {} : { phase };
  return { id, type: "message", role: "assistant", status: "completed", content: [partOf(text)], ...named };
}

/** A refusal of the model, as an item of a response's output. */
export function describeRefusal(refusal: string): OpenAI.Responses.ResponseOutputMessage {
  return { ...describeMessage(""), content: [{ type: "refusal", refusal }] };
}

/** Writes the events of one stream, numbered. */
export function createEventFormatter(): (event: StreamEvent) => string {
  let sequence = 0;
  return (event) => `event: ${event.type}\ndata: ${JSON.stringify({ sequence_number: sequence++, ...event })}\n\n`;
}

/** Makes the events of one streamed response, in the order of the real API. */
export function createResponseEvents(request: RepeatedFields, id: string) {
  const output: OutputItem[] = [];
  /** The message being written. A call or the end completes it. */
  let message: { id: string; text: string; phase?: MessagePhase } | null = null;

  function placeOf(itemId: string) {
    return { item_id: itemId, output_index: output.length };
  }
  function addItem(item: object): StreamEvent {
    return { type: "response.output_item.added", output_index: output.length, item };
  }
  function completeItem(item: OutputItem): StreamEvent {
    return { type: "response.output_item.done", output_index: output.push(item) - 1, item };
  }
  function openMessage(named: { id: string; phase?: MessagePhase }): StreamEvent[] {
    return [
      addItem({ ...describeMessage("", named), status: "in_progress", content: [] }),
      { type: "response.content_part.added", ...placeOf(named.id), content_index: 0, part: partOf("") },
    ];
  }
  function completeMessage(): StreamEvent[] {
    if (message === null) return [];
    const { text, ...named } = message;
    message = null;
    const place = { ...placeOf(named.id), content_index: 0 };
    return [
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part: partOf(text) },
      completeItem(describeMessage(text, named)),
    ];
  }

  return {
    begin(): StreamEvent[] {
      const response = describeResponse(request, { id, status: "in_progress", output });
      return [{ type: "response.created", response }, { type: "response.in_progress", response }];
    },
    /** A separate message, which further texts continue. */
    addMessage(text: string, phase?: MessagePhase): StreamEvent[] {
      const ended = completeMessage();
      message = { id: newId("msg"), text: "", phase };
      return [...ended, ...openMessage(message), ...this.addText(text)];
    },
    addReasoning(text: string): StreamEvent[] {
      const ended = completeMessage();
      const part = { type: "summary_text", text } as const;
      const item = { id: newId("rs"), type: "reasoning" } as const;
      const place = { ...placeOf(item.id), summary_index: 0 };
      return [
        ...ended,
        addItem({ ...item, summary: [] }),
        { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
        { type: "response.reasoning_summary_text.delta", ...place, delta: text },
        { type: "response.reasoning_summary_text.done", ...place, text },
        { type: "response.reasoning_summary_part.done", ...place, part },
        completeItem({ ...item, summary: [part] }),
      ];
    },
    addText(delta: string): StreamEvent[] {
      const isNew = message === null;
      message ??= { id: newId("msg"), text: "" };
      message.text += delta;
      const place = { ...placeOf(message.id), content_index: 0 };
      return [
        ...isNew ? openMessage(message) : [],
        { type: "response.output_text.delta", ...place, delta, logprobs: [], obfuscation: "k3Xw9bQ1zR" },
      ];
    },
    addCall(call: FunctionCall): StreamEvent[] {
      const written = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
      const item = { id: newId("fc"), type: "function_call", call_id: call.id, name: call.name } as const;
      return [
        ...completeMessage(),
        addItem({ ...item, status: "in_progress", arguments: "" }),
        { type: "response.function_call_arguments.delta", ...placeOf(item.id), delta: written },
        { type: "response.function_call_arguments.done", ...placeOf(item.id), arguments: written },
        completeItem({ ...item, status: "completed", arguments: written }),
      ];
    },
    complete(usage?: ResponseUsage): StreamEvent[] {
      return [...completeMessage(), { type: "response.completed", response: this.describe(usage) }];
    },
    /** The response object, as it is when no message is open. */
    describe(usage?: ResponseUsage) {
      return describeResponse(request, { id, status: "completed", output, usage });
    },
  };
}

/** An id in the form of the real API's. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

function partOf(text: string): OpenAI.Responses.ResponseOutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
