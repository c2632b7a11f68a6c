/** Things that the examples of the document show, the same ones throughout. */
const threadId = "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f";
const messageId = "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10";
const askedAt = "2026-11-20T16:03:33.140Z";

export const exampleCoach = {
  id: "demo-coach",
  name: "Mara Lindqvist",
  title: "Leadership Coach",
  greeting: "Hello, I am Mara. What is on your mind?",
  starters: ["How do I start with a new team?", "How do I give feedback that lands?"],
  is_ai: true,
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
  unread: 0,
};

export const exampleConversation = { ...exampleThreadWithState, needs_reply_at: null, has_down: true };

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
  pinned_answer_id: null,
  thread_id: threadId,
  message_id: messageId,
};

export const examplePassage = {
  kind: "passage",
  passageId: "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
  fileId: "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
  filename: "First ninety days.md",
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

export const exampleFile = {
  fileId: exampleSource.fileId,
  filename: exampleSource.filename,
  size: 2381,
  contentType: "text/markdown",
  uploadedAt: "2026-11-19T08:12:00.000Z",
  category: "documents",
};
