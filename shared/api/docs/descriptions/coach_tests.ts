import type { Descriptions } from "../description.ts";
import { exampleTest, exampleTestRun, exampleTestRunSummary } from "../examples.ts";

const { question, expect } = exampleTest;

/** A run that has just been started. */
const started = {
  ...exampleTestRunSummary,
  status: "queued",
  done: 0,
  failed: 0,
  ended_at: null,
  results: [],
  newly_failing: [],
  newly_passing: [],
};

export const personaTestsDescriptions: Descriptions = {
  listTests: {
    summary: "List the tests of a coach",
    description:
      "Questions with what is expected of the answer, newest first. With `limit` or `cursor`, one page of them. Like " +
      "all operations on tests, only for the expert behind the coach.",
    reply: { description: "The tests; the list may be empty", example: { data: [exampleTest], count: 1 } },
  },
  createTest: {
    summary: "Add a test",
    description:
      "A test asks the coach a question, after the messages of `history` if there are any. A question and the answer " +
      "that the expert would give, `reference`, are a whole test: a language model compares both answers. `expect` " +
      "checks more: the outcome, texts that the answer contains or does not contain, the files that it draws on, and " +
      "a rubric that a language model judges. Everything in it must be so. A coach can have at most 500 tests.",
    bodyExamples: {
      whole: {
        summary: "A question, and the answer that the expert would give",
        value: { question, reference: "Listen to each of them for half an hour before you change anything." },
      },
      test: { value: { question, expect } },
      followUp: {
        summary: "A question that goes on with a conversation",
        value: {
          question: "And after that?",
          history: [
            { role: "user", content: question },
            { role: "assistant", content: "Listen to each of them for half an hour first." },
          ],
          expect: { not_contains: ["I do not know"], rubric: "Says to agree on one change with the whole team." },
        },
      },
    },
    reply: { description: "The test", example: exampleTest },
  },
  updateTest: {
    summary: "Change a test",
    description: "Changes the fields that are sent, at least one. Results that the test has do not change.",
    bodyExamples: { expectation: { value: { expect } } },
    reply: { description: "The changed test", example: exampleTest },
  },
  deleteTest: {
    summary: "Delete a test",
    description: "Deletes a test and its results in all runs.",
    reply: {
      description: "The test was deleted",
      example: { message: "Test deleted successfully", testId: exampleTest.id },
    },
  },
  startTestRun: {
    summary: "Run tests",
    description:
      "Asks the coach the questions of its tests in the background, a few at a time, and checks the answers. A run " +
      "leaves no thread, no open question and no hit of a pinned answer. It counts as usage and on the budgets of " +
      "the coach and the account, and waits while one is used up. Runs of a coach go one after another; at most ten " +
      "may wait.",
    bodyExamples: {
      all: { value: {} },
      judged: { summary: "Some tests, with the judge", value: { judge: true, tests: [exampleTest.id] } },
      draft: { summary: "Before publishing: what the draft would break", value: { draft: true } },
    },
    reply: { description: "The run", example: started },
  },
  listTestRuns: {
    summary: "List the test runs of a coach",
    description: "The newest 50 runs without their results, newest first. With `limit` or `cursor`, one page of them.",
    reply: { description: "The runs; the list may be empty", example: { data: [exampleTestRunSummary], count: 1 } },
  },
  getTestRun: {
    summary: "Get a test run",
    description:
      "A run with its results so far. Each result comes with that of the latest finished run of what was published " +
      "in which the test passed or failed, so that both answers can be shown side by side.",
    reply: { description: "The run with its results", example: exampleTestRun },
  },
  stopTestRun: {
    summary: "Stop a test run",
    description:
      "Tests that have not begun are left out, and those under way are given up within seconds. The results so far " +
      "stay. A run that has ended stays as it is.",
    reply: {
      description: "The run with its results",
      example: { ...exampleTestRun, status: "stopped", total: 2 },
    },
  },
};
