import type { Examples } from "../describe_endpoint.ts";
import { exampleConversation } from "./things.ts";

const exampleCounts = {
  turns: 214,
  input_tokens: 391_020,
  cached_tokens: 302_592,
  output_tokens: 40_118,
  reasoning_tokens: 11_264,
  estimated_turns: 4,
  cost_micro_usd: 697_899,
  unpriced_turns: 0,
  people: 61,
  questions_opened: 3,
  feedback_up: 12,
  feedback_down: 2,
};

const topicsSheet = "\ufeffname,share,conversations,trend,not_known,rated_down,examples,id\r\n" +
  "Intermittent fasting,0.31,38,12,9,2,May I drink coffee while fasting?,3b0c5e4a-3a53-4a6e-8d0f-0f6f0c0a7d11\r\n";

const exampleReply = {
  id: "8c2f4b1e-5d3a-4c7e-9f60-1a2b3c4d5e6f",
  name: "Thanks",
  content: "Thank you for asking.",
  created_at: "2026-11-20T16:03:33.140Z",
};

const exampleWeek = {
  from: "2026-11-14",
  conversations: 48,
  people: 31,
  answers: 214,
  own_words: 19,
  not_known: 6,
  good: 12,
  bad: 2,
};

export const conversationsExamples: Examples = {
  listConversations: { example: { data: [exampleConversation], count: 1, next_cursor: null } },
  listTopics: {
    example: {
      data: [{
        id: "3b0c5e4a-3a53-4a6e-8d0f-0f6f0c0a7d11",
        name: "Intermittent fasting",
        share: 0.31,
        conversations: 38,
        trend: 12,
        not_known: 9,
        rated_down: 2,
        examples: ["May I drink coffee while fasting?"],
        answered: {
          at: "2026-11-20T09:30:00.000Z",
          before: { conversations: 26, not_known: 8 },
          since: { conversations: 38, not_known: 1 },
        },
      }],
      is_partial: false,
    },
    streams: { "text/csv": { schema: { type: "string", description: "The topics as CSV" }, example: topicsSheet } },
  },
  listTopicThreads: { example: { data: [exampleConversation], count: 1, next_cursor: null } },
  getConversation: { example: exampleConversation },
  updateConversation: {
    bodyExamples: {
      assign: { value: { assigned_to: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002", note: "Call back on Monday" } },
      close: { value: { is_closed: true } },
    },
    example: { ...exampleConversation, is_closed: true },
  },
  listReplies: { example: { data: [exampleReply], count: 1 } },
  createReply: {
    bodyExamples: { thanks: { value: { name: exampleReply.name, content: exampleReply.content } } },
    example: exampleReply,
  },
  updateReply: {
    bodyExamples: { content: { value: { content: "Thank you for asking!" } } },
    example: { ...exampleReply, content: "Thank you for asking!" },
  },
  deleteReply: { example: { message: "Reply deleted successfully", replyId: exampleReply.id } },
  getUsage: {
    example: {
      data: [{ day: "2026-11-20", ...exampleCounts }],
      from: "2026-11-20",
      to: "2026-11-20",
      totals: exampleCounts,
    },
  },
  getOverview: {
    example: {
      waiting: { questions: 3, people: 1 },
      since: "2026-11-19T08:00:00.000Z",
      changed: {
        questions: 2,
        conversations: 14,
        messages_of_people: 37,
        ratings_down: 1,
        versions: [{
          version: 7,
          published_at: "2026-11-19T16:20:11.004Z",
          by: { user_id: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001", name: null, email: "mara@example.com" },
        }],
        files: 1,
        answers_by_others: 1,
      },
      week: exampleWeek,
      week_before: { ...exampleWeek, from: "2026-11-07", conversations: 40 },
      trouble: { files_failed: 0, sources_failed: 0, tests_failing: 1 },
    },
  },
};
