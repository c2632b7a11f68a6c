import type { Context as HonoContext } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { AppEnv } from "../../http/app_env.ts";
import { createEventStream, eventStreamHeaders } from "../../http/event_stream.ts";
import type { AnswerHead } from "../../answers/answer.ts";
import type { AnswerSink } from "../answer_sink.ts";
import { createObjectSink, createResumableSink, createTextSink, createTypedSink } from "./answer_sinks.ts";

/** How a reply is written: the interface's text, typed events, or one JSON object. */
export type ReplyForm = "text" | "events" | "object";

/**
 * The form that an `Accept` header asks for. Only a client that names JSON and would take nothing else gets the object:
 * many send `application/json` beside the wildcard without meaning it.
 */
export function chooseForm(accept: string | undefined): ReplyForm {
  const accepted = parseAccept(accept ?? "").filter(({ q }) => q > 0)
    .map(({ type, params }) => ({ type: type.toLowerCase(), profile: params.profile }));
  const names = (name: string) => accepted.some(({ type }) => type === name);
  if (accepted.some(({ type, profile }) => type === "text/event-stream" && profile === "events")) return "events";
  return names("application/json") && !names("text/event-stream") && !names("*/*") ? "object" : "text";
}

/**
 * Replies with an answer in one of the forms. `produce` goes on when the client leaves.
 *
 * @param options.after characters that the reader has; only who resumes a stream gives them, and gets ids
 * @throws what `produce` has failed with before anything was sent.
 */
export async function replyWithAnswer(
  c: HonoContext<AppEnv>,
  head: AnswerHead,
  { form, after, produce }: { form: ReplyForm; after?: number; produce: (sink: AnswerSink) => Promise<void> },
): Promise<Response> {
  const { waitUntil, timeouts } = c.var.ctx.services;
  nameAnswer(c, head);
  if (form === "object") {
    const sink = createObjectSink(head);
    waitUntil(produce(sink));
    return c.json(await sink.whole);
  }
  const events = createEventStream(timeouts.quiet);
  waitUntil(produce(createSink()));
  await events.begun;
  return c.body(events.stream, 200, eventStreamHeaders);

  function createSink(): AnswerSink {
    if (form === "events") return createTypedSink(events, head, after ?? 0);
    return after === undefined ? createTextSink(events) : createResumableSink(events, head, after);
  }
}

/** Sets the headers that name an answer. */
export function nameAnswer(c: HonoContext<AppEnv>, { threadId, messageId }: AnswerHead): void {
  c.header("X-Thread-Id", threadId);
  c.header("X-Message-Id", messageId);
}
