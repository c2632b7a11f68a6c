import { dirname, resolve } from "node:path";
import { z } from "zod";
import { delay } from "../../../shared/libs/base/std/async.ts";
import { type TestResult, TestRun, TestRunSummary } from "../../../shared/features/coach_tests/fields.ts";
import { CommandError, errorMessage, exitCodes, refuse } from "../command_error.ts";
import { aCoach, type CommandContext, defineCommand, flag, option, text } from "./command.ts";
import type { Project } from "./open_project.ts";
import { requireRow } from "./read_rows.ts";
import { countOf, showHarmlessly } from "./terminal_text.ts";

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
    const profile = await requireRow("Coach", client.from("coach_profiles").select("id,name").eq("id", coach));
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

type RunSummary = z.infer<typeof TestRunSummary>;

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

/** A run with its results, as far as files about it need it. */
export type FinishedRun = Pick<z.infer<typeof TestRun>, "id" | "status" | "newly_failing" | "created_at"> & {
  results: FinishedTest[];
};

/** The result of a test in a run. */
export type FinishedTest = Pick<
  z.infer<typeof TestResult>,
  "test_id" | "question" | "verdict" | "reasons" | "text" | "time_ms"
>;

/** A run for people: what newly fails first, what passes as before only counted. */
function formatTestRun(
  { id, status, results, newly_failing, newly_passing }: FinishedRun & { newly_passing: string[] },
): string {
  const of = (verdict: FinishedTest["verdict"]) => results.filter((result) => result.verdict === verdict);
  const isNew = ({ test_id }: FinishedTest) => newly_failing.includes(test_id);
  const failed = of("failed");
  const sections = [
    formatSection("Newly failing", failed.filter(isNew)),
    formatSection("Failing as before, or for the first time", failed.filter((result) => !isNew(result))),
    formatSection("Not judged", of("not_judged")),
    formatSection("Newly passing", results.filter(({ test_id }) => newly_passing.includes(test_id))),
  ];
  const counts = [
    `${of("passed").length} passed`,
    `${failed.length} failed${newly_failing.length > 0 ? ` (${newly_failing.length} newly)` : ""}`,
    ...of("not_judged").length > 0 ? [`${of("not_judged").length} not judged`] : [],
  ];
  const stopped = status === "stopped" ? "The run was stopped. " : "";
  return [...sections.filter((section) => section !== ""), `${stopped}${counts.join(", ")}. Run ${id}`].join("\n\n");
}

function formatSection(title: string, results: FinishedTest[]): string {
  if (results.length === 0) return "";
  return [
    `${title}:`,
    ...results.flatMap(({ test_id, question, reasons, verdict }) => [
      `  ${showHarmlessly(question)}  (${test_id})`,
      ...verdict === "passed" ? [] : reasons.map((reason) => `    ${showHarmlessly(reason)}`),
    ]),
  ].join("\n");
}

/** The most characters of a question in the name of a test. */
const mostOfName = 200;

/** Writes a run of a coach as JUnit XML for CI systems: tests that were not judged are skipped. */
export function writeJunitReport(run: FinishedRun, coach: { id: string; name: string }): string {
  const count = (verdict: FinishedTest["verdict"]) => run.results.filter((each) => each.verdict === verdict).length;
  const counts = {
    tests: run.results.length,
    failures: count("failed"),
    errors: 0,
    skipped: count("not_judged"),
    time: seconds(run.results.reduce((sum, { time_ms }) => sum + time_ms, 0)),
  };
  const isNew = ({ test_id }: FinishedTest) => run.newly_failing.includes(test_id);
  const names = nameTests(run.results);
  const cases = run.results.toSorted((one, other) => Number(isNew(other)) - Number(isNew(one))).map((result) => {
    const attributes = { name: names.get(result.test_id)!, classname: coach.id, time: seconds(result.time_ms) };
    return element("testcase", attributes, describe(result, isNew(result)));
  });
  const suite = { name: coach.name, ...counts, timestamp: run.created_at, id: run.id };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    element("testsuites", { name: "Tests of a persona", ...counts }, element("testsuite", suite, cases.join("")))
  }`;
}

function describe({ verdict, reasons, text }: FinishedTest, isNew: boolean): string {
  if (verdict === "passed") return "";
  if (verdict === "not_judged") return element("skipped", { message: reasons.join("\n") }, "");
  const type = isNew ? "newly failing" : "failing as before";
  const body = escape([...reasons, "", "The answer:", text].join("\n"));
  return element("failure", { message: `${isNew ? "Newly failing: " : ""}${reasons.join("\n")}`, type }, body);
}

/** Names tests by their questions. CI systems tell tests apart by name: a question that several ask gets their IDs. */
function nameTests(results: FinishedTest[]): Map<string, string> {
  const names = results.map(({ question }) => {
    const characters = Array.from(question.replaceAll(/\s+/g, " ").trim());
    return characters.length > mostOfName ? `${characters.slice(0, mostOfName - 1).join("")}…` : characters.join("");
  });
  return new Map(results.map(({ test_id }, index) => {
    const name = names[index]!;
    return [test_id, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${test_id})`];
  }));
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** Writes an element on lines of its own. The content is XML already. */
function element(name: string, attributes: Record<string, string | number>, content: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`).join(
    "",
  );
  if (content === "") return `<${name}${written}/>\n`;
  const isText = name === "failure";
  return `<${name}${written}>${isText ? "" : "\n"}${content}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };
/** Characters that XML cannot have in any form. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escape(text: string): string {
  return text.replaceAll(impossible, "\ufffd").replaceAll(/[&<>"\r]/g, (character) => entities[character]!);
}

/** Parsers make spaces of line breaks in attributes. */
function escapeAttribute(text: string): string {
  return escape(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}
