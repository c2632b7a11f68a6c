import * as z from "zod/mini";
import { countColumns } from "../../core/answers/store.ts";
import type { Source } from "../../core/answers/stored_answer.ts";
import type { Database } from "../../infra/db/database.ts";
import type { CountedUsage } from "../../libs/llm/usage_meter.ts";
import type { TestJudgement, TestVerdict } from "./fields.ts";
import type { TestOutcome } from "./test_case.ts";

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
