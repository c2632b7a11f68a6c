import type { Descriptions } from "../description.ts";
import { exampleOpenQuestion } from "../examples.ts";

const tags = ["Expert"];

export const questionsDescriptions: Descriptions = {
  listQuestions: {
    summary: "List open questions",
    description:
      "What people asked this coach and the persona could not answer well, those that most people have asked first; " +
      "`limit` or `cursor` ask for a page instead of all. What says the same is one question: the same words at once, " +
      "other words when the worker has looked at them. For the expert behind the coach: its own user, signed in, or a " +
      "key that acts alone.",
    tags,
    reply: {
      description: "The questions; none is an empty list",
      example: { data: [exampleOpenQuestion], count: 1 },
    },
  },
  dismissQuestion: {
    summary: "Dismiss a question",
    description:
      "Takes a question out of the open ones. It goes on counting, and opens again by itself when as many further " +
      "people as had asked by now, and at least three, have asked it.",
    tags,
    reply: { description: "The question as it is now", example: { ...exampleOpenQuestion, status: "dismissed" } },
  },
  reopenQuestion: {
    summary: "Reopen a question",
    description: "Puts a question that was answered or dismissed back to the open ones.",
    tags,
    reply: { description: "The question as it is now", example: exampleOpenQuestion },
  },
  answerQuestion: {
    summary: "Answer a question",
    description:
      "Pins an answer to the question: from now on, who asks it is given the answer word for word. Where the same " +
      "question has a pinned answer already, this text takes its place. The question counts as answered. When it is " +
      "asked again all the same, the answer has not reached the person, and it opens again.",
    tags,
    bodyExamples: {
      answer: { value: { answer: "Yes: begin with twelve hours, and drink water.", variants: ["Can I fast?"] } },
    },
    reply: {
      description: "The question, with its pinned answer",
      example: {
        ...exampleOpenQuestion,
        status: "answered",
        pinned_answer_id: "7d2f6c1a-8d0e-4a52-9b1c-3e5a4c2f1b90",
      },
    },
  },
};
