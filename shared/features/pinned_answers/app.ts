import { defineRoute } from "../../http/route.ts";
import {
  barPassage,
  createPinnedAnswer,
  deletePinnedAnswer,
  exportPinnedAnswers,
  getPinnedAnswer,
  importPinnedAnswers,
  listBarredPassages,
  listPinnedAnswers,
  unbarPassage,
  updatePinnedAnswer,
} from "./operations.ts";

const answersPath = "/coaches/:coachId{[^/]*}/answers";
const importPath = `${answersPath}/import`;
const exportPath = `${answersPath}/export`;
const answerPath = `${answersPath}/:answerId{[^/]*}`;
const passagesPath = "/coaches/:coachId{[^/]*}/barred-passages";
const passagePath = `${passagesPath}/:passageId{[^/]*}`;

// Of two paths that match, the first is meant.
export const pinnedAnswersRoutes = [
  defineRoute({ operation: listPinnedAnswers, method: "GET", path: answersPath }),
  defineRoute({ operation: createPinnedAnswer, method: "POST", path: answersPath, body: "application/json" }),
  defineRoute({
    operation: importPinnedAnswers,
    method: "POST",
    path: importPath,
    body: "application/json",
    maxBytes: 4 * 1024 * 1024,
  }),
  defineRoute({
    operation: exportPinnedAnswers,
    method: "GET",
    path: exportPath,
    reply: async () => (await import("./reply_with_sheet.ts")).replyWithSheet,
  }),
  defineRoute({ operation: getPinnedAnswer, method: "GET", path: answerPath }),
  defineRoute({ operation: updatePinnedAnswer, method: "PATCH", path: answerPath, body: "application/json" }),
  defineRoute({ operation: deletePinnedAnswer, method: "DELETE", path: answerPath }),
  defineRoute({ operation: listBarredPassages, method: "GET", path: passagesPath }),
  defineRoute({ operation: barPassage, method: "PUT", path: passagePath }),
  defineRoute({ operation: unbarPassage, method: "DELETE", path: passagePath }),
];
