import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { addDays, calendarOf, dayLength, zoneOfDays } from "../../core/wire/calendar.ts";
import { Count, requiredId } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";

const counts = {
  turns: Count.check(z.describe("Answers that have ended, including failed ones and those to tests")),
  input_tokens: Count.check(z.describe("Input tokens of the model")),
  cached_tokens: Count.check(
    z.describe("Input tokens, among `input_tokens`, that the model's server had in its cache"),
  ),
  output_tokens: Count.check(z.describe("Output tokens of the model")),
  reasoning_tokens: Count.check(z.describe("Output tokens, among `output_tokens`, that were the model's thoughts")),
  estimated_turns: Count.check(
    z.describe("Answers whose tokens are estimated at least in part, because the model's server did not report them"),
  ),
  cost_micro_usd: Count.check(
    z.describe("The cost of the answers whose model had a price, in millionths of a US dollar"),
  ),
  unpriced_turns: Count.check(z.describe("Answers whose cost is not known, because their model had no price")),
  people: Count.check(z.describe("The number of different people who asked, without erased users")),
  questions_opened: Count.check(z.describe("Open questions that were first asked on that day")),
  feedback_up: Count.check(z.describe("Thumbs-up on answers of that day")),
  feedback_down: Count.check(z.describe("Thumbs-down on answers of that day")),
};

const Day = z.string().check(z.meta({ format: "date" }));

/** The usage of a coach on a day. */
export const UsageOfDay = z.object({ day: Day, ...counts });

export const CoachUsage = z.object({
  data: z.array(UsageOfDay).check(z.describe("Every day, earliest first")),
  from: Day.check(z.describe("The first of these days")),
  to: Day.check(z.describe("The last of these days")),
  totals: z.object(counts).check(
    z.describe("All days together. A person who asked on several days counts once"),
  ),
});

function dayField(name: string, description: string) {
  const error = `${name} must be a day such as 2026-12-31`;
  return z.optional(z.iso.date(error).check(z.refine((day) => day >= "1970-01-01" && day < "9999-12-31", error))).check(
    z.describe(description),
  );
}

const usualDays = 30;
const mostDays = 366;

/** The usage of a coach by day. */
export const operation = defineEndpoint({
  name: "getUsage",
  method: "GET",
  path: "/coaches/:coachId/usage",
  scope: "expert",
  failure: "Failed to fetch the usage",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: z.object({
    coachId: requiredId("coachId", "The coach"),
    from: dayField("from", "The first day; by default, 29 days before the last one"),
    to: dayField("to", "The last day, which is included; by default, today. At most 366 days"),
    time_zone: zoneOfDays,
  }),
  output: CoachUsage,
  async verb({ database, userId }, { coachId, time_zone, ...span }) {
    const { dayOf, midnightsFrom } = calendarOf(time_zone);
    const to = span.to ?? dayOf(Date.now());
    const from = span.from ?? addDays(to, 1 - usualDays);
    const days = (Date.parse(to) - Date.parse(from)) / dayLength + 1;
    if (days < 1) throw errors.invalidInput("from must not be after to");
    if (days > mostDays) throw errors.invalidInput(`from and to must span at most ${mostDays} days, including both`);
    return await database.callForBytes("read_coach_usage", {
      ...coachColumns({ coachId, userId }),
      from_day: from,
      midnights: midnightsFrom(from, days),
    });
  },
});
