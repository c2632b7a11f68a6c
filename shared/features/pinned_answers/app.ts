import { defineRoute } from "../../http/route.ts";
import {
  barPassage,
  createPinnedAnswer,
  deletePinnedAnswer,
  getPinnedAnswer,
  listBarredPassages,
  listPinnedAnswers,
  unbarPassage,
  updatePinnedAnswer,
} from "./operations.ts";

const answersPath = "/coaches/:coachId{[^/]*}/answers";
const answerPath = `${answersPath}/:answerId{[^/]*}`;
const passagesPath = "/coaches/:coachId{[^/]*}/barred-passages";
const passagePath = `${passagesPath}/:passageId{[^/]*}`;

export const pinnedAnswersRoutes = [
  defineRoute({ operation: listPinnedAnswers, method: "GET", path: answersPath }),
  defineRoute({ operation: createPinnedAnswer, method: "POST", path: answersPath, body: "application/json" }),
  defineRoute({ operation: getPinnedAnswer, method: "GET", path: answerPath }),
  defineRoute({ operation: updatePinnedAnswer, method: "PATCH", path: answerPath, body: "application/json" }),
  defineRoute({ operation: deletePinnedAnswer, method: "DELETE", path: answerPath }),
  defineRoute({ operation: listBarredPassages, method: "GET", path: passagesPath }),
  defineRoute({ operation: barPassage, method: "PUT", path: passagePath }),
  defineRoute({ operation: unbarPassage, method: "DELETE", path: passagePath }),
];
