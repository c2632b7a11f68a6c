import * as z from "zod/mini";
import { TestResult, TestRun, TestRunSummary } from "../../../shared/features/persona_tests/replies.ts";
import type { Project } from "./open_project.ts";

type Client = Project["client"];

/** A run of tests, without its results. */
export type RunSummary = z.infer<typeof TestRunSummary>;

/** A run of tests, with its results. */
export type Run = z.infer<typeof TestRun>;

const withContexts = z.object({
  results: z.array(z.extend(z.pick(TestResult, { test_id: true, text: true }), { contexts: z.array(z.string()) })),
});

/** Starts a run of all tests of a coach; `draft`: of its draft. */
export async function startTestRun(
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
export async function readTestRun(client: Client, run: string, { stops = false } = {}): Promise<Run> {
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
