import type { Handler } from "../../http/app_env.ts";
import { createWorkBudget } from "../../core/work_budget.ts";
import { createFetchServices, type FetcherServices } from "./fetch_services.ts";
import { costs } from "./costs.ts";
import { createSweeper } from "./sweeper.ts";

/**
 * `POST /fetcher`. It replies immediately: callers do not wait for the work. Created once per isolate; `spent` is the
 * time that the isolate has worked so far, in milliseconds.
 */
export function createPostSweep(services: FetcherServices, { spent }: { spent: number }): Handler {
  const budget = createWorkBudget({ limit: services.timeouts.fetching, spent });
  const sweepOnce = createSweeper(createFetchServices(services, budget), budget);
  return (c) => {
    budget.charge(costs.request);
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Fetching has started" }, 202);
  };
}
