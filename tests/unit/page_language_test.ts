import { fill, fillPlural } from "../../shared/clients/page/ui/fill.ts";
import { chooseLanguage, directionOf } from "../../shared/clients/page/ui/language.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("the language of a page", async (t) => {
  const cases: [wanted: string, accepted: string[], language: string, locale: string][] = [
    ["", ["de-AT", "en"], "de", "de-AT"],
    ["", ["it-IT", "fr-CA", "en-US"], "fr", "fr-CA"],
    ["", ["it", "ja"], "en", "en"],
    ["", [], "en", "en"],
    ["", ["EN-gb"], "en", "EN-gb"],
    ["pt", ["de"], "pt", "pt"],
    ["pt-BR", ["de"], "pt", "pt-BR"],
    // The site's own language counts, also if there is none of it here.
    ["it", ["de"], "en", "en"],
    ["de-", ["fr"], "en", "en"],
    ["", ["de-", "ar-EG"], "ar", "ar-EG"],
  ];
  for (const [wanted, accepted, language, locale] of cases) {
    await t.step(`"${wanted}" and ${JSON.stringify(accepted)} → ${language}, ${locale}`, () => {
      assertEquals(chooseLanguage(wanted, accepted), { language, locale });
    });
  }

  await t.step("Arabic is written from right to left, also that of a region", () => {
    assertEquals(["ar", "ar-EG", "de", "en-US", "arn"].map(directionOf), ["rtl", "rtl", "ltr", "ltr", "ltr"]);
  });
});

Deno.test("texts with placeholders", async (t) => {
  await t.step("values are filled in, and a placeholder without a value stays", () => {
    assertEquals(fill("{name} has {count}, {other}", { name: "Ada", count: 2 }), "Ada has 2, {other}");
  });

  await t.step("numbers are written as in a locale, if one is given", () => {
    assertEquals(fill("{done} of {all}", { done: 2, all: "3" }, "ar-EG"), "\u2068٢\u2069 of 3");
    assertEquals(fill("{left} left", { left: 1_234 }, "de"), "1.234 left");
    assertEquals(fill("{left} left", { left: 1_234 }), "1234 left");
  });

  await t.step("a value in another direction is kept apart from the text around it", () => {
    assertEquals(fill("رسالة إلى {name}", { name: "Ada (1815)" }), "رسالة إلى \u2068Ada (1815)\u2069");
    assertEquals(fill("Message to {name}", { name: "آدا" }), "Message to \u2068آدا\u2069");
  });

  await t.step("the form of a number is chosen by its language", () => {
    const text = { zero: "z", one: "o", two: "t", few: "f {count}", many: "m {count}", other: "x {count}" };
    const forms = [0, 1, 2, 3, 11, 100].map((count) => fillPlural(text, { count, locale: "ar" }));
    assertEquals(forms, ["z", "o", "t", "f 3", "m 11", "x 100"]);
    assertEquals(fillPlural(text, { count: 1, locale: "en" }), "o");
    assertEquals(fillPlural({ other: "{count} new" }, { count: 1_234, locale: "de" }), "1.234 new");
    assertEquals(fillPlural("{count} of {all}", { count: 3, all: "four", locale: "en" }), "3 of four");
  });
});
