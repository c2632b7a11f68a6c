import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const askExpert = defineOperation({
  name: "askExpert",
  scope: "chat",
  failure: "Failed to ask the expert",
  errors: () => [
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.coachNotFound(),
    errors.coachPaused(),
    errors.coachMismatch(),
    errors.idempotencyKeyReused(),
    errors.mailNotAvailable(),
    errors.tooManyMails(),
  ],
  input: async () => (await import("./schemas.ts")).AskExpertInput,
  output: async () => (await import("./replies.ts")).ExpertRequest,
  verb: async () => (await import("./requests.ts")).askExpert,
});

export const listRequests = defineOperation({
  name: "listRequests",
  scope: "threads:read",
  failure: "Failed to fetch the requests",
  errors: () => [errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).ListRequestsInput,
  output: async () => (await import("./replies.ts")).RequestList,
  verb: async () => (await import("./requests.ts")).listRequests,
});

export const withdrawRequest = defineOperation({
  name: "withdrawRequest",
  scope: "threads:write",
  failure: "Failed to take the request back",
  isRepeatable: true,
  errors: () => [errors.threadNotFound(), errors.requestNotFound()],
  input: async () => (await import("./schemas.ts")).WithdrawRequestInput,
  output: async () => (await import("./replies.ts")).ExpertRequest,
  verb: async () => (await import("./requests.ts")).withdrawRequest,
});
