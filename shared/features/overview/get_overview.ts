import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { addDays, calendarOf, within, zoneOfDays } from "../../core/wire/calendar.ts";
import { Count, requiredId, Timestamp } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ExpertName } from "../experts/fields.ts";

/** An expert, by whom something was done. */
const By = z.nullable(ExpertName).check(
  z.describe("Null if it was no expert, or one who is gone"),
);

/** Seven days of a coach. */
export const WeekOfCoach = z.object({
  from: z.string().check(z.meta({ format: "date" }), z.describe("The first of the seven days")),
  conversations: Count.check(z.describe("Conversations that began")),
  people: Count.check(z.describe("The number of different people who asked, without erased users")),
  answers: Count.check(z.describe("Answers that people got, without those to tests")),
  own_words: Count.check(
    z.describe("Answers, among `answers`, in the words of an expert: pinned ones, and what was said in person"),
  ),
  not_known: Count.check(z.describe("How often the coach did not know an answer")),
  good: Count.check(z.describe("Thumbs-up")),
  bad: Count.check(z.describe("Thumbs-down")),
});

export const Overview = z.object({
  waiting: z.object({
    questions: Count.check(z.describe("Open questions")),
    people: Count.check(z.describe("Conversations in which somebody waits for an expert")),
  }),
  since: Timestamp.check(z.describe("From when on `changed` counts")),
  changed: z.object({
    questions: Count.check(z.describe("Questions that were first asked since then")),
    conversations: Count.check(z.describe("Conversations that have changed, at most 10,000")),
    messages_of_people: Count.check(z.describe("Messages of people in these conversations")),
    ratings_down: Count.check(z.describe("Thumbs-down")),
    versions: z.array(z.object({ version: z.int(), published_at: Timestamp, by: By })).check(
      z.describe("Versions of the persona that were published, newest first, at most 20"),
    ),
    files: Count.check(z.describe("Files that were added")),
    answers_by_others: Count.check(z.describe("Pinned answers that somebody else has written or changed")),
  }),
  // The last seven days, today included, and the seven before.
  week: WeekOfCoach,
  week_before: WeekOfCoach,
  trouble: z.object({
    files_failed: Count.check(z.describe("Files that could not be read")),
    sources_failed: Count.check(z.describe("Web addresses of which no page could be read")),
    tests_failing: Count.check(z.describe("Tests that failed in the newest finished run")),
  }),
});

const sinceError = "since must be a time such as 2026-12-31T23:59:59Z";

/** The work that waits for the experts of a coach, and how the coach does. */
export const operation = defineEndpoint({
  name: "getOverview",
  method: "GET",
  path: "/coaches/:coachId/overview",
  scope: "expert",
  failure: "Failed to fetch the overview",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  input: z.object({
    coachId: requiredId("coachId", "The coach"),
    since: z.optional(z.iso.datetime({ offset: true, error: sinceError })).check(
      z.describe("From when on changes count, at most 30 days ago; by default, from the beginning of `week`"),
    ),
    time_zone: zoneOfDays,
  }),
  output: Overview,
  async verb({ database, userId }, { coachId, since, time_zone }) {
    const { dayOf, startOf } = calendarOf(time_zone);
    const from = addDays(dayOf(Date.now()), -6);
    return await database.callForBytes("read_overview", {
      ...coachColumns({ coachId, userId }),
      from_day: from,
      weeks: [-7, 0, 7].map((days) => new Date(startOf(addDays(from, days))).toISOString()),
      since: since === undefined ? null : within(Date.parse(since)),
    });
  },
});
