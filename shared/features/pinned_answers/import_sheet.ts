import * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { type AnswerSheet, readAnswerSheet, type RefusedRow, type SheetRow } from "./read_answer_sheet.ts";
import type { ImportedAnswers } from "./replies.ts";

/** Imported rows, as the SQL function replies with them: in the order of the rows that it was given. */
export const RowOutcomes = z.array(z.object({
  row: z.int(),
  status: z.enum(["added", "changed", "unchanged", "refused"]),
  id: z.nullable(z.string()),
  previous: z.optional(z.object({
    question: z.string(),
    variants: z.array(z.string()),
    answer: z.string(),
    is_active: z.boolean(),
  })),
  earlier_row: z.nullish(z.int()),
  variant: z.nullish(z.string()),
}));
export type RowOutcomes = z.infer<typeof RowOutcomes>;

/** Stores rows, all or none; if it is a preview, tells what would become of them. */
export type StoreRows = (rows: SheetRow[], isPreview: boolean) => Promise<RowOutcomes>;

type Imported = z.infer<typeof ImportedAnswers>;
type ImportedRow = Imported["rows"][number];

/**
 * Imports a sheet of questions and answers, or tells what an import would do.
 *
 * @throws {ApiError} 400 for a sheet that cannot be read; unless it is a preview, also for rows that cannot be used.
 */
export async function importSheet(csv: string, isPreview: boolean, store: StoreRows): Promise<Imported> {
  const sheet = readAnswerSheet(csv);
  // A sheet with rows that cannot be used is only compared: the reply names all rows that are refused.
  const outcomes = await store(sheet.rows, isPreview || sheet.refused.length > 0);
  const rows = describeRows(sheet, outcomes, isPreview);
  const refused = rows.filter(({ status }) => status === "refused");
  if (!isPreview && refused.length > 0) {
    const sentence = refused.length === 1 ? "1 row cannot be used" : `${refused.length} rows cannot be used`;
    throw errors.invalidSheet(
      `Nothing was imported: ${sentence}`,
      refused.map(({ row, field, reason }) => ({ row, field, reason: reason ?? "" })),
    );
  }
  const count = (wanted: ImportedRow["status"]) => rows.filter(({ status }) => status === wanted).length;
  return {
    preview: isPreview,
    added: count("added"),
    changed: count("changed"),
    unchanged: count("unchanged"),
    refused: refused.length,
    rows,
    unused_columns: sheet.unused,
  };
}

function describeRows({ rows, refused }: AnswerSheet, outcomes: RowOutcomes, isPreview: boolean): ImportedRow[] {
  const stored = rows.map((given, index): ImportedRow => {
    const { status, id, previous, ...taken } = outcomes[index]!;
    return {
      ...given,
      status,
      // In a preview, there is no such answer yet.
      answer_id: status === "added" && isPreview || status === "refused" ? null : id,
      previous: status === "changed" ? previous ?? null : null,
      field: status !== "refused" ? null : typeof taken.variant === "string" ? "variants" : "question",
      reason: status === "refused" ? explain(taken) : null,
    };
  });
  return [...stored, ...refused.map(describeRefused)].toSorted((one, other) => one.row - other.row);
}

function describeRefused(refused: RefusedRow): ImportedRow {
  const nothing = { variants: null, answer: null, is_active: null, answer_id: null, previous: null };
  return { ...refused, status: "refused", ...nothing };
}

function explain({ earlier_row, variant }: { earlier_row?: number | null; variant?: string | null }): string {
  if (typeof variant !== "string") return `The same question as in row ${earlier_row}, with other contents`;
  const place = typeof earlier_row === "number" ? `row ${earlier_row}` : "another pinned answer";
  return `The variant “${variant}” is a question of ${place}`;
}
