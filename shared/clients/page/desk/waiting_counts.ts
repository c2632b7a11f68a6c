import type { WatchedEvent } from "../../client/watch.ts";
import { Observable } from "../ui/observable.ts";
import { concernsOf } from "./concerns.ts";
import type { Desk } from "./desk.ts";
import { coalesce } from "./state/coalesce.ts";

/** The largest number that is told from larger ones. */
export const mostCounted = 99;

/** The shortest pause between two counts, in milliseconds. */
const pause = 5_000;

/** The numbers of open questions, and of conversations that wait for a reply of the expert. */
export class WaitingCounts extends Observable {
  questions = 0;
  conversations = 0;

  readonly #desk: Desk;
  readonly #unwatch: () => void;
  readonly #countQuestions = coalesce(async () => {
    const { client, coach } = this.#desk;
    const { data } = await client.listQuestions(coach.id, { status: "open", limit: mostCounted + 1 });
    this.questions = data.length;
    this.changed();
  }, pause);
  readonly #countConversations = coalesce(async () => {
    const { client, coach } = this.#desk;
    const { data } = await client.listConversations(coach.id, { needs_reply: "true", limit: mostCounted + 1 });
    this.conversations = data.length;
    this.changed();
  }, pause);

  constructor(desk: Desk) {
    super();
    this.#desk = desk;
    this.#unwatch = desk.watch((event) => this.#hear(event));
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
