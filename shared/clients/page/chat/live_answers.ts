import type { Answer } from "../../client/answer.ts";
import { ServiceError } from "../../client/service_error.ts";
import type { LiveAnswer, StoredMessage } from "./messages.ts";

/** The answers that are read here while they are written, each until the stored messages have it. */
export class LiveAnswers {
  #answers = new Map<string, LiveAnswer>();
  #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get all(): ReadonlyMap<string, LiveAnswer> {
    return this.#answers;
  }
  get isReading(): boolean {
    return [...this.#answers.values()].some(({ kind }) => kind === "reading");
  }
  /** The IDs of the answers whose end is not known. */
  get unended(): string[] {
    return [...this.#answers].filter(([, { kind }]) => kind !== "ended").map(([id]) => id);
  }

  /** Reads an answer to its end. Of two readings, the later counts. @throws the error that has broken the connection */
  async read(id: string, begin: () => Promise<Answer>): Promise<void> {
    let shown: LiveAnswer = { kind: "reading", text: "" };
    const show = (answer: LiveAnswer) => {
      if (this.#answers.get(id) === shown) this.#answers.set(id, shown = answer);
      this.#onChange();
    };
    this.#answers.set(id, shown);
    this.#onChange();
    try {
      const answer = await begin();
      for await (const piece of answer) show({ kind: "reading", text: shown.text + piece });
      const { status = "complete", author = null, sources = [], is_passed_on: isPassedOn } = answer.ending ?? {};
      show({ kind: "ended", text: shown.text, status, author, sources, isPassedOn });
    } catch (error) {
      const hasFailed = error instanceof ServiceError && error.messageId !== null;
      if (hasFailed) return show({ kind: "ended", text: shown.text, status: "failed", author: "ai", sources: [] });
      show({ kind: "broken", text: shown.text });
      throw error;
    }
  }

  /** Drops an answer that the stored message now says as well. The notice of a waiting answer is not stored. */
  settle({ id, status }: StoredMessage): void {
    const kind = this.#answers.get(id)?.kind;
    if (kind === "broken" || kind === "ended" && status !== "waiting") this.#answers.delete(id);
  }
}
