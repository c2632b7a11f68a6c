import { sha256Hex } from "../../core/auth/digest.ts";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import type { RequestContext } from "../../core/context.ts";
import { type RequestIdentity, uuidPattern } from "../../core/wire/ids.ts";
import { answerMessage, type AskedAnswer } from "../../features/chat/answer_message.ts";
import { isUsualNotice } from "../../features/chat/prompt/usual_sentences.ts";
import * as answers from "../../core/answers/store.ts";
import { hasFootnotes } from "./citations.ts";
import { type Conversation, requireQuestion } from "./read_conversation.ts";

/** The headers that clients add to a question. Each is undefined if the client does not send it. */
export type ClientHeaders = {
  threadId?: string;
  /** The client's own ID of the conversation, under three names. */
  chatId?: string;
  openWebuiChatId?: string;
  conversationId?: string;
  /** The end user. */
  openWebuiUserId?: string;
  /** The request of the application for itself, such as for a title. */
  task?: string;
  /** The number of times that an official client has sent the request before. */
  retryCount?: number;
  idempotencyKey?: string;
};

/** The fields of a request that name its user, its coach and its conversation. */
export type Asking = ClientHeaders & {
  model: string;
  user?: unknown;
  safety_identifier?: unknown;
};

/** The names that a request has for its thread, and what limits its answer. */
export type Placing = {
  /** The answer that the question follows; null: none. */
  previousId: string | null;
  /** The client's own name for the conversation; null: none. */
  conversationId: string | null;
  /** True if the client relies on that name: it does not send what was said before. */
  mustBeKnown?: boolean;
  /** True if its turn is deleted when it has ended. */
  isUnkept?: boolean;
  maxOutputTokens: number | null;
};

/** An answer, with what its reply needs. */
export type ClientAnswer = AskedAnswer & {
  model: string;
  /** True if sources are to be named at the end of the text. */
  hasFootnotes: () => boolean;
  /** Stops the answer, unless another request has asked for it since. */
  leave: () => Promise<void>;
};

/** The official clients repeat a failed request within seconds. */
const retrySeconds = 120;

/**
 * Asks a coach the question of a client's conversation.
 *
 * @throws 400 for a question, a user or a conversation that is not possible, 403 for another user than that of the token, 404 for an
 * unknown thread, and as `answerMessage` does; nothing is stored then.
 */
export async function ask(
  ctx: RequestContext,
  request: Asking,
  conversation: Omit<Conversation, "previousId">,
  { previousId, conversationId, mustBeKnown, isUnkept = false, maxOutputTokens }: Placing,
): Promise<ClientAnswer> {
  const { model } = request;
  const { application, history } = conversation;
  const message = requireQuestion(conversation);
  const userId = readUser(ctx, request);
  const threadId = request.threadId ?? null;
  if (threadId !== null && !uuidPattern.test(threadId)) throw errors.threadNotFound();
  if (!isStorableText(model)) throw errors.coachNotFound();
  // Where nobody is named, other IDs could be those of several people: only a UUID is sure to be of one conversation.
  const isName = conversationId !== null && (userId !== null || uuidPattern.test(conversationId));
  if (mustBeKnown && !isName) {
    throw errors.invalidInput("conversation must be a UUID, unless user names the end user", "conversation");
  }
  const name = threadId === null && previousId === null && isName ? conversationId : null;
  const answer = await answerMessage(ctx, {
    message,
    mode: null,
    threadId,
    newThreadId: null,
    replaces: null,
    coachId: model,
    userId,
    note: null,
    conversation: {
      name,
      previousId: threadId === null ? previousId : null,
      isStandalone: threadId === null && previousId === null && name === null,
      isUnkept,
      // A notice was shown by the service, and said by nobody. Postgres leaves out those of the coach itself.
      history: history.filter(({ role, content }) => role !== "assistant" || !isUsualNotice(content)),
      application,
      maxOutputTokens,
    },
  }, identify(ctx, request));
  return {
    ...answer,
    model,
    hasFootnotes: () => hasFootnotes(ctx.admission),
    async leave() {
      const { messageId } = answer.head;
      await answers.stopAnswer(ctx.database, { userId, messageId, isForced: false, runId: answer.runId });
    },
  };
}

/** The client's own ID of a conversation, if it sends one: in a header or, without such a one, in the metadata. */
export function findConversationId(
  { chatId, openWebuiChatId, conversationId, metadata }: ClientHeaders & { metadata?: Record<string, unknown> | null },
): string | null {
  const named = metadata?.thread_id;
  return chatId ?? openWebuiChatId ?? conversationId ?? (typeof named === "string" && named !== "" ? named : null);
}

/** The user that the token names or, without one, the application; null: nobody. */
export function readUser(
  { userId }: RequestContext,
  { openWebuiUserId, user, safety_identifier }: Asking,
): string | null {
  const named = [openWebuiUserId, safety_identifier, user]
    .find((name) => typeof name === "string" && name.trim() !== "") as string | undefined;
  if (named === undefined) return userId;
  if (named.length > 255 || !isStorableText(named)) {
    throw errors.invalidInput("user must be at most 255 characters long, without NUL or unpaired surrogates", "user");
  }
  if (userId !== null && named !== userId) throw errors.userMismatch();
  return named;
}

/**
 * The key by which a repeated request is known: the client's own or, as the official clients send none, one that is made
 * of the request. Only what they themselves send again is a repetition: people may ask the same twice.
 */
function identify({ admission, userId }: RequestContext, request: Asking): RequestIdentity {
  if (request.idempotencyKey === undefined && request.retryCount === undefined) return {};
  const { idempotencyKey, retryCount, ...body } = request;
  const fingerprint = sha256Hex(JSON.stringify([admission.digest, userId, body]));
  if (idempotencyKey !== undefined) return { idempotencyKey, fingerprint };
  return {
    idempotencyKey: `openai ${fingerprint}`,
    fingerprint,
    keyLastsSeconds: retryCount === 0 ? 0 : retrySeconds,
  };
}
