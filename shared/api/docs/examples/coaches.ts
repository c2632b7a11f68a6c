import type { Examples } from "../describe_endpoint.ts";
import { exampleOf } from "../../../features/coaches/coach_fields.ts";
import {
  exampleCoach,
  exampleDraft,
  exampleTest,
  exampleTestRun,
  exampleTestRunSummary,
  exampleThread,
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

const owner = {
  user_id: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
  name: null,
  email: "mara@example.com",
  role: "owner",
  is_you: true,
  created_at: "2026-11-20T16:03:33.140Z",
};

const colleague = {
  user_id: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002",
  name: "Jon Ekdal",
  email: "jon@example.com",
  role: "answerer",
  is_you: false,
  created_at: "2026-11-21T09:12:08.512Z",
};

const exampleInvitation = {
  id: "2f6d8b4e-93c7-4e0b-8a55-c1f1f0a3b7d9",
  role: "editor",
  email: "jon@example.com",
  created_at: "2026-11-20T16:03:33.140Z",
  expires_at: "2026-11-27T16:03:33.140Z",
};

const exampleFace = {
  name: colleague.name,
  picture_url: "https://example.supabase.co/storage/v1/object/public/pictures/example.jpg",
};

const token = "hi_inv_4fKq0Zr1YwT8mB2cVd6hJxLn3PsGa9eUiRo5tDkE";

const exampleExpertMail = {
  address: "ada@example.com",
  is_available: true,
  is_refused: false,
  asks_for_human: true,
  digest: "daily",
  topics: false,
  hour: 8,
  weekday: 1,
  time_zone: "Europe/Berlin",
  failures: true,
  budget: true,
  language: "en",
};

const exampleUserMail = {
  email: "grace@example.com",
  is_confirmed: false,
  is_refused: false,
  is_available: true,
  language: "en",
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
  listExperts: { example: { data: [owner, colleague], count: 2 } },
  updateExpert: {
    bodyExamples: { role: { value: { role: "editor" } } },
    example: { ...colleague, role: "editor" },
  },
  removeExpert: { example: { message: "Expert removed successfully", userId: colleague.user_id } },
  getExpertFace: { example: exampleFace },
  saveExpertFace: {
    bodyExamples: { name: { value: { name: exampleFace.name } } },
    example: exampleFace,
  },
  setExpertPicture: { example: exampleFace },
  removeExpertPicture: { example: { ...exampleFace, picture_url: null } },
  createInvitation: {
    bodyExamples: { invitation: { value: { role: "editor", email: "jon@example.com" } } },
    example: { ...exampleInvitation, token, url: `https://desk.example.com/#invitation=${token}` },
  },
  listInvitations: { example: { data: [exampleInvitation], count: 1 } },
  deleteInvitation: { example: { message: "Invitation deleted successfully", invitationId: exampleInvitation.id } },
  listActs: {
    example: {
      data: [{
        id: 17,
        kind: "expert.changed",
        coach_id: exampleCoach.id,
        subject: colleague.user_id,
        subject_user: { user_id: colleague.user_id, name: colleague.name, email: colleague.email },
        by: "expert",
        user: { user_id: owner.user_id, name: owner.name, email: owner.email },
        api_key_id: "5b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
        created_at: "2026-11-22T10:01:55.083Z",
      }],
      count: 1,
    },
  },
  previewInvitation: {
    bodyExamples: { token: { value: { token } } },
    example: {
      role: exampleInvitation.role,
      coach: { name: exampleCoach.name, title: exampleCoach.title },
      invited_by: "mara@example.com",
      expires_at: exampleInvitation.expires_at,
    },
  },
  acceptInvitation: {
    bodyExamples: {
      colleague: { value: { token } },
      own: { summary: "A coach of one's own", value: { token, name: "Jon Ekdal", title: "Gardener" } },
    },
    example: { coach_id: exampleCoach.id, role: "editor", is_new: false },
  },
  listOwnCoaches: { example: { data: [{ ...exampleCoach, role: "owner", is_active: true }], count: 1 } },
  getExpertMail: { example: exampleExpertMail },
  saveExpertMail: {
    bodyExamples: { usual: { value: { digest: "weekly", weekday: 1, hour: 7, time_zone: "Europe/Berlin" } } },
    example: { ...exampleExpertMail, digest: "weekly", hour: 7 },
  },
  getUserMail: { example: { ...exampleUserMail, is_confirmed: true } },
  saveUserMail: {
    bodyExamples: { usual: { value: { email: "grace@example.com", language: "en" } } },
    example: exampleUserMail,
  },
  deleteUserMail: { example: { message: "Email address deleted successfully", userId: exampleThread.user_id } },
};
