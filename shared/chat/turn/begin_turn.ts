import { recoverAnswers } from "../../answers/recover_answers.ts";
import type { RequestContext } from "../../context.ts";
import { errors } from "../../errors.ts";
import { embedQuery } from "../../knowledge/embed_query.ts";
import { identifyRequest } from "../../wire/idempotency_key.ts";
import { buildRequest } from "../prompt/build_request.ts";
import { citePassages } from "../prompt/cite_passages.ts";
import type { ChatBody } from "../schemas.ts";
import * as store from "../store.ts";
import { readQuestion } from "./read_question.ts";
import { shortenTitle } from "./shorten_title.ts";
import type { Turn } from "./turn.ts";

/**
 * Stores a message and the answer to come, and finds what the coach's files say about it. `runTurn` must follow. Where
 * the message came before with the same idempotency key, its answer is returned instead; if that answer has failed, the
 * turn is begun again in its old place.
 *
 * @throws 400, 401, 403, 404, 422 when the message cannot be accepted; nothing is stored then.
 */
export async function beginTurn(
  ctx: RequestContext,
  body: Omit<ChatBody, "idempotency_key">,
  idempotencyKey?: string,
): Promise<Turn | store.EarlierTurn> {
  const { note, ...question } = await readQuestion(ctx, body);
  const runId = crypto.randomUUID();
  const { model } = await ctx.services.loadModels();
  const begun = await beginOnce(ctx, {
    ...question,
    title: shortenTitle(body.message),
    isExpertAction: note !== null,
    isSignedIn: ctx.userId !== null,
    requestId: ctx.requestId,
    runId,
    historyCharacters: model.maxCharacters,
    // Of the parsed body: the order of its fields makes no difference, nor do fields that are not read.
    ...identifyRequest(idempotencyKey, body),
  });
  if ("earlier" in begun) return begun;

  const { threadId, messageId, createdAt, coach, passages } = begun;
  const turn = {
    threadId,
    messageId,
    createdAt,
    runId,
    coachId: coach.id,
    sources: citePassages(passages, body.message),
  };
  if (note !== null) return { ...turn, note };
  const mayStoreNotes = begun.isOwner && ctx.admission.holds("knowledge:write");
  return { ...turn, request: buildRequest(begun, { ...question, mayStoreNotes }) };
}

/** Begins a turn, with the embedding of its message; finds the earlier one where an idempotency key was sent before. */
async function beginOnce(
  ctx: RequestContext,
  turn: store.NewTurn,
): Promise<store.BegunTurn | store.EarlierTurn> {
  const { services, database, log } = ctx;
  const embed = () => turn.isExpertAction ? null : embedQuery(ctx, turn.message);
  const begin = async (queryVector: string | null) => requireBegun(await store.beginTurn(database, turn, queryVector));

  if (turn.idempotencyKey === undefined) return await begin(await embed());

  // Begun without the embedding, since a message that came before should not be embedded again.
  let begun = await begin(null);
  if ("earlier" in begun && begun.earlier.isAbandoned) {
    await recoverAnswers(services, [begun.earlier], log);
    begun = await begin(null);
  }
  if ("earlier" in begun) return begun;
  // The second call finds the rows of the first, by the run, and better passages.
  const queryVector = await embed();
  return queryVector === null ? begun : await begin(queryVector);
}

const refusals = {
  thread_not_found: errors.threadNotFound,
  coach_not_found: errors.coachNotFound,
  coach_mismatch: errors.coachMismatch,
  coach_required: errors.coachRequired,
  not_the_coach: errors.notTheCoach,
  idempotency_key_reused: errors.idempotencyKeyReused,
};

function requireBegun(
  reply: store.BegunTurn | store.EarlierTurn | store.RefusedTurn,
): store.BegunTurn | store.EarlierTurn {
  if (!("error" in reply)) return reply;
  throw refusals[reply.error]();
}
