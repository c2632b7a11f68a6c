import * as z from "zod/mini";
import { IdempotencyKey } from "../../core/wire/idempotency_key.ts";
import type { ReadFields } from "../../http/endpoint.ts";

/**
 * Values that name nothing: a placeholder that was not replaced, and what LibreChat and Open WebUI call a conversation
 * that is new, or is not kept. The latter has one name for all such conversations of a browser.
 */
const nothing = /\{\{|^(?:new|PENDING|local:.*)$/;

/** An ID that a client sends, or nothing. */
function idField(description: string) {
  const clean = (value: string) => {
    const id = value.trim();
    return id === "" || nothing.test(id) ? undefined : id;
  };
  return z.optional(z.pipe(z.string(), z.transform(clean))).check(z.describe(description));
}

const conversation = "The client's own ID of the conversation. If no user is named, it must be a UUID";

/** The headers that clients add to a question. */
export const headerFields = {
  threadId: idField("The thread to continue"),
  chatId: idField(conversation),
  openWebuiChatId: idField(conversation),
  conversationId: idField(conversation),
  openWebuiUserId: idField("The end user"),
  task: idField("Any value says that the request is not a person's but the application's own, such as one for a title"),
  retryCount: z.optional(
    z.pipe(z.string(), z.transform((count) => /^\d{1,3}$/.test(count) ? Number(count) : undefined)),
  ).check(
    z.describe("Sent by the official clients. Above 0, the answer to the same request of the last two minutes is sent"),
  ),
  idempotencyKey: IdempotencyKey.check(z.describe("As for `POST /chat`")),
};

const taskHeader = /^x-(?:[a-z0-9]+-)?task$/;

/** Other interfaces may name their tasks in headers of their own. */
export const readTaskHeader: ReadFields = ({ req }) => {
  let fields = {};
  // Headers sort themselves for each step of a loop: 8 µs more a request with nine headers (the best of 60 rounds).
  req.raw.headers.forEach((value, name) => {
    if (taskHeader.test(name) && value.trim() !== "") fields = { task: value };
  });
  return fields;
};
