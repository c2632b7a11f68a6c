import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import type { Question } from "./question.ts";
import type { ChatBody } from "./schemas.ts";

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
    conversation: null,
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
