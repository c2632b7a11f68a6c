import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Page, pageSizeOf } from "../../core/wire/paging.ts";
import type { TestCase } from "./schemas.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The coach of the tests, and the caller. */
export type ExpertAccess = {
  coachId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

/** A test, and the caller. Null: no test can have such an ID. */
export type TestAccess = ExpertAccess & { testId: string | null };

/** A run, and the caller. Null: no run can have such an ID. */
export type RunAccess = ExpertAccess & { runId: string | null };

const columnsOf = ({ coachId, userId }: ExpertAccess) => ({ coach_id: coachId, user_id: userId });

const pageColumns = (page: Page) => ({
  page_size: pageSizeOf(page),
  after_number: page.cursor === undefined ? null : Number(page.cursor),
});

/** The tests of a coach whose questions contain all words of the search, newest first. */
export async function listTests(
  database: AccountDatabase,
  access: ExpertAccess,
  { search, ...page }: Page & { search?: string },
): Promise<Json> {
  return await database.callForBytes("list_tests", {
    ...columnsOf(access),
    search: search ?? null,
    ...pageColumns(page),
  });
}

/** Adds a test, and returns it. */
export async function createTest(
  database: AccountDatabase,
  access: ExpertAccess,
  { question, history = [], expect = {} }: TestCase,
  threadId: string | null,
): Promise<Json> {
  return await database.callForBytes("create_test", {
    ...columnsOf(access),
    question,
    history,
    expect,
    thread_id: threadId,
  });
}

/** Changes the fields that are passed of a test, and returns it. */
export async function updateTest(
  database: AccountDatabase,
  { testId, ...access }: TestAccess,
  { question, history, expect }: Partial<TestCase>,
): Promise<Json> {
  return await database.callForBytes("update_test", {
    ...columnsOf(access),
    test_id: testId,
    question: question ?? null,
    history: history ?? null,
    expect: expect ?? null,
  });
}

/** Deletes a test with its results. */
export async function deleteTest(database: AccountDatabase, { testId, ...access }: TestAccess): Promise<Json> {
  return await database.callForBytes("delete_test", { ...columnsOf(access), test_id: testId });
}

/** Starts a run of tests, null for all of the coach, and returns it. */
export async function startTestRun(
  database: AccountDatabase,
  access: ExpertAccess,
  { judge, tests, isDraft }: { judge: boolean; tests: string[] | null; isDraft: boolean },
): Promise<Json> {
  return await database.callForBytes("start_test_run", { ...columnsOf(access), judge, tests, is_draft: isDraft });
}

/** The runs of a coach, newest first. */
export async function listTestRuns(database: AccountDatabase, access: ExpertAccess, page: Page): Promise<Json> {
  return await database.callForBytes("list_test_runs", { ...columnsOf(access), ...pageColumns(page) });
}

/** A run with its results so far. `stops`: it is stopped first, if it has not ended. */
export async function getTestRun(
  database: AccountDatabase,
  { runId, ...access }: RunAccess,
  { stops }: { stops: boolean },
): Promise<Json> {
  return await database.callForBytes("get_test_run", { ...columnsOf(access), run_id: runId, stops });
}
