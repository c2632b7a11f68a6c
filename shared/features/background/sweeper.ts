import { lazy } from "../../libs/base/lazy.ts";
import { repeat, type Sweeper, sweepOneByOne } from "../../core/sweeps.ts";
import { createWorkBudget, type WorkBudget } from "../../core/work_budget.ts";
import type { Handler } from "../../http/app_env.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import type { TestingOptions } from "../coach_tests/run_tests.ts";
import { costs, type IndexerServices, meterServices, type SweepServices } from "./meter_services.ts";
import { ClaimedFile, createOpenDocuments } from "./open_file.ts";
import * as z from "zod/mini";
import { pooledMap } from "../../libs/base/std/async.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { compareFiles } from "../contradictions/compare_files.ts";
import { sortQuestions } from "../questions/sort_questions.ts";
import { sortTopics } from "../topics/sort_topics.ts";
import { deliverWebhooks } from "../webhooks/deliver_webhooks.ts";
import { embedPhrases, Phrase } from "./embed_phrases.ts";
import { indexFile, type SweepOptions } from "./index_file.ts";
import { findModelWarnings } from "../../libs/llm/find_model_warnings.ts";
import type { ListedModel } from "../../libs/llm/model_catalogue.ts";

const loadAnswerWaiting = lazy(async () => (await import("../chat/turn/answer_waiting.ts")).answerWaiting);
const loadTestRunner = lazy(async () => (await import("../coach_tests/run_tests.ts")).createTestRunner);

/** `POST /indexer`. Replies before the work. Created once an isolate, which has worked `spent` milliseconds so far. */
export function createPostSweep(services: IndexerServices, { spent }: { spent: number }): Handler {
  const budget = createWorkBudget({ limit: services.timeouts.indexing, spent });
  const sweepOnce = createSweeper(services, budget);
  return (c) => {
    budget.charge(costs.request);
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Indexing has started" }, 202);
  };
}

/** Creates what does the background work that is due. */
export function createSweeper(services: IndexerServices, budget: WorkBudget): Sweeper {
  const { timeouts } = services;
  const metered = meterServices(services, budget);
  const documents = createOpenDocuments();
  const openTestRunner = lazy(async () => (await loadTestRunner())(services));
  async function sweepFor(at: number, log: Log): Promise<void> {
    const endsAt = at + timeouts.sweep;
    const mayGoOn = () => !budget.isSpent() && performance.now() < endsAt;
    await sweep(metered, {
      log,
      mayGoOn,
      signal: AbortSignal.timeout(at + timeouts.sweepCalls - performance.now()),
      documents,
      // Not metered: it uses hardly any CPU time, and waits for minutes.
      answerWaiting: () =>
        services.waitUntil(loadAnswerWaiting().then((answerWaiting) => answerWaiting(services, log))),
      // Its waits would hide the work of the sweep: it is charged by the piece.
      runTests: (isBudgeted) => {
        const charge: TestingOptions["charge"] = (work, count = 1) =>
          budget.charge(count * (work === "renewal" ? costs.request : costs[work]));
        services.waitUntil(openTestRunner().then((runTests) => runTests({ mayGoOn, charge, log }, isBudgeted)));
      },
    });
  }

  return sweepOneByOne({
    lasts: timeouts.sweep,
    sweep: (at, log) => budget.work(() => sweepFor(at, log)),
    handOver: metered.wakeIndexer,
  });
}

/** A file that is claimed, and what else there is for a sweep. */
const IndexingWork = replyObject({
  /** Paths of objects that nothing names, by bucket. */
  removals: replyObject({ knowledge: z.array(z.string()), pictures: z.array(z.string()) }),
  /** IDs of responses whose messages are deleted. */
  responses: z.array(z.string()),
  has_more_responses: z.boolean(),
  /** True while the search index has deleted passages. */
  has_removed_passages: z.boolean(),
  /** True while there are messages that the index of threads lacks. */
  has_unsearchable_threads: z.boolean(),
  has_webhook_messages: z.boolean(),
  /** True if threads that are not kept any longer are to be looked for. */
  has_due_retention: z.boolean(),
  /** True if questions have waited for the expert too long. */
  has_waiting_turns: z.boolean(),
  has_tests: z.boolean(),
  has_budgets: z.boolean(),
  phrases: z.array(Phrase),
  /** True if open questions are to be worded or compared. */
  has_due_questions: z.boolean(),
  /** True if files are to be compared with the others of their coach. */
  has_comparisons: z.boolean(),
  /** True if the topics of a coach are to be made or named. */
  has_due_topics: z.boolean(),
  /** Set once a day: the models of coaches, to be checked together with those of the deployment. */
  model_check: z.nullable(replyObject({ coach_models: z.array(z.string()) })),
  file: z.nullable(ClaimedFile),
});
export type IndexingWork = z.infer<typeof IndexingWork>;

/** Work of one kind. Returns true if more of it is due than the sweep could do. */
type Chore = (services: SweepServices, work: IndexingWork, options: SweepOptions) => Promise<boolean>;

/** In this order: a claimed file comes first, because the time limit of its claim is already running. */
const chores: Record<string, Chore> = {
  async files(services, { file }, options) {
    if (file === null) await options.documents.close();
    let next = file;
    while (next !== null) next = await indexFile(services, next, options);
    return file !== null && !options.mayGoOn();
  },
  // An indexed file may have replaced its passages.
  removedPassages: async ({ database }, { hasRemovedPassages, file }, { mayGoOn }) =>
    (hasRemovedPassages || file !== null) &&
    await repeat(() => database.call("unindex_passages", {}, z.boolean()), mayGoOn),
  threads: async ({ database }, { hasUnsearchableThreads }, { mayGoOn }) =>
    hasUnsearchableThreads && await repeat(() => database.call("index_threads", {}, z.boolean()), mayGoOn),
  phrases: (services, { phrases }, options) => embedPhrases(services, phrases, options),
  async objects(services, { removals }, { log }) {
    await removeObjects(services, "files", removals.knowledge, log);
    await removeObjects(services, "pictures", removals.pictures, log);
    return false;
  },
  // If none could be removed, the backend fails, and another sweep would fail, too.
  responses: async (services, { responses, hasMoreResponses }, { log }) =>
    await removeResponses(services, responses, log) > 0 && hasMoreResponses,
  questions: async (services, { hasDueQuestions }, options) =>
    hasDueQuestions && await sortQuestions(services, options),
  // A file that has just been read is due, too.
  comparisons: async (services, { hasComparisons, file }, options) =>
    (hasComparisons || file !== null) && await compareFiles(services, options),
  topics: async (services, { hasDueTopics }, options) => hasDueTopics && await sortTopics(services, options),
  async models(services, { modelCheck }, options) {
    if (modelCheck !== null) await checkModels(services, modelCheck.coachModels, options);
    return false;
  },
  // Last, since nobody waits for it.
  retention: async ({ database }, { hasDueRetention }, { mayGoOn }) =>
    hasDueRetention && await repeat(() => database.call("erase_untouched_threads", {}, z.boolean()), mayGoOn),
};

/** Runs in parallel to the others, which must not wait for a slow receiver. */
const deliver: Chore = async (services, { hasWebhookMessages }, options) =>
  hasWebhookMessages && await deliverWebhooks(services, options);

/** Does the work that is due, within the limits of each kind. Calls for another sweep if needed. Never rejects. */
async function sweep(services: IndexerServices, options: SweepOptions): Promise<void> {
  const { log } = options;
  let isCalled = false;
  async function attempt<Result>(chore: string, run: () => Promise<Result>): Promise<Result | null> {
    try {
      return await run();
    } catch (error) {
      log("error", "sweep_failed", { chore, reason: describeError(error) });
      return null;
    }
  }

  const work = await attempt("list", () => services.database.call("take_indexing_work", {}, IndexingWork));
  if (work === null) return;
  if (work.hasWaitingTurns) options.answerWaiting();
  if (work.hasTests) options.runTests(work.hasBudgets);
  const ofSweep = { ...services, isBudgeted: work.hasBudgets };
  const carryOut = async (name: string, chore: Chore) => {
    const isLeft = await attempt(name, () => chore(ofSweep, work, options));
    if (!isLeft || isCalled) return;
    isCalled = true;
    // Immediately, because the other chores may take long.
    await services.wakeIndexer(log);
  };
  const delivery = carryOut("webhooks", deliver);
  for (const [name, chore] of Object.entries(chores)) await carryOut(name, chore);
  await delivery;
}

async function removeObjects(
  services: IndexerServices,
  bucket: "files" | "pictures",
  paths: string[],
  log: Log,
): Promise<void> {
  if (paths.length === 0) return;
  const { database } = services;
  try {
    await services[bucket].remove(paths);
    await database.call("end_object_removals", { paths }, z.null());
    log("info", "objects_removed", { objects: paths.length });
  } catch (error) {
    log("warn", "objects_not_removed", { objects: paths.length, reason: describeError(error) });
  }
}

/** Deletes responses at the model's server, and returns the number of those deleted. Failures stay due. */
async function removeResponses(
  { database, model, timeouts }: IndexerServices,
  ids: string[],
  log: Log,
): Promise<number> {
  const giveUp = AbortSignal.timeout(timeouts.responseRemovals);
  const failures: unknown[] = [];
  async function remove(id: string): Promise<string | null> {
    try {
      await model.remove(id, AbortSignal.any([giveUp, AbortSignal.timeout(timeouts.responseRemoval)]));
      return id;
    } catch (error) {
      failures.push(error);
      return null;
    }
  }
  const removed: string[] = [];
  for await (const id of pooledMap(8, ids, remove)) if (id !== null) removed.push(id);
  if (failures.length > 0) {
    log("warn", "responses_not_removed", { responses: failures.length, reason: describeError(failures[0]) });
  }
  if (removed.length > 0) {
    await database.call("end_response_removals", { response_ids: removed }, z.null());
    log("info", "responses_removed", { responses: removed.length });
  }
  return removed.length;
}

/**
 * Asks the model's server for its list of models. Stores and logs those configured models that end or are missing. If
 * the server cannot be asked, that is stored as well, earlier warnings remain, and the check stays due.
 *
 * @param coachModels the models of coaches that do not use the deployment's.
 */
async function checkModels(
  { catalogue, database, timeouts }: IndexerServices,
  coachModels: string[],
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  let list: ListedModel[];
  try {
    list = await catalogue.list(AbortSignal.any([signal, AbortSignal.timeout(timeouts.modelList)])) ?? [];
  } catch (error) {
    const reason = describeError(error);
    log("warn", "models_not_checked", { reason });
    // A sweep that has to end says nothing about the server.
    if (!signal.aborted) await database.call("save_model_check", { warnings: null, failure: reason }, z.null());
    return;
  }
  const ofCoaches = coachModels.map((model) => ({ setting: "coach_profiles.model", model }));
  const today = new Date().toISOString().slice(0, 10);
  const warnings = findModelWarnings([...catalogue.configured, ...ofCoaches], list, today);
  for (const { setting, model, kind, date } of warnings) log("warn", `model_${kind}`, { setting, model, date });
  await database.call("save_model_check", { warnings }, z.null());
}
