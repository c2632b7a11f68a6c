import * as z from "zod/mini";
import { Source } from "../../core/answers/stored_answer.ts";
import { Count, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { type CoachAccess, coachColumns, noId, uuidOrNull } from "../../core/wire/ids.ts";
import { cursorField, limitField } from "../../core/wire/paging.ts";
import { ShownExpectation, testOutcomes } from "./test_case.ts";

export const testId = requiredId("testId", "The test: `id` in the list");
export const runId = requiredId("runId", "The run: `id` in the list");

/** A page of tests or runs. A cursor is the number of the last one of the page before. */
export const pageOfNumbers = { limit: limitField, cursor: cursorField(/^\d{1,15}$/) };

/** The verdicts on an answer. */
export const testVerdicts = ["passed", "failed", "not_judged"] as const;
export type TestVerdict = typeof testVerdicts[number];

/** A test case of a coach. */
export const PersonaTest = z.object({
  id: Uuid,
  question: z.string(),
  history: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.string() })).check(
    z.describe("The messages before the question, oldest first"),
  ),
  expect: ShownExpectation,
  reference: z.nullable(z.string()).check(z.describe("The answer that the expert would give; null if there is none")),
  thread_id: z.nullable(Uuid).check(z.describe("The conversation whose words it has, and with which it is deleted")),
  last_verdict: z.nullable(z.enum(testVerdicts)).check(
    z.describe("The verdict of the latest run of what was published that has one; null if none has"),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const outcome = z.nullable(z.enum(testOutcomes)).check(
  z.describe("What kind of answer it was; null if there was none, because the model failed"),
);

/** The verdict of the judge on an answer. */
export const TestJudgement = z.object({
  verdict: z.enum(testVerdicts).check(z.describe("`not_judged`: the judge failed, and says nothing")),
  reason: z.string().check(z.describe("Its reason, or what it failed with")),
  model: z.string(),
  prompt_version: z.int().check(z.describe("The version of the instructions that it was given")),
});
export type TestJudgement = z.infer<typeof TestJudgement>;

/** The result of a test in a run. */
export const TestResult = z.object({
  test_id: Uuid,
  question: z.string().check(z.describe("The question of the test as it is now")),
  reference: z.nullable(z.string()).check(z.describe("The reference of the test as it is now")),
  verdict: z.enum(testVerdicts).check(
    z.describe(
      "`passed`: all that was checked is so; `failed`: something is not; `not_judged`: nothing was checked, or the " +
        "model or the judge failed",
    ),
  ),
  reasons: z.array(z.string()).check(
    z.describe("What is not so, or was not checked, each in a sentence; of a reference, what differs from it"),
  ),
  outcome,
  text: z.string().check(z.describe("The answer: its first 10,000 characters")),
  sources: z.array(Source).check(z.describe("The sources that the answer draws on")),
  judge: z.nullable(TestJudgement).check(z.describe("Null: it was not asked")),
  tokens: z.object({ input: Count, output: Count }).check(
    z.describe("What the models read and wrote for it, the judge included"),
  ),
  time_ms: Count.check(z.describe("How long the answer took, in milliseconds")),
  compared: z.nullable(z.object({
    run_id: Uuid,
    verdict: z.enum(testVerdicts),
    outcome,
    text: z.string(),
    sources: z.array(Source),
  })).check(
    z.describe(
      "The result of the same test in the latest finished run of what was published, before this one, in which it " +
        "passed or failed; null if there is none",
    ),
  ),
});

const runFields = {
  id: Uuid,
  status: z.enum(["queued", "running", "done", "stopped"]).check(
    z.describe("`queued` until its first test begins, then `running`, until it is `done` or `stopped`"),
  ),
  waits_for_budget: z.boolean().check(z.describe("Whether it waits because a budget is used up")),
  waits_for_model: z.boolean().check(z.describe("Whether it waits because the model has failed, and is tried again")),
  judge: z.boolean().check(z.describe("Whether a language model judges the answers by rubrics and references")),
  is_draft: z.boolean().check(z.describe("True for a run of the draft, as it was when the run was started")),
  total: Count.check(z.describe("The number of its tests")),
  done: Count.check(z.describe("How many of them have a result")),
  passed: Count,
  failed: Count,
  not_judged: Count,
  coach_version: z.int().check(z.describe("The version of the coach when the run was started")),
  created_at: Timestamp,
  ended_at: z.nullable(Timestamp),
};

/** A run of tests, without its results. */
export const TestRunSummary = z.object(runFields);

/** A run of tests. */
export const TestRun = z.object({
  ...runFields,
  results: z.array(TestResult).check(z.describe("The results so far, in the order of the list of tests")),
  newly_failing: z.array(Uuid).check(z.describe("The tests that fail now, and passed when they were last judged")),
  newly_passing: z.array(Uuid).check(z.describe("The tests that pass now, and failed when they were last judged")),
});

/** A test and the caller, as the SQL functions take them. @throws 404 for a coach that nobody has. */
export function testColumns({ testId, ...access }: CoachAccess & { testId: string }) {
  return { ...coachColumns(access), test_id: uuidOrNull(testId) ?? noId };
}

/** A run and the caller, likewise. */
export function runColumns({ runId, ...access }: CoachAccess & { runId: string }) {
  return { ...coachColumns(access), run_id: uuidOrNull(runId) };
}
