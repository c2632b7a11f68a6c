import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isMailAddress } from "../../libs/base/text.ts";
import type { RequestContext } from "../../core/context.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";

/** The languages of mails. */
export const mailLanguages = ["en", "de", "fr", "es", "pt", "ar"] as const;
export type MailLanguage = typeof mailLanguages[number];

/** How often an expert gets a digest of the open questions. */
export const digestTimes = ["off", "daily", "weekly"] as const;

export const coachId = requiredId("coachId", "The coach");
export const userId = requiredId("userId", "The signed-in user: the ID of the access token, or `me`");

/** The language of mails; they stay in the language that they had if it is left out. */
export const languageField = z.optional(
  z.enum(mailLanguages, `language must be one of ${mailLanguages.join(", ")}`),
).check(z.describe("The language of the mails"));

const addressError = "email must be an email address";

/** The address of a person who asks. */
export const addressField = z.string(addressError).check(
  z.overwrite((text) => text.trim()),
  z.refine(isMailAddress, addressError),
  z.meta({ format: "email", maxLength: 254, description: "The address. It gets a mail with a link to confirm it" }),
);

const isAvailable = z.boolean().check(
  z.describe(
    "Whether this service sends such mails: it does if its operator has set up mail and the address of the page",
  ),
);
const isRefused = z.boolean().check(
  z.describe("Whether the mail server of the address has refused it: nothing is sent to it any more"),
);

/** The mails that an expert gets about a coach. */
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
  topics: z.boolean().check(
    z.describe("Whether a mail tells what people asked, once a week, on the day and at the hour of a weekly digest"),
  ),
  language: z.enum(mailLanguages).check(z.describe("The language of the mails")),
});

/** The same without what Postgres does not know. */
export const storedExpertMail = z.omit(ExpertMail, { is_available: true });

/** The mails of an expert, with whether this service sends them. */
export function describeExpertMail({ services }: RequestContext, stored: z.infer<typeof storedExpertMail>) {
  return { ...stored, is_available: services.mail !== null && services.deskUrl !== null };
}

/** The coach and the signed-in expert as the SQL functions take them. @throws 401 if nobody is signed in. */
export function expertColumns({ userId }: RequestContext, coachId: string) {
  if (userId === null) throw errors.signInFirst();
  return { ...coachColumns({ coachId, userId }), user_id: userId };
}

/** The errors of the operations for them. */
export const ofExperts = () => [errors.signInFirst(), errors.notTheExpert(), errors.coachNotFound()];

/** The address at which a user is told of answers of the expert. */
export const UserMail = z.object({
  email: z.nullable(z.string()).check(z.describe("The address; null: the user has given none")),
  is_confirmed: z.boolean().check(z.describe("Whether the link in the confirmation mail was opened")),
  is_refused: isRefused,
  is_available: isAvailable,
  language: z.enum(mailLanguages).check(z.describe("The language of the mails")),
});

/** The same without what Postgres does not know. */
export const storedUserMail = z.omit(UserMail, { is_available: true });

/** Returns whether people who ask can be told by mail: a mail has to lead back to the conversation. */
export function tellsUsers({ mail, pageUrl }: RequestContext["services"]): boolean {
  return mail !== null && pageUrl !== null;
}

/** The errors of the operations for the address of a user. */
export const ofUsers = () => [errors.signInFirst(), errors.userMismatch(), errors.mailNeedsUser()];
