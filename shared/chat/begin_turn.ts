import type { Caller, Context } from "../context.ts";
import { errors } from "../errors.ts";
import type { ModelRequest } from "../llm/model.ts";
import { buildInstructions } from "./build_instructions.ts";
import { BeginTurnReply, type BegunTurn, type ChatBody } from "./schemas.ts";
import { shortenTitle } from "./shorten_title.ts";

/** A turn that has begun: question and empty answer are stored, the model is not asked yet. */
export type Turn = { threadId: string; messageId: string; request: ModelRequest };

/**
 * Stores a message and the answer to come. `runTurn` must follow.
 *
 * @throws 400, 401, 403, 404 when the message cannot be accepted; nothing is stored then.
 */
export async function beginTurn({ services, caller, requestId }: Context, body: ChatBody): Promise<Turn> {
  const userId = resolveUser(caller, body.context);
  const coachId = body.context?.coachId?.trim() ? body.context.coachId : null;
  if (!body.thread_id && coachId === null) throw errors.invalidInput("context.coachId is required to start a thread");
  const mode = body.context?.mode ?? null;

  const begun = readBegun(
    await services.database.call("begin_turn", {
      account_id: caller.accountId,
      thread_id: body.thread_id ?? null,
      coach_id: coachId,
      user_id: userId,
      content: body.message,
      title: shortenTitle(body.message),
      mode,
      request_id: requestId,
    }),
  );
  const { coach, history } = begun;
  return {
    threadId: begun.thread_id,
    messageId: begun.message_id,
    request: {
      model: coach.model,
      temperature: coach.temperature,
      instructions: buildInstructions(coach, mode),
      input: [...history, { role: "user", content: body.message }],
    },
  };
}

/** The user a message is from; null when the key alone asks and names nobody. */
function resolveUser(caller: Caller, context: ChatBody["context"]): string | null {
  if (caller.userId === null) {
    if (context?.isAuthenticated) throw errors.invalidAccessToken();
    return context?.userId ?? null;
  }
  if (context?.userId && context.userId !== caller.userId) throw errors.userMismatch();
  return caller.userId;
}

function readBegun(reply: unknown): BegunTurn {
  const begun = BeginTurnReply.parse(reply);
  if (!("error" in begun)) return begun;
  switch (begun.error) {
    case "thread_not_found":
      throw errors.threadNotFound();
    case "coach_not_found":
      throw errors.coachNotFound();
    case "coach_mismatch":
      throw errors.coachMismatch();
  }
}
