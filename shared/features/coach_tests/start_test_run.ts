import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns, uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { TestRun } from "./fields.ts";
import { mostTests } from "./test_case.ts";

const testsError = `tests must be a list of 1 to ${mostTests} ids of tests`;

/** Starts a run of tests, which the indexer carries out. 409 without any test, and while too many runs wait. */
export const operation = defineEndpoint({
  name: "startTestRun",
  method: "POST",
  path: "/coaches/:coachId/test-runs",
  body: "application/json",
  scope: "expert",
  failure: "Failed to start the tests",
  errors: () => [...ofRoles(), errors.testNotFound(), errors.noTests(), errors.tooManyTestRuns()],
  input: z.object({
    coachId,
    draft: z.nullish(z.boolean("draft must be true or false")).check(
      z.describe(
        "Asks the persona as it would be if its draft were published: the draft as it is when the run is started; by " +
          "default, the persona as it is",
      ),
    ),
    judge: z.nullish(z.boolean("judge must be true or false")).check(
      z.describe("Whether a language model judges the answers by rubrics and references; by default, it does not"),
    ),
    tests: z.nullish(
      z.array(z.string(testsError).check(z.regex(uuidPattern, testsError)), testsError).check(
        z.minLength(1, testsError),
        z.maxLength(mostTests, testsError),
      ),
    ).check(z.describe("The tests to run; by default, all of the coach")),
  }),
  output: TestRun,
  async verb({ database, userId, services, log }, { coachId, draft, judge, tests }) {
    const reply = await database.callForBytes("start_test_run", {
      ...coachColumns({ coachId, userId }),
      judge: judge ?? false,
      tests: tests ?? null,
      is_draft: draft ?? false,
    });
    services.waitUntil(services.wakeIndexer(log));
    return reply;
  },
});
