import * as z from "zod/mini";
import { IdempotencyKey, IdempotencyKeyField } from "../../core/wire/idempotency_key.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { uuidPattern } from "../../core/wire/ids.ts";

const maxMessageCharacters = 32_000;

const storable = (name: string) =>
  z.refine<string>(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`);

/** An optional text. Null counts as left out, because many clients send it for an absent value. */
function optionalText(name: string, ...checks: ReturnType<typeof storable>[]) {
  return z.nullish(z.string(`${name} must be a string`).check(storable(name), ...checks));
}

/** A text written by a person. */
export function said(name: string, description: string) {
  return z.string({ error: ({ input }) => input === undefined ? `${name} is required` : `${name} must be a string` })
    .check(
      z.refine((text) => text.trim() !== "", { error: `${name} must not be blank`, abort: true }),
      // Counts characters, not UTF-16 units. The text is only split into characters if it may be too long.
      z.refine(
        (text) => text.length <= maxMessageCharacters || [...text].length <= maxMessageCharacters,
        { error: `${name} must be at most 32,000 characters long`, abort: true },
      ),
      storable(name),
      z.meta({ description, minLength: 1, maxLength: maxMessageCharacters }),
    );
}

/** Body of `POST /chat`. */
export const ChatBody = z.object({
  message: said("message", "The user's message, not blank"),
  thread_id: optionalText("thread_id", z.regex(uuidPattern, "thread_id must be a UUID")).check(
    z.meta({ description: "The thread to continue; without it, a new one is started" }),
  ),
  new_thread_id: optionalText("new_thread_id", z.regex(uuidPattern, "new_thread_id must be a UUID")).check(
    z.meta({
      description:
        "Instead of `thread_id`: a random UUID made by the client, which becomes the ID of the new thread. Sending " +
        "the same ID again continues that thread",
    }),
  ),
  replaces: optionalText("replaces", z.regex(uuidPattern, "replaces must be a UUID")).check(
    z.meta({
      description:
        "The ID of an earlier question or its answer. That question and everything after it in the thread are " +
        "deleted, and this message takes their place. `thread_id` may be left out. Cannot be combined with " +
        "`new_thread_id`",
    }),
  ),
  context: z.nullish(z.object({
    coachId: optionalText("context.coachId").check(
      z.describe("The coach to talk to. Required to start a thread; otherwise, the thread's coach"),
    ),
    userId: optionalText(
      "context.userId",
      z.maxLength(255, "context.userId must be at most 255 characters long"),
      z.refine<string>((text) => text.trim() !== "", "context.userId must not be blank"),
    ).check(z.describe(
      "The user who sends the message, not blank; with a bearer token, its user. Without it, a new thread belongs " +
        "to a new anonymous user",
    )),
    isAuthenticated: z.nullish(z.boolean("context.isAuthenticated must be true or false")).check(
      z.describe("If true, a bearer token is required"),
    ),
    mode: optionalText("context.mode", z.maxLength(64, "context.mode must be at most 64 characters long")).check(
      z.describe(
        "The kind of conversation, shown to the coach. `create_knowledge` stores the message as a note; only for " +
          "the coach's own user",
      ),
    ),
    time_zone: optionalText("context.time_zone").check(
      z.describe(
        "The person's time zone by its IANA name, such as `Europe/Lisbon`: the coach is told the date there. Without " +
          "it, or if it is not known, the date in UTC",
      ),
    ),
  }, "context must be an object")).check(
    z.describe("The coach, the user and the kind of conversation, and where the user is"),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe(
      "The same as the header `Idempotency-Key`, for browsers, which cannot send that header to another origin",
    ),
  ),
}, "The request body must be a JSON object");
export type ChatBody = z.infer<typeof ChatBody>;

/**
 * Arguments of the tool `chat`. A model cannot make a random UUID, so it must not name a new thread. And a tool that
 * only adds to a conversation must not delete from it.
 */
export const ChatArguments = z.omit(ChatBody, { new_thread_id: true, replaces: true });

/** Input of `chat`. */
export const ChatInput = z.object({
  idempotencyKey: IdempotencyKey.check(z.describe(
    "Makes the request safe to repeat for 24 hours: a repetition gets the same thread, message and answer, and the " +
      "model is not called again",
  )),
  ...ChatBody.shape,
});
export type ChatInput = z.infer<typeof ChatInput>;

const messageId = requiredId("messageId", "`X-Message-Id` of the reply that started the answer");

/** Input of `stopAnswer`. */
export const StopAnswerInput = z.object({ messageId });
export type StopAnswerInput = z.infer<typeof StopAnswerInput>;

/** Input of `retryAnswer`. */
export const RetryAnswerInput = z.object({ messageId });
export type RetryAnswerInput = z.infer<typeof RetryAnswerInput>;

/** The ID of an event: the number of characters that a reader has, and the run of the turn that wrote them. */
function eventId(name: string) {
  const error = `${name} must be the id of an event of this stream`;
  return z.optional(
    z.pipe(
      z.string(error).check(z.regex(/^\d{1,9}(?:-[0-9a-f]{8})?$/, error)),
      z.transform((id) => {
        const [characters = ""] = id.split("-");
        return { after: Number(characters), run: id.slice(characters.length) };
      }),
    ),
  );
}

/** Input of `followAnswer`. */
export const FollowAnswerInput = z.object({
  messageId,
  lastEventId: eventId("Last-Event-ID").check(z.describe("The `id:` of the last event received, unchanged")),
  after: eventId("after").check(z.describe(
    "The same, for browsers, which cannot set that header for another origin. A reconnecting `EventSource` sends " +
      "both the header and the original address: the header takes precedence",
  )),
});
export type FollowAnswerInput = z.infer<typeof FollowAnswerInput>;

/** Input of `tryQuestion`. */
export const TryQuestionInput = z.object({
  coachId: requiredId("coachId", "The coach to ask"),
  question: said("question", "A question as a person might ask it in the first message of a thread"),
  answer: z.nullish(z.boolean("answer must be true or false")).check(
    z.describe("Also returns the answer that would be given. That calls the model and costs as much as a turn"),
  ),
  draft: z.nullish(z.boolean("draft must be true or false")).check(
    z.describe("Asks the persona as it would be if its draft were published; by default, as it is"),
  ),
});
export type TryQuestionInput = z.infer<typeof TryQuestionInput>;
