import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Desk } from "./desk.ts";
import { coalesce } from "./state/coalesce.ts";

/** More than so many are not counted. */
const most = 99;

/** How much waits for the expert: open questions, and conversations in which somebody waits for a reply. */
export class WaitingCounts implements ReactiveController {
  questions = "";
  conversations = "";

  readonly #desk: Desk;
  readonly #host: ReactiveControllerHost;
  readonly #unwatch: () => void;
  /** Counts anew, now or a moment later. */
  readonly refresh: () => void;

  constructor(host: ReactiveControllerHost, desk: Desk) {
    this.#host = host;
    this.#desk = desk;
    this.refresh = coalesce(() => this.#count(), 5_000);
    this.#unwatch = desk.watch(({ kind }) => {
      if (!kind.startsWith("feedback") && kind !== "message.begun") this.refresh();
    });
    host.addController(this);
  }

  async #count(): Promise<void> {
    const { client, coach } = this.#desk;
    const [questions, conversations] = await Promise.all([
      client.listQuestions(coach.id, { status: "open", limit: most + 1 }),
      client.listConversations(coach.id, { needs_reply: "true", limit: most + 1 }),
    ]);
    this.questions = show(questions.data.length);
    this.conversations = show(conversations.data.length);
    this.#host.requestUpdate();
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
