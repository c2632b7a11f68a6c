import type { Examples } from "../describe_endpoint.ts";
import { exampleBarredPassage, exampleOpenQuestion, examplePinnedAnswer } from "./things.ts";
import { AnswerSheet } from "../../../features/pinned_answers/export_pinned_answers.ts";

const text = {
  question: examplePinnedAnswer.question,
  variants: examplePinnedAnswer.variants,
  answer: examplePinnedAnswer.answer,
};

export const questionsExamples: Examples = {
  listQuestions: { example: { data: [exampleOpenQuestion], count: 1 } },
  dismissQuestion: { example: { ...exampleOpenQuestion, status: "dismissed" } },
  dismissQuestions: {
    bodyExamples: {
      thread: { summary: "Those of a thread", value: { thread_id: exampleOpenQuestion.thread_id } },
      person: { summary: "Those of its person", value: { thread_id: exampleOpenQuestion.thread_id, of_person: true } },
    },
    example: { question_ids: [exampleOpenQuestion.id] },
  },
  reopenQuestion: { example: exampleOpenQuestion },
  answerQuestion: {
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
    example: {
      ...exampleOpenQuestion,
      status: "answered",
      pinned_answer_id: "7d2f6c1a-8d0e-4a52-9b1c-3e5a4c2f1b90",
      notified: 3,
    },
  },
  listPinnedAnswers: { example: { data: [examplePinnedAnswer], count: 1 } },
  getPinnedAnswer: {
    example: {
      ...examplePinnedAnswer,
      versions: [
        {
          ...text,
          is_active: true,
          version: 2,
          written_by: examplePinnedAnswer.written_by,
          written_at: examplePinnedAnswer.updated_at,
        },
        {
          ...text,
          answer: "Listen to each of them before you change anything.",
          is_active: true,
          version: 1,
          written_by: null,
          written_at: examplePinnedAnswer.created_at,
        },
      ],
    },
  },
  createPinnedAnswer: {
    bodyExamples: { answer: { value: text } },
    example: { ...examplePinnedAnswer, version: 1, hits: 0, near_hits: 0 },
  },
  updatePinnedAnswer: {
    bodyExamples: {
      text: { value: { answer: examplePinnedAnswer.answer } },
      pause: { summary: "Deactivate it", value: { is_active: false } },
    },
    example: examplePinnedAnswer,
  },
  deletePinnedAnswer: { example: { message: "Pinned answer deleted successfully", answerId: examplePinnedAnswer.id } },
  importPinnedAnswers: {
    bodyExamples: {
      preview: { value: { csv: "question,answer\r\nMay dogs come along?,Yes.\r\n", preview: true } },
    },
    example: {
      preview: true,
      added: 1,
      changed: 0,
      unchanged: 0,
      refused: 0,
      rows: [{
        row: 2,
        status: "added",
        question: "May dogs come along?",
        variants: null,
        answer: "Yes.",
        is_active: null,
        answer_id: null,
        previous: null,
        field: null,
        reason: null,
      }],
      unused_columns: [],
    },
  },
  exportPinnedAnswers: {
    replyHeaders: {
      "Content-Disposition": {
        schema: { type: "string" },
        required: true,
        description: "A name for the file: `attachment; filename=…`",
      },
    },
    streams: {
      "text/csv": {
        schema: AnswerSheet,
        example: "question,answer,variants,is_active\r\nMay dogs come along?,Yes.,,true\r\n",
      },
    },
  },
  listBarredPassages: { example: { data: [exampleBarredPassage], count: 1 } },
  barPassage: { example: exampleBarredPassage },
  unbarPassage: { example: { message: "The passage may be used again", passageId: exampleBarredPassage.passage_id } },
};
