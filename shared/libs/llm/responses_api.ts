import type OpenAI from "openai";
import { type ModelEvent, type Phase, readPhase, type ReportedFailure, type Usage } from "./model_event.ts";
import { fieldsOf } from "../base/fields_of.ts";
import { createTextCleaner } from "../base/text.ts";
import { failWith, notThisApi, readReport } from "./failure.ts";
import { type ItemForm, type Part, parts } from "./quirks.ts";
import type { AskedModel, ModelApi, ReplyReader } from "./model_api.ts";
import type { ModelRequest } from "./model_request.ts";
import { createThoughtFilter, type ThoughtFilter } from "./thoughts.ts";
import {
  type Fields,
  isCutReason,
  parseObject,
  readId,
  readUsage,
  requireShort,
  textOf,
  writeArguments,
} from "./read_fields.ts";

type Body = OpenAI.Responses.ResponseCreateParams;
type Item = OpenAI.Responses.ResponseInputItem;

/** The Responses API: https://platform.openai.com/docs/api-reference/responses */
export const responsesApi: ModelApi = {
  path: "/responses",
  writeBody,
  describe(asked) {
    const body = writeBody(asked);
    const items = [...asked.request.history, ...asked.request.input];
    const hasPhase = !asked.quirks.leftOut.has("phase") && items.some((item) => "phase" in item && item.phase);
    return {
      parts: parts.filter((part) => {
        const field = fieldOf[part];
        return part === "phase" ? hasPhase : field !== undefined && body[field] !== undefined;
      }),
      hasAssistant: items.some((item) => "role" in item && item.role === "assistant"),
    };
  },
  createReader: (emit, model) => new ResponsesReader(emit, model),
};

/** The fields of the body that hold the optional parts; phases are within the items. */
const fieldOf: Partial<Record<Part, keyof Body>> = {
  temperature: "temperature",
  reasoning: "reasoning",
  verbosity: "text",
  response_format: "text",
  max_output_tokens: "max_output_tokens",
  safety_identifier: "safety_identifier",
  prompt_cache_key: "prompt_cache_key",
  stream_options: "stream_options",
  stream: "stream",
  store: "store",
  tool_choice: "tool_choice",
  tools: "tools",
};

function writeBody({ request, model, quirks: { leftOut, itemForm } }: AskedModel): Body {
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
    text: verbosity === null && request.format === undefined
      ? undefined
      : { verbosity: verbosity ?? undefined, format: request.format },
    max_output_tokens: maxOutputTokens ?? undefined,
    store: store ?? undefined,
    safety_identifier: request.userHash,
    prompt_cache_key: request.cacheKey,
    tools: request.tools,
    tool_choice: request.toolChoice,
  };
  for (const part of leftOut) if (fieldOf[part]) delete body[fieldOf[part]];
  if (leftOut.has("tools")) delete body.tool_choice;
  return body;
}

function writeItem(item: ModelRequest["input"][number], form: ItemForm, withPhases: boolean): Item {
  if ("type" in item) return { ...item, ...{ kept: undefined } };
  if (typeof item.content !== "string") {
    const content = item.content.map((part) =>
      "pdfUrl" in part
        ? { type: "input_file" as const, filename: "page.pdf", file_data: part.pdfUrl }
        : { type: "input_image" as const, detail: "auto" as const, image_url: part.imageUrl }
    );
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

/** The message whose text is being read. */
type Message = {
  /** Its place in the reply. */
  key: unknown;
  phase: Phase | null;
  /** True if some of it has been emitted. */
  isTold: boolean;
  /** True if its texts come in pieces. */
  isStreamed: boolean;
  /** The places of its texts that came whole. */
  parts: Set<unknown>;
};

function newMessage(phase: unknown = null): Message {
  return { key: undefined, phase: readPhase(phase), isTold: false, isStreamed: false, parts: new Set() };
}

/** Events that are read, by their types. All others are a sign of life, and may hold anything. */
const eventReaders = new Map<unknown, (reader: ResponsesReader, event: Fields) => void>([
  ["response.created", (reader, event) => reader.addCreated(fieldsOf(event.response))],
  ["response.output_item.added", (reader, event) => reader.beginItem(fieldsOf(event.item), event.output_index)],
  ["response.output_text.delta", (reader, event) => reader.addDelta(event)],
  ["response.refusal.delta", (reader, event) => reader.addDelta(event)],
  ["response.reasoning_text.delta", (reader, event) => reader.addThought(event.delta)],
  ["response.reasoning_summary_text.delta", (reader, event) => reader.addThought(event.delta)],
  ["response.output_text.done", (reader, event) => reader.endText(event.text ?? event.refusal, event)],
  ["response.refusal.done", (reader, event) => reader.endText(event.text ?? event.refusal, event)],
  ["response.function_call_arguments.done", (reader, event) => reader.endArguments(event)],
  ["response.content_part.done", (reader, event) => reader.endText(textOf(event.part), event)],
  ["response.output_item.done", (reader, event) => reader.endItem(fieldsOf(event.item), event.output_index)],
  ["response.completed", (reader, event) => reader.endReply(fieldsOf(event.response), "completed")],
  ["response.incomplete", (reader, event) => reader.endReply(fieldsOf(event.response), "incomplete")],
  ["response.failed", (reader, event) => reader.endReply(fieldsOf(event.response), "failed")],
  ["response.cancelled", (reader, event) => reader.endReply(fieldsOf(event.response), "cancelled")],
  ["response.done", (reader, event) => reader.endReply(fieldsOf(event.response), "done")],
  ["error", (reader, event) => reader.addFailure(event)],
  ["response.error", (reader, event) => reader.addFailure(event)],
]);

/**
 * Reads replies. Servers differ in their endings: one event at the end with any of four names, or none at all; texts in
 * pieces, or whole at one of three places. A text counts once, where it is first met.
 */
class ResponsesReader implements ReplyReader {
  readonly #emit: (event: ModelEvent) => void;
  readonly #clean = createTextCleaner();
  readonly #thoughts: ThoughtFilter;
  /** The number of items that have begun and have not ended. */
  #openItems = 0;
  /** True if items are announced: then ids are not needed to tell messages apart. Some gateways change them each time. */
  #hasItems = false;
  /** The places of the messages of which some text has been read. */
  readonly #known = new Set<unknown>();
  /** The first calls that have begun, with their arguments where these have ended. A request has far fewer. */
  readonly #begunCalls: { item: Fields; index: unknown }[] = [];
  #isCut = false;
  #isCreated = false;
  #isOver = false;
  #hasAnswer = false;
  #hasCall = false;
  #hasText = false;
  /** True if pieces of a text have come, but not yet its end. */
  #isTextOpen = false;
  #message = newMessage();

  constructor(emit: (event: ModelEvent) => void, model: string) {
    this.#emit = emit;
    this.#thoughts = createThoughtFilter(model);
  }

  readEvent(name: string | undefined, data: string): void {
    if (this.#isOver) return;
    if (data === "[DONE]") return this.readEnd();
    // Some servers leave the name out, or send a general one. The type is then in the data.
    const isNamed = name?.startsWith("response.") || name === "error";
    const isObject = data.startsWith("{");
    if (isNamed ? !eventReaders.has(name) : !isObject) return;
    const isErrorText = !isObject && name?.endsWith("error");
    const event = isErrorText ? { error: data } : parseObject(data);
    if (event.choices) return this.#fail(failWith(notThisApi));
    const read = eventReaders.get(isNamed ? name : event.type);
    if (read !== undefined) return read(this, event);
    // An event without a type can only be an error.
    const isError = event.type === undefined ? event.error || event.detail : event.object === "error";
    if (isError) this.addFailure(event);
  }

  readWhole(reply: Fields): void {
    if (!("output" in reply)) return reply.choices ? this.#fail(failWith(notThisApi)) : this.addFailure(reply);
    this.addCreated(reply);
    this.endReply(reply, "completed");
  }

  /** A reply whose items have all ended is whole, also without an event that says so. */
  readEnd(isBroken = false): void {
    if (this.#isOver) return;
    const isWhole = !isBroken && this.#hasAnswer && this.#openItems === 0 && !this.#isTextOpen && !this.#isCut;
    if (isWhole) this.#end(null);
    else this.#fail(failWith("stream_cut"));
  }

  addCreated({ id }: Fields): void {
    const responseId = readId(id);
    if (responseId === null || this.#isCreated) return;
    this.#isCreated = true;
    this.#emit({ type: "created", responseId });
  }

  beginItem(item: Fields, index: unknown): void {
    const { type, phase } = item;
    if (type === "reasoning") this.#tell(this.#thoughts.trust());
    this.#openItems++;
    this.#hasItems = true;
    if (type === "message") this.#message = newMessage(phase);
    if (type !== "function_call" || this.#begunCalls.length === 20) return;
    this.#begunCalls.push({ item: { ...item, arguments: undefined }, index });
  }

  /** Ends the arguments of a call: the last that SGLang's router says of it. */
  endArguments({ item_id: id, output_index: index, arguments: written }: Fields): void {
    const begun = this.#begunCalls.find((call) => id === undefined ? call.index === index : call.item.id === id);
    if (begun) begun.item.arguments = written;
  }

  addDelta(event: Fields): void {
    if (event.delta === null) return;
    if (typeof event.delta !== "string") throw new SyntaxError("A text event of the model holds no text");
    const key = event.output_index ?? (this.#hasItems ? undefined : event.item_id);
    if (this.#message.isTold && key !== this.#message.key) this.#message = newMessage();
    this.#isTextOpen = this.#message.isStreamed = true;
    this.#addText(event.delta, key);
  }

  addThought(text: unknown): void {
    if (typeof text === "string" && text !== "") this.#emit({ type: "thought", text });
  }

  /** Ends a text, or one part of it. What has come in pieces, or before the end of its message, is known. */
  endText(text: unknown, { output_index: key, content_index: place = 0 }: Fields): void {
    this.#isTextOpen = false;
    const { isStreamed, isTold, parts } = this.#message;
    const isKnown = isStreamed || parts.has(place) || !isTold && this.#openItems === 0 && this.#known.has(key);
    if (isKnown || typeof text !== "string" || text === "") return;
    parts.add(place);
    this.#addText(text, key);
  }

  endItem(item: Fields, index: unknown): void {
    this.#openItems = Math.max(this.#openItems - 1, 0);
    this.#readItem(item, index);
    // Other items may end while a message is being read.
    if (item.type !== "message") return;
    this.#isTextOpen = false;
    this.#message = newMessage();
  }

  /** Ends the reply. What the last event repeats is read where it has not come before. */
  endReply(response: Fields, usualStatus: string): void {
    const isTextKnown = this.#hasText;
    const isCallKnown = this.#hasCall;
    for (const item of [response.output ?? []].flat().map(fieldsOf)) {
      this.#message = newMessage();
      const isKnown = item.type === "function_call" ? isCallKnown : isTextKnown;
      if (!isKnown) this.#readItem(item);
    }
    const unended = this.#hasCall ? [] : this.#begunCalls.filter(({ item }) => item.arguments !== undefined);
    for (const { item } of unended) this.#addCall(item);
    const status = response.status ?? usualStatus;
    const { reason } = fieldsOf(response.incomplete_details);
    // Some servers have an empty error in every response.
    if (status !== "completed" && (response.error ?? null) !== null) this.#fail(readReport(response.error));
    // A reply that ran into its token limit counts as whole.
    else if (status === "incomplete" ? !isCutReason(reason) : status === "failed" || status === "cancelled") {
      this.#fail(failWith(String(reason ?? status)));
    } else this.#end(readUsage(response.usage), status === "incomplete");
  }

  addFailure(event: Fields): void {
    // The failure is beside the type or, with some servers, one level down.
    const report = event.error ?? fieldsOf(event.response).error ?? { ...event, type: undefined };
    this.#fail(readReport(report));
  }

  #addText(piece: string, key?: unknown): void {
    const message = this.#message;
    const text = this.#thoughts.read(this.#clean(piece));
    if (!message.isTold) this.#emit({ type: "message", phase: message.phase });
    message.isTold = true;
    message.key = key;
    if (key !== undefined) this.#known.add(key);
    this.#hasText = true;
    this.#tell(text);
    if (this.#thoughts.isThinking()) this.addThought(piece);
    if (message.phase !== "commentary") this.#hasAnswer = true;
  }

  #tell(text: string): void {
    if (text !== "") this.#emit({ type: "text", text });
  }

  #readItem(item: Fields, key?: unknown): void {
    if (item.status === "incomplete") this.#isCut = true;
    if (item.type === "function_call") return this.#addCall(item);
    if (item.type !== "message" || this.#message.isTold || this.#known.has(key)) return;
    this.#message = newMessage(item.phase ?? this.#message.phase);
    const text = textOf(item.content);
    if (text !== "") this.#addText(text);
  }

  #addCall({ id: itemId, call_id: id = itemId, name, arguments: sent }: Fields): void {
    const written = writeArguments(sent);
    if (typeof id !== "string" || typeof name !== "string" || typeof written !== "string") {
      throw new SyntaxError("A call of the model lacks its id, name or arguments");
    }
    this.#hasAnswer = this.#hasCall = true;
    const call = { id, name, arguments: written };
    requireShort(call);
    this.#emit({ type: "call", call });
  }

  #end(usage: Usage | null, isCut = false): void {
    this.#tell(this.#thoughts.read(this.#clean()) + this.#thoughts.end());
    this.#isOver = true;
    this.#emit({ type: "ended", usage, ...(isCut && { isCut }) });
  }

  #fail(failure: ReportedFailure): void {
    this.#isOver = true;
    this.#emit({ type: "failed", failure });
  }
}
