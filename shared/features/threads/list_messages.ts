import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { recoverAnswers } from "../../core/answers/recover_answers.ts";
import {
  AbandonedAnswer,
  answerStates,
  authors,
  PinnedAnswerSource,
  Source,
} from "../../core/answers/stored_answer.ts";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { pageFields, readPage } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { parseReply } from "../../infra/db/database.ts";
import { messageFields } from "../chat/fields.ts";
import { ExpertRequest } from "../requests/fields.ts";
import { includeField, ratings, requireThread, threadId } from "./fields.ts";

/** A user's rating of an answer. */
export const Feedback = z.object({
  rating: z.enum(ratings),
  comment: z.nullable(z.string()).check(z.describe("The reason, in the user's words")),
});

/** The basis of an answer, for the expert behind the coach. */
export const AnswerBasis = z.object({
  model: z.nullable(z.string()).check(z.describe("The model that wrote it; null if none did")),
  coach_version: z.nullable(z.int()).check(
    z.describe("The version of the coach's settings and instructions that was used; null if no model was called"),
  ),
  mode: z.nullable(z.string()).check(z.describe("`context.mode` of the question")),
  pinned_answers: z.array(PinnedAnswerSource).check(
    z.describe(
      "The pinned answers that it draws on, or the one that was given word for word; they are among `sources`, too",
    ),
  ),
  revised_at: z.nullable(Timestamp).check(z.describe("The time when the expert corrected it; null if never")),
  revision_id: z.nullable(Uuid).check(z.describe("The pinned answer that corrects it")),
});

/** A message of a list, with the fields requested by `include`. */
export const Message = z.object({
  ...messageFields,
  status: z.optional(z.enum(answerStates)).check(
    z.describe("With `include=status`: the status of an answer; `complete` for a user's message"),
  ),
  error_code: z.optional(z.nullable(z.string())).check(
    z.describe("With `include=status`: the code of the error of a failed answer, an ErrorCode; otherwise null"),
  ),
  is_passed_on: z.optional(z.literal(true)).check(
    z.describe(
      "With `include=status`: the question was passed on to the expert, who has not answered it yet; otherwise left out",
    ),
  ),
  sources: z.optional(z.array(Source)).check(
    z.describe(
      "With `include=sources`: the sources that the answer draws on, so far if it is still being written; none for a " +
        "user's message",
    ),
  ),
  feedback: z.optional(z.nullable(Feedback)).check(
    z.describe("With `include=feedback`: the rating by the thread's user; null if there is none"),
  ),
  basis: z.optional(z.nullable(AnswerBasis)).check(
    z.describe(
      "With `include=basis`, for the expert behind the coach: what the answer was based on; null for a user's " +
        "message",
    ),
  ),
  author: z.optional(z.enum(["user", ...authors])).check(
    z.describe("With `include=author`: the author: the user, the model (`ai`) or the real person behind the coach"),
  ),
  expert: z.optional(z.nullable(z.object({
    name: z.string().check(
      z.describe("The name of whoever said it in person, if they have given one; otherwise that of the coach"),
    ),
    picture_url: z.nullable(z.string()),
    user_id: z.optional(z.nullable(Uuid)).check(
      z.describe("For experts of the coach only: which of them has written it; null if that is not known"),
    ),
    own_name: z.optional(z.nullable(z.string())).check(
      z.describe("For experts of the coach only: the name that this expert has given"),
    ),
    email: z.optional(z.nullable(z.string())).check(z.describe("For experts of the coach only")),
  }))).check(
    z.describe(
      "With `include=author`: who has written a message of the expert. For other messages, null for experts of the " +
        "coach, and otherwise left out",
    ),
  ),
  in_reply_to: z.optional(Uuid).check(
    z.describe("With `include=author`: the user's message that the expert answers here, if there is one"),
  ),
  corrects: z.optional(Uuid).check(
    z.describe("With `include=author`: the answer that the expert corrects here; otherwise left out"),
  ),
  request: z.optional(ExpertRequest).check(
    z.describe("With `include=status`: the request to the expert about this question; otherwise left out"),
  ),
});

export const MessageList = z.object({
  data: z.array(Message).check(z.describe("Oldest first, or newest first with `order=desc`")),
  count: Count.check(z.describe("The number of messages in the whole thread, without answers that have no text")),
  next_cursor: NextCursor,
});

const orderError = "order must be asc or desc";

/** The reply of Postgres instead of the messages, if the thread has abandoned answers. */
const abandonedReply = z.object({ abandoned: z.array(AbandonedAnswer) });

/** The messages of a thread, with `basis` for the expert alone. Abandoned answers are completed first. */
export const operation = defineEndpoint({
  name: "listMessages",
  method: "GET",
  path: "/threads/:threadId/messages",
  pathWithoutParameter: "/threads/messages",
  scope: "threads:read",
  failure: "Failed to fetch messages",
  errors: () => [errors.threadNotFound(), errors.missingScope("expert"), errors.notTheExpert()],
  // The cursor contains the sequence, because messages may have the same time.
  input: z.object({
    threadId,
    order: z.optional(z.enum(["asc", "desc"], orderError)).check(
      z.describe("`asc`, the default: oldest first; `desc`: newest first"),
    ),
    include: includeField(
      ["status", "sources", "feedback", "author", "basis"],
      "Additional fields of each message, comma separated: `status` (with the error of failed answers; answers that " +
        "have no text, or none yet, are then listed too), `sources`, `feedback`, `author`, and for the expert behind " +
        "the coach `basis`",
    ),
    ...pageFields(/\d{1,15}/),
  }),
  output: MessageList,
  async verb({ services, database, userId, log }, { threadId, order, include = [], ...page }) {
    const { pageSize, afterAt, afterKey } = readPage(page);
    const list = async (skipAbandoned: boolean) =>
      requireThread(
        await database.callForBytes("list_messages", {
          ...threadColumns({ threadId, userId }),
          page_size: pageSize,
          after_at: afterAt,
          after_sequence: afterKey === null ? null : Number(afterKey),
          skip_abandoned: skipAbandoned,
          is_newest_first: order === "desc",
          include,
          pictures_url: services.picturesUrl,
        }),
      );
    const reply = await list(false);
    const abandoned = readAbandoned(reply);
    if (abandoned === null) return reply;
    await recoverAnswers(services, abandoned, log);
    return await list(true);
  },
});

const decoder = new TextDecoder();

/** The abandoned answers in a reply of `list_messages`; null if it contains the messages. */
function readAbandoned(reply: Uint8Array): AbandonedAnswer[] | null {
  // The first bytes distinguish the kinds of replies: the usual one is passed on without parsing.
  if (decoder.decode(reply.subarray(0, 12)) !== '{"abandoned"') return null;
  return parseReply("list_messages", abandonedReply, JSON.parse(decoder.decode(reply))).abandoned;
}
