import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns, uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { PersonaTest } from "./fields.ts";
import { described, historyField, questionField, referenceField, TestExpectation } from "./test_case.ts";

/** Adds a test. 409 if the coach has too many. Operators import many at once, with SQL `import_tests`. */
export const operation = defineEndpoint({
  name: "createTest",
  method: "POST",
  path: "/coaches/:coachId/tests",
  body: "application/json",
  scope: "expert",
  failure: "Failed to save the test",
  errors: () => [...ofRoles(), errors.threadNotFound(), errors.tooManyTests()],
  input: z.object({
    coachId,
    question: questionField.check(z.describe(described.question)),
    history: z.optional(historyField).check(z.describe(described.history)),
    expect: z.optional(TestExpectation).check(z.describe(described.expect)),
    reference: z.nullish(referenceField).check(z.describe(described.reference)),
    thread_id: z.nullish(
      z.string("thread_id must be a string").check(z.regex(uuidPattern, "thread_id must be a UUID")),
    ).check(
      z.describe(
        "The conversation whose words the test has, if any: the test is deleted with it, as when its user is erased",
      ),
    ),
  }),
  output: PersonaTest,
  verb: ({ database, userId }, { coachId, question, history = [], expect = {}, reference = null, thread_id = null }) =>
    database.callForBytes("save_test", {
      ...coachColumns({ coachId, userId }),
      test_id: null,
      fields: { question, history, expect, reference, thread_id },
    }),
});
