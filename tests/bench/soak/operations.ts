import { delay } from "../../../shared/libs/base/std/async.ts";
import { formOf, send } from "../../support/client.ts";
import type { ZipfText } from "../zipf_text.ts";
import { type AnswerStream, openAnswerStream } from "./answer_stream.ts";
import { type FunctionRequest, listBadRequests } from "./bad_requests.ts";
import type { Conversation, Ledger, Question, SentFile, Turn } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { SoakTarget } from "./target.ts";

/** The context of a client's operation. */
export type Session = { target: SoakTarget; ledger: Ledger; random: Random; text: ZipfText };

/** One action of a client. */
export type Operation = (session: Session) => Promise<void>;

const users = Array.from({ length: 40 }, (_, number) => `user ${number}`);
const hangUps = 0.05;
/** Milliseconds after which a request counts as hanging. */
const patience = 60_000;
/** Words below this rank are used in all texts. */
const commonWords = 300;

type SoakRequest = FunctionRequest & { operation: string; signal?: AbortSignal };

/** Sends a request; call `finish` with the outcome after reading the reply. Null: there was no reply. */
async function request(
  { target, ledger }: Session,
  { operation, functionName, method, path, apiKey = target.apiKey, body, headers, signal }: SoakRequest,
): Promise<{ response: Response; finish: (outcome?: string) => void } | null> {
  const began = performance.now();
  const finish = (outcome: string) => {
    ledger.samples.push({ operation, ms: performance.now() - began, outcome });
  };
  const limit = AbortSignal.timeout(patience);
  try {
    const response = await send(target.functions[functionName], method, path, { apiKey: apiKey ?? undefined }, body, {
      headers,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    return { response, finish: (outcome = String(response.status)) => finish(outcome) };
  } catch (error) {
    finish(signal?.aborted ? "left" : "no reply");
    if (!signal?.aborted) ledger.problems.push(`${operation}: no reply, ${error}`);
    return null;
  }
}

/** Sends a request and reads its reply as JSON; null when the client has hung up or the status is another. */
async function requestJson(
  session: Session,
  asked: SoakRequest,
  status = 200,
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  const reply = await request(session, asked);
  if (reply === null) return null;
  const { response, finish } = reply;
  try {
    const text = await response.text();
    finish();
    if (response.status === status) return JSON.parse(text);
    session.ledger.problems.push(`${asked.operation}: ${response.status} instead of ${status}, ${text}`);
  } catch (error) {
    finish(asked.signal?.aborted ? "left" : "cut");
    if (!asked.signal?.aborted) session.ledger.problems.push(`${asked.operation}: the reply was cut, ${error}`);
  }
  return null;
}

/** For some clients a signal after which they hang up. */
function maybeHangUp({ random }: Session): AbortSignal | undefined {
  return random.chance(hangUps) ? AbortSignal.timeout(Math.floor(random.number() * 20)) : undefined;
}

function drawWords({ random, text }: Session, count: number): string {
  return Array.from({ length: count }, () => text.word(Math.floor(random.number() * commonWords))).join(" ");
}

function drawQuestion(session: Session, conversation: Conversation | null, coach = drawCoach(session)): Question {
  const message = `${++session.ledger.questions}: what of ${drawWords(session, 4)}?`;
  if (conversation !== null) {
    const { coach, userId, threadId } = conversation;
    return { message, coach, userId, threadId };
  }
  return { message, coach, userId: session.random.pick(users), threadId: null };
}

function drawCoach({ random, target: { coaches } }: Session) {
  return random.weigh([[80, coaches.quick], [12, coaches.slow], [4, coaches.refused], [4, coaches.cut]]);
}

function drawConversation({ random, ledger }: Session): Conversation | null {
  return ledger.conversations.size === 0 ? null : random.pick([...ledger.conversations.values()]);
}

/** Asks a question, and lets `listen` read the answer. */
async function ask(
  session: Session,
  operation: string,
  question: Question,
  { idempotencyKey, listen = listenOrLeave }: {
    idempotencyKey?: string;
    listen?: (session: Session, stream: AnswerStream, turn: Turn) => Promise<void>;
  } = {},
): Promise<void> {
  const { ledger } = session;
  const { message, coach, userId, threadId } = question;
  const reply = await request(session, {
    operation,
    functionName: "chat",
    method: "POST",
    path: "/chat",
    body: { message, thread_id: threadId ?? undefined, context: { coachId: coach.id, userId } },
    headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
  });
  if (reply === null) return void ledger.doubtful.add(message);
  const { response, finish } = reply;
  const isExpected = response.status === 502 ? coach.outcome !== "all" : response.status === 200;
  const threadAndMessage = {
    threadId: response.headers.get("X-Thread-Id"),
    messageId: response.headers.get("X-Message-Id"),
  };
  if (!isExpected) {
    ledger.problems.push(`${operation}: ${response.status} to "${message}", ${await response.text()}`);
    ledger.doubtful.add(message);
    return finish();
  }
  const turn = ledger.accept(question, threadAndMessage);
  if (turn === null || response.status !== 200) {
    turn?.readings.push({ text: "", end: "refused" });
    await response.body?.cancel();
    return finish();
  }
  const stream = openAnswerStream(response);
  turn.readings.push(stream.reading);
  await listen(session, stream, turn);
  const { end } = stream.reading;
  finish(end === "clean" ? "200" : `200 ${end}`);
}

async function listenOrLeave({ random }: Session, stream: AnswerStream): Promise<void> {
  if (!random.chance(hangUps)) return await stream.readAll();
  await stream.readSome();
  await stream.leave();
}

const startChat: Operation = (session) => ask(session, "new chat", drawQuestion(session, null));

const continueChat: Operation = (session) =>
  ask(session, "continued chat", drawQuestion(session, drawConversation(session)));

const continueTwice: Operation = async (session) => {
  const conversation = drawConversation(session);
  const questions = [drawQuestion(session, conversation), drawQuestion(session, conversation)];
  await Promise.all(questions.map((question) => ask(session, "two at once on a thread", question)));
};

const askTwice: Operation = async (session) => {
  const { random, target: { coaches } } = session;
  const coach = random.weigh([[8, coaches.quick], [3, coaches.slow], [1, coaches.refused]]);
  const question = drawQuestion(session, null, coach);
  const idempotencyKey = `key of ${question.message}`;
  const listen = (_session: Session, stream: AnswerStream) => stream.readAll();
  const send = () => ask(session, "sent twice with one key", question, { idempotencyKey, listen });
  await Promise.all([send(), send()]);
};

const stopChat: Operation = (session) =>
  ask(session, "chat that is stopped", drawQuestion(session, null, session.target.coaches.slow), {
    async listen({ ledger }, stream, turn) {
      await stream.readSome();
      turn.isStopped = true;
      const [reply] = await Promise.all([
        requestJson(session, {
          operation: "stop",
          functionName: "chat",
          method: "POST",
          path: `/chat/${turn.messageId}/stop`,
        }),
        stream.readAll(),
      ]);
      if (reply !== null && !stream.reading.text.startsWith(reply.message.content)) {
        ledger.problems.push(`stop: "${turn.message}" was told as ${JSON.stringify(reply.message.content)}`);
      }
    },
  });

const resumeChat: Operation = (session) =>
  ask(session, "chat that is resumed", drawQuestion(session, null, session.target.coaches.slow), {
    async listen({ random, ledger }, stream, turn) {
      await stream.readSome();
      await stream.leave();
      await delay(Math.floor(random.number() * 500));
      const { text } = stream.reading;
      const reply = await request(session, {
        operation: "resume",
        functionName: "chat",
        method: "GET",
        path: `/chat/${turn.messageId}/stream`,
        // Ids count characters; every character of the model's text is one code unit.
        headers: { "Last-Event-ID": String(text.length) },
      });
      if (reply === null) return;
      const { response, finish } = reply;
      if (response.status === 204) turn.readings.push({ text, end: "clean" });
      else if (response.status === 200) {
        const rest = openAnswerStream(response, text);
        turn.readings.push(rest.reading);
        await listenOrLeave(session, rest);
      } else ledger.problems.push(`resume: ${response.status} to "${turn.message}", ${await response.text()}`);
      finish();
    },
  });

const listThreads: Operation = async (session) => {
  const { random, ledger } = session;
  const userId = random.pick(users);
  const known = [...ledger.conversations.values()].filter((each) => each.userId === userId);
  const json = await requestJson(session, {
    operation: "thread list",
    functionName: "users",
    method: "GET",
    path: `/users/${encodeURIComponent(userId)}/threads`,
    signal: maybeHangUp(session),
  });
  if (json === null) return;
  const data: { id: string; updated_at: string }[] = json.data;
  const ids = new Set(data.map(({ id }) => id));
  const missing = known.filter(({ threadId }) => !ids.has(threadId));
  const isSorted = data.every(({ updated_at }, index) => index === 0 || data[index - 1]!.updated_at >= updated_at);
  if (missing.length > 0 || ids.size !== data.length || json.count !== data.length || !isSorted) {
    ledger.problems.push(
      `thread list of ${userId}: ${missing.length} missing, ${
        data.length - ids.size
      } doubled, count ${json.count} of ${data.length}, sorted ${isSorted}`,
    );
  }
};

const listMessages: Operation = async (session) => {
  const { ledger } = session;
  const conversation = drawConversation(session);
  if (conversation === null) return;
  const { threadId } = conversation;
  const known = conversation.turns.map(({ message, messageId, readings }) => ({
    message,
    messageId,
    told: readings.find(({ end }) => end === "clean")?.text,
  }));
  const json = await requestJson(session, {
    operation: "message list",
    functionName: "threads",
    method: "GET",
    path: `/threads/${threadId}/messages`,
    signal: maybeHangUp(session),
  });
  if (json === null) return;
  const data: { id: string; role: string; content: string }[] = json.data;
  if (json.count !== data.length) {
    ledger.problems.push(`message list of ${threadId}: count ${json.count} of ${data.length}`);
  }
  for (const { message, messageId, told } of known) {
    const times = data.filter(({ role, content }) => role === "user" && content === message).length;
    if (times !== 1) ledger.problems.push(`message list of ${threadId}: "${message}" is there ${times} times`);
    const answers = data.filter(({ id }) => id === messageId);
    if (told !== undefined && (answers.length !== 1 || answers[0]!.content !== told)) {
      ledger.problems.push(
        `message list of ${threadId}: the answer to "${message}" was ${JSON.stringify(told)} and is listed as ${
          JSON.stringify(answers.map(({ content }) => content))
        }`,
      );
    }
  }
};

const upload: Operation = async (session) => {
  const { random, ledger, target: { coaches } } = session;
  const coach = random.pick([coaches.quick, coaches.slow]);
  const signal = maybeHangUp(session);
  const sent = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (): [file: SentFile, content: string] => {
    const number = ledger.files.length + 1;
    // A word would also find those that are spelled like it.
    const marker = String(100_000 + number);
    const isMarkdown = random.chance(0.3);
    const content = `${drawWords(session, 60)} ${marker} ${drawWords(session, 60)}.`;
    const file: SentFile = {
      id: null,
      name: `${number}.${isMarkdown ? "md" : "txt"}`,
      coach,
      marker,
      state: "maybe",
    };
    ledger.files.push(file);
    return [file, isMarkdown ? `# Note ${number}\n\n${content}` : content];
  });
  const json = await requestJson(session, {
    operation: "upload",
    functionName: "knowledge-handler",
    method: "POST",
    path: `/knowledge-handler?coachId=${coach.id}`,
    body: formOf(...sent.map(([{ name }, content]): [string, string] => [name, content])),
    signal,
  });
  if (json === null) return;
  const { uploadedFiles, totalUploaded, totalFailed }: {
    uploadedFiles: { fileId: string; filename: string }[];
    totalUploaded: number;
    totalFailed: number;
  } = json;
  for (const [file] of sent) {
    const named = uploadedFiles.filter(({ filename }) => filename === file.name);
    if (named.length === 1) Object.assign(file, { id: named[0]!.fileId, state: "there" });
  }
  if (totalUploaded !== sent.length || totalFailed !== 0 || sent.some(([{ state }]) => state !== "there")) {
    ledger.problems.push(`upload of ${sent.map(([{ name }]) => name)}: ${JSON.stringify(json)}`);
  }
};

/** Searches for a marker and returns the ids of the files found; null when the client has hung up. */
export async function searchFile(
  session: Session,
  { coach, marker }: Pick<SentFile, "coach" | "marker">,
  signal?: AbortSignal,
): Promise<string[] | null> {
  const json = await requestJson(session, {
    operation: "search",
    functionName: "knowledge-handler",
    method: "GET",
    path: `/knowledge-handler?coachId=${coach.id}&search=${encodeURIComponent(marker)}`,
    signal,
  });
  return json?.data.map(({ fileId }: { fileId: string }) => fileId) ?? null;
}

const search: Operation = async (session) => {
  const { random, ledger, target: { coaches } } = session;
  if (ledger.files.length === 0 || random.chance(0.3)) {
    await searchFile(session, { coach: coaches.quick, marker: drawWords(session, 2) });
    return;
  }
  const file = random.pick(ledger.files);
  const { state } = file;
  const ids = await searchFile(session, file, maybeHangUp(session));
  if (ids === null) return;
  const others = ids.filter((id) => id !== file.id && file.id !== null);
  if (others.length > 0) ledger.problems.push(`search for the marker of ${file.name}: found ${others}, which lack it`);
  if (state === "deleted" && ids.length > 0) ledger.problems.push(`search: found ${file.name}, which was deleted`);
};

const deleteFile: Operation = async (session) => {
  const { random, ledger } = session;
  const there = ledger.files.filter(({ state }) => state === "there");
  if (there.length === 0) return;
  const file = random.pick(there);
  file.state = "deleting";
  const json = await requestJson(session, {
    operation: "delete",
    functionName: "knowledge-handler",
    method: "DELETE",
    path: `/knowledge-handler/${file.id}?coachId=${file.coach.id}`,
  });
  if (json?.fileId === file.id) file.state = "deleted";
};

/** Sends a request that must be refused. */
export const makeMistake: Operation = async (session) => {
  const { status, ...mistake } = session.random.pick(listBadRequests(session.target));
  const json = await requestJson(session, { operation: "bad request", ...mistake }, status);
  if (json !== null && typeof json.error !== "string") {
    session.ledger.problems.push(`${mistake.method} ${mistake.path}: refused with ${JSON.stringify(json)}`);
  }
};

/** The valid operations of clients, with their weights. */
export const operations: [weight: number, operation: Operation][] = [
  [24, startChat],
  [22, continueChat],
  [5, continueTwice],
  [4, askTwice],
  [2, stopChat],
  [3, resumeChat],
  [12, listThreads],
  [12, listMessages],
  [6, upload],
  [8, search],
  [2, deleteFile],
];
