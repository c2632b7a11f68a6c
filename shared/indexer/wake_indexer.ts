import { describeError, type Log } from "../log.ts";

/** Calls the function `indexer` of the same project, which answers at once and then works. */
export function createWakeIndexer(
  env: { supabaseUrl: string; secretKey: string },
  timeout: number,
): (log: Log) => Promise<void> {
  return async (log) => {
    try {
      const response = await fetch(`${env.supabaseUrl}/functions/v1/indexer`, {
        method: "POST",
        headers: { apikey: env.secretKey },
        signal: AbortSignal.timeout(timeout),
      });
      await response.body?.cancel();
      if (!response.ok) log("warn", "indexer_not_called", { status: response.status });
    } catch (error) {
      log("warn", "indexer_not_called", { reason: describeError(error) });
    }
  };
}
