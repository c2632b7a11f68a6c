import type { Handler } from "../../http/app_env.ts";
import { sweepOneByOne } from "../../core/sweep_one_by_one.ts";
import { createWorkBudget } from "../../core/work_budget.ts";
import { costs, createFetchServices, type FetcherServices } from "./fetch_services.ts";
import { sweep } from "./sweep.ts";

/**
 * `POST /fetcher`. It replies immediately: callers do not wait for the work. Created once per isolate; `spent` is the
 * time that the isolate has worked so far, in milliseconds.
 */
export function createPostSweep(services: FetcherServices, { spent }: { spent: number }): Handler {
  const budget = createWorkBudget({ limit: services.timeouts.fetching, spent });
  const charged = createFetchServices(services, budget);
  const lasts = services.timeouts.fetchSweep;
  const sweepOnce = sweepOneByOne({
    lasts,
    sweep: (at, log) => sweep(charged, { log, endsAt: at + lasts, hasTime: () => !budget.isSpent() }),
    handOver: charged.wakeFetcher,
  });
  return (c) => {
    budget.charge(costs.request);
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Fetching has started" }, 202);
  };
}
