import type { Handler } from "../../http/app_env.ts";
import type { IndexerServices } from "./indexer_services.ts";
import { costs } from "./meter_services.ts";
import { createSweeper } from "./sweeper.ts";
import { createWorkBudget } from "../../core/work_budget.ts";

/**
 * `POST /indexer`. It replies immediately: callers do not wait for the work. Created once per isolate; `spent` is the
 * time that the isolate has worked so far, in milliseconds.
 */
export function createPostSweep(services: IndexerServices, { spent }: { spent: number }): Handler {
  const budget = createWorkBudget({ limit: services.timeouts.indexing, spent });
  const sweepOnce = createSweeper(services, budget);
  return (c) => {
    budget.charge(costs.request);
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Indexing has started" }, 202);
  };
}
