import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { withQuestions } from "../../core/questions/read_questions.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { answerField, described, isActiveField, PinnedAnswer, questionField, variantsField } from "./fields.ts";

/** Pins an answer to a question. 409 for a question that is pinned already. */
export const operation = defineEndpoint({
  name: "createPinnedAnswer",
  method: "POST",
  path: "/coaches/:coachId/answers",
  body: "application/json",
  scope: "expert",
  failure: "Failed to pin the answer",
  errors: () => [...ofRoles(), errors.alreadyPinned("")],
  input: z.object({
    coachId,
    question: questionField.check(z.describe(described.question)),
    variants: z.optional(variantsField).check(z.describe(described.variants)),
    answer: answerField.check(z.describe(described.answer)),
    is_active: isActiveField.check(z.describe(`${described.isActive}; by default, true`)),
  }),
  output: PinnedAnswer,
  async verb({ database, userId, services, log }, { coachId, question, variants = [], answer, is_active = true }) {
    const args = { ...coachColumns({ coachId, userId }), answer, is_active };
    const reply = await withQuestions(
      { coachId },
      [question, ...variants],
      (questions) => database.callForBytes("create_pinned_answer", { ...args, questions }),
    );
    if (services.embedder !== null) services.waitUntil(services.wakeIndexer(log));
    return reply;
  },
});
