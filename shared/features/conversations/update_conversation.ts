import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { countCharacters, isStorableText } from "../../libs/base/text.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { coachColumns, threadColumns, uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Conversation } from "./list_conversations.ts";

const assigneeError = "assigned_to must be an expert of the coach";
const noteError = "note must be at most 4000 characters long";

/** Assigns a conversation to an expert, closes or opens it, or notes something down for the other experts. */
export const operation = defineEndpoint({
  name: "updateConversation",
  method: "PATCH",
  path: "/coaches/:coachId/threads/:threadId",
  body: "application/json",
  scope: "expert",
  failure: "Failed to update the conversation",
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheExpert(),
    errors.threadNotFound(),
    errors.invalidInput(assigneeError),
  ],
  input: z.object({
    coachId: requiredId("coachId", "The coach"),
    threadId: requiredId("threadId", "The thread"),
    assigned_to: z.optional(z.nullable(z.string(assigneeError).check(z.regex(uuidPattern, assigneeError)))).check(
      z.describe("The expert who sees to it: `user_id`; null: nobody"),
    ),
    is_closed: z.optional(z.boolean("is_closed must be true or false")).check(
      z.describe("Whether it is done with, for all experts. A new question opens it again"),
    ),
    note: z.optional(z.nullable(
      z.string(noteError).check(
        z.refine((text) => countCharacters(text) <= 4_000, noteError),
        z.refine(isStorableText, "note must not contain NUL characters or unpaired surrogates"),
      ),
    )).check(
      z.describe(
        "For the other experts; blank or null: none. The person never sees it here, but in an export of all that is " +
          "stored about them",
      ),
    ),
  }),
  output: Conversation,
  async verb({ database, userId }, { coachId, threadId, note, ...changes }) {
    const { thread_id } = threadColumns({ threadId, userId });
    return await callRepeatable(database, "update_conversation", {
      ...coachColumns({ coachId, userId }),
      thread_id,
      changes: { ...changes, ...(note !== undefined && { note: note?.trim() || null }) },
    }, Conversation);
  },
});
