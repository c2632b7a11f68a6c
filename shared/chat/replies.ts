import * as z from "zod/mini";
import { Message } from "../threads/replies.ts";
import { Count, Timestamp, Uuid } from "../wire_fields.ts";
import { Source } from "./schemas.ts";

/** A whole answer in one piece. */
export const AnswerObject = z.object({
  thread_id: Uuid.check(z.describe("To go on with the conversation")),
  message: z.object({ ...Message.shape, role: z.literal("assistant") }),
  sources: z.array(Source).check(z.describe("The passages that the answer was given")),
});
export type AnswerObject = z.infer<typeof AnswerObject>;

/** The data of typed events, by their names. */
export const eventData = {
  meta: z.object({ thread_id: Uuid, message_id: z.string(), created_at: Timestamp }),
  delta: z.object({ text: z.string() }),
  sources: z.array(Source),
  usage: z.object({ input_tokens: Count, output_tokens: Count }),
  done: z.object({ status: z.enum(["complete", "stopped"]), response_id: z.nullable(z.string()) }),
  error: z.object({ status: z.int(), error: z.string(), details: z.optional(z.string()) }),
};
