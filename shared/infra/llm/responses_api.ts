import type OpenAI from "openai";
import { readPhase } from "./phase.ts";
import { fieldsOf } from "../../base/fields_of.ts";
import { createTextCleaner } from "../../base/text/clean_text.ts";
import { failWith, readReport } from "./failure.ts";
import { type ItemForm, type Part, parts } from "./manner.ts";
import type { AskedModel, ModelApi, ReplyReader } from "./model_api.ts";
import type { ModelEvent, Usage } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";
import { type Fields, isCount, parseObject, readId, requireShort } from "./read_fields.ts";

type Body = OpenAI.Responses.ResponseCreateParams;
type Item = OpenAI.Responses.ResponseInputItem;

/** The Responses API: https://platform.openai.com/docs/api-reference/responses */
export const responsesApi: ModelApi = {
  path: "/responses",
  writeBody,
  describe(asked) {
    const body = writeBody(asked);
    const items = [...asked.request.history, ...asked.request.input];
    const hasPhase = !asked.manner.leftOut.has("phase") && items.some((item) => "phase" in item && item.phase);
    return {
      parts: parts.filter((part) => part === "phase" ? hasPhase : body[fieldOf[part]] !== undefined),
      hasAssistant: items.some((item) => "role" in item && item.role === "assistant"),
    };
  },
  createReader: createResponsesReader,
};

/** The fields of the body that hold the optional parts; phases are within the items. */
const fieldOf: Record<Exclude<Part, "phase">, keyof Body> = {
  temperature: "temperature",
  reasoning: "reasoning",
  verbosity: "text",
  max_output_tokens: "max_output_tokens",
  safety_identifier: "safety_identifier",
  prompt_cache_key: "prompt_cache_key",
  stream_options: "stream_options",
  stream: "stream",
  store: "store",
  tool_choice: "tool_choice",
  tools: "tools",
};

function writeBody({ request, model, manner: { leftOut, itemForm } }: AskedModel): Body {
  const { temperature, reasoningEffort, verbosity, maxOutputTokens, store } = request.settings;
  const withPhases = !leftOut.has("phase");
  const body: Body = {
    model,
    instructions: request.instructions,
    input: [...request.history, ...request.quoted, ...request.input].map((item) =>
      writeItem(item, itemForm, withPhases)
    ),
    stream: true,
    temperature: temperature ?? undefined,
    reasoning: reasoningEffort === null ? undefined : { effort: reasoningEffort },
    text: verbosity === null ? undefined : { verbosity },
    max_output_tokens: maxOutputTokens ?? undefined,
    store: store ?? undefined,
    safety_identifier: request.userHash,
    prompt_cache_key: request.cacheKey,
    tools: request.tools,
    tool_choice: request.toolChoice,
  };
  for (const part of leftOut) if (part !== "phase") delete body[fieldOf[part]];
  if (leftOut.has("tools")) delete body.tool_choice;
  return body;
}

function writeItem(item: ModelRequest["input"][number], form: ItemForm, withPhases: boolean): Item {
  if ("type" in item) return item;
  if (typeof item.content !== "string") {
    const content = item.content.map(({ imageUrl }) => ({
      type: "input_image" as const,
      detail: "auto" as const,
      image_url: imageUrl,
    }));
    return { role: "user", content };
  }
  if (item.role !== "assistant") return { role: item.role, content: item.content };
  const { content } = item;
  const phase = withPhases && item.phase ? { phase: item.phase } : {};
  if (form === "untyped") return { role: "assistant", content, ...phase };
  if (form === "typed") return { type: "message", role: "assistant", content, ...phase };
  // Servers that read this form want no id or status; the type of the client insists on both.
  const listed = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: content, annotations: [] }],
  };
  return { ...listed, ...phase } as unknown as Item;
}

/**
 * Reads replies. Servers differ in their endings: one event at the end with any of four names, or none at all; texts in
 * pieces, or whole at one of three places. A text counts once, where it is first met.
 */
function createResponsesReader(emit: (event: ModelEvent) => void): ReplyReader {
  const clean = createTextCleaner();
  /** Items that have begun and have not ended. */
  let openItems = 0;
  /** Whether items are announced: then ids are not needed to tell messages apart. Some gateways change them each time. */
  let hasItems = false;
  /** Where the messages stand of which some text has been read. */
  const known = new Set<unknown>();
  let isCut = false;
  let isCreated = false;
  let isOver = false;
  let hasAnswer = false;
  let hasCall = false;
  /** The message whose text is being read: where it stands, and its phase. */
  let message: { key: unknown; phase: ReturnType<typeof readPhase>; isTold: boolean } = newMessage();
  let hasText = false;
  /** Whether pieces of a text have come, but not yet its end. */
  let isTextOpen = false;

  function newMessage(phase: unknown = null) {
    return { key: undefined, phase: readPhase(phase), isTold: false };
  }

  function readEvent(name: string | undefined, data: string): void {
    if (data === "[DONE]") return readEnd();
    // Some servers leave the name out, or send a general one. The type is then in the data.
    const isNamed = name?.startsWith("response.") || name === "error";
    const event = isNamed || !data.startsWith("{") ? undefined : parseObject(data);
    const type = isNamed ? name : event?.type;
    switch (type) {
      case "response.created":
        return addCreated(fieldsOf((event ?? parseObject(data)).response));
      case "response.output_item.added":
        return beginItem(fieldsOf((event ?? parseObject(data)).item));
      case "response.output_text.delta":
      case "response.refusal.delta":
        return addDelta(event ?? parseObject(data));
      case "response.output_text.done":
      case "response.refusal.done":
        return endText(event, data, ({ text, refusal }) => text ?? refusal);
      case "response.content_part.done":
        return endText(event, data, ({ part }) => textOf(part));
      case "response.output_item.done":
        return endItem(event, data);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
      case "response.done":
        return endReply(fieldsOf((event ?? parseObject(data)).response), type.slice("response.".length));
      case "error":
      case "response.error":
        return addFailure(event ?? (data.startsWith("{") ? parseObject(data) : { error: data }));
      case undefined:
        // What has no type can only be an error.
        if (event?.error || event?.detail) addFailure(event);
        break;
      default:
        if (event?.object === "error") addFailure(event);
    }
  }

  function addCreated({ id }: Fields): void {
    const responseId = readId(id);
    if (responseId === null || isCreated) return;
    isCreated = true;
    emit({ type: "created", responseId });
  }
  function beginItem({ type, phase }: Fields): void {
    openItems++;
    hasItems = true;
    if (type === "message") message = newMessage(phase);
  }
  function addDelta(event: Fields): void {
    if (typeof event.delta !== "string") throw new SyntaxError("A text event of the model holds no text");
    const key = event.output_index ?? (hasItems ? undefined : event.item_id);
    if (message.isTold && key !== message.key) message = newMessage();
    isTextOpen = true;
    addText(event.delta, key);
  }
  function addText(piece: string, key?: unknown): void {
    const text = clean(piece);
    if (!message.isTold) emit({ type: "message", phase: message.phase });
    message.isTold = true;
    message.key = key;
    if (key !== undefined) known.add(key);
    hasText = true;
    if (text !== "") emit({ type: "text", text });
    if (message.phase !== "commentary") hasAnswer = true;
  }
  function endText(event: Fields | undefined, data: string, read: (event: Fields) => unknown): void {
    isTextOpen = false;
    // A text whose pieces have been read is not parsed a second time.
    if (message.isTold) return;
    const text = read(event ?? parseObject(data));
    if (typeof text === "string" && text !== "") addText(text);
  }
  function endItem(event: Fields | undefined, data: string): void {
    openItems = Math.max(openItems - 1, 0);
    // Other items may end while a message is being read. Within a text the quotes would be escaped.
    const isMessage = data.includes('"message"');
    if (isMessage) isTextOpen = false;
    // Most items are messages whose pieces have been read: there is no need to parse them.
    const isNews = !message.isTold && isMessage || data.includes('"function_call"') || data.includes('"incomplete"');
    if (isNews) {
      const { item, output_index: index } = event ?? parseObject(data);
      readItem(fieldsOf(item), index);
    }
    if (isMessage) message = newMessage();
  }
  function readItem(item: Fields, key?: unknown): void {
    if (item.status === "incomplete") isCut = true;
    if (item.type === "function_call") return addCall(item);
    if (item.type !== "message" || message.isTold || known.has(key)) return;
    message = newMessage(item.phase ?? message.phase);
    for (const part of listOf(item.content)) {
      const text = textOf(part);
      if (typeof text === "string" && text !== "") addText(text);
    }
  }
  function addCall({ call_id: id, name, arguments: written }: Fields): void {
    if (typeof id !== "string" || typeof name !== "string" || typeof written !== "string") {
      throw new SyntaxError("A call of the model lacks its id, name or arguments");
    }
    hasAnswer = hasCall = true;
    const call = { id, name, arguments: written };
    requireShort(call);
    emit({ type: "call", call });
  }
  /** What the last event repeats is read where it has not come before. */
  function endReply(response: Fields, usualStatus: string): void {
    const isTextKnown = hasText;
    const isCallKnown = hasCall;
    for (const item of listOf(response.output).map(fieldsOf)) {
      message = newMessage();
      const isKnown = item.type === "function_call" ? isCallKnown : isTextKnown;
      if (!isKnown) readItem(item);
    }
    const status = response.status ?? usualStatus;
    const { reason } = fieldsOf(response.incomplete_details);
    // Some servers have an empty error in every response.
    if (status !== "completed" && isError(response.error)) fail(readReport(response.error));
    // A reply that ran into its token limit counts as whole.
    else if (status === "incomplete" ? reason !== "max_output_tokens" : status === "failed" || status === "cancelled") {
      fail(failWith(String(reason ?? status)));
    } else end(readUsage(response));
  }
  function addFailure(event: Fields): void {
    // What failed is beside the type or, with some servers, one level down.
    const report = event.error ?? fieldsOf(event.response).error ?? { ...event, type: undefined };
    fail(readReport(report));
  }
  function end(usage: Usage | null): void {
    const rest = clean();
    if (rest !== "") emit({ type: "text", text: rest });
    isOver = true;
    emit({ type: "ended", usage });
  }
  function fail(failure: ReturnType<typeof readReport>): void {
    isOver = true;
    emit({ type: "failed", failure });
  }
  /** A reply whose items have all ended is whole, also without an event that says so. */
  function readEnd(): void {
    if (isOver) return;
    if (hasAnswer && openItems === 0 && !isTextOpen && !isCut) end(null);
    else fail(failWith("stream_cut"));
  }

  return {
    readEvent(name, data) {
      if (!isOver) readEvent(name, data);
    },
    readWhole(reply) {
      if (!("output" in reply)) return addFailure(reply);
      addCreated(reply);
      endReply(reply, "completed");
    },
    readEnd,
  };
}

function isError(error: unknown): boolean {
  return error !== null && error !== undefined;
}

/** The text of a part of a message: an answer, or the refusal of one. */
function textOf(part: unknown): unknown {
  const { type, text, refusal } = fieldsOf(part);
  return type === "refusal" ? refusal : type === "output_text" || type === "text" ? text : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Token counts of a response, or null where they are not whole numbers that Postgres can hold. */
function readUsage(response: Fields): Usage | null {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = fieldsOf(response.usage);
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : null;
}
