import type { AskedAnswer } from "./answer.ts";
import type { StoredAnswer } from "./stored_answer.ts";

/** Follows answers that other requests write. */
export interface AnswerReader {
  /**
   * Returns the answer a moment later; null if the caller does not have it. If the database fails, it is asked again
   * until `patience` milliseconds are over.
   *
   * @throws {DatabaseError} when all tries have failed.
   */
  readSoon(asked: AskedAnswer, patience: number): Promise<StoredAnswer | null>;
}

/** The source of a reader. @throws {DatabaseError} */
export type ReadAnswers = (asked: AskedAnswer[]) => Promise<(StoredAnswer | null)[]>;

type Waiting = {
  asked: AskedAnswer;
  giveUpAt: number;
  resolve: (answer: StoredAnswer | null) => void;
  reject: (error: unknown) => void;
};

/** A reader that asks every `interval` milliseconds, once for all requests of this process that wait. */
export function createAnswerReader(readAnswers: ReadAnswers, interval: number): AnswerReader {
  const waiting: Waiting[] = [];

  async function answerWaiting(): Promise<void> {
    const asking = waiting.splice(0);
    try {
      const answers = await readAnswers(asking.map(({ asked }) => asked));
      for (const [index, { resolve }] of asking.entries()) resolve(answers[index] ?? null);
    } catch (error) {
      const now = performance.now();
      for (const each of asking) now < each.giveUpAt ? wait(each) : each.reject(error);
    }
  }
  function wait(each: Waiting): void {
    if (waiting.push(each) === 1) setTimeout(answerWaiting, interval);
  }

  return {
    readSoon: (asked, patience) =>
      new Promise((resolve, reject) => wait({ asked, giveUpAt: performance.now() + patience, resolve, reject })),
  };
}
