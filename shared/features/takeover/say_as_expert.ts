import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { IdempotencyKeyField, identityColumns } from "../../core/wire/idempotency_key.ts";
import { threadColumns, uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { messageFields, said } from "../chat/fields.ts";
import { threadId } from "./take_over.ts";

/** The user's message that a message of the expert answers. */
export const inReplyToField = z.nullish(
  z.string("in_reply_to must be a string").check(z.regex(uuidPattern, "in_reply_to must be a UUID")),
);

/** A message of the expert, as lists show it with `include=status,author`. */
export const ExpertMessage = z.object({
  ...messageFields,
  role: z.literal("assistant"),
  status: z.literal("complete"),
  author: z.literal("expert"),
});

/**
 * Stores a message of the expert, which also takes the thread over. It answers the question that it
 * names, otherwise the oldest one that waits for the expert. If there is none, it stands alone.
 */
export const operation = defineEndpoint({
  name: "sayAsExpert",
  method: "POST",
  path: "/threads/:threadId/messages",
  body: "application/json",
  scope: "expert",
  failure: "Failed to store the message",
  errors: () => [
    errors.notTheExpert(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.idempotencyKeyReused(),
  ],
  input: z.object({
    threadId,
    content: said("content", "The expert's message, not blank"),
    in_reply_to: inReplyToField.check(
      z.describe(
        "The user's message that it answers. By default, that of the oldest request of the thread that waits, or of the " +
          "oldest question that does",
      ),
    ),
    idempotency_key: IdempotencyKeyField.check(
      z.describe(
        "Makes the request safe to repeat for 24 hours: a repetition gets the same message, and nothing is stored " +
          "twice",
      ),
    ),
  }),
  output: ExpertMessage,
  async verb({ database, userId, requestId }, { threadId, content, in_reply_to: inReplyTo = null, idempotency_key }) {
    const { message } = await callRepeatable(database, "say_as_expert", {
      ...threadColumns({ threadId, userId }),
      content,
      in_reply_to: inReplyTo,
      request_id: requestId,
      // There is always a key, because an interrupted call is repeated, and a message must not be stored twice.
      ...identityColumns(idempotency_key ?? crypto.randomUUID(), {
        threadId,
        content,
        ...(inReplyTo === null ? {} : { inReplyTo }),
      }),
    }, z.object({ message: ExpertMessage }));
    return message;
  },
});
