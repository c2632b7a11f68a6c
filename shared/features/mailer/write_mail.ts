import { stripInvisible } from "../../libs/base/text.ts";
import type { MailLanguage } from "../mail/fields.ts";
import { type MailTexts, mailTexts, type Plural } from "../mail/texts/mail_texts.ts";
import type { TakenMail } from "./take_mails.ts";

/** The pages that mails lead to, and the address that unsubscribes. */
export type MailLinks = {
  /** The place that the mail is about. */
  action: string;
  /** The page with the settings of mails; null: the mail has none. */
  settings: string | null;
  /** Null: nothing can be unsubscribed. */
  unsubscribe: string | null;
  /** The page that says that somebody else gave the address; null: whoever gets the mail has asked for it. */
  notMe: string | null;
};

/** A mail in words. */
export type WrittenMail = { subject: string; text: string; html: string };

/** A text with its values: those come from outside, and are shown as they are. */
type Filled = { template: string; values: Record<string, string> };

const maxName = 200;
const maxLine = 1_000;

/** Makes one harmless line of a text from outside: no line break ends a header, no mark of direction misleads. */
function oneLine(text: string, most = maxLine): string {
  // deno-lint-ignore no-control-regex -- That is what is taken out.
  const line = stripInvisible(text).replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

/** Writes a mail in its language, as plain text and as HTML. Both say the same. */
export function writeMail(mail: TakenMail, links: MailLinks): WrittenMail {
  const texts = mailTexts[mail.language];
  const words = describe(mail, texts);
  const { footer } = words;
  const { unsubscribe, settings, notMe } = links;
  const ways = [
    ...(notMe === null ? [] : [{ label: texts.confirmation.notMe, url: notMe }]),
    ...(unsubscribe === null ? [] : [{ label: texts.footer.unsubscribe, url: unsubscribe }]),
    ...(settings === null ? [] : [{ label: texts.footer.settings, url: settings }]),
  ];
  const text = [
    words.paragraphs.map(fill).join("\n\n"),
    ...(words.items.length === 0 ? [] : [words.items.map((item) => `- ${fill(item)}`).join("\n")]),
    `${words.action}:\n${links.action}`,
    ...(words.after.length === 0 ? [] : [words.after.map(fill).join("\n\n")]),
    ...(footer.length + ways.length === 0
      ? []
      : [["-- ", ...footer.map(fill), ...ways.map(({ label, url }) => `${label}: ${url}`)].join("\n")]),
  ].join("\n\n");
  return {
    subject: fill(words.subject),
    text: `${text}\n`,
    html: writeHtml(words, { footer, ways }, mail, links.action),
  };
}

/** A mail in its parts. */
type Words = {
  subject: Filled;
  paragraphs: Filled[];
  items: Filled[];
  action: string;
  /** Paragraphs after the link. */
  after: Filled[];
  footer: Filled[];
};

function describe(mail: TakenMail, texts: MailTexts): Words {
  const { language } = mail;
  const coach = oneLine(mail.coachName ?? "", maxName);
  const say = (template: string, values: Record<string, string> = {}): Filled => ({
    template,
    values: { coach, ...values },
  });
  const count = (plural: Plural, number: number, values: Record<string, string> = {}): Filled =>
    say(choose(plural, number, language), { count: new Intl.NumberFormat(language).format(number), ...values });
  const day = (time: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(time));
  const answered = mail.expertName === null
    ? say(texts.answered.text)
    : say(texts.answered.byName, { expert: oneLine(mail.expertName, maxName) });
  const ofExpert = [say(texts.footer.expert)];
  const plain = { items: [], after: [], footer: [] };

  switch (mail.kind) {
    case "human": {
      const { content: { count: people, question } } = mail;
      const isOne = people === 1 && question !== null;
      return {
        ...plain,
        subject: count(texts.human.subject, people),
        paragraphs: [count(texts.human.text, people), ...(isOne ? [say(texts.human.question)] : [])],
        items: isOne ? [say("{question}", { question: oneLine(question) })] : [],
        action: fill(count(texts.human.action, people)),
        footer: ofExpert,
      };
    }
    case "digest": {
      const { content: { count: waiting, questions } } = mail;
      const more = waiting - questions.length;
      return {
        ...plain,
        subject: count(texts.digest.subject, waiting),
        paragraphs: [count(texts.digest.text, waiting)],
        items: [
          ...questions.map(({ question, people }) => count(texts.digest.item, people, { question: oneLine(question) })),
          ...(more > 0 && questions.length > 0 ? [count(texts.digest.more, more)] : []),
        ],
        action: texts.digest.action,
        footer: ofExpert,
      };
    }
    case "topics": {
      const { content: { count: conversations, before, not_known, topics } } = mail;
      const change = conversations - before;
      return {
        ...plain,
        subject: count(texts.topics.subject, conversations),
        paragraphs: [
          change === 0
            ? say(texts.topics.same)
            : count(change > 0 ? texts.topics.more : texts.topics.fewer, Math.abs(change)),
        ],
        items: [
          ...topics.map(({ name, conversations }) =>
            count(texts.topics.item, conversations, { name: oneLine(name, maxName) })
          ),
          not_known === 0 ? say(texts.topics.allKnown) : count(texts.topics.notKnown, not_known),
        ],
        action: texts.topics.action,
        footer: ofExpert,
      };
    }
    case "failure": {
      const { content: { count: failed, names } } = mail;
      const more = failed - names.length;
      return {
        ...plain,
        subject: count(texts.failure.subject, failed),
        paragraphs: [say(texts.failure.text)],
        items: [
          ...names.map((name) => say("{name}", { name: oneLine(name, maxName) })),
          ...(more > 0 ? [count(texts.failure.more, more)] : []),
        ],
        action: texts.failure.action,
        footer: ofExpert,
      };
    }
    case "budget": {
      const { content: { scope, resets_at } } = mail;
      const renewed = resets_at === null
        ? say(texts.budget.notRenewed)
        : say(texts.budget.renewed, { date: day(resets_at) });
      return {
        ...plain,
        subject: say(texts.budget.subject),
        paragraphs: [say(texts.budget.text[scope]), renewed],
        action: texts.budget.action,
        footer: ofExpert,
      };
    }
    case "invitation": {
      const { content: { role, expires_at, invited_by } } = mail;
      const isOwn = mail.coachName === null;
      return {
        ...plain,
        subject: say(isOwn ? texts.invitation.ownSubject : texts.invitation.subject),
        paragraphs: [
          ...invited_by === null ? [] : [say(texts.invitation.by, { email: invited_by })],
          say(isOwn ? texts.invitation.ownText : texts.invitation.text[role]),
        ],
        action: texts.invitation.action,
        after: [say(texts.invitation.valid, { date: day(expires_at) })],
      };
    }
    case "answered":
      return {
        ...plain,
        subject: say(texts.answered.subject),
        paragraphs: [answered],
        action: texts.answered.action,
        footer: [say(texts.footer.user)],
      };
    case "request_answered":
      return {
        ...plain,
        subject: say(texts.answered.subject),
        paragraphs: [answered],
        action: texts.answered.action,
        after: [say(texts.answered.private)],
      };
    case "confirmation":
    case "request_confirmation":
      return {
        ...plain,
        subject: say(texts.confirmation.subject),
        paragraphs: [say(texts.confirmation.text)],
        action: texts.confirmation.action,
        after: [say(texts.confirmation.ignore)],
      };
  }
}

/** The form of a text that a number needs. */
function choose(plural: Plural, number: number, language: MailLanguage): string {
  return plural[new Intl.PluralRules(language).select(number)] ?? plural.other;
}

/** Fills the values in, once: braces in a value stay as they are. */
function fill({ template, values }: Filled): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

/** The same as HTML. Values are isolated: a name in another script does not turn the sentence around. */
function fillHtml({ template, values }: Filled): string {
  return template.split(/\{(\w+)\}/).map((part, index) =>
    index % 2 === 0 ? escape(part) : `<bdi>${escape(values[part] ?? "")}</bdi>`
  ).join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

type Way = { label: string; url: string };

/** Styles are in attributes, since mail programs drop all others. */
function writeHtml(
  words: Words,
  { footer, ways }: { footer: Filled[]; ways: Way[] },
  { language }: TakenMail,
  action: string,
): string {
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`;
  const link = ({ label, url }: Way) => `<a href="${escape(url)}" style="color:#57534e">${escape(label)}</a>`;
  const list = words.items.map((item) => `<li style="margin:0 0 8px">${fillHtml(item)}</li>`).join("");
  const parts = [
    `<h1 style="font-size:20px;line-height:1.3;margin:0 0 16px">${fillHtml(words.subject)}</h1>`,
    ...words.paragraphs.map((part) => paragraph(fillHtml(part))),
    ...(list === "" ? [] : [`<ul style="margin:0 0 16px;padding:0 20px">${list}</ul>`]),
    paragraph(
      `<a href="${escape(action)}" style="display:inline-block;padding:10px 18px;border-radius:8px;` +
        `background:#0f6b5c;color:#ffffff;text-decoration:none">${escape(words.action)}</a>`,
    ),
    ...words.after.map((part) => paragraph(fillHtml(part))),
  ];
  const small = [...footer.map(fillHtml), ...(ways.length === 0 ? [] : [ways.map(link).join(" · ")])];
  return [
    `<!doctype html>`,
    `<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${
      escape(fill(words.subject))
    }</title></head>`,
    `<body style="margin:0;padding:24px 12px;background:#f5f5f4;color:#1c1917;font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:560px;margin:0 auto;padding:24px;border-radius:12px;background:#ffffff">`,
    ...parts,
    `</div>`,
    ...(small.length === 0 ? [] : [
      `<div style="max-width:560px;margin:16px auto 0;padding:0 24px;color:#57534e;font-size:13px">${
        small.map((line) => `<p style="margin:0 0 8px">${line}</p>`).join("")
      }</div>`,
    ]),
    `</body></html>`,
    "",
  ].join("\n");
}
