import { assert, assertEquals } from "./assert.ts";
import { acceptOf, ask, type Credentials, readEvents, readTypedEvents, readTypedText, receive } from "./client.ts";
import type { ModelScript, ModelServer, Step } from "./model_server.ts";
import { failureOf } from "./refusals.ts";
import type { Service } from "./service.ts";
import { storedAnswer } from "./turns.ts";

/** The forms of a reply that may break off. */
export type StreamForm = "text" | "events";
export const forms: StreamForm[] = ["text", "events"];

/** The record of a turn: what the person saw, what was stored and logged, and its cost. */
export type TurnRecord = {
  threadId: string;
  messageId: string;
  /** Of the reply, or of the `error` event that ended it. */
  status: number;
  /** Null where nothing failed, and where a stream of text breaks: it cannot say why. */
  code: string | null;
  retryAfter: string | null;
  /** The text that was read, whole or not. */
  text: string;
  /** The sentence of the error. */
  error: string | null;
  /** True if the reply was visibly cut: by a broken connection, or by an `error` event. */
  isBroken: boolean;
  hasPings: boolean;
  stored: Awaited<ReturnType<typeof storedAnswer>>;
  /** The contents of the thread's messages, as they are listed. */
  listed: string[];
  /** The log line `turn`. */
  line: Record<string, unknown>;
  /** All log lines of the turn's request. */
  lines: Record<string, unknown>[];
};

/** Sends a message, reads the reply up to its end or break, and records everything that the turn has left behind. */
export async function recordTurn(
  service: Service,
  tenant: Credentials & { coachId: string },
  { message = "Go", threadId, userId = "u", form = "text" }: {
    message?: string;
    threadId?: string;
    userId?: string | null;
    form?: StreamForm;
  } = {},
): Promise<TurnRecord> {
  const requestId = crypto.randomUUID();
  const body = { message, thread_id: threadId, context: { coachId: tenant.coachId, userId } };
  const reply = await receive(service, "POST", "/chat", tenant, body, {
    headers: { Accept: acceptOf[form], "X-Request-Id": requestId },
  });
  await service.turns();
  const messageId = reply.headers.get("X-Message-Id");
  if (messageId === null) throw new Error(`No turn was begun: ${reply.status} ${reply.text}`);
  const thread = reply.headers.get("X-Thread-Id")!;
  const { json } = await ask(service, "GET", `/threads/${thread}/messages`, tenant);
  const lines = (await service.logs()).filter(({ request_id }) => request_id === requestId);
  const isStream = reply.status === 200;
  const failure = isStream && form === "events"
    ? readTypedEvents(reply.text).find(({ event }) => event === "error")?.data
    : undefined;
  return {
    threadId: thread,
    messageId,
    status: failure?.status ?? reply.status,
    code: failure?.code ?? reply.headers.get("X-Error-Code"),
    retryAfter: reply.headers.get("Retry-After"),
    text: !isStream ? "" : form === "events" ? readTypedText(reply.text) : readEvents(reply.text),
    error: failure?.error ?? (isStream ? null : JSON.parse(reply.text).error),
    isBroken: reply.isBroken || failure !== undefined,
    hasPings: reply.text.includes(": ping\n"),
    stored: await storedAnswer(messageId),
    listed: json.data.map(({ content }: { content: string }) => content),
    line: lines.find(({ event }) => event === "turn") ?? {},
    lines,
  };
}

/** The states of an answer, for the person and in Postgres. */
export type ExpectedAnswer = {
  text: string;
  phase?: "commentary" | "final_answer" | null;
  responseId?: string | null;
  /** The tokens that the server reports; null if it reports none, so that they are estimated. */
  usage?: [inputTokens: number, outputTokens: number] | null;
};

/** Checks that a turn was answered to its end: seen, stored, listed and logged alike. What is not expected may be anything. */
export function assertAnswered(record: TurnRecord, { text, ...expected }: ExpectedAnswer): void {
  const { status, isBroken, stored, listed, line } = record;
  const shown = JSON.stringify(record, null, 2);
  assertEquals([status, record.text, isBroken], [200, text, false], shown);
  assertEquals([stored.status, stored.content, stored.error_code, stored.error], ["complete", text, null, null], shown);
  assertEquals([listed.at(-1), line.level, line.status], [text, "info", "complete"], shown);
  if (expected.phase !== undefined) assertEquals(stored.phase, expected.phase, shown);
  if (expected.responseId !== undefined) assertEquals(stored.response_id, expected.responseId, shown);
  if (expected.usage !== undefined) {
    const { input_tokens, output_tokens, is_estimated } = stored;
    assertEquals(is_estimated, expected.usage === null, shown);
    if (expected.usage !== null) assertEquals([input_tokens, output_tokens], expected.usage, shown);
    else assert(input_tokens! > 0 && output_tokens! > 0, shown);
  }
}

/** The failures of an answer. */
export type ExpectedFailure = {
  status: number;
  code: string;
  error: string;
  retryAfter?: string | null;
  /** The text that came before. */
  said?: string;
  /** The operator's text in the log and in `messages.error`. */
  reason?: RegExp;
};

/** The person's message when the model fails. */
export const failures = {
  refused: failureOf("model_refused"),
  busy: failureOf("model_busy"),
  misconfigured: failureOf("model_misconfigured"),
  tooLong: failureOf("message_too_long"),
  unavailable: failureOf("model_unavailable"),
  timedOut: failureOf("model_timed_out"),
};

/** Checks that a turn has failed: for the person, in Postgres and in the log. What is not expected may be anything. */
export function assertFailed(
  record: TurnRecord,
  { status, code, error, retryAfter, said = "", reason }: ExpectedFailure,
  form: StreamForm = "text",
): void {
  const { stored, listed, line } = record;
  const shown = JSON.stringify(record, null, 2);
  // A stream of text that has begun has no place for an error: it breaks off.
  const seen = form === "text" && said !== "" ? [200, null, null] : [status, code, error];
  assertEquals([record.status, record.code, record.error, record.text], [...seen, said], shown);
  if (form === "events" || said !== "") assertEquals(record.isBroken, true, shown);
  else if (retryAfter !== undefined) assertEquals(record.retryAfter, retryAfter, shown);
  assertEquals([stored.status, stored.error_code, stored.content], ["failed", code, said], shown);
  assertEquals(listed.at(-1) === said, said !== "", shown);
  assertEquals([line.code, line.status], [code, "failed"], shown);
  for (const told of [line.reason, stored.error]) {
    assertEquals(String(told).startsWith(error), true, shown);
    if (reason) assertEquals(reason.test(String(told)), true, `${reason}\n${shown}`);
  }
}

/** The number of requests to a model during a turn. */
export async function countRequests<Result>(
  model: ModelServer,
  modelName: string,
  run: () => Promise<Result>,
): Promise<[result: Result, requests: number]> {
  const before = model.requestsOf(modelName).length;
  const result = await run();
  return [result, model.requestsOf(modelName).length - before];
}

/** A script that sends a stream just as it is written here. */
export function sendStream(stream: string, ending: Step[] = []): ModelScript {
  return { steps: [{ bytes: stream }, ...ending] };
}
