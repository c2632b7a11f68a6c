import * as store from "../store.ts";
import { recoverAnswers } from "../../../core/answers/recover_answers.ts";
import type { RequestContext } from "../../../core/context.ts";
import { errors } from "../../../base/errors.ts";
import { stripInvisible } from "../../../base/text/strip_invisible.ts";
import { embedQuery } from "../../knowledge/embed_query.ts";
import { identifyRequest } from "../../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../../core/wire/ids.ts";
import type { StoreNote } from "../prompt/create_knowledge_tool.ts";
import type { ChatBody } from "../schemas.ts";
import { type AskedQuestion, describeTurn, prepareTurn } from "../prompt/build_request.ts";
import type { ModelTurn, Turn } from "./turn.ts";

/**
 * Stores a message and an empty answer, and finds matching passages in the coach's files. `runTurn` must follow. If the
 * message was sent before with the same idempotency key, its answer is returned instead; if that answer failed, the
 * turn begins again in its original place.
 *
 * @throws 400, 401, 403, 404, 422 when the message cannot be accepted; nothing is stored then.
 */
export async function beginTurn(
  ctx: RequestContext,
  body: Omit<ChatBody, "idempotency_key">,
  idempotencyKey?: string,
): Promise<Turn | store.EarlierTurn> {
  const { note, ...question } = await readQuestion(ctx, body);
  const run = await startRun(ctx);
  const turn: store.NewTurn = {
    ...question,
    ...run,
    title: shortenTitle(body.message),
    isExpertAction: note !== null,
    // Made of the parsed body, so the order of its fields and unknown fields do not matter.
    ...identifyRequest(idempotencyKey, body),
  };
  const begin: Begin = (queryVector) => store.beginTurn(ctx.database, turn, queryVector);

  // Begun without the embedding if the message may have been sent before: it should not be embedded again.
  if (note !== null) {
    const begun = await beginOnce(ctx, begin);
    return "earlier" in begun ? begun : {
      ...describeTurn(begun, run, body.message),
      note,
      storeNote: noteFor(ctx, begun),
    };
  }
  const begun = idempotencyKey === undefined
    ? await begin(await embedQuery(ctx, body.message))
    : await beginOnce(ctx, begin, () => body.message);
  return "earlier" in begun ? begun : prepareFor(ctx, begun, { ...run, ...question });
}

/**
 * Prepares the last answer of a thread to be run again, with the current passages of the coach's files. `runTurn` must
 * follow. An answer that is still being written is returned instead.
 *
 * @throws 404 if the caller has no such answer or its coach was deleted, 409 when it cannot be run again.
 */
export async function retryTurn(ctx: RequestContext, messageId: string): Promise<Turn | store.EarlierTurn> {
  if (!uuidPattern.test(messageId)) throw errors.messageNotFound();
  const run = await startRun(ctx);
  const answer = { ...run, messageId, userId: ctx.userId };
  const begun = await beginOnce(
    ctx,
    (queryVector) => store.retryTurn(ctx.database, answer, queryVector),
    ({ question }) => question?.message ?? "",
  );
  if ("earlier" in begun) return begun;
  return prepareFor(ctx, begun, { ...run, message: "", mode: null, ...begun.question });
}

/** The fields of every run, of a new turn or of an earlier one. */
type Run = Pick<store.NewTurn, "runId" | "isSignedIn" | "requestId" | "historyCharacters">;

async function startRun({ services, userId, requestId }: RequestContext): Promise<Run> {
  const { model } = await services.loadModels();
  return { runId: crypto.randomUUID(), isSignedIn: userId !== null, requestId, historyCharacters: model.maxCharacters };
}

type Begin = (queryVector: string | null) => Promise<store.BegunTurn | store.EarlierTurn>;

/** Begins a turn that may already be running. If its message is to be embedded, begins it again with the embedding. */
async function beginOnce(
  ctx: RequestContext,
  begin: Begin,
  messageOf?: (begun: store.BegunTurn) => string,
): Promise<store.BegunTurn | store.EarlierTurn> {
  let begun = await begin(null);
  if ("earlier" in begun && begun.earlier.isAbandoned) {
    await recoverAnswers(ctx.services, [begun.earlier], ctx.log);
    begun = await begin(null);
  }
  if ("earlier" in begun || messageOf === undefined) return begun;
  // The second call finds the rows of the first by its run, and better passages.
  const queryVector = await embedQuery(ctx, messageOf(begun));
  return queryVector === null ? begun : await begin(queryVector);
}

/** Stores notes of the coach's own user. */
function noteFor(ctx: RequestContext, { coach }: store.BegunTurn): StoreNote {
  return async (text) => {
    // Loaded with the first note, so that other turns start without it.
    const { storeNote } = await import("../../knowledge/store_note.ts");
    return await storeNote(ctx, { coachId: coach.id, text });
  };
}

function prepareFor(ctx: RequestContext, begun: store.BegunTurn, asked: Omit<AskedQuestion, "storeNote">): ModelTurn {
  const mayStoreNotes = begun.isOwner && ctx.admission.holds("knowledge:write");
  return prepareTurn(begun, { ...asked, storeNote: mayStoreNotes ? noteFor(ctx, begun) : null });
}

/** A question, with its user and its coach. */
type Question = {
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
  /** In the mode `create_knowledge`: the note to store instead of asking the model. */
  note: string | null;
};

/**
 * Reads the body of a message.
 *
 * @throws 400, 401, 403 when the caller may not ask it.
 */
async function readQuestion(
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
  // A message may hold nothing that can be seen; a title must not be empty.
  const shown = stripInvisible(message).trim() || message.trim();
  const characters = [...shown.replace(/\s+/g, " ")];
  if (characters.length <= maxLength) return characters.join("");
  // One character is for the ellipsis. A first word that is longer than that is cut inside.
  const cut = characters.slice(0, maxLength);
  const lastSpace = cut.lastIndexOf(" ");
  return cut.slice(0, lastSpace > 0 ? lastSpace : maxLength - 1).join("") + "…";
}
