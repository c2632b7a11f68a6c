import { join } from "node:path";
import { startAnsweringChat } from "./answering_chat.ts";
import { type Document, judgeRanking, nameOfDocument, readCollection, readLines, storeDocuments } from "./documents.ts";
import type { Environment } from "./environment.ts";
import { type Figure, mean } from "./report.ts";
import { orShort } from "./short_form.ts";

const folder = Deno.env.get("GROUNDING_DIR") ?? join(import.meta.dirname!, "../../../shared/data/grounding");
const depth = 5;

/** A question at the end of a conversation. */
type Task = {
  history: { role: "user" | "assistant"; text: string }[];
  question: string;
  /** The IDs of the passages that answer it. */
  relevant: string[];
  answerable: "answerable" | "partial" | "unanswerable" | "underspecified";
  kind: "Follow-up" | "Clarification" | "N/A";
};

/** A group of tasks with something to find. */
const groups: Record<string, { includes(task: Task): boolean; budget?: Figure["budget"] }> = {
  "first questions": { includes: ({ history }) => history.length === 0, budget: { atLeast: 0.85 } },
  "follow-ups and clarifications": { includes: ({ kind }) => kind !== "N/A", budget: { atLeast: 0.9 } },
  "later questions about something else": { includes: ({ history, kind }) => history.length > 0 && kind === "N/A" },
};

/**
 * Grounding on conversations: whether the right passages are found for a question within its conversation, and whether
 * the persona answers what its files answer and passes on what they do not. All passages are files of one coach.
 */
export async function measureGrounding(environment: Environment): Promise<Figure[]> {
  const collections = await readCollections();
  const documents = collections.flatMap(({ documents }) => documents);
  const tasks = collections.flatMap(({ tasks }) => tasks).slice(0, orShort(Infinity, 10));
  if (tasks.length === 0) return [];
  const [coach] = await environment.insert("coach_profiles", [
    { account_id: environment.accountId, name: "Mara", title: "Guide", instructions: "Answer from your files alone." },
  ]);
  await storeDocuments(environment, { coachId: coach!.id, documents });
  return [
    ...await measureRetrieval(environment, coach!.id, tasks),
    ...await measureAnswers(environment, coach!.id, tasks),
  ];
}

/** The collections: each is a folder with passages and tasks. */
async function readCollections(): Promise<{ documents: Document[]; tasks: Task[] }[]> {
  const collections: { documents: Document[]; tasks: Task[] }[] = [];
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  const names = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name).toSorted();
  for (const name of names.length === 0 ? ["."] : names) {
    const collection = await readCollection({
      folder: join(folder, name),
      variable: "GROUNDING_DIR",
      names: ["passages.jsonl", "tasks.jsonl"],
    });
    if (collection === null) continue;
    const [documents, tasks] = [
      readLines<Document>(collection["passages.jsonl"]),
      readLines<Task>(collection["tasks.jsonl"]),
    ];
    collections.push({ documents, tasks });
  }
  return collections;
}

/** Quality of the retrieval in the conversation; the baseline is that of the question alone. */
async function measureRetrieval({ call }: Environment, coachId: string, tasks: Task[]): Promise<Figure[]> {
  const search = async (task: Task, said: string[] | null) => {
    const query = { coach_id: coachId, query: task.question, how_many: depth, said };
    const found = await call<{ filename: string }[]>("search_passages", query);
    return judgeRanking(found.map(({ filename }) => filename), task.relevant, depth);
  };
  const figures: Figure[] = [];
  for (const [name, { includes, budget }] of Object.entries(groups)) {
    const [inConversation, alone]: Awaited<ReturnType<typeof search>>[][] = [[], []];
    for (const task of tasks) {
      if (task.relevant.length === 0 || !includes(task)) continue;
      inConversation!.push(await search(task, task.history.map(({ role, text }) => role[0] + text)));
      alone!.push(await search(task, null));
    }
    for (const [measure, key] of [["recall", "recall"], ["nDCG", "gain"]] as const) {
      figures.push({
        name: `grounding: ${measure}@${depth} of ${name}, and of the question alone`,
        unit: "",
        measured: mean(inConversation!.map((quality) => quality[key])),
        baseline: mean(alone!.map((quality) => quality[key])),
        ...(measure === "recall" && budget ? { budget } : {}),
      });
    }
  }
  return figures;
}

/** How a turn ended. */
type Outcome = { isPassedOn: boolean; isFromRightFile: boolean };

/** Whole turns, with the model of the environment or the offline one. */
async function measureAnswers(environment: Environment, coachId: string, tasks: Task[]): Promise<Figure[]> {
  await using chat = await startAnsweringChat(environment);
  const { model } = chat;
  const outcomes = new Map<Task, Outcome>();
  for (const task of tasks) outcomes.set(task, await ask(environment, { url: chat.url, coachId, task }));

  const rate = (answerable: Task["answerable"], isSo: (outcome: Outcome) => boolean) =>
    mean(tasks.filter((task) => task.answerable === answerable).map((task) => isSo(outcomes.get(task)!) ? 1 : 0));
  const figures = {
    "answerable, answered from a right file": rate("answerable", (each) => !each.isPassedOn && each.isFromRightFile),
    "answerable, answered without one": rate("answerable", (each) => !each.isPassedOn && !each.isFromRightFile),
    "answerable, wrongly passed on": rate("answerable", ({ isPassedOn }) => isPassedOn),
    "unanswerable, rightly passed on": rate("unanswerable", ({ isPassedOn }) => isPassedOn),
    "unanswerable, wrongly answered": rate("unanswerable", ({ isPassedOn }) => !isPassedOn),
  };
  return Object.entries(figures).map(([name, measured]) => ({
    name: `grounding: ${name} (${model})`,
    unit: "",
    measured,
  }));
}

/** Asks the question of a task at the end of its conversation, which is stored as somebody's thread. */
async function ask(
  { accountId, apiKey, insert, read }: Environment,
  { url, coachId, task }: { url: string; coachId: string; task: Task },
): Promise<Outcome> {
  const countAsked = async () =>
    (await read<{ times: number }>(`open_questions?select=times&coach_id=eq.${coachId}`)).reduce(
      (sum, { times }) => sum + times,
      0,
    );
  const before = await countAsked();
  // A person of its own for each: how many questions of one person are passed on is limited.
  const userId = crypto.randomUUID();
  let threadId: string | undefined;
  if (task.history.length > 0) {
    threadId =
      (await insert("threads", [{ account_id: accountId, coach_id: coachId, user_id: userId, title: "Talk" }]))[0]!.id;
    const now = Date.now() - 60_000;
    await insert(
      "messages",
      task.history.map(({ role, text }, index) => ({
        thread_id: threadId,
        role,
        content: text,
        created_at: new Date(now + index).toISOString(),
      })),
    );
  }
  const response = await fetch(`${url}/chat`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ message: task.question, thread_id: threadId, context: { coachId, userId } }),
  });
  if (response.status !== 200) throw new Error(`The chat said ${response.status} ${await response.text()}`);
  const { sources }: { sources: { filename?: string }[] } = await response.json();
  const right = task.relevant.map(nameOfDocument);
  return {
    isPassedOn: await countAsked() > before,
    isFromRightFile: sources.some(({ filename }) => filename !== undefined && right.includes(filename)),
  };
}
