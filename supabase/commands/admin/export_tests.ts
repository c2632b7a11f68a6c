import { resolve } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { defineCommand } from "./command.ts";
import { because, id, text } from "./inputs.ts";
import type { Project } from "./open_project.ts";
import { countTests, readTests, type StoredTest } from "./stored_tests.ts";
import { requireCoach } from "./require_coach.ts";
import { showHarmlessly } from "./show_harmlessly.ts";
import { writePromptfooCsv } from "./test_files/promptfoo_csv.ts";
import { writeRagasJsonl } from "./test_files/ragas_jsonl.ts";
import { writeTestJsonl } from "./test_files/test_jsonl.ts";
import { readAnswers, summarizeTestRuns } from "./test_runs.ts";
import { writePrivately } from "./write_privately.ts";

type Client = Project["client"];

/** `test export` */
export const exportTests = defineCommand({
  positionals: [],
  input: z.strictObject({
    coach: text,
    format: z.enum(["promptfoo", "jsonl", "ragas"], because("must be promptfoo, jsonl or ragas")).default("promptfoo"),
    run: id.optional(),
    output: text.optional(),
  }),
  isChange: false,
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
      const lines = file.trimEnd().split(/\r?\n/);
      return { json: file, text: isTerminal ? lines.map(showHarmlessly).join("\n") : file.trimEnd() };
    }
    // Spreadsheets take a file without the mark for one of their own encoding.
    const mark = format === "promptfoo" ? "\ufeff" : "";
    await writePrivately(resolve(folder, output), mark + file).catch((error) => {
      throw new CommandError(`${showHarmlessly(output)} cannot be written: ${errorMessage(error)}`);
    });
    return {
      json: { output, tests: tests.length },
      text: `Wrote ${countTests(tests.length)} to ${showHarmlessly(output)}.`,
    };
  },
});

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
