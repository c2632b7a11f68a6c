import { errors } from "../../infra/errors.ts";
import { readAnswer } from "../../features/chat/read_answer.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Response } from "./fields.ts";
import { findStored, readResponseId, replyWithStored, storedInput } from "./describe_response.ts";

/** A stored response. */
export const operation = defineEndpoint({
  name: "getResponse",
  method: "GET",
  path: "/openai/v1/responses/:responseId{[^/]+}",
  scope: "chat",
  failure: "Failed to fetch the response",
  errors: () => [errors.responseNotFound()],
  input: storedInput,
  output: Response,
  verb: (ctx, { responseId }) =>
    findStored(ctx, async () => await readAnswer(ctx, { messageId: readResponseId(responseId), after: 0 })),
  reply: replyWithStored,
});
