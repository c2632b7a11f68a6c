import type { Services } from "../../../core/context.ts";
import type { Log } from "../../../infra/log.ts";

/** The dependencies of a run. There may be no request: the sweeps of the indexer run turns, too. */
export type RunContext = {
  services: Pick<Services, "database" | "journal" | "loadModels" | "timeouts">;
  log: Log;
};
