import { type Sweeper, sweepOneByOne } from "../../core/sweep_one_by_one.ts";
import type { WorkBudget } from "../../core/work_budget.ts";
import type { FetchServices } from "./fetch_services.ts";
import { sweep } from "./sweep.ts";

/** Creates what reads the sources that are due. */
export function createSweeper(services: FetchServices, budget: WorkBudget): Sweeper {
  const lasts = services.timeouts.fetchSweep;
  return sweepOneByOne({
    lasts,
    sweep: (at, log) => sweep(services, { log, endsAt: at + lasts, hasTime: () => !budget.isSpent() }),
    handOver: services.wakeFetcher,
  });
}
