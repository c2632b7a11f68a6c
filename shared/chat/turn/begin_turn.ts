import type { Caller, RequestContext } from "../../context.ts";
import { callRepeatable } from "../../db/database.ts";
import { errors } from "../../errors.ts";
import { identifyRequest } from "../../wire/idempotency_key.ts";
import { embedQuery } from "../../knowledge/embed_query.ts";
import type { ModelRequest } from "../../llm/model.ts";
import { buildInstructions } from "../prompt/build_instructions.ts";
import { citePassages } from "../prompt/cite_passages.ts";
import { createKnowledgeTool } from "../prompt/create_knowledge_tool.ts";
import { quotePassages } from "../prompt/quote_passages.ts";
import { readNote } from "../read_note.ts";
import { recoverAnswers } from "../../answers/recover_answers.ts";
import { BeginTurnReply, type BegunTurn } from "./begun_turn.ts";
import type { ChatBody } from "../schemas.ts";
import type { StoredAnswer } from "../../answers/stored_answer.ts";
import { shortenTitle } from "./shorten_title.ts";
import type { Turn } from "./turn.ts";

/**
 * Stores a message and the answer to come, and finds what the coach's files say about it. `runTurn` must follow. Where
 * the message came before with the same idempotency key, its answer is returned instead, unless that has failed: then
 * the turn begins anew in its old place.
 *
 * @throws 400, 401, 403, 404, 422 when the message cannot be accepted; nothing is stored then.
 */
export async function beginTurn(
  ctx: RequestContext,
  body: ChatBody,
  idempotencyKey?: string,
): Promise<Turn | { earlier: StoredAnswer }> {
  const { services, caller, requestId, log } = ctx;
  const userId = resolveUser(caller, body.context);
  const coachId = body.context?.coachId?.trim() ? body.context.coachId : null;
  const mode = body.context?.mode ?? null;
  const note = mode === "create_knowledge" ? readNote(caller, body.message) : null;
  if (!body.thread_id && coachId === null) throw errors.invalidInput("context.coachId is required to start a thread");

  const runId = crypto.randomUUID();
  const args = {
    account_id: caller.accountId,
    thread_id: body.thread_id ?? null,
    coach_id: coachId,
    user_id: userId,
    content: body.message,
    title: shortenTitle(body.message),
    mode,
    request_id: requestId,
    is_signed_in: caller.userId !== null,
    is_expert_action: note !== null,
    run_id: runId,
    api_key_id: caller.keyId,
    // The body as it was parsed, so that the order of the fields and what nobody reads make no difference.
    ...await identifyRequest(idempotencyKey, body),
  };
  const begin = async (queryVector: string | null = null) =>
    readBegun(await callRepeatable(services.database, "begin_turn", { ...args, query_vector: queryVector }));
  const embed = () => note === null ? embedQuery(ctx, body.message) : null;

  const mayBeEarlier = idempotencyKey !== undefined;
  let begun = await begin(mayBeEarlier ? null : await embed());
  if ("earlier" in begun && begun.earlier.is_abandoned) {
    await recoverAnswers(services, [begun.earlier], log);
    begun = await begin();
  }
  if (!("earlier" in begun) && mayBeEarlier) {
    // Only now: a message that comes again is not embedded again. The second call finds the rows of the first.
    const queryVector = await embed();
    if (queryVector !== null) begun = await begin(queryVector);
  }
  if ("earlier" in begun) return begun;

  const turn = {
    threadId: begun.thread_id,
    messageId: begun.message_id,
    createdAt: begun.created_at,
    runId,
    coachId: begun.coach.id,
    sources: citePassages(begun.passages, body.message),
  };
  if (note !== null) return { ...turn, note };
  const mayStoreNotes = begun.is_owner && caller.scopes.includes("knowledge:write");
  return {
    ...turn,
    request: {
      ...buildRequest(begun, { message: body.message, mode }),
      ...(mayStoreNotes ? { tools: [createKnowledgeTool] } : {}),
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

function readBegun(reply: unknown): BegunTurn | { earlier: StoredAnswer } {
  const begun = BeginTurnReply.parse(reply);
  if (!("error" in begun)) return begun;
  switch (begun.error) {
    case "thread_not_found":
      throw errors.threadNotFound();
    case "coach_not_found":
      throw errors.coachNotFound();
    case "coach_mismatch":
      throw errors.coachMismatch();
    case "not_the_coach":
      throw errors.notTheCoach();
    case "idempotency_key_reused":
      throw errors.idempotencyKeyReused();
  }
}

function buildRequest(
  { coach, history, passages }: BegunTurn,
  { message, mode }: { message: string; mode: string | null },
): ModelRequest {
  const hasPassages = passages.length > 0;
  return {
    model: coach.model,
    temperature: coach.temperature,
    instructions: buildInstructions(coach, { mode, hasPassages }),
    input: [
      ...history,
      // As the person's own: no role has less authority.
      ...(hasPassages ? [{ role: "user" as const, content: quotePassages(coach, passages) }] : []),
      { role: "user", content: message },
    ],
  };
}
