import { TestCase } from "../../../../shared/features/coach_tests/test_case.ts";

/** Tests read from a file, or what is wrong with it. */
export type ReadTests = {
  tests: TestCase[];
  /** The rows that are not tests. No test is stored if there is one. */
  faults: Fault[];
  /** Columns that say something that tests do not have. */
  unused: string[];
};

/** A row that is not a test. Rows count from 1, as in a spreadsheet or an editor. */
export type Fault = { row: number; reason: string };

/** A reason to refuse a row. */
export class RowError extends Error {
  override name = "RowError";
}

/** Checks what a row says. @throws {RowError} if the service would refuse it */
export function requireTest(value: unknown): TestCase {
  const { success, data, error } = TestCase.safeParse(value);
  if (!success) throw new RowError(error.issues[0]!.message);
  return data;
}

/** Reads rows one by one, and collects those that are refused. */
export function readRows<Row>(
  rows: [number: number, row: Row][],
  read: (row: Row) => TestCase,
): Omit<ReadTests, "unused"> {
  const tests: TestCase[] = [];
  const faults: Fault[] = [];
  for (const [number, row] of rows) {
    try {
      tests.push(read(row));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      faults.push({ row: number, reason: error.message });
    }
  }
  return { tests, faults };
}
