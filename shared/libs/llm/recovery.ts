import { delay } from "../base/std/async.ts";
import type { Log } from "../base/log.ts";
import { chatCompletionsApi } from "./chat_completions_api.ts";
import { classify, isOverflow, isSlip, isUnknownPath } from "./failure.ts";
import { type InputBudget, shortenRequest, sizeOf } from "./fit_request.ts";
import type { AskedModel, ModelApi } from "./model_api.ts";
import type { ReportedFailure } from "./model_event.ts";
import { adapt, type Quirks } from "./quirks.ts";
import { responsesApi } from "./responses_api.ts";

/** A request in the form in which it is sent. */
export type Attempt = AskedModel & { api: ModelApi };

/** An attempt that has failed before the model has begun to answer. */
export type FailedAttempt = {
  attempt: Attempt;
  failure: ReportedFailure;
  /** True if nothing has come but the failure. */
  isSilent: boolean;
};

/** Finds the next attempt after one that has failed, or null. Each request has policies of its own. */
export type RecoveryPolicy = (failed: FailedAttempt) => Promise<Attempt> | Attempt | null;

/** The next attempt of the first policy that knows one; null where none does. */
export async function recover(policies: RecoveryPolicy[], failed: FailedAttempt): Promise<Attempt | null> {
  for (const policy of policies) {
    const next = await policy(failed);
    if (next !== null) return next;
  }
  return null;
}

/** Asks a server without the Responses API by chat completions, unless that API has worked before. */
export function fallBackToChatCompletions(knownApi: () => ModelApi | undefined): RecoveryPolicy {
  return ({ attempt, failure }) => {
    const mayBeOlder = knownApi() !== responsesApi && attempt.api === responsesApi && isUnknownPath(failure);
    return mayBeOlder ? { ...attempt, api: chatCompletionsApi } : null;
  };
}

/** Asks once more where the model itself has made a mistake. Nothing is remembered: the next request may succeed. */
export function askAgainAfterSlip(log: Log): RecoveryPolicy {
  let isAskedAgain = false;
  return ({ attempt, failure }) => {
    if (isAskedAgain || !isSlip(failure)) return null;
    isAskedAgain = true;
    log("warn", "model_slips", { model: attempt.model, code: failure.code });
    return attempt;
  };
}

/** Leaves out the part that a server refuses, or writes items in another form. */
export function leaveOutRefused(log: Log): RecoveryPolicy {
  const refused: Quirks[] = [];
  return ({ attempt, failure }) => {
    refused.push(attempt.quirks);
    const adapted = adapt(failure, attempt.api.describe(attempt), refused);
    if (adapted === null) return null;
    log("warn", "model_refuses", { model: attempt.model, left_out: adapted.change });
    return { ...attempt, quirks: adapted.quirks };
  };
}

/** Leaves out history and quoted material that the model cannot read, and lowers the budget of later requests. */
export function shortenInput(budget: Pick<InputBudget, "learn">, log: Log): RecoveryPolicy {
  let isHalved = false;
  return ({ attempt, failure }) => {
    if (!isOverflow(failure)) return null;
    const request = shortenRequest(attempt.request, isHalved);
    if (request === null) return null;
    const characters = sizeOf(attempt.request);
    budget.learn(attempt.model, characters);
    log("warn", "model_input_too_long", { model: attempt.model, characters });
    isHalved = true;
    return { ...attempt, request };
  };
}

/** The number of times that a request is sent, unless it says otherwise. */
const usualTries = 3;
/** The longest time that a request waits between its tries, all together, in milliseconds. */
const maxWaiting = 5_000;

/** Waits and sends the same again, where the failure may pass and nothing has come. */
export function retryWhatMayPass(signal: AbortSignal, maxTries = usualTries): RecoveryPolicy {
  let tries = 1;
  let waited = 0;
  return ({ attempt, failure, isSilent }) => {
    const wait = isSilent && tries < maxTries ? waitBefore(failure, tries) : null;
    if (wait === null || waited + wait > maxWaiting) return null;
    tries++;
    waited += wait;
    return delay(wait, { signal }).then(() => attempt);
  };
}

/** Milliseconds after which a request might succeed that has just failed; null where another try would not help. */
function waitBefore(failure: ReportedFailure, tries: number): number | null {
  const { status, isUnreachable, retryAfter } = failure;
  const kind = classify(failure);
  const isBroken = isUnreachable || failure.code === "stream_cut";
  const mayPass = kind === "busy" ||
    kind === "unavailable" && (isBroken || status === 408 || status === 409 || status !== null && status >= 500);
  if (!mayPass) return null;
  // Together with the other clients of the server, but not all at once.
  return retryAfter === null ? 500 * 2 ** (tries - 1) * (0.75 + Math.random() / 4) : retryAfter * 1_000;
}
