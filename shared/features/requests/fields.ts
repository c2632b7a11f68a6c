import * as z from "zod/mini";
import { requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";

export const threadId = requiredId("threadId", "The thread");

export const requestStates = ["waiting", "seen", "answered", "withdrawn"] as const;

/** A question that a person has asked the expert in person. */
export const ExpertRequest = z.object({
  id: Uuid,
  thread_id: Uuid,
  message_id: Uuid.check(z.describe("The question: a message of the thread")),
  question: z.string().check(z.describe("The text of that message")),
  status: z.enum(requestStates).check(
    z.describe("`seen`: an expert has opened it. `withdrawn`: the person has taken it back"),
  ),
  asked_at: Timestamp,
  seen_at: z.nullable(Timestamp),
  answered_at: z.nullable(Timestamp),
  email: z.nullable(z.enum(["unconfirmed", "confirmed"])).check(
    z.describe("Whether the person wants to be told by mail; null: no. The address itself is in no reply"),
  ),
});
