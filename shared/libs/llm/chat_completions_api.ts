import type OpenAI from "openai";
import { fieldsOf } from "../base/fields_of.ts";
import { createTextCleaner } from "../base/text.ts";
import { failWith, readReport } from "./failure.ts";
import { type Part, parts } from "./quirks.ts";
import type { AskedModel, ModelApi, ReplyReader } from "./model_api.ts";
import type { ModelEvent, ToolCall, Usage } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";
import { createThoughtFilter } from "./thoughts.ts";
import {
  type Fields,
  isCutReason,
  isObjectText,
  parseObject,
  readContent,
  readUsage,
  requireShort,
  textOf,
  thoughtOf,
  writeArguments,
} from "./read_fields.ts";

type Body = OpenAI.Chat.ChatCompletionCreateParams;
type Message = OpenAI.Chat.ChatCompletionMessageParam;

/**
 * The older API, for servers that have no other: https://platform.openai.com/docs/api-reference/chat
 * It has no phases, and keeps no responses.
 */
export const chatCompletionsApi: ModelApi = {
  path: "/chat/completions",
  writeBody,
  describe(asked) {
    const body = writeBody(asked);
    return {
      parts: parts.filter((part) => {
        if (part === "kept") return !asked.quirks.leftOut.has(part) && asked.request.input.some(isKept);
        if (part === "system") return body.messages[0]?.role === part;
        const field = fieldOf[part];
        return field !== undefined && body[field] !== undefined;
      }),
      hasAssistant: false,
    };
  },
  createReader: createChunkReader,
};

/** The fields of the body that hold the optional parts. */
const fieldOf: Partial<Record<Part, keyof Body>> = {
  temperature: "temperature",
  reasoning: "reasoning_effort",
  verbosity: "verbosity",
  response_format: "response_format",
  max_output_tokens: "max_completion_tokens",
  safety_identifier: "safety_identifier",
  prompt_cache_key: "prompt_cache_key",
  stream_options: "stream_options",
  stream: "stream",
  store: "store",
  tool_choice: "tool_choice",
  tools: "tools",
};

function writeBody({ request, model, quirks: { leftOut } }: AskedModel): Body {
  const { temperature, reasoningEffort, verbosity, maxOutputTokens, store } = request.settings;
  const body: Body = {
    model,
    messages: writeMessages(request, leftOut.has("system") ? "user" : "system", !leftOut.has("kept")),
    stream: true,
    stream_options: { include_usage: true },
    temperature: temperature ?? undefined,
    reasoning_effort: reasoningEffort ?? undefined,
    verbosity: verbosity ?? undefined,
    response_format: writeFormat(request.format),
    max_completion_tokens: maxOutputTokens ?? undefined,
    store: store ?? undefined,
    safety_identifier: request.userHash,
    prompt_cache_key: request.cacheKey,
    tools: request.tools?.map(({ name, description, parameters, strict }) => ({
      type: "function",
      function: { name, description: description ?? undefined, parameters: parameters ?? undefined, strict },
    })),
    tool_choice: request.toolChoice,
  };
  for (const part of leftOut) if (fieldOf[part]) delete body[fieldOf[part]];
  if (leftOut.has("tools")) delete body.tool_choice;
  if (leftOut.has("stream")) delete body.stream_options;
  return body;
}

function writeFormat(format: ModelRequest["format"]): Body["response_format"] {
  if (format?.type !== "json_schema") return format;
  const { type, ...schema } = format;
  return { type, json_schema: { ...schema, description: schema.description ?? undefined } };
}

/** Texts of one role that follow each other become one message: some templates insist on roles that take turns. */
function writeMessages(
  { instructions, history, quoted, input }: ModelRequest,
  roleOfInstructions: "system" | "user",
  withKept: boolean,
): Message[] {
  const messages: Message[] = [{ role: roleOfInstructions, content: instructions }];
  for (const item of [...history, ...quoted, ...input]) {
    const last = messages.at(-1);
    if ("output" in item) {
      messages.push({ role: "tool", tool_call_id: item.call_id, content: item.output });
    } else if ("arguments" in item) {
      const { call_id: id, name, arguments: written, kept } = item;
      const { extra_content, ...fields } = withKept && kept || {};
      const call = { id, type: "function" as const, function: { name, arguments: written }, extra_content };
      if (last?.role === "assistant") Object.assign(last, { tool_calls: [...last.tool_calls ?? [], call], ...fields });
      else messages.push({ role: "assistant", content: null, tool_calls: [call], ...fields });
    } else if (typeof item.content !== "string") {
      const content = item.content.map((part) =>
        "pdfUrl" in part
          ? { type: "file" as const, file: { filename: "page.pdf", file_data: part.pdfUrl } }
          : { type: "image_url" as const, image_url: { url: part.imageUrl } }
      );
      messages.push({ role: "user", content });
    } else if (last?.role === item.role && typeof last.content === "string" && !("tool_calls" in last)) {
      last.content += `\n\n${item.content}`;
    } else {
      messages.push({ role: item.role, content: item.content });
    }
  }
  return messages;
}

function isKept(item: ModelRequest["input"][number]): boolean {
  return "kept" in item && item.kept !== undefined;
}

/** Reads replies. The calls come in pieces, and the tokens in a chunk of their own after everything else. */
function createChunkReader(emit: (event: ModelEvent) => void, model: string): ReplyReader {
  const clean = createTextCleaner();
  const thoughts = createThoughtFilter(model);
  const calls: ToolCall[] = [];
  /** Positions that a server gives to its calls, where it gives any. */
  const positions = new Map<unknown, ToolCall>();
  /** The places of choices, and whether what is there is part of the answer. */
  const places = new Map<unknown, boolean>();
  /** The thoughts of a server that may want them back with a call. */
  let thinking: string | undefined;
  let hasText = false;
  let isTold = false;
  let finishReason: string | null = null;
  let usage: Usage | null = null;
  /** True if the tokens have come by themselves, which they do at the end: some gateways send nothing else there. */
  let isCounted = false;
  let isOver = false;

  function readReply(reply: Fields, readMessage: (choice: Fields) => unknown): void {
    const { choices, usage: counted } = reply;
    const choice = Array.isArray(choices) ? choose(choices) : {};
    const result = fieldsOf(reply.base_resp);
    // OpenRouter has the failure of its provider within the choice, and MiniMax has one in every reply, mostly a success.
    const ofGroq = fieldsOf(reply.x_groq);
    const errors = [reply.error, choice.error, reply.errors, ofGroq.error, result.status_code ? result : null];
    const error = errors.find(isReported);
    const isError = reply.object === "error" || reply.detail ||
      choices === undefined && reply.code !== undefined && typeof (reply.message ?? reply.msg) === "string";
    if (error || isError) return fail(readReport(error || reply));
    // Moonshot counts in the choice, and Groq in a field of its own where it was not asked to.
    usage = readUsage(counted) ?? readUsage(choice.usage) ?? readUsage(ofGroq.usage) ?? usage;
    isCounted = Array.isArray(choices) && choices.length === 0 && (isCounted || readUsage(counted) !== null);
    // Servers of the oldest API have texts instead of messages, and functions instead of tools.
    const message = fieldsOf(readMessage(choice) ?? { content: choice.text });
    const { content, refusal, function_call: called } = message;
    const toolCalls = message.tool_calls ?? (called ? { function: called } : []);
    const { reasoning_content: reasoning } = message;
    if (typeof reasoning === "string" && !(thinking && thinking.length > maxThinking)) {
      thinking = (thinking ?? "") + reasoning;
    }
    const thought = reasoning || message.reasoning || thoughtOf(content);
    if (thought) tell(thoughts.trust());
    if (typeof thought === "string" && thought !== "") emit({ type: "thought", text: thought });
    addText(readContent(content));
    addText(textOf(refusal));
    // TGI streams a call by itself, not in a list.
    for (const call of [toolCalls].flat()) addCall(fieldsOf(call));
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") finishReason = choice.finish_reason;
  }
  /** The choice that is the answer. Servers may send more than are asked for, side by side or one after the other. */
  function choose(choices: unknown[]): Fields {
    const found = choices.map(fieldsOf);
    if (found.length > 1) found.sort((one, other) => Number(one.index) - Number(other.index));
    const [choice = {}, ...others] = found;
    // Of several at one place, the first counts.
    for (const { index } of others) if (index !== choice.index) places.set(index, false);
    const place = choice.index ?? 0;
    if (!places.has(place)) {
      const { role, content, tool_calls: called } = fieldsOf(choice.delta);
      // LiteLLM counts parts of one answer there. Another one begins with its role, and with nothing else or after an end.
      places.set(place, places.size === 0 || !role || finishReason === null && Boolean(content || called));
    }
    return places.get(place) ? choice : {};
  }
  function addText(piece: string): void {
    if (piece === "") return;
    hasText = true;
    tell(thoughts.read(clean(piece)));
    if (thoughts.isThinking()) emit({ type: "thought", text: piece });
  }
  function tell(text: string): void {
    if (text === "") return;
    if (!isTold) emit({ type: "message", phase: null });
    isTold = true;
    emit({ type: "text", text });
  }
  function addCall({ index, id, function: called, extra_content: extra }: Fields): void {
    const { name, arguments: sent } = fieldsOf(called);
    const written = String(writeArguments(sent) ?? "");
    // Servers that send whole calls leave the position out, or give all of them the same; others repeat the id of a call.
    const isPlaced = typeof index === "number";
    const isNamed = typeof name === "string" && name !== "";
    const hasId = typeof id === "string" && id !== "";
    const known = hasId ? calls.findLast((each) => each.id === id) : undefined;
    // What has neither name nor id goes on with the last call, whatever its position.
    let call = known ?? (isPlaced ? positions.get(index) : calls.at(-1)) ??
      (isNamed || hasId ? undefined : calls.at(-1));
    let isNew = call === undefined;
    const isPiece = isNamed && isPlaced && !hasId && call?.arguments === "" && name !== call.name;
    if (isPiece) call!.name += name;
    else if (call !== undefined && isNamed && call.name !== "") {
      // Parsed only where it may have ended: arguments come in many pieces.
      const isNext = written !== "" && call.arguments.endsWith("}") && isObjectText(call.arguments);
      if (known && isNext && name === call.name && written === call.arguments) return;
      isNew = isNext || !known && (hasId || !isPlaced);
    }
    if (call === undefined || isNew) {
      // They are kept until the end. A request has far fewer. Some servers send an empty one with each text.
      if (calls.length === 20 || !isNamed && !hasId && written === "") return;
      call = { id: hasId ? id : `call_${calls.length + 1}`, name: "", arguments: "" };
      calls.push(call);
      positions.set(index, call);
    }
    if (isNamed && call.name === "") call.name = name;
    call.arguments += written;
    if (extra) call.kept = { extra_content: extra };
    requireShort(call, extra);
  }
  /** @param isSaid true if the server has said that this is the end: Snowflake gives no reason to finish */
  function readEnd(isSaid: boolean): void {
    if (isOver) return;
    const hasAnswer = hasText || calls.length > 0;
    if (finishReason === null && !(isSaid && hasAnswer)) return fail(failWith("stream_cut"));
    if (finishReason !== null && failedReasons.test(finishReason)) return fail(failWith(finishReason));
    tell(thoughts.read(clean()) + thoughts.end());
    if (calls[0] && thinking !== undefined) calls[0].kept = { ...calls[0].kept, reasoning_content: thinking };
    for (const call of calls) emit({ type: "call", call });
    isOver = true;
    emit({ type: "ended", usage, ...(isCutReason(finishReason) && { isCut: true }) });
  }
  function fail(failure: ReturnType<typeof readReport>): void {
    isOver = true;
    emit({ type: "failed", failure });
  }

  return {
    readEvent(name, data) {
      if (isOver) return;
      if (data === "[DONE]") return readEnd(true);
      if (name === "error") return fail(readReport(data.startsWith("{") ? parseObject(data) : data));
      if (data.startsWith("{")) {
        // Some gateways send a whole reply as one event, or repeat it in the last.
        readReply(parseObject(data), ({ delta, message }) => delta ?? (hasText || calls.length > 0 ? null : message));
      }
    },
    readWhole(reply) {
      readReply(reply, ({ message }) => message);
      readEnd(true);
    },
    // What breaks off after its reason to finish is whole.
    readEnd: (isBroken) => readEnd(isCounted && !isBroken),
  };
}

/** The most thoughts that are kept for a call, in UTF-16 units. */
const maxThinking = 256 * 1024;

/** Reasons to finish that leave a reply incomplete; Gemini, DeepSeek, Zhipu, vLLM, Anthropic and Bedrock have their own. */
const failedReasons =
  /content_filter|error|abort|cancel|insufficient|prohibited_content|blocklist|recitation|\b(?:sensitive|safety|spii|refusal)\b|guardrail/i;

/** Some servers have an empty error in every reply. */
function isReported(error: unknown): boolean {
  return typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
}
