import * as z from "zod/mini";
import { errors, failuresOfAnswers } from "../../infra/errors.ts";
import { authors, PassageSource, Source } from "../../core/answers/stored_answer.ts";
import { openRun } from "../../core/budgets/budgeted_models.ts";
import type { CallSubject } from "../../core/budgets/store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requiredId, Uuid } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { createUsageMeter } from "../../libs/llm/usage_meter.ts";
import { embedQuery } from "../knowledge/embed_query.ts";
import { said } from "./fields.ts";
import { Findings } from "./findings.ts";
import { citePassages, citePinnedAnswer } from "./prompt/cite_sources.ts";
import { prepareOnce, type SaidAnswer, sayOnce } from "./turn/say_once.ts";
import { createWatchdog } from "./turn/watchdog.ts";

/** A pinned answer that would be used. */
export const TriedPinnedAnswer = z.object({ id: Uuid, version: z.int(), question: z.string(), answer: z.string() });

/** The answer that would be given to a question. */
export const TriedAnswer = z.object({
  text: z.string(),
  author: z.enum(authors).check(
    z.describe("`expert`: the pinned answer, word for word; `ai`: written by the model"),
  ),
  sources: z.array(Source).check(
    z.describe("The sources that the text names, by their number; or the pinned answer that it repeats"),
  ),
  asks_expert: z.nullable(z.string()).check(
    z.describe(
      "The open question that a turn would have stored because the model does not know the answer; otherwise null",
    ),
  ),
});

/** The material that a coach would use to answer a question. */
export const TriedQuestion = z.object({
  exact: z.nullable(TriedPinnedAnswer).check(
    z.describe("The pinned answer that would be given word for word, without the model; otherwise null"),
  ),
  near: z.array(TriedPinnedAnswer).check(
    z.describe("Similar pinned answers that the model would be given, best first"),
  ),
  passages: z.array(PassageSource).check(z.describe("Passages that the model would be given, best first")),
  answer: z.nullable(TriedAnswer).check(z.describe("The answer; null unless it was asked for")),
});

/**
 * The material that a coach would use to answer a question as the first of a thread and, with `answer`, the answer
 * itself. Nothing is stored: no thread, no open question, no hit of a pinned answer.
 */
export const operation = defineEndpoint({
  name: "tryQuestion",
  method: "POST",
  path: "/coaches/:coachId/try",
  body: "application/json",
  scope: "expert",
  failure: "Failed to try the question",
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheExpert(),
    errors.budgetExhausted(3_600),
    ...failuresOfAnswers(),
  ],
  input: z.object({
    coachId: requiredId("coachId", "The coach to ask"),
    question: said("question", "A question as a person might ask it in the first message of a thread"),
    answer: z.nullish(z.boolean("answer must be true or false")).check(
      z.describe("Also returns the answer that would be given. That calls the model and costs as much as a turn"),
    ),
    draft: z.nullish(z.boolean("draft must be true or false")).check(
      z.describe("Asks the persona as it would be if its draft were published; by default, as it is"),
    ),
  }),
  output: TriedQuestion,
  async verb(ctx, { coachId, question, answer, draft }): Promise<z.infer<typeof TriedQuestion>> {
    const access = { coachId, userId: ctx.userId };
    const columns = { ...coachColumns(access), question, is_draft: draft ?? false };
    const look = (queryVector: string | null) =>
      ctx.database.call("try_question", { ...columns, query_vector: queryVector }, Findings);
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
  },
});

async function say(
  ctx: RequestContext,
  found: Findings,
  { question, ...subject }: CallSubject & { question: string },
): Promise<z.infer<typeof TriedAnswer>> {
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
