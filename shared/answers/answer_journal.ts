import { retry } from "deno-std/async/retry.js";
import { DatabaseError, unreadableReply } from "../db/database.ts";
import { describeError, type Log } from "../log.ts";
import type { AnswerState, EndedAnswer, RunningAnswer, StopReason } from "./answer.ts";

/** Keeps the stored answers close behind the answers that this process writes, and says which runs should end. */
export interface AnswerJournal {
  /**
   * From now on the answer is saved about every second, until it is closed. It is read each time, not copied. `end` is
   * called when its run should end, possibly more than once.
   */
  open(answer: RunningAnswer, end: (reason: StopReason) => void): void;
  /**
   * Saves the end of an answer. Where that fails it is retried until the patience of the journal ends.
   *
   * @returns whether it is stored now; false where the answer is no longer this run's to write.
   * @throws {DatabaseError} when all tries have failed.
   */
  close(answer: RunningAnswer): Promise<boolean>;
  /** Saves all open answers as they are now, and settles when that has been tried. Never rejects. */
  saveNow(): Promise<void>;
  /** How many answers are being written. */
  readonly openAnswers: number;
}

/** What a journal writes to. @throws {DatabaseError} */
export type SaveAnswers = (answers: AnswerState[]) => Promise<EndedAnswer[]>;

/**
 * A journal that saves the progress of all open answers in one statement every `interval` milliseconds, never two at
 * once. An answer without new text is part of it, without the text: that shows that its run is alive, and the reply
 * says whether the run should end.
 *
 * @param options.patience milliseconds for which storing the end of an answer is retried
 */
export function createAnswerJournal(
  save: SaveAnswers,
  log: Log,
  { interval = 1_000, patience = 30_000 }: { interval?: number; patience?: number } = {},
): AnswerJournal {
  const open = new Map<RunningAnswer, { size: number; end: (reason: StopReason) => void }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  let following: Promise<void> | null = null;

  /**
   * A call while a save is under way has another one follow right after it. To wait for the next interval would leave
   * the stored text up to two intervals behind.
   */
  function saveProgress(): Promise<void> {
    if (saving !== null) return following ??= saving.then(saveAfterwards);
    return saving = saveOpen().finally(() => saving = null);
  }

  async function saveAfterwards(): Promise<void> {
    following = null;
    if (open.size > 0) await saveProgress();
  }

  async function saveOpen(): Promise<void> {
    const answers = [...open].map(([answer, { size, end }]) => ({
      answer,
      savedSize: size,
      size: sizeOf(answer),
      end,
    }));
    try {
      const ended = await save(answers.map(({ answer, savedSize, size }) => ({
        ...answer,
        content: size === savedSize ? undefined : answer.content,
        // They do not change: they go with the first save, and again with the end, which may be the only save.
        sources: savedSize === 0 ? answer.sources : undefined,
      })));
      for (const { answer, size, end } of answers) {
        if (open.has(answer)) open.set(answer, { size, end });
        const due = ended.find(({ messageId }) => messageId === answer.messageId);
        if (due) end(due.reason);
      }
    } catch (error) {
      // The next save has the same and more.
      log("warn", "progress_not_saved", { turns: answers.length, reason: describeError(error) });
    }
  }

  return {
    open(answer, end) {
      open.set(answer, { size: 0, end });
      timer ??= setInterval(saveProgress, interval);
    },
    async close(answer) {
      open.delete(answer);
      if (open.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      const giveUpAt = performance.now() + patience;
      // A restart of Postgres should not cost an answer.
      const ended: EndedAnswer[] = await retry(() => save([answer]), {
        // The clock decides.
        maxAttempts: 1_000,
        minTimeout: 500,
        maxTimeout: 8_000,
        jitter: 0.2,
        isRetriable: (error: unknown) => performance.now() < giveUpAt && !isFinal(error),
      });
      return !ended.some(({ reason }) => reason === "lost");
    },
    saveNow: () => open.size > 0 ? saveProgress() : Promise.resolve(),
    get openAnswers() {
      return open.size;
    },
  };
}

/** Grows with everything that is worth saving, also where a response becomes one of the others. */
function sizeOf({ content, responseId, otherResponseIds = [], inputTokens, phase }: RunningAnswer): number {
  return content.length + (responseId ? 1 : 0) + 2 * otherResponseIds.length + (inputTokens ?? 0) +
    (phase?.length ?? 0);
}

/** Whether a retry would fail too. Classes 22 and 23 of SQLSTATE: data that Postgres refuses. */
function isFinal(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === unreadableReply || /^2[23]/.test(String(error.code)));
}
