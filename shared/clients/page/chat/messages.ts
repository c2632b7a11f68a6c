import type { components } from "../../client/api_types.ts";
import { passes, type Trouble } from "./trouble.ts";
import type { Client } from "../../client/client.ts";
import type { Kept } from "../connection.ts";

type Schemas = components["schemas"];

/** A question that was asked in person. */
export type ExpertRequest = Schemas["ExpertRequest"];

/** A message as the service lists it. */
export type StoredMessage = Schemas["Message"];

/** A question that was sent from here. */
export type SentQuestion = {
  text: string;
  /** A second request with the same key does not ask again. */
  idempotencyKey: string;
  /** The ID of the question that it replaces, with all messages after it. */
  replaces?: string;
  /** The messages before it; missing until it is sent for the first time. */
  known?: StoredMessage[];
};

/** The questions that have not arrived yet, the oldest first. */
export type Unsent = {
  questions: SentQuestion[];
  /** True while the first one is sent. */
  isSending: boolean;
  /** The reason why the first one could not be sent. */
  trouble: Trouble | null;
};

/** An answer that is read here while it is written. A broken one has lost its connection for good. */
export type LiveAnswer =
  | { kind: "reading" | "broken"; text: string }
  | {
    kind: "ended";
    text: string;
    status: "complete" | "stopped" | "waiting" | "failed";
    author: "ai" | "expert" | null;
    sources: Schemas["Source"][];
    isPassedOn?: boolean;
  };

/** The speaker of a message: `pinned` is an answer that the expert has pinned, and the service gives word for word. */
export type Author = "user" | "ai" | "expert" | "pinned";

/** A message as it is shown. */
export type ShownMessage = {
  /** Stays the same from the first word to the stored message. */
  key: string;
  /** Null until the service has assigned it. */
  id: string | null;
  /** Null until it is known whether the model or the expert answers. */
  author: Author | null;
  content: string;
  status: "sending" | "queued" | "unsent" | NonNullable<StoredMessage["status"]>;
  sources: Schemas["Source"][];
  feedback: Schemas["Feedback"] | null;
  createdAt: string | null;
  /** True if the question was passed on to the expert, who has not answered it yet. */
  isPassedOn?: boolean;
  /** Of an answer: what was asked in person about its question. */
  request?: ExpertRequest | null;
  /** Of a message of the expert: who has written it, the question that it answers, and the answer that it corrects. */
  expert?: { name: string; picture_url: string | null } | null;
  inReplyTo?: string;
  corrects?: string;
  trouble?: Trouble | null;
  isBroken?: boolean;
};

/** Joins the newest page of messages with earlier ones. If there is a gap between them, earlier ones are dropped. */
export function mergeNewest(
  known: StoredMessage[],
  page: StoredMessage[],
): { messages: StoredMessage[]; meets: boolean } {
  const first = page[0];
  const place = first ? known.findIndex(({ id }) => id === first.id) : -1;
  return place > 0 ? { messages: [...known.slice(0, place), ...page], meets: true } : { messages: page, meets: false };
}

/** The messages of a thread as they are shown: the stored ones, with the questions and answers that are under way. */
export function showMessages(
  stored: StoredMessage[],
  live: ReadonlyMap<string, LiveAnswer>,
  { questions, isSending, trouble }: Unsent,
): ShownMessage[] {
  const [first, ...others] = questions;
  const shown = (isSending ? before(stored, first?.replaces) : stored).map((message, place, all) => {
    const answer = live.get(message.id);
    return answer ? showLive(message.id, answer, message) : showStored(message, all[place - 1], all[place + 1]);
  });
  if (first && isSending) {
    shown.push(showUnsent(first, "sending"));
    shown.push({ ...nothing, key: "answer", id: null, author: null, content: "", status: "streaming" });
  }
  for (const [id, answer] of live) if (!stored.some((message) => message.id === id)) shown.push(showLive(id, answer));
  if (first && !isSending) shown.push(showUnsent(first, trouble && !passes(trouble) ? "unsent" : "queued", trouble));
  return [...shown, ...others.map((question) => showUnsent(question, "queued"))];
}

/** Adds a question that the service has accepted, but not listed yet. */
export function addSent(stored: StoredMessage[], threadId: string, sent: SentQuestion): StoredMessage[] {
  const question = {
    id: unlisted + sent.idempotencyKey,
    thread_id: threadId,
    role: "user" as const,
    content: sent.text,
    created_at: "",
    response_id: null,
  };
  return [...before(stored, sent.replaces), question];
}

/** Adds an answer that was read to its end here, without what it was while it was written. */
export function addAnswer(stored: StoredMessage[], answer: StoredMessage): StoredMessage[] {
  return stored.some(({ id }) => id === answer.id)
    ? stored.map((message) => message.id === answer.id ? answer : message)
    : [...stored, answer];
}

/** Returns true if a question that seems not to have been sent has arrived nevertheless. */
export function hasArrived(stored: StoredMessage[], { text, known }: SentQuestion): boolean {
  if (!known) return false;
  // Questions that were sent from here may be listed under another ID meanwhile.
  const last = known.findLast(({ id }) => !id.startsWith(unlisted) && stored.some((message) => message.id === id));
  const count = (messages: StoredMessage[]) => {
    const from = messages.findIndex(({ id }) => id === last?.id) + 1;
    return messages.slice(from).filter(({ role, content }) => role === "user" && content === text).length;
  };
  return count(stored) > count(known);
}

/** The prefix of the ID of a question that is not listed yet. */
const unlisted = "unlisted ";

/** Returns the newest answer that has ended, or was changed, since the messages were read before. */
export function newlyEnded(before: StoredMessage[], now: StoredMessage[]): ShownMessage | null {
  const isOver = ({ status }: StoredMessage) => status !== "streaming" && status !== "waiting";
  const told = new Map(before.filter(isOver).map(({ id, content }) => [id, content]));
  const newest = now.findLast((message) =>
    message.role === "assistant" && isOver(message) && told.get(message.id) !== message.content
  );
  return newest ? showStored(newest, now[now.indexOf(newest) - 1]) : null;
}

const nothing = { sources: [], feedback: null, createdAt: null };

/** An element renders a message again only if it is another object. */
const alreadyShown = new WeakMap<StoredMessage, ShownMessage>();

function showStored(message: StoredMessage, previous?: StoredMessage, next?: StoredMessage): ShownMessage {
  let shown = alreadyShown.get(message);
  const { id, role, content, status = "complete", sources = [], feedback = null, created_at: createdAt } = message;
  const isPassedOn = message.is_passed_on;
  // A correction stands after an answer. It has the same source, but is a message of the expert.
  const isAnswer = previous?.role !== "assistant";
  const request = role === "assistant" ? previous?.request ?? null : null;
  // What was asked in person is answered in person, also by an answer that everybody gets.
  const isInPerson = !isAnswer || request?.status === "answered" && message.author === "expert";
  const author = role === "user" ? "user" : isInPerson ? message.author ?? "ai" : nameAuthor(message.author, sources);
  // Its answer stands for a question whose own ID is not known.
  const named = !id.startsWith(unlisted) ? id : next?.role === "assistant" ? next.id : null;
  if (shown?.author !== author || shown.id !== named || shown.request !== request) {
    const known = { key: id.startsWith(unlisted) ? id.slice(unlisted.length) : id, id: named };
    const { expert = null, in_reply_to: inReplyTo, corrects } = message;
    const said = { author, content, status, sources, feedback, createdAt };
    alreadyShown.set(message, shown = { ...known, ...said, isPassedOn, request, expert, inReplyTo, corrects });
  }
  return shown;
}

/** Names who speaks in the answer to a question. */
function nameAuthor(author: StoredMessage["author"] | null = "ai", sources: Schemas["Source"][]): Author | null {
  const isPinned = author === "expert" && sources.some((it) => it.kind === "pinned_answer" && it.isWordForWord);
  return isPinned ? "pinned" : author;
}

function showUnsent(
  { idempotencyKey: key, text: content }: SentQuestion,
  status: "sending" | "queued" | "unsent",
  trouble: Trouble | null = null,
): ShownMessage {
  return { ...nothing, key, id: null, author: "user", content, status, trouble };
}

/** While an answer is written again, its earlier text stays until there is a new one. */
function showLive(id: string, answer: LiveAnswer, message?: StoredMessage): ShownMessage {
  const ending = answer.kind === "ended" ? answer : null;
  return {
    key: id,
    id,
    author: ending
      ? nameAuthor(ending.author, ending.sources)
      : message?.status === "streaming"
      ? message.author ?? null
      : null,
    content: answer.text || (ending?.status === "waiting" ? "" : message?.content ?? ""),
    status: ending?.status ?? "streaming",
    sources: ending?.sources ?? [],
    feedback: null,
    createdAt: message?.created_at ?? null,
    isBroken: answer.kind === "broken",
    isPassedOn: ending?.isPassedOn,
  };
}

/** Returns the messages that stay when a question is replaced. */
function before(stored: StoredMessage[], replaced: string | undefined): StoredMessage[] {
  const place = stored.findIndex(({ id }) => id === replaced);
  return place < 0 ? stored : stored.slice(0, stored[place]!.role === "assistant" ? place - 1 : place);
}

const pageSize = 50;
const include = "status,sources,feedback,author";

/** The stored messages of a thread, as far back as they were read. */
export class MessagePages {
  messages: StoredMessage[] = [];
  #client: Client;
  #threadId: string;
  #signal: AbortSignal;
  /** The cursor of the earlier messages; null if there are none. */
  #earlier: string | null = null;

  constructor(client: Client, threadId: string, signal: AbortSignal) {
    this.#client = client;
    this.#threadId = threadId;
    this.#signal = signal;
  }

  get hasEarlier(): boolean {
    return this.#earlier !== null;
  }

  async readNewest(): Promise<void> {
    const page = await this.#list();
    const { messages, meets } = mergeNewest(this.messages, page.messages);
    this.messages = messages;
    if (!meets) this.#earlier = page.earlier;
  }

  async readEarlier(): Promise<void> {
    if (this.#earlier === null) return;
    const { messages, earlier } = await this.#list(this.#earlier);
    this.messages = [...messages, ...this.messages];
    this.#earlier = earlier;
  }

  async #list(cursor?: string): Promise<{ messages: StoredMessage[]; earlier: string | null }> {
    const query = { include, order: "desc", limit: pageSize, cursor } as const;
    const options = { signal: this.#signal };
    const { data, next_cursor: earlier = null } = await this.#client.listMessages(this.#threadId, query, options);
    return { messages: data.toReversed(), earlier };
  }
}

/** The questions of a thread that have not arrived, as they survive a reload. A new thread keeps its ID with them. */
export type KeptQuestions = { threadId: string; questions: SentQuestion[] };

/** The questions of a thread that have not arrived yet. They are sent one after the other. */
export class Outbox implements Unsent {
  questions: SentQuestion[];
  isSending = false;
  trouble: Trouble | null = null;
  /** True if the answer to the first question is to be stopped as soon as it begins. */
  isToStop = false;

  #threadId: string;
  #kept: Kept<KeptQuestions>;

  constructor(threadId: string, kept: Kept<KeptQuestions>) {
    this.#threadId = threadId;
    this.#kept = kept;
    this.questions = kept.load()?.questions ?? [];
  }

  add(question: SentQuestion): void {
    this.#set([...this.questions, question]);
  }

  /** Takes a question out, and returns it. */
  remove(key: string): SentQuestion | undefined {
    const question = this.questions.find(({ idempotencyKey }) => idempotencyKey === key);
    if (question === this.questions[0]) this.trouble = null;
    this.#set(this.questions.filter((one) => one !== question));
    return question;
  }

  /** Keeps the questions in another place from now on. */
  moveTo(kept: Kept<KeptQuestions>): void {
    this.#kept.save(null);
    this.#kept = kept;
    this.#set(this.questions);
  }

  #set(questions: SentQuestion[]): void {
    this.questions = questions;
    const kept = questions.map(({ text, idempotencyKey, replaces }) => ({ text, idempotencyKey, replaces }));
    this.#kept.save(kept.length > 0 ? { threadId: this.#threadId, questions: kept } : null);
  }
}
