import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { PersonaTest, testColumns, testId } from "./fields.ts";
import { described, historyField, questionField, referenceField, TestExpectation } from "./test_case.ts";

/** Changes the fields that are sent of a test. Results that it has stay. */
export const operation = defineEndpoint({
  name: "updateTest",
  method: "PATCH",
  path: "/coaches/:coachId/tests/:testId",
  body: "application/json",
  scope: "expert",
  failure: "Failed to update the test",
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.testNotFound()],
  input: z.object({
    coachId,
    testId,
    question: z.optional(questionField).check(z.describe(described.question)),
    history: z.optional(historyField).check(z.describe(`${described.history}. They replace all existing ones`)),
    expect: z.optional(TestExpectation).check(z.describe(`${described.expect}. It replaces all of the existing one`)),
    reference: z.nullish(referenceField).check(z.describe(`${described.reference}. Null: there is none any more`)),
  }).check(z.refine(
    ({ question, history, expect, reference }) =>
      [question, history, expect, reference].some((value) => value !== undefined),
    "One of question, history, expect and reference is required",
  )),
  output: PersonaTest,
  verb: ({ database, userId }, { coachId, testId, ...fields }) =>
    database.callForBytes("save_test", { ...testColumns({ coachId, userId, testId }), fields }),
});
