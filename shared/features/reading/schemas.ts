import * as z from "zod/mini";
import { isStorableText } from "../../base/text/storable_text.ts";
import { requiredId } from "../../core/wire/fields.ts";

const coachId = z.string("coachId is required").check(
  z.refine((text) => text.trim() !== "", "coachId is required"),
  z.refine(isStorableText, "coachId must not contain NUL characters"),
  z.describe("The coach that the file belongs to"),
);

const fileId = requiredId("fileId", "The file: `file_id` in the sources of an answer, `fileId` in a search");

/** Input of `getFile` and `getOriginal`. */
export const FileInput = z.object({ coachId, fileId });
export type FileInput = z.infer<typeof FileInput>;

/** The most neighbors on each side of a passage. */
const mostNeighbors = 20;

function neighbors(name: string, description: string) {
  const error = `${name} must be a whole number from 0 to ${mostNeighbors}`;
  return z._default(z.int(error).check(z.gte(0, error), z.lte(mostNeighbors, error)), 2).check(z.describe(description));
}

/** Input of `getPassage`. */
export const PassageInput = z.object({
  coachId,
  fileId,
  passageId: requiredId("passageId", "The passage: `passageId` in the sources of an answer"),
  before: neighbors("before", "The number of passages to add that stand before it in the file"),
  after: neighbors("after", "The number of passages to add that stand after it in the file"),
});
export type PassageInput = z.infer<typeof PassageInput>;

/** Input of `readSource`. */
export const SourceInput = z.extend(PassageInput, { passageId: z.optional(PassageInput.shape.passageId) });
export type SourceInput = z.infer<typeof SourceInput>;
