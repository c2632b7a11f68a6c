import type { Descriptions } from "../describe_endpoint.ts";
import { exampleCoach, exampleThread } from "../examples.ts";

const owner = {
  user_id: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
  name: null,
  email: "mara@example.com",
  role: "owner",
  is_you: true,
  created_at: "2026-11-20T16:03:33.140Z",
};

const colleague = {
  user_id: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002",
  name: "Jon Ekdal",
  email: "jon@example.com",
  role: "answerer",
  is_you: false,
  created_at: "2026-11-21T09:12:08.512Z",
};

const exampleInvitation = {
  id: "2f6d8b4e-93c7-4e0b-8a55-c1f1f0a3b7d9",
  role: "editor",
  email: "jon@example.com",
  created_at: "2026-11-20T16:03:33.140Z",
  expires_at: "2026-11-27T16:03:33.140Z",
};

const exampleFace = {
  name: colleague.name,
  picture_url: "https://example.supabase.co/storage/v1/object/public/pictures/example.jpg",
};

const token = "hi_inv_4fKq0Zr1YwT8mB2cVd6hJxLn3PsGa9eUiRo5tDkE";

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

export const expertsDescriptions: Descriptions = {
  listExperts: {
    summary: "List the experts of a coach",
    description:
      "All experts behind a coach with their roles, for each of them. With `limit` or `cursor`, one page of them.",
    reply: { description: "The experts; the list may be empty", example: { data: [owner, colleague], count: 2 } },
  },
  updateExpert: {
    summary: "Change the role of an expert",
    description: "For owners. A coach keeps at least one owner: the last one cannot get another role.",
    bodyExamples: { role: { value: { role: "editor" } } },
    reply: { description: "The expert", example: { ...colleague, role: "editor" } },
  },
  removeExpert: {
    summary: "Remove an expert",
    description:
      "Owners remove anyone; every expert may leave, with `me`. What the expert has said and written stays. A coach " +
      "keeps at least one owner: the last one can neither leave nor be removed.",
    reply: {
      description: "The user is no longer an expert of the coach",
      example: { message: "Expert removed successfully", userId: colleague.user_id },
    },
  },
  getExpertFace: {
    summary: "See under which name and face one answers",
    description:
      "What people see of the signed-in expert who answers them in person: a name and a picture of their own, or null " +
      "where people see those of the persona.",
    reply: { description: "The name and the picture", example: exampleFace },
  },
  saveExpertFace: {
    summary: "Set the name under which one answers",
    description:
      "For the signed-in expert, with this coach. People read it beside what the expert has written to them in person, " +
      "earlier messages too, and the other experts read it in place of the email address. Pinned answers that are given " +
      "word for word keep the name of the persona.",
    bodyExamples: { name: { value: { name: exampleFace.name } } },
    reply: { description: "The name and the picture", example: exampleFace },
  },
  setExpertPicture: {
    summary: "Set the picture under which one answers",
    description:
      "The body is the picture, as for the picture of a persona. It is shown at once, beside what the expert has written " +
      "to people in person.",
    reply: { description: "The name and the picture", example: exampleFace },
  },
  removeExpertPicture: {
    summary: "Remove the picture under which one answers",
    description: "People see the picture of the persona or, beside a name of one's own, none.",
    reply: { description: "The name and the picture", example: { ...exampleFace, picture_url: null } },
  },
  createInvitation: {
    summary: "Invite an expert",
    description:
      "For owners. Makes a link with which one person can become an expert within seven days. Whoever opens it first, " +
      "signed in, gets the role, whatever address it was sent to. The token is in this reply only; its digest alone is " +
      "kept. A coach can have at most 50 open invitations.",
    bodyExamples: { invitation: { value: { role: "editor", email: "jon@example.com" } } },
    reply: {
      description: "The invitation with its token",
      example: { ...exampleInvitation, token, url: `https://desk.example.com/#invitation=${token}` },
    },
  },
  listInvitations: {
    summary: "List the open invitations of a coach",
    description:
      "For owners. Invitations that nobody has accepted and that have not expired, newest first. With `limit` or " +
      "`cursor`, one page of them.",
    reply: { description: "The invitations; the list may be empty", example: { data: [exampleInvitation], count: 1 } },
  },
  deleteInvitation: {
    summary: "Take an invitation back",
    description: "For owners. Its link is no longer valid.",
    reply: {
      description: "The invitation was deleted",
      example: { message: "Invitation deleted successfully", invitationId: exampleInvitation.id },
    },
  },
  listActs: {
    summary: "See who did what to a coach",
    description:
      "For owners. What experts, servers and the operator did in the last year: who was invited, added or removed, what " +
      "was published. IDs and times, never what somebody wrote. With `limit` or `cursor`, one page of it.",
    reply: {
      description: "The acts; the list may be empty",
      example: {
        data: [{
          id: 17,
          kind: "expert.changed",
          coach_id: exampleCoach.id,
          subject: colleague.user_id,
          subject_user: { user_id: colleague.user_id, name: colleague.name, email: colleague.email },
          by: "expert",
          user: { user_id: owner.user_id, name: owner.name, email: owner.email },
          api_key_id: "5b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
          created_at: "2026-11-22T10:01:55.083Z",
        }],
        count: 1,
      },
    },
  },
  previewInvitation: {
    summary: "See what an invitation is for",
    description:
      "Which role with which coach, and who invites, before the user accepts it. `coach` is null if the invitation lets the user make a " +
      "coach. It does not use the invitation up.",
    bodyExamples: { token: { value: { token } } },
    reply: {
      description: "The role and the coach",
      example: {
        role: exampleInvitation.role,
        coach: { name: exampleCoach.name, title: exampleCoach.title },
        invited_by: "mara@example.com",
        expires_at: exampleInvitation.expires_at,
      },
    },
  },
  acceptInvitation: {
    summary: "Accept an invitation",
    description:
      "Makes the signed-in user an expert, and uses the invitation up. Anonymous users and those of an application's " +
      "own login cannot be experts. A user who is an expert of the coach already keeps a higher role. If the invitation " +
      "is for a new coach, `name` and `title` are required: the coach is made, with the user as its owner, and answers " +
      "nobody until it is published.",
    bodyExamples: {
      colleague: { value: { token } },
      own: { summary: "A coach of one's own", value: { token, name: "Jon Ekdal", title: "Gardener" } },
    },
    reply: {
      description: "The coach and the role",
      example: { coach_id: exampleCoach.id, role: "editor", is_new: false },
    },
  },
  listOwnCoaches: {
    summary: "List the coaches of an expert",
    description:
      "The coaches that a user is an expert of, by name, including inactive ones, as far as the key reaches them. " +
      "With `limit` or `cursor`, one page of them.",
    reply: {
      description: "The coaches; the list may be empty",
      example: { data: [{ ...exampleCoach, role: "owner", is_active: true }], count: 1 },
    },
  },
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
