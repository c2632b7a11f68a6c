import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type OpenAI from "openai";

type RequestBody = OpenAI.Responses.ResponseCreateParams;
/** On the wire: `output_text` is the client's own addition. */
type ResponseBody = Omit<OpenAI.Responses.Response, "output_text" | "usage"> & {
  usage: OpenAI.Responses.ResponseUsage | null;
};
type OutputItem = OpenAI.Responses.ResponseOutputMessage | OpenAI.Responses.ResponseFunctionToolCall;
type StreamEvent = { type: string; [field: string]: unknown };

/** Tokens read and written, with the names of the API. */
export type ModelUsage = { input_tokens: number; output_tokens: number };

/** The usage of every response that names no other. */
export const defaultUsage: ModelUsage = { input_tokens: 11, output_tokens: 7 };

/** One step of an answer. */
export type Step =
  /** One delta of text. */
  | { text: string }
  /** A call of a function, with its usual events. Arguments that are not a string are sent as JSON. */
  | { call: { id: string; name: string; arguments: unknown } }
  /** Raw bytes, written as a separate network chunk. */
  | { bytes: Uint8Array | string }
  /** Continues when the promise has settled. */
  | { waitFor: Promise<unknown> }
  /** An HTTP error instead of a stream; must come first. */
  | { status: number; code?: string }
  /** Any event; `sequence_number` is added. */
  | { event: StreamEvent }
  /** Never continues. As the first step: not even headers are sent. */
  | { hang: true }
  /** Breaks the connection. As the first step: not even headers are sent. */
  | { cut: true }
  /** The usual events of a whole response. */
  | { end: true; usage?: ModelUsage };

/**
 * How the server answers requests for a model. The stream begins with `response.created`, unless the first step is
 * `bytes` or that event. After a last `text` or `call` it ends as with `end`; after any other last step the body just
 * ends.
 */
export type ModelScript = { responseId?: string; steps: Step[] };

/** One `POST /responses`: the request, and its outcome. */
export type ModelExchange = {
  body: RequestBody;
  /** How often the official client had sent it before, according to its header. */
  retries: number;
  /** Whether the client hung up before the end of the script. */
  aborted: boolean;
  /** Resolves when the exchange has ended, completely or not. */
  over: Promise<void>;
};

/** A response that `GET /responses/{id}` returns. */
export type KeptResponse = {
  status: "completed" | "incomplete" | "failed" | "in_progress" | "queued" | "cancelled";
  text: string;
  usage?: ModelUsage;
};

/** A refusal, or silence. */
export type Failure = { status: number; code?: string } | { hang: true };

/** One `POST /embeddings`. */
export type EmbeddingRequest = OpenAI.EmbeddingCreateParams;

/** One `POST /audio/transcriptions`; `file` as it was sent. */
export type TranscriptionRequest = { file: File };

/** A server of the Responses API that answers by script. */
export type ModelServer = AsyncDisposable & {
  /** Ends with `/v1`. */
  baseUrl: string;
  /**
   * Sets how requests for a model are answered: one script for each request, the last one for all further requests.
   * Other models say "Hello world".
   */
  script(modelName: string, ...scripts: ModelScript[]): void;
  /** The requests for a model so far, oldest first. */
  requestsOf(modelName: string): ModelExchange[];
  /** Sets what `GET` returns for an id; null, as for every other id: 404. */
  keep(responseId: string, response: KeptResponse | null): void;
  /** Sets how `DELETE` fails for an id; null, the default: a kept response is deleted, any other id is a 404. */
  failRemoval(responseId: string, failure: Failure | null): void;
  /** Ids of the `DELETE` requests so far, oldest first. */
  removals: string[];
  /** Sets the vectors that a model returns for texts; other models are not found. */
  scriptEmbeddings(modelName: string, script: ((text: string) => number[]) | Failure): void;
  embeddingsOf(modelName: string): EmbeddingRequest[];
  /** Sets the transcript that a model returns; other models are not found. */
  scriptTranscription(modelName: string, script: string | Failure): void;
  transcriptionsOf(modelName: string): TranscriptionRequest[];
  /** Paths of all requests so far, oldest first. */
  paths: string[];
};

const defaultScript: ModelScript = { steps: [{ text: "Hello" }, { text: " world" }] };

/** Starts the server in this process, on a free port of 127.0.0.1. Disposing of it breaks open connections. */
export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, ModelScript[]>();
  const exchanges: ModelExchange[] = [];
  const kept = new Map<string, KeptResponse | null>();
  const removalFailures = new Map<string, Failure | null>();
  const removals: string[] = [];
  const embeddings = createScriptedModels<(text: string) => number[], EmbeddingRequest>();
  const transcriptions = createScriptedModels<string, TranscriptionRequest>();
  const paths: string[] = [];
  let isDisposed = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    paths.push(pathname);
    if (pathname === "/v1/embeddings") {
      const body: EmbeddingRequest = JSON.parse(await readBody(request).text());
      return embeddings.answer(response, body.model, body, (vectorOf) => {
        const data = [body.input].flat().map((text, index) => ({
          object: "embedding",
          index,
          embedding: vectorOf(String(text)),
        }));
        return { object: "list", model: body.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
      });
    }
    if (pathname === "/v1/audio/transcriptions") {
      const form = await readBody(request).formData();
      const asked = { file: form.get("file") as File };
      return transcriptions.answer(response, String(form.get("model")), asked, (text) => ({ text }));
    }
    const responseId = pathname.startsWith("/v1/responses/") ? pathname.slice("/v1/responses/".length) : undefined;
    if (request.method === "GET" && responseId !== undefined) {
      const found = kept.get(responseId);
      if (!found) return sendError(response, 404, null);
      return sendJson(
        response,
        200,
        describe({ model: "kept" }, responseId, found, found.text === "" ? [] : [messageOf(found)]),
      );
    }
    if (request.method === "DELETE" && responseId !== undefined) {
      removals.push(responseId);
      const failure = removalFailures.get(responseId);
      if (failure) return "status" in failure ? sendError(response, failure.status, failure.code ?? null) : undefined;
      if (!kept.delete(responseId)) return sendError(response, 404, null);
      return sendJson(response, 200, { id: responseId, object: "response", deleted: true });
    }
    if (request.method !== "POST" || pathname !== "/v1/responses") return sendError(response, 404, null);
    const received = await readBody(request).text().catch(() => null);
    if (received === null) return;
    const body: RequestBody = JSON.parse(received);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const retries = Number(request.headers["x-stainless-retry-count"] ?? 0);
    const exchange: ModelExchange = { body, retries, aborted: false, over };
    let isPlayed = false;
    response.once("close", () => {
      exchange.aborted = !isPlayed && !isDisposed;
      resolve();
    });
    exchanges.push(exchange);
    const [script = defaultScript, ...later] = scripts.get(body.model ?? "") ?? [];
    if (later.length > 0) scripts.set(body.model ?? "", later);
    const outcome = await play(script, body, response, over);
    if (outcome === "left") return;
    isPlayed = true;
    // Not `destroy()`, which discards data that is still being sent.
    if (outcome === "cut") response.socket?.destroySoon();
    else response.end();
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script(modelName, ...set) {
      const isLate = ({ steps }: ModelScript) => steps.slice(1).some((step) => "status" in step);
      if (set.some(isLate)) throw new TypeError("A status must come first");
      scripts.set(modelName, set);
    },
    requestsOf: (modelName) => exchanges.filter(({ body }) => body.model === modelName),
    keep: (responseId, response) => void kept.set(responseId, response),
    failRemoval: (responseId, failure) => void removalFailures.set(responseId, failure),
    removals,
    scriptEmbeddings: embeddings.script,
    embeddingsOf: embeddings.requestsOf,
    scriptTranscription: transcriptions.script,
    transcriptionsOf: transcriptions.requestsOf,
    paths,
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Models that reply with a single object, from what was set for them. */
function createScriptedModels<Script, Request>() {
  const scripts = new Map<string, Script | Failure>();
  const requests: { modelName: string; request: Request }[] = [];
  return {
    script: (modelName: string, script: Script | Failure) => void scripts.set(modelName, script),
    requestsOf: (modelName: string) =>
      requests.filter((each) => each.modelName === modelName).map(({ request }) => request),
    answer(response: ServerResponse, modelName: string, request: Request, describe: (script: Script) => unknown): void {
      requests.push({ modelName, request });
      const script = scripts.get(modelName) ?? { status: 404, code: "model_not_found" };
      if (!isFailure(script)) return sendJson(response, 200, describe(script));
      if ("status" in script) sendError(response, script.status, script.code ?? null);
    },
  };
}

function isFailure(script: unknown): script is Failure {
  return typeof script === "object" && script !== null && ("status" in script || "hang" in script);
}

function readBody(request: IncomingMessage): Response {
  const { "content-type": contentType = "" } = request.headers;
  return new Response(ReadableStream.from(request), { headers: { "Content-Type": contentType } });
}

/** Performs the steps of a script, up to its end, a cut, or the moment when the client disconnects. */
async function play(
  { responseId = newId("resp"), steps }: ModelScript,
  body: RequestBody,
  response: ServerResponse,
  left: Promise<void>,
): Promise<"end" | "cut" | "left"> {
  const first = steps[0];
  const last = steps.at(-1) ?? {};
  const ending: Step[] = "text" in last || "call" in last ? [{ end: true }] : [];
  const running = describe(body, responseId, { status: "in_progress" }, []);
  const output: OutputItem[] = [];
  /** The message to which texts are added, until another kind of step comes. */
  let message: { id: string; text: string } | null = null;
  let sequence = 0;

  function write(bytes: Uint8Array | string): void {
    if (!body.stream) return;
    if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
    response.write(bytes);
  }
  function send(event: StreamEvent): void {
    write(`event: ${event.type}\ndata: ${JSON.stringify({ sequence_number: sequence++, ...event })}\n\n`);
  }
  function sendText(delta: string): void {
    if (message === null) {
      message = { id: newId("msg"), text: "" };
      const item = { ...messageOf({ status: "in_progress", text: "" }, message.id), content: [] };
      send({ type: "response.output_item.added", output_index: output.length, item });
      send({ type: "response.content_part.added", ...placeOf(message), part: partOf("") });
    }
    message.text += delta;
    send({ type: "response.output_text.delta", ...placeOf(message), delta, logprobs: [] });
  }
  function endMessage(): void {
    if (message === null) return;
    const { id, text } = message;
    send({ type: "response.output_text.done", ...placeOf(message), text, logprobs: [] });
    send({ type: "response.content_part.done", ...placeOf(message), part: partOf(text) });
    endItem(messageOf({ status: "completed", text }, id));
    message = null;
  }
  function sendCall({ id, name, arguments: given }: { id: string; name: string; arguments: unknown }): void {
    endMessage();
    const written = typeof given === "string" ? given : JSON.stringify(given);
    const item = { id: newId("fc"), type: "function_call", call_id: id, name, arguments: "" } as const;
    const place = { item_id: item.id, output_index: output.length };
    send({ type: "response.output_item.added", output_index: output.length, item: { ...item, status: "in_progress" } });
    send({ type: "response.function_call_arguments.delta", ...place, delta: written });
    send({ type: "response.function_call_arguments.done", ...place, arguments: written });
    endItem({ ...item, status: "completed", arguments: written });
  }
  function endItem(item: OutputItem): void {
    send({ type: "response.output_item.done", output_index: output.length, item });
    output.push(item);
  }
  function placeOf({ id }: { id: string }) {
    return { item_id: id, output_index: output.length, content_index: 0 };
  }
  function complete(usage?: ModelUsage): void {
    endMessage();
    const whole = describe(body, responseId, { status: "completed", usage }, output);
    if (!body.stream) return sendJson(response, 200, whole);
    send({ type: "response.completed", response: whole });
  }

  const isCreated = first !== undefined && "event" in first && first.event.type === "response.created";
  if (!isCreated && !["status", "bytes", "hang", "cut"].some((key) => key in (first ?? {}))) {
    send({ type: "response.created", response: running });
    send({ type: "response.in_progress", response: running });
  }
  for (const step of [...steps, ...ending]) {
    if (response.destroyed) return "left";
    if ("text" in step) sendText(step.text);
    else if ("call" in step) sendCall(step.call);
    else if ("bytes" in step) write(step.bytes);
    else if ("waitFor" in step) await Promise.race([step.waitFor.catch(() => {}), left]);
    else if ("event" in step) send(step.event);
    else if ("end" in step) complete(step.usage);
    else if ("status" in step) sendError(response, step.status, step.code ?? null);
    else if ("hang" in step) await left;
    else return "cut";
  }
  return response.destroyed ? "left" : "end";
}

/** The fields that are the same in all responses. */
const sameFields = {
  object: "response",
  background: false,
  access_programs: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  text: { format: { type: "text" } },
  tool_choice: "auto",
  top_p: 1,
  truncation: "disabled",
} as const;

/** A response object in the form of the real API. */
function describe(
  body: RequestBody,
  id: string,
  { status, usage = defaultUsage }: Omit<KeptResponse, "text">,
  output: OutputItem[],
): ResponseBody {
  return {
    ...sameFields,
    id,
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: status === "failed" ? { code: "server_error", message: "Scripted failure" } : null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: body.instructions ?? null,
    model: body.model ?? "none",
    output,
    temperature: body.temperature ?? 1,
    tools: [],
    usage: status === "in_progress" || status === "queued" ? null : {
      ...usage,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input_tokens + usage.output_tokens,
    },
  };
}

function messageOf({ status, text }: KeptResponse, id = newId("msg")): OpenAI.Responses.ResponseOutputMessage {
  const itemStatus = status === "completed" || status === "in_progress" ? status : "incomplete";
  return { id, type: "message", role: "assistant", status: itemStatus, content: [partOf(text)] };
}

function partOf(text: string): OpenAI.Responses.ResponseOutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // Without this header the official client waits half a second and more before it tries again.
  const retry = status >= 429 ? { "Retry-After-Ms": "1" } : {};
  response.writeHead(status, { "Content-Type": "application/json", ...retry }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, code: string | null): void {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  sendJson(response, status, { error: { message: `Scripted error ${status}`, type, param: null, code } });
}
