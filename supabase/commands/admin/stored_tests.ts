import type { SupabaseClient } from "@supabase/supabase-js";
import { TestCase } from "../../../shared/features/persona_tests/schemas.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { readAllByOffset } from "./read_all.ts";

/** A test of a coach, as it is stored. */
export type StoredTest = Required<TestCase> & { id: string; updated_at: string };

/** Reads the tests of a coach, in the order in which they were added. */
export async function readTests(client: SupabaseClient<Database>, coachId: string): Promise<StoredTest[]> {
  const rows = await readAllByOffset(
    ({ from, to }) =>
      client.from("test_cases").select("id,question,history,expect,updated_at").eq("coach_id", coachId).order("number")
        .range(from, to).throwOnError(),
    ({ id }) => id,
  );
  return rows.map(({ id, updated_at, ...test }) => {
    const { question, history = [], expect = {} } = TestCase.parse(test);
    return { id, question, history, expect, updated_at };
  });
}

/** A number of tests, in words. */
export function countTests(count: number): string {
  return count === 1 ? "1 test" : `${count} tests`;
}
