import type { Descriptions } from "../description.ts";
import { exampleBarredPassage, examplePinnedAnswer } from "../examples.ts";

const tags = ["Expert"];

const text = {
  question: examplePinnedAnswer.question,
  variants: examplePinnedAnswer.variants,
  answer: examplePinnedAnswer.answer,
};

export const pinnedAnswersDescriptions: Descriptions = {
  listPinnedAnswers: {
    summary: "List the pinned answers of a coach",
    description:
      "All answers of the expert, the newest change first; `limit` or `cursor` ask for a page instead. Only for the " +
      "expert behind the coach, as everything about pinned answers.",
    tags,
    reply: {
      description: "The pinned answers; none is an empty list",
      example: { data: [examplePinnedAnswer], count: 1 },
    },
  },
  getPinnedAnswer: {
    summary: "Get a pinned answer",
    description: "A pinned answer, with who wrote what of it and when.",
    tags,
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
      "From then on, a message that asks this question gets this answer word for word, without the model. The same " +
      "question is one with the same words in the same order; case, accents, punctuation, articles, endings, and words " +
      "of politeness at its beginning or end do not count. To questions that are near, the model answers with what is " +
      "said here in view.\n\n" +
      "A coach has each question once, variants included: otherwise the reply is a 409 with the `answerId` that has it.",
    tags,
    bodyExamples: { answer: { value: text } },
    reply: { description: "The pinned answer", example: { ...examplePinnedAnswer, version: 1, hits: 0, near_hits: 0 } },
  },
  updatePinnedAnswer: {
    summary: "Change a pinned answer",
    description:
      "Changes the fields that are sent, at least one, and keeps what was said before as a version. Answers that were " +
      "given from it stay.",
    tags,
    bodyExamples: {
      text: { value: { answer: examplePinnedAnswer.answer } },
      pause: { summary: "Use it no more", value: { is_active: false } },
    },
    reply: { description: "The pinned answer as it is now", example: examplePinnedAnswer },
  },
  deletePinnedAnswer: {
    summary: "Delete a pinned answer",
    description: "Deletes a pinned answer with its versions. Answers that were given from it stay.",
    tags,
    reply: {
      description: "The pinned answer is gone",
      example: { message: "Pinned answer deleted successfully", answerId: examplePinnedAnswer.id },
    },
  },
  listBarredPassages: {
    summary: "List the barred passages of a coach",
    description:
      "The passages that answers do not draw on, the newest first; `limit` or `cursor` ask for a page instead. Only for " +
      "the expert behind the coach.",
    tags,
    reply: {
      description: "The barred passages; none is an empty list",
      example: { data: [exampleBarredPassage], count: 1 },
    },
  },
  barPassage: {
    summary: "Bar a passage from answers",
    description:
      "Answers that are begun from now on do not draw on the passage, in whatever file of the coach it stands, also when " +
      "the file is read again. The search of files still finds it.",
    tags,
    reply: { description: "The passage, with its text where a file has it", example: exampleBarredPassage },
  },
  unbarPassage: {
    summary: "Let answers use a passage again",
    description: "Answers that are begun from now on may draw on the passage.",
    tags,
    reply: {
      description: "The passage is no longer barred",
      example: { message: "The passage may be used again", passageId: exampleBarredPassage.passage_id },
    },
  },
};
