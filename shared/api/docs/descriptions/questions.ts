import type { Descriptions } from "../description.ts";
import { exampleOpenQuestion } from "../examples.ts";

export const questionsDescriptions: Descriptions = {
  listQuestions: {
    summary: "List open questions",
    description:
      "Questions that the coach could not answer well, those that most people asked first, and of those that as many " +
      "people asked, the latest first. A person can open at most ten questions a day. With `limit` or " +
      "`cursor`, one page of them instead of all. The same question in the same words is listed once, " +
      "immediately; in other words, it is merged once the worker has compared them. For the expert behind the " +
      "coach: its own user, signed in, or a key that acts alone.\n\nWith `include=askings`, each comes with the " +
      "number of threads that get an answer, and with the people who have asked in other words.",
    reply: {
      description: "The questions; the list may be empty",
      example: { data: [exampleOpenQuestion], count: 1 },
    },
  },
  dismissQuestion: {
    summary: "Dismiss a question",
    description:
      "Removes a question from the open ones. It is still counted. A dismissed question reopens automatically " +
      "once the number of people who asked it has doubled, with at least three new ones.",
    reply: { description: "The changed question", example: { ...exampleOpenQuestion, status: "dismissed" } },
  },
  dismissQuestions: {
    summary: "Dismiss all questions of a thread or a person",
    description:
      "Dismisses the open questions that the person of a thread has asked in it or, with `of_person`, in any thread " +
      "with this coach. A question that somebody else has asked, too, stays open.",
    bodyExamples: {
      thread: { summary: "Those of a thread", value: { thread_id: exampleOpenQuestion.thread_id } },
      person: { summary: "Those of its person", value: { thread_id: exampleOpenQuestion.thread_id, of_person: true } },
    },
    reply: { description: "The dismissed questions", example: { question_ids: [exampleOpenQuestion.id] } },
  },
  reopenQuestion: {
    summary: "Reopen a question",
    description: "Moves an answered or dismissed question back to the open ones.",
    reply: { description: "The changed question", example: exampleOpenQuestion },
  },
  answerQuestion: {
    summary: "Answer a question",
    description:
      "Pins an answer to the question: from now on, anyone who asks it gets the answer word for word. If the " +
      "question already has a pinned answer, this text replaces it. The question then counts as answered. If it " +
      "is asked again and not answered well, the question reopens.\n\nUnless `notify` is false, the answer is also " +
      "put into the threads in which the question was asked, as a message of the expert, even while an answer is " +
      "being written there. It is no takeover, and ends no waiting. Each thread gets it once, and again if the " +
      "question is answered with another text. Archived threads are left out. The message belongs to the person's own question: its source " +
      "quotes it, and lists of messages with `include=author` name it as `reply_to`. Someone who asked in other " +
      "words, which a model has found to mean the same, gets it only if `notify` names the asking.",
    bodyExamples: {
      answer: { value: { answer: "Yes: begin with twelve hours, and drink water.", variants: ["Can I fast?"] } },
      silent: { summary: "Tell nobody", value: { answer: "Yes: begin with twelve hours.", notify: false } },
      merged: {
        summary: "Also tell someone who asked in other words",
        value: {
          answer: "Yes: begin with twelve hours.",
          notify: { askings: ["4be0643f-1d98-473b-97cd-ca98a65347dd"] },
        },
      },
    },
    reply: {
      description: "The question, with its pinned answer",
      example: {
        ...exampleOpenQuestion,
        status: "answered",
        pinned_answer_id: "7d2f6c1a-8d0e-4a52-9b1c-3e5a4c2f1b90",
        notified: 3,
      },
    },
  },
};
