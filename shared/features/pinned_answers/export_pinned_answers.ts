import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ExportPinnedAnswersInput } from "./schemas.ts";
import { takeSheetTurn } from "./take_sheet_turn.ts";
import { writeAnswerSheet } from "./write_answer_sheet.ts";

/** A sheet of the pinned answers of a coach. */
export type ExportedSheet = { coachId: string; csv: string };

/**
 * All pinned answers of a coach as a sheet, the oldest first.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but the expert.
 */
export async function exportPinnedAnswers(
  context: RequestContext,
  { coachId }: ExportPinnedAnswersInput,
): Promise<ExportedSheet> {
  const { database, userId } = context;
  const access = { coachId: requireCoachId(coachId), userId };
  const answers = await takeSheetTurn(context, "exports", () => store.readPinnedAnswers(database, access));
  // They are read with the latest change first, to the microsecond.
  return { coachId, csv: writeAnswerSheet(answers.toReversed().toSorted(byAge)) };
}

/** Answers of one import have the same time of creation. */
function byAge(one: store.DatedAnswer, other: store.DatedAnswer): number {
  return compare(one.created_at, other.created_at) || compare(one.updated_at, other.updated_at);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
