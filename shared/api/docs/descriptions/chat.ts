import type { Descriptions } from "../description.ts";
import { exampleAnswer, exampleSource, exampleThread } from "../examples.ts";
import { refer, storedHeaders } from "../headers.ts";

const tags = ["Chat"];

const exampleObject = {
  thread_id: exampleThread.id,
  message: exampleAnswer,
  sources: [exampleSource],
  status: "complete",
  author: "ai",
};

/** As the service sends it, without anything of what follows. */
const textExample = `data: Listen

data:  first.
data: Then

data:  ask what should stay.

`;

const typedExample = `event: meta
id: 0
data: {"thread_id":"${exampleThread.id}","message_id":"${exampleAnswer.id}","created_at":"${exampleAnswer.created_at}"}

event: delta
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

const reply = { description: "The answer, in the form that the `Accept` header asks for", example: exampleObject };

const streams = {
  "text/event-stream": {
    schema: {
      type: "string" as const,
      description:
        "Server-sent events. By default each event is a chunk of text, and the chunks put together are the answer: " +
        "`data: ` and, for a line break inside a chunk, a further `data: ` line. Comments (`: ping`) keep the " +
        "connection open. A stream that ends cleanly is whole; one that breaks off is not.\n\n" +
        "With `Accept: text/event-stream; profile=events` the data are JSON: `meta` (MetaEvent), `delta` " +
        "(DeltaEvent) for each piece of text, then `sources` (SourcesEvent), `usage` (UsageEvent, where known) and " +
        "`done` (DoneEvent), or `error` (ErrorEvent).",
      contentMediaType: "text/event-stream",
      contentSchema: {
        anyOf: ["MetaEvent", "DeltaEvent", "SourcesEvent", "UsageEvent", "DoneEvent", "ErrorEvent"]
          .map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
    },
    examples: {
      text: { summary: "The default: text", value: textExample },
      events: { summary: "With profile=events", value: typedExample },
    },
  },
};

export const chatDescriptions: Descriptions = {
  chat: {
    summary: "Talk to a coach",
    description:
      "Starts a conversation (`context.coachId`) or goes on with one (`thread_id`) and streams the answer. " +
      "What was accepted is kept and answered to the end, whether or not it is read: see `followAnswer` and " +
      "`stopAnswer`. `Accept: application/json` waits for the end and gives one object.\n\n" +
      "For a signed-in user send the bearer token as well, with `context.isAuthenticated: true`.",
    tags,
    bodyExamples: {
      start: {
        summary: "Start a conversation",
        value: { message: exampleThread.title, context: { coachId: "demo-coach", userId: "user-1" } },
      },
      replace: {
        summary: "Say something else instead",
        value: { message: "And before that?", replaces: "5f0f4a9e-6d0c-4f5e-9a4e-3f3c4f7c1b22" },
      },
      goOn: { summary: "Go on with it", value: { message: "And then?", thread_id: exampleThread.id } },
      note: {
        summary: "As the coach: store a note",
        value: {
          message: "A one-to-one belongs to the other person.",
          context: { coachId: "demo-coach", isAuthenticated: true, mode: "create_knowledge" },
        },
      },
    },
    reply,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  stopAnswer: {
    summary: "End an answer",
    description: "Ends the model call of a running answer, from any connection. What was said stays as the message.",
    tags,
    reply: {
      description: "The answer as it is kept; one that had ended before is returned as it was",
      example: exampleObject,
    },
  },
  retryAnswer: {
    summary: "Run an answer again",
    description:
      "Runs the last answer of a thread again, in its place and whatever its state: the same message, with the history " +
      "before its question and what the coach's files say now. The text so far stays until the new run has some, and " +
      "comes back if that fails or is stopped before its first word. An answer that is being written is not begun " +
      "again: the reply follows it. Nothing is sent in the body.",
    tags,
    reply,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  followAnswer: {
    summary: "Follow an answer",
    description:
      "What there is of an answer, from the beginning or after the last event that its reader has, then the rest as " +
      "it is written. Text arrives about once a second. Every event has an `id:`, the number of characters so far.",
    tags,
    reply,
    streams,
    replyHeaders,
    emptyReply: "Nothing follows: the text has ended, and the reader has all of it",
    failureHeaders: storedHeaders,
  },
  tryQuestion: {
    summary: "Try a question",
    description:
      "What the coach would answer a question from, asked as the first message of a thread: the pinned answer " +
      "that would be given word for word or those that are near, and passages of its files. With `answer: true` also " +
      "what would be said, which asks the model as a turn does, and may take as long. Nothing is kept: no thread, no " +
      "open question, no hit of a pinned answer, and the model's server is asked to keep nothing. A coach that is not " +
      "active can be tried. For the expert behind the coach: its own user, signed in, or a key that acts alone.",
    tags: ["Expert"],
    bodyExamples: {
      sources: { summary: "What it would be answered from", value: { question: "May I delegate feedback?" } },
      answer: { summary: "And what would be said", value: { question: "May I delegate feedback?", answer: true } },
    },
    reply: {
      description: "What would be used, and what would be said",
      example: {
        exact: null,
        near: [],
        passages: [exampleSource],
        answer: {
          text: "I do not know that. I have passed your question on.",
          author: "ai",
          asks_expert: "May I delegate feedback?",
        },
      },
    },
  },
};
