import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type OpenAI from "openai";

type RequestBody = OpenAI.Responses.ResponseCreateParams;
/** On the wire: `output_text` is the client's own addition. */
type ResponseBody = Omit<OpenAI.Responses.Response, "output_text" | "usage"> & {
  usage: OpenAI.Responses.ResponseUsage | null;
};
type StreamEvent = { type: string; [field: string]: unknown };

/** Tokens read and written, as the wire spells them. */
export type ModelUsage = { input_tokens: number; output_tokens: number };

/** The usage of every response that names no other. */
export const defaultUsage: ModelUsage = { input_tokens: 11, output_tokens: 7 };

/** One thing that the server does while it answers. */
export type Step =
  /** One delta of text. */
  | { text: string }
  /** Anything, written as a network chunk of its own. */
  | { bytes: Uint8Array | string }
  /** Goes on when the promise has settled. */
  | { waitFor: Promise<unknown> }
  /** An HTTP error instead of a stream; must come first. */
  | { status: number; code?: string }
  /** Any event; `sequence_number` is added. */
  | { event: StreamEvent }
  /** Never goes on. As the first step: not even headers are sent. */
  | { hang: true }
  /** Breaks the connection. As the first step: not even headers are sent. */
  | { cut: true }
  /** The usual events of a whole response. */
  | { end: true; usage?: ModelUsage };

/**
 * How the server answers a model's requests. It begins with `response.created`, unless the first step is `bytes` or
 * that very event, and after a last `text` it ends as if `end` followed. After any other last step the body just ends.
 */
export type ModelScript = { responseId?: string; steps: Step[] };

/** One `POST /responses`: what was asked, and how it went. */
export type ModelExchange = {
  body: RequestBody;
  /** Whether the client hung up before the end of the script. */
  aborted: boolean;
  /** Resolves when the connection is done with the exchange, one way or the other. */
  over: Promise<void>;
};

/** A response as `GET /responses/{id}` finds it. */
export type KeptResponse = {
  status: "completed" | "incomplete" | "failed" | "in_progress" | "queued" | "cancelled";
  text: string;
  usage?: ModelUsage;
};

/** A server that speaks the Responses API and answers by script. */
export type ModelServer = AsyncDisposable & {
  /** Ends with `/v1`. */
  baseUrl: string;
  /** Sets how requests for a model are answered; other models say "Hello world". */
  script(modelName: string, script: ModelScript): void;
  /** The requests for a model so far, oldest first. */
  requestsOf(modelName: string): ModelExchange[];
  /** Sets what `GET` finds under an id; null, as for every other id, is a 404. */
  keep(responseId: string, response: KeptResponse | null): void;
};

const defaultScript: ModelScript = { steps: [{ text: "Hello" }, { text: " world" }] };

/** Starts the server in this process, on a free port of 127.0.0.1. Disposing of it breaks what is still open. */
export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, ModelScript>();
  const exchanges: ModelExchange[] = [];
  const kept = new Map<string, KeptResponse | null>();
  let isDisposed = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const responseId = pathname.startsWith("/v1/responses/") ? pathname.slice("/v1/responses/".length) : undefined;
    if (request.method === "GET" && responseId !== undefined) {
      const found = kept.get(responseId);
      if (!found) return sendError(response, 404, null);
      return sendJson(response, 200, describe({ model: "kept" }, responseId, found));
    }
    if (request.method !== "POST" || pathname !== "/v1/responses") return sendError(response, 404, null);
    const received = await new Response(ReadableStream.from(request)).text().catch(() => null);
    if (received === null) return;
    const body: RequestBody = JSON.parse(received);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const exchange: ModelExchange = { body, aborted: false, over };
    let isPlayed = false;
    response.once("close", () => {
      exchange.aborted = !isPlayed && !isDisposed;
      resolve();
    });
    exchanges.push(exchange);
    const outcome = await play(scripts.get(body.model ?? "") ?? defaultScript, body, response, over);
    if (outcome === "left") return;
    isPlayed = true;
    // Not `destroy()`, which throws away what is still being sent.
    if (outcome === "cut") response.socket?.destroySoon();
    else response.end();
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script(modelName, script) {
      if (script.steps.slice(1).some((step) => "status" in step)) throw new TypeError("A status must come first");
      scripts.set(modelName, script);
    },
    requestsOf: (modelName) => exchanges.filter(({ body }) => body.model === modelName),
    keep: (responseId, response) => void kept.set(responseId, response),
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Takes the steps of a script, up to its end, a cut, or the moment when the client has left. */
async function play(
  { responseId = newId("resp"), steps }: ModelScript,
  body: RequestBody,
  response: ServerResponse,
  left: Promise<void>,
): Promise<"end" | "cut" | "left"> {
  const first = steps[0];
  const ending: Step[] = "text" in (steps.at(-1) ?? {}) ? [{ end: true }] : [];
  const item = { id: newId("msg"), type: "message", role: "assistant" };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const running = describe(body, responseId, { status: "in_progress", text: "" });
  let text = "";
  let isItemOpen = false;
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
    if (!isItemOpen) {
      send({
        type: "response.output_item.added",
        output_index: 0,
        item: { ...item, status: "in_progress", content: [] },
      });
      send({ type: "response.content_part.added", ...place, part: partOf("") });
    }
    isItemOpen = true;
    text += delta;
    send({ type: "response.output_text.delta", ...place, delta, logprobs: [] });
  }
  function complete(usage?: ModelUsage): void {
    const whole = describe(body, responseId, { status: "completed", text, usage }, item.id);
    if (!body.stream) return sendJson(response, 200, whole);
    if (isItemOpen) {
      send({ type: "response.output_text.done", ...place, text, logprobs: [] });
      send({ type: "response.content_part.done", ...place, part: partOf(text) });
      send({ type: "response.output_item.done", output_index: 0, item: whole.output[0] });
    }
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

/** What is the same in all responses. */
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

/** A response object as the real API writes it. */
function describe(body: RequestBody, id: string, kept: KeptResponse, itemId = newId("msg")): ResponseBody {
  const { status, text, usage = defaultUsage } = kept;
  const itemStatus = status === "completed" ? status : "incomplete";
  return {
    ...sameFields,
    id,
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: status === "failed" ? { code: "server_error", message: "Scripted failure" } : null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: body.instructions ?? null,
    model: body.model ?? "none",
    output: text === ""
      ? []
      : [{ id: itemId, type: "message", role: "assistant", status: itemStatus, content: [partOf(text)] }],
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

function partOf(text: string): OpenAI.Responses.ResponseOutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // Lets the official client try again at once, where it otherwise waits for half a second and more.
  const retry = status >= 429 ? { "Retry-After-Ms": "1" } : {};
  response.writeHead(status, { "Content-Type": "application/json", ...retry }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, code: string | null): void {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  sendJson(response, status, { error: { message: `Scripted error ${status}`, type, param: null, code } });
}
