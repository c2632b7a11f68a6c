import * as z from "zod/mini";
import { Message } from "../chat/replies.ts";
import { Count, Uuid } from "../../core/wire/fields.ts";

/** A message of the expert, as lists show it with `include=status,author`. */
export const ExpertMessage = z.object({
  ...Message.shape,
  role: z.literal("assistant"),
  status: z.literal("complete"),
  author: z.literal("expert"),
});
export type ExpertMessage = z.infer<typeof ExpertMessage>;

/** Reply of `POST /threads/{threadId}/messages/{messageId}/revise`. */
export const RevisedAnswer = z.object({
  pinnedAnswerId: Uuid.check(z.describe("The pinned answer with the correction")),
  version: Count.check(z.describe("Its version: 1 if it is new")),
  messageId: z.nullable(z.string()).check(z.describe("The message to the person; null without `notify`")),
});
export type RevisedAnswer = z.infer<typeof RevisedAnswer>;
