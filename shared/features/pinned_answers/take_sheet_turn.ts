import { errors } from "../../infra/errors.ts";
import { delay } from "../../libs/base/std/async.ts";
import { timeouts } from "../../infra/timeouts.ts";
import type { RequestContext } from "../../core/context.ts";

/** The sheets that a worker reads or writes at the same time: one of an account, so that each ends within its time. */
const atWork = { limit: 3, share: 1 };
/** Those that are there with the ones that wait. Further ones are refused at once: an import may take half a minute. */
const present = { imports: { limit: 30, share: 4 }, exports: { limit: 60, share: 20 } };
/** The longest pause between two looks whether there is room, in milliseconds. */
const longestPause = 250;

/**
 * Does work on a sheet of pinned answers when it is its turn: some of them at a time, and one of an account.
 *
 * @throws {ApiError} 503 with `Retry-After` if too many wait, or its turn does not come in time; 401 or 429 as always.
 */
export async function takeSheetTurn<Result>(
  { services: { sheets }, admission }: Pick<RequestContext, "admission"> & {
    services: Pick<RequestContext["services"], "sheets">;
  },
  kind: keyof typeof present,
  work: () => Promise<Result>,
): Promise<Result> {
  // Only after authentication, so that nobody without a valid key can occupy a place.
  const { accountId } = await admission.require();
  const leave = sheets.present.enter(accountId, present[kind]);
  if (leave === null) throw errors.sheetBusy();
  try {
    const end = performance.now() + timeouts.sheetTurn;
    let stop = sheets.atWork.enter(accountId, atWork);
    while (stop === null) {
      if (performance.now() >= end) throw errors.sheetBusy();
      await delay(Math.random() * longestPause);
      stop = sheets.atWork.enter(accountId, atWork);
    }
    try {
      return await work();
    } finally {
      stop();
    }
  } finally {
    leave();
  }
}
