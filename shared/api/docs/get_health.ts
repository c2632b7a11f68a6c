import { errors } from "../../infra/errors.ts";
import { deadline } from "../../libs/base/std/async.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { findTroubles, readStatus } from "../../core/status/read_status.ts";
import type { Handler } from "../../http/app_env.ts";
import { describeError } from "../../libs/base/log.ts";

/**
 * `GET /docs/health`. Anybody may call it, so that it says no more than whether everything works. A worker has one call
 * of Postgres under way, and repeats what that has found for a while.
 */
export function createGetHealth(
  { database, createLog, timeouts }: Pick<CoreServices, "database" | "createLog" | "timeouts">,
): Handler {
  const log = createLog({ function: "docs" });
  let found = Promise.resolve(false);
  let expiresAt = 0;

  async function look(): Promise<boolean> {
    try {
      const troubles = findTroubles(await readStatus(database));
      if (troubles.length > 0) log("warn", "unhealthy", { troubles: troubles.join(", ") });
      return troubles.length === 0;
    } catch (error) {
      log("warn", "unhealthy", { reason: describeError(error) });
      return false;
    } finally {
      expiresAt = performance.now() + timeouts.healthKept;
    }
  }

  return async (c) => {
    if (performance.now() >= expiresAt) {
      expiresAt = Infinity;
      found = look();
    }
    // The call goes on after that, and nobody else makes one meanwhile.
    const isWell = await deadline(found, timeouts.health).catch(() => false);
    if (!isWell) throw errors.unhealthy();
    return c.json({ status: "ok" });
  };
}
