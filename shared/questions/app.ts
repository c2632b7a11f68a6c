import { type AnyRoute, defineRoute } from "../http/route.ts";
import { answerQuestion, dismissQuestion, listQuestions, reopenQuestion } from "./operations.ts";

const questionPath = "/coaches/:coachId{[^/]*}/questions/:questionId{[^/]*}";

/** Routes of the function `coaches`. */
export const questionsRoutesOfCoaches: AnyRoute[] = [
  defineRoute({ operation: listQuestions, method: "GET", path: "/coaches/:coachId{[^/]*}/questions" }),
  defineRoute({ operation: dismissQuestion, method: "POST", path: `${questionPath}/dismiss` }),
  defineRoute({ operation: reopenQuestion, method: "POST", path: `${questionPath}/reopen` }),
  defineRoute({
    operation: answerQuestion,
    method: "POST",
    path: `${questionPath}/answer`,
    body: "application/json",
  }),
];

/** Routes of the function `threads`. */
export const questionsRoutesOfThreads: AnyRoute[] = [];
