/** The texts of mails in English. `{name}` is filled in; of plurals, `other` always exists. */
export const texts = {
  human: {
    subject: { one: "{coach}: someone is asking for you", other: "{coach}: {count} people are asking for you" },
    text: {
      one: "Someone who is talking to {coach} has asked for a human, and is waiting for your reply.",
      other: "{count} people who are talking to {coach} have asked for a human, and are waiting for your reply.",
    },
    question: "They asked:",
    action: { one: "Open the conversation", other: "Open the conversations" },
  },
  digest: {
    subject: {
      one: "{coach}: {count} question is waiting for you",
      other: "{coach}: {count} questions are waiting for you",
    },
    text: {
      one: "{coach} could not answer this well. Your answer goes to everyone who has asked, and to all who ask later.",
      other:
        "{coach} could not answer these well. Your answers go to everyone who has asked, and to all who ask later.",
    },
    item: { one: "{question} ({count} person)", other: "{question} ({count} people)" },
    more: { one: "and {count} more", other: "and {count} more" },
    action: "Answer questions",
  },
  failure: {
    subject: {
      one: "{coach}: {count} file or website could not be read",
      other: "{coach}: {count} files or websites could not be read",
    },
    text: "{coach} cannot use what is in it until this is fixed. The desk shows the reason for each.",
    more: { one: "and {count} more", other: "and {count} more" },
    action: "Open the files",
  },
  budget: {
    subject: "{coach}: a budget is used up",
    text: {
      account:
        "The budget of the whole account is used up. Until it is renewed, {coach} gives only answers that you have written.",
      key:
        "The budget of one application is used up. Until it is renewed, {coach} gives only answers there that you have written.",
      coach: "The budget of {coach} is used up. Until it is renewed, {coach} gives only answers that you have written.",
    },
    renewed: "It is renewed on {date}.",
    notRenewed: "It is not renewed automatically.",
    action: "See the usage",
  },
  invitation: {
    subject: "You are invited to work with {coach}",
    ownSubject: "You are invited to create a persona",
    text: {
      owner:
        "You are invited to work with {coach} as an owner: you can answer questions, add knowledge, publish changes and invite others.",
      editor: "You are invited to work with {coach} as an editor: you can answer questions and add knowledge.",
      answerer: "You are invited to work with {coach}: you can answer questions and take over conversations.",
    },
    ownText: "You are invited to create a persona that answers questions with your knowledge.",
    valid: "The invitation works once, until {date}.",
    action: "Accept the invitation",
  },
  answered: {
    subject: "{coach}: your question was answered",
    text: "The person behind {coach} has replied to you. You find the reply in your conversation.",
    action: "Read the reply",
    private:
      "The link opens your question and this answer in any browser for 30 days. Anyone who has it can read both.",
  },
  confirmation: {
    subject: "Confirm your email address",
    text: "Open this link to be notified by email when the person behind a persona has answered you.",
    ignore: "If you did not ask for this, ignore this email. Without the link, you get no other.",
    action: "Confirm the address",
    notMe: "I did not ask for this: send me no more",
  },
  footer: {
    expert: "You get this email because you are an expert of {coach}.",
    user: "You get this email because you asked to be notified of answers.",
    unsubscribe: "Unsubscribe",
    settings: "Email settings",
  },
};

/** A text that depends on a number: the forms that the language has, of which `other` always exists. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type Texts<Of> = {
  [Name in keyof Of]: Of[Name] extends string ? string : Of[Name] extends { other: string } ? Plural : Texts<Of[Name]>;
};

/** The texts of mails in a language. */
export type MailTexts = Texts<typeof texts>;
