import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

// Many tests at once are no operation: operators import them with SQL `import_tests`, all of them or none.

const ofExperts = () => [errors.notTheExpert(), errors.roleNotSufficient(), errors.coachNotFound()];

export const listTests = defineOperation({
  name: "listTests",
  scope: "expert",
  failure: "Failed to fetch tests",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ListTestsInput,
  output: async () => (await import("./replies.ts")).PersonaTestList,
  verb: async () => (await import("./list_tests.ts")).listTests,
});

export const createTest = defineOperation({
  name: "createTest",
  scope: "expert",
  failure: "Failed to save the test",
  errors: () => [...ofExperts(), errors.threadNotFound(), errors.tooManyTests()],
  input: async () => (await import("./schemas.ts")).CreateTestInput,
  output: async () => (await import("./replies.ts")).PersonaTest,
  verb: async () => (await import("./write_test_case.ts")).createTest,
});

export const updateTest = defineOperation({
  name: "updateTest",
  scope: "expert",
  failure: "Failed to update the test",
  isRepeatable: true,
  errors: () => [...ofExperts(), errors.testNotFound()],
  input: async () => (await import("./schemas.ts")).UpdateTestInput,
  output: async () => (await import("./replies.ts")).PersonaTest,
  verb: async () => (await import("./write_test_case.ts")).updateTest,
});

export const deleteTest = defineOperation({
  name: "deleteTest",
  scope: "expert",
  failure: "Failed to delete the test",
  errors: () => [...ofExperts(), errors.testNotFound()],
  input: async () => (await import("./schemas.ts")).DeleteTestInput,
  output: async () => (await import("./replies.ts")).DeletedPersonaTest,
  verb: async () => (await import("./delete_test_case.ts")).deleteTest,
});

export const startTestRun = defineOperation({
  name: "startTestRun",
  scope: "expert",
  failure: "Failed to start the tests",
  errors: () => [...ofExperts(), errors.testNotFound(), errors.noTests(), errors.tooManyTestRuns()],
  input: async () => (await import("./schemas.ts")).StartTestRunInput,
  output: async () => (await import("./replies.ts")).TestRun,
  verb: async () => (await import("./start_test_run.ts")).startTestRun,
});

export const listTestRuns = defineOperation({
  name: "listTestRuns",
  scope: "expert",
  failure: "Failed to fetch test runs",
  errors: ofExperts,
  input: async () => (await import("./schemas.ts")).ListTestRunsInput,
  output: async () => (await import("./replies.ts")).TestRunList,
  verb: async () => (await import("./list_test_runs.ts")).listTestRuns,
});

export const getTestRun = defineOperation({
  name: "getTestRun",
  scope: "expert",
  failure: "Failed to fetch the test run",
  errors: () => [...ofExperts(), errors.testRunNotFound()],
  input: async () => (await import("./schemas.ts")).TestRunInput,
  output: async () => (await import("./replies.ts")).TestRun,
  verb: async () => (await import("./get_test_run.ts")).getTestRun,
});

export const stopTestRun = defineOperation({
  name: "stopTestRun",
  scope: "expert",
  failure: "Failed to stop the tests",
  isRepeatable: true,
  errors: () => [...ofExperts(), errors.testRunNotFound()],
  input: async () => (await import("./schemas.ts")).TestRunInput,
  output: async () => (await import("./replies.ts")).TestRun,
  verb: async () => (await import("./get_test_run.ts")).stopTestRun,
});
