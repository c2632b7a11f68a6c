import { basename, extname, resolve } from "node:path";
import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { because, text } from "./inputs.ts";
import { readTextFile } from "./read_text_file.ts";
import { requireCoach } from "./require_coach.ts";
import { showHarmlessly } from "./show_harmlessly.ts";
import { countTests } from "./stored_tests.ts";
import { readPromptfooCsv } from "./test_files/promptfoo_csv.ts";
import { readTestJsonl } from "./test_files/test_jsonl.ts";

const readers = { promptfoo: readPromptfooCsv, jsonl: readTestJsonl };
const formats = ["promptfoo", "jsonl"] as const;

const imported = z.object({ added: z.int(), skipped: z.int() });

/** `test import` */
export const importTests = defineCommand({
  positionals: ["file"],
  input: z.strictObject({
    file: text,
    coach: text,
    format: z.enum(formats, because("must be promptfoo or jsonl")).optional(),
  }),
  isChange: true,
  async run({ file, coach, format = guessFormat(file) }, { project, folder, note }) {
    const { tests, faults, unused } = readers[format](await readTextFile(resolve(folder, file), file));
    if (faults.length > 0) {
      for (const { row, reason } of faults) note(showHarmlessly(`${basename(file)}, row ${row}: ${reason}`));
      const rows = faults.length === 1 ? "1 row" : `${faults.length} rows`;
      throw new CommandError(`Nothing was imported: ${rows} cannot be used.`);
    }
    if (tests.length === 0) throw new CommandError(`Nothing was imported: ${showHarmlessly(file)} has no tests.`);
    if (unused.length > 0) note(`Columns that are not used: ${unused.map(showHarmlessly).join(", ")}.`);
    const { client } = project();
    await requireCoach(client, coach);
    const { data } = await client.rpc("import_tests", { coach, tests }).throwOnError();
    const { added, skipped } = imported.parse(data);
    const known = skipped > 0 ? ` The coach had ${skipped} already.` : "";
    return { json: { added, skipped }, text: `Imported ${countTests(added)}.${known}` };
  },
});

function guessFormat(file: string): typeof formats[number] {
  const extension = extname(file).toLowerCase();
  if (extension === ".csv") return "promptfoo";
  if (extension === ".jsonl") return "jsonl";
  throw new CommandError(
    `test import: --format is missing, and the name of ${showHarmlessly(file)} ends in neither .csv nor .jsonl.`,
    exitCodes.calledWrongly,
  );
}
