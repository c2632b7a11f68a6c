import * as z from "zod/mini";
import { timeZoneField } from "../../core/wire/calendar.ts";
import { wholeNumber } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import {
  coachId,
  describeExpertMail,
  digestTimes,
  expertColumns,
  ExpertMail,
  languageField,
  ofExperts,
  storedExpertMail,
} from "./fields.ts";

/** A switch that stays as it is when it is left out. */
function switchField(name: string, description: string) {
  return z.optional(z.boolean(`${name} must be true or false`)).check(z.describe(description));
}

/** A whole number that stays as it is when it is left out. */
function numberField(name: string, [least, most]: [least: number, most: number], description: string) {
  return z.optional(wholeNumber(name, { least, most })).check(z.describe(description));
}

/** Changes the mails that the signed-in expert gets about a coach, and returns all of them. */
export const operation = defineEndpoint({
  name: "saveExpertMail",
  method: "PUT",
  path: "/coaches/:coachId/experts/me/mail",
  body: "application/json",
  scope: "expert",
  failure: "Failed to save the mail settings",
  isRepeatable: true,
  errors: ofExperts,
  // Fields that are left out stay as they are.
  input: z.object({
    coachId,
    asks_for_human: switchField("asks_for_human", "Whether a mail tells immediately that a person asks for a human"),
    digest: z.optional(z.enum(digestTimes, "digest must be off, daily or weekly")).check(
      z.describe("How often a mail lists the questions that wait"),
    ),
    hour: numberField("hour", [0, 23], "The hour of the digest, in the time zone"),
    weekday: numberField("weekday", [1, 7], "The day of a weekly digest: 1 is Monday, 7 is Sunday"),
    time_zone: timeZoneField("The time zone of the digest"),
    failures: switchField("failures", "Whether a mail tells that a file or a source could not be read"),
    budget: switchField("budget", "Whether a mail tells an owner that a budget is used up"),
    topics: switchField("topics", "Whether a mail tells what people asked, once a week"),
    language: languageField,
  }),
  output: ExpertMail,
  async verb(ctx, { coachId, ...settings }) {
    const args = { ...expertColumns(ctx, coachId), settings };
    return describeExpertMail(ctx, await callRepeatable(ctx.database, "save_mail_settings", args, storedExpertMail));
  },
});
