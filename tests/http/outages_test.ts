import { type ApiError, errors, usualRetryAfter } from "../../shared/infra/errors.ts";
import { deadline } from "../../shared/libs/base/std/async.ts";
import type { timeouts } from "../../shared/infra/timeouts.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import {
  acceptOf,
  ask,
  assertReply,
  chat,
  type Credentials,
  formOf,
  type NewFile,
  readEvents,
  readTypedEvents,
  readTypedText,
  receive,
  type Received,
  type ReplyForm,
  send,
  upload,
} from "../support/client.ts";
import { deleteRows } from "../support/knowledge.ts";
import type { ModelScript, Step } from "../support/model_server.ts";
import { createTenant, createUser, operator, secretKey, type Tenant } from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { type Service, startService } from "../support/service.ts";
import { slow, stepEach } from "../support/slow.ts";
import type { Fault } from "../support/supabase_proxy.ts";
import { changeAnswer, storeAnswer } from "../support/turns.ts";

const allForms = Object.keys(acceptOf) as ReplyForm[];

/**
 * Shorter than the default timeouts of model, Postgres and Storage: a reply within it proves that a row's timeouts
 * apply.
 */
const patience = 9_500;
const soon = 1_000;

const question = "my secret diary";
const modelKey = "sk-outages";

/** Texts that must not appear in replies to others or in log lines: the caller's input, keys, and the prompt. */
const secrets = [
  question,
  modelKey,
  secretKey,
  "Explain with engines",
  "hi_live_",
  "secret prompt",
  "arranged",
];

/** Texts that operators may see, but clients may not. */
const internals = [
  "Scripted error",
  "PGRST",
  "DatabaseError",
  "StorageError",
  "ModelError",
  "/rpc/",
  "127.0.0.1",
  ".ts:",
];

function assertWithout(words: string[], ...shown: unknown[]) {
  for (const word of words) {
    assert(!JSON.stringify(shown).includes(word), `${word} in ${JSON.stringify(shown, null, 1)}`);
  }
}

/** Lists the open timers, with where each was set, except those of the test Redis. */
function watchTimers(): Disposable & { open: () => string[] } {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  const open = new Map<unknown, string>();
  const whence = () => new Error().stack ?? "";
  Object.assign(globalThis, {
    setTimeout(run: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) {
      const id = setTimeout(() => {
        open.delete(id);
        run(...args);
      }, delay);
      open.set(id, whence());
      return id;
    },
    setInterval(...args: Parameters<typeof setInterval>) {
      const id = setInterval(...args);
      open.set(id, whence());
      return id;
    },
    clearTimeout(id?: number) {
      open.delete(id);
      clearTimeout(id);
    },
    clearInterval(id?: number) {
      open.delete(id);
      clearInterval(id);
    },
  });
  const ofService = () => [...open.values()].filter((stack) => !stack.includes("js-redis-server"));
  return { open: ofService, [Symbol.dispose]: () => void Object.assign(globalThis, real) };
}

/** Sends a request and reads the reply, even one that breaks off; one that takes too long rejects. */
function receiveInTime(...[service, method, path, credentials, body, init]: Parameters<typeof send>) {
  return receive(service, method, path, credentials, body, { ...init, signal: AbortSignal.timeout(patience) });
}

/** The expected reply. */
type Expected = {
  form: ReplyForm;
  /** The text that arrives. */
  said: string;
  failure: ApiError | null;
  /** True if the failure comes before the turn begins: the reply is then a plain error in every form. */
  isEarly?: boolean;
};

/** Checks that a reply is a whole answer, a broken one, or the failure as the catalogue has it. */
function judgeReply(reply: Received, { form, said, failure, isEarly = false }: Expected) {
  const shown = JSON.stringify({ ...reply, headers: [...reply.headers] }, null, 1);
  const isInStream = !isEarly && (form === "events" || form === "text" && said !== "");
  assertEquals(reply.status, failure && !isInStream ? failure.status : 200, shown);
  assertEquals(reply.isBroken, failure !== null && isInStream && form === "text", shown);
  assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*", shown);
  assertWithout([...secrets, ...internals], reply.text, [...reply.headers]);
  assertEquals(reply.headers.get("X-Error-Code"), failure && !isInStream ? failure.code : null, shown);
  if (failure && !isInStream) return assertEquals(JSON.parse(reply.text), failure.toJSON(), shown);
  if (form === "object") return assertEquals(JSON.parse(reply.text).message.content, said, shown);
  if (form === "text") return assertEquals(readEvents(reply.text), said, shown);

  const events = readTypedEvents(reply.text);
  assertEquals(events[0]?.event, "meta", shown);
  assertEquals(readTypedText(reply.text), said, shown);
  assertEquals(events.at(-1)?.event, failure ? "error" : "done", shown);
  const told = events.filter(({ event }) => event === "error").map(({ data }) => data);
  assertEquals(told, failure ? [{ status: failure.status, code: failure.code, ...failure.toJSON() }] : [], shown);
}

/**
 * Checks what was logged above the level of info: each of the named lines once and, for a status of 500 or more, the
 * request's line; all with the request's id and a reason, and no other line.
 */
async function judgeLog(
  service: Service,
  requestId: string,
  status: number,
  alarms: { event: string; reason: string }[],
) {
  const shown = JSON.stringify(await service.logs(), null, 1);
  const expected = [...alarms, ...(status >= 500 ? [{ event: "request", reason: "Error" }] : [])];
  const alarming = (await service.logs()).filter(({ level }) => level !== "info");
  assertEquals(alarming.map(({ event }) => event), expected.map(({ event }) => event), shown);
  for (const [index, line] of alarming.entries()) {
    assertEquals(line.request_id, requestId, shown);
    assert(typeof line.reason === "string" && line.reason !== "", shown);
    const { reason } = expected[index]!;
    assert(String(line.reason).includes(reason), `${reason} is missing in ${shown}`);
  }
  const replies = (await service.logs()).filter(({ event, request_id }) =>
    event === "request" && request_id === requestId
  );
  assertEquals(replies.map((line) => line.status), [status], shown);
  assertWithout(secrets, await service.logs());
}

/** Something that goes wrong while a message is answered, and the expected outcome. */
type Outage = {
  name: string;
  env?: Record<string, string>;
  timeouts?: Partial<typeof timeouts>;
  /** The model's replies, request by request; by default "Hello world". */
  model?: ModelScript[];
  /** The fate of the requests to Supabase. */
  fault?: () => (path: string) => Fault;
  /** The message is a note for the coach's knowledge, sent by the coach's own user. */
  isNote?: boolean;
  /** Breaks something else. */
  begin?: (service: Service) => void;
  /** Repairs it. */
  end?: (service: Service) => void;
  /** The answer's text that arrives. */
  said: string;
  /** Null: the answer is complete nevertheless. */
  failure: ApiError | null;
  /** The reason in the turn's log line. */
  reason?: string;
  /** Events of the warnings that are logged before the turn's line. */
  warnings?: string[];
  /** True if a message is admitted in a call of its own, even after the outage. */
  isAdmittedFirst?: boolean;
  /** The stored rows of the turn: none, its two rows, or its end (the default). */
  stored?: "nothing" | "beginning" | "end";
  /** True if it fails before the turn begins, so that the reply does not name a thread. */
  isEarly?: boolean;
  /** The number of calls of the model. */
  asked: number;
  /** True if `fetch` may repeat each request, as Deno's does when the connection breaks before a reply. */
  isRepeated?: boolean;
  /** True if the service aborts the last call. */
  isHungUp?: boolean;
};

/** The caller for one form of reply; has a token when the message must come from the coach's own user. */
type Sender = Tenant & Credentials;

async function createSender(isCoach: boolean): Promise<Sender> {
  const user = isCoach ? await createUser() : undefined;
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: user?.id });
  return { ...tenant, accessToken: user?.accessToken };
}

/** Starts a service to which one message will be sent during the outage. */
async function prepare(outage: Outage, form: ReplyForm, sender: Sender) {
  const service = await startService({
    losesReplies: true,
    env: { OPENAI_API_KEY: modelKey, ...outage.env },
    timeouts: outage.timeouts,
    isIndexerAsleep: true,
  });
  // A failure before the turn began names no thread, so start one to read afterwards.
  const threadId = outage.isEarly ? (await startThread(service, sender)).threadId : undefined;
  await service.clearLogs();
  return { outage, form, service, sender, threadId, asked: service.model.requestsOf(sender.modelName).length };
}
type Play = Awaited<ReturnType<typeof prepare>>;

/** Sends the message while the outage lasts, and checks the reply, the log and the model's requests. */
async function play({ outage, form, service, sender, threadId, asked }: Play): Promise<string> {
  const { said, failure, isEarly = false } = outage;
  outage.begin?.(service);
  service.supabase.fault = outage.fault?.() ?? "pass";
  service.model.script(sender.modelName, ...outage.model ?? [{ steps: [{ text: "Hello" }, { text: " world" }] }]);
  const requestId = crypto.randomUUID();
  const context = { coachId: sender.coachId, mode: outage.isNote ? "create_knowledge" : undefined };
  const message = { message: question, thread_id: threadId, context };
  const reply = await receiveInTime(service, "POST", "/chat", sender, message, {
    headers: { "X-Request-Id": requestId, Accept: acceptOf[form] },
  });
  judgeReply(reply, { form, said, failure, isEarly });
  assertEquals(reply.headers.get("X-Request-Id"), requestId);
  assertEquals(reply.headers.has("X-Thread-Id"), !isEarly);

  await deadline(service.turns(), patience);
  const exchanges = service.model.requestsOf(sender.modelName).slice(asked);
  await deadline(Promise.all(exchanges.map(({ over }) => over)), patience);
  if (outage.isRepeated) {
    assert(exchanges.length >= outage.asked && exchanges.length <= 2 * outage.asked, String(exchanges.length));
  } else assertEquals(exchanges.length, outage.asked);
  assertEquals(exchanges.at(-1)?.aborted ?? false, outage.isHungUp ?? false);

  const warnings = (outage.warnings ?? []).map((event) => ({ event, reason: "" }));
  const turn = failure && !isEarly ? [{ event: "turn", reason: outage.reason ?? "" }] : [];
  await judgeLog(service, requestId, reply.status, [...warnings, ...turn]);
  return threadId ?? reply.headers.get("X-Thread-Id")!;
}

/** Checks after the outage that the thread can be read and continued, with no other requests to the backend. */
async function goOn({ outage, service, sender, threadId: startedId }: Play, threadId: string) {
  const { said, failure, stored = "end" } = outage;
  outage.end?.(service);
  service.supabase.fault = "pass";
  service.supabase.requests.length = 0;
  service.model.script(sender.modelName, { steps: [{ text: "Well again" }] });
  const before = startedId === undefined ? [] : ["Before", "Hello world"];
  const kept = [
    ...before,
    ...(stored === "nothing" ? [] : [question]),
    ...(stored === "end" && said !== "" ? [said] : []),
  ];
  assertEquals(await contentsOf(service, sender, threadId), kept);
  const { data } = await operator.from("messages").select("status, error").eq("thread_id", threadId)
    .order("sequence").throwOnError();
  const status = stored === "beginning" ? "streaming" : failure && !isStoredWhole(outage) ? "failed" : "complete";
  const statuses = data.slice(before.length).map((message) => message.status);
  assertEquals(statuses, stored === "nothing" ? [] : ["complete", status]);
  if (status === "failed") assert(data.at(-1)!.error?.startsWith(failure!.message), String(data.at(-1)!.error));
  assertWithout(secrets, data);

  const next = await chat(service, sender, { message: "And now?", thread_id: threadId });
  assertEquals(next.answer, "Well again");
  const { input } = service.model.requestsOf(sender.modelName).at(-1)!.body;
  assertEquals((input as { content: string }[]).map(({ content }) => content), [...kept, "And now?"]);
  // On a slow machine the next chat also saves its progress.
  const requests = namesOf(service.supabase.requests).filter((name, index, { length }) =>
    name !== "save_turns" || index === length - 1
  );
  assertEquals(requests, [
    "list_messages",
    ...outage.isAdmittedFirst ? ["reserve_call"] : [],
    "begin_turn",
    "save_turns",
  ]);
}

/** Runs an outage in all forms of reply at the same time, and checks what holds for every outage. */
async function judge(outage: Outage, senders: Sender[]) {
  using timers = watchTimers();
  await using services = new AsyncDisposableStack();
  const plays = await Promise.all(allForms.map((form, index) => prepare(outage, form, senders[index]!)));
  for (const { service } of plays) services.use(service);
  const inAll = <Result>(phase: (play: Play, index: number) => Promise<Result>) =>
    Promise.all(plays.map((each, index) =>
      phase(each, index).catch((cause) => {
        throw new Error(`As ${each.form}: ${cause}`, { cause });
      })
    ));
  const threadIds = await inAll(play);
  assertEquals(timers.open(), []);
  await inAll((each, index) => goOn(each, threadIds[index]!));
}

/** If only the reply of Postgres is lost, the end of the turn is stored as usual. */
function isStoredWhole({ fault, isNote }: Outage): boolean {
  return fault !== undefined && !isNote;
}

/** The last segment of each path; for Postgres, the function's name. */
function namesOf(paths: string[]): string[] {
  return paths.map((path) => path.split("/").at(-1)!);
}

/** Starts a thread before the outage. */
function startThread(service: Service, tenant: Tenant) {
  return chat(service, tenant, { message: "Before", context: { coachId: tenant.coachId } });
}

async function contentsOf(service: Service, credentials: Credentials, threadId: string): Promise<string[]> {
  const reply = await ask(service, "GET", `/threads/${threadId}/messages`, credentials);
  assertReply(reply, 200);
  return reply.json.data.map(({ content }: { content: string }) => content);
}

/** Runs the outages one after the other; `npm test` runs only the quick ones. */
async function judgeAll(t: Deno.TestContext, quick: string[], outages: Outage[]) {
  const senders = await Promise.all(allForms.map(() => createSender(outages.some(({ isNote }) => isNote))));
  await stepEach(t, outages.map((outage) => [outage.name, outage]), { quick, run: (outage) => judge(outage, senders) });
}

const kinds = ["refuse", "hang", "lose", "stall"] as const satisfies Fault[];

/** True if the request is not carried out under this fault. */
function isUndone(fault: Fault): boolean {
  return fault === "refuse" || fault === "hang";
}

/** True if nothing reports the failure of the request. */
function isSlow(fault: Fault): boolean {
  return fault === "hang" || fault === "stall";
}

/** A fault for paths that contain `part`: the first `after` requests pass, the next `times` fail. */
function faultOf(part: string, fault: Fault, { after = 0, times = Infinity } = {}): (path: string) => Fault {
  let seen = 0;
  return (path) => {
    if (!path.includes(part)) return "pass";
    seen++;
    return seen > after && seen <= after + times ? fault : "pass";
  };
}

const unavailable = errors.modelUnavailable(null);
const misconfigured = errors.modelMisconfigured(null);
const refused = errors.modelRefused(null);
/**
 * To be retried after the short time that the scripted server asks for, or after the default time if it does not say.
 */
const [busyForNow, busy] = [errors.modelBusy(1, null), errors.modelBusy(usualRetryAfter, null)];
/** A reply of a careless server: it repeats the message, the prompt and the key. */
const careless = `Cannot answer "${question}" as told to "Explain with engines." with ${modelKey}`;
const timedOut = errors.modelTimedOut(null);
const hang: Step = { hang: true };
const inProgress: Step = { event: { type: "response.in_progress", response: {} } };
const errorEvent: Step = { event: { type: "error", code: "server_error", message: careless, param: null } };
const failedEvent: Step = {
  event: {
    type: "response.failed",
    response: { id: "r", status: "failed", error: { code: "rate_limit_exceeded", message: careless } },
  },
};
/** The backend ends the response early, for another reason than its length. */
const incompleteEvent: Step = {
  event: {
    type: "response.incomplete",
    response: { id: "r", status: "incomplete", incomplete_details: { reason: "content_filter" } },
  },
};
const malformed: Step = { bytes: "event: response.output_text.delta\ndata: {secret prompt\n\n" };
const withoutText: Step = {
  bytes: 'event: response.output_text.delta\ndata: {"delta": {"text": "secret prompt"}}\n\n',
};

Deno.test("the model fails before its first text", async (t) => {
  const cases: [name: string, steps: Step[], asked: number, reason: string, failure: ApiError][] = [
    ["refuses the key", [{ status: 401 }], 1, "401", misconfigured],
    ["refuses the request", [{ status: 400 }], 1, "400", unavailable],
    ["is not there", [{ status: 404, code: "model_not_found" }], 1, "look at coach_profiles.model", misconfigured],
    ["has too much to do", [{ status: 429 }], 3, "429", busyForNow],
    ["has an error", [{ status: 500 }], 3, "500", unavailable],
    ["is down", [{ status: 503 }], 3, "503", busyForNow],
    ["cuts the connection", [{ cut: true }], 3, "no reply", unavailable],
    ["cuts the stream", [inProgress, { cut: true }], 1, "stream_cut", unavailable],
    ["ends the body", [inProgress], 1, "stream_cut", unavailable],
    ["ends without a word", [{ end: true }], 2, "no_text", unavailable],
    ["sends a page", [{ bytes: "<html>secret prompt</html>" }], 3, "stream_cut", unavailable],
    ["sends an error event", [errorEvent, hang], 1, "server_error", unavailable],
    ["sends a failed event", [failedEvent, hang], 1, "rate_limit_exceeded", busy],
    ["sends an incomplete event", [incompleteEvent, hang], 1, "content_filter", refused],
    ["sends a malformed event", [malformed, hang], 1, "malformed_event", unavailable],
    ["sends a text that is none", [withoutText, hang], 1, "malformed_event", unavailable],
  ];
  await judgeAll(
    t,
    ["refuses the key", "has an error", "sends a failed event"],
    cases.map(([name, steps, asked, reason, failure]) => ({
      name,
      model: [{ steps }],
      said: "",
      failure,
      reason,
      asked,
      warnings: reason === "no_text" ? ["model_says_nothing"] : [],
      isRepeated: name === "cuts the connection",
      isHungUp: steps.at(-1) === hang,
    })),
  );
});

Deno.test("the model fails after its first text", async (t) => {
  const cases: [name: string, steps: Step[], reason: string, failure: ApiError][] = [
    ["cuts the stream", [{ cut: true }], "stream_cut", unavailable],
    ["ends the body", [inProgress], "stream_cut", unavailable],
    ["sends an error event", [errorEvent, hang], "server_error", unavailable],
    ["sends a failed event", [failedEvent, hang], "rate_limit_exceeded", busy],
    ["sends an incomplete event", [incompleteEvent, hang], "content_filter", refused],
    ["sends a malformed event", [malformed, hang], "malformed_event", unavailable],
    ["sends a text that is none", [withoutText, hang], "malformed_event", unavailable],
  ];
  await judgeAll(
    t,
    ["cuts the stream", "sends a failed event"],
    cases.map(([name, steps, reason, failure]) => ({
      name,
      // A second call would be answered, but there must be none.
      model: [{ steps: [{ text: "Half an" }, ...steps] }, { steps: [{ text: " answer" }] }],
      said: "Half an",
      failure,
      reason,
      asked: 1,
      isHungUp: steps.at(-1) === hang,
    })),
  );
});

Deno.test("the model does not answer in time", async (t) => {
  const cases: [name: string, steps: Step[], said: string, timeouts: Outage["timeouts"]][] = [
    ["says nothing", [hang], "", { firstChunk: soon }],
    ["begins and says nothing", [inProgress, hang], "", { betweenChunks: soon }],
    ["says nothing, and the turn has less time", [hang], "", { turn: soon }],
    ["falls silent", [{ text: "Half an" }, hang], "Half an", { betweenChunks: soon }],
    ["falls silent, and the turn has less time", [{ text: "Half an" }, hang], "Half an", { turn: soon }],
  ];
  await judgeAll(
    t,
    ["says nothing", "falls silent"],
    cases.map(([name, steps, said, timeouts]) => ({
      name,
      timeouts,
      model: [{ steps }, { steps: [{ text: "Too late" }] }],
      said,
      failure: timedOut,
      reason: timedOut.message,
      asked: 1,
      isHungUp: true,
    })),
  );
});

Deno.test("a failure that passes does not fail the answer", async (t) => {
  const whole = { said: "Hello world", failure: null, asked: 1 };
  const steps: Step[] = [{ text: "Hello" }, { text: " world" }];
  await judgeAll(t, ["the model answers 500 once", "Postgres refuses the end of a turn once"], [
    ...[{ status: 429 }, { status: 500 }].map((step) => ({
      ...whole,
      name: `the model answers ${step.status} once`,
      model: [{ steps: [step] }, { steps }],
      asked: 2,
    })),
    ...kinds.map((fault) => ({
      ...whole,
      name: `Postgres ${fault}s the end of a turn once`,
      timeouts: { database: soon },
      // `fetch` itself repeats a request whose reply is lost once.
      fault: () => faultOf("/save_turns", fault, { times: fault === "lose" ? 2 : 1 }),
    })),
  ]);
});

Deno.test("while Upstash fails, Postgres counts the requests", async (t) => {
  await using redis = await startRedisServer();
  const env = { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token };
  const outage = { said: "Hello world", failure: null, asked: 1, warnings: ["limiter_unavailable"] };
  await judgeAll(t, ["it is down"], [
    {
      ...outage,
      name: "it is down",
      env: { ...env, UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" },
    },
    { ...outage, name: "it refuses", env: { ...env, UPSTASH_REDIS_REST_TOKEN: "x" } },
    { ...outage, name: "it is slow", env, timeouts: { limiter: soon }, begin: redis.pause, end: redis.resume },
    {
      name: "it is slow, and Postgres down",
      env,
      timeouts: { limiter: soon },
      begin: redis.pause,
      end: redis.resume,
      fault: () => faultOf("/rpc/", "refuse"),
      said: "",
      failure: errors.unavailable(null),
      stored: "nothing",
      isEarly: true,
      warnings: ["limiter_unavailable"],
      asked: 0,
    },
  ]);
});

Deno.test("while embedding fails, passages are found by words only", async (t) => {
  const outages = { "is down": { status: 503 }, "refuses": { status: 401 }, "is slow": hang } as const;
  await judgeAll(
    t,
    ["their model is down"],
    Object.entries(outages).map(([name, failure]) => ({
      name: `their model ${name}`,
      env: { OPENAI_EMBEDDING_MODEL: "embedder" },
      timeouts: { embedQuery: soon },
      begin: (service) => service.model.scriptEmbeddings("embedder", failure),
      end: (service) => service.model.scriptEmbeddings("embedder", () => [1, 0]),
      said: "Hello world",
      failure: null,
      warnings: ["query_not_embedded"],
      isAdmittedFirst: true,
      asked: 1,
    })),
  );
});

Deno.test("Postgres fails when a turn begins", async (t) => {
  const outage = { timeouts: { database: soon }, said: "", isEarly: true, asked: 0 };
  await judgeAll(
    t,
    ["refuses everything", "loses the beginning"],
    kinds.flatMap((fault): Outage[] => [
      {
        ...outage,
        name: `${fault}s everything`,
        fault: () => faultOf("/rpc/", fault),
        failure: errors.unavailable(null),
        stored: isUndone(fault) ? "nothing" : "beginning",
      },
      {
        ...outage,
        name: `${fault}s the beginning`,
        fault: () => faultOf("/begin_turn", fault),
        failure: isSlow(fault) ? errors.unavailable(null) : errors.failed("Failed to answer the message", null),
        stored: isUndone(fault) ? "nothing" : "beginning",
      },
    ]),
  );
});

Deno.test("Postgres fails when a turn ends", async (t) => {
  await judgeAll(
    t,
    ["hangs the end"],
    kinds.map((fault): Outage => ({
      name: `${fault}s the end`,
      timeouts: { database: soon, save: soon },
      fault: () => faultOf("/save_turns", fault),
      said: "Hello world",
      failure: errors.unavailable(null),
      reason: "DatabaseError",
      stored: isUndone(fault) ? "beginning" : "end",
      asked: 1,
    })),
  );
});

Deno.test("Storage fails when a note is stored", async (t) => {
  await judgeAll(
    t,
    ["refuses the note"],
    kinds.map((fault): Outage => ({
      name: `${fault}s the note`,
      timeouts: { storage: soon },
      fault: () => faultOf("/storage/", fault),
      isNote: true,
      said: "",
      failure: errors.unavailable(null),
      reason: "StorageError",
      asked: 0,
    })),
  );
});

Deno.test("when the reply to a turn's beginning is lost, there is still one question and one answer", async (t) => {
  const whole = [{ role: "user", content: "Once" }, { role: "assistant", content: "Hello world" }];
  for (
    const [fault, times, status, stored, timeouts] of [
      ["lose", 1, 200, whole, {}],
      ["stall", 1, 200, whole, { database: soon }],
      // The call is repeated once, not more often.
      ["lose", 2, 500, [whole[0], { role: "assistant", content: "" }], {}],
    ] as const
  ) {
    await t.step(`Postgres ${fault}s it ${times} times → ${status}`, async () => {
      await using service = await startService({ losesReplies: true, timeouts });
      const tenant = await createTenant();
      const { threadId } = await startThread(service, tenant);
      service.supabase.fault = faultOf("/begin_turn", fault, { times });
      const reply = await receiveInTime(service, "POST", "/chat", tenant, { message: "Once", thread_id: threadId });
      assertEquals(reply.status, status);
      const { data } = await operator.from("messages").select("role, content").eq("thread_id", threadId)
        .order("sequence").throwOnError();
      assertEquals(data.slice(2), stored);
    });
  }
});

/** Stores an answer that another process is still writing, with the text "Half an". */
async function storeOpenAnswer(tenant: Tenant): Promise<string> {
  return (await storeAnswer(tenant, { content: "Half an", status: "streaming" })).messageId;
}

/** A request during an outage, and the expected outcome. */
type FailingRequest = {
  name: string;
  method: string;
  /** Creates the requested thing, and returns its path. */
  path: (service: Service, tenant: Tenant) => string | Promise<string>;
  files?: NewFile[];
  fault: (fault: Fault) => (path: string) => Fault;
  /** Null: the reply is the usual one. */
  failure: ApiError | null;
  /** The same, where a backend takes too long. */
  whenSlow?: ApiError;
  warnings?: string[];
  /** The status of the same request after the outage; 200 by default. */
  again?: (fault: Fault) => number;
};

const threads: Pick<FailingRequest, "method" | "path"> = { method: "GET", path: () => "/users/u/threads" };
const messages: Pick<FailingRequest, "method" | "path"> = {
  method: "GET",
  path: async (service, tenant) => `/threads/${(await startThread(service, tenant)).threadId}/messages`,
};
const stream: Pick<FailingRequest, "method" | "path"> = {
  method: "GET",
  path: async (service, tenant) => `/chat/${(await startThread(service, tenant)).messageId}/stream`,
};
const stop: Pick<FailingRequest, "method" | "path"> = {
  method: "POST",
  path: async (_service, tenant) => `/chat/${await storeOpenAnswer(tenant)}/stop`,
};
const search: Pick<FailingRequest, "method" | "path"> = {
  method: "GET",
  path: (_service, { coachId }) => `/knowledge-handler?coachId=${coachId}&search=diary`,
};
const storing: Pick<FailingRequest, "method" | "path" | "files"> = {
  method: "POST",
  path: (_service, { coachId }) => `/knowledge-handler?coachId=${coachId}`,
  files: [[`${question}.txt`, question]],
};
const deleting: Pick<FailingRequest, "method" | "path"> = {
  method: "DELETE",
  async path(service, { coachId, ...tenant }) {
    const { json } = await upload(service, tenant, coachId, [["a.txt", crypto.randomUUID()]]);
    return `/knowledge-handler/${json.uploadedFiles[0].fileId}?coachId=${coachId}`;
  },
};

const failingRequests: FailingRequest[] = [
  ...([
    ["threads", threads],
    ["messages", messages],
    ["stream", stream],
    ["stop", stop],
    ["search", search],
    ["storing", storing],
    ["deleting", deleting],
  ] as const).map(([name, asked]): FailingRequest => ({
    ...asked,
    name: `${name}, without Postgres`,
    fault: (fault: Fault) => faultOf("/rpc/", fault),
    failure: errors.unavailable(null),
    again: (fault) => name === "deleting" && !isUndone(fault) ? 404 : 200,
  })),
  ...([
    ["threads", threads, "Failed to fetch threads", "/list_threads"],
    ["messages", messages, "Failed to fetch messages", "/list_messages"],
    ["stream", stream, "Failed to fetch the answer", "/read_answer"],
    ["stop", stop, "Failed to stop the answer", "/stop_turn"],
    ["stop, while it waits for the run", stop, "Failed to stop the answer", "/read_answers"],
    ["search", search, "Failed to search files", "/search_knowledge"],
  ] as const).map(([name, asked, sentence, part]) => ({
    ...asked,
    name: `${name}, without ${part}`,
    fault: (fault: Fault) => faultOf(part, fault),
    failure: errors.failed(sentence, null),
    // Where it is the first call, nobody knows then whether the request is admitted.
    whenSlow: part === "/read_answers" ? undefined : errors.unavailable(null),
  })),
  {
    ...stop,
    name: "stop, when the run does not react, without the second /stop_turn",
    fault: (fault) => faultOf("/stop_turn", fault, { after: 1 }),
    failure: errors.failed("Failed to stop the answer", null),
  },
  {
    ...storing,
    name: "storing, without /begin_upload",
    fault: (fault) => faultOf("/begin_upload", fault),
    failure: errors.failed("Failed to upload files", null),
    whenSlow: errors.unavailable(null),
  },
  {
    ...storing,
    name: "storing, without /end_upload",
    fault: (fault) => faultOf("/end_upload", fault),
    failure: errors.failed("Failed to upload files", null),
    whenSlow: errors.unavailable(null),
    warnings: ["upload_not_ended"],
  },
  {
    ...storing,
    name: "storing, without Storage",
    fault: (fault) => faultOf("/storage/", fault),
    failure: errors.unavailable(null),
  },
  {
    ...deleting,
    name: "deleting, without /delete_knowledge_file",
    fault: (fault) => faultOf("/delete_knowledge_file", fault),
    failure: errors.failed("Failed to delete file", null),
    whenSlow: errors.unavailable(null),
    again: (fault) => isUndone(fault) ? 200 : 404,
  },
  {
    ...deleting,
    name: "deleting, without Storage",
    fault: (fault) => faultOf("/storage/", fault),
    failure: null,
    warnings: ["object_not_removed"],
    again: () => 404,
  },
];

Deno.test("no endpoint waits for a failing backend, and each works again after the outage", async (t) => {
  await using services = new AsyncDisposableStack();
  using timers = watchTimers();
  const setups = await Promise.all(kinds.map(async (kind) => ({
    kind,
    tenant: await createTenant({ requests_per_minute: 1_000 }),
    service: services.use(
      await startService({
        losesReplies: kind === "lose",
        timeouts: { database: soon, storage: soon, removal: soon, stop: soon, poll: 10 },
        isIndexerAsleep: true,
      }),
    ),
  })));
  await stepEach(t, failingRequests.map((request) => [request.name, request]), {
    quick: [
      "threads, without Postgres",
      "messages, without /list_messages",
      "stop, without /stop_turn",
      "storing, without Storage",
      "deleting, without Storage",
    ],
    async run({ method, files, warnings = [], ...request }) {
      const check = async ({ kind, service, tenant }: typeof setups[number]) => {
        const failure = isSlow(kind) && request.whenSlow ? request.whenSlow : request.failure;
        // A step that failed may have left a fault.
        service.supabase.fault = "pass";
        const path = await request.path(service, tenant);
        await service.clearLogs();
        service.supabase.fault = request.fault(kind);
        const requestId = crypto.randomUUID();
        const reply = await receiveInTime(service, method, path, tenant, files && formOf(...files), {
          headers: { "X-Request-Id": requestId },
        });
        const shown = `${kind}: ${reply.status} ${reply.text}`;
        assertEquals([reply.status, reply.isBroken], [failure?.status ?? 200, false], shown);
        if (failure) assertEquals(JSON.parse(reply.text), failure.toJSON(), shown);
        if (failure) assertWithout([...secrets, ...internals], reply.text);
        assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
        assertEquals(reply.headers.get("X-Request-Id"), requestId);
        await deadline(service.turns(), patience);
        await judgeLog(service, requestId, reply.status, warnings.map((event) => ({ event, reason: "" })));

        service.supabase.fault = "pass";
        const again = await receiveInTime(service, method, path, tenant, files && formOf(...files));
        assertEquals(again.status, request.again?.(kind) ?? 200, `${kind}: ${again.text}`);
      };
      await Promise.all(setups.map(check));
      assertEquals(timers.open(), []);
    },
  });
  for (const { tenant } of setups) await deleteRows(tenant.coachId);
});

Deno.test("when PostgREST refuses one call in fifty that it could not check yet, no caller notices", async () => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  let calls = 0;
  const refused: Fault[] = ["early", "load"];
  // The first of each fifty, so that a few turns meet some, too.
  service.supabase.fault = (path) =>
    path.includes("/rpc/") && calls++ % 50 === 0 ? refused.at(calls / 50 % 2)! : "pass";
  for (let turn = 0; turn < (slow.ignore ? 30 : 300); turn++) {
    await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId } });
    assertReply(await ask(service, "GET", "/coaches", tenant), 200);
  }
  await service.turns();
  assert(calls > (slow.ignore ? 60 : 600), `${calls} calls`);
  assertEquals((await service.logs()).filter(({ level }) => level !== "info"), []);
});

Deno.test("a short failure of Postgres does not disturb a follower", async () => {
  await using service = await startService({ timeouts: { poll: 10 } });
  const tenant = await createTenant();
  const messageId = await storeOpenAnswer(tenant);
  service.supabase.fault = faultOf("/read_answers", "refuse", { times: 3 });
  const reply = receiveInTime(service, "GET", `/chat/${messageId}/stream`, tenant);
  const polls = () => namesOf(service.supabase.requests).filter((name) => name === "read_answers").length;
  await eventually(() => polls() >= 4, "the answer is read again");
  await changeAnswer(messageId, { status: "complete", content: "Half an answer" });
  judgeReply(await reply, { form: "text", said: "Half an answer", failure: null });
});

Deno.test("Postgres fails while a reader follows an answer that another request writes", async (t) => {
  for (const fault of kinds) {
    await t.step(`${fault}s`, async () => {
      await using services = new AsyncDisposableStack();
      using timers = watchTimers();
      const followers = await Promise.all(allForms.map(async (form) => {
        const service = services.use(
          await startService({ losesReplies: fault === "lose", timeouts: { database: soon, save: soon, poll: 10 } }),
        );
        const tenant = await createTenant();
        return { form, service, tenant, messageId: await storeOpenAnswer(tenant) };
      }));
      await Promise.all(followers.map(async ({ form, service, tenant, messageId }) => {
        await service.clearLogs();
        service.supabase.fault = faultOf("/read_answers", fault);
        const requestId = crypto.randomUUID();
        const reply = await receiveInTime(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, {
          headers: { "X-Request-Id": requestId, Accept: acceptOf[form] },
        });
        judgeReply(reply, { form, said: "Half an", failure: errors.unavailable(null) });
        await deadline(service.turns(), patience);
        await judgeLog(service, requestId, reply.status, [{ event: "answer_not_followed", reason: "DatabaseError" }]);
      }));
      assertEquals(timers.open(), []);
      await Promise.all(followers.map(async ({ service, tenant, messageId }) => {
        service.supabase.fault = "pass";
        await changeAnswer(messageId, { status: "complete", content: "Half an answer" });
        const rest = await receiveInTime(service, "GET", `/chat/${messageId}/stream`, tenant, undefined, {
          headers: { "Last-Event-ID": "7" },
        });
        assertEquals([rest.status, readEvents(rest.text), rest.isBroken], [200, " answer", false]);
      }));
    });
  }
});
