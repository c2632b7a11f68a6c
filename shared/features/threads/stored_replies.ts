import * as z from "zod/mini";
import { AbandonedAnswer } from "../../core/answers/stored_answer.ts";

export { RatedAnswer } from "./replies.ts";

/** The reply to a list of messages whose thread has abandoned answers. */
export const AbandonedReply = z.object({ abandoned: z.array(AbandonedAnswer) });
