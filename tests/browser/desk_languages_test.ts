/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile, finishIndexing, uploadAndIndex } from "../support/knowledge.ts";
import { runTests } from "../support/persona_tests.ts";
import { dealOut, onceARun } from "../support/slow.ts";
import { goTo, keepQuestion, sitDown } from "./desk.ts";
import { assertSound } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite } from "./site.ts";
import { ar, de, en, es, fill, fr, plural, pt, startOf } from "./texts.ts";

/** The language and the direction of the page, and those of its desk. */
async function speechOf(page: Page) {
  return await page.evaluate(() => {
    const frame = document.querySelector("human-desk")!.shadowRoot!.querySelector<HTMLElement>("human-desk-frame")!;
    const { lang, dir } = document.documentElement;
    return [lang, dir, frame.lang, frame.dir, getComputedStyle(frame).direction];
  });
}

/** A desk with something in each of its panels. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await openSite());
  const { tenant, service } = site;
  for (const person of ["ann", "ben", "ben"]) await keepQuestion(site, person, "May I bring my dog?");
  const { threadId } = await keepQuestion(site, "01a207ab-cc07-75ee-8482-5574aca2c63f", "هل يوجد موقف سيارات؟");
  await addFile(tenant, "Sleep.pdf", {
    content: "A cold bedroom helps you and your dog sleep. موقف سيارات",
    page: 3,
    heading: "The bedroom",
  });
  service.model.script(tenant.modelName, { steps: [{ text: "1" }] });
  for (const price of [60, 70]) {
    await uploadAndIndex(service, tenant, [`Prices with ${price}.md`, `A night in the warm bedroom costs €${price}.`]);
  }
  const ofExpert = { ...tenant, accessToken: site.expert.accessToken };
  const expert = clientOf(service, ofExpert);
  await expert.createPinnedAnswer(tenant.coachId, { question: "How warm?", answer: "Sixteen degrees.", variants: [] });
  await expert.createTest(tenant.coachId, {
    question: "How warm should a bedroom be?",
    expect: { outcome: "answered", icontains: ["cold", "dark"], sources: { all: ["Sleep.pdf"] } },
  });
  service.model.script(tenant.modelName, { steps: [{ text: "Cold." }] });
  const run = await runTests(service, ofExpert);
  const places = [
    ...["questions", "questions/answered", `conversations/${threadId}`, "answers", "answers/new", "answers/import"],
    ...[
      "files",
      "files?search=cold",
      "files/websites",
      "files/barred",
      "files/contradictions",
      "try?question=How+cold",
    ],
    ...["tests", "tests/new", "tests/runs", `tests/runs?run=${run.id}`, "usage"],
  ];
  return handOver(stack, { site, places, threadId });
}

Deno.test("the desk in the expert's language", async (t) => {
  await using prepared = await prepare();
  const { site, places, threadId } = prepared;

  const texts = { "ar-EG": ar, "de-AT": de, "fr-FR": fr, "es-ES": es, "pt-BR": pt };
  const locales = Object.keys(texts) as (keyof typeof texts)[];
  for (const [locale, itsPlaces] of dealOut(locales, places)) {
    for (const { name, options } of onceARun(looks, { salt: locale })) {
      await t.step(`${locale} at ${name}: nothing cut off, and axe finds nothing serious`, async () => {
        await using visited = await sitDown(site, { ...options, locale });
        const { page } = visited;
        const { desk } = texts[locale];
        const dir = locale === "ar-EG" ? "rtl" : "ltr";
        assertEquals(await speechOf(page), [locale, dir, locale, dir, dir]);
        for (const place of itsPlaces) {
          await goTo(page, site, place, desk.parts);
          await assertSound(page, place);
        }
        assertEquals(visited.errors, []);
      });
    }
  }

  await t.step("in Arabic, it is mirrored, and a text has the direction of its own language", async () => {
    await using visited = await sitDown(site, { locale: "ar-EG" });
    const { page } = visited;
    const direction = (text: string) =>
      page.getByRole("heading", { name: text }).evaluate((it) => {
        const range = document.createRange();
        range.selectNodeContents(it);
        const [text, around] = [range.getBoundingClientRect(), it.getBoundingClientRect()];
        return Math.abs(text.left - around.left) < 2 ? "from the left" : "from the right";
      });
    assertEquals(
      [await direction("May I bring my dog?"), await direction("هل يوجد")],
      ["from the left", "from the right"],
    );
    const [nav, main] = [
      await page.locator("nav[aria-label]").first().boundingBox(),
      await page.locator("main").boundingBox(),
    ];
    assert(nav!.x > main!.x, "the names of the panels are on the right");
    assertEquals(visited.errors, []);
  });

  await t.step("numbers and plurals, dates and sizes are those of the language", async () => {
    await using visited = await sitDown(site, { locale: "de-AT" });
    const { page } = visited;
    const card = page.getByRole("article", { name: "May I bring my dog?" });
    await card.getByText("3-mal gefragt, von 2 Personen").waitFor();
    await page.getByRole("link", { name: startOf(de.desk.frame.questions) }).getByText("2 warten").waitFor();
    await goTo(page, site, `conversations/${threadId}`, de.desk.parts);
    const { title, time } = await page.locator("article time").first().evaluate((it) => ({
      title: (it as HTMLElement).title,
      time: (it as HTMLTimeElement).dateTime,
    }));
    const format = { dateStyle: "medium", timeStyle: "short" } as const;
    assertEquals(
      title,
      await page.evaluate(([time, format]) => {
        return new Intl.DateTimeFormat("de-AT", format).format(new Date(time));
      }, [time, format] as const),
    );
    await page.getByText(fill(en.desk.format.person, { digits: "c63f" })).first().waitFor();
  });

  await t.step("an error that the desk knows has a sentence of its own, another one that of the service", async () => {
    await using visited = await sitDown(site, { locale: "de" });
    const { page } = visited;
    const card = page.getByRole("article", { name: "May I bring my dog?" });
    for (
      const [code, error, sentence] of [
        ["question_not_found", "Question not found", "Diese Frage gibt es nicht mehr."],
        ["some_other_error", "Something else is wrong", "Something else is wrong"],
      ] as const
    ) {
      const headers = { "X-Error-Code": code };
      await page.route("**/questions/*/dismiss", (route) => route.fulfill({ status: 409, headers, json: { error } }));
      await card.getByRole("button", { name: de.desk.questions.dismiss, exact: true }).click();
      await card.getByRole("alert").getByText(sentence, { exact: true }).waitFor();
      await page.unrouteAll();
    }
  });

  await t.step("what cannot be undone is asked in the language, with both answers", async () => {
    await using visited = await sitDown(site, { locale: "de" });
    const { page } = visited;
    await goTo(page, site, "persona", de.desk.parts);
    await page.getByRole("textbox", { name: startOf(de.desk.persona.greeting) }).fill("Hallo");
    await page.getByRole("button", { name: de.desk.persona.discard }).click();
    const question = page.getByRole("group", { name: de.desk.persona.discardQuestion });
    await question.getByRole("button", { name: de.shared.cancel }).click();
  });

  await t.step("why a file was refused, or cannot be read, is said in the language", async () => {
    await using visited = await sitDown(site, { locale: "de" });
    const { page } = visited;
    await goTo(page, site, "files", de.desk.parts);
    await page.locator("input[type=file]").first().setInputFiles([
      { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") },
      { name: "torn.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nhello") },
    ]);
    await page.getByText("Der Inhalt ist nicht der einer PDF-Datei.", { exact: true }).waitFor();
    await page.getByText(plural(de.desk.files.uploaded, 1)).waitFor();
    await finishIndexing(site.service, site.tenant.coachId);
    await page.getByText("Die Datei ist beschädigt.", { exact: true }).waitFor();
  });

  await t.step("the names of the panels fit into the narrowest window", async () => {
    await using visited = await sitDown(site, { locale: "fr", viewport: { width: 320, height: 640 } });
    const { page } = visited;
    for (const panel of ["questions", "conversations", "answers"] as const) {
      await goTo(page, site, panel, fr.desk.parts);
      await page.locator("nav a[aria-current=page]").getByText(fr.desk.frame[panel], { exact: true }).waitFor();
      const cut = await page.locator("nav :is(a, .more) > span:not(.count):visible").evaluateAll((spans) =>
        spans.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((it) => it.textContent)
      );
      assertEquals([panel, ...cut], [panel]);
    }
  });

  await t.step("the attribute decides, and can be changed", async () => {
    await using visited = await sitDown(site, { locale: "de" });
    const { page } = visited;
    const setLanguage = (lang: string) =>
      page.locator("human-desk").evaluate((desk, lang) => desk.setAttribute("lang", lang), lang);
    await page.getByRole("heading", { name: de.desk.questions.title }).waitFor();
    await setLanguage("ar");
    await page.getByRole("heading", { name: ar.desk.questions.title }).waitFor();
    assertEquals(await speechOf(page), ["ar", "rtl", "ar", "rtl", "rtl"]);
    await setLanguage("en");
    await page.getByRole("heading", { name: en.desk.questions.title }).waitFor();
    assertEquals(await speechOf(page), ["en", "ltr", "en", "ltr", "ltr"]);
    assertEquals(visited.errors, []);
  });
});
