import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { StartTestRunInput } from "./schemas.ts";

/**
 * Starts a run of tests, which the indexer carries out. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such test; 403 for anyone but the expert; 409 without any
 * test, and while too many runs of the coach wait.
 */
export async function startTestRun(
  { database, userId, services, log }: RequestContext,
  { coachId, draft, judge, tests }: StartTestRunInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const access = { coachId: requireCoachId(coachId), userId };
  const reply = await store.startTestRun(database, access, {
    judge: judge ?? false,
    tests: tests ?? null,
    isDraft: draft ?? false,
  });
  services.waitUntil(services.wakeIndexer(log));
  return reply;
}
