import { keep } from "../../connection.ts";
import { Observable } from "../../ui/observable.ts";
import { type Desk, onePerPersona, type Schemas } from "../desk.ts";
import { draftOf } from "../persona/persona_draft.ts";

/** Keeps whether a question was tried in this browser: one of the first steps, which leaves no trace in the service. */
export function triedQuestion(coachId: string) {
  return keep<true>(`human-desk tried ${coachId}`, "browser");
}

/** The persona as it is, or as it would be with its draft. */
export type Version = "published" | "draft";

/** A message that was said before a question. */
type SaidBefore = NonNullable<Schemas["TryQuestionBody"]["history"]>[number];

/** An answer, also while it is written. */
export type Tried = {
  version: Version;
  /** The messages before it, as this version of the persona knows them. */
  history: SaidBefore[];
  text: string;
  status: "streaming" | "complete" | "stopped" | "failed";
  author: "ai" | "expert";
  sources: Schemas["SourcesEvent"];
  /** The answers and passages that were looked up for it. */
  found: Schemas["FoundEvent"] | null;
  /** The open question that a chat would have led to. */
  asksExpert: string | null;
  error: unknown;
};

/** A question with its answers. */
export type TriedTurn = { question: string; answers: Tried[] };

/** The most messages of a history, and characters of them together. */
const most = { messages: 20, characters: 100_000 };

/** A conversation with the persona, which is kept nowhere but in this page. */
export class Trial extends Observable {
  turns: TriedTurn[] = [];
  readonly #desk: Desk;
  #current: AbortController | null = null;

  constructor(desk: Desk) {
    super();
    this.#desk = desk;
  }

  get isAnswering(): boolean {
    return this.#current !== null;
  }

  /** Asks the next question: one version of the persona, or both at the same time. */
  async ask(question: string, versions: Version[]): Promise<void> {
    if (this.isAnswering) return;
    triedQuestion(this.#desk.coach.id).save(true);
    const current = this.#current = new AbortController();
    const answers = versions.map((version): Tried => ({
      version,
      history: this.#historyOf(version),
      text: "",
      status: "streaming",
      author: "ai",
      sources: [],
      found: null,
      asksExpert: null,
      error: null,
    }));
    this.turns = [...this.turns, { question, answers }];
    this.changed();
    await Promise.all(answers.map((answer) => this.#answer(question, answer, current.signal)));
    if (this.#current === current) this.#current = null;
    this.changed();
  }

  /** Asks the last question again. */
  async askAgain(): Promise<void> {
    const last = this.turns.at(-1);
    if (last === undefined || this.isAnswering) return;
    this.turns = this.turns.slice(0, -1);
    await this.ask(last.question, last.answers.map(({ version }) => version));
  }

  /** Stops the answers that are being written. Their text so far stays. */
  stop(): void {
    this.#current?.abort();
  }

  /** Begins a new conversation. */
  clear(): void {
    this.stop();
    this.#current = null;
    this.turns = [];
    this.changed();
  }

  async #answer(question: string, answer: Tried, signal: AbortSignal): Promise<void> {
    const { client, coach } = this.#desk;
    const { history, version } = answer;
    try {
      // What was written last is tried, too.
      if (version === "draft") await draftOf(this.#desk).save();
      const body = { question, history, draft: version === "draft" };
      for await (const { event, data } of client.streamTrial(coach.id, body, { signal })) {
        if (event === "found") answer.found = data;
        else if (event === "delta") answer.text += data.text;
        else if (event === "sources") answer.sources = data;
        else if (event === "done") {
          answer.author = data.author;
          answer.asksExpert = data.asks_expert ?? null;
          answer.status = "complete";
        }
        this.changed();
      }
    } catch (error) {
      answer.status = signal.aborted ? "stopped" : "failed";
      answer.error = signal.aborted ? null : error;
      this.changed();
    }
  }

  /** The messages so far, with the answers of a version where it was asked. */
  #historyOf(version: Version): SaidBefore[] {
    const said: SaidBefore[] = [];
    let characters = 0;
    for (const { question, answers } of this.turns.toReversed()) {
      const { text = "" } = answers.find((answer) => answer.version === version) ?? answers[0] ?? {};
      characters += question.length + text.length;
      if (said.length + 2 > most.messages || characters > most.characters) break;
      if (text.trim() === "") continue;
      said.unshift({ role: "user", content: question }, { role: "assistant", content: text });
    }
    return said;
  }
}

/** The conversation with the desk's persona. */
export const trialOf = onePerPersona((desk) => new Trial(desk));
