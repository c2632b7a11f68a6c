import { exampleOf } from "../../../features/coaches/coach_fields.ts";

/** Things that the examples of the document show, the same ones throughout. */
const threadId = "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f";
const messageId = "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10";
const askedAt = "2026-11-20T16:03:33.140Z";

export const exampleCoach = {
  id: "demo-coach",
  ...exampleOf("public"),
  picture_url: "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
  is_ai: true,
  retention_days: 90,
};

export const exampleThread = {
  id: threadId,
  title: "How do I start with a new team?",
  created_at: askedAt,
  updated_at: "2026-11-20T16:03:35.902Z",
  coach_id: exampleCoach.id,
  user_id: "user-1",
  coach_profiles: { name: exampleCoach.name, title: exampleCoach.title },
};

export const exampleThreadWithState = {
  ...exampleThread,
  active_message_id: null,
  handled_by: "ai",
  taken_over_until: null,
  is_pinned: false,
  is_archived: false,
  request_status: null,
  unread: 0,
};

export const exampleConversation = {
  ...exampleThreadWithState,
  needs_reply_at: null,
  request: null,
  has_down: true,
  person: {
    name: "Grace Hopper",
    email: "grace@example.com",
    language: "en",
    page_url: "https://example.com/courses",
    threads: 3,
    first_seen_at: "2026-11-02T09:41:20.512Z",
  },
  taken_over_by: null,
  assigned_to: null,
  is_closed: false,
  note: null,
  is_unread: true,
};

export const exampleQuestion = {
  id: "8a4c2b1e-7c40-4a39-9f0c-52a0c7de1f03",
  thread_id: threadId,
  content: exampleThread.title,
  role: "user",
  response_id: null,
  created_at: askedAt,
};

export const exampleAnswer = {
  id: messageId,
  thread_id: threadId,
  content: "Listen first [1].\nThen ask what should stay.",
  role: "assistant",
  response_id: "resp_68a1f0c2",
  created_at: askedAt,
};

export const exampleExpertMessage = {
  ...exampleAnswer,
  content: "I am here now. Tell me about the first week.",
  response_id: null,
  status: "complete",
  author: "expert",
};

export const exampleRequest = {
  id: "5d1f0a9c-2b7e-4f60-8c3d-9a0b1c2d3e4f",
  thread_id: threadId,
  message_id: exampleQuestion.id,
  question: exampleQuestion.content,
  status: "seen",
  asked_at: askedAt,
  seen_at: "2026-11-20T16:20:10.000Z",
  answered_at: null,
  email: "confirmed",
};

export const exampleOpenQuestion = {
  id: "4b8e2d10-7f3a-4c1e-9a6d-5f0c8b7e2a31",
  question: "How long should the first fast be?",
  status: "open",
  times: 7,
  people: 5,
  first_asked_at: "2026-11-02T08:11:05.004Z",
  last_asked_at: askedAt,
  reasons: ["unknown", "feedback"],
  off_topic: false,
  is_requested: false,
  pinned_answer_id: null,
  thread_id: threadId,
  message_id: messageId,
};

export const examplePassage = {
  kind: "passage",
  passageId: "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
  fileId: "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
  file_id: "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
  filename: "First ninety days.md",
  source_url: null,
  position: 3,
  page: null,
  heading: "The first week",
  quote: "Listen before you change anything.",
  score: 7.31,
};

/** The same passage as the source of an answer. */
export const exampleSource = { ...examplePassage, number: 1 };

export const examplePinnedAnswer = {
  id: "5d1f0c7e-9a3b-4f6e-8b52-6f0c1d2e3a47",
  question: "How do I start with a new team?",
  variants: ["What should I do in my first week as a manager?"],
  answer: "Listen to each of them for half an hour before you change anything.",
  is_active: true,
  version: 2,
  written_by: "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  hits: 12,
  near_hits: 31,
  last_hit_at: askedAt,
  created_at: "2026-11-18T09:30:00.000Z",
  updated_at: "2026-11-19T08:12:00.000Z",
};

export const exampleBarredPassage = {
  passage_id: exampleSource.passageId,
  content: exampleSource.quote,
  file_id: exampleSource.fileId,
  filename: exampleSource.filename,
  barred_by: examplePinnedAnswer.written_by,
  created_at: "2026-11-19T08:12:00.000Z",
};

export const exampleTest = {
  id: "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162",
  question: "How do I start with a new team?",
  history: [],
  expect: { outcome: "answered", contains: ["half an hour"], sources: { any: [exampleSource.filename] } },
  reference: null,
  thread_id: null,
  last_verdict: "failed",
  created_at: "2026-11-19T08:12:00.000Z",
  updated_at: "2026-11-19T08:12:00.000Z",
};

/** A run of tests without its results. */
export const exampleTestRunSummary = {
  id: "f3b2c1d0-6a75-4e1b-8c66-2e3f40516273",
  status: "done",
  waits_for_budget: false,
  waits_for_model: false,
  judge: false,
  is_draft: false,
  total: 1,
  done: 1,
  passed: 0,
  failed: 1,
  not_judged: 0,
  coach_version: 7,
  created_at: "2026-11-20T16:03:33.140Z",
  ended_at: "2026-11-20T16:03:39.480Z",
};

export const exampleTestRun = {
  ...exampleTestRunSummary,
  results: [{
    test_id: exampleTest.id,
    question: exampleTest.question,
    reference: null,
    verdict: "failed",
    reasons: ['The answer does not contain "half an hour".'],
    outcome: "answered",
    text: "Talk to each of them before you change anything [1].",
    sources: [exampleSource],
    judge: null,
    tokens: { input: 1240, output: 18 },
    time_ms: 1830,
    compared: {
      run_id: "e4c3d2e1-5b86-4d2a-9d77-3f4051627384",
      verdict: "passed",
      outcome: "answered",
      text: "Listen to each of them for half an hour first [1].",
      sources: [exampleSource],
    },
  }],
  newly_failing: [exampleTest.id],
  newly_passing: [],
};

export const exampleSourceId = "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90";

export const exampleFile = {
  fileId: exampleSource.fileId,
  filename: exampleSource.filename,
  size: 2381,
  contentType: "text/markdown",
  uploadedAt: "2026-11-19T08:12:00.000Z",
  category: "documents",
};

export const exampleStoredFile = {
  ...exampleFile,
  version: 1,
  status: "ready",
  pending: null,
  error: null,
  warning: null,
  valid_from: null,
  valid_until: null,
  is_valid_today: true,
  source_id: null,
  source_url: null,
  fetched_at: null,
  is_text: false,
  title: null,
};

const examplePersona = { ...exampleOf("draft"), picture_url: exampleCoach.picture_url };
export const exampleAuthor = { user_id: "2f1e0d9c-8b7a-4695-8473-625140312233", name: null, email: "mara@example.com" };

export const exampleDraft = {
  ...examplePersona,
  version: 7,
  based_on: 7,
  revision: 3,
  saved_at: "2026-11-20T16:03:33.140Z",
  saved_by: exampleAuthor,
  changes: ["instructions"],
};

export const exampleVersionSummary = {
  version: 8,
  published_at: "2026-11-20T16:05:12.310Z",
  published_by: exampleAuthor,
  changes: ["instructions"],
  restored_from: null,
};

export const exampleVersion = { ...exampleVersionSummary, ...examplePersona };
