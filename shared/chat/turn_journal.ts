import { retry } from "deno-std/async/retry.js";
import { type Database, DatabaseError } from "../db/database.ts";
import { describeError, type Log } from "../log.ts";
import type { Source } from "./cite_passages.ts";

/** The state of an answer, as the SQL function `save_turns` takes it. */
export type SavedTurn = {
  message_id: string;
  content: string;
  status: "streaming" | "complete" | "stopped" | "failed";
  error?: string | null;
  response_id?: string | null;
  input_tokens?: number | null;
  output_tokens?: number | null;
  /** Left out, what is stored stays. */
  sources?: Source[] | null;
};

/** Keeps the stored answers of all turns of a process near to what was said. */
export interface TurnJournal {
  /** From now on saves what the turn holds, about every second while it changes. The turn is read, not copied. */
  open(turn: SavedTurn): void;
  /** Saves the end of a turn, trying again for some seconds. @throws {DatabaseError} when that was in vain. */
  close(turn: SavedTurn): Promise<void>;
}

/** Readers take an answer for abandoned after 30 s without a sign of life. */
const heartbeat = 10_000;

/** A journal that saves the progress of all open turns in one statement every `interval` milliseconds, never two at once. */
export function createTurnJournal(database: Database, log: Log, interval = 1_000): TurnJournal {
  const saved = new Map<SavedTurn, { size: number; at: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaving = false;

  async function saveProgress(): Promise<void> {
    const now = performance.now();
    const due = [...saved].filter(([turn, last]) => sizeOf(turn) !== last.size || now - last.at >= heartbeat);
    if (isSaving || due.length === 0) return;
    isSaving = true;
    const sizes = due.map(([turn, last]) => ({ last, size: sizeOf(turn) }));
    try {
      // Sources do not change: they go with the first save, and once more with the end, which may be the only one.
      await database.call("save_turns", {
        turns: due.map(([turn, last]) => last.size === 0 ? turn : { ...turn, sources: undefined }),
      });
      for (const { last, size } of sizes) Object.assign(last, { size, at: now });
    } catch (error) {
      // The next round saves the same and more.
      log("warn", "progress_not_saved", { turns: due.length, reason: describeError(error) });
    } finally {
      isSaving = false;
    }
  }

  return {
    open(turn) {
      saved.set(turn, { size: 0, at: performance.now() });
      timer ??= setInterval(saveProgress, interval);
    },
    async close(turn) {
      saved.delete(turn);
      if (saved.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      // About 8 s in all: a restart of Postgres should cost no answer.
      await retry(() => database.call("save_turns", { turns: [turn] }), {
        maxAttempts: 5,
        minTimeout: 500,
        jitter: 0.2,
        // Classes 22 and 23 of SQLSTATE: data that Postgres will not take the next time either.
        isRetriable: (error: unknown) => !(error instanceof DatabaseError && /^2[23]/.test(String(error.code))),
      });
    },
  };
}

/** Grows with everything that is worth saving. */
function sizeOf({ content, response_id }: SavedTurn): number {
  return content.length + (response_id ? 1 : 0);
}
