import * as z from "zod/mini";
import { digestTimes, mailLanguages } from "./limits.ts";

const isAvailable = z.boolean().check(
  z.describe(
    "Whether this service sends such mails: it does if its operator has set up mail and the address of the page",
  ),
);
const isRefused = z.boolean().check(
  z.describe("Whether the mail server of the address has refused it: nothing is sent to it any more"),
);

/** Reply of `GET` and `PUT /coaches/{coachId}/experts/me/mail`. */
export const ExpertMail = z.object({
  address: z.nullable(z.string()).check(
    z.describe("The confirmed email address of the expert's sign-in; null without one, and then nothing is sent"),
  ),
  is_available: isAvailable,
  is_refused: isRefused,
  asks_for_human: z.boolean().check(z.describe("Whether a mail tells immediately that a person asks for a human")),
  digest: z.enum(digestTimes).check(z.describe("How often a mail lists the questions that wait")),
  hour: z.int().check(z.gte(0), z.lte(23), z.describe("The hour of the digest, in the time zone")),
  weekday: z.int().check(z.gte(1), z.lte(7), z.describe("The day of a weekly digest: 1 is Monday, 7 is Sunday")),
  time_zone: z.string().check(z.describe("The IANA name of the time zone")),
  failures: z.boolean().check(z.describe("Whether a mail tells that a file or a source could not be read")),
  budget: z.boolean().check(z.describe("Whether a mail tells that a budget is used up; only owners get it")),
  language: z.enum(mailLanguages).check(z.describe("The language of the mails")),
});

/** Reply of `GET` and `PUT /users/{userId}/mail`. */
export const UserMail = z.object({
  email: z.nullable(z.string()).check(z.describe("The address; null: the user has given none")),
  is_confirmed: z.boolean().check(z.describe("Whether the link in the confirmation mail was opened")),
  is_refused: isRefused,
  is_available: isAvailable,
  language: z.enum(mailLanguages).check(z.describe("The language of the mails")),
});

/** Reply of `DELETE /users/{userId}/mail`. */
export const DeletedUserMail = z.object({ message: z.string(), userId: z.string() });
