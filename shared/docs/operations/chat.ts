import * as z from "zod/mini";
import { AnswerObject } from "../../chat/replies.ts";
import { ChatBody, LastEventId } from "../../chat/schemas.ts";
import { errors } from "../../errors.ts";
import { IdempotencyKey } from "../../wire/idempotency_key.ts";
import { exampleAnswer, exampleSource, exampleThread } from "../examples.ts";
import { refer, storedHeaders } from "../headers.ts";
import type { Operations } from "../operation.ts";

const tags = ["Chat"];

const exampleObject = { thread_id: exampleThread.id, message: exampleAnswer, sources: [exampleSource] };

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

const streamHeaders = refer("X-Thread-Id", "X-Message-Id");

const answerReply = {
  description: "The answer, in the form that the `Accept` header asks for",
  headers: streamHeaders,
  content: {
    "text/event-stream": {
      schema: {
        type: "string" as const,
        description:
          "Server-sent events. By default each event is a chunk of text, and the chunks put together are the answer: " +
          "`data: ` and, for a line break inside a chunk, a further `data: ` line. Comments (`: ping`) keep the " +
          "connection open. A stream that ends cleanly is whole; one that breaks off is not.\n\n" +
          'With `Accept: text/event-stream; profile="events"` the data are JSON: `meta` (MetaEvent), `delta` ' +
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
        events: { summary: 'With profile="events"', value: typedExample },
      },
    },
    "application/json": { schema: AnswerObject, example: exampleObject },
  },
};

const messageId = z.string().check(z.describe("`X-Message-Id` of the reply that began the answer"));

export const chatOperations: Operations = {
  "POST /chat": {
    operationId: "chat",
    summary: "Talk to a coach",
    description:
      "Starts a conversation (`context.coachId`) or goes on with one (`thread_id`) and streams the answer. " +
      "What was accepted is kept and answered to the end, whether or not anybody reads it: see `followAnswer` and " +
      "`stopAnswer`. `Accept: application/json` waits for the end and gives one object.\n\n" +
      "For a signed-in user send the bearer token as well, with `context.isAuthenticated: true`.",
    tags,
    requestParams: {
      header: z.object({
        "Idempotency-Key": IdempotencyKey.check(z.describe(
          "Makes the request safe to repeat for 24 hours: it gets the same thread, message and answer, and the " +
            "model is not asked again",
        )),
      }),
    },
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: ChatBody,
          examples: {
            start: {
              summary: "Start a conversation",
              value: { message: exampleThread.title, context: { coachId: "demo-coach", userId: "user-1" } },
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
        },
      },
    },
    replies: { 200: answerReply },
    errors: {
      invalidJson: errors.invalidJson(),
      messageMissing: errors.invalidInput("message is required"),
      coachIdMissing: errors.invalidInput("context.coachId is required to start a thread"),
      coachMismatch: errors.coachMismatch(),
      userMismatch: errors.userMismatch(),
      notTheCoach: errors.notTheCoach(),
      missingWriteScope: errors.missingScope("knowledge:write"),
      coachNotFound: errors.coachNotFound(),
      threadNotFound: errors.threadNotFound(),
      bodyTooLarge: errors.bodyTooLarge("256 KB"),
      idempotencyKeyReused: errors.idempotencyKeyReused(),
      modelUnavailable: errors.modelUnavailable(undefined),
      answerFailed: errors.answerFailed(),
      modelTimedOut: errors.modelTimedOut(undefined),
    },
    failureHeaders: storedHeaders,
  },
  "POST /chat/:messageId/stop": {
    operationId: "stopAnswer",
    summary: "End an answer",
    description: "Ends the model call of a running answer, from any connection. What was said stays as the message.",
    tags,
    requestParams: { path: z.object({ messageId }) },
    replies: {
      200: {
        description: "The answer as it is kept; one that had ended before is returned as it was",
        content: { "application/json": { schema: AnswerObject, example: exampleObject } },
      },
    },
    errors: {
      messageIdMissing: errors.invalidInput("messageId is required in path"),
      messageNotFound: errors.messageNotFound(),
    },
  },
  "GET /chat/:messageId/stream": {
    operationId: "followAnswer",
    summary: "Follow an answer",
    description:
      "What there is of an answer, from the beginning or after the last event that its reader has, then the rest as " +
      "it is written. Text arrives about once a second. Every event has an `id:`, the number of characters so far.",
    tags,
    requestParams: {
      path: z.object({ messageId }),
      header: z.object({
        "Last-Event-ID": LastEventId.check(
          z.describe("The `id:` of the last event that arrived, as it came"),
        ),
      }),
    },
    replies: {
      200: answerReply,
      204: { description: "Nothing follows: the text has ended, and the reader has all of it", headers: streamHeaders },
    },
    errors: {
      messageIdMissing: errors.invalidInput("messageId is required in path"),
      lastEventIdMalformed: errors.invalidInput("Last-Event-ID must be the id of an event of this stream"),
      messageNotFound: errors.messageNotFound(),
      modelUnavailable: errors.modelUnavailable(undefined),
      answerFailed: errors.answerFailed(),
      modelTimedOut: errors.modelTimedOut(undefined),
    },
    failureHeaders: storedHeaders,
  },
};
