import { withQuestions } from "../../core/questions/read_questions.ts";
import * as z from "zod/mini";
import type { CoreServices } from "../../core/core_services.ts";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { ApiError, usualRetryAfter } from "../../infra/errors.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import { createWatchdog, type Watchdog } from "../chat/turn/watchdog.ts";
import {
  answerTest,
  ClaimedTest,
  type EndedTest,
  endTest,
  type PostponedTest,
  type TestServices,
  type TestUsage,
} from "./answer_test_case.ts";

/** The number of tests that a worker answers at the same time. */
const lanes = 4;

/** The longest time that a run waits for a budget before it is looked at again, in seconds. */
const longestWait = 15 * 60;

/** Failures after which another attempt cannot help. */
const final: string[] = ["model_refused", "message_too_long", "model_misconfigured"];

/** The limits of a worker. */
export type TestingOptions = {
  /** True if another test may be begun. Each lane begins one, so that every sweep makes progress. */
  mayGoOn: () => boolean;
  /** Counts work on the time of the isolate: a test, the tokens that a model writes for it, and a renewal of claims. */
  charge: (work: "test" | "token" | "renewal", count?: number) => void;
  log: Log;
};

/** Runs tests in an isolate, on a few lanes that all its sweeps share. */
export function createTestRunner(services: TestServices & Pick<CoreServices, "wakeIndexer" | "waitUntil">) {
  const underWay = new Map<string, Watchdog>();
  let busyLanes = 0;
  let isKeeping = false;
  let endPause = () => {};

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, services.timeouts.testClaims);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Renews the claims while there are any, and gives up the tests whose claim is lost: their run was stopped. */
  async function keepClaims({ charge, log }: TestingOptions): Promise<void> {
    if (isKeeping) return;
    isKeeping = true;
    try {
      while (underWay.size > 0) {
        await pause();
        const claims = [...underWay.keys()];
        if (claims.length === 0) break;
        charge("renewal");
        try {
          const kept = new Set(await services.database.call("keep_tests", { claims }, z.array(z.string())));
          for (const claim of claims) if (!kept.has(claim)) underWay.get(claim)?.abort();
        } catch (error) {
          // They last longer than many of these pauses.
          log("warn", "tests_not_kept", { reason: describeError(error) });
        }
      }
    } finally {
      isKeeping = false;
    }
  }

  /** Answers tests one after the other. Returns true if more may be due than there was time for. */
  async function runLane(options: TestingOptions, isBudgeted: boolean): Promise<boolean> {
    do {
      const claimed = await withQuestions(
        {},
        [],
        ([asked]) => services.database.call("take_test", { asked: asked ?? null }, z.nullable(ClaimedTest)),
      );
      if (claimed === null) return false;
      options.charge("test");
      const watchdog = createWatchdog(services.timeouts.turn);
      underWay.set(claimed.claim, watchdog);
      services.waitUntil(keepClaims(options));
      try {
        await runTest(claimed, { ...options, isBudgeted, watchdog });
      } finally {
        underWay.delete(claimed.claim);
        watchdog.stop();
        if (underWay.size === 0) endPause();
      }
    } while (options.mayGoOn());
    return true;
  }

  async function runTest(
    claimed: ClaimedTest,
    { isBudgeted, watchdog, charge, log }: TestingOptions & { isBudgeted: boolean; watchdog: Watchdog },
  ): Promise<void> {
    const used: TestUsage[] = [];
    const { coach: { id: coachId }, claim } = claimed;
    let end: EndedTest | PostponedTest;
    try {
      end = await answerTest({ ...services, isBudgeted }, claimed, { watchdog, used, log });
    } catch (error) {
      log(watchdog.isStopped() ? "info" : "warn", "test_not_answered", {
        coach_id: coachId,
        reason: watchdog.isStopped() ? "stopped" : describeError(error),
      });
      end = describeFailure(error, { isAsked: used.length > 0 });
    }
    charge("token", used.reduce((sum, { usage }) => sum + usage.visibleOutput + usage.reasoning, 0));
    await endTest(services.database, { coachId, claim }, end, used);
  }

  /** Runs the tests that are due. Never rejects: what could not be run stays due. */
  return async function runTests(options: TestingOptions, isBudgeted: boolean): Promise<void> {
    const free = lanes - busyLanes;
    busyLanes += free;
    await Promise.all(Array.from({ length: free }, async () => {
      try {
        if (await runLane(options, isBudgeted)) await services.wakeIndexer(options.log);
      } catch (error) {
        options.log("error", "tests_failed", { reason: describeError(error) });
      } finally {
        busyLanes--;
      }
    }));
  };
}

/** The end of a test whose answer has failed. */
function describeFailure(
  error: unknown,
  { isAsked }: { isAsked: boolean },
): EndedTest | PostponedTest {
  const reason = error instanceof ApiError ? error.message : "The answer failed.";
  if (error instanceof ApiError && final.includes(error.code)) {
    return {
      verdict: "not_judged",
      reasons: [reason],
      outcome: null,
      text: "",
      sources: [],
      passageIds: [],
      judge: null,
      timeMs: 0,
    };
  }
  if (waitsForBudget(error)) {
    const { retryAfter } = (error as ApiError).options.fields ?? {};
    const putOffSeconds = typeof retryAfter === "number" ? Math.min(retryAfter, longestWait) : longestWait;
    return { reason: "A budget does not allow it.", putOffSeconds, waitsForBudget: true, givesBack: !isAsked };
  }
  const putOffSeconds = error instanceof ApiError && error.code === "model_busy"
    ? Number(error.options.headers?.["Retry-After"] ?? usualRetryAfter)
    : usualRetryAfter;
  return { reason, putOffSeconds, waitsForBudget: false, givesBack: false };
}
