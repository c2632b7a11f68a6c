import { defineRoute } from "../../http/route.ts";
import { watchCoach, watchThread } from "./operations.ts";

const stream = {
  method: "GET" as const,
  headers: { lastEventId: "Last-Event-ID" },
  reply: async () => (await import("./reply_with_events.ts")).replyWithEvents,
};

/** The routes of this feature in the function `coaches`. */
export const coachEventsRoutes = [
  defineRoute({ operation: watchCoach, path: "/coaches/:coachId{[^/]*}/events", ...stream }),
];

/** The routes of this feature in the function `threads`. */
export const threadEventsRoutes = [
  defineRoute({ operation: watchThread, path: "/threads/:threadId{[^/]*}/events", ...stream }),
];
