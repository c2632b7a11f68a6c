import * as z from "zod/mini";
import type { Source } from "../../core/answers/stored_answer.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { CountedUsage } from "../../infra/llm/usage_meter.ts";
import { findingsFields } from "../chat/store.ts";
import type { TestOutcome, TestVerdict } from "./limits.ts";
import type { TestJudgement } from "./replies.ts";
import { TestExpectation } from "./schemas.ts";

/** A test that this worker has claimed, with what its question is answered from. */
const ClaimedTest = replyObject({
  claim: z.string(),
  has_judge: z.boolean(),
  test: z.object({
    question: z.string(),
    history: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.string() })),
    expect: TestExpectation,
  }),
  /** The maximum number of messages in a history. */
  history_limit: z.number(),
  ...findingsFields,
});
export type ClaimedTest = z.infer<typeof ClaimedTest>;

/** Claims a test that is due; null if there is none. */
export async function takeTest(database: Database): Promise<ClaimedTest | null> {
  return await database.call("take_test", {}, z.nullable(ClaimedTest));
}

/** The same test with what fits the embedding of its question, too; null if the claim is lost. */
export async function findForTest(database: Database, claim: string, queryVector: string): Promise<ClaimedTest | null> {
  return await database.call("take_test", { claim, query_vector: queryVector }, z.nullable(ClaimedTest));
}

/** Renews claims, and returns those that still stand. */
export async function keepTests(database: Database, claims: string[]): Promise<string[]> {
  return await database.call("keep_tests", { claims }, z.array(z.string()));
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
  const usage = used.map(({ model, usage }) => ({
    model,
    input_tokens: usage.freshInput + usage.cachedInput,
    cached_tokens: usage.cachedInput,
    output_tokens: usage.visibleOutput + usage.reasoning,
    reasoning_tokens: usage.reasoning,
    is_estimated: usage.isEstimated,
  }));
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

/** The sources that an answer draws on which names none. */
export async function chooseSources(
  database: Database,
  coachId: string,
  text: string,
  sources: Source[],
): Promise<Source[]> {
  return await database.call(
    "choose_test_sources",
    { coach: coachId, content: text, sources },
    // What was sent comes back.
    z.array(z.custom<Source>()),
  );
}
