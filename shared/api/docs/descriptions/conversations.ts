import type { Descriptions } from "../description.ts";
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
};
