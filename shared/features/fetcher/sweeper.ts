import type { Log } from "../../infra/log.ts";
import type { WorkBudget } from "../../core/work_budget.ts";
import type { FetchServices } from "./fetch_services.ts";
import { sweep } from "./sweep.ts";

/** Does the work that is due, and settles when it is done or handed over. Never rejects. */
export type Sweeper = (log: Log) => Promise<void>;

/** Runs one sweep at a time. If a request arrives during a sweep, another sweep follows. */
export function createSweeper(services: FetchServices, budget: WorkBudget): Sweeper {
  let running: Promise<void> | null = null;
  /** The last request that no sweep has served yet. */
  let asked: { at: number; log: Log } | null = null;

  async function run(): Promise<void> {
    try {
      while (asked !== null) {
        const { at, log }: { at: number; log: Log } = asked;
        asked = null;
        const endsAt = at + services.timeouts.fetchSweep;
        // The platform only sends requests to an isolate that has time left.
        if (performance.now() > endsAt) await services.wakeFetcher(log);
        else await sweep(services, { log, endsAt, hasTime: () => !budget.isSpent() });
      }
    } finally {
      running = null;
    }
  }

  return (log) => {
    asked = { at: performance.now(), log };
    return running ??= run();
  };
}
