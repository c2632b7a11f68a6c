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
  slug: z.nullable(z.string()).check(
    z.describe("The name of the coach in addresses, which stands for its `id` wherever that is asked for"),
  ),
  accent_color: z.nullable(z.string()).check(
    z.describe("The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one"),
  ),
  launcher_text: z.nullable(z.string()).check(
    z.describe("The words of its button on other sites; null: the usual ones"),
  ),
  retention_days: z.nullable(z.int()).check(
    z.describe("For how many days threads are kept after their last message; null: until they are deleted"),
  ),
});

/** Reply of `GET /coaches/{coachId}`. */
export const CoachWithTimes = z.object({
  ...Coach.shape,
  usual_reply_hours: z.nullable(z.number()).check(
    z.describe("How many hours the expert usually takes to answer in person; null: too few answers to tell"),
  ),
  tells_by_mail: z.boolean().check(
    z.describe("Whether this service can tell a person by mail that the expert has answered: see `askExpert`"),
  ),
});

/** Settings of a coach, which hold at once, without being published. */
export const CoachSettings = z.object({
  slug: Coach.shape.slug.check(z.describe("Null until the coach is first published")),
  is_active: z.boolean().check(z.describe("Whether the coach answers: false if it is paused or was never published")),
  sources_are_open: z.boolean(),
  accent_color: Coach.shape.accent_color,
  launcher_text: Coach.shape.launcher_text,
});

/** Reply of `DELETE /coaches/{coachId}`. */
export const DeletedCoach = z.object({ message: z.literal("Coach deleted successfully"), coachId: z.string() });
export type DeletedCoach = z.infer<typeof DeletedCoach>;

/** Reply of `GET /coaches`. */
export const CoachList = z.object({
  data: z.array(Coach).check(z.describe("By name")),
  count: Count.check(z.describe("The number of coaches in `data`")),
  next_cursor: NextCursor,
});
