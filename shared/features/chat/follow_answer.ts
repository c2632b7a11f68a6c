import * as z from "zod/mini";
import { errors, failuresOfAnswers } from "../../infra/errors.ts";
import { nameRun } from "../../core/answers/answer.ts";
import { authors, Source } from "../../core/answers/stored_answer.ts";
import { Count, ErrorCode, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { AnswerObject, messageId } from "./fields.ts";
import { readAnswer, relayAnswer } from "./read_answer.ts";
import { readLastEventId, replyWithResumedAnswer } from "./reply_with_answer.ts";

// The data of typed events, of this stream and of a new answer's.
export const MetaEvent = z.object({ thread_id: Uuid, message_id: z.string(), created_at: Timestamp });
export const DeltaEvent = z.object({ text: z.string() });
export const SourcesEvent = z.array(Source);
export const UsageEvent = z.object({ input_tokens: Count, output_tokens: Count });
export const DoneEvent = z.object({
  status: z.enum(["complete", "stopped", "waiting"]).check(
    z.describe(
      "`waiting`: the expert has taken over and will answer. The text sent is a notice, which is not stored",
    ),
  ),
  author: z.enum(authors).check(z.describe("The author: the model (`ai`) or the real person behind the coach")),
  response_id: z.nullable(z.string()),
  is_passed_on: z.optional(z.literal(true)).check(
    z.describe("The question was passed on to the expert; otherwise left out, and always where an answer is resumed"),
  ),
  is_budgeted: z.optional(z.literal(true)).check(
    z.describe("The answer counts on a budget: `getBudget` has what is left; left out as above"),
  ),
  asks_expert: z.optional(z.string()).check(
    z.describe("Of an answer that is only tried: the open question that a turn would have stored, if any"),
  ),
});
export const ErrorEvent = z.object({
  status: z.int().check(z.describe("The HTTP status that a reply without a stream would have")),
  code: ErrorCode,
  error: z.string(),
  details: z.optional(z.string()),
});

/** The ID of an event: the number of characters that a reader has, and the run of the turn that wrote them. */
function eventId(name: string) {
  const error = `${name} must be the id of an event of this stream`;
  return z.optional(
    z.pipe(
      z.string(error).check(z.regex(/^\d{1,9}(?:-[0-9a-f]{8})?$/, error)),
      z.transform((id) => {
        const [characters = ""] = id.split("-");
        return { after: Number(characters), run: id.slice(characters.length) };
      }),
    ),
  );
}

/** The text of an answer, stored or still being written, from an event on. 409 if another run has replaced it. */
export const operation = defineEndpoint({
  name: "followAnswer",
  method: "GET",
  path: "/chat/:messageId/stream",
  headers: { lastEventId: "Last-Event-ID" },
  scope: "chat",
  failure: "Failed to fetch the answer",
  errors: () => [errors.messageNotFound(), errors.answerChanged(), ...failuresOfAnswers()],
  input: z.object({
    messageId,
    lastEventId: eventId("Last-Event-ID").check(z.describe("The `id:` of the last event received, unchanged")),
    after: eventId("after").check(z.describe(
      "The same, for browsers, which cannot set that header for another origin. A reconnecting `EventSource` sends " +
        "both the header and the original address: the header takes precedence",
    )),
  }),
  output: AnswerObject,
  async verb(ctx, { messageId, lastEventId, after: firstEventId }) {
    const { after = 0, run } = lastEventId ?? firstEventId ?? {};
    const answer = await readAnswer(ctx, { messageId, after });
    if (run !== undefined && run !== nameRun(answer)) throw errors.answerChanged();
    return {
      head: answer,
      after,
      isRead: answer.content === "" && answer.status !== "streaming" && answer.status !== "failed",
      produce: (sink) => relayAnswer(ctx, { answer, after }, sink),
    };
  },
  readFields: readLastEventId,
  reply: replyWithResumedAnswer,
});
