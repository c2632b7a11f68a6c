import { delay, pooledMap } from "../../../shared/libs/base/std/async.ts";
import { createZipfText } from "../zipf_text.ts";
import type { Ledger, SentFile, Turn } from "./ledger.ts";
import { searchFile } from "./operations.ts";
import { createRandom } from "./random.ts";
import { type SoakTarget, wholeAnswer } from "./target.ts";

type ThreadRow = { id: string; user_id: string; coach_id: string };
type MessageRow = { id: string; thread_id: string; role: string; content: string; status: string };
type FileRow = {
  id: string;
  name: string;
  coach_id: string;
  status: string;
  error: string | null;
  due_at: string | null;
};

/** The most rows that one request names or returns: PostgREST cuts replies at 1,000. */
const pageSize = 500;
const threadsPerRequest = 40;
/** Milliseconds in which turns and indexing must end after the traffic: longer than any of their time limits. */
const patience = 90_000;

/**
 * Waits until nothing is written to the account any more, and checks every row against the ledger.
 *
 * @returns the number of rows, by kind and state
 */
export async function checkRows(target: SoakTarget, ledger: Ledger): Promise<Map<string, number>> {
  await settle(target, ledger);
  const stored = [...await checkMessages(target, ledger), ...await checkFiles(target, ledger)];
  return new Map([...Map.groupBy(stored, (state) => state)].map(([state, { length }]) => [state, length]));
}

async function readRows<Row>({ backend }: SoakTarget, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  while (true) {
    const url = `${backend.url}/rest/v1/${path}&limit=${pageSize}&offset=${rows.length}`;
    const response = await fetch(url, { headers: backend.headers });
    if (!response.ok) throw new Error(`The backend refused: ${path} said ${response.status} ${await response.text()}`);
    const page: Row[] = await response.json();
    rows.push(...page);
    if (page.length < pageSize) return rows;
  }
}

const readThreads = (target: SoakTarget) =>
  readRows<ThreadRow>(target, `threads?account_id=eq.${target.accountId}&select=id,user_id,coach_id&order=id`);

const readFiles = (target: SoakTarget, filter = "") =>
  readRows<FileRow>(
    target,
    `knowledge_files?account_id=eq.${target.accountId}&select=id,name,coach_id,status,error,due_at${filter}&order=id`,
  );

/** The messages of threads, each thread's in order. */
async function readMessages(target: SoakTarget, threadIds: string[], filter = ""): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (let start = 0; start < threadIds.length; start += threadsPerRequest) {
    const ids = threadIds.slice(start, start + threadsPerRequest).join();
    const select = "select=id,thread_id,role,content,status";
    const order = "order=thread_id,created_at,sequence";
    rows.push(...await readRows<MessageRow>(target, `messages?thread_id=in.(${ids})&${select}${filter}&${order}`));
  }
  return rows;
}

async function settle(target: SoakTarget, ledger: Ledger): Promise<void> {
  const end = performance.now() + patience;
  const threadIds = [...ledger.conversations.keys()];
  while (true) {
    const streaming = (await readMessages(target, threadIds, "&status=eq.streaming")).length;
    const due = (await readFiles(target, "&due_at=not.is.null")).length;
    if (streaming + due === 0) return;
    if (performance.now() > end) {
      ledger.problems.push(
        `${patience / 1000} s after the traffic ${streaming} answers are streaming and ${due} files due`,
      );
      return;
    }
    await delay(200);
  }
}

/** Checks threads and messages, and returns their kinds and states. */
async function checkMessages(target: SoakTarget, ledger: Ledger): Promise<string[]> {
  const { problems } = ledger;
  const threads = await readThreads(target);
  const all = await readMessages(target, threads.map(({ id }) => id));
  const messages = Map.groupBy(all, (row) => row.thread_id);
  const stored = new Map<string, number>();

  for (const { id, user_id, coach_id } of threads) {
    const rows = messages.get(id) ?? [];
    for (const { role, content } of rows) {
      if (role !== "user") continue;
      stored.set(content, (stored.get(content) ?? 0) + 1);
      const turn = ledger.turns.get(content);
      if (turn === undefined && !ledger.doubtful.has(content)) {
        problems.push(`thread ${id}: no client asked "${content}"`);
      }
      if (turn && (turn.threadId !== id || turn.userId !== user_id || turn.coach.id !== coach_id)) {
        problems.push(`"${content}" is stored in thread ${id}, which is not its own`);
      }
    }
    const roles = rows.map(({ role }) => role);
    const areInTurn = roles.every((role, index) => role === ["user", "assistant"][index % 2]);
    if (!areInTurn || roles.length === 0 || roles.length % 2 !== 0) {
      problems.push(`thread ${id}: ${roles.join(", ") || "no messages"} are not pairs`);
    }
    for (const [index, row] of rows.entries()) {
      const turn = row.role === "user" ? ledger.turns.get(row.content) : undefined;
      if (turn !== undefined) problems.push(...checkAnswer(turn, rows[index + 1]));
    }
  }
  for (const message of ledger.turns.keys()) {
    const times = stored.get(message) ?? 0;
    if (times !== 1) problems.push(`"${message}" was accepted and is stored ${times} times`);
  }
  return [
    ...threads.map(() => "threads"),
    ...all.map(({ role, status }) => role === "user" ? "questions" : `${status} answers`),
  ];
}

/** Describes the error in the answer to a question. */
function checkAnswer(turn: Turn, row: MessageRow | undefined): string[] {
  const { message, coach, messageId, readings, isStopped } = turn;
  if (row?.id !== messageId) return [`"${message}" was answered as ${messageId}, but ${row?.id} follows it`];
  const { status, content } = row;
  const whole = wholeAnswer(coach, message);
  const isWhole = status === "complete" && content === whole;
  const isPart = content !== whole && whole.startsWith(content);
  const isRight = coach.outcome === "nothing"
    ? status === "failed" && content === ""
    : coach.outcome === "part"
    ? status === "failed" && isPart
    : isWhole || isStopped && status === "stopped" && whole.startsWith(content);
  const shown = `stored as ${status} with ${JSON.stringify(content)}`;
  const problems = isRight ? [] : [`the answer to "${message}" is ${shown}; the model said ${JSON.stringify(whole)}`];
  for (const { text, end } of readings) {
    const isKept = end === "clean"
      ? status !== "failed" && text === content
      : (end === "left" || status === "failed") && content.startsWith(text);
    if (!isKept) {
      problems.push(`the answer to "${message}" was read as ${JSON.stringify(text)} (${end}) and is ${shown}`);
    }
  }
  return problems;
}

/** Checks files and whether searches find them, and returns their states. */
async function checkFiles(target: SoakTarget, ledger: Ledger): Promise<string[]> {
  const { problems } = ledger;
  const all = await readFiles(target);
  const rows = Map.groupBy(all, ({ name }) => name);
  const names = new Set(ledger.files.map(({ name }) => name));
  for (const name of rows.keys()) if (!names.has(name)) problems.push(`no client uploaded ${name}`);

  const session = { target, ledger, random: createRandom(0), text: createZipfText(0) };
  await Array.fromAsync(pooledMap(4, ledger.files, async (file: SentFile) => {
    const [row, ...more] = rows.get(file.name) ?? [];
    const expected = { there: [1], maybe: [0, 1], deleting: [0, 1], deleted: [0] }[file.state];
    const count = row === undefined ? 0 : 1 + more.length;
    const told = file.id ?? "none";
    if (!expected.includes(count)) {
      problems.push(`${file.name} (${told}, ${file.state}) has ${count} rows instead of ${expected.join(" or ")}`);
    }
    if (row !== undefined && (row.status !== "ready" || row.coach_id !== file.coach.id)) {
      problems.push(`${file.name} is ${row.status} (${row.error}) at the coach ${row.coach_id}`);
    }
    if (row !== undefined && file.id !== null && row.id !== file.id) {
      problems.push(`${file.name} was told as ${told} and is ${row.id}`);
    }
    const found = await searchFile(session, file);
    if (found !== null && found.join() !== (row?.id ?? "")) {
      problems.push(
        `a search for the marker of ${file.name} (${told}, ${file.state}) finds ${found.join() || "nothing"}`,
      );
    }
  }));
  return all.map(({ status }) => `${status} files`);
}
