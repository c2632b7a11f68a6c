import { delay } from "deno-std/async/delay.js";
import { z } from "zod";
import { pickQuote } from "../../shared/chat/prompt/cite_passages.ts";

/** The part of a request to the Responses API that this model looks at. */
const modelRequest = z.looseObject({
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(z.object({ role: z.string().optional(), content: z.unknown().optional() }))])
    .optional(),
  stream: z.boolean().nullish(),
});
type ModelRequest = z.input<typeof modelRequest>;

/** The content of an item of the input, where it is a list of parts. */
const contentParts = z.array(z.looseObject({ text: z.string().optional() }));

/** A passage as the prompt quotes it, a JSON object a line. */
const quotedPassage = z.object({ source: z.string(), text: z.string() });

/** The only model there is; it answers whatever name is asked for. */
const modelName = "offline";

type ResponseObject = { id: string; status: "in_progress" | "completed"; [field: string]: unknown };

/**
 * A stand-in for a language model that needs no network: a server for the Responses API (create, streamed or not,
 * retrieve and delete) and for the list of models. It understands nothing: it quotes the part of the material, or else of
 * the instructions, that has most words in common with the question, and says so. It takes any other field, and ignores
 * it.
 */
export function createOfflineModel({ wordDelay = 20 } = {}): (request: Request) => Promise<Response> {
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
    const asked = modelRequest.parse(await request.json());
    const text = answer(asked);
    const response: ResponseObject = {
      id: `resp_${crypto.randomUUID().replaceAll("-", "")}`,
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      status: "in_progress",
      model: modelName,
      output: [],
      usage: null,
    };
    const completed: ResponseObject = {
      ...response,
      status: "completed",
      output: [{
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      }],
      usage: countTokens(asked, text),
    };
    if (!asked.stream) {
      keep(completed);
      return Response.json(completed);
    }
    keep(response);
    return new Response(streamEvents(), { headers: { "Content-Type": "text/event-stream" } });

    function streamEvents(): ReadableStream<Uint8Array> {
      async function* events() {
        yield { type: "response.created", response };
        for (const delta of text.match(/\s*\S+/g) ?? []) {
          await delay(wordDelay);
          yield { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta };
        }
        keep(completed);
        yield { type: "response.completed", response: completed };
      }
      let sequence_number = 0;
      return ReadableStream.from(events()).pipeThrough(
        new TransformStream({
          transform(event: { type: string }, controller) {
            controller.enqueue(
              `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence_number++ })}\n\n`,
            );
          },
        }),
      ).pipeThrough(new TextEncoderStream());
    }
  };
}

/** What the offline model says. */
export function answer({ instructions: given, input = "" }: ModelRequest): string {
  const instructions = given ?? "";
  const [, name = "your coach"] = /^You are ([^,\n]+),/.exec(instructions) ?? [];
  const [, persona = instructions] = /<persona>\n([\s\S]*)\n<\/persona>/.exec(instructions) ?? [];
  const question = typeof input === "string" ? input : readText(input.at(-1)?.content);
  // The search has found out which passage fits best.
  const [best] = readMaterial(input);
  const quote = `“${pickQuote(best?.text ?? persona, question)}”`;
  const said = best ? `In "${best.source}" I wrote: ${quote}` : quote;
  return [
    `This is ${name}, in the words I was given: ${said}`,
    "(I am the offline model: I quote, I do not think. Set OPENAI_API_KEY to talk to a real one.)",
  ].join("\n\n");
}

/** The text of an item's content, which is a string or a list of parts. */
function readText(content: unknown): string {
  const { data: parts } = contentParts.safeParse(content);
  return parts === undefined ? String(content ?? "") : parts.map(({ text }) => text ?? "").join("");
}

/** The passages before the question. */
function readMaterial(input: ModelRequest["input"]): z.output<typeof quotedPassage>[] {
  const before = typeof input === "string" ? undefined : input?.at(-2);
  if (before?.role !== "user") return [];
  return readText(before.content).split("\n").filter((line) => line.startsWith('{"source":'))
    .map((line) => quotedPassage.parse(JSON.parse(line)));
}

function countTokens(asked: ModelRequest, text: string) {
  const input_tokens = Math.ceil(JSON.stringify(asked).length / 4);
  const output_tokens = Math.ceil(text.length / 4);
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}
