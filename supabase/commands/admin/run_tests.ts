import { dirname, resolve } from "node:path";
import { z } from "zod";
import { delay } from "../../../shared/base/std/async.ts";
import { CommandError, exitCodes } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { type CommandContext, defineCommand } from "./command.ts";
import { text } from "./inputs.ts";
import type { Project } from "./open_project.ts";
import { showHarmlessly } from "./show_harmlessly.ts";
import { countTests } from "./stored_tests.ts";
import { writeJunitReport } from "./test_files/junit_report.ts";
import { formatTestRun } from "./test_files/format_test_run.ts";
import { readTestRun, type Run, type RunSummary, startTestRun, summarizeTestRuns } from "./test_runs.ts";

type Client = Project["client"];

/** The pause between two looks at a run, in milliseconds. */
const pause = 1_000;
/** Looks that may fail one after the other. */
const mostFailures = 5;
/** Looks without any progress after which the indexer is called again, before its schedule does it. */
const mostIdle = 15;

/** `test run` */
export const runTests = defineCommand({
  positionals: [],
  flags: ["draft", "judge"],
  input: z.strictObject({
    coach: text,
    draft: z.boolean().optional(),
    judge: z.boolean().optional(),
    junit: text.optional(),
  }),
  isChange: true,
  timeLimit: 60_000,
  async run({ coach, draft = false, judge = false, junit }, { project, folder, note, catchInterrupt }) {
    const report = junit === undefined ? undefined : await requireFolder(resolve(folder, junit), junit);
    const { client, wakeIndexer } = project();
    using interrupt = catchInterrupt();
    const { data: [profile] } = await client.from("coach_profiles").select("id,name").eq("id", coach).throwOnError();
    if (profile === undefined) throw new CommandError("Coach not found");
    const started = await startTestRun(client, { coach, judge, draft });
    note(`Run ${started.id} of ${countTests(started.total)}`);
    await wakeIndexer();
    await follow(client, { coach, started, note, wakeIndexer, signal: interrupt.signal });
    if (interrupt.signal.aborted) {
      await readTestRun(client, started.id, { stops: true });
      throw new CommandError("The run was stopped.", exitCodes.interrupted);
    }
    const run = await readTestRun(client, started.id);
    if (report !== undefined) {
      await Deno.writeTextFile(report, writeJunitReport(run, profile)).catch((error) => {
        throw new CommandError(`${showHarmlessly(report)} cannot be written: ${errorMessage(error)}`);
      });
    }
    return { json: run, text: formatTestRun(run), exitCode: isGood(run) ? exitCodes.done : exitCodes.failed };
  },
});

/** A run in which nothing could be judged says nothing, as one that somebody has stopped. */
function isGood({ status, newly_failing, results }: Run): boolean {
  return status === "done" && newly_failing.length === 0 && results.some(({ verdict }) => verdict !== "not_judged");
}

async function requireFolder(path: string, name: string): Promise<string> {
  const { isDirectory } = await Deno.stat(dirname(path)).catch(() => ({ isDirectory: false }));
  if (isDirectory) return path;
  throw new CommandError(`The folder of ${showHarmlessly(name)} does not exist.`, exitCodes.calledWrongly);
}

type Followed = Pick<CommandContext, "note"> & Pick<Project, "wakeIndexer"> & {
  coach: string;
  started: Run;
  signal: AbortSignal;
};

/** Waits until a run has ended, and notes its progress. */
async function follow(client: Client, { coach, started, note, wakeIndexer, signal }: Followed): Promise<void> {
  let last: RunSummary = started;
  let failures = 0;
  let idle = 0;
  while (!isEnded(last) && !signal.aborted) {
    await delay(pause, { signal }).catch(() => {});
    if (signal.aborted) return;
    const before = last;
    try {
      [last = before] = await summarizeTestRuns(client, { coach, run: started.id });
      failures = 0;
    } catch (error) {
      failures++;
      if (failures < mostFailures) continue;
      throw new CommandError(`${errorMessage(error)}\nThe run goes on: test run has only stopped waiting for it.`);
    }
    idle = last.done > before.done ? 0 : idle + 1;
    if (idle > 0 && idle % mostIdle === 0) await wakeIndexer();
    if (last.done > before.done) note(`${last.done} of ${countTests(last.total)}: ${last.failed} failed`);
    if (last.waits_for_budget && !before.waits_for_budget) {
      note("A budget is used up. The run waits until there is more.");
    }
  }
}

function isEnded({ status }: RunSummary): boolean {
  return status === "done" || status === "stopped";
}
