import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { WatchedEvent } from "../../client/watch.ts";
import type { Desk } from "./desk.ts";
import { coalesce } from "./state/coalesce.ts";

/** More than so many are not counted. */
const most = 99;

/** How long to wait at least, in milliseconds, before something is counted again. */
const pause = 5_000;

/** How much waits for the expert: open questions, and conversations in which somebody waits for a reply. */
export class WaitingCounts implements ReactiveController {
  questions = "";
  conversations = "";

  readonly #desk: Desk;
  readonly #host: ReactiveControllerHost;
  readonly #unwatch: () => void;
  readonly #countQuestions = coalesce(async () => {
    const { client, coach } = this.#desk;
    const { data } = await client.listQuestions(coach.id, { status: "open", limit: most + 1 });
    this.questions = show(data.length);
    this.#host.requestUpdate();
  }, pause);
  readonly #countConversations = coalesce(async () => {
    const { client, coach } = this.#desk;
    const { data } = await client.listConversations(coach.id, { needs_reply: "true", limit: most + 1 });
    this.conversations = show(data.length);
    this.#host.requestUpdate();
  }, pause);

  constructor(host: ReactiveControllerHost, desk: Desk) {
    this.#host = host;
    this.#desk = desk;
    this.#unwatch = desk.watch((event) => this.#hear(event));
    host.addController(this);
  }

  /** Counts anew, now or a moment later. */
  refresh(): void {
    this.#countQuestions();
    this.#countConversations();
  }

  /** Every count is a request of the reader's own, so only what may have changed is counted. */
  #hear({ kind }: WatchedEvent): void {
    const isStart = kind === "watching" || kind === "missed";
    if (isStart || kind === "question.opened") this.#countQuestions();
    const isAnswered = kind === "message.completed" && this.conversations !== "";
    if (isStart || isAnswered || kind === "thread.needs_expert" || kind.startsWith("takeover.")) {
      this.#countConversations();
    }
  }

  close(): void {
    this.#unwatch();
    this.#host.removeController(this);
  }
  hostConnected(): void {}
}

function show(number: number): string {
  return number === 0 ? "" : number > most ? `${most}+` : String(number);
}
