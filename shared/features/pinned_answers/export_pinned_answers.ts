import * as z from "zod/mini";
import { type CoachAccess, coachColumns } from "../../core/wire/ids.ts";
import { pageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { takeSheetTurn } from "./take_sheet_turn.ts";
import { writeAnswerSheet } from "./write_answer_sheet.ts";

export const AnswerSheet = z.string().check(z.describe("The sheet as CSV"));

/** All pinned answers of a coach as a sheet, the oldest first. */
export const operation = defineEndpoint({
  name: "exportPinnedAnswers",
  method: "GET",
  path: "/coaches/:coachId/answers/export",
  scope: "expert",
  failure: "Failed to export the answers",
  errors: ofExperts,
  input: z.object({ coachId }),
  output: AnswerSheet,
  async verb(context, { coachId }) {
    const access = { coachId, userId: context.userId };
    const answers = await takeSheetTurn(context, "exports", () => readPinnedAnswers(context.database, access));
    // They are read with the latest change first, to the microsecond.
    return { coachId, csv: writeAnswerSheet(answers.toReversed().toSorted(byAge)) };
  },
  reply: (c, { coachId, csv }) =>
    c.body(csv, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="answers-${coachId.replaceAll(/[^\w.-]+/g, "_").slice(0, 100)}.csv"`,
    }),
});

/** Answers of one import have the same time of creation. */
function byAge(one: DatedAnswer, other: DatedAnswer): number {
  return compare(one.created_at, other.created_at) || compare(one.updated_at, other.updated_at);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const DatedAnswer = z.object({
  id: z.string(),
  question: z.string(),
  variants: z.array(z.string()),
  answer: z.string(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
/** A pinned answer, with the times by which a sheet sorts. */
export type DatedAnswer = z.infer<typeof DatedAnswer>;

const DatedPage = z.object({ data: z.array(DatedAnswer), next_cursor: z.nullish(z.string()) });
/** Short enough that no other call waits long for the connection. */
const pageSize = 200;

/** All pinned answers of a coach, the latest change first; what changes while they are read comes at the end. */
export async function readPinnedAnswers(database: AccountDatabase, access: CoachAccess): Promise<DatedAnswer[]> {
  const columns = coachColumns(access);
  async function readUntil(isKnown: (answer: DatedAnswer) => boolean): Promise<DatedAnswer[]> {
    const read: DatedAnswer[] = [];
    let cursor: string | undefined;
    do {
      const args = { ...columns, ...pageColumns({ limit: pageSize, cursor }) };
      const { data, next_cursor } = await database.call("list_pinned_answers", args, DatedPage);
      const known = data.findIndex(isKnown);
      read.push(...known < 0 ? data : data.slice(0, known));
      cursor = known < 0 ? next_cursor ?? undefined : undefined;
    } while (cursor !== undefined);
    return read;
  }
  let answers = await readUntil(() => false);
  // A single page shows one moment.
  for (let late = answers; answers.length > pageSize && late.length > 0;) {
    const known = new Map(answers.map(({ id, updated_at }) => [id, updated_at]));
    late = await readUntil(({ id, updated_at }) => known.get(id) === updated_at);
    const changed = new Set(late.map(({ id }) => id));
    answers = [...late, ...answers.filter(({ id }) => !changed.has(id))];
  }
  return answers;
}
