import type { Descriptions } from "../description.ts";
import { exampleThread } from "../examples.ts";

const exampleExpertMail = {
  address: "ada@example.com",
  is_available: true,
  is_refused: false,
  asks_for_human: true,
  digest: "daily",
  topics: false,
  hour: 8,
  weekday: 1,
  time_zone: "Europe/Berlin",
  failures: true,
  budget: true,
  language: "en",
};

const exampleUserMail = {
  email: "grace@example.com",
  is_confirmed: false,
  is_refused: false,
  is_available: true,
  language: "en",
};

const onlyUsers =
  "An access token is required, and `userId` must be its user, or `me`. Anonymous users have no account that an address " +
  "could belong to: they get a 403.";

export const mailDescriptions: Descriptions = {
  getExpertMail: {
    summary: "Get one's mail settings",
    description:
      "The mails that the signed-in expert gets about a coach. They go to the confirmed address of the expert's sign-in. " +
      "An access token is required.",
    reply: { description: "The settings", example: exampleExpertMail },
  },
  saveExpertMail: {
    summary: "Change one's mail settings",
    description:
      "Changes the mails that the signed-in expert gets about a coach. Fields that are left out stay as they are. The " +
      "digest lists the questions that wait, at an hour of the expert's own time zone; no digest is sent if nothing " +
      "waits. An access token is required.",
    bodyExamples: { usual: { value: { digest: "weekly", weekday: 1, hour: 7, time_zone: "Europe/Berlin" } } },
    reply: { description: "All settings", example: { ...exampleExpertMail, digest: "weekly", hour: 7 } },
  },
  getUserMail: {
    summary: "Get the user's email address",
    description: `The address at which the signed-in user is told that the expert has answered. ${onlyUsers}`,
    reply: { description: "The address, or null", example: { ...exampleUserMail, is_confirmed: true } },
  },
  saveUserMail: {
    summary: "Store the user's email address",
    description:
      "Stores the address at which the signed-in user is told that the expert has answered. A mail with a link is sent " +
      "to it, and nothing else until that link was opened. Sending the same address again sends the mail again, unless " +
      `the address is confirmed. A user and an address get a few of these mails a day. ${onlyUsers}`,
    bodyExamples: { usual: { value: { email: "grace@example.com", language: "en" } } },
    reply: { description: "The address", example: exampleUserMail },
  },
  deleteUserMail: {
    summary: "Delete the user's email address",
    description: `Ends the mails to the signed-in user, and forgets the address. ${onlyUsers}`,
    reply: {
      description: "No address is stored",
      example: { message: "Email address deleted successfully", userId: exampleThread.user_id },
    },
  },
};
