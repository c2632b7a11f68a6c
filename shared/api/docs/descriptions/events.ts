import type { Description, Descriptions } from "../description.ts";
import { exampleAnswer, exampleThread } from "../examples.ts";

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

const streams: Description["streams"] = {
  "text/event-stream": {
    schema: {
      type: "string" as const,
      description:
        "Server-sent events, each named after its kind (EventKind), with ids as JSON (EventData): never contents. " +
        "Comments (`: ping`) keep the connection open.",
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

const howItGoesOn =
  "The first event is `watching`; whoever then reads what is shown misses nothing. A stream ends after some two " +
  "minutes: come back with the `id:` of the last event, as an `EventSource` does by itself. Nothing is lost then, and " +
  "some events may come a second time, with the same id. Who comes back after more than nine minutes, or with an id " +
  "that is none, gets `missed` instead of `watching`, and reads anew. Events arrive about a second after what they tell.";

const reply = { description: "The events, as they happen" };

export const eventsDescriptions: Descriptions = {
  watchThread: {
    summary: "Watch a thread",
    description:
      "What happens in a thread, as it happens: answers that begin and end, feedback, and who answers. With an access " +
      `token, for the thread's own user and for the expert behind its coach.\n\n${howItGoesOn}`,
    tags: ["Threads"],
    reply,
    streams,
  },
  watchCoach: {
    summary: "Watch a coach",
    description:
      "What happens in all threads with a coach, and questions that wait for the expert, as it happens. With an access " +
      `token, for the coach's own user, who needs no scope.\n\n${howItGoesOn}`,
    tags: ["Expert"],
    reply,
    streams,
  },
};
