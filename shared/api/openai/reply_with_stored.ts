import type { Reply } from "../../http/endpoint.ts";
import type { StoredResponse } from "./responses.ts";

/** Replies with a stored response, and names its thread as the reply to its question did. */
export const replyWithStored: Reply<StoredResponse> = (c, { response, threadId, messageId }) => {
  c.header("X-Thread-Id", threadId);
  c.header("X-Message-Id", messageId);
  return c.json(response);
};
