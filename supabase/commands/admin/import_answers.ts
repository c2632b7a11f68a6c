import { basename, resolve } from "node:path";
import { z } from "zod";
import { ApiError } from "../../../shared/base/errors.ts";
import { FoundRows } from "../../../shared/features/pinned_answers/compare_rows.ts";
import { importSheet, StoredIds } from "../../../shared/features/pinned_answers/import_sheet.ts";
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
  async run({ file, coach, preview = false }, { project, folder, note }) {
    const name = showHarmlessly(basename(file));
    const sheet = csv.safeParse(await readTextFile(resolve(folder, file), file));
    if (!sheet.success) throw new CommandError(`${name}: ${sheet.error.issues[0]!.message}`);
    const { client, wakeIndexer } = project();
    // An operator is no user.
    const access = {
      caller: { account_id: await requireCoach(client, coach) },
      user_id: null as unknown as string,
      coach_id: coach,
    };
    const imported = await importSheet(sheet.data, preview, {
      compare: async (questions) =>
        z.nullable(FoundRows).parse(
          (await client.rpc("compare_pinned_answers", { ...access, questions }).throwOnError()).data,
        ),
      write: async (rows) =>
        StoredIds.parse((await client.rpc("import_pinned_answers", { ...access, rows }).throwOnError()).data),
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
