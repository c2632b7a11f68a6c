import * as z from "zod/mini";
import { countCharacters } from "../text/count_characters.ts";
import { isStorableText } from "../text/storable_text.ts";
import { requiredId } from "../wire/fields.ts";
import { IdempotencyKeyField } from "../wire/idempotency_key.ts";

const threadId = requiredId("threadId", "The thread: `thread_id` of an answer, or `id` in a list of threads");

/** Input of `takeOver`. */
export const TakeOverInput = z.object({ threadId });
export type TakeOverInput = z.infer<typeof TakeOverInput>;

/** Input of `releaseThread`. */
export const ReleaseThreadInput = z.object({ threadId });
export type ReleaseThreadInput = z.infer<typeof ReleaseThreadInput>;

const maxContentCharacters = 32_000;

/** Input of `sayAsExpert`. */
export const SayAsExpertInput = z.object({
  threadId,
  content: z.string({
    error: ({ input }) => input === undefined ? "content is required" : "content must be a string",
  }).check(
    z.refine((text) => text.trim() !== "", { error: "content must not be blank", abort: true }),
    z.refine(
      (text) => countCharacters(text) <= maxContentCharacters,
      { error: "content must be at most 32,000 characters long", abort: true },
    ),
    z.refine(isStorableText, "content must not contain NUL characters or halves of surrogate pairs"),
    z.meta({
      description: "What the expert says: something besides white space",
      minLength: 1,
      maxLength: maxContentCharacters,
    }),
  ),
  idempotency_key: IdempotencyKeyField.check(
    z.describe("Makes the request safe to repeat for 24 hours: it gets the same message, and nothing is said twice"),
  ),
});
export type SayAsExpertInput = z.infer<typeof SayAsExpertInput>;
