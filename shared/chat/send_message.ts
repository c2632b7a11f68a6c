import type { Caller, Context } from "../context.ts";
import { errors } from "../errors.ts";
import type { TextSink } from "../http/event_stream.ts";
import { buildInstructions } from "./build_instructions.ts";
import { runTurn } from "./run_turn.ts";
import { BeginTurnReply, type BegunTurn, type ChatBody } from "./schemas.ts";
import { shortenTitle } from "./shorten_title.ts";

/** The turn that a message began: its thread and its answer. */
export type SentMessage = { threadId: string; messageId: string };

/**
 * Stores a message and has the coach answer it. The answer goes to the sink as it arrives; the turn runs to its end
 * and is stored whether or not anybody reads the sink.
 *
 * @throws 400, 401, 403, 404 when the message cannot be accepted; nothing is stored then.
 */
export async function sendMessage(ctx: Context, body: ChatBody, sink: TextSink): Promise<SentMessage> {
  const { services, caller } = ctx;
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
      request_id: ctx.requestId,
    }),
  );
  const { coach, history } = begun;
  services.waitUntil(runTurn(ctx, begun.message_id, {
    model: coach.model,
    temperature: coach.temperature,
    instructions: buildInstructions(coach, mode),
    input: [...history, { role: "user", content: body.message }],
  }, sink));
  return { threadId: begun.thread_id, messageId: begun.message_id };
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
