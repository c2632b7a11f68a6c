import * as z from "zod/mini";
import { Count, NextCursor } from "../../core/wire/fields.ts";

/** A persona that the caller may talk to. */
export const Coach = z.object({
  id: z.string().check(z.describe("The `coachId` of other requests")),
  name: z.string().check(z.describe("The coach's full name")),
  title: z.string().check(z.describe("The coach's professional title")),
  picture_url: z.nullable(z.string()).check(
    z.describe("The address of the coach's picture, which everybody can read; null if there is none"),
  ),
  greeting: z.nullable(z.string()).check(
    z.describe("The text to show before the first message; null if there is none"),
  ),
  starters: z.array(z.string()).check(z.describe("Up to six questions to suggest as the first message")),
  is_ai: z.literal(true).check(z.describe("The coach is a persona played by a language model, not a person")),
  sources_are_open: z.boolean().check(
    z.describe("True if everyone who may talk to the coach may also read the files that its answers draw on"),
  ),
  retention_days: z.nullable(z.int()).check(
    z.describe("For how many days threads are kept after their last message; null: until they are deleted"),
  ),
});

/** Reply of `GET /coaches`. */
export const CoachList = z.object({
  data: z.array(Coach).check(z.describe("By name")),
  count: Count.check(z.describe("The number of coaches in `data`")),
  next_cursor: NextCursor,
});
