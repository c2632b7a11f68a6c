import { secretKeyHeaders } from "../infra/db/database.ts";
import { describeError, type Log } from "../infra/log.ts";

/** A project, and one of its secret keys, which its own functions need. */
export type ProjectAddress = { supabaseUrl: string; secretKey: string };

/** The functions that the project calls itself, for work in the background. */
export type BackgroundFunction = "indexer" | "fetcher" | "mailer";

/**
 * Calls a function that replies immediately and then works. The key goes nowhere else.
 *
 * @param timeout milliseconds
 * @returns the status of its answer.
 * @throws what `fetch` throws when it does not answer.
 */
export async function callFunction(
  name: BackgroundFunction,
  { supabaseUrl, secretKey }: ProjectAddress,
  timeout: number,
): Promise<number> {
  const response = await fetch(`${supabaseUrl}/functions/v1/${name}`, {
    method: "POST",
    headers: secretKeyHeaders(secretKey),
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  return response.status;
}

/** Calls a function of the same project. Never rejects: a failure is logged. */
export function createWaker(
  name: BackgroundFunction,
  address: ProjectAddress,
  timeout: number,
): (log: Log) => Promise<void> {
  return async (log) => {
    try {
      const status = await callFunction(name, address, timeout);
      if (status >= 300) log("warn", `${name}_not_called`, { status });
    } catch (error) {
      log("warn", `${name}_not_called`, { reason: describeError(error) });
    }
  };
}
