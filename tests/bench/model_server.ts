/**
 * A stand-in for a language model, in its own process. It sends streams of the Responses API. The name of the model is
 * a query string with options: `chunks` (their number), `first` (ms before the first chunk), `gap` (ms between two
 * chunks; without it all events are one network write), `gate` (answers only when that many requests wait), `status`
 * (sends only an error of that status), `cut` (the stream ends after that many chunks).
 */
import { delay } from "../../shared/libs/base/std/async.ts";
import { createEventFormatter, createResponseEvents, newId, type StreamEvent } from "../support/response_events.ts";
import { serveStandingIn } from "./serve_standing_in.ts";
import { spokenChunks } from "./spoken_chunks.ts";

type Request = { model: string; instructions: string; input: { content: string }[] };

const encoder = new TextEncoder();
const gate = { waiting: 0, opened: Promise.withResolvers<void>() };

serveStandingIn(async (request) => {
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
  const [deltas, ending] = manner.has("cut") ? [told.slice(0, Number(manner.get("cut"))), ""] : [told, end];

  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (...events: string[]) => controller.enqueue(encoder.encode(events.join("")));
      if (gap === 0) write(opening, ...deltas, ending);
      else {
        write(opening);
        if (manner.has("gate")) await pass(Number(manner.get("gate")));
        await delay(first);
        for (const [index, event] of deltas.entries()) {
          if (index > 0) await delay(gap);
          write(event);
        }
        write(ending);
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

/** The events of a reply: before, during and after the text. */
function describeReply(asked: Request, count: number): [opening: string, deltas: string[], ending: string] {
  const events = createResponseEvents(asked, newId("resp"));
  const format = createEventFormatter();
  const write = (list: StreamEvent[]) => list.map(format).join("");
  const opening = write(events.begin());
  const deltas = spokenChunks(asked.input.at(-1)?.content ?? "", count).map((text) => write(events.addText(text)));
  return [opening, deltas, write(events.complete({ input_tokens: 611, output_tokens: count }))];
}
