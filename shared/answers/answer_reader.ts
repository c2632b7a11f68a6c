import type { Database } from "../db/database.ts";
import type { StoredAnswer } from "./stored_answer.ts";

/** Which answer, for whom, and how many characters of it they have. */
export type AskedAnswer = { account_id: string; user_id: string | null; message_id: string; after: number };

/** Reads answers that others write. Both ways give null for what the caller does not have. */
export interface AnswerReader {
  /** How an answer stands now. @throws {DatabaseError} */
  read(asked: AskedAnswer): Promise<StoredAnswer | null>;
  /**
   * How it stands a moment later. A database that fails is asked again until `patience` milliseconds are over.
   *
   * @throws {DatabaseError} when that was in vain.
   */
  readSoon(asked: AskedAnswer, patience: number): Promise<StoredAnswer | null>;
}

type Waiting = {
  asked: AskedAnswer;
  giveUpAt: number;
  resolve: (answer: StoredAnswer | null) => void;
  reject: (error: unknown) => void;
};

/** A reader that asks for everybody who waits in this process at once, every `interval` milliseconds. */
export function createAnswerReader(database: Database, interval: number): AnswerReader {
  const waiting: Waiting[] = [];

  async function readAll(asked: AskedAnswer[]): Promise<(StoredAnswer | null)[]> {
    // Loaded with the first reader, to keep it out of the cold start of everybody else.
    const { StoredAnswers } = await import("./stored_answer.ts");
    return StoredAnswers.parse(await database.call("read_answers", { asked }));
  }
  async function answerWaiting(): Promise<void> {
    const asking = waiting.splice(0);
    try {
      const answers = await readAll(asking.map(({ asked }) => asked));
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
    read: async (asked) => (await readAll([asked]))[0] ?? null,
    readSoon: (asked, patience) =>
      new Promise((resolve, reject) => wait({ asked, giveUpAt: performance.now() + patience, resolve, reject })),
  };
}
