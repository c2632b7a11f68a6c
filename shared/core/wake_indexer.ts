import { secretKeyHeaders } from "../infra/db/database.ts";
import { describeError, type Log } from "../infra/log.ts";

/** A project, and one of its secret keys: the function `indexer` needs it. */
export type IndexerAddress = { supabaseUrl: string; secretKey: string };

/**
 * Calls the function `indexer`, which replies immediately and then works. The key goes nowhere else.
 *
 * @param timeout milliseconds
 * @returns the status of its answer.
 * @throws what `fetch` throws when it does not answer.
 */
export async function callIndexer({ supabaseUrl, secretKey }: IndexerAddress, timeout: number): Promise<number> {
  const response = await fetch(`${supabaseUrl}/functions/v1/indexer`, {
    method: "POST",
    headers: secretKeyHeaders(secretKey),
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  return response.status;
}

/** Calls the function `indexer` of the same project. Never rejects: a failure is logged. */
export function createWakeIndexer(address: IndexerAddress, timeout: number): (log: Log) => Promise<void> {
  return async (log) => {
    try {
      const status = await callIndexer(address, timeout);
      if (status >= 300) log("warn", "indexer_not_called", { status });
    } catch (error) {
      log("warn", "indexer_not_called", { reason: describeError(error) });
    }
  };
}
