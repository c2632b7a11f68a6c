import type { RequestContext } from "../../../core/context.ts";
import { errors } from "../../../base/errors.ts";
import type { ChatBody } from "../schemas.ts";

/** A question, with its user and its coach. */
export type Question = {
  message: string;
  mode: string | null;
  /** Null starts a new thread. */
  threadId: string | null;
  /** The ID of the new thread, which may already exist; null: Postgres makes one. */
  newThreadId: string | null;
  /** The earlier question that this one replaces; null: none. */
  replaces: string | null;
  /** Null: the thread's coach. */
  coachId: string | null;
  /** Null: the key acts alone and names no user. */
  userId: string | null;
  /** In the mode `create_knowledge`: the note to store instead of asking the model. */
  note: string | null;
};

/**
 * Reads the body of a message.
 *
 * @throws 400, 401, 403 if the caller may not send it.
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
  // Only Postgres knows whether the thread of new_thread_id already exists.
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

/** The user who sends a message; null if the key acts alone and names no user. */
function readUser({ userId }: RequestContext, context: ChatBody["context"]): string | null {
  if (userId === null) {
    if (context?.isAuthenticated) throw errors.invalidAccessToken();
    return context?.userId ?? null;
  }
  if (context?.userId && context.userId !== userId) throw errors.userMismatch();
  return userId;
}

/** A message as a note, without a leading `create_knowledge:`. Postgres checks that the user is the coach. */
async function readNote({ userId, admission }: RequestContext, message: string): Promise<string> {
  if (userId === null) throw errors.invalidAccessToken();
  await admission.require();
  if (!admission.holds("knowledge:write")) throw errors.missingScope("knowledge:write");
  const note = message.replace(/^\s*create_knowledge\s*:/i, "").trim();
  if (note === "") throw errors.invalidInput("message must contain a note after create_knowledge:");
  return note;
}
