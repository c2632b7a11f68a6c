import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { openRun } from "../../core/budgets/budgeted_models.ts";
import type { CallSubject } from "../../core/budgets/store.ts";
import { embedQuery } from "../knowledge/embed_query.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { createUsageMeter } from "../../infra/llm/usage_meter.ts";
import { citePassages, citePinnedAnswer } from "./prompt/cite_sources.ts";
import type { TriedAnswer, TriedQuestion } from "./replies.ts";
import type { TryQuestionInput } from "./schemas.ts";
import { prepareOnce, type SaidAnswer, sayOnce } from "./turn/say_once.ts";
import { createWatchdog } from "./turn/watchdog.ts";

/**
 * Returns the material that a coach would use to answer a question as the first of a thread and, with `answer`, the
 * answer itself. Nothing is stored: no thread, no open question, no hit of a pinned answer.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is not the expert behind it, and the
 * failures of the model.
 */
export async function tryQuestion(
  ctx: RequestContext,
  { coachId, question, answer, draft }: TryQuestionInput,
): Promise<TriedQuestion> {
  const access = { coachId: requireCoachId(coachId), userId: ctx.userId };
  const isDraft = draft ?? false;
  const look = (queryVector: string | null) =>
    store.tryQuestion(ctx.database, { ...access, question, queryVector, isDraft });
  // The first look says whether this is the expert: nothing is embedded for others.
  let found = await look(null);
  const queryVector = found.exact === null ? await embedQuery(ctx, question, access) : null;
  if (queryVector !== null) found = await look(queryVector);
  return {
    exact: found.exact,
    near: found.pinned,
    passages: citePassages(found.passages, question) ?? [],
    answer: answer ? await say(ctx, found, { question, ...access }) : null,
  };
}

async function say(
  ctx: RequestContext,
  found: store.Findings,
  { question, ...subject }: CallSubject & { question: string },
): Promise<TriedAnswer> {
  if (found.exact !== null) {
    const source = { ...citePinnedAnswer(found.exact), isWordForWord: true };
    return { text: found.exact.answer, author: "expert", sources: [source], asks_expert: null };
  }
  const request = prepareOnce(found, { question, history: [] });
  const { model, settle } = await openRun(ctx, subject, request);
  const meter = createUsageMeter();
  const watchdog = createWatchdog(ctx.services.timeouts.turn);
  let said: SaidAnswer;
  try {
    said = await sayOnce(ctx, found, { question, request, model, watchdog, meter });
  } finally {
    await settle(meter.total());
  }
  const { text, sources, passedOn } = said;
  return {
    text,
    author: "ai",
    sources: sources.filter(({ number }) => number !== undefined)
      .toSorted((one, other) => one.number! - other.number!),
    // If the model gives no sentence, the sweep would have one written; here, the question is already one.
    asks_expert: passedOn === undefined ? null : passedOn.question ?? question,
  };
}
