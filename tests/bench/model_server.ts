/**
 * A stand-in for a language model, in its own process. It sends streams of the Responses API. The name of the model is
 * a query string with options: `chunks` (their number), `first` (ms before the first chunk), `gap` (ms between two
 * chunks; without it all events are one network write), `gate` (answers only when that many requests wait), `status`
 * (sends only an error of that status), `cut` (the stream ends after that many chunks).
 */
import { delay } from "deno-std/async/delay.js";
import { spokenChunks } from "./spoken_chunks.ts";

type Request = { model: string; instructions: string; input: { content: string }[] };

const encoder = new TextEncoder();
const gate = { waiting: 0, opened: Promise.withResolvers<void>() };

Deno.serve({ onListen: () => {} }, async (request) => {
  if (request.method !== "POST") return new Response(null, { status: 404 });
  const asked: Request = await request.json();
  const manner = new URLSearchParams(asked.model);
  const [gap, first] = [Number(manner.get("gap")), Number(manner.get("first"))];
  if (manner.has("status")) {
    const error = { message: "As asked", type: "server_error", param: null, code: null };
    // Without this header the official client waits half a second and more before it tries again.
    return Response.json({ error }, { status: Number(manner.get("status")), headers: { "Retry-After-Ms": "1" } });
  }
  const [opening, told, end] = describeReply(asked, Number(manner.get("chunks")));
  const [deltas, ending] = manner.has("cut") ? [told.slice(0, Number(manner.get("cut"))), []] : [told, end];

  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (...events: string[]) => controller.enqueue(encoder.encode(events.join("")));
      if (gap === 0) write(...opening, ...deltas, ...ending);
      else {
        for (const event of opening) write(event);
        if (manner.has("gate")) await pass(Number(manner.get("gate")));
        await delay(first);
        for (const [index, event] of deltas.entries()) {
          if (index > 0) await delay(gap);
          write(event);
        }
        for (const event of ending) write(event);
      }
      controller.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
});

/** Waits until `count` requests have arrived; then lets one through every few milliseconds. */
async function pass(count: number): Promise<void> {
  const place = gate.waiting++;
  if (gate.waiting === count) gate.opened.resolve();
  await gate.opened.promise;
  await delay(place * 6);
}

/** The events of a reply, as the real API sends them: before, during and after the text. */
function describeReply(asked: Request, count: number): [opening: string[], deltas: string[], ending: string[]] {
  const chunks = spokenChunks(asked.input.at(-1)?.content ?? "", count);
  const text = chunks.join("");
  const id = crypto.randomUUID().replaceAll("-", "");
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  const item = { id: `msg_${id}`, type: "message", status: "completed", content: [part], role: "assistant" };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const usage = {
    input_tokens: 611,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: count,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 611 + count,
  };
  const whole = {
    id: `resp_${id}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions,
    max_output_tokens: null,
    max_tool_calls: null,
    model: "gpt-5-mini-2025-08-07",
    output: [item],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: "low", summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: true,
    temperature: 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage,
    user: null,
    metadata: {},
  };
  const begun = { ...whole, status: "in_progress", output: [], usage: null };

  let sequence = 0;
  const frame = (type: string, fields: Record<string, unknown>) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
  return [
    [
      frame("response.created", { response: begun }),
      frame("response.in_progress", { response: begun }),
      frame("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress", content: [] } }),
      frame("response.content_part.added", { ...place, part: { ...part, text: "" } }),
    ],
    chunks.map((delta) =>
      frame("response.output_text.delta", {
        ...place,
        delta,
        logprobs: [],
        obfuscation: "k3Xw9bQ1zR".slice(delta.length % 8),
      })
    ),
    [
      frame("response.output_text.done", { ...place, text, logprobs: [] }),
      frame("response.content_part.done", { ...place, part }),
      frame("response.output_item.done", { output_index: 0, item }),
      frame("response.completed", { response: whole }),
    ],
  ];
}
