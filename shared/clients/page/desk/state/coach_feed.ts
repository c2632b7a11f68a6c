import type { Client } from "../../../client/client.ts";
import type { WatchedEvent } from "../../../client/watch.ts";
import { Observable } from "../../ui/observable.ts";
import type { Desk } from "../desk.ts";
import { coalesce } from "./coalesce.ts";

/** The events of a persona, over one connection for all panels, because a browser opens only six to a server. */
export class CoachFeed {
  readonly #listeners = new Set<(event: WatchedEvent) => void>();
  readonly #watchCoach: (options: { signal: AbortSignal }) => AsyncIterable<WatchedEvent>;
  readonly #onFailure: (error: unknown) => void;
  #current = new AbortController();

  /** @param onFailure called with the error that ends the connection for good */
  constructor(client: Client, coachId: string, onFailure: (error: unknown) => void) {
    this.#watchCoach = (options) => client.watchCoach(coachId, options);
    this.#onFailure = onFailure;
    addEventListener("online", this.#begin);
    this.#begin();
  }

  /** Connects. When the network is back, that happens immediately instead of after a long pause. */
  #begin = async (): Promise<void> => {
    this.#current.abort();
    const { signal } = this.#current = new AbortController();
    try {
      for await (const event of this.#watchCoach({ signal })) {
        for (const listener of this.#listeners) listener(event);
      }
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error);
    }
  };

  /** Calls back with each event, until the returned function is called. */
  watch(listener: (event: WatchedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  close(): void {
    removeEventListener("online", this.#begin);
    this.#current.abort();
    this.#listeners.clear();
  }
}

/** The parts of the desk that an event of a coach may have changed: they are read again. */
export function concernsOf({ kind }: Pick<WatchedEvent, "kind">) {
  const isStart = kind === "watching" || kind === "missed";
  const isRequest = kind.startsWith("request.");
  const isQuestion = kind.startsWith("question.");
  const isTyping = kind.startsWith("typing.");
  const isPerson = kind === "thread.needs_expert";
  return {
    questions: isStart || isRequest || isQuestion,
    /** Any event in any conversation may change the order of the list. */
    conversations: !isQuestion && !isTyping,
    /** The number of conversations that wait for an expert. */
    waiting: isStart || isRequest || isPerson || kind.startsWith("takeover."),
    /** The news for an expert who looks elsewhere; null for none. */
    notice: isPerson ? "person" as const : isQuestion && kind !== "question.closed" ? "question" as const : null,
  };
}

/** The largest number that is told from larger ones. */
export const mostCounted = 99;

/** The shortest pause between two counts, in milliseconds. */
const pause = 5_000;

/** The numbers of open questions, and of conversations that wait for a reply of the expert. */
export class WaitingCounts extends Observable {
  questions = 0;
  conversations = 0;

  readonly #unwatch: () => void;
  readonly #countQuestions: ReturnType<typeof coalesce>;
  readonly #countConversations: ReturnType<typeof coalesce>;

  constructor({ client, coach: { id }, watch }: Desk) {
    super();
    const limit = mostCounted + 1;
    this.#countQuestions = coalesce(async () => {
      this.questions = (await client.listQuestions(id, { status: "open", limit })).data.length;
      this.changed();
    }, pause);
    this.#countConversations = coalesce(async () => {
      this.conversations = (await client.listConversations(id, { needs_reply: "true", limit })).data.length;
      this.changed();
    }, pause);
    this.#unwatch = watch((event) => this.#hear(event));
  }

  /** Counts again, after something that the expert has done. */
  refresh(): void {
    this.#countQuestions("now");
    this.#countConversations("now");
  }

  /** Each count costs the expert a request. Only numbers that may have changed are counted again. */
  #hear(event: WatchedEvent): void {
    const { questions, waiting } = concernsOf(event);
    if (questions) this.#countQuestions();
    const isAnswered = event.kind === "message.completed" && this.conversations > 0;
    if (waiting || isAnswered) this.#countConversations();
  }

  /** Calls back after every change. The counts are no longer updated once their observer, an element, has left. */
  override observe(callBack: () => void): () => void {
    const leave = super.observe(callBack);
    return () => {
      leave();
      this.#unwatch();
    };
  }
}
