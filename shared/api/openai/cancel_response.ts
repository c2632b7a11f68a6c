import { errors } from "../../infra/errors.ts";
import { stopStoredAnswer } from "../../features/chat/stop_answer.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Response } from "./fields.ts";
import { findStored, readResponseId, replyWithStored, storedInput } from "./describe_response.ts";

/** Stops a response that is being written. One that has ended is returned as it is. */
export const operation = defineEndpoint({
  name: "cancelResponse",
  method: "POST",
  path: "/openai/v1/responses/:responseId{[^/]+}/cancel",
  scope: "chat",
  failure: "Failed to stop the response",
  errors: () => [errors.responseNotFound()],
  input: storedInput,
  output: Response,
  verb: (ctx, { responseId }) =>
    findStored(ctx, async () => await stopStoredAnswer(ctx, { messageId: readResponseId(responseId) })),
  reply: replyWithStored,
});
