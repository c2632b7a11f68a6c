import type { BegunTurn, EarlierTurn } from "../begun_turn.ts";
import { recoverAnswers } from "../../../core/answers/recover_answers.ts";
import type { RequestContext } from "../../../core/context.ts";
import { errors } from "../../../infra/errors.ts";
import { embedQuery, embedText } from "../../knowledge/embed_query.ts";
import { type RequestIdentity, uuidPattern } from "../../../core/wire/ids.ts";
import type { StoreNote } from "../prompt/create_knowledge_tool.ts";
import { type ClientConversation, type Question, shortenTitle } from "../question.ts";
import { waitsForBudget } from "../../../core/budgets/allowance.ts";
import { type AskedQuestion, describeToday, describeTurn, prepareTurn } from "../prompt/build_request.ts";
import { planTurn } from "./plan_turn.ts";
import { type NewTurn, storeRetry, storeTurn } from "./store_turn.ts";
import type { AcceptedTurn, ModelTurn } from "./turn.ts";

/**
 * Stores a question and an empty answer, and finds matching passages in the coach's files. `runTurn` must follow. If the
 * question was sent before with the same idempotency key, its answer is returned instead; if that answer failed, the
 * turn begins again in its original place.
 *
 * @throws 400, 403, 404, 409, 422 when the question cannot be accepted; nothing is stored then.
 */
export async function beginTurn(
  ctx: RequestContext,
  { note, place, ...question }: Question,
  identity: RequestIdentity,
): Promise<AcceptedTurn> {
  const { message, conversation } = question;
  const run = await startRun(ctx, conversation);
  const { runId } = run;
  const turn: NewTurn = {
    ...question,
    ...run,
    ...identity,
    title: shortenTitle(message),
    isExpertAction: note !== null,
    person: describePerson(ctx, place),
  };
  let today: string | undefined;
  const begin: Begin = (queryVector) => {
    const begun = storeTurn(ctx.database, turn, queryVector);
    // While Postgres works: the first date in a time zone takes 13 ms.
    today ??= describeToday(question.timeZone);
    return begun;
  };

  // Begun without the embedding if the message may have been sent before: it should not be embedded again.
  if (note !== null) {
    const begun = await beginOnce(ctx, begin);
    return "earlier" in begun ? { ...begun, runId } : {
      ...describeTurn(begun, run, message),
      note,
      storeNote: noteFor(ctx, begun),
    };
  }
  const isNew = identity.idempotencyKey === undefined || identity.keyLastsSeconds === 0;
  turn.plan.isEmbeddingCounted = isNew;
  const begun = isNew
    ? await begin(await embedQuery(ctx, message, { ...question, messageId: question.replaces }))
    : await beginOnce(ctx, begin, () => message);
  return "earlier" in begun ? { ...begun, runId } : prepareFor(ctx, begun, { ...run, ...question, today });
}

/** Facts for the experts about whoever asks: from their token, and from the page; null if nothing is known. */
function describePerson({ admission: { user } }: RequestContext, place: Question["place"]): NewTurn["person"] {
  const claims = user === null || user.isAnonymous ? {} : { name: user.name, email: user.email };
  const person = { ...claims, ...place };
  return Object.keys(person).length === 0 ? null : person;
}

/**
 * Prepares the last answer of a thread to be run again, with the current passages of the coach's files. `runTurn` must
 * follow. An answer that is still being written is returned instead.
 *
 * @throws 404 if the caller has no such answer or its coach was deleted, 409 when it cannot be run again.
 */
export async function retryTurn(ctx: RequestContext, messageId: string): Promise<AcceptedTurn> {
  if (!uuidPattern.test(messageId)) throw errors.messageNotFound();
  const run = await startRun(ctx);
  const answer = { ...run, messageId, userId: ctx.userId };
  const begun = await beginOnce(
    ctx,
    (queryVector) => storeRetry(ctx.database, answer, queryVector),
    ({ question }) => question?.message ?? "",
  );
  if ("earlier" in begun) return { ...begun, runId: run.runId };
  return prepareFor(ctx, begun, { ...run, message: "", mode: null, conversation: null, ...begun.question });
}

/** The fields of every run, of a new turn or of an earlier one. */
type Run = Pick<NewTurn, "runId" | "isSignedIn" | "requestId" | "historyCharacters" | "plan">;

async function startRun(
  { services, userId, requestId }: RequestContext,
  conversation: ClientConversation | null = null,
): Promise<Run> {
  // Only the coach's own user may, and it is not known yet who that is.
  const plan = await planTurn(services, conversation, { mayStoreNotes: userId !== null });
  const { model } = await services.loadModels();
  const historyCharacters = model.maxCharacters;
  return { runId: crypto.randomUUID(), isSignedIn: userId !== null, requestId, historyCharacters, plan };
}

type Begin = (queryVector: string | null) => Promise<BegunTurn | EarlierTurn>;

/** Begins a turn that may already be running. If its message is to be embedded, begins it again with the embedding. */
async function beginOnce(
  ctx: RequestContext,
  begin: Begin,
  messageOf?: (begun: BegunTurn) => string,
): Promise<BegunTurn | EarlierTurn> {
  let begun = await begin(null);
  if ("earlier" in begun && begun.earlier.isAbandoned) {
    await recoverAnswers(ctx.services, [begun.earlier], ctx.log);
    begun = await begin(null);
  }
  if ("earlier" in begun || messageOf === undefined) return begun;
  // The second call finds the rows of the first by its run, and better passages. The first has reserved the embedding.
  const queryVector = await embedText(ctx, messageOf(begun));
  if (queryVector === null) return begun;
  try {
    return await begin(queryVector);
  } catch (error) {
    // Better passages may be longer. What the first call has reserved stays.
    if (!waitsForBudget(error)) throw error;
    return begun;
  }
}

/** Stores notes of the coach's own user. */
function noteFor(ctx: RequestContext, { coach }: BegunTurn): StoreNote {
  return async (text) => {
    // Loaded with the first note, so that other turns start without it.
    const { storeNote } = await import("../../knowledge/store_note.ts");
    return await storeNote(ctx, { coachId: coach.id, text });
  };
}

function prepareFor(ctx: RequestContext, begun: BegunTurn, asked: Omit<AskedQuestion, "storeNote">): ModelTurn {
  const mayStoreNotes = begun.isOwner && ctx.admission.holds("knowledge:write");
  return prepareTurn(begun, { ...asked, storeNote: mayStoreNotes ? noteFor(ctx, begun) : null });
}
