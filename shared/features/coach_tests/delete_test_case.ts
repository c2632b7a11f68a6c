import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { testColumns, testId } from "./fields.ts";

export const DeletedPersonaTest = z.object({
  message: z.literal("Test deleted successfully"),
  testId: z.string(),
});

/** Deletes a test with its results. */
export const operation = defineEndpoint({
  name: "deleteTest",
  method: "DELETE",
  path: "/coaches/:coachId/tests/:testId",
  scope: "expert",
  failure: "Failed to delete the test",
  errors: () => [...ofRoles(), errors.testNotFound()],
  input: z.object({ coachId, testId }),
  output: DeletedPersonaTest,
  async verb({ database, userId }, test): Promise<z.infer<typeof DeletedPersonaTest>> {
    await database.callForBytes("save_test", testColumns({ ...test, userId }));
    return { message: "Test deleted successfully", testId: test.testId };
  },
});
