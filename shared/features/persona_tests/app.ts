import { defineRoute } from "../../http/route.ts";
import {
  createTest,
  deleteTest,
  getTestRun,
  listTestRuns,
  listTests,
  startTestRun,
  stopTestRun,
  updateTest,
} from "./operations.ts";

const testsPath = "/coaches/:coachId{[^/]*}/tests";
const testPath = `${testsPath}/:testId{[^/]*}`;
const runsPath = "/coaches/:coachId{[^/]*}/test-runs";
const runPath = `${runsPath}/:runId{[^/]*}`;

export const personaTestsRoutes = [
  defineRoute({ operation: listTests, method: "GET", path: testsPath }),
  defineRoute({ operation: createTest, method: "POST", path: testsPath, body: "application/json" }),
  defineRoute({ operation: updateTest, method: "PATCH", path: testPath, body: "application/json" }),
  defineRoute({ operation: deleteTest, method: "DELETE", path: testPath }),
  defineRoute({ operation: listTestRuns, method: "GET", path: runsPath }),
  defineRoute({ operation: startTestRun, method: "POST", path: runsPath, body: "application/json" }),
  defineRoute({ operation: getTestRun, method: "GET", path: runPath }),
  defineRoute({ operation: stopTestRun, method: "POST", path: `${runPath}/stop` }),
];
