import * as z from "zod/mini";
import { requiredCoachId, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { heading, page, passageId, position } from "../knowledge/fields.ts";

export const coachId = requiredCoachId("The coach that the files belong to");
export const contradictionId = requiredId("contradictionId", "The contradiction: `id` in the list");

/** One of two passages that contradict each other. */
export const ContradictingPassage = z.object({
  file_id: Uuid,
  filename: z.string(),
  source_url: z.nullable(z.string()).check(z.describe("The address of the page; null for an uploaded file")),
  dated_at: Timestamp.check(z.describe("When the file was uploaded, or the page last read")),
  passage_id: passageId,
  position,
  page,
  heading,
  content: z.string(),
});

/** Two passages of two files that say something else about the same thing. */
export const Contradiction = z.object({
  id: Uuid,
  is_confirmed: z.boolean().check(
    z.describe("True if a model has found that they contradict each other; false: they may"),
  ),
  found_at: Timestamp,
  statements: z.array(z.object({
    kind: z.enum(["price", "date", "time", "number", "negation"]),
    one: z.string(),
    other: z.string(),
  })).check(z.describe("What differs, as it stands in the passages")),
  /** Of the file that was added or changed last. */
  one: ContradictingPassage,
  other: ContradictingPassage,
});
