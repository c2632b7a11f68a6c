import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { withCommas } from "../../libs/base/text.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { FoundRows } from "./compare_rows.ts";
import { ImportedAnswers } from "./fields.ts";
import { importSheet, StoredIds } from "./import_sheet.ts";
import { maxSheetRows } from "./read_answer_sheet.ts";
import { takeSheetTurn } from "./take_sheet_turn.ts";

const maxSheetBytes = 1024 * 1024;

export const csvField = z.string("csv is required").check(
  z.refine((csv) => csv.trim() !== "", { error: "csv must not be blank", abort: true }),
  z.refine((csv) => new TextEncoder().encode(csv).length <= maxSheetBytes, "csv must be at most 1 MB"),
  z.describe(
    `The sheet as CSV, at most ${withCommas(maxSheetRows)} answers and 1 MB. Its first row names the ` +
      "columns: `question` and `answer`, and optionally `variants` and `is_active`",
  ),
);

/**
 * Pins the answers of a sheet, or tells what that would do. 400 for a sheet that cannot be read and, unless it is a
 * preview, for rows that cannot be used; 503 while too many other sheets are imported.
 */
export const operation = defineEndpoint({
  name: "importPinnedAnswers",
  method: "POST",
  path: "/coaches/:coachId/answers/import",
  body: "application/json",
  maxBytes: 4 * 1024 * 1024,
  scope: "expert",
  failure: "Failed to import the answers",
  // The same sheet twice adds nothing.
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.invalidSheet("The sheet has no answers")],
  input: z.object({
    coachId,
    csv: csvField,
    preview: z.optional(z.boolean("preview must be true or false")).check(
      z.describe("If true, nothing is stored. The reply is what an import would do; by default, false"),
    ),
  }),
  output: ImportedAnswers,
  async verb(context, { coachId, csv, preview = false }): Promise<z.infer<typeof ImportedAnswers>> {
    const { database, userId, services, log } = context;
    const columns = coachColumns({ coachId, userId });
    const imported = await takeSheetTurn(context, "imports", () =>
      importSheet(csv, preview, {
        coachId,
        compare: (keys) => database.call("compare_pinned_answers", { ...columns, ...keys }, z.nullable(FoundRows)),
        write: (rows) => database.call("import_pinned_answers", { ...columns, rows }, StoredIds),
      }));
    const hasNew = !preview && imported.added + imported.changed > 0;
    if (hasNew && services.embedder !== null) services.waitUntil(services.wakeIndexer(log));
    return imported;
  },
});
