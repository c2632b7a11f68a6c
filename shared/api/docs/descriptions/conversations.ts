import type { Descriptions } from "../describe_endpoint.ts";
import { exampleConversation } from "../examples.ts";

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

export const conversationsDescriptions: Descriptions = {
  listConversations: {
    summary: "List the conversations with a coach",
    description:
      "One page of all users' threads with this coach, including archived ones: most recently updated first, or " +
      "with `search` the best match first. All filters can be combined. For the expert behind the coach: its own " +
      "user, signed in, or a key that acts alone. `GET /threads/{threadId}/messages` returns the messages.",
    reply: {
      description: "The conversations; the list may be empty",
      example: { data: [exampleConversation], count: 1, next_cursor: null },
    },
  },
  listTopics: {
    summary: "List what people ask",
    description:
      "The topics of the conversations that began in a period, the largest first: of those with at least three people in " +
      "it, at most 30. Topics keep their IDs. Their names and examples hold no personal details. Archived conversations, " +
      "tests and trials do not count. With " +
      "`Accept: text/csv`, the same as a file for spreadsheets, where an apostrophe is added before texts that a " +
      "spreadsheet would compute. For the expert behind the coach: its own user, signed in, or a key that acts alone.",
    reply: {
      description: "The topics; the list may be empty",
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
    },
    streams: { "text/csv": { schema: { type: "string", description: "The topics as CSV" }, example: topicsSheet } },
  },
  listTopicThreads: {
    summary: "List the conversations of a topic",
    description:
      "One page of the conversations of a topic that began in a period, newest first, without archived ones. Each is as " +
      "in the list of all conversations. For the expert behind the coach: its own user, signed in, or a key that acts alone.",
    reply: {
      description: "The conversations; the list may be empty",
      example: { data: [exampleConversation], count: 1, next_cursor: null },
    },
  },
  getConversation: {
    summary: "Get a conversation",
    description: "One thread with the coach, as the list of all conversations shows it. For the experts of the coach.",
    reply: { description: "The conversation", example: exampleConversation },
  },
  updateConversation: {
    summary: "Assign, close or annotate a conversation",
    description:
      "What the experts of a coach arrange among each other: who sees to a conversation, whether it is done with, and a " +
      "note. Fields that are left out stay as they are. The person is told nothing of it. All of it is deleted with the " +
      "thread.",
    bodyExamples: {
      assign: { value: { assigned_to: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002", note: "Call back on Monday" } },
      close: { value: { is_closed: true } },
    },
    reply: { description: "The conversation", example: { ...exampleConversation, is_closed: true } },
  },
  listReplies: {
    summary: "List saved replies",
    description:
      "What the experts of a coach often write, to be put into a reply. With `limit` or `cursor`, one page of them.",
    reply: { description: "The replies; the list may be empty", example: { data: [exampleReply], count: 1 } },
  },
  createReply: {
    summary: "Save a reply",
    description: "For the experts of the coach, who share it. A coach can have at most 200 of them.",
    bodyExamples: { thanks: { value: { name: exampleReply.name, content: exampleReply.content } } },
    reply: { description: "The saved reply", example: exampleReply },
  },
  updateReply: {
    summary: "Change a saved reply",
    description: "Fields that are left out stay as they are. What was sent with it does not change.",
    bodyExamples: { content: { value: { content: "Thank you for asking!" } } },
    reply: { description: "The saved reply", example: { ...exampleReply, content: "Thank you for asking!" } },
  },
  deleteReply: {
    summary: "Delete a saved reply",
    description: "What was sent with it stays.",
    reply: {
      description: "There is no such reply",
      example: { message: "Reply deleted successfully", replyId: exampleReply.id },
    },
  },
  getUsage: {
    summary: "Get the usage of a coach by day",
    description:
      "Turns, tokens, people, open questions and feedback of each day, and the totals of all days. Days without " +
      "any activity are included. For the expert behind the coach: its own user, signed in, or a key that acts " +
      "alone.",
    reply: {
      description: "The usage",
      example: {
        data: [{ day: "2026-11-20", ...exampleCounts }],
        from: "2026-11-20",
        to: "2026-11-20",
        totals: exampleCounts,
      },
    },
  },
  getOverview: {
    summary: "Get an overview of a coach",
    description:
      "What waits for the experts, what has changed since a moment, how the coach did in the last seven days and in " +
      "those before, and what does not work. For every expert of the coach.",
    reply: {
      description: "The overview",
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
  },
};
