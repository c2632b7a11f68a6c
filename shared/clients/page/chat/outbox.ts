import type { Kept } from "../connection.ts";
import type { SentQuestion, Unsent } from "./messages.ts";
import type { Trouble } from "./trouble.ts";

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
