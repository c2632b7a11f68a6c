import * as z from "zod/mini";
import { isMailAddress } from "../../base/text/mail_address.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { digestTimes, mailLanguages } from "./limits.ts";

const coachId = requiredId("coachId", "The coach");
const userId = requiredId("userId", "The signed-in user: the ID of the access token, or `me`");

/** The language of mails; they stay in the language that they had if it is left out. */
export const MailLanguageField = z.optional(
  z.enum(mailLanguages, `language must be one of ${mailLanguages.join(", ")}`),
).check(z.describe("The language of the mails"));

/** Input of `getExpertMail`. */
export const ExpertMailInput = z.object({ coachId });
export type ExpertMailInput = z.infer<typeof ExpertMailInput>;

/** A switch that stays as it is when it is left out. */
function switchField(name: string, description: string) {
  return z.optional(z.boolean(`${name} must be true or false`)).check(z.describe(description));
}

/** A whole number that stays as it is when it is left out. */
function numberField(name: string, [least, most]: [least: number, most: number], description: string) {
  const message = `${name} must be a whole number from ${least} to ${most}`;
  return z.optional(z.int(message).check(z.gte(least, message), z.lte(most, message))).check(z.describe(description));
}

const zoneError = "time_zone must be the name of a time zone, such as Europe/Berlin";

/** True for names of the IANA database that this runtime knows. Offsets such as +02:00 have no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Input of `saveExpertMail`. Fields that are left out stay as they are. */
export const SaveExpertMailInput = z.object({
  coachId,
  asks_for_human: switchField("asks_for_human", "Whether a mail tells immediately that a person asks for a human"),
  digest: z.optional(z.enum(digestTimes, "digest must be off, daily or weekly")).check(
    z.describe("How often a mail lists the questions that wait"),
  ),
  hour: numberField("hour", [0, 23], "The hour of the digest, in the time zone"),
  weekday: numberField("weekday", [1, 7], "The day of a weekly digest: 1 is Monday, 7 is Sunday"),
  time_zone: z.optional(z.string(zoneError).check(z.maxLength(100, zoneError), z.refine(isTimeZone, zoneError))).check(
    z.describe("The time zone of the digest, by its IANA name, such as `Europe/Berlin`"),
  ),
  failures: switchField("failures", "Whether a mail tells that a file or a source could not be read"),
  budget: switchField("budget", "Whether a mail tells an owner that a budget is used up"),
  language: MailLanguageField,
});
export type SaveExpertMailInput = z.infer<typeof SaveExpertMailInput>;

/** Input of `getUserMail` and `deleteUserMail`. */
export const UserMailInput = z.object({ userId });
export type UserMailInput = z.infer<typeof UserMailInput>;

const addressError = "email must be an email address";

/** The address of a person who asks. */
export const MailAddress = z.string(addressError).check(
  z.overwrite((text) => text.trim()),
  z.refine(isMailAddress, addressError),
  z.meta({ format: "email", maxLength: 254, description: "The address. It gets a mail with a link to confirm it" }),
);

/** Input of `saveUserMail`. */
export const SaveUserMailInput = z.object({
  userId,
  email: MailAddress,
  language: MailLanguageField,
});
export type SaveUserMailInput = z.infer<typeof SaveUserMailInput>;
