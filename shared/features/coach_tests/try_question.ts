import * as z from "zod/mini";
import { type ApiError, errors, failuresOfAnswers } from "../../infra/errors.ts";
import type { Ending } from "../../core/answers/answer.ts";
import { authors, PassageSource, Source } from "../../core/answers/stored_answer.ts";
import { openRun } from "../../core/budgets/budgeted_models.ts";
import type { CallSubject } from "../../core/budgets/store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requiredId, Uuid } from "../../core/wire/fields.ts";
import { withQuestions } from "../../core/questions/read_questions.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint, type Reply } from "../../http/endpoint.ts";
import { describeError } from "../../libs/base/log.ts";
import type { SaidMessage } from "../../libs/llm/model_request.ts";
import { createUsageMeter } from "../../libs/llm/usage_meter.ts";
import { createSinkAfter, createTextSink } from "../chat/answer_sinks.ts";
import { said } from "../chat/fields.ts";
import { Findings } from "../chat/begun_turn.ts";
import { takeNewest } from "../chat/prompt/build_request.ts";
import { citePassages, citePinnedAnswer } from "../chat/prompt/cite_sources.ts";
import { readNamedForm, streamAnswer } from "../chat/reply_with_answer.ts";
import { prepareOnce, sayOnce } from "../chat/turn/say_once.ts";
import { createWatchdog } from "../chat/turn/watchdog.ts";
import { embedQuery } from "../knowledge/embed_query.ts";
import { TestJudgement } from "./fields.ts";
import { judgeAnswer } from "./judge_answer.ts";
import { described, historyField, referenceField } from "./test_case.ts";

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
  comparison: z.optional(TestJudgement).check(
    z.describe("With `reference`, in one object: `passed` if it says the same, `failed` with what it says differently"),
  ),
});

const material = {
  exact: z.nullable(TriedPinnedAnswer).check(
    z.describe("The pinned answer that would be given word for word, without the model; otherwise null"),
  ),
  near: z.array(TriedPinnedAnswer).check(
    z.describe("Similar pinned answers that the model would be given, best first"),
  ),
  passages: z.array(PassageSource).check(z.describe("Passages that the model would be given, best first")),
};

/** The material that a coach would use to answer a question: the data of the first event of a stream. */
export const FoundEvent = z.object(material);

/** The same, with the answer. */
export const TriedQuestion = z.object({
  ...material,
  answer: z.nullable(TriedAnswer).check(z.describe("The answer; null unless it was asked for")),
});

/** A question that is tried: the material, and the way to have it answered, which must be taken unless it is null. */
type Trial = { found: z.infer<typeof FoundEvent>; say: Say | null };

/** Answers the question, shown to the reader until they leave. @throws {ApiError} as a turn would */
type Say = (reader?: Reader) => Promise<z.infer<typeof TriedAnswer> & Pick<Ending, "usage">>;
type Reader = { show: (text: string) => void; left: Promise<void> };

/**
 * The material that a coach would use to answer a question and, with `answer` or as a stream, the answer itself. Nothing
 * is stored: no thread, no open question, no hit of a pinned answer.
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
    question: said("question", "A question as a person might ask it"),
    history: z.nullish(historyField).check(
      z.describe(`${described.history}. By default, the question is the first of a conversation`),
    ),
    answer: z.nullish(z.boolean("answer must be true or false")).check(
      z.describe(
        "Also returns the answer that would be given, as streams always do. That calls the model and costs as much as a turn",
      ),
    ),
    reference: z.nullish(referenceField).check(
      z.describe(
        "An answer to compare with, such as one that was given before. The language model is called once more; not in " +
          "streams",
      ),
    ),
    draft: z.nullish(z.boolean("draft must be true or false")).check(
      z.describe("Asks the persona as it would be if its draft were published; by default, as it is"),
    ),
  }),
  output: TriedQuestion,
  readFields: (c) => readNamedForm(c) === "object" ? {} : { answer: true },
  async verb(ctx, { coachId, question, history, answer, reference, draft }): Promise<Trial> {
    const access = { coachId, userId: ctx.userId };
    const columns = {
      ...coachColumns(access),
      question,
      is_draft: draft ?? false,
      said: history?.map(({ role, content }) => role.charAt(0) + content),
    };
    const look = (queryVector: string | null) =>
      withQuestions(
        { coachId },
        [question],
        ([asked]) =>
          ctx.database.call("try_question", { ...columns, asked: asked!, query_vector: queryVector }, Findings),
      );
    // The first look says whether this is the expert: nothing is embedded for others.
    let found = await look(null);
    const queryVector = found.exact === null ? await embedQuery(ctx, question, access) : null;
    if (queryVector !== null) found = await look(queryVector);
    return {
      found: { exact: found.exact, near: found.pinned, passages: citePassages(found.passages, question) ?? [] },
      say: answer
        ? await openAnswer(ctx, found, { question, history: history ?? [], reference: reference ?? null, ...access })
        : null,
    };
  },
  reply: replyWithTrial,
});

/** Reserves the answer to a question outside of a turn. @throws 429, 502 where a budget does not allow it */
export async function openAnswer(
  ctx: RequestContext,
  found: Findings,
  { question, history, reference, isDraft, ...subject }: CallSubject & {
    question: string;
    history: SaidMessage[];
    reference: string | null;
    /** True if the expert is to edit it, and to send it as their own. */
    isDraft?: boolean;
  },
): Promise<Say> {
  const { exact, coach } = found;
  if (exact !== null) {
    return (reader) => {
      reader?.show(exact.answer);
      const sources = [{ ...citePinnedAnswer(exact), isWordForWord: true }];
      return Promise.resolve({ text: exact.answer, author: "expert", sources, asks_expert: null });
    };
  }
  const request = prepareOnce(found, { question, history: takeNewest(history, found.historyLimit), isDraft });
  const { model, settle } = await openRun(ctx, subject, request);
  return async (reader) => {
    const meter = createUsageMeter();
    const { timeouts } = ctx.services;
    const watchdog = createWatchdog(timeouts.turn);
    reader?.left.then(watchdog.abort);
    let said;
    let comparison;
    try {
      said = await sayOnce(ctx, found, { question, request, model, watchdog, meter, show: reader?.show });
      if (reference !== null && reader === undefined) {
        const means = { model, timeout: timeouts.question, signal: watchdog.signal, meter, log: ctx.log };
        const shown = coach.model ?? (await ctx.services.loadModels()).model.usualName;
        const judged = { rubric: null, reference, history, question, answer: said.text };
        comparison = await judgeAnswer(means, { model: coach.model, shown }, judged);
      }
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
      comparison,
      usage: meter.total(),
    };
  };
}

async function replyWithTrial(...[c, { found, say }]: Parameters<Reply<Trial>>): Promise<Response> {
  const form = readNamedForm(c);
  if (say === null) return c.json({ ...found, answer: null });
  if (form === "object") {
    const { usage: _, ...answer } = await say();
    return c.json({ ...found, answer });
  }
  const { log } = c.get("incoming");
  return await streamAnswer(c, async (events) => {
    const sink = form === "events" ? createSinkAfter({ found }, events) : createTextSink(events);
    try {
      const { asks_expert: asksExpert, ...said } = await say({
        show: (text) => sink.write([text]),
        left: events.closed,
      });
      sink.end({ ...said, status: "complete", asksExpert });
    } catch (error) {
      const level = events.isOpen() ? "error" : "info";
      log(level, "trial_not_answered", { reason: events.isOpen() ? describeError(error) : "reader left" });
      sink.end({ status: "failed" }, error as ApiError);
    }
  });
}
