import { errors, failuresOfAnswers } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const chat = defineOperation({
  name: "chat",
  scope: "chat",
  failure: "Failed to answer the message",
  errors: () => [
    errors.coachRequired(),
    errors.invalidInput("thread_id and new_thread_id cannot be sent together"),
    errors.invalidInput("replaces and new_thread_id cannot be sent together"),
    errors.coachMismatch(),
    errors.userMismatch(),
    errors.notTheCoach(),
    errors.missingScope("knowledge:write"),
    errors.coachNotFound(),
    errors.coachPaused(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.takenOver(),
    errors.idempotencyKeyReused(),
    errors.budgetExhausted(3_600),
    ...failuresOfAnswers(),
  ],
  input: async () => (await import("./schemas.ts")).ChatInput,
  output: async () => (await import("./replies.ts")).AnswerObject,
  verb: async () => (await import("./answer_message.ts")).answerMessage,
});

export const stopAnswer = defineOperation({
  name: "stopAnswer",
  scope: "chat",
  failure: "Failed to stop the answer",
  errors: () => [errors.messageNotFound()],
  input: async () => (await import("./schemas.ts")).StopAnswerInput,
  output: async () => (await import("./replies.ts")).AnswerObject,
  verb: async () => (await import("./stop_answer.ts")).stopAnswer,
});

export const retryAnswer = defineOperation({
  name: "retryAnswer",
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
  input: async () => (await import("./schemas.ts")).RetryAnswerInput,
  output: async () => (await import("./replies.ts")).AnswerObject,
  verb: async () => (await import("./answer_message.ts")).retryAnswer,
});

export const followAnswer = defineOperation({
  name: "followAnswer",
  scope: "chat",
  failure: "Failed to fetch the answer",
  errors: () => [errors.messageNotFound(), errors.answerChanged(), ...failuresOfAnswers()],
  input: async () => (await import("./schemas.ts")).FollowAnswerInput,
  output: async () => (await import("./replies.ts")).AnswerObject,
  verb: async () => (await import("./resume_answer.ts")).resumeAnswer,
});

export const tryQuestion = defineOperation({
  name: "tryQuestion",
  scope: "expert",
  failure: "Failed to try the question",
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheExpert(),
    errors.budgetExhausted(3_600),
    ...failuresOfAnswers(),
  ],
  input: async () => (await import("./schemas.ts")).TryQuestionInput,
  output: async () => (await import("./replies.ts")).TriedQuestion,
  verb: async () => (await import("./try_question.ts")).tryQuestion,
});
