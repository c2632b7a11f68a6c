import { withQuestions } from "../../core/questions/read_questions.ts";
import * as z from "zod/mini";
import type { CoreServices } from "../../core/core_services.ts";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels, type WorkModels, type WorkServices } from "../../core/budgets/work_models.ts";
import type { Source } from "../../core/answers/stored_answer.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { type CountedUsage, createUsageMeter } from "../../libs/llm/usage_meter.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import { findingsFields } from "../chat/begun_turn.ts";
import { takeNewest } from "../chat/prompt/build_request.ts";
import { citePinnedAnswer } from "../chat/prompt/cite_sources.ts";
import { prepareOnce, sayOnce } from "../chat/turn/say_once.ts";
import type { RunContext } from "../chat/turn/turn.ts";
import type { Watchdog } from "../chat/turn/watchdog.ts";
import { judgeAnswer } from "./judge_answer.ts";
import type { TestJudgement, TestVerdict } from "./fields.ts";
import { TestExpectation, type TestOutcome } from "./test_case.ts";
import { countColumns } from "../../core/answers/store.ts";
import type { Database } from "../../infra/db/database.ts";

/** A test that this worker has claimed, with what its question is answered from. */
export const ClaimedTest = replyObject({
  claim: z.string(),
  has_judge: z.boolean(),
  test: z.object({
    question: z.string(),
    history: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.string() })),
    expect: TestExpectation,
    reference: z.nullable(z.string()),
  }),
  ...findingsFields,
});
export type ClaimedTest = z.infer<typeof ClaimedTest>;

/** The dependencies of tests. */
export type TestServices =
  & RunContext["services"]
  & Pick<CoreServices, "database" | "timeouts">
  & Pick<WorkServices, "model" | "embedder">;

type AnswerOptions = {
  watchdog: Watchdog;
  /** The tokens that models have used are added, also if the answer fails. */
  used: TestUsage[];
  log: Log;
};

/**
 * Answers the question of a test as a turn would, and compares the answer with what is expected.
 *
 * @throws {ApiError} the failure of the model or of the embedding that a turn would have had, 429 or 502 where a budget
 * does not allow a call; the reason of the watchdog.
 */
export async function answerTest(
  services: TestServices & Pick<WorkServices, "isBudgeted">,
  claimed: ClaimedTest,
  options: AnswerOptions,
): Promise<EndedTest> {
  const { test, hasJudge, coach } = claimed;
  const models = openWorkModels(services, coach.id);
  const began = performance.now();
  const { passageIds, ...answer } = claimed.exact === null
    ? await askPersona(services, await findMore(services, models, claimed, options), models, options)
    : {
      outcome: "pinned" as const,
      text: claimed.exact.answer,
      sources: [{ ...citePinnedAnswer(claimed.exact), isWordForWord: true }],
      passageIds: [],
    };
  const timeMs = Math.round(performance.now() - began);
  const reasons = checkAnswer(test.expect, answer);
  // The same words need no judge.
  const isSame = test.reference === answer.text && test.expect.rubric === undefined;
  const judge = hasJudge && isForJudge(test) && reasons.length === 0 && !isSame
    ? await judgeTest(services, models, { claimed, answer }, options)
    : null;
  const verdict = hasJudge && isSame && reasons.length === 0
    ? { verdict: "passed" as const, reasons }
    : decide(claimed, reasons, judge);
  return { ...answer, passageIds, judge, timeMs, ...verdict };
}

/** Returns whether a judge has to read the answer. */
function isForJudge({ expect, reference }: ClaimedTest["test"]): boolean {
  return expect.rubric !== undefined || reference !== null;
}

/** The verdict on an answer. What is plainly wrong needs no judge, and a judge that failed lets nothing pass. */
function decide(
  { test, hasJudge }: Pick<ClaimedTest, "test" | "hasJudge">,
  reasons: string[],
  judge: TestJudgement | null,
): Pick<EndedTest, "verdict" | "reasons"> {
  if (reasons.length > 0) return { verdict: "failed", reasons };
  if (judge !== null) return { verdict: judge.verdict, reasons: judge.verdict === "passed" ? [] : [judge.reason] };
  // The reference is what the test is about; a rubric may be the least of what it expects.
  if (test.reference === null && hasChecks(test.expect)) return { verdict: "passed", reasons: [] };
  const reason = isForJudge(test) && !hasJudge
    ? `The run has no judge for the ${test.reference === null ? "rubric" : "reference"}.`
    : "The test expects nothing.";
  return { verdict: "not_judged", reasons: [reason] };
}

/** The material that the question is answered from, found also by its embedding if there is one. */
async function findMore(
  { database, timeouts }: TestServices,
  { embed }: WorkModels,
  claimed: ClaimedTest,
  { watchdog, log }: AnswerOptions,
): Promise<ClaimedTest> {
  if (embed === null) return claimed;
  let queryVector;
  try {
    const giveUp = AbortSignal.any([watchdog.signal, AbortSignal.timeout(timeouts.embedQuery)]);
    const [embedding] = await embed([claimed.test.question], giveUp);
    queryVector = JSON.stringify(embedding!);
  } catch (error) {
    watchdog.signal.throwIfAborted();
    if (waitsForBudget(error)) throw error;
    log("warn", "query_not_embedded", { reason: describeError(error) });
    return claimed;
  }
  const args = { claim: claimed.claim, query_vector: queryVector };
  const found = await withQuestions(
    { coachId: claimed.coach.id },
    [claimed.test.question],
    ([asked]) => database.call("take_test", { ...args, asked: asked! }, z.nullable(ClaimedTest)),
  );
  // Null: the claim is lost.
  return found ?? claimed;
}

async function askPersona(
  services: TestServices,
  claimed: ClaimedTest,
  models: WorkModels,
  { watchdog, used, log }: AnswerOptions,
): Promise<TestAnswer & { passageIds: string[] }> {
  const { test: { question, history }, coach, passages } = claimed;
  const request = prepareOnce(claimed, { question, history: takeNewest(history, claimed.historyLimit) });
  const meter = createUsageMeter();
  let said;
  try {
    said = await sayOnce({ services, log }, claimed, { question, request, model: models, watchdog, meter });
  } finally {
    noteUsage(used, request.model ?? services.model.usualName, meter.total());
  }
  const text = said.text.replaceAll("\0", "");
  const outcome = said.passedOn === undefined ? "answered" : "not_known";
  return {
    outcome,
    text,
    sources: await chooseSources(services, coach.id, text, said.sources),
    passageIds: passages.map(({ passageId }) => passageId),
  };
}

/** The sources that an answer draws on: those that it names or, if it names none, those that share its words. */
async function chooseSources(
  { database }: TestServices,
  coachId: string,
  text: string,
  sources: Source[],
): Promise<Source[]> {
  const named = sources.filter(({ number }) => number !== undefined)
    .toSorted((one, other) => one.number! - other.number!);
  if (named.length > 0 || sources.length === 0) return named;
  const args = { coach: coachId, content: text, sources };
  // What was sent comes back.
  return await database.call("choose_test_sources", args, z.array(z.custom<Source>()));
}

async function judgeTest(
  { model, timeouts }: TestServices,
  models: WorkModels,
  { claimed, answer }: { claimed: ClaimedTest; answer: TestAnswer },
  { watchdog, used, log }: AnswerOptions,
): Promise<TestJudgement> {
  const { test: { expect: { rubric = null }, ...asked }, coach } = claimed;
  const shown = coach.model ?? model.usualName;
  const meter = createUsageMeter();
  try {
    return await judgeAnswer(
      { model: models, timeout: timeouts.question, signal: watchdog.signal, meter, log },
      { model: coach.model, shown },
      { ...asked, rubric, answer: answer.text },
    );
  } finally {
    noteUsage(used, shown, meter.total());
  }
}

function noteUsage(used: TestUsage[], model: string, usage: TestUsage["usage"] | null): void {
  if (usage !== null) used.push({ model, usage });
}

/** An answer to a test. */
export type TestAnswer = { outcome: TestOutcome; text: string; sources: Source[] };

/** The outcomes, as the reasons of a failure name them. */
const outcomes: Record<TestOutcome, string> = {
  answered: "an answer of the model",
  not_known: "the admission that it does not know",
  pinned: "a pinned answer, word for word",
};

/**
 * Compares an answer with what is expected of it, except for the rubric. Texts are compared as promptfoo's `contains`,
 * `contains-any`, `icontains` and `not-contains` do.
 *
 * @returns for each thing that is not so, a sentence
 */
export function checkAnswer(expect: TestExpectation, { outcome, text, sources }: TestAnswer): string[] {
  const reasons: string[] = [];
  if (expect.outcome !== undefined && expect.outcome !== outcome) {
    reasons.push(`Expected ${outcomes[expect.outcome]}, but it is ${outcomes[outcome]}.`);
  }
  for (const wanted of expect.contains ?? []) {
    if (!text.includes(wanted)) reasons.push(`The answer does not contain ${quote(wanted)}.`);
  }
  const alternatives = expect.contains_any ?? [];
  if (alternatives.length > 0 && !alternatives.some((wanted) => text.includes(wanted))) {
    reasons.push(`The answer contains none of ${alternatives.map(quote).join(", ")}.`);
  }
  const lower = text.toLowerCase();
  for (const wanted of expect.icontains ?? []) {
    if (!lower.includes(wanted.toLowerCase())) {
      reasons.push(`The answer does not contain ${quote(wanted)}, in upper or lower case.`);
    }
  }
  for (const unwanted of expect.not_contains ?? []) {
    if (text.includes(unwanted)) reasons.push(`The answer contains ${quote(unwanted)}.`);
  }
  return [...reasons, ...checkSources(expect.sources ?? {}, sources)];
}

function checkSources({ all = [], any = [] }: NonNullable<TestExpectation["sources"]>, sources: Source[]): string[] {
  const files = new Set(sources.flatMap((source) => source.kind === "passage" ? [source.filename] : []));
  const missing = all.filter((name) => !files.has(name)).map((name) => `The answer does not draw on ${quote(name)}.`);
  if (any.length === 0 || any.some((name) => files.has(name))) return missing;
  return [...missing, `The answer draws on none of ${any.map(quote).join(", ")}.`];
}

/** Returns whether anything but the rubric is expected. */
export function hasChecks({ rubric: _, sources, ...expect }: TestExpectation): boolean {
  const values = [...Object.values(expect), ...Object.values(sources ?? {})];
  return values.some((value) => Array.isArray(value) ? value.length > 0 : value !== undefined);
}

const longestQuote = 100;

/** A text on one line in quotation marks, cut where it is long. */
function quote(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return JSON.stringify(line.length <= longestQuote ? line : `${line.slice(0, longestQuote).toWellFormed()}…`);
}

/** The tokens that a model has used for a test. */
export type TestUsage = { model: string; usage: CountedUsage };

/** The result of a test. */
export type EndedTest = {
  verdict: TestVerdict;
  reasons: string[];
  /** Null: there was no answer. */
  outcome: TestOutcome | null;
  text: string;
  sources: Source[];
  /** The passages that the model was given. */
  passageIds: string[];
  judge: TestJudgement | null;
  timeMs: number;
};

/** A test that has failed, and is tried again unless this was its last attempt. */
export type PostponedTest = {
  /** A sentence for the expert. */
  reason: string;
  /** The time for which the whole run waits, in seconds; 0: it goes on. */
  putOffSeconds: number;
  waitsForBudget: boolean;
  /** True if no model was asked: this was no attempt. */
  givesBack: boolean;
};

/** Stores the end of a claimed test, with what models have used for it. False if the claim was lost. */
export async function endTest(
  database: Database,
  { coachId, claim }: { coachId: string; claim: string },
  end: EndedTest | PostponedTest,
  used: TestUsage[],
): Promise<boolean> {
  const usage = used.map(({ model, usage }) => ({ model, ...countColumns(usage) }));
  const sum = (pick: (one: typeof usage[number]) => number) => usage.reduce((total, one) => total + pick(one), 0);
  const args = { coach_id: coachId, claim, usage };
  if ("reason" in end) {
    const { reason, putOffSeconds, waitsForBudget, givesBack } = end;
    return await database.call("end_test", {
      ...args,
      result: null,
      reason,
      put_off_seconds: putOffSeconds,
      waits_for_budget: waitsForBudget,
      gives_back: givesBack,
    }, z.boolean());
  }
  const { passageIds, timeMs, ...result } = end;
  return await database.call("end_test", {
    ...args,
    result: {
      ...result,
      passage_ids: passageIds,
      time_ms: timeMs,
      input_tokens: sum((one) => one.input_tokens),
      output_tokens: sum((one) => one.output_tokens),
    },
  }, z.boolean());
}
