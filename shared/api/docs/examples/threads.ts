import type { Example, Examples } from "../describe_endpoint.ts";
import {
  exampleAnswer,
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
};
