import type { Descriptions } from "../describe_endpoint.ts";
import { exampleAnswer, examplePassage, exampleSource, exampleThread } from "../examples.ts";
import { refer, storedHeaders } from "../headers.ts";

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

const reply = { description: "The answer, in the form that the `Accept` header asks for", example: exampleObject };

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

export const chatDescriptions: Descriptions = {
  chat: {
    summary: "Talk to a coach",
    description:
      "Starts a conversation (`context.coachId`) or continues one (`thread_id`) and streams the answer. Once a " +
      "message is accepted, it is stored and answered in full, even if nobody reads the answer: see " +
      "`followAnswer` and `stopAnswer`. With `Accept: application/json`, the reply is one object, sent when the " +
      "answer has ended.\n\nFor a signed-in user, also send the bearer token and `context.isAuthenticated: true`.",
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
    reply,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  stopAnswer: {
    summary: "Stop an answer",
    description:
      "Cancels the model call of a running answer, from any connection. The text so far is stored as the message.",
    reply: {
      description: "The answer as it is stored. If it had already ended, it is returned unchanged",
      example: exampleObject,
    },
  },
  retryAnswer: {
    summary: "Run an answer again",
    description:
      "Runs the last answer of a thread again, in place, whatever its status. The message and the history before " +
      "it are the same; the coach's files are searched again. The previous text stays until the new run has " +
      "produced some, and is restored if the new run fails or is stopped before its first word. If the answer is " +
      "still being written, no new run starts: the reply follows the current one. The request has no body.",
    reply,
    streams,
    replyHeaders,
    failureHeaders: storedHeaders,
  },
  followAnswer: {
    summary: "Follow an answer",
    description:
      "Streams an answer from the beginning, or from after the last event that the reader received, and then the " +
      "rest as it is written. Text arrives about once a second. The `id:` of every event is the number of " +
      "characters so far.",
    reply,
    streams,
    replyHeaders,
    emptyReply: "Nothing left to send: the text has ended, and the reader has all of it",
    failureHeaders: storedHeaders,
  },
  tryQuestion: {
    summary: "Try a question",
    description:
      "Shows what the coach would use to answer a question: the pinned answer that would be given word for word, or " +
      "similar ones, and passages from its files. With `answer: true`, the reply also has the answer itself. That " +
      "calls the model as a turn does, and may take as long. `history` has what was said before, so that a whole " +
      "conversation can be tried. `reference` is an answer to compare with: the reply says in a sentence what differs." +
      "\n\nWith `Accept: text/event-stream`, the answer is streamed as `chat` streams it. " +
      "When the client leaves, it is given up.\n\nNothing is stored: no thread, no open question, no hit of a " +
      "pinned answer. The model's server is asked to store nothing either. An inactive coach can be tried, too. For " +
      "the expert behind the coach: its own user, signed in, or a key that acts alone.",
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
    reply: {
      description: "The material, and the answer if it was asked for",
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
    },
    streams: describeStreams("found", "FoundEvent", exampleFound),
  },
};
