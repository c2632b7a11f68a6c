import { basename, resolve } from "node:path";
import { z } from "zod";
import { ApiError } from "../../../shared/base/errors.ts";
import { importSheet, RowOutcomes } from "../../../shared/features/pinned_answers/import_sheet.ts";
import { ImportPinnedAnswersInput } from "../../../shared/features/pinned_answers/schemas.ts";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatTable } from "./format_table.ts";
import { text } from "./inputs.ts";
import { readTextFile } from "./read_text_file.ts";
import { requireCoach } from "./require_coach.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

const { csv } = ImportPinnedAnswersInput.shape;

/** `answer import` */
export const importAnswers = defineCommand({
  positionals: ["file"],
  flags: ["preview"],
  input: z.strictObject({ file: text, coach: text, preview: z.boolean().optional() }),
  isChange: true,
  // As long as Postgres may take.
  timeLimit: 70_000,
  async run({ file, coach, preview = false }, { project, folder, note }) {
    const name = showHarmlessly(basename(file));
    const sheet = csv.safeParse(await readTextFile(resolve(folder, file), file));
    if (!sheet.success) throw new CommandError(`${name}: ${sheet.error.issues[0]!.message}`);
    const { client, wakeIndexer } = project();
    const caller = { account_id: await requireCoach(client, coach) };
    const imported = await importSheet(sheet.data, preview, async (rows, is_preview) => {
      // A null for each: the function has no defaults, and an operator is no user.
      const args = { caller, user_id: null as unknown as string, coach_id: coach, rows, is_preview };
      const { data } = await client.rpc("import_pinned_answers", args).throwOnError();
      return RowOutcomes.parse(data);
    }).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      const { rows = [] } = error.options.fields as { rows?: { row: number; reason: string }[] };
      for (const { row, reason } of rows) note(showHarmlessly(`${name}, row ${row}: ${reason}`));
      throw new CommandError(`${showHarmlessly(error.message)}.`);
    });
    const { rows, added, changed, unchanged, refused, unused_columns: unused } = imported;
    if (unused.length > 0) note(`Columns that are not used: ${unused.map(showHarmlessly).join(", ")}.`);
    if (!preview && added + changed > 0) await wakeIndexer();
    const counts = `${added} added, ${changed} changed, ${unchanged} unchanged`;
    return {
      json: imported,
      text: preview
        ? `${
          formatTable(
            ["row", "status", "question", "reason"],
            rows.map(({ row, status, question, reason }) => [row, status, question, reason]),
          )
        }\n\nNothing was stored. An import would give: ${counts}, ${refused} refused.`
        : `Imported: ${counts}.`,
    };
  },
});
