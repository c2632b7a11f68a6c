import * as z from "zod/mini";
import { answerStates, authors, PinnedAnswerSource, Source } from "../../core/answers/stored_answer.ts";
import { Message } from "../chat/replies.ts";
import { Coach } from "../coaches/fields.ts";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { ExpertRequest, requestStates } from "../requests/fields.ts";
import { ratings } from "./ratings.ts";

const threadFields = {
  id: Uuid,
  title: z.string().check(
    z.describe(
      "The title that the user gave it. By default, the first message, shortened at a word to at most 80 characters",
    ),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  coach_id: z.string(),
  user_id: z.string().check(z.describe("`anonymous-` and a UUID if no user was named")),
  coach_profiles: z.object({
    name: z.string().check(z.describe("The coach's full name")),
    title: z.string().check(z.describe("The coach's professional title")),
  }),
};

/** The state of a thread, in addition to its entry in a list. */
const ThreadState = z.object({
  active_message_id: z.nullable(z.string()).check(
    z.describe("The answer that is being written, to stop it or to stream it again; null if there is none"),
  ),
  handled_by: z.enum(["ai", "expert"]).check(z.describe("Who answers")),
  taken_over_until: z.nullable(Timestamp).check(
    z.describe("The time when the takeover ends automatically unless the expert writes before; null if there is none"),
  ),
  is_pinned: z.boolean(),
  is_archived: z.boolean(),
  request_status: z.nullable(z.enum(requestStates)).check(
    z.describe("The state of the oldest request that waits for the expert: `waiting` or `seen`; null: none waits"),
  ),
  unread: Count.check(
    z.describe(
      "The number of messages that the user has not read: messages of the expert, and answers that were completed " +
        "when nobody was connected to them any more. `markThreadRead` sets it to 0",
    ),
  ),
});

/** The place of a thread that a search has found. */
export const Excerpt = z.array(z.string()).check(
  z.describe(
    "With a search, for the first 100 of a list: plain text around the words that were found, in the message that has most of them or in the title. " +
      "Every second part is such a word, beginning with the second one: " + '`["Where do ", "owls", " sleep?"]`',
  ),
);

/** A conversation of one user with one coach, as in lists: its state is only included on request. */
export const Thread = z.object({
  ...threadFields,
  ...z.partial(ThreadState).shape,
  excerpt: z.optional(Excerpt),
});

/** A conversation with its state. */
export const ThreadWithState = z.object({ ...threadFields, ...ThreadState.shape });

/** Reply of `DELETE /threads/{threadId}`. */
export const DeletedThread = z.object({ message: z.literal("Thread deleted successfully"), threadId: z.string() });

/** Reply of `DELETE /users/{userId}`. */
export const ErasedUser = z.object({ message: z.literal("User deleted successfully"), userId: z.string() });

/** Reply of `GET /users/{userId}/threads`. */
export const ThreadList = z.object({
  data: z.array(Thread).check(z.describe("Most recently updated first; best match first with a search")),
  count: Count.check(z.describe("The number of threads in `data`")),
  next_cursor: NextCursor,
  coaches: z.optional(z.array(Coach)).check(z.describe("With `include=coaches` or `coach`: by name")),
  unread_by_coach: z.optional(z.record(z.string(), Count)).check(
    z.describe("With them: of how many of the user's hundred newest threads with each coach something is unread"),
  ),
});

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
export const ListedMessage = z.object({
  ...Message.shape,
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
    name: z.string().check(z.describe("The name of the person behind the coach")),
    picture_url: z.nullable(z.string()),
    user_id: z.optional(z.nullable(Uuid)).check(
      z.describe("For experts of the coach only: which of them has written it; null if that is not known"),
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

/** Reply of `GET /threads/{threadId}/messages`. */
export const MessageList = z.object({
  data: z.array(ListedMessage).check(z.describe("Oldest first, or newest first with `order=desc`")),
  count: Count.check(z.describe("The number of messages in the whole thread, without answers that have no text")),
  next_cursor: NextCursor,
});

/** Reply of `PUT /threads/{threadId}/messages/{messageId}/feedback`. */
export const RatedAnswer = z.object({
  messageId: z.string(),
  rating: z.nullable(z.enum(ratings)).check(z.describe("Null: the answer has no rating")),
  comment: z.nullable(z.string()),
});
export type RatedAnswer = z.infer<typeof RatedAnswer>;
