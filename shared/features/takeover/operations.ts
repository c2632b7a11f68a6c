import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const takeOver = defineOperation({
  name: "takeOver",
  scope: "expert",
  failure: "Failed to take the thread over",
  // Taking over twice has the same effect as once.
  isRepeatable: true,
  errors: () => [errors.notTheExpert(), errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).TakeOverInput,
  output: async () => (await import("../threads/replies.ts")).ThreadWithState,
  verb: async () => (await import("./take_over.ts")).takeOver,
});

export const releaseThread = defineOperation({
  name: "releaseThread",
  scope: "expert",
  failure: "Failed to release the thread",
  isRepeatable: true,
  errors: () => [errors.notTheExpert(), errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).ReleaseThreadInput,
  output: async () => (await import("../threads/replies.ts")).ThreadWithState,
  verb: async () => (await import("./release_thread.ts")).releaseThread,
});

export const sayAsExpert = defineOperation({
  name: "sayAsExpert",
  scope: "expert",
  failure: "Failed to store the message",
  errors: () => [
    errors.notTheExpert(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.idempotencyKeyReused(),
  ],
  input: async () => (await import("./schemas.ts")).SayAsExpertInput,
  output: async () => (await import("./replies.ts")).ExpertMessage,
  verb: async () => (await import("./say_as_expert.ts")).sayAsExpert,
});

export const reviseAnswer = defineOperation({
  name: "reviseAnswer",
  scope: "expert",
  failure: "Failed to revise the answer",
  errors: () => [
    errors.notTheExpert(),
    errors.roleNotSufficient(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.passageNotFound(),
    errors.answerUnfinished(),
    errors.invalidInput("question is required"),
    errors.idempotencyKeyReused(),
  ],
  input: async () => (await import("./schemas.ts")).ReviseAnswerInput,
  output: async () => (await import("./replies.ts")).RevisedAnswer,
  verb: async () => (await import("./revise_answer.ts")).reviseAnswer,
});
