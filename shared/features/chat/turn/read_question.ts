import type { RequestContext } from "../../../core/context.ts";
import { errors } from "../../../base/errors.ts";
import type { ChatBody } from "../schemas.ts";

/** What is asked, of whom and by whom. */
export type Question = {
  message: string;
  mode: string | null;
  /** Null: a new thread. */
  threadId: string | null;
  /** The id of the new thread, which may have been started; null: it gets one. */
  newThreadId: string | null;
  /** The earlier question that this one takes the place of; null: none. */
  replaces: string | null;
  /** Null: the coach of the thread. */
  coachId: string | null;
  /** Null: the key acts alone and names no user. */
  userId: string | null;
  /** In the mode `create_knowledge`: what is stored in the knowledge base instead of being answered by the model. */
  note: string | null;
};

/**
 * Reads the body of a message.
 *
 * @throws 400, 401, 403 when the caller may not ask it.
 */
export async function readQuestion(
  ctx: RequestContext,
  { message, thread_id, new_thread_id, replaces, context }: Omit<ChatBody, "idempotency_key">,
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
    threadId: thread_id ?? null,
    newThreadId: new_thread_id ?? null,
    replaces: replaces ?? null,
    coachId,
    userId,
    note,
  };
}

/** The user a message is from; null when the key alone asks and names no user. */
function readUser({ userId }: RequestContext, context: ChatBody["context"]): string | null {
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

const maxLength = 80;

/** The title of a thread: its first message on one line, cut at a word to at most 80 characters. */
export function shortenTitle(message: string): string {
  const characters = [...message.trim().replace(/\s+/g, " ")];
  if (characters.length <= maxLength) return characters.join("");
  // One character is for the ellipsis. A first word that is longer than that is cut inside.
  const cut = characters.slice(0, maxLength);
  const lastSpace = cut.lastIndexOf(" ");
  return cut.slice(0, lastSpace > 0 ? lastSpace : maxLength - 1).join("") + "…";
}
