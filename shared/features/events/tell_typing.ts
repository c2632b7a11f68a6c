import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";

export const Typing = z.object({ thread_id: z.string() });

/** Tells the other side of a thread that its user, or an expert, is typing: an event without the text. */
export const operation = defineEndpoint({
  name: "tellTyping",
  method: "POST",
  path: "/threads/:threadId/typing",
  scope: ["threads:write", "expert"],
  failure: "Failed to tell who is typing",
  errors: () => [errors.threadNotFound()],
  input: z.object({ threadId: requiredId("threadId", "The thread in which it is typed") }),
  output: Typing,
  verb: async ({ database, userId }, { threadId }) =>
    await database.callForBytes("tell_typing", threadColumns({ threadId, userId })),
});
