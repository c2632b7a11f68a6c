import type { Examples } from "../describe_endpoint.ts";
import { exampleAnswer, examplePassage, exampleSource, exampleThread } from "./things.ts";
import { refer, storedHeaders } from "../replies.ts";

const exampleObject = {
  thread_id: exampleThread.id,
  message: exampleAnswer,
  sources: [exampleSource],
  status: "complete",
  author: "ai",
};

/** The exact bytes that the service sends. */
const textExample = `data: Listen

data:  first [1].
data: Then

data:  ask what should stay.

`;

const exampleMeta = `event: meta
id: 0
data: {"thread_id":"${exampleThread.id}","message_id":"${exampleAnswer.id}","created_at":"${exampleAnswer.created_at}"}

`;
const exampleFound = `event: found
id: 0
data: {"exact":null,"near":[],"passages":[]}

`;

const typedExample = `event: delta
id: 6
data: {"text":"Listen"}

event: sources
id: 6
data: []

event: usage
id: 6
data: {"input_tokens":412,"output_tokens":1}

event: done
id: 6
data: {"status":"complete","response_id":"${exampleAnswer.response_id}"}

`;

const replyHeaders = refer("X-Thread-Id", "X-Message-Id");

const describeStreams = (first: string, schema: string, example: string) => ({
  "text/event-stream": {
    schema: {
      type: "string" as const,
      description: "Server-sent events. By default, each event is a chunk of text; concatenated, the chunks form the " +
        "answer. A chunk is sent as `data: ` and the text. Each line break inside a chunk starts a further " +
        "`data: ` line. Comments (`: ping`) keep the connection open. A stream that ends cleanly is complete. A " +
        "stream that breaks off is not.\n\nWith `Accept: text/event-stream; profile=events`, the data is JSON: " +
        `\`${first}\` (${schema}), ` +
        "`delta` (DeltaEvent) for each piece of text, then `sources` (SourcesEvent), `usage` " +
        "(UsageEvent, if known) and `done` (DoneEvent). If the answer fails, `error` (ErrorEvent) ends the " +
        "stream instead.\n\nA number in square brackets, such as `[1]`, stands after what the model took from the " +
        "source with that `number`. Numbers in code and in links are part of the text.",
      contentMediaType: "text/event-stream",
      contentSchema: {
        anyOf: [schema, "DeltaEvent", "SourcesEvent", "UsageEvent", "DoneEvent", "ErrorEvent"]
          .map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
    },
    examples: {
      text: { summary: "The default: text", value: textExample },
      events: { summary: "With profile=events", value: example + typedExample },
    },
  },
});
const streams = describeStreams("meta", "MetaEvent", exampleMeta);

export const chatExamples: Examples = {
  chat: {
    bodyExamples: {
      start: {
        summary: "Start a conversation",
        value: { message: exampleThread.title, context: { coachId: "demo-coach", userId: "user-1" } },
      },
      replace: {
        summary: "Replace an earlier question",
        value: { message: "And before that?", replaces: "5f0f4a9e-6d0c-4f5e-9a4e-3f3c4f7c1b22" },
      },
      goOn: { summary: "Continue the conversation", value: { message: "And then?", thread_id: exampleThread.id } },
      note: {
        summary: "As the coach: store a note",
        value: {
          message: "A one-to-one belongs to the other person.",
          context: { coachId: "demo-coach", isAuthenticated: true, mode: "create_knowledge" },
        },
      },
    },
    example: exampleObject,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  stopAnswer: { example: exampleObject },
  retryAnswer: {
    example: exampleObject,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  followAnswer: {
    example: exampleObject,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  tryQuestion: {
    bodyExamples: {
      sources: { summary: "Show the material only", value: { question: "May I delegate feedback?" } },
      answer: {
        summary: "Show the material and the answer",
        value: { question: "May I delegate feedback?", answer: true },
      },
      goOn: {
        summary: "Go on with a conversation, as the persona would be with its draft",
        value: {
          question: "And to whom?",
          history: [
            { role: "user", content: "May I delegate feedback?" },
            { role: "assistant", content: "Yes, to somebody who sees the work." },
          ],
          answer: true,
          draft: true,
        },
      },
    },
    example: {
      exact: null,
      near: [],
      passages: [examplePassage],
      answer: {
        text: "I do not know that. I have passed your question on.",
        author: "ai",
        sources: [],
        asks_expert: "May I delegate feedback?",
      },
    },
    streams: describeStreams("found", "FoundEvent", exampleFound),
  },
};
