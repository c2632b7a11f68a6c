import { type MailLanguage, mailLanguages } from "../../shared/features/mail/fields.ts";
import { mailTexts } from "../../shared/features/mail/texts/mail_texts.ts";
import type { TakenMail } from "../../shared/features/mailer/take_mails.ts";
import { writeMail } from "../../shared/features/mailer/write_mail.ts";
import { assert, assertEquals } from "../support/assert.ts";

const isPlural = (value: object): value is Record<string, string> => "other" in value;

/** The texts by their paths; of plurals, each form. */
function flatten(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([name, part]) => flatten(part, `${path}.${name}`));
}

/** The paths of plurals, with their forms. */
function pluralsOf(value: unknown, path = ""): [path: string, forms: Record<string, string>][] {
  if (typeof value !== "object" || value === null) return [];
  if (isPlural(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, part]) => pluralsOf(part, `${path}.${name}`));
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();
const pathOf = (path: string) => path.replace(/\.(?:zero|one|two|few|many|other)$/, "");

/** A mail of each kind. */
const mails: Pick<TakenMail, "kind" | "content">[] = [
  ...[1, 2, 3, 11, 100].map((count) => ({
    kind: "human" as const,
    content: { count, thread_id: "t", question: count === 1 ? "Why?" : null },
  })),
  ...[1, 2, 3, 11, 100].map((count) => ({
    kind: "digest" as const,
    content: { count, questions: [{ question: "Why?", people: count }] },
  })),
  ...[1, 2, 3, 11, 100].map((count) => ({ kind: "failure" as const, content: { count, names: ["a.pdf"] } })),
  ...(["account", "key", "coach"] as const).map((scope) => ({
    kind: "budget" as const,
    content: { scope, resets_at: scope === "key" ? null : "2026-12-01T00:00:00.000Z" },
  })),
  ...(["owner", "editor", "answerer"] as const).map((role) => ({
    kind: "invitation" as const,
    content: { role, expires_at: "2026-12-01T00:00:00.000Z", invited_by: role === "owner" ? null : "mara@example.com" },
  })),
  { kind: "answered", content: { count: 1, thread_id: "t" } },
  { kind: "confirmation", content: {} },
  { kind: "request_confirmation", content: {} },
  { kind: "request_answered", content: {} },
];

const links = {
  action: "https://a.example/#x",
  settings: "https://a.example/#team",
  unsubscribe: "https://u.example/?a&b",
  notMe: "https://a.example/#not-me=x",
};

Deno.test("the texts of mails", async (t) => {
  const english = flatten(mailTexts.en);
  for (const language of mailLanguages) {
    await t.step(`${language} has the same texts, with the same placeholders`, () => {
      const texts = mailTexts[language];
      const byPath = Map.groupBy(flatten(texts), ([path]) => pathOf(path));
      assertEquals([...byPath.keys()].toSorted(), [...new Set(english.map(([path]) => pathOf(path)))].toSorted());
      for (const [path, text] of english) {
        if (/\.one$/.test(path)) continue;
        for (const [form, other] of byPath.get(pathOf(path))!) {
          const needed = placeholders(text);
          // Forms for one and two may say the number in words.
          const may = /\.(?:one|two)$/.test(form) ? needed.filter((name) => name !== "count") : needed;
          assertEquals(placeholders(other).filter((name) => may.includes(name)), may, `${language} ${form}`);
          assert(placeholders(other).every((name) => needed.includes(name)), `${language} ${form}`);
        }
      }
    });

    await t.step(`${language} has each form that numbers up to a hundred need`, () => {
      const rules = new Intl.PluralRules(language);
      const needed = new Set(Array.from({ length: 100 }, (_, index) => rules.select(index + 1)));
      for (const [path, forms] of pluralsOf(mailTexts[language])) {
        // Where the noun alone is counted, the other form serves for all.
        const missing = [...needed].filter((form) => forms[form] === undefined && /\{count\}/.test(forms.other!));
        assertEquals(missing, [], `${language} ${path}`);
      }
    });

    await t.step(`${language} fills in everything, in both parts`, () => {
      for (const mail of mails) for (const coachName of ["Ada", null]) assertFilled(language, mail, coachName);
    });
  }
});

function assertFilled(
  language: MailLanguage,
  mail: Pick<TakenMail, "kind" | "content">,
  coachName: string | null,
): void {
  const whole = { id: "1", claim: "c", accountId: "a", address: "a@b.example", language, subscriptionId: null };
  const { subject, text, html } = writeMail(
    { ...whole, coachName, expertName: coachName, ...mail } as TakenMail,
    links,
  );
  for (const part of [subject, text, html]) {
    assertEquals(/[{}]|undefined|NaN|Invalid/.test(part.replace(/style="[^"]*"/g, "")), false, part);
  }
  assertEquals(subject.includes("\n"), false);
  assert(text.includes(links.action) && text.includes(links.unsubscribe));
  assert(html.includes(`href="${links.action}"`) && html.includes('href="https://u.example/?a&amp;b"'));
  assert(html.includes(`lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"`));
}
