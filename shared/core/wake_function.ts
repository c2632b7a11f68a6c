import { secretKeyHeaders } from "../infra/db/database.ts";
import { describeError, type Log } from "../libs/base/log.ts";
import type { Tracing } from "../libs/telemetry/tracing.ts";

/** A project, and one of its secret keys, which its own functions need. */
export type ProjectAddress = { supabaseUrl: string; secretKey: string };

/** The functions that the project calls itself, for work in the background. */
export type BackgroundFunction = "indexer" | "fetcher" | "mailer";

/**
 * Calls a function that replies immediately and then works. The key goes nowhere else.
 *
 * @param timeout milliseconds
 * @param traceparent the trace that the work belongs to
 * @returns the status of its answer.
 * @throws what `fetch` throws when it does not answer.
 */
export async function callFunction(
  name: BackgroundFunction,
  { supabaseUrl, secretKey }: ProjectAddress,
  timeout: number,
  traceparent?: string,
): Promise<number> {
  const response = await fetch(`${supabaseUrl}/functions/v1/${name}`, {
    method: "POST",
    headers: { ...secretKeyHeaders(secretKey), ...(traceparent === undefined ? {} : { traceparent }) },
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
  tracing: Tracing | null = null,
): (log: Log) => Promise<void> {
  return async (log) => {
    const span = tracing?.begin(`POST ${name}`, address.supabaseUrl, {
      "http.request.method": "POST",
      "url.template": `/functions/v1/${name}`,
    });
    let status: number | undefined;
    try {
      status = await callFunction(name, address, timeout, span?.traceparent);
      if (status >= 300) log("warn", `${name}_not_called`, { status });
    } catch (error) {
      log("warn", `${name}_not_called`, { reason: describeError(error) });
    } finally {
      const hasFailed = status === undefined || status >= 300;
      span?.end({ attributes: { "http.response.status_code": status }, hasFailed });
    }
  };
}
