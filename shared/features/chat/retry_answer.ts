import * as z from "zod/mini";
import { errors, failuresOfAnswers } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { comeToAnswer } from "./answer_message.ts";
import { AnswerObject, messageId } from "./fields.ts";
import { replyWithNewAnswer } from "./reply_with_answer.ts";
import { retryTurn } from "./turn/begin_turn.ts";

/** Runs the last answer of a thread again, in place. One that is still being written is followed instead. */
export const operation = defineEndpoint({
  name: "retryAnswer",
  method: "POST",
  path: "/chat/:messageId/retry",
  scope: "chat",
  failure: "Failed to answer the message",
  errors: () => [
    errors.messageNotFound(),
    errors.coachNotFound(),
    errors.coachPaused(),
    errors.notTheLastAnswer(),
    errors.answerNotRetryable(),
    errors.takenOver(),
    errors.budgetExhausted(3_600),
    ...failuresOfAnswers(),
  ],
  input: z.object({ messageId }),
  output: AnswerObject,
  verb: async (ctx, { messageId }) => comeToAnswer(ctx, await retryTurn(ctx, messageId)),
  reply: replyWithNewAnswer,
});
