import type { Context as HonoContext } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { AppEnv } from "../../http/app_env.ts";
import { createEventStream, type EventStream, eventStreamHeaders } from "../../http/event_stream.ts";
import type { ReadFields, Reply } from "../../http/endpoint.ts";
import type { AnswerHead } from "../../core/answers/answer.ts";
import type { AnswerToCome } from "./answer_message.ts";
import { createObjectSink, createResumableSink, createTextSink, createTypedSink } from "./answer_sinks.ts";

/** The form of a reply: the interface's text, typed events, or one JSON object. */
export type ReplyForm = "text" | "events" | "object";

/**
 * Chooses the form that an `Accept` header asks for. Only a client that accepts JSON and nothing else gets the object:
 * many clients send `application/json` together with the wildcard without wanting it.
 */
export function chooseForm(accept: string | undefined): ReplyForm {
  const accepted = parseAccept(accept ?? "").filter(({ q }) => q > 0)
    .map(({ type, params }) => ({ type: type.toLowerCase(), profile: params.profile }));
  const names = (name: string) => accepted.some(({ type }) => type === name);
  if (accepted.some(({ type, profile }) => type === "text/event-stream" && profile === "events")) return "events";
  return names("application/json") && !names("text/event-stream") && !names("*/*") ? "object" : "text";
}

/** Replies to a message. */
export const replyWithNewAnswer: Reply<AnswerToCome> = (c, answer) => {
  return replyWithAnswer(c, answer, { form: readForm(c) });
};

/** The rest of an answer. */
export type ResumedAnswer = AnswerToCome & {
  /** The number of characters that the reader has. */
  after: number;
  /** True if the reader has all the text, and the answer has ended or waits for the expert. */
  isRead: boolean;
};

/** Replies to a reader who resumes an answer. */
export const replyWithResumedAnswer: Reply<ResumedAnswer> = (c, answer) => {
  const form = readForm(c);
  if (form === "text" && answer.isRead) {
    nameAnswer(c, answer.head);
    // An EventSource reconnects whenever a stream ends. This status stops it.
    return c.body(null, 204);
  }
  return replyWithAnswer(c, answer, { form, after: answer.after });
};

/** A reply of one object always contains the whole answer, however much of it the reader has. */
export const readLastEventId: ReadFields = (c) =>
  readForm(c) === "object" ? { lastEventId: undefined, after: undefined } : {};

function readForm(c: HonoContext<AppEnv>): ReplyForm {
  return chooseForm(c.req.header("Accept"));
}

/** The same where the reply is one object unless a stream is asked for by its name. */
export function readNamedForm(c: HonoContext<AppEnv>): ReplyForm {
  return /text\/event-stream/i.test(c.req.header("Accept") ?? "") ? readForm(c) : "object";
}

/**
 * Replies with an answer in one of the forms. The answer is produced to its end even if the client disconnects.
 *
 * @param options.after characters that the reader has; only for a resumed stream, whose events have IDs
 * @throws the failure of an answer of which nothing was sent.
 */
async function replyWithAnswer(
  c: HonoContext<AppEnv>,
  { head, produce }: AnswerToCome,
  { form, after }: { form: ReplyForm; after?: number },
): Promise<Response> {
  nameAnswer(c, head);
  if (form === "object") {
    const sink = createObjectSink(head, c.req.raw.signal);
    c.get("incoming").services.waitUntil(produce(sink));
    return c.json(await sink.whole);
  }
  return await streamAnswer(c, (events) => {
    if (form === "events") return produce(createTypedSink(events, head, after ?? 0));
    return produce(after === undefined ? createTextSink(events) : createResumableSink(events, head, after));
  });
}

/** Replies with a stream. @throws the failure of one of which nothing was sent. */
export async function streamAnswer(
  c: HonoContext<AppEnv>,
  produce: (events: EventStream) => Promise<void>,
): Promise<Response> {
  const { waitUntil, timeouts } = c.get("incoming").services;
  const events = createEventStream(timeouts.quiet);
  waitUntil(produce(events));
  await events.begun;
  return c.body(events.stream, 200, eventStreamHeaders);
}

/** Sets the headers that identify an answer. */
function nameAnswer(c: HonoContext<AppEnv>, { threadId, messageId }: AnswerHead): void {
  c.header("X-Thread-Id", threadId);
  c.header("X-Message-Id", messageId);
}
