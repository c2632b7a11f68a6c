import * as z from "zod/mini";
import { errors, failuresOfAnswers } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import type { RequestContext } from "../../core/context.ts";
import { IdempotencyKey, IdempotencyKeyField, identifyRequest } from "../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { answerMessage } from "./answer_message.ts";
import { AnswerObject, said } from "./fields.ts";
import type { Question } from "./question.ts";
import { replyWithNewAnswer } from "./reply_with_answer.ts";

const storable = (name: string) =>
  z.refine<string>(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`);

/** An optional text. Null counts as left out, because many clients send it for an absent value. */
function optionalText(name: string, ...checks: ReturnType<typeof storable>[]) {
  return z.nullish(z.string(`${name} must be a string`).check(storable(name), ...checks));
}

/** A fact for the expert alone. One that is of no use is ignored, so that no message is lost over it. */
function told(description: string) {
  return z.optional(z.unknown()).check(
    z.meta({ type: "string", description: `${description}. Otherwise, it is ignored` }),
  );
}

const body = z.object({
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
    page_url: told("The page that the chat is on, for the expert: http or https, at most 2,000 characters"),
    language: told("The language of that page, as a tag such as `pt-BR`, for the expert"),
  }, "context must be an object")).check(
    z.describe("The coach, the user and the kind of conversation, and where the user is"),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe(
      "The same as the header `Idempotency-Key`, for browsers, which cannot send that header to another origin",
    ),
  ),
}, "The request body must be a JSON object");
type Body = z.infer<typeof body>;

/**
 * Arguments of the tool `chat`. A model cannot make a random UUID, so it must not name a new thread. And a tool that
 * only adds to a conversation must not delete from it.
 */
export const chatArguments = z.omit(body, { new_thread_id: true, replaces: true });

/** Accepts a message. Returns the answer of a new turn, or the earlier one with its key. If refused, stores nothing. */
export const operation = defineEndpoint({
  name: "chat",
  method: "POST",
  path: "/chat",
  headers: { idempotencyKey: "Idempotency-Key" },
  body: "application/json",
  scope: "chat",
  failure: "Failed to answer the message",
  errors: () => [
    errors.coachRequired(),
    errors.invalidInput("thread_id and new_thread_id cannot be sent together"),
    errors.invalidInput("replaces and new_thread_id cannot be sent together"),
    errors.coachMismatch(),
    errors.userMismatch(),
    errors.notTheCoach(),
    errors.missingScope("knowledge:write"),
    errors.coachNotFound(),
    errors.coachPaused(),
    errors.threadNotFound(),
    errors.messageNotFound(),
    errors.takenOver(),
    errors.idempotencyKeyReused(),
    errors.budgetExhausted(3_600),
    ...failuresOfAnswers(),
  ],
  input: z.object({
    idempotencyKey: IdempotencyKey.check(z.describe(
      "Makes the request safe to repeat for 24 hours: a repetition gets the same thread, message and answer, and the " +
        "model is not called again",
    )),
    ...body.shape,
  }),
  output: AnswerObject,
  async verb(ctx, { idempotencyKey, idempotency_key, ...body }) {
    if (idempotencyKey !== undefined && (idempotency_key ?? idempotencyKey) !== idempotencyKey) {
      throw errors.invalidInput("idempotency_key must be the same as Idempotency-Key");
    }
    const key = idempotencyKey ?? idempotency_key ?? undefined;
    const { page_url: _, language: __, ...context } = body.context ?? {};
    // Made of the parsed body, so the order of its fields and unknown fields do not matter; nor does where it is sent from.
    const asked = { ...body, ...(body.context && { context }) };
    return await answerMessage(ctx, await readQuestion(ctx, body), identifyRequest(key, asked));
  },
  reply: replyWithNewAnswer,
});

/** Reads the body of a message. @throws 400, 401, 403 when the caller may not ask it */
async function readQuestion(
  ctx: RequestContext,
  { message, thread_id, new_thread_id, replaces, context }: Omit<Body, "idempotency_key">,
): Promise<Question> {
  const userId = readUser(ctx, context);
  const coachId = context?.coachId?.trim() ? context.coachId : null;
  const mode = context?.mode ?? null;
  const note = mode === "create_knowledge" ? await readNote(ctx, message) : null;
  if (thread_id && new_thread_id) throw errors.invalidInput("thread_id and new_thread_id cannot be sent together");
  if (replaces && new_thread_id) throw errors.invalidInput("replaces and new_thread_id cannot be sent together");
  // Whether the thread of new_thread_id exists already, Postgres knows.
  if (!thread_id && !new_thread_id && !replaces && coachId === null) throw errors.coachRequired();
  return {
    message,
    mode,
    timeZone: context?.time_zone ?? undefined,
    place: context ? readPlace(context) : {},
    threadId: thread_id ?? null,
    newThreadId: new_thread_id ?? null,
    replaces: replaces ?? null,
    coachId,
    userId,
    note,
    conversation: null,
  };
}

/** The page of a chat, without what may be secret in its address, and its language. */
function readPlace({ page_url, language }: { page_url?: unknown; language?: unknown }): Question["place"] {
  const url = typeof page_url === "string" && page_url.length <= 2_000 ? URL.parse(page_url) : null;
  const page = url !== null && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}` : "";
  return {
    ...(page !== "" && page.length <= 2_000 && { page_url: page }),
    ...(typeof language === "string" && /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,4}$/i.test(language) && { language }),
  };
}

/** The user a message is from; null when the key alone asks and names no user. */
function readUser({ userId }: RequestContext, context: Body["context"]): string | null {
  if (userId === null) {
    if (context?.isAuthenticated) throw errors.invalidAccessToken();
    return context?.userId ?? null;
  }
  if (context?.userId && context.userId !== userId) throw errors.userMismatch();
  return userId;
}

/** A message as a note, without `create_knowledge:` at its beginning. Postgres checks that the user is the coach. */
async function readNote({ userId, admission }: RequestContext, message: string): Promise<string> {
  if (userId === null) throw errors.invalidAccessToken();
  await admission.require();
  if (!admission.holds("knowledge:write")) throw errors.missingScope("knowledge:write");
  const note = message.replace(/^\s*create_knowledge\s*:/i, "").trim();
  if (note === "") throw errors.invalidInput("message must contain a note after create_knowledge:");
  return note;
}
