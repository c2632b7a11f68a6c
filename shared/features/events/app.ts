import { defineRoute } from "../../http/route.ts";
import { watchCoach, watchThread } from "./operations.ts";

const stream = {
  method: "GET" as const,
  headers: { lastEventId: "Last-Event-ID" },
  reply: async () => (await import("./reply_with_events.ts")).replyWithEvents,
};

/** Of the function `coaches`. */
export const coachEventsRoutes = [
  defineRoute({ operation: watchCoach, path: "/coaches/:coachId{[^/]*}/events", ...stream }),
];

/** Of the function `threads`. */
export const threadEventsRoutes = [
  defineRoute({ operation: watchThread, path: "/threads/:threadId{[^/]*}/events", ...stream }),
];
