import { delay } from "../../shared/libs/base/std/async.ts";
import { answerOffline, type OfflineReply, type OfflineRequest, offlineRequest } from "./offline_answer.ts";

/** The only model; it answers for any requested name. */
const modelName = "offline";

type ResponseObject = { id: string; status: "in_progress" | "completed"; [field: string]: unknown };

/**
 * Simulates a language model without a network: a server for the Responses API (create, streamed or not, retrieve and
 * delete) and for the list of models. Unknown fields are ignored.
 *
 * @param options.wordsPerSecond its speed; 0 or left out: without pauses
 */
export function createOfflineModel({ wordsPerSecond = 0 } = {}): (request: Request) => Promise<Response> {
  /** The last thousand responses, newest last. */
  const kept = new Map<string, ResponseObject>();

  function keep(response: ResponseObject) {
    kept.set(response.id, response);
    const [oldest] = kept.keys();
    if (kept.size > 1_000 && oldest !== undefined) kept.delete(oldest);
  }

  return async (request) => {
    const { pathname } = new URL(request.url);
    const [, id] = /^\/v1\/responses\/([^/]+)$/.exec(pathname) ?? [];
    const found = id === undefined ? undefined : kept.get(id);
    if (request.method === "GET" && found) return Response.json(found);
    if (request.method === "DELETE" && id !== undefined && kept.delete(id)) {
      return Response.json({ id, object: "response", deleted: true });
    }
    if (request.method === "GET" && pathname === "/v1/models") {
      return Response.json({
        object: "list",
        data: [{ id: modelName, object: "model", created: 0, owned_by: "this machine" }],
      });
    }
    if (request.method !== "POST" || pathname !== "/v1/responses") {
      return Response.json({ error: { message: "Not found", type: "invalid_request_error" } }, { status: 404 });
    }
    const asked = offlineRequest.parse(await request.json());
    const reply = answerOffline(asked);
    const response: ResponseObject = {
      id: newId("resp"),
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      status: "in_progress",
      model: modelName,
      output: [],
      usage: null,
    };
    const item = describeItem(reply);
    const completed = { ...response, status: "completed" as const, output: [item], usage: countTokens(asked, reply) };
    if (!asked.stream) {
      keep(completed);
      return Response.json(completed);
    }
    keep(response);
    return new Response(streamEvents(), { headers: { "Content-Type": "text/event-stream" } });

    function streamEvents(): ReadableStream<Uint8Array> {
      const left = new AbortController();
      async function* events() {
        yield { type: "response.created", response };
        const place = { item_id: item.id, output_index: 0 };
        yield { type: "response.output_item.added", output_index: 0, item: { ...item, ...emptyItem(reply) } };
        if ("text" in reply) {
          for await (const delta of speak(reply.text, { wordsPerSecond, signal: left.signal })) {
            yield { type: "response.output_text.delta", ...place, content_index: 0, delta };
          }
          yield { type: "response.output_text.done", ...place, content_index: 0, text: reply.text };
        } else {
          yield { type: "response.function_call_arguments.delta", ...place, delta: reply.arguments };
          yield { type: "response.function_call_arguments.done", ...place, arguments: reply.arguments };
        }
        yield { type: "response.output_item.done", output_index: 0, item };
        keep(completed);
        yield { type: "response.completed", response: completed };
      }
      const said = events();
      const encoder = new TextEncoder();
      let sequence_number = 0;
      return new ReadableStream({
        async pull(controller) {
          const { done, value: event } = await said.next();
          if (done) return controller.close();
          const data = JSON.stringify({ ...event, sequence_number: sequence_number++ });
          controller.enqueue(encoder.encode(`event: ${event.type}\ndata: ${data}\n\n`));
        },
        cancel: () => left.abort(),
      });
    }
  };
}

/** The number of words sent together, in a repeated pattern: models send small bursts. */
const bursts = [2, 1, 3, 1, 4, 2];

/** The words of a text, with the white space before each. The first ones are sent immediately. */
async function* speak(
  text: string,
  { wordsPerSecond, signal }: { wordsPerSecond: number; signal: AbortSignal },
): AsyncGenerator<string> {
  let burst = 0;
  let left = bursts[0]!;
  for (const word of text.match(/\s*\S+/g) ?? []) {
    if (left-- === 0) {
      if (wordsPerSecond > 0) await delay(1_000 * bursts[burst]! / wordsPerSecond, { signal });
      burst = (burst + 1) % bursts.length;
      left = bursts[burst]! - 1;
    }
    yield word;
  }
}

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** A reply as an item of a response's output. */
function describeItem(reply: OfflineReply) {
  const status = "completed";
  if ("text" in reply) {
    const content = [{ type: "output_text", text: reply.text, annotations: [] }];
    return { id: newId("msg"), type: "message", role: "assistant", status, content };
  }
  const { call: name, arguments: written } = reply;
  return { id: newId("fc"), type: "function_call", call_id: newId("call"), name, arguments: written, status };
}

/** An item before anything has been written. */
function emptyItem(reply: OfflineReply) {
  return { status: "in_progress", ..."text" in reply ? { content: [] } : { arguments: "" } };
}

function countTokens(asked: OfflineRequest, reply: OfflineReply) {
  const input_tokens = Math.ceil(JSON.stringify(asked).length / 4);
  const output_tokens = Math.ceil(("text" in reply ? reply.text : reply.arguments).length / 4);
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}
