import type { Descriptions } from "../describe_endpoint.ts";
import { exampleBarredPassage, exampleOpenQuestion, examplePinnedAnswer } from "../examples.ts";
import { AnswerSheet } from "../../../features/pinned_answers/export_pinned_answers.ts";

const text = {
  question: examplePinnedAnswer.question,
  variants: examplePinnedAnswer.variants,
  answer: examplePinnedAnswer.answer,
};

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
  listPinnedAnswers: {
    summary: "List the pinned answers of a coach",
    description:
      "All pinned answers, most recently changed first. With `limit` or `cursor`, one page of them. Like all " +
      "operations on pinned answers, only for the expert behind the coach.",
    reply: {
      description: "The pinned answers; the list may be empty",
      example: { data: [examplePinnedAnswer], count: 1 },
    },
  },
  getPinnedAnswer: {
    summary: "Get a pinned answer",
    description: "A pinned answer with its versions: what each said, who wrote it, and when.",
    reply: {
      description: "The pinned answer with its versions",
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
  },
  createPinnedAnswer: {
    summary: "Pin an answer to a question",
    description:
      "From now on, a message that asks this question gets this answer word for word, without the model. Two " +
      "questions are the same if they have the same words in the same order. Case, accents, punctuation, " +
      "articles, word endings, and polite phrases at the beginning or end are ignored. For similar questions, " +
      "the model is given this answer to work from.\n\nA coach has each question only once, including variants. " +
      "A duplicate is refused with 409 and the `answerId` of the pinned answer that already has it.",
    bodyExamples: { answer: { value: text } },
    reply: { description: "The pinned answer", example: { ...examplePinnedAnswer, version: 1, hits: 0, near_hits: 0 } },
  },
  updatePinnedAnswer: {
    summary: "Change a pinned answer",
    description:
      "Changes the fields that are sent, at least one. The previous text is kept as a version. Answers already " +
      "given from it do not change.",
    bodyExamples: {
      text: { value: { answer: examplePinnedAnswer.answer } },
      pause: { summary: "Deactivate it", value: { is_active: false } },
    },
    reply: { description: "The changed pinned answer", example: examplePinnedAnswer },
  },
  deletePinnedAnswer: {
    summary: "Delete a pinned answer",
    description: "Deletes a pinned answer and its versions. Answers already given from it do not change.",
    reply: {
      description: "The pinned answer was deleted",
      example: { message: "Pinned answer deleted successfully", answerId: examplePinnedAnswer.id },
    },
  },
  importPinnedAnswers: {
    summary: "Import a sheet of questions and answers",
    description: "Pins the answers of a CSV file. Commas, semicolons or tabs separate columns. Their names " +
      "are in the first row, in any order and case: `question` and `answer`, and optionally `variants` (one a line " +
      "in a cell) and `is_active`. Annotations that were exported from Dify, and FAQ files of Chatwoot, are read as " +
      "they are.\n\nA row whose question is pinned already changes that answer; a row that says the same " +
      "changes nothing, so importing a sheet twice adds nothing. If the question is only a variant of the pinned " +
      "answer, its question and variants stay. Columns that are left out, and blank cells of `is_active`, leave " +
      "what is pinned as it is. A sheet with a row that cannot be used is refused, and the reply names all such " +
      "rows. A long sheet is stored in parts: if the request is interrupted, the same sheet stores the rest.\n\nWith `preview`, nothing is stored: the reply shows what would become of each row.",
    bodyExamples: {
      preview: { value: { csv: "question,answer\r\nMay dogs come along?,Yes.\r\n", preview: true } },
    },
    reply: {
      description: "What became of each row, or would",
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
  },
  exportPinnedAnswers: {
    summary: "Export the pinned answers as a sheet",
    description:
      "All pinned answers as a CSV file for spreadsheets, oldest first, in the form in which they are imported. An " +
      "apostrophe is added before texts that a spreadsheet would compute; an import leaves it out again.",
    reply: { description: "The sheet, as a file to be saved" },
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
  listBarredPassages: {
    summary: "List the barred passages of a coach",
    description:
      "The passages that answers must not use, newest first. With `limit` or `cursor`, one page of them. Only " +
      "for the expert behind the coach.",
    reply: {
      description: "The barred passages; the list may be empty",
      example: { data: [exampleBarredPassage], count: 1 },
    },
  },
  barPassage: {
    summary: "Bar a passage from answers",
    description:
      "New answers no longer use the passage, whichever of the coach's files contains it, and even after the " +
      "file is indexed again. The file search still finds it.",
    reply: { description: "The passage, with its text if a file still contains it", example: exampleBarredPassage },
  },
  unbarPassage: {
    summary: "Let answers use a passage again",
    description: "New answers may use the passage again.",
    reply: {
      description: "The passage is no longer barred",
      example: { message: "The passage may be used again", passageId: exampleBarredPassage.passage_id },
    },
  },
};
