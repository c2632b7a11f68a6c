import type { components } from "../../client/api_types.ts";
import type { Trouble } from "./trouble.ts";

type Schemas = components["schemas"];

/** A message as the service lists it. */
export type StoredMessage = Schemas["Message"];

/** A question that was sent from here, until the list of messages has it. */
export type SentQuestion = {
  text: string;
  /** Sent again with the same key, it is not asked twice. */
  idempotencyKey: string;
  /** The question that it takes the place of. */
  replaces?: string;
  /** The messages that were there before it. */
  known: StoredMessage[];
  /** Why it could not be sent. */
  trouble?: Trouble;
};

/** An answer that is read here while it is written. */
export type LiveAnswer = {
  text: string;
  /** How it ended, once it has. */
  ending?: {
    status: "complete" | "stopped" | "waiting" | "failed";
    author: "ai" | "expert" | null;
    sources: Schemas["Source"][];
  };
  /** Whether its connection broke for good. */
  isBroken?: boolean;
};

/** A message as it is shown. */
export type ShownMessage = {
  /** Stays the same from its first word on. */
  key: string;
  /** Null as long as the service has not named it. */
  id: string | null;
  /** Null as long as it is not known whether the model or the real person speaks. */
  author: "user" | "ai" | "expert" | null;
  content: string;
  status: "sending" | "unsent" | NonNullable<StoredMessage["status"]>;
  sources: Schemas["Source"][];
  feedback: Schemas["Feedback"] | null;
  createdAt: string | null;
  trouble?: Trouble;
  isBroken?: boolean;
};

/**
 * The newest page of messages put together with the earlier ones that are known. Where they do not meet, the earlier
 * ones are given up: they can be asked for again.
 */
export function mergeNewest(
  known: StoredMessage[],
  page: StoredMessage[],
): { messages: StoredMessage[]; meets: boolean } {
  const first = page[0];
  const place = first ? known.findIndex(({ id }) => id === first.id) : -1;
  return place > 0 ? { messages: [...known.slice(0, place), ...page], meets: true } : { messages: page, meets: false };
}

/** What is shown of a thread: what is stored, with what is sent and read at the moment. */
export function showMessages(
  stored: StoredMessage[],
  live: Map<string, LiveAnswer>,
  sent: SentQuestion | null,
): ShownMessage[] {
  const shown = (sent && !sent.trouble ? before(stored, sent.replaces) : stored).map((message) => {
    const answer = live.get(message.id);
    return answer ? showLive(message.id, answer, message) : showStored(message);
  });
  if (sent) {
    const { idempotencyKey: key, text: content, trouble } = sent;
    shown.push({ ...nothing, key, id: null, author: "user", content, status: trouble ? "unsent" : "sending", trouble });
    if (!trouble) shown.push({ ...nothing, key: "answer", id: null, author: null, content: "", status: "streaming" });
  }
  for (const [id, answer] of live) if (!stored.some((message) => message.id === id)) shown.push(showLive(id, answer));
  return shown;
}

/** The messages with a question that the service has, but has not listed yet. */
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

/** Whether a question that seems not to have been sent has arrived all the same. */
export function hasArrived(stored: StoredMessage[], { text, known }: SentQuestion): boolean {
  const before = new Set(known.map(({ id }) => id));
  return stored.some(({ id, role, content }) => role === "user" && content === text && !before.has(id));
}

/** What the id of such a question begins with. */
const unlisted = "unlisted ";

/** The newest answer that has ended, or has other words, since the messages were read before. */
export function newlyEnded(before: StoredMessage[], now: StoredMessage[]): ShownMessage | null {
  const isOver = ({ status }: StoredMessage) => status !== "streaming" && status !== "waiting";
  const told = new Map(before.filter(isOver).map(({ id, content }) => [id, content]));
  const newest = now.findLast((message) =>
    message.role === "assistant" && isOver(message) && told.get(message.id) !== message.content
  );
  return newest ? showStored(newest) : null;
}

const nothing = { sources: [], feedback: null, createdAt: null };

/** An element renders a message anew only where it is another object. */
const alreadyShown = new WeakMap<StoredMessage, ShownMessage>();

function showStored(message: StoredMessage): ShownMessage {
  let shown = alreadyShown.get(message);
  if (!shown) {
    const { id, role, content, status = "complete", sources = [], feedback = null, created_at: createdAt } = message;
    const author = message.author ?? (role === "user" ? "user" : "ai");
    const known = id.startsWith(unlisted) ? { key: id.slice(unlisted.length), id: null } : { key: id, id };
    alreadyShown.set(message, shown = { ...known, author, content, status, sources, feedback, createdAt });
  }
  return shown;
}

/** The text so far stays until there is another one, as it does when an answer is run again. */
function showLive(id: string, { text, ending, isBroken }: LiveAnswer, message?: StoredMessage): ShownMessage {
  return {
    key: id,
    id,
    author: ending ? ending.author : message?.status === "streaming" ? message.author ?? null : null,
    content: text || (ending?.status === "waiting" ? "" : message?.content ?? ""),
    status: ending?.status ?? "streaming",
    sources: ending?.sources ?? [],
    feedback: null,
    createdAt: message?.created_at ?? null,
    isBroken,
  };
}

/** What stays when a question is asked anew. */
function before(stored: StoredMessage[], replaced: string | undefined): StoredMessage[] {
  const place = stored.findIndex(({ id }) => id === replaced);
  return place < 0 ? stored : stored.slice(0, place);
}
