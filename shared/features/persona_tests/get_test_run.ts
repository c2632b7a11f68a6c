import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { TestRunInput } from "./schemas.ts";

/**
 * A run with its results so far, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such run; 403 for anyone but the expert.
 */
export async function getTestRun(ctx: RequestContext, input: TestRunInput): Promise<Uint8Array<ArrayBuffer>> {
  return await readRun(ctx, input, { stops: false });
}

/**
 * Stops a run: tests that have not begun are left out, and those under way are given up. One that has ended stays as it
 * is. Returns it as the JSON of the reply.
 *
 * @throws as {@link getTestRun} does.
 */
export async function stopTestRun(ctx: RequestContext, input: TestRunInput): Promise<Uint8Array<ArrayBuffer>> {
  return await readRun(ctx, input, { stops: true });
}

async function readRun(
  { database, userId }: RequestContext,
  { coachId, runId }: TestRunInput,
  options: { stops: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.getTestRun(database, {
    coachId: requireCoachId(coachId),
    userId,
    runId: uuidPattern.test(runId) ? runId : null,
  }, options);
}
