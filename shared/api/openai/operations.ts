import { errors, failuresOfAnswers } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const listModels = defineOperation({
  name: "listModels",
  scope: "chat",
  failure: "Failed to fetch models",
  errors: () => [],
  input: async () => (await import("./schemas.ts")).ListModelsInput,
  output: async () => (await import("./replies.ts")).ModelList,
  verb: async () => (await import("./models.ts")).listModels,
});

export const getModel = defineOperation({
  name: "getModel",
  scope: "chat",
  failure: "Failed to fetch the model",
  errors: () => [errors.coachNotFound()],
  input: async () => (await import("./schemas.ts")).GetModelInput,
  output: async () => (await import("./replies.ts")).Model,
  verb: async () => (await import("./models.ts")).getModel,
});

/** The errors of a turn. */
const errorsOfTurns = () => [
  errors.coachNotFound(),
  errors.coachPaused(),
  errors.coachMismatch(),
  errors.userMismatch(),
  errors.threadNotFound(),
  errors.idempotencyKeyReused(),
  errors.answerNotRetryable(),
  ...failuresOfAnswers(),
];

export const createChatCompletion = defineOperation({
  name: "createChatCompletion",
  scope: "chat",
  failure: "Failed to answer the message",
  errors: errorsOfTurns,
  input: async () => (await import("./schemas.ts")).CompletionInput,
  output: async () => (await import("./replies.ts")).ChatCompletion,
  verb: async () => (await import("./complete_chat.ts")).completeChat,
});

export const createResponse = defineOperation({
  name: "createResponse",
  scope: "chat",
  failure: "Failed to answer the message",
  errors: () => [...errorsOfTurns(), errors.previousResponseNotFound()],
  input: async () => (await import("./schemas.ts")).ResponseInput,
  output: async () => (await import("./replies.ts")).Response,
  verb: async () => (await import("./responses.ts")).createResponse,
});

export const getResponse = defineOperation({
  name: "getResponse",
  scope: "chat",
  failure: "Failed to fetch the response",
  errors: () => [errors.responseNotFound()],
  input: async () => (await import("./schemas.ts")).StoredResponseInput,
  output: async () => (await import("./replies.ts")).Response,
  verb: async () => (await import("./responses.ts")).getResponse,
});

export const deleteResponse = defineOperation({
  name: "deleteResponse",
  scope: "threads:write",
  failure: "Failed to delete the response",
  errors: () => [errors.responseNotFound(), errors.notTheLastTurn()],
  input: async () => (await import("./schemas.ts")).StoredResponseInput,
  output: async () => (await import("./replies.ts")).DeletedResponse,
  verb: async () => (await import("./responses.ts")).deleteResponse,
});

export const cancelResponse = defineOperation({
  name: "cancelResponse",
  scope: "chat",
  failure: "Failed to stop the response",
  errors: () => [errors.responseNotFound()],
  input: async () => (await import("./schemas.ts")).StoredResponseInput,
  output: async () => (await import("./replies.ts")).Response,
  verb: async () => (await import("./responses.ts")).cancelResponse,
});
