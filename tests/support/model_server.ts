import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type OpenAI from "openai";
import { createCompletionEvents, formatChunk } from "./completion_events.ts";
import {
  createEventFormatter,
  createResponseEvents,
  describeMessage,
  describeRefusal,
  describeResponse,
  type FunctionCall,
  type MessagePhase,
  newId,
  type ResponseRequest,
  type ResponseUsage,
  type StreamEvent,
} from "./response_events.ts";

/** One thing that the server does while it answers. */
export type Step =
  /** One delta of text. */
  | { text: string }
  /** Begins a separate message, which further texts continue. */
  | { message: string; phase?: MessagePhase }
  /** An item of reasoning, with its usual events. */
  | { reasoning: string }
  /** A call of a function, with its usual events. */
  | { call: FunctionCall }
  /** Raw text or bytes, sent before the next step begins. */
  | { bytes: string | Uint8Array }
  /** Continues when the promise resolves. */
  | { waitFor: Promise<unknown> }
  /** An HTTP error instead of a stream; must be the first step. */
  | HttpError
  /** Any event; `sequence_number` is added. */
  | { event: StreamEvent }
  /** Never continues. As the first step: not even headers are sent. */
  | { hang: true }
  /** Breaks the connection. As the first step: not even headers are sent. */
  | { cut: true }
  /** The usual events at the end of a response. */
  | { end: true; usage?: ResponseUsage };

/**
 * The server's reply to a request. The stream begins with the usual events, unless the first step is `bytes`,
 * `status`, `hang` or `cut`. Where the last step is something that the model writes (`text`, `message`, `reasoning`,
 * `call`), it ends as with `end`; after any other last step the body just ends.
 */
export type ModelScript = {
  responseId?: string;
  steps: Step[];
  /** Replies with one JSON object, even where a stream was asked for. */
  isWhole?: boolean;
};

/** An HTTP error; `body` and `headers` replace the default ones. A body that is a string is sent as plain text. */
export type HttpError = {
  status: number;
  code?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** A refusal is sent once this has resolved. */
  after?: Promise<unknown>;
};

/** The paths at which a model is asked. */
export type ModelPath = "/responses" | "/chat/completions";

/** Rejects parts of a request: called before the script, and returns an error or null. */
export type Refuse = (body: ModelBody, path: ModelPath) => HttpError | null;

/** The body of a request. At `/chat/completions` it has `messages` instead of `input`. */
export type ModelBody = ResponseRequest & Pick<OpenAI.ChatCompletionCreateParams, "messages" | "stream_options">;

/** One request to a model, and its outcome. */
export type ModelExchange = {
  path: ModelPath;
  body: ModelBody;
  headers: IncomingMessage["headers"];
  /** True if the client disconnected before the end of the script. */
  aborted: boolean;
  /** Resolves when the exchange has ended, completely or not. */
  over: Promise<void>;
};

/** A response that `GET /responses/{id}` returns. */
export type KeptResponse = {
  status: "completed" | "failed" | "in_progress" | "cancelled";
  text: string;
  /** True if the text is a refusal of the model. */
  isRefusal?: boolean;
  usage?: ResponseUsage;
};

/** A transcript, or all fields of its reply. */
export type Transcript = string | { text: string; usage?: unknown; segments?: unknown };

/** Returns the vector of a text. */
export type EmbeddingScript = (text: string) => number[] | Promise<number[]>;

/** An HTTP error, or no reply at all. */
export type Failure = HttpError | { hang: true };

/** A server of the Responses and the chat-completions API that answers by script. */
export type ModelServer = AsyncDisposable & {
  /** Ends with `/v1`. */
  baseUrl: string;
  /**
   * Sets how requests for a model are answered: one script for each request, the last one for all further requests.
   * Other models say "Hello world".
   */
  script(modelName: string, ...scripts: ModelScript[]): void;
  /** Sets how all requests for a model are answered, each by what it asks. */
  scriptEach(modelName: string, write: (body: ModelBody) => ModelScript): void;
  /** Sets the fields that a model rejects; null: it accepts everything again. */
  refuse(modelName: string, refuse: Refuse | null): void;
  /** The requests for a model so far, refused ones included, oldest first. */
  requestsOf(modelName: string): ModelExchange[];
  /** Sets what `GET` returns for an id; null, as for every other id: 404. */
  keep(responseId: string, response: KeptResponse | null): void;
  /** Lets `DELETE` of an id fail. By default a kept response is deleted, and any other id is a 404. */
  failRemoval(responseId: string, failure: Failure): void;
  /** Ids of the `DELETE` requests so far, oldest first. */
  removals: string[];
  /** Sets the vectors that a model returns for texts; other models are not found. */
  scriptEmbeddings(modelName: string, script: EmbeddingScript | Failure): void;
  embeddingsOf(modelName: string): OpenAI.EmbeddingCreateParams[];
  /** Sets the transcript that a model returns; other models are not found. */
  scriptTranscription(modelName: string, script: Transcript | Failure): void;
  transcriptionsOf(modelName: string): { file: File }[];
  /** Sets the reply to `GET /models`, by default a 404: a list of models, or anything else. */
  scriptModels(script: unknown[] | { reply: unknown } | Failure): void;
  /** The requests of `GET /models` so far, oldest first. */
  listings: { url: string; authorization: string | undefined }[];
};

const paths: ModelPath[] = ["/responses", "/chat/completions"];

const defaultScript: ModelScript = { steps: [{ text: "Hello" }, { text: " world" }] };

/** Starts the server in this process, on a free port of 127.0.0.1. Disposing of it breaks open connections. */
export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, (ModelScript | ((body: ModelBody) => ModelScript))[]>();
  const refusals = new Map<string, Refuse | null>();
  const exchanges: ModelExchange[] = [];
  const kept = new Map<string, KeptResponse | null>();
  const removalFailures = new Map<string, Failure>();
  const removals: string[] = [];
  const embeddings = createScriptedModels<EmbeddingScript, OpenAI.EmbeddingCreateParams>();
  const transcriptions = createScriptedModels<Transcript, { file: File }>();
  const listings: ModelServer["listings"] = [];
  let modelScript: Parameters<ModelServer["scriptModels"]>[0] = { status: 404 };
  let isDisposed = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const responseId = readId(pathname);
    if (responseId !== undefined && request.method === "GET") return showKept(response, responseId);
    if (responseId !== undefined && request.method === "DELETE") return remove(response, responseId);
    const path = paths.find((path) => pathname === `/v1${path}`);
    if (path !== undefined) return await respond(request, response, path);
    if (pathname === "/v1/models") return listModels(request, response);
    if (pathname === "/v1/embeddings") return await embed(request, response);
    if (pathname === "/v1/audio/transcriptions") return await transcribe(request, response);
    return fail(response, { status: 404 });
  }

  async function respond(request: IncomingMessage, response: ServerResponse, path: ModelPath): Promise<void> {
    const received = await readBody(request).text().catch(() => null);
    // The client has disconnected.
    if (received === null) return;
    const body: ModelBody = JSON.parse(received);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const exchange: ModelExchange = { path, body, headers: request.headers, aborted: false, over };
    let isPlayed = false;
    response.once("close", () => {
      exchange.aborted = !isPlayed && !isDisposed;
      resolve();
    });
    exchanges.push(exchange);
    const refusal = refusals.get(body.model ?? "")?.(body, path);
    if (refusal) {
      await refusal.after;
      isPlayed = true;
      return fail(response, refusal);
    }
    const [script = defaultScript, ...later] = scripts.get(body.model ?? "") ?? [];
    if (later.length > 0) scripts.set(body.model ?? "", later);
    const outcome = await play(typeof script === "function" ? script(body) : script, exchange, response);
    if (outcome === "left") return;
    isPlayed = true;
    // Not `destroy()`, which discards data that is still being sent.
    if (outcome === "cut") response.socket?.destroySoon();
    else response.end();
  }

  function listModels({ url = "", headers: { authorization } }: IncomingMessage, response: ServerResponse): void {
    listings.push({ url, authorization });
    if (isFailure(modelScript)) return fail(response, modelScript);
    sendJson(response, 200, Array.isArray(modelScript) ? { object: "list", data: modelScript } : modelScript.reply);
  }

  function showKept(response: ServerResponse, id: string): void {
    const found = kept.get(id);
    if (!found) return fail(response, { status: 404 });
    const { text, isRefusal = false, ...fields } = found;
    const output = text === "" ? [] : [isRefusal ? describeRefusal(text) : describeMessage(text)];
    sendJson(response, 200, describeResponse({ model: "kept" }, { id, output, ...fields }));
  }

  function remove(response: ServerResponse, id: string): void {
    removals.push(id);
    const failure = removalFailures.get(id);
    if (failure) return fail(response, failure);
    if (!kept.delete(id)) return fail(response, { status: 404 });
    sendJson(response, 200, { id, object: "response", deleted: true });
  }

  async function embed(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: OpenAI.EmbeddingCreateParams = await readBody(request).json();
    await embeddings.answer(response, body.model, body, async (vectorOf) => {
      const vectors = await Promise.all([body.input].flat().map((text) => vectorOf(String(text))));
      const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
      return { object: "list", model: body.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
    });
  }

  async function transcribe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readBody(request).formData();
    const file = form.get("file") as File;
    await transcriptions.answer(
      response,
      String(form.get("model")),
      { file },
      (said) => typeof said === "string" ? { text: said } : said,
    );
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script: (modelName, ...set) => void scripts.set(modelName, set),
    scriptEach: (modelName, write) => void scripts.set(modelName, [write]),
    refuse: (modelName, refuse) => void refusals.set(modelName, refuse),
    requestsOf: (modelName) => exchanges.filter(({ body }) => body.model === modelName),
    keep: (responseId, response) => void kept.set(responseId, response),
    failRemoval: (responseId, failure) => void removalFailures.set(responseId, failure),
    removals,
    scriptEmbeddings: embeddings.script,
    embeddingsOf: embeddings.requestsOf,
    scriptTranscription: transcriptions.script,
    transcriptionsOf: transcriptions.requestsOf,
    scriptModels: (script) => void (modelScript = script),
    listings,
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The response that an address names. What is not encoded ends the id. */
function readId(pathname: string): string | undefined {
  const [, encoded] = /^\/v1\/responses\/([^/]+)$/.exec(pathname) ?? [];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

/** Models that reply with a single object; their settings are those set before. */
function createScriptedModels<Script, Request>() {
  const scripts = new Map<string, Script | Failure>();
  const requests: { modelName: string; request: Request }[] = [];
  return {
    script: (modelName: string, script: Script | Failure) => void scripts.set(modelName, script),
    requestsOf: (modelName: string) =>
      requests.filter((each) => each.modelName === modelName).map(({ request }) => request),
    async answer(
      response: ServerResponse,
      modelName: string,
      request: Request,
      describe: (script: Script) => unknown,
    ): Promise<void> {
      requests.push({ modelName, request });
      const script = scripts.get(modelName) ?? { status: 404, code: "model_not_found" };
      if (isFailure(script)) fail(response, script);
      else sendJson(response, 200, await describe(script));
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
  { responseId, steps, isWhole = false }: ModelScript,
  { path, body, over }: ModelExchange,
  response: ServerResponse,
): Promise<"end" | "cut" | "left"> {
  const [events, format] = path === "/responses"
    ? [createResponseEvents(body, responseId ?? newId("resp")), createEventFormatter()]
    : [createCompletionEvents(body, responseId ?? newId("chatcmpl")), formatChunk];
  const isStream = Boolean(body.stream) && !isWhole;

  function write(bytes: string | Uint8Array): Promise<void> {
    if (!isStream) return Promise.resolve();
    if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
    return new Promise((resolve) => response.write(bytes, () => resolve()));
  }
  function send(...events: StreamEvent[]): void {
    for (const event of events) write(format(event));
  }
  function end(usage?: ResponseUsage): void {
    send(...events.complete(usage));
    if (!isStream) sendJson(response, 200, events.describe(usage));
  }

  const [first, last] = [steps[0] ?? {}, steps.at(-1) ?? {}];
  if (!["bytes", "status", "hang", "cut"].some((kind) => kind in first)) send(...events.begin());
  for (const step of steps) {
    if (response.destroyed) return "left";
    if ("text" in step) send(...events.addText(step.text));
    else if ("message" in step) send(...events.addMessage(step.message, step.phase));
    else if ("reasoning" in step) send(...events.addReasoning(step.reasoning));
    else if ("call" in step) send(...events.addCall(step.call));
    else if ("bytes" in step) await Promise.race([write(step.bytes), over]);
    else if ("waitFor" in step) await Promise.race([step.waitFor, over]);
    else if ("event" in step) send(step.event);
    else if ("end" in step) end(step.usage);
    else if ("status" in step) fail(response, step);
    else if ("hang" in step) await over;
    else return "cut";
  }
  if (response.destroyed) return "left";
  if (["text", "message", "reasoning", "call"].some((kind) => kind in last)) end();
  return "end";
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, failure: Failure): void {
  if ("hang" in failure) return;
  const { status, code = null } = failure;
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  const { body = { error: { message: `Scripted error ${status}`, type, param: null, code } } } = failure;
  // Without this header the official client waits half a second and more before it tries again.
  const { headers = status >= 429 ? { "Retry-After-Ms": "1" } : {} } = failure;
  if (typeof body === "string") response.writeHead(status, { "Content-Type": "text/plain", ...headers }).end(body);
  else sendJson(response, status, body, headers);
}
