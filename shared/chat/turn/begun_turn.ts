import * as z from "zod/mini";
import { StoredAnswer } from "../../answers/stored_answer.ts";

/** Reply of the SQL function `begin_turn`, the usual one first: the others are tried after it. */
export const BeginTurnReply = z.union([
  z.object({
    thread_id: z.string(),
    message_id: z.string(),
    created_at: z.string(),
    coach: z.object({
      id: z.string(),
      name: z.string(),
      title: z.string(),
      instructions: z.string(),
      model: z.nullable(z.string()),
      temperature: z.nullable(z.number()),
    }),
    /** Whether a bearer token signs the coach's own user in. */
    is_owner: z.boolean(),
    history: z.array(z.object({ role: z.enum(["user", "assistant", "system"]), content: z.string() })),
    /** Of the coach's files, for the message; best first. */
    passages: z.array(z.object({
      file_id: z.string(),
      filename: z.string(),
      page: z.nullable(z.number()),
      heading: z.nullable(z.string()),
      content: z.string(),
      score: z.number(),
    })),
  }),
  /** A turn with the same idempotency key has been begun before. */
  z.object({ earlier: StoredAnswer }),
  z.object({
    error: z.enum(["thread_not_found", "coach_not_found", "coach_mismatch", "not_the_coach", "idempotency_key_reused"]),
  }),
]);
/** A turn that has begun: question and empty answer are stored. */
export type BegunTurn = Extract<z.infer<typeof BeginTurnReply>, { coach: unknown }>;
export type Coach = BegunTurn["coach"];
export type FoundPassage = BegunTurn["passages"][number];
