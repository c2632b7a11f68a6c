import type { Services } from "../../../core/context.ts";
import type { Log } from "../../../infra/log.ts";

/** What a run reaches outside of itself. There may be no request: the sweeps of the indexer run turns, too. */
export type RunContext = {
  services: Pick<Services, "database" | "journal" | "loadModels" | "timeouts">;
  log: Log;
};
