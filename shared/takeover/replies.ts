import * as z from "zod/mini";
import { Message } from "../chat/replies.ts";

/** A message of the expert, as lists show it with `include=status,author`. */
export const ExpertMessage = z.object({
  ...Message.shape,
  role: z.literal("assistant"),
  status: z.literal("complete"),
  author: z.literal("expert"),
});
export type ExpertMessage = z.infer<typeof ExpertMessage>;
