import type { Example, Examples } from "../describe_endpoint.ts";
import {
  exampleAnswer,
  exampleConversation,
  exampleExpertMessage,
  examplePassage,
  exampleQuestion,
  exampleRequest,
  exampleSource,
  exampleThread,
  exampleThreadWithState,
} from "./things.ts";

const example = { thread_id: exampleThread.id, message_id: exampleAnswer.id, at: exampleAnswer.created_at };

/** As the service sends it. */
const streamExample = `retry: 1000
event: watching
id: 1795190603140000_0
data: {}

event: message.begun
id: 1795190613140000_481
data: ${JSON.stringify(example)}

`;

const streams: Example["streams"] = {
  "text/event-stream": {
    schema: {
      type: "string" as const,
      description:
        "Server-sent events, each named after its kind (EventKind). The data is JSON with IDs (EventData), never " +
        "with contents. Comments (`: ping`) keep the connection open.",
      contentMediaType: "text/event-stream",
      contentSchema: {
        type: "object",
        properties: {
          event: { $ref: "#/components/schemas/EventKind" },
          data: { $ref: "#/components/schemas/EventData" },
        },
      },
    },
    examples: { events: { value: streamExample } },
  },
};

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

export const threadExamples: Examples = {
  listThreads: { example: { data: [exampleThread], count: 1 } },
  eraseUser: { example: { message: "User deleted successfully", userId: exampleThread.user_id } },
  getBudget: {
    example: {
      data: [
        { scope: "account", is_exhausted: false, resets_at: "2026-12-01T00:00:00.000Z" },
        {
          scope: "coach",
          limit: 20000,
          used: 17210,
          reserved: 0,
          unit: "tokens",
          resets_at: "2026-11-21T00:00:00.000Z",
          is_exhausted: false,
        },
      ],
    },
  },
  getThread: { example: exampleThreadWithState },
  updateThread: {
    bodyExamples: { rename: { value: { title: "The new team" } }, archive: { value: { is_archived: true } } },
    example: { ...exampleThreadWithState, title: "The new team" },
  },
  markThreadRead: { example: exampleThreadWithState },
  deleteThread: { example: { message: "Thread deleted successfully", threadId: exampleThread.id } },
  listMessages: { example: { data: [exampleQuestion, exampleAnswer], count: 2 } },
  rateAnswer: {
    bodyExamples: {
      up: { summary: "It helped", value: { rating: "up" } },
      down: {
        summary: "A bad answer, with the reason",
        value: { rating: "down", comment: "Too general for my team." },
      },
      none: { summary: "Remove the rating", value: { rating: null } },
    },
    example: { messageId: exampleAnswer.id, rating: "down", comment: "Too general for my team." },
  },
  takeOver: {
    example: {
      ...exampleThreadWithState,
      handled_by: "expert",
      taken_over_until: "2026-11-20T17:03:33.140Z",
    },
  },
  releaseThread: { example: exampleThreadWithState },
  sayAsExpert: {
    bodyExamples: { message: { value: { content: exampleExpertMessage.content } } },
    example: exampleExpertMessage,
  },
  draftReply: { example: { content: exampleExpertMessage.content, sources: [examplePassage] } },
  reviseAnswer: {
    bodyExamples: {
      correction: {
        value: {
          question: "How do I start with a new team?",
          answer: exampleExpertMessage.content,
          notify: true,
          bar_passages: [exampleSource.passageId],
        },
      },
    },
    example: {
      pinnedAnswerId: "3d0f6c51-9a7e-4b55-8a44-1f6f0c0f7e21",
      version: 1,
      messageId: exampleExpertMessage.id,
    },
  },
  askExpert: {
    bodyExamples: {
      last: { summary: "About the last question of the thread", value: {} },
      withEmail: { value: { message_id: exampleRequest.message_id, email: "grace@example.com" } },
      alone: { summary: "A question for the expert alone", value: { question: exampleRequest.question } },
    },
    example: exampleRequest,
    created: true,
  },
  listRequests: { example: { data: [exampleRequest], count: 1 } },
  withdrawRequest: { example: { ...exampleRequest, status: "withdrawn", email: null } },
  watchThread: { streams },
  tellTyping: { example: { thread_id: exampleThread.id } },
  watchCoach: { streams },
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
