import type { Examples } from "../describe_endpoint.ts";
import { exampleOf } from "../../../features/coaches/coach_fields.ts";
import {
  exampleCoach,
  exampleDraft,
  exampleTest,
  exampleTestRun,
  exampleTestRunSummary,
  exampleVersion,
  exampleVersionSummary,
} from "./things.ts";

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

export const coachExamples: Examples = {
  listCoaches: { example: { data: [exampleCoach], count: 1 } },
  getCoach: { example: { ...exampleCoach, usual_reply_hours: 5.5, tells_by_mail: true } },
  createCoach: {
    bodyExamples: { name: { value: { name: "Ada Lovelace" } } },
    created: true,
    example: { ...exampleCoach, role: "owner", is_active: false },
  },
  deleteCoach: {
    bodyExamples: { confirm: { value: { confirm: exampleCoach.name } } },
    example: { message: "Coach deleted successfully", coachId: exampleCoach.id },
  },
  getSettings: { example: exampleSettings },
  saveSettings: {
    bodyExamples: { pause: { value: { is_active: false } }, slug: { value: { slug: "ada-lovelace" } } },
    example: exampleSettings,
  },
  getDraft: { example: exampleDraft },
  saveDraft: {
    bodyExamples: {
      instructions: { value: { instructions: exampleDraft.instructions, if_revision: 2 } },
    },
    example: exampleDraft,
  },
  deleteDraft: { example: { message: "Draft deleted successfully", coachId: exampleCoach.id } },
  setPicture: { example: { ...exampleDraft, changes: ["picture", "instructions"] } },
  removePicture: { example: { ...exampleDraft, picture_url: null, changes: ["picture", "instructions"] } },
  publish: {
    bodyExamples: { seen: { value: { if_version: 7, if_revision: 3 } } },
    example: exampleVersion,
  },
  listVersions: { example: { data: [exampleVersionSummary], count: 1 } },
  getVersion: { example: exampleVersion },
  restoreVersion: {
    bodyExamples: { seen: { value: { if_version: 8 } } },
    example: { ...exampleVersion, version: 9, restored_from: 6 },
  },
  listTests: { example: { data: [exampleTest], count: 1 } },
  createTest: {
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
    example: exampleTest,
  },
  updateTest: {
    bodyExamples: { expectation: { value: { expect } } },
    example: exampleTest,
  },
  deleteTest: { example: { message: "Test deleted successfully", testId: exampleTest.id } },
  startTestRun: {
    bodyExamples: {
      all: { value: {} },
      judged: { summary: "Some tests, with the judge", value: { judge: true, tests: [exampleTest.id] } },
      draft: { summary: "Before publishing: what the draft would break", value: { draft: true } },
    },
    example: started,
  },
  listTestRuns: { example: { data: [exampleTestRunSummary], count: 1 } },
  getTestRun: { example: exampleTestRun },
  stopTestRun: { example: { ...exampleTestRun, status: "stopped", total: 2 } },
};
