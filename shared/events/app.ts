import { defineRoute } from "../http/route.ts";
import { watchCoach, watchThread } from "./operations.ts";

const stream = {
  method: "GET" as const,
  headers: { lastEventId: "Last-Event-ID" },
  reply: async () => (await import("./reply_with_events.ts")).replyWithEvents,
};

/** Routes of the function `coaches`. */
export const eventsRoutesOfCoaches = [
  defineRoute({ operation: watchCoach, path: "/coaches/:coachId{[^/]*}/events", ...stream }),
];

/** Routes of the function `threads`. */
export const eventsRoutesOfThreads = [
  defineRoute({ operation: watchThread, path: "/threads/:threadId{[^/]*}/events", ...stream }),
];
