import { defineRoute } from "../../http/route.ts";
import { answerQuestion, dismissQuestion, dismissQuestions, listQuestions, reopenQuestion } from "./operations.ts";

const questionPath = "/coaches/:coachId{[^/]*}/questions/:questionId{[^/]*}";

export const questionsRoutes = [
  defineRoute({ operation: listQuestions, method: "GET", path: "/coaches/:coachId{[^/]*}/questions" }),
  defineRoute({
    operation: dismissQuestions,
    method: "POST",
    path: "/coaches/:coachId{[^/]*}/questions/dismiss",
    body: "application/json",
  }),
  defineRoute({ operation: dismissQuestion, method: "POST", path: `${questionPath}/dismiss` }),
  defineRoute({ operation: reopenQuestion, method: "POST", path: `${questionPath}/reopen` }),
  defineRoute({
    operation: answerQuestion,
    method: "POST",
    path: `${questionPath}/answer`,
    body: "application/json",
  }),
];
