import { isFinal } from "../../infra/db/database.ts";
import type { AnswerState, SaveRemark } from "./answer.ts";

/** What a journal writes to. @throws {DatabaseError} */
export type SaveAnswers = (answers: AnswerState[]) => Promise<SaveRemark[]>;

/** Saves answers one by one, in as few calls as possible. */
export interface JointSave {
  /**
   * Saves an answer: at once where no save is under way, otherwise together with all that come until that is over, or
   * until `maxWait` is.
   *
   * @returns what there is to say of this answer.
   * @throws {DatabaseError} when the save fails. Answers that were saved together fail together, unless Postgres has
   * refused them for good: then it is asked about each by itself.
   */
  save(answer: AnswerState): Promise<SaveRemark[]>;
  /** Saves those that wait, and settles when that has been tried. Never rejects. */
  saveNow(): Promise<void>;
}

type Waiting = { answer: AnswerState; resolve: (remarks: SaveRemark[]) => void; reject: (error: unknown) => void };

/** @param maxWait milliseconds that an answer waits for a save under way: a lock may hold that up */
export function createJointSave(save: SaveAnswers, maxWait: number = 250): JointSave {
  let waiting: Waiting[] = [];
  let underWay = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function saveNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const together = waiting;
    waiting = [];
    underWay++;
    await saveTogether(together);
    underWay--;
    void saveNow();
  }

  async function saveTogether(together: Waiting[]): Promise<void> {
    try {
      const remarks = await save(together.map(({ answer }) => answer));
      for (const { answer, resolve } of together) {
        resolve(remarks.filter(({ messageId }) => messageId === answer.messageId));
      }
    } catch (error) {
      if (together.length > 1 && isFinal(error)) await Promise.all(together.map((each) => saveTogether([each])));
      else for (const { reject } of together) reject(error);
    }
  }

  return {
    save: (answer) =>
      new Promise((resolve, reject) => {
        waiting.push({ answer, resolve, reject });
        if (underWay === 0) void saveNow();
        else timer ??= setTimeout(saveNow, maxWait);
      }),
    saveNow,
  };
}
