import { basename, extname } from "node:path";
import { z } from "zod";
import { TestCase } from "../../../shared/features/coach_tests/test_case.ts";
import { CommandError, refuse } from "../command_error.ts";
import { aCoach, anOutput, defineCommand, defineList, id, oneOf, option, text } from "./command.ts";
import type { Project } from "./open_project.ts";
import { readAllByOffset, requireCoach } from "./read_rows.ts";
import { readAnswers, runTests, summarizeTestRuns } from "./run_tests.ts";
import { countOf, formatTime, showHarmlessly, showLines } from "./terminal_text.ts";
import { readPromptfooCsv, writePromptfooCsv } from "./test_files/promptfoo_csv.ts";
import { readTestJsonl, writeRagasJsonl, writeTestJsonl } from "./test_files/test_jsonl.ts";
import { readTextFile, writeOutput } from "./text_files.ts";

const readers = { promptfoo: readPromptfooCsv, jsonl: readTestJsonl };

const imported = z.object({ added: z.int(), skipped: z.int() });

type Client = Project["client"];

/** `npm run admin -- test …` */
export const testCommands = {
  run: runTests,

  list: defineList({
    about: "Lists the tests of a coach.",
    options: { coach: aCoach },
    none: "This coach has no tests yet.",
    read: ({ client }, { coach }) => readTests(client, coach),
    show: ({ id, question, expect, reference, updated_at }) => {
      const expects = [...Object.keys(expect), ...reference === null ? [] : ["reference"]].join(", ") || null;
      return { id, question, expects, changed: formatTime(updated_at) };
    },
  }),

  import: defineCommand({
    about: `Adds all tests of a file, or none, and skips those that the coach has already: see
      supabase/docs/test_files.md.`,
    args: { file: text },
    options: {
      coach: aCoach,
      format: option(
        "FORMAT",
        oneOf(["promptfoo", "jsonl"]).optional(),
        "promptfoo (CSV) or jsonl; default: by the ending of the file",
      ),
    },
    isChange: true,
    async run({ file, coach, format = guessFormat(file) }, { project, folder, note }) {
      const { tests, faults, unused } = readers[format](await readTextFile(folder, file));
      if (faults.length > 0) {
        for (const { row, reason } of faults) note(showHarmlessly(`${basename(file)}, row ${row}: ${reason}`));
        throw new CommandError(`Nothing was imported: ${countOf(faults.length, "row")} cannot be used.`);
      }
      if (tests.length === 0) throw new CommandError(`Nothing was imported: ${showHarmlessly(file)} has no tests.`);
      if (unused.length > 0) note(`Columns that are not used: ${unused.map(showHarmlessly).join(", ")}.`);
      const { client } = project();
      await requireCoach(client, coach);
      const { data } = await client.rpc("import_tests", { coach, tests }).throwOnError();
      const { added, skipped } = imported.parse(data);
      const known = skipped > 0 ? ` The coach had ${skipped} already.` : "";
      return { json: { added, skipped }, text: `Imported ${countOf(added, "test")}.${known}` };
    },
  }),

  export: defineCommand({
    about: "Writes the tests of a coach as a file.",
    options: {
      coach: aCoach,
      format: option(
        "FORMAT",
        oneOf(["promptfoo", "jsonl", "ragas"]).default("promptfoo"),
        "promptfoo (CSV), jsonl or ragas (JSONL with the answers of a run)",
      ),
      run: option(
        "ID",
        id.optional(),
        "in the format ragas: the run whose answers are written; default: the latest one that is done",
      ),
      output: anOutput,
    },
    timeLimit: 120_000,
    async run({ coach, format, run, output }, { project, folder, isTerminal }) {
      const { client } = project();
      await requireCoach(client, coach);
      const tests = await readTests(client, coach);
      const file = format === "ragas"
        ? await writeAnswers(client, { coach, run, tests })
        : format === "jsonl"
        ? writeTestJsonl(tests)
        : writePromptfooCsv(tests);
      if (output === undefined) {
        return { json: file, text: isTerminal ? showLines(file.trimEnd()) : file.trimEnd() };
      }
      // Spreadsheets take a file without the mark for one of their own encoding.
      const mark = format === "promptfoo" ? "\ufeff" : "";
      await writeOutput(folder, output, mark + file);
      return {
        json: { output, tests: tests.length },
        text: `Wrote ${countOf(tests.length, "test")} to ${showHarmlessly(output)}.`,
      };
    },
  }),
};

function guessFormat(file: string): keyof typeof readers {
  const extension = extname(file).toLowerCase();
  if (extension === ".csv") return "promptfoo";
  if (extension === ".jsonl") return "jsonl";
  refuse(`test import: --format is missing, and the name of ${showHarmlessly(file)} ends in neither .csv nor .jsonl.`);
}

/** The answers of a run, or of the latest one that is done. */
async function writeAnswers(
  client: Client,
  { coach, run, tests }: { coach: string; run: string | undefined; tests: StoredTest[] },
): Promise<string> {
  const runs = await summarizeTestRuns(client, { coach, run });
  const chosen = run === undefined ? runs.find(({ status }) => status === "done") : runs[0];
  if (chosen === undefined) {
    throw new CommandError(run === undefined ? "No run of this coach is done." : "Run not found");
  }
  const answers = await readAnswers(client, chosen.id);
  return writeRagasJsonl(tests.flatMap((test) => {
    const answer = answers.get(test.id);
    return answer === undefined ? [] : { test, ...answer };
  }));
}

type StoredTest = Required<TestCase> & { id: string; updated_at: string };

/** Reads the tests of a coach, in the order in which they were added. */
async function readTests(client: Client, coachId: string): Promise<StoredTest[]> {
  const rows = await readAllByOffset(
    () =>
      client.from("test_cases").select("id,question,history,expect,reference,updated_at").eq("coach_id", coachId)
        .order("number"),
    ({ id }) => id,
  );
  return rows.map(({ id, updated_at, ...test }) => {
    const { question, history = [], expect = {}, reference = null } = TestCase.parse(test);
    return { id, question, history, expect, reference, updated_at };
  });
}
