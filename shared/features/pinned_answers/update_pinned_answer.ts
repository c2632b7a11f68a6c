import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { withQuestions } from "../../core/questions/read_questions.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import {
  answerColumns,
  answerField,
  answerId,
  described,
  isActiveField,
  PinnedAnswer,
  questionField,
  variantsField,
} from "./fields.ts";

/** Changes the fields that are sent of a pinned answer. 409 for a question that another pinned answer has. */
export const operation = defineEndpoint({
  name: "updatePinnedAnswer",
  method: "PATCH",
  path: "/coaches/:coachId/answers/:answerId",
  body: "application/json",
  scope: "expert",
  failure: "Failed to update the pinned answer",
  // The same change twice leaves the same pinned answer.
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.pinnedAnswerNotFound(), errors.alreadyPinned("")],
  input: z.object({
    coachId,
    answerId,
    question: z.optional(questionField).check(z.describe(described.question)),
    variants: z.optional(variantsField).check(z.describe(`${described.variants}. They replace all existing ones`)),
    answer: z.optional(answerField).check(z.describe(described.answer)),
    is_active: isActiveField.check(z.describe(described.isActive)),
  }).check(z.refine(
    ({ question, variants, answer, is_active }) =>
      [question, variants, answer, is_active].some((value) => value !== undefined),
    "One of question, variants, answer and is_active is required",
  )),
  output: PinnedAnswer,
  async verb({ database, userId, services, log }, { coachId, answerId, question, variants, answer, is_active }) {
    const asked = [...question ? [question] : [], ...variants ?? []];
    const reply = await withQuestions({ coachId }, asked, (asked) =>
      database.callForBytes("update_pinned_answer", {
        ...answerColumns({ coachId, userId, answerId }),
        question: question ? asked[0]! : null,
        variants: variants ? asked.slice(question ? 1 : 0) : null,
        answer: answer ?? null,
        is_active: is_active ?? null,
      }));
    const hasNewPhrases = question !== undefined || variants !== undefined;
    if (hasNewPhrases && services.embedder !== null) services.waitUntil(services.wakeIndexer(log));
    return reply;
  },
});
