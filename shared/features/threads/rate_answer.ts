import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { threadColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { ratings } from "./fields.ts";

export const RatedAnswer = z.object({
  messageId: z.string(),
  rating: z.nullable(z.enum(ratings)).check(z.describe("Null: the answer has no rating")),
  comment: z.nullable(z.string()),
});

const maxCommentCharacters = 2_000;

/** Stores a user's rating of an answer, replacing an earlier one, or removes it. */
export const operation = defineEndpoint({
  name: "rateAnswer",
  method: "PUT",
  path: "/threads/:threadId/messages/:messageId/feedback",
  body: "application/json",
  scope: "threads:write",
  failure: "Failed to store the feedback",
  isRepeatable: true,
  errors: () => [errors.threadNotFound(), errors.messageNotFound(), errors.answerUnfinished()],
  input: z.object({
    threadId: requiredId("threadId", "The thread of the answer"),
    messageId: requiredId("messageId", "The answer: `X-Message-Id` of its reply, or `id` in a list of messages"),
    rating: z.nullable(z.enum(ratings, "rating must be up, down or null")).check(
      z.describe("The user's rating of the answer; null removes it"),
    ),
    comment: z.nullish(
      z.string("comment must be a string").check(
        // Counted as characters, not as UTF-16 units; spread only when it can matter.
        z.refine(
          (text) => text.length <= maxCommentCharacters || [...text].length <= maxCommentCharacters,
          { error: "comment must be at most 2,000 characters long", abort: true },
        ),
        z.refine(isStorableText, "comment must not contain NUL characters or unpaired surrogates"),
        z.meta({ maxLength: maxCommentCharacters }),
      ),
    ).check(z.describe("The reason, in the user's words. Without it, an earlier comment is removed")),
  }),
  output: RatedAnswer,
  verb: ({ database, userId }, { threadId, messageId, rating, comment = null }) =>
    callRepeatable(database, "rate_answer", {
      ...threadColumns({ threadId, userId }),
      message_id: uuidOrNull(messageId),
      rating,
      comment,
    }, RatedAnswer),
});
