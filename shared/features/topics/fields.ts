import * as z from "zod/mini";
import { calendarOf, dayLength, timeField, within, zoneOfDays } from "../../core/wire/calendar.ts";
import { Count, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { errors } from "../../infra/errors.ts";

const Counted = z.object({
  conversations: Count.check(z.describe("The conversations that began in that time")),
  not_known: Count.check(z.describe("Those of them in which the coach did not know an answer")),
});

/** A topic that several people have talked about with a coach. */
export const Topic = z.object({
  id: Uuid,
  name: z.string().check(
    z.describe("The name that a model gave it. Without a model, words that at least three people used"),
  ),
  share: z.number().check(z.describe("Its share of all conversations of the period, from 0 to 1")),
  conversations: Count.check(z.describe("The conversations of the period that were about it")),
  trend: z.int().check(z.describe("`conversations`, minus those of the equally long period before")),
  not_known: Count.check(z.describe("The conversations in which the coach did not know an answer")),
  rated_down: Count.check(z.describe("The conversations with a thumbs-down")),
  examples: z.array(z.string()).check(
    z.describe("Up to three questions without personal details, from a model or, without one, as for `name`"),
  ),
  answered: z.nullable(z.object({
    at: Timestamp.check(z.describe("When an expert last answered a question of these conversations")),
    before: Counted.check(z.describe("The conversations of both periods before that")),
    since: Counted.check(z.describe("The conversations since")),
  })).check(z.describe("What changed after an answer was given; null: no open question of the topic was answered")),
});

export const TopicList = z.object({
  data: z.array(Topic).check(
    z.describe("The topics of at least three people, the largest first, at most 30. Smaller ones are left out"),
  ),
  is_partial: z.boolean().check(
    z.describe(
      "Whether conversations are still to be sorted. Each is within a minute at first, and later within an hour",
    ),
  ),
});
export type TopicList = z.infer<typeof TopicList>;

export const periodFields = {
  from: timeField("from", "The first day, or the first moment; by default, 30 days before the last one"),
  to: timeField("to", "The last day, which is included, or the last moment; by default, now. At most 366 days"),
  time_zone: zoneOfDays,
};

/** A period as the SQL functions take it. @throws 400 if it ends before it begins, or is too long. */
export function periodColumns({ from, to, time_zone }: { from?: string; to?: string; time_zone?: string }) {
  const { startOf, endOf } = calendarOf(time_zone);
  const end = to === undefined ? Date.now() : endOf(to);
  const start = from === undefined ? end - 30 * dayLength : startOf(from);
  if (start >= end) throw errors.invalidInput("from must not be after to");
  // Clocks may be set back between them.
  if (end - start > 366 * dayLength + 3_600_000) throw errors.invalidInput("from and to must span at most 366 days");
  if (start < 0) throw errors.invalidInput("from must not be before 1970");
  return { from_time: within(start), before_time: within(end) };
}
