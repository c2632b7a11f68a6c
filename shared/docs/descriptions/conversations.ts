import type { Descriptions } from "../description.ts";
import { exampleConversation } from "../examples.ts";

const tags = ["Expert"];

export const conversationsDescriptions: Descriptions = {
  listConversations: {
    summary: "List the conversations with a coach",
    description: "A page of the threads of all users with this coach, archived ones too, the most recently updated " +
      "first, or with `search` the best match first. All filters can be combined. For the expert behind the coach: its " +
      "own user, signed in, or a key that acts alone. `GET /threads/{threadId}/messages` shows what was said.",
    tags,
    reply: {
      description: "The conversations; none is an empty list",
      example: { data: [exampleConversation], count: 1, next_cursor: null },
    },
  },
};
