import type * as z from "zod/mini";
import type { TestResult, TestRun } from "../../../../shared/features/persona_tests/replies.ts";

/** A run with its results, as far as files about it need it. */
export type FinishedRun = Pick<z.infer<typeof TestRun>, "id" | "status" | "newly_failing" | "created_at"> & {
  results: FinishedTest[];
};

/** The result of a test in a run. */
export type FinishedTest = Pick<
  z.infer<typeof TestResult>,
  "test_id" | "question" | "verdict" | "reasons" | "text" | "time_ms"
>;
