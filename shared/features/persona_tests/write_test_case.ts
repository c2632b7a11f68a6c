import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { CreateTestInput, UpdateTestInput } from "./schemas.ts";

/**
 * Adds a test. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such thread; 403 for anyone but the expert; 409 if the
 * coach has too many tests.
 */
export async function createTest(
  { database, userId }: RequestContext,
  { coachId, thread_id: threadId, ...test }: CreateTestInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.createTest(database, { coachId: requireCoachId(coachId), userId }, test, threadId ?? null);
}

/**
 * Changes the fields that are sent of a test. Results that it has stay. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such test; 403 for anyone but the expert.
 */
export async function updateTest(
  { database, userId }: RequestContext,
  { coachId, testId, ...change }: UpdateTestInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.updateTest(database, {
    coachId: requireCoachId(coachId),
    userId,
    testId: uuidPattern.test(testId) ? testId : null,
  }, change);
}
