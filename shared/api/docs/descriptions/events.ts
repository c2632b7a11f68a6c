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

const howItGoesOn =
  "The first event is `watching`: a client that reads the current state after it misses nothing. A stream ends " +
  "after about two minutes. Reconnect with the `id:` of the last event, as an `EventSource` does automatically. " +
  "No events are lost; some may arrive twice, with the same ID. After more than nine minutes, or with an invalid " +
  "ID, the first event is `missed` instead of `watching`: read the current state again. Events arrive about a " +
  "second after they happen.";

const reply = { description: "The events, as they happen" };

export const eventsDescriptions: Descriptions = {
  watchThread: {
    summary: "Watch a thread",
    description:
      "What happens in a thread, as it happens: answers that start and end, feedback, and takeovers. With an " +
      `access token, for the thread's own user and for the expert behind its coach.\n\n${howItGoesOn}`,
    reply,
    streams,
  },
  tellTyping: {
    summary: "Tell who is typing",
    description:
      "Those who watch the thread get the event `typing.user` or, from a signed-in expert, `typing.expert`. Call it again " +
      "every few seconds while somebody types: after seven seconds without it, they have stopped. A key alone speaks " +
      "for the thread's user. The text itself is not sent, and nothing is kept.",
    reply: { description: "The thread", example: { thread_id: exampleThread.id } },
  },
  watchCoach: {
    summary: "Watch a coach",
    description:
      "What happens in all threads with a coach, as it happens, and the questions that wait for the expert. With " +
      `an access token, for the coach's own user, who needs no scope.\n\n${howItGoesOn}`,
    reply,
    streams,
  },
};
