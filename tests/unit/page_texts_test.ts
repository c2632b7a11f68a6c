import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCodes } from "../../shared/infra/errors.ts";
import ar from "../../shared/clients/page/texts/ar.json" with { type: "json" };
import de from "../../shared/clients/page/texts/de.json" with { type: "json" };
import en from "../../shared/clients/page/texts/en.json" with { type: "json" };
import es from "../../shared/clients/page/texts/es.json" with { type: "json" };
import fr from "../../shared/clients/page/texts/fr.json" with { type: "json" };
import pt from "../../shared/clients/page/texts/pt.json" with { type: "json" };
import type { Plural, Wording } from "../../shared/clients/page/texts/texts.ts";
import { sayReason } from "../../shared/clients/page/desk/parts/show_state.ts";
import { languages } from "../../shared/clients/page/ui/language.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { assert, assertEquals } from "../support/assert.ts";

const translations: Record<string, Wording<typeof en>> = { ar, de, es, fr, pt };
const pages = join(projectRoot, "shared/clients/page");

/** The codes of errors of Supabase Auth that have a sentence. */
const codesOfAuth = [
  "email_address_invalid",
  "email_exists",
  "email_not_confirmed",
  "over_email_send_rate_limit",
  "over_request_rate_limit",
  "same_password",
  "user_already_exists",
  "weak_password",
];

const isPlural = (text: unknown): text is Plural =>
  typeof text === "object" && text !== null && typeof (text as Plural).other === "string";

/** All texts of a language, by their path, without the sentences that English leaves to the service. */
function flatten(texts: object, path = ""): Map<string, string | Plural> {
  return new Map(
    Object.entries(texts).flatMap(([name, text]) => {
      const at = path ? `${path}.${name}` : name;
      if (at === "shared.errors" || at === "desk.reasons") return [];
      return typeof text === "string" || isPlural(text) ? [[at, text] as const] : [...flatten(text, at)];
    }),
  );
}

const english = flatten(en);

/** The forms of a text, by their plural category. A text that has one for all numbers has the form `other`. */
const formsOf = (text: string | Plural) => Object.entries(typeof text === "string" ? { other: text } : text);

const placeholdersOf = (text: string) => [...text.matchAll(/{(\w+)}/g)].map(([, name]) => name!).toSorted();

/** The sources of the pages, without the texts. */
async function readSources(folders: string[]): Promise<string> {
  const sources: string[] = [];
  const read = async (path: string) => {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (isDirectory) await read(join(path, name));
      else if (/\.(?:ts|html)$/.test(name)) sources.push(await Deno.readTextFile(join(path, name)));
    }
  };
  for (const folder of folders) await read(join(pages, folder));
  for (const name of ["index.html", "desk.html", "consent.html"]) {
    sources.push(await Deno.readTextFile(join(pages, name)));
  }
  return sources.join("\n");
}

/** Returns true if sources use a text: by its name, by an expression that may be its name, or in a page itself. */
function isUsed(path: string, sources: string): boolean {
  const names = path.split(".");
  const key = names.at(-1)!;
  if (sources.includes(`data-text="${key}"`)) return true;
  const [whole, group] = [names, names.slice(0, -1)].map((them) => them.join(String.raw`\??\.`));
  if (new RegExp(String.raw`\b${whole}\b`).test(sources)) return true;
  return new RegExp(String.raw`\b${group}\??\.?\[`).test(sources) &&
    new RegExp(`["\\b]${key}["\\b]|\\b${key}:`).test(sources);
}

Deno.test("the texts of the pages", async (t) => {
  await t.step("each language has a file", async () => {
    const files = await Array.fromAsync(Deno.readDir(join(pages, "texts")), ({ name }) => name);
    assertEquals(
      files.filter((name) => name !== "texts.ts").toSorted(),
      languages.map((language) => `${language}.json`).toSorted(),
    );
    assertEquals(Object.keys(translations).toSorted(), languages.filter((it) => it !== "en").toSorted());
  });

  for (const [language, texts] of Object.entries(translations)) {
    const translated = flatten(texts);

    await t.step(`${language}: there is each text, and no other`, () => {
      assertEquals([...translated.keys()].toSorted(), [...english.keys()].toSorted());
    });

    await t.step(`${language}: each text has the placeholders of the English one`, () => {
      for (const [path, text] of translated) {
        const expected = new Set(formsOf(english.get(path)!).flatMap(([, form]) => placeholdersOf(form)));
        for (const [category, form] of formsOf(text)) {
          const own = placeholdersOf(form);
          assertEquals(own.filter((name) => !expected.has(name)), [], `${path}: ${form}`);
          // A form for one number, such as "one message", may leave the number out.
          if (category === "other") assertEquals(new Set(own), expected, `${path}: ${form}`);
        }
      }
    });

    await t.step(`${language}: a text that depends on a number has all forms of the language`, () => {
      const rules = new Intl.PluralRules(language);
      const categories = new Set(Array.from({ length: 1_000 }, (_, number) => rules.select(number)));
      for (const [path, text] of translated) {
        assertEquals(isPlural(text), isPlural(english.get(path)), path);
        if (!isPlural(text) || Object.keys(text).length === 1) continue;
        assertEquals([...categories].filter((category) => !(category in text)), [], path);
      }
    });

    await t.step(`${language}: no sentence is left in English`, () => {
      const same = [...translated].filter(([path, text]) =>
        JSON.stringify(text) === JSON.stringify(english.get(path)) &&
        formsOf(text)[0]![1].trim().split(/\s+/).length > 2
      );
      assertEquals(same.map(([path]) => path), []);
    });
  }

  await t.step("no text is empty, or contains HTML", () => {
    for (const [language, texts] of Object.entries({ ...translations, en })) {
      for (const [path, text] of flatten(texts)) {
        for (const [, form] of formsOf(text)) {
          assert(form.trim() === form && form !== "" && !/<\/?[a-z]/.test(form), `${language}.${path}: ${form}`);
        }
      }
    }
  });

  await t.step("none speaks of what only operators and developers know, or of a coach", () => {
    const words = /OPENAI|\b(?:UTC|tokens?|caches?|scores?|judge|coach(?:es)?)\b/i;
    for (const [language, texts] of Object.entries({ ...translations, en })) {
      for (const [path, text] of flatten(texts)) {
        // A profession, and what Mara does.
        if (path === "desk.invitation.professionHint" || path === "desk.persona.guide.whoExample") continue;
        for (const [, form] of formsOf(text)) assert(!words.test(form), `${language}.${path}: ${form}`);
      }
    }
  });

  await t.step("sentences for errors have codes that there are, the same in all languages", () => {
    const codes = new Set<string>([...errorCodes, ...codesOfAuth]);
    for (const texts of Object.values(translations)) {
      assertEquals(Object.keys(texts.shared.errors).toSorted(), Object.keys(de.shared.errors).toSorted());
      for (const code of [...Object.keys(texts.shared.errors), ...Object.keys(texts.desk.errors)]) {
        assert(codes.has(code), code);
      }
    }
  });

  await t.step("all texts are used", async () => {
    const [both, desk, consent] = await Promise.all(
      [["chat", "launcher", "reader", "ui"], ["desk"], ["consent"]].map(readSources),
    );
    const unused = [...english.keys()].filter((path) => {
      const [part, ...names] = path.split(".");
      if (part === "consent") return !isUsed(`t.${names.join(".")}`, consent!);
      if (part === "desk") return names[0] !== "errors" && !isUsed(`t.${names.join(".")}`, desk!);
      const [name] = names;
      const isInChat = ["texts", "words"].some((them) => isUsed(`${them}.${name}`, both!));
      return !isInChat && !(part === "shared" && isUsed(`t.shared.${name}`, desk!));
    });
    assertEquals(unused, []);
  });
});

/** The files of the service that give reasons, each with what stands there before one. */
const reasonSources: Record<string, RegExp> = {
  "libs/documents/document_reader.ts": /UnreadableDocument\(/,
  "features/knowledge/check_content.ts": /UnacceptableFile\(|heicAdvice =/,
  "features/knowledge/upload_files.ts": /UnacceptableFile\(/,
  "features/background/open_file.ts": /throw new NothingToRead\(/,
  "features/background/index_file.ts": /[?:](?= .A )/,
  "features/fetcher/fetch_services.ts": /reason =/,
  "features/fetcher/read_list.ts": /fail\(|reason:/,
  "features/fetcher/read_source_page.ts": /failed\(|UnusablePage\(|reason:|forbidden =|isCut \?/,
  "features/fetcher/sweep.ts": /reason:/,
  "libs/web/fetch_address.ts": /(?:permanent\(|temporary\(|aborted \?| :|reason =|return)(?= ?.[A-Z])/,
  "libs/web/page.ts": /UnreadablePage\(/,
  "libs/web/public_address.ts": /AddressRefused\(/,
  "features/pinned_answers/read_answer_sheet.ts": /invalidSheet\((?!.Row )|Fault\([^,]+,/,
  "features/pinned_answers/import_sheet.ts": /return(?= .The same )/,
  "features/coach_tests/answer_test_case.ts": /(?:push\(|=>|missing,|\?| :)(?= ?.(?:The|Expected) )/,
  "features/coach_tests/judge_answer.ts": /reason:(?= .The )/,
};

/** Reasons that are put together, as examples, and those that Postgres gives. */
const moreReasons = [
  "1 of 1 page has no text; 2 of 3 slides have no text",
  "many letters of 2 of 3 pages could not be read; the text of 1 of 3 pages was recognized from a picture",
  "the rest of 1 of 3 pages could not be read; 1 of 3 pages could not be read",
  "1 chart could not be read; 2 diagrams could not be read; 2 fields are not filled in",
  "1 embedded document could not be read; 2 embedded objects could not be read",
  "1 hidden slide was left out; 2 hidden sheets were left out",
  "1 hidden row was left out; 2 hidden columns were left out",
  "it has the columns question and answer: import it as answers to have these given word for word",
  "No text was found in it. If it is a scan, run text recognition (OCR) on it and upload the result",
  "The content is not that of a DOCX file: it is encrypted, or in the format of an older program. " +
  "Save it as DOCX without a password",
  "Only the file name can be searched: the model found no text in it",
  "The model owl-1 has not answered: 503",
  "The model owl-1 refused the file: 415",
  "It has the same title and text as a file that was uploaded",
  "No page was found",
  "Reading the page takes more time or memory than a function has",
  "Reading the file takes more time or memory than a function has",
  "Reading its list of pages takes more time or memory than a function has",
  "Row 3 of the sheet has a quotation mark that does not end, or one too many",
  "The answer takes more time or memory than a function has.",
  "The answer failed.",
  "The variant “When?” is a question of row 3",
  "The variant “When?” is a question of another pinned answer",
  "variants must be a list of at most 20 questions",
  "question must be at most 1,000 characters long",
  "answer must not be blank",
  "answer must not contain NUL characters or unpaired surrogates",
  "email must be an email address",
];

Deno.test("what the service says of files, websites, sheets and tests is said in each language", async (t) => {
  const reasons = [...moreReasons];
  for (const [path, before] of Object.entries(reasonSources)) {
    const source = await Deno.readTextFile(join(projectRoot, "shared", path));
    const found = [...source.matchAll(new RegExp(`(?:${before.source})\\s*(["\`])(.*?)\\1`, "g"))];
    assert(found.length > 0, path);
    reasons.push(...found.map(([, , reason]) => reason!.replace(/\$\{[^}]*\}/g, "7")));
  }

  for (const [language, { desk }] of Object.entries(translations)) {
    await t.step(language, () => {
      const english = reasons.filter((reason) => {
        const said = sayReason(reason, desk.reasons);
        return reason.split("; ").some((part) => said.includes(part));
      });
      assertEquals(english, []);
      assertEquals(Object.keys(desk.reasons), Object.keys(de.desk.reasons));
      for (const [sentence, own] of Object.entries(desk.reasons)) {
        assert(own.trim() === own && own !== "" && !/<\/?[a-z]|[.]$/.test(own), own);
        assertEquals(placeholdersOf(own).filter((name) => !placeholdersOf(sentence).includes(name)), [], own);
      }
    });
  }

  await t.step("what a reason names has its place, and another reason in it is translated, too", () => {
    const say = (reason: string) => sayReason(reason, de.desk.reasons);
    assertEquals(say("The file is larger than 50 MB"), "Die Datei ist größer als 50 MB.");
    assertEquals(
      say("The feed could not be read: The page answered with status 500"),
      "Der Feed konnte nicht gelesen werden: Die Seite hat mit dem Status 500 geantwortet.",
    );
    assertEquals(
      say("3 of 5 pages have no text; 1 chart could not be read"),
      "3 von 5 Seiten ohne Text; nicht gelesene Diagramme: 1.",
    );
    assertEquals(
      say("The first row of the sheet must name the columns question and answer: question is missing"),
      "In der ersten Zeile müssen die Spalten question (Frage) und answer (Antwort) benannt sein. Es fehlt: question.",
    );
    assertEquals(say("Each of variants must not be blank"), "„Andere Formulierung“ darf nicht leer sein.");
    assertEquals(say('The answer contains "a; b".'), 'Die Antwort enthält "a; b".');
    assertEquals(say("The first of all pages has no text"), "The first of all pages has no text.");
    // With anything in the places of numbers, this would take minutes.
    assertEquals(say("The answer of page ".repeat(400)), `${"The answer of page ".repeat(400)}.`);
    assertEquals(say("A sentence that nobody has translated"), "A sentence that nobody has translated.");
    assertEquals(sayReason("The file is empty", {}), "The file is empty.");
  });
});

Deno.test("the styles of the pages know no left and right", async () => {
  const paths = (await readdir(pages, { recursive: true })).filter((path) => path.endsWith(".css"));
  const styles = (await Promise.all(paths.map((path) => Deno.readTextFile(join(pages, path))))).join("\n");
  const physical = [
    /\b(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b[^;]*;/g,
    /(?:^|[\s;{])(?:left|right):[^;]*;/g,
    /\btext-align: (?:left|right)/g,
    /\bfloat: (?:left|right)/g,
    /\bborder-(?:top|bottom)-(?:left|right)-radius[^;]*;/g,
    /\btranslateX\(/g,
    // The second and the fourth value of a shorthand are of the right and the left.
    /\b(?:margin|padding|inset|border-width|border-color|border-style): (?:[\w.%-]+|[\w-]+\([^;]*?\)) ([\w.%-]+) [\w.%-]+ (?!\1;)[\w.%-]+;/g,
  ];
  assert(styles.length > 10_000, "the styles were not found");
  assertEquals(physical.flatMap((pattern) => styles.match(pattern) ?? []), []);
});
