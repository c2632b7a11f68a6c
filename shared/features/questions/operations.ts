import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";

export const listQuestions = defineOperation({
  name: "listQuestions",
  scope: "expert",
  failure: "Failed to fetch questions",
  errors: () => [errors.notTheExpert(), errors.coachNotFound()],
  input: async () => (await import("./schemas.ts")).ListQuestionsInput,
  output: async () => (await import("./replies.ts")).QuestionList,
  verb: async () => (await import("./list_questions.ts")).listQuestions,
});

const errorsOfQuestions = () => [errors.notTheExpert(), errors.coachNotFound(), errors.questionNotFound()];

export const dismissQuestion = defineOperation({
  name: "dismissQuestion",
  scope: "expert",
  failure: "Failed to dismiss the question",
  isRepeatable: true,
  errors: errorsOfQuestions,
  input: async () => (await import("./schemas.ts")).DecideQuestionInput,
  output: async () => (await import("./replies.ts")).OpenQuestion,
  verb: async () => (await import("./decide_question.ts")).dismissQuestion,
});

export const dismissQuestions = defineOperation({
  name: "dismissQuestions",
  scope: "expert",
  failure: "Failed to dismiss the questions",
  isRepeatable: true,
  errors: () => [errors.notTheExpert(), errors.coachNotFound(), errors.threadNotFound()],
  input: async () => (await import("./schemas.ts")).DismissQuestionsInput,
  output: async () => (await import("./replies.ts")).DismissedQuestions,
  verb: async () => (await import("./decide_question.ts")).dismissQuestions,
});

export const reopenQuestion = defineOperation({
  name: "reopenQuestion",
  scope: "expert",
  failure: "Failed to reopen the question",
  isRepeatable: true,
  errors: errorsOfQuestions,
  input: async () => (await import("./schemas.ts")).DecideQuestionInput,
  output: async () => (await import("./replies.ts")).OpenQuestion,
  verb: async () => (await import("./decide_question.ts")).reopenQuestion,
});

export const answerQuestion = defineOperation({
  name: "answerQuestion",
  scope: "expert",
  failure: "Failed to answer the question",
  // The same answer twice is pinned once, and nobody is told twice.
  isRepeatable: true,
  errors: errorsOfQuestions,
  input: async () => (await import("./schemas.ts")).AnswerQuestionInput,
  output: async () => (await import("./replies.ts")).AnsweredQuestion,
  verb: async () => (await import("./answer_question.ts")).answerQuestion,
});
