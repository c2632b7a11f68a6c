import type * as z from "zod/mini";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { DeletedPersonaTest } from "./replies.ts";
import type { DeleteTestInput } from "./schemas.ts";

/**
 * Deletes a test with its results.
 *
 * @throws 404 if the caller has no such coach, or the coach no such test; 403 for anyone but the expert.
 */
export async function deleteTest(
  { database, userId }: RequestContext,
  { coachId, testId }: DeleteTestInput,
): Promise<z.infer<typeof DeletedPersonaTest>> {
  await store.deleteTest(database, {
    coachId: requireCoachId(coachId),
    userId,
    testId: uuidPattern.test(testId) ? testId : null,
  });
  return { message: "Test deleted successfully", testId };
}
