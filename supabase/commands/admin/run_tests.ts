import { dirname, resolve } from "node:path";
import { z } from "zod";
import { delay } from "../../../shared/libs/base/std/async.ts";
import { TestRun, TestRunSummary } from "../../../shared/features/coach_tests/fields.ts";
import { CommandError, errorMessage, exitCodes, refuse } from "../command_error.ts";
import { aCoach, type CommandContext, defineCommand, flag, option, text } from "./command.ts";
import type { Project } from "./open_project.ts";
import { countOf, showHarmlessly } from "./terminal_text.ts";
import { formatTestRun, writeJunitReport } from "./test_files/run_report.ts";

type Client = Project["client"];

/** The pause between two looks at a run, in milliseconds. */
const pause = 1_000;
/** Looks that may fail one after the other. */
const mostFailures = 5;
/** Looks without any progress after which the indexer is called again, before its schedule does it. */
const mostIdle = 15;

/** `npm run admin -- test run` */
export const runTests = defineCommand({
  about:
    `Asks the questions of a coach's tests, waits for the results, and shows what newly fails first. Its exit code is 1
    if a test fails that passed before, or if nothing could be judged. Ctrl-C stops the run.`,
  options: {
    coach: aCoach,
    draft: flag("ask the persona as it would be if its draft were published"),
    judge: flag("a language model judges by rubrics and references, which uses tokens"),
    junit: option("FILE", text.optional(), "also write the results to a file as JUnit XML, which CI systems read"),
  },
  isChange: true,
  timeLimit: 60_000,
  async run({ coach, draft, judge, junit }, { project, folder, note, catchInterrupt }) {
    const report = junit === undefined ? undefined : await requireFolder(resolve(folder, junit), junit);
    const { client, wakeIndexer } = project();
    using interrupt = catchInterrupt();
    const { data: [profile] } = await client.from("coach_profiles").select("id,name").eq("id", coach).throwOnError();
    if (profile === undefined) throw new CommandError("Coach not found");
    const started = await startTestRun(client, { coach, judge, draft });
    note(`Run ${started.id} of ${countOf(started.total, "test")}`);
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
  refuse(`The folder of ${showHarmlessly(name)} does not exist.`);
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
    if (last.done > before.done) note(`${last.done} of ${countOf(last.total, "test")}: ${last.failed} failed`);
    if (last.waits_for_budget && !before.waits_for_budget) {
      note("A budget is used up. The run waits until there is more.");
    }
  }
}

function isEnded({ status }: RunSummary): boolean {
  return status === "done" || status === "stopped";
}

/** A run of tests, without its results. */
type RunSummary = z.infer<typeof TestRunSummary>;

/** A run of tests, with its results. */
type Run = z.infer<typeof TestRun>;

const withContexts = z.object({
  results: z.array(z.object({ test_id: z.string(), text: z.string(), contexts: z.array(z.string()) })),
});

/** Starts a run of all tests of a coach; `draft`: of its draft. */
async function startTestRun(
  client: Client,
  { coach, judge, draft }: { coach: string; judge: boolean; draft: boolean },
): Promise<Run> {
  const { data } = await client.rpc("run_tests", { coach, judge, is_draft: draft }).throwOnError();
  return TestRun.parse(data);
}

/** The runs of a coach, newest first, or only one of them. */
export async function summarizeTestRuns(
  client: Client,
  { coach, run }: { coach: string; run?: string | undefined },
): Promise<RunSummary[]> {
  const { data } = await client.rpc("summarize_test_runs", { coach, ...run === undefined ? {} : { run } })
    .throwOnError();
  return z.array(TestRunSummary).parse(data);
}

/** A run with its results so far; `stops`: it is stopped first, if it has not ended. */
async function readTestRun(client: Client, run: string, { stops = false } = {}): Promise<Run> {
  const { data } = await client.rpc("read_test_run", { run, stops }).throwOnError();
  return TestRun.parse(data);
}

/** The answers of a run by the IDs of the tests, with the passages that the model was given. */
export async function readAnswers(
  client: Client,
  run: string,
): Promise<Map<string, { text: string; contexts: string[] }>> {
  const { data } = await client.rpc("read_test_run", { run }).throwOnError();
  return new Map(withContexts.parse(data).results.map(({ test_id, ...answer }) => [test_id, answer]));
}
