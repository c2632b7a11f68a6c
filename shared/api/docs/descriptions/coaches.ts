import type { Descriptions } from "../describe_endpoint.ts";
import { exampleOf } from "../../../features/coaches/coach_fields.ts";
import {
  exampleCoach,
  exampleDraft,
  exampleTest,
  exampleTestRun,
  exampleTestRunSummary,
  exampleVersion,
  exampleVersionSummary,
} from "../examples.ts";

const exampleSettings = exampleOf("settings");

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

export const coachDescriptions: Descriptions = {
  listCoaches: {
    summary: "List the coaches",
    description: "All active coaches that the caller may talk to, by name. With `limit` or `cursor`, one page of them.",
    reply: { description: "The coaches; the list may be empty", example: { data: [exampleCoach], count: 1 } },
  },
  getCoach: {
    summary: "Get a coach",
    description: "An active coach that the caller may talk to.",
    reply: { description: "The coach", example: { ...exampleCoach, usual_reply_hours: 5.5, tells_by_mail: true } },
  },
  createCoach: {
    summary: "Make a coach",
    description:
      "Makes an unpublished coach, for a signed-in user who is an owner of another one, if the account allows " +
      "that. Nobody can talk to it until it is published.",
    bodyExamples: { name: { value: { name: "Ada Lovelace" } } },
    created: true,
    reply: { description: "The coach", example: { ...exampleCoach, role: "owner", is_active: false } },
  },
  deleteCoach: {
    summary: "Delete a coach",
    description: "Deletes a coach for everybody: its threads, files, answers and everything else that is its own are " +
      "erased soon after. `confirm`, in the body or the query, has to be its published name.",
    bodyExamples: { confirm: { value: { confirm: exampleCoach.name } } },
    reply: {
      description: "It is deleted",
      example: { message: "Coach deleted successfully", coachId: exampleCoach.id },
    },
  },
  getSettings: {
    summary: "Get the settings of a coach",
    description: "What owners set at once, besides what is published. For owners and editors.",
    reply: { description: "The settings", example: exampleSettings },
  },
  saveSettings: {
    summary: "Change the settings of a coach",
    description: "Changes those that are passed, at once: they are no part of drafts and versions.",
    bodyExamples: { pause: { value: { is_active: false } }, slug: { value: { slug: "ada-lovelace" } } },
    reply: { description: "All settings", example: exampleSettings },
  },
  getDraft: {
    summary: "Get the draft of a persona",
    description:
      "The persona as it would be if its draft were published, with the names of the fields that would change. " +
      "Without a draft, that is what is published. For the experts of the coach.",
    reply: { description: "The draft", example: exampleDraft },
  },
  saveDraft: {
    summary: "Save the draft of a persona",
    description:
      "Replaces the draft, but for its picture. Fields that are left out are as published, so send only those that " +
      "have changed: then changes that are published meanwhile stay. People see nothing of a draft until it is " +
      "published; `try` and `test-runs` take it with `draft`. For owners and editors.",
    bodyExamples: {
      instructions: { value: { instructions: exampleDraft.instructions, if_revision: 2 } },
    },
    reply: { description: "The draft", example: exampleDraft },
  },
  deleteDraft: {
    summary: "Delete the draft of a persona",
    description: "Discards what was not published, the picture included. For owners and editors.",
    reply: {
      description: "There is no draft",
      example: { message: "Draft deleted successfully", coachId: exampleCoach.id },
    },
  },
  setPicture: {
    summary: "Set the picture of a persona",
    description:
      "The body is the picture: PNG, JPEG or WebP, at most 1 MB and 4,096 pixels wide and high, not animated. Its " +
      "content decides on its type. It becomes part of the draft. Everything but the pixels, and how a JPEG is turned, " +
      "is removed before it is stored. A picture can be read by everybody who knows its address. For owners and editors.",
    reply: { description: "The draft", example: { ...exampleDraft, changes: ["picture", "instructions"] } },
  },
  removePicture: {
    summary: "Remove the picture of a persona",
    description: "The draft has no picture then. For owners and editors.",
    reply: {
      description: "The draft",
      example: { ...exampleDraft, picture_url: null, changes: ["picture", "instructions"] },
    },
  },
  publish: {
    summary: "Publish the draft of a persona",
    description:
      "The next answers are given by it. A persona that was never active becomes active. `if_version` names the " +
      "version that was seen, so that nobody overwrites what another expert has published. For owners.",
    bodyExamples: { seen: { value: { if_version: 7, if_revision: 3 } } },
    reply: { description: "The new version", example: exampleVersion },
  },
  listVersions: {
    summary: "List the versions of a persona",
    description:
      "Every change that was published, newest first, also those by operators and their settings. With `limit` or " +
      "`cursor`, one page of them. For the experts of the coach.",
    reply: { description: "The versions", example: { data: [exampleVersionSummary], count: 1 } },
  },
  getVersion: {
    summary: "Get a version of a persona",
    description: "What the persona was in this version. For the experts of the coach.",
    reply: { description: "The version", example: exampleVersion },
  },
  restoreVersion: {
    summary: "Restore a version of a persona",
    description:
      "Publishes a new version that has the fields and the picture of an earlier one. Settings of operators stay, and " +
      "so does the draft. For owners.",
    bodyExamples: { seen: { value: { if_version: 8 } } },
    reply: { description: "The new version", example: { ...exampleVersion, version: 9, restored_from: 6 } },
  },
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
