import * as z from "zod/mini";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels } from "../../core/budgets/work_models.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeError } from "../../libs/base/log.ts";
import { askModel } from "../questions/ask_model.ts";
import type { SortingOptions, SortingServices } from "../questions/sort_questions.ts";
import type { Difference } from "./find_differences.ts";
import { buildComparingPrompt, readComparison } from "./prompts.ts";
import type { Statement } from "./read_statements.ts";

const passage = { passage_id: z.string(), heading: z.nullable(z.string()), content: z.string() };

const ClaimedComparison = replyObject({
  file_id: z.string(),
  claim: z.string(),
  coach_id: z.string(),
  filename: z.string(),
  /** The coach's model; null: the deployment's. */
  model: z.nullable(z.string()),
  attempt: z.int(),
  /** The number of calls of a model for the file so far. */
  asked: z.int(),
  passages: z.array(replyObject({
    ...passage,
    near: z.array(replyObject({ ...passage, file_id: z.string(), filename: z.string() })),
  })),
  next: z.nullable(z.int()),
  /** Pairs of statements that are noted already. */
  known: z.array(z.tuple([z.string(), z.string()])),
});
/** A step of comparing a file that this worker has claimed. */
type ClaimedComparison = z.infer<typeof ClaimedComparison>;

/** `is_claimed`: the step still belonged to this worker. `step`: the next one, if it was asked for and is due. */
const SavedComparison = replyObject({ is_claimed: z.boolean(), step: z.nullable(ClaimedComparison) });

type Compared = ClaimedComparison["passages"][number];
type Near = Compared["near"][number];

/** Two passages with the statements that differ. */
type Found = { one: Compared; other: Near; differences: Difference[] };
/** `isConfirmed`: by a model. `isDenied`: a model says that both can be right. */
type Judged = Found & { isConfirmed: boolean; isDenied: boolean };

/** The most calls of a model for a file. */
const mostCalls = 20;
/** The most passages of others that one of a file may contradict: many notes that differ in a number alone are a series. */
const mostOthers = 3;
/** The most pairs of statements of two passages. */
const mostPairs = 10;
/** After so many attempts with a model, what is clear is noted without its consent. */
const mostAttempts = 3;

/**
 * Compares due files with the other files of their coach, step by step, and notes what may contradict. If a model or the
 * backend fails, the step is tried again later.
 *
 * @returns whether there may be more
 */
export async function compareFiles(services: SortingServices, options: SortingOptions): Promise<boolean> {
  const { database } = services;
  const { mayGoOn, log } = options;
  let step = await database.call("take_comparison", {}, z.nullable(ClaimedComparison));
  while (step !== null) {
    const { fileId } = step;
    const claim = { file_id: fileId, claim: step.claim };
    try {
      const candidates = await findCandidates(step);
      const { judged, asked } = await confirm(services, step, candidates, options);
      const saved: z.infer<typeof SavedComparison> = await database.call("save_comparison", {
        ...claim,
        notes: judged.map(({ one, other, differences, isConfirmed, isDenied }) => ({
          passage_id: one.passageId,
          other_file_id: other.fileId,
          other_passage_id: other.passageId,
          statements: differences.map(({ kind, one, other }) => ({ kind, one, other })),
          is_confirmed: isConfirmed,
          is_denied: isDenied,
        })),
        asked,
        next: step.next,
        takes_next: mayGoOn(),
      }, SavedComparison);
      const pairs = step.passages.reduce((sum, { near }) => sum + near.length, 0);
      log("info", "compared", {
        ...{ file_id: fileId, passages: step.passages.length, pairs, candidates: candidates.length, asked },
        ...{ contradictions: judged.filter(({ isDenied }) => !isDenied).length, is_claimed: saved.isClaimed },
      });
      step = saved.step;
    } catch (error) {
      log("warn", "comparison_postponed", { file_id: fileId, reason: describeError(error) });
      await database.call("postpone_comparison", { ...claim, waits_for_budget: waitsForBudget(error) }, z.null());
      // Another file would be of the same model, most likely.
      return false;
    }
  }
  return !mayGoOn();
}

/** The passages with statements that differ, without those that are noted. */
async function findCandidates(step: ClaimedComparison): Promise<Found[]> {
  // With the first file that is compared: the words and patterns of six languages take time to load.
  const [{ findDifferences }, { readStatements }] = await Promise.all([
    import("./find_differences.ts"),
    import("./read_statements.ts"),
  ]);
  const read = new Map<string, Statement[]>();
  const statementsOf = (passage: Pick<Near, "passageId" | "content" | "heading">) => {
    const statements = read.get(passage.passageId) ?? readStatements(passage);
    read.set(passage.passageId, statements);
    return statements;
  };
  const pairOf = ({ one, other }: Difference) => JSON.stringify([one, other]);
  const known = new Set(step.known.map((pair) => JSON.stringify(pair)));
  // Passages overlap, so that the same pair is found twice.
  const seen = new Set<string>();
  const isFirst = (each: Difference) => seen.size < seen.add(pairOf(each)).size;
  const differAtAll = ({ differences }: Found) => differences.length > 0;
  return step.passages.flatMap((one) =>
    one.near
      .map((other) => ({
        ...{ one, other },
        differences: findDifferences(statementsOf(one), statementsOf(other)).filter(isFirst),
      }))
      .filter(differAtAll)
      // The clearest and the nearest, what is known of them included: each new note of a series asks about as many.
      .toSorted(clearestFirst)
      .slice(0, mostOthers)
      .map(({ differences, ...passages }) => ({
        ...passages,
        differences: differences.filter((each) => !known.has(pairOf(each))).slice(0, mostPairs),
      }))
      .filter(differAtAll)
  );
}

function clearestFirst(one: Found, other: Found): number {
  const isClear = ({ differences }: Found) => differences.some(({ isClear }) => isClear);
  return Number(isClear(other)) - Number(isClear(one));
}

/** Asks the coach's model which candidates contradict; without it, clear ones may. What it denies is kept, too. */
async function confirm(
  services: SortingServices,
  step: ClaimedComparison,
  candidates: Found[],
  options: SortingOptions,
): Promise<{ judged: Judged[]; asked: number }> {
  const model = openWorkModels(services, step.coachId);
  const judged: Judged[] = [];
  let asked = 0;
  // Calls are limited.
  for (const candidate of candidates.toSorted(clearestFirst)) {
    const { one, other, differences } = candidate;
    let contradicting: number[] | null = null;
    if (step.attempt <= mostAttempts && step.asked + asked < mostCalls) {
      asked++;
      const prompt = buildComparingPrompt({
        one: { file: step.filename, heading: one.heading, passage: one.content },
        other: { file: other.filename, heading: other.heading, passage: other.content },
        pairs: differences,
      });
      const reply = await askModel({ ...services, model }, step.model, prompt, options);
      // A reply that names no pairs says as little as a model that is not sure, and asked again it would say the same.
      contradicting = readComparison(reply, differences.length) ?? null;
    }
    const left = contradicting?.map((index) => differences[index]!) ?? differences.filter(({ isClear }) => isClear);
    const denied = contradicting === null ? [] : differences.filter((each) => !left.includes(each));
    const isConfirmed = contradicting !== null;
    if (left.length > 0) judged.push({ one, other, differences: left, isConfirmed, isDenied: false });
    if (denied.length > 0) judged.push({ one, other, differences: denied, isConfirmed: false, isDenied: true });
  }
  return { judged, asked };
}
