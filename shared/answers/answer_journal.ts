import { retry } from "deno-std/async/retry.js";
import { type Database, DatabaseError } from "../db/database.ts";
import { describeError, type Log } from "../log.ts";
import type { Source } from "./stored_answer.ts";

/** The state of an answer, as the SQL function `save_turns` takes it. */
export type AnswerState = {
  message_id: string;
  /** The run that writes it; left out by readers who end what has lost its writer. */
  run_id?: string;
  /** Left out, what is stored stays. */
  content?: string;
  status: "streaming" | "complete" | "stopped" | "failed";
  /** What it failed with: the code of an error of the catalogue. */
  error_code?: string | null;
  /** For operators: what the client is told, and what was underneath. */
  error?: string | null;
  response_id?: string | null;
  /** Its responses besides that one: those in which the model called tools. Left out, what is stored stays. */
  other_response_ids?: string[];
  input_tokens?: number | null;
  output_tokens?: number | null;
  /** Left out, what is stored stays. */
  sources?: Source[] | null;
};

/** A turn that is being written. */
export type RunningAnswer = AnswerState & { run_id: string; content: string };

/** Why a turn should end: somebody wants that, or its answer is no longer its to write. */
export type StopReason = "stopped" | "lost";

/** The reply of the SQL function `save_turns`. */
type SaveReply = { message_id: string; reason: StopReason }[];

/** Keeps the stored answers of all turns of a process near to what was said, and hears which of them should end. */
export interface AnswerJournal {
  /**
   * From now on saves about every second what the turn holds. The turn is read, not copied. `end` is called, maybe more
   * than once, when the turn should end.
   */
  open(turn: RunningAnswer, end: (reason: StopReason) => void): void;
  /**
   * Saves the end of a turn, trying again for as long as the journal was told.
   *
   * @returns whether it is stored now; false where the answer is no longer this turn's to write.
   * @throws {DatabaseError} when all tries were in vain.
   */
  close(turn: RunningAnswer): Promise<boolean>;
  /** Saves what all turns hold now, and settles when that has been tried. Never rejects. */
  saveNow(): Promise<void>;
  /** How many turns are being written. */
  readonly openAnswers: number;
}

/**
 * A journal that saves the progress of all open turns in one statement every `interval` milliseconds, never two at
 * once. A turn without news goes along by name alone: that is how its writer shows that it lives, and hears of a stop.
 *
 * @param options.patience milliseconds for which the end of a turn is tried again
 */
export function createAnswerJournal(
  database: Database,
  log: Log,
  { interval = 1_000, patience = 30_000 }: { interval?: number; patience?: number } = {},
): AnswerJournal {
  const open = new Map<RunningAnswer, { size: number; end: (reason: StopReason) => void }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  let following: Promise<void> | null = null;

  /**
   * Whoever asks while a round is under way is served by another one right after it. That does not wait for a beat: the
   * text would be up to two of them behind.
   */
  function saveProgress(): Promise<void> {
    if (saving !== null) return following ??= saving.then(saveAfterwards);
    return saving = saveRound().finally(() => saving = null);
  }

  async function saveAfterwards(): Promise<void> {
    following = null;
    if (open.size > 0) await saveProgress();
  }

  async function saveRound(): Promise<void> {
    const turns = [...open].map(([turn, { size, end }]) => ({ turn, savedSize: size, size: sizeOf(turn), end }));
    try {
      const ended = await database.call("save_turns", {
        turns: turns.map(({ turn, savedSize, size }) => ({
          ...turn,
          content: size === savedSize ? undefined : turn.content,
          // They do not change: they go with the first save, and once more with the end, which may be the only one.
          sources: savedSize === 0 ? turn.sources : undefined,
        })),
      }) as SaveReply;
      for (const { turn, size, end } of turns) {
        if (open.has(turn)) open.set(turn, { size, end });
        const due = ended.find(({ message_id }) => message_id === turn.message_id);
        if (due) end(due.reason);
      }
    } catch (error) {
      // The next round saves the same and more.
      log("warn", "progress_not_saved", { turns: turns.length, reason: describeError(error) });
    }
  }

  return {
    open(turn, end) {
      open.set(turn, { size: 0, end });
      timer ??= setInterval(saveProgress, interval);
    },
    async close(turn) {
      open.delete(turn);
      if (open.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      const giveUpAt = performance.now() + patience;
      // A restart of Postgres should cost no answer.
      const ended = await retry(() => database.call("save_turns", { turns: [turn] }), {
        // The clock decides.
        maxAttempts: 1_000,
        minTimeout: 500,
        maxTimeout: 8_000,
        jitter: 0.2,
        // Classes 22 and 23 of SQLSTATE: data that Postgres will not take the next time either.
        isRetriable: (error: unknown) =>
          performance.now() < giveUpAt && !(error instanceof DatabaseError && /^2[23]/.test(String(error.code))),
      }) as SaveReply;
      return !ended.some(({ reason }) => reason === "lost");
    },
    saveNow: () => open.size > 0 ? saveProgress() : Promise.resolve(),
    get openAnswers() {
      return open.size;
    },
  };
}

/** Grows with everything that is worth saving, also where a response becomes one of the others. */
function sizeOf({ content, response_id, other_response_ids = [], input_tokens }: RunningAnswer): number {
  return content.length + (response_id ? 1 : 0) + 2 * other_response_ids.length + (input_tokens ?? 0);
}
