import type { Context as HonoContext } from "hono";
import { ApiError } from "../../infra/errors.ts";
import type { AppEnv } from "../../http/app_env.ts";
import { createEventStream, type EventStream, eventStreamHeaders } from "../../http/event_stream.ts";
import { describeError } from "../../libs/base/log.ts";
import type { Ending } from "../../core/answers/answer.ts";
import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import type { ClientAnswer } from "./ask.ts";
import type { TaskAnswer } from "./tasks.ts";

/** A sink whose answer can be waited for as one object. */
export type ObjectSink = AnswerSink & { whole: Promise<unknown> };

/** An answer in the forms of a reply. */
export type Sending = {
  answer: ClientAnswer | TaskAnswer;
  /** The field with the conversation, which may be too long for the model. */
  param: "messages" | "input";
  /** Null: the reply is one object. */
  createStreamSink: ((events: EventStream) => AnswerSink) | null;
  createObjectSink: () => ObjectSink;
  /** Called when the answer has ended; not where it waits for the expert. */
  afterwards?: () => Promise<void>;
};

/**
 * Replies with an answer. It is produced to its end; if the client has left, it is stopped after a while, because these
 * clients have no other way to stop it.
 *
 * @throws the failure of an answer of which nothing was sent.
 */
export async function sendAnswer(c: HonoContext<AppEnv>, sending: Sending): Promise<Response> {
  const { services } = c.get("incoming");
  const { answer, createStreamSink, createObjectSink } = sending;
  const { head } = answer;
  if ("threadId" in head) {
    c.header("X-Thread-Id", head.threadId);
    c.header("X-Message-Id", head.messageId);
  }
  const left = leaving(c.req.raw.signal);
  if (createStreamSink === null) {
    const sink = createObjectSink();
    services.waitUntil(produce(c, sending, sink, left));
    return c.json(await sink.whole as object);
  }
  const events = createEventStream(services.timeouts.quiet);
  services.waitUntil(produce(c, sending, createStreamSink(events), Promise.race([left, events.closed])));
  await events.begun;
  return c.body(events.stream, 200, eventStreamHeaders);
}

/** Returns whether a model has declined after some text: that is an end of its own kind, not a failure. */
export function isRefusalAfterText(failure: ApiError, hasText: boolean): boolean {
  return failure.code === "model_refused" && hasText;
}

function nameParam(failure: ApiError, param: Sending["param"]): ApiError {
  const { status, code, message, options } = failure;
  return code === "message_too_long" ? new ApiError(status, code, message, { ...options, param }) : failure;
}

/** Resolves when a client has left, which may be before its question was accepted. */
function leaving(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Produces an answer, and stops it a while after its reader has left; one that another request writes goes on. */
async function produce(
  c: HonoContext<AppEnv>,
  { answer, param, afterwards }: Sending,
  sink: AnswerSink,
  left: Promise<void>,
): Promise<void> {
  const { services: { timeouts }, log } = c.get("incoming");
  const stopped = Promise.withResolvers<void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let status = "streaming" as Ending["status"];
  left.then(() => {
    if (status !== "streaming") return;
    timer = setTimeout(() => {
      const reason = (error: unknown) => log("warn", "answer_not_stopped", { reason: describeError(error) });
      answer.leave().catch(reason).finally(stopped.resolve);
    }, timeouts.leave);
  });
  await answer.produce({
    ...sink,
    end(ending, failure) {
      status = failure === undefined ? ending.status : "failed";
      sink.end(ending, failure && nameParam(failure, param));
    },
  });
  if (status === "streaming") await stopped.promise;
  clearTimeout(timer);
  try {
    if (status !== "waiting") await afterwards?.();
  } catch (error) {
    log("error", "turn_not_erased", { reason: describeError(error) });
  }
}
