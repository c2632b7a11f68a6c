import * as z from "zod/mini";
import { answerStates, authors, Source } from "../../core/answers/stored_answer.ts";
import { exactTextField, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";

export const messageId = requiredId("messageId", "`X-Message-Id` of the reply that started the answer");

/** A text written by a person. */
export function said(name: string, description: string) {
  return exactTextField(name, 32_000).check(z.describe(description));
}

/** The fields of a message of a user or a coach. */
export const messageFields = {
  id: z.string(),
  thread_id: Uuid,
  content: z.string(),
  role: z.enum(["user", "assistant"]),
  response_id: z.nullable(z.string()).check(
    z.describe("The model server's ID of the answer; null for a user's message"),
  ),
  created_at: Timestamp,
};

/** A whole answer in one piece. */
export const AnswerObject = z.object({
  thread_id: Uuid.check(z.describe("Pass it to continue the conversation")),
  message: z.object({ ...messageFields, role: z.literal("assistant") }),
  sources: z.array(Source).check(z.describe(
    "The sources that the answer draws on: those that its text names, by their `number`; if it names none, those " +
      "with whose text it shares rare words",
  )),
  status: z.enum(answerStates).check(
    z.describe(
      "`waiting`: the expert has taken over and will answer. The text is then a notice, which is not stored",
    ),
  ),
  author: z.enum(authors).check(z.describe("The author: the model (`ai`) or the real person behind the coach")),
});
export type AnswerObject = z.infer<typeof AnswerObject>;
