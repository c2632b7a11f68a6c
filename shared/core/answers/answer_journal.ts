import { retry } from "../../libs/base/std/async.ts";
import { isFinal } from "../../infra/db/database.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import { createJointCalls } from "../../libs/base/joint_calls.ts";
import { countCharacters } from "../../libs/base/text.ts";
import type { AnswerState, RunningAnswer, SaveRemark, StopReason } from "./answer.ts";
import type { CoreServices } from "../core_services.ts";
import type { Tracing } from "../../libs/telemetry/tracing.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { fieldsOf } from "../../libs/base/fields_of.ts";

/** Keeps the stored answers close behind the answers that this process writes, and says which runs should end. */
export interface AnswerJournal {
  /**
   * From now on, the answer is saved about every second, until it is closed. It is read at each save, not copied, and only
   * the added part of its text is read, so the text must only grow. `end` is called when its run should end, possibly
   * more than once.
   */
  open(answer: RunningAnswer, end: (reason: StopReason) => void): void;
  /**
   * Saves the end of an answer, together with others that end at the same time. Where that fails it is retried, by
   * itself, until the patience of the journal ends. The answer then has the sources that its text draws on.
   *
   * @returns null where it is stored now; otherwise why it is not: the answer is no longer this run's to write.
   * @throws {DatabaseError} when all tries have failed.
   */
  close(answer: RunningAnswer): Promise<Exclude<StopReason, "stopped"> | null>;
  /** Saves all open answers as they are now, and the ends that wait; settles when that has been tried. Never rejects. */
  saveNow(): Promise<void>;
  /** The number of answers that are being written. */
  readonly openAnswers: number;
}

/** The part of an answer that Postgres has confirmed. */
type Saved = {
  length: number;
  /** The same as Postgres counts it. */
  characters: number;
  /** The result of `weigh` for the rest of it. */
  weight: number;
  sources?: AnswerState["sources"];
};

const nothing: Saved = { length: 0, characters: 0, weight: 0 };

/**
 * A journal that saves the progress of all open answers in one statement every `interval` milliseconds. Saves never
 * overlap. Each contains only the text that was added since the last successful save. An answer without changes is
 * included: that shows that its run is alive, and the reply says whether the run should end.
 *
 * @param options.patience milliseconds for which storing the end of an answer is retried
 */
export function createAnswerJournal(
  save: SaveAnswers,
  log: Log,
  { interval = 1_000, patience = 30_000, tracing = null }: {
    interval?: number;
    patience?: number;
    tracing?: Tracing | null;
  } = {},
): AnswerJournal {
  const open = new Map<RunningAnswer, { saved: Saved; end: (reason: StopReason) => void }>();
  // Unless Postgres has rejected all for good, each is retried by itself.
  const ends = createJointCalls(async (answers: AnswerState[]) => {
    const remarks = await save(answers);
    return answers.map((answer) => remarks.filter(({ messageId }) => messageId === answer.messageId));
  }, { isSplit: isFinal });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  let following: Promise<void> | null = null;

  /** A call during a save has another one follow at once, so that the stored text is not two intervals behind. */
  function saveProgress(): Promise<void> {
    if (saving !== null) return following ??= saving.then(saveAfterwards);
    return saving = saveOpen().finally(() => saving = null);
  }

  async function saveAfterwards(): Promise<void> {
    following = null;
    if (open.size > 0) await saveProgress();
  }

  async function saveOpen(): Promise<void> {
    const saves = [...open].map(([answer, { saved, end }]) => ({ answer, end, ...addedTo(answer, saved) }));
    try {
      const remarks = await save(saves.map(({ state }) => state));
      for (const { answer, end, next } of saves) {
        // It has ended meanwhile. Where that was stored first, Postgres calls this save lost.
        if (!open.has(answer)) continue;
        const reason = remarks.find(({ messageId }) => messageId === answer.messageId)?.reason;
        open.set(answer, { saved: reason === "gap" ? nothing : next, end });
        if (reason !== undefined && reason !== "gap" && reason !== "ended") end(reason);
      }
    } catch (error) {
      // The next save has the same and more.
      log("warn", "progress_not_saved", { turns: saves.length, reason: describeError(error) });
    }
  }

  return {
    open(answer, end) {
      open.set(answer, { saved: nothing, end });
      if (timer !== undefined) return;
      const start = () => setInterval(saveProgress, interval);
      // It saves for all requests: its calls belong to the trace of none.
      timer = tracing === null ? start() : tracing.outside(start);
    },
    async close(answer) {
      let saved = open.get(answer)?.saved ?? nothing;
      open.delete(answer);
      if (open.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      const giveUpAt = performance.now() + patience;
      let tries = 0;
      async function saveEnd(): Promise<SaveRemark[]> {
        const rest = restOf(answer, saved);
        // An answer that has failed once may be held up by another one.
        const remarks = tries++ === 0 ? await ends.call(rest) : await save([rest]);
        if (!remarks.some(({ reason }) => reason === "gap")) return remarks;
        saved = nothing;
        return await save([restOf(answer, saved)]);
      }
      // A restart of Postgres should not cost an answer.
      const remarks: SaveRemark[] = await retry(saveEnd, {
        // The clock decides.
        maxAttempts: 1_000,
        minTimeout: 500,
        maxTimeout: 8_000,
        jitter: 0.2,
        isRetriable: (error: unknown) => performance.now() < giveUpAt && !isFinal(error),
      });
      const [ended] = remarks.filter(({ reason }) => reason === "ended");
      if (ended?.sources) answer.sources = ended.sources;
      return remarks.map(({ reason }) => reason).find((reason) => reason === "taken_over" || reason === "lost") ?? null;
    },
    async saveNow() {
      await Promise.all([ends.flush(), open.size > 0 && saveProgress()]);
    },
    get openAnswers() {
      return open.size;
    },
  };
}

/** The part of an answer that Postgres has not confirmed, and the part that is confirmed once it is stored. */
function addedTo(answer: RunningAnswer, saved: Saved): { state: AnswerState; next: Saved } {
  // Half of a character waits for its other half.
  const length = answer.content.length - (/[\ud800-\udbff]/.test(answer.content.at(-1) ?? "") ? 1 : 0);
  const added = answer.content.slice(saved.length, length);
  const weight = weigh(answer);
  const hasNews = added !== "" || weight !== saved.weight;
  return {
    state: {
      ...answer,
      content: hasNews ? added : undefined,
      contentFrom: hasNews ? saved.characters : undefined,
      // They change when the text names one for the first time.
      sources: saved.sources === answer.sources ? undefined : answer.sources,
    },
    next: hasNews
      ? { length, characters: saved.characters + countCharacters(added), weight, sources: answer.sources }
      : saved,
  };
}

/** The end of an answer: all of it but the text that Postgres has confirmed. */
function restOf(answer: RunningAnswer, saved: Saved): AnswerState {
  return { ...answer, content: answer.content.slice(saved.length), contentFrom: saved.characters };
}

/** Grows with everything but text that is worth saving, also where a response becomes one of the others. */
function weigh({ responseId, otherResponseIds = [], usage, phase }: RunningAnswer): number {
  const tokens = usage ? usage.freshInput + usage.cachedInput : 0;
  return (responseId ? 1 : 0) + 2 * otherResponseIds.length + tokens + (phase?.length ?? 0);
}

// Loaded with the first answer: refusals do without it, and without zod.
const loadStore = lazy(() => import("./store.ts"));

/** A journal of the answers that this process writes, kept in Postgres. */
export function openJournal(
  { database, timeouts, createLog, tracing }: Pick<CoreServices, "database" | "timeouts" | "createLog" | "tracing">,
): AnswerJournal {
  return createAnswerJournal(
    async (answers) => (await loadStore()).saveAnswers(database, answers),
    createLog({}),
    { interval: timeouts.flush, patience: timeouts.save, tracing },
  );
}

/** Saves the running turns' text when the platform announces the end of this isolate, and writes a log line. */
export function saveAtEnd(
  { createLog, waitUntil }: Pick<CoreServices, "createLog" | "waitUntil">,
  journal: AnswerJournal,
): void {
  addEventListener("beforeunload", (event) => {
    const { reason } = fieldsOf(fieldsOf(event).detail);
    const turns = journal.openAnswers;
    const level = turns > 0 ? "warn" : "info";
    createLog({})(level, "worker_ends", { reason: typeof reason === "string" ? reason : null, turns });
    waitUntil(journal.saveNow());
  });
}

/** The store that a journal writes to. @throws {DatabaseError} */
export type SaveAnswers = (answers: AnswerState[]) => Promise<SaveRemark[]>;
