import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { openRun } from "../../core/budgets/budgeted_models.ts";
import type { CallSubject } from "../../core/budgets/store.ts";
import { embedQuery } from "../knowledge/embed_query.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { createCitationFilter } from "../../core/answers/citation_filter.ts";
import { createUsageMeter } from "../../infra/llm/usage_meter.ts";
import type { PassedOn } from "./prompt/ask_expert_tool.ts";
import { buildRequest } from "./prompt/build_request.ts";
import { citePassages, citePinnedAnswer, citeSources } from "./prompt/cite_sources.ts";
import type { TriedAnswer, TriedQuestion } from "./replies.ts";
import type { TryQuestionInput } from "./schemas.ts";
import { askModel, readFailure } from "./turn/ask_model.ts";
import { createWatchdog } from "./turn/watchdog.ts";

/** More is not shown of an answer, in UTF-16 units. */
const maxLength = 1024 * 1024;

/**
 * Returns the material that a coach would use to answer a question as the first of a thread and, with `answer`, the
 * answer itself. Nothing is stored: no thread, no open question, no hit of a pinned answer.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is not the expert behind it, and the
 * failures of the model.
 */
export async function tryQuestion(
  ctx: RequestContext,
  { coachId, question, answer }: TryQuestionInput,
): Promise<TriedQuestion> {
  const access = { coachId: requireCoachId(coachId), userId: ctx.userId };
  const look = (queryVector: string | null) => store.tryQuestion(ctx.database, { ...access, question, queryVector });
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
  const { coach } = found;
  const request = buildRequest({ ...found, threadId: "", history: [] }, {
    message: question,
    mode: null,
    mayStoreNotes: false,
  });
  const turn = {
    allowance: null,
    language: coach.language,
    noAnswer: coach.noAnswer,
    storeNote: null,
    // Otherwise, nobody would delete the response that the model's server stores.
    request: { ...request, settings: { ...request.settings, store: false }, cacheKey: undefined },
  };
  const { model, settle } = await openRun(ctx, subject, turn.request);
  const meter = createUsageMeter();
  const watchdog = createWatchdog(ctx.services.timeouts.turn);
  const citations = createCitationFilter(citeSources(found, question));
  let passedOn: PassedOn | undefined;
  let text = "";
  try {
    const passOn = (given: PassedOn) => {
      passedOn = given;
      if (text === "") citations.forget();
      return Promise.resolve(true);
    };
    for await (const events of askModel(ctx, turn, { model, watchdog, passOn, meter })) {
      for (const event of events) if (event.type === "text") text += citations.read(event.text);
      if (text.length > maxLength) break;
    }
  } catch (error) {
    throw readFailure(error, watchdog.signal.aborted);
  } finally {
    watchdog.stop();
    await settle(meter.total());
  }
  text += citations.end();
  return {
    text: text.slice(0, maxLength).toWellFormed(),
    author: "ai",
    sources: (citations.sources ?? []).filter(({ number }) => number !== undefined)
      .toSorted((one, other) => one.number! - other.number!),
    // If the model gives no sentence, the sweep would have one written; here, the question is already one.
    asks_expert: passedOn === undefined ? null : passedOn.question ?? question,
  };
}
