import { joinLines, type TextItem, writeTexLetters, writeUsualLetters } from "./join_lines.ts";
import { raiseText } from "./write_marks.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

type Shown = { text: string; x: number; y?: number; height?: number; width?: number; dir?: string };

/** Runs as pdf.js gives them; each letter is as wide as half its height. */
const items = (...shown: Shown[]): TextItem[] =>
  shown.map(({ text, x, y = 700, height = 12, width = text.length * height / 2, dir = "ltr" }) => ({
    str: text,
    dir,
    transform: [height, 0, 0, height, x, y],
    width,
    height,
    hasEOL: false,
  }));

/** Each letter by itself from left to right, as Chromium writes Arabic and Hebrew. */
function letters(seen: string, right = 500): TextItem[] {
  const isLetter = (letter: string) => /[\u0590-\u08FF\uFB1D-\uFEFC]/.test(letter) && !/\p{N}/u.test(letter);
  return items(...[...seen].map((text, i) => ({
    text,
    x: right - (seen.length - i) * 6,
    dir: isLetter(text) ? "rtl" : "ltr",
  }))).filter(({ str }) => str !== " ");
}

const textOf = (shown: TextItem[]) => joinLines(shown).map(({ text }) => text);
const turned = (text: string) => [...text].reverse().join("");

Deno.test("joinLines: raised and lowered numbers by height and base", () => {
  const [body, note] = [{ text: "costs 50", x: 0 }, { text: "1", x: 48, y: 704, height: 7 }];
  assertEquals(textOf(items(body, note, { text: " euros", x: 52 })), ["costs 50¹ euros"]);
  assertEquals(textOf(items({ text: "CO", x: 0 }, { text: "2", x: 12, y: 698, height: 7 })), ["CO₂"]);
  assertEquals(textOf(items({ text: "the 1", x: 0 }, { text: "st", x: 30, y: 704, height: 7 })), ["the 1st"]);
  assertEquals(textOf(items(body, { ...note, y: 705, height: 10 })), ["costs 50¹"], "as browsers print them");
  assertEquals(textOf(items(body, { ...note, y: 700 })), ["costs 501"]);
  assertEquals(textOf(items(body, { ...note, x: 200 })), ["costs 501"], "a smaller number elsewhere in the line");

  const ended = items(body, note, { text: " euros", x: 52 }).map((item) => ({ ...item, hasEOL: true }));
  assertEquals(textOf(ended), ["costs 50¹ euros"], "pdf.js may take a raised number for a line");
  assertEquals(
    ["1,2", "-3", "(4)", "th", "Order 88"].map((text) => raiseText(text, "raised")),
    ["¹,²", "⁻³", "⁽⁴⁾", "th", "Order 88"],
  );
});

Deno.test("joinLines: what stands elsewhere does not join what is before it", () => {
  const label = { text: "Last name", x: 200 };
  assertEquals(textOf(items(label, { text: "First name", x: 20 })), ["Last name", "First name"]);
  assertEquals(textOf(items(label, { text: "Street", x: 300, y: 694 })), ["Last name", "Street"]);
  assertEquals(textOf(items(label, { text: "/2", x: 254, y: 694 })), ["Last name/2"], "a fraction");
  assertEquals(textOf(items({ text: "na", x: 0 }, { text: "\u0308", x: 6 }, { text: "ive", x: 12 })), ["na\u0308ive"]);
});

Deno.test("joinLines: accents that are printed over a letter are a part of it", () => {
  const name = [{ text: "M¨", x: 0 }, { text: "uller’s cr`", x: 6 }, { text: "eme, Fran¸", x: 66 }, {
    text: "cais",
    x: 120,
  }];
  assertEquals(textOf(items(...name)), ["Müller’s crème, Français"]);
  assertEquals(textOf(items({ text: "ˇ", x: 0, y: 702 }, { text: "Capek et C", x: 0 }, { text: "¸ a", x: 54 })), [
    "Čapek et Ça",
  ]);
  assertEquals(textOf(items({ text: "le franc", x: 0 }, { text: "¸ ais", x: 42 })), ["le français"]);
  assertEquals(textOf(items({ text: "na¨", x: 0 }, { text: "ıve", x: 12 })), ["naïve"]);
  assertEquals(textOf(items({ text: "run `", x: 0 }, { text: "echo", x: 30 })), ["run `echo"], "beside it");
  assertEquals(textOf(items({ text: "run `", x: 0 }, { text: "kbd", x: 24 })), ["run `kbd"], "no such letter");
});

Deno.test("joinLines: letters that are set apart are a word", () => {
  assertEquals(textOf(items({ text: "K O N T A K T", x: 0 })), ["KONTAKT"]);
  assertEquals(textOf(items({ text: "B E R I C H T", x: 0 }, { text: " ", x: 80 }, { text: "m ä r z", x: 90 })), [
    "BERICHT märz",
  ]);
  for (const text of ["A B C D E", "1 2 3 4 5", "I am as it is", "x y z"]) {
    assertEquals(textOf(items({ text, x: 0 })), [text]);
  }
});

Deno.test("writeTexLetters: codes of TeX's fonts are letters", () => {
  const lettersOf = (...texts: [text: string, fontName: string][]) => {
    const shown = texts.map(([text, fontName]) => ({ ...items({ text, x: 0 })[0]!, fontName }));
    return writeTexLetters(shown).map(({ str }) => str);
  };
  assertEquals(
    lettersOf(["O\x1ezielle Stra\xffe, \x12\xa1\x88\x10", "T1"], ["Fü\xffe", "bold"], ["3 × ÿ", "other"]),
    ["Offizielle Straße, „ąĹ“", "Füße", "3 × ÿ"],
  );
  for (const text of ["Bei\x1fspiel", "Haÿ", "o\x0ece \x1bre", "\x03\x1d5HI\x1deld"]) {
    assertEquals(lettersOf([text, "other"]), [text], "the font of another program");
  }
});

Deno.test("joinLines: lines from right to left are in reading order", () => {
  const hebrew = "שלום עולם";
  assertEquals(textOf(letters(turned(hebrew))), [hebrew]);
  assertEquals(textOf(letters(`${turned("שקל")} 45 ${turned("המחיר")}`)), ["המחיר 45 שקל"]);
  assertEquals(textOf(letters(`.${turned("מחר")} WiFi 6 ${turned("יש")}`)), ["יש WiFi 6 מחר."]);
  assertEquals(textOf(letters(`15 - 12 ${turned("עמודים")}`)), ["עמודים 12 - 15"]);
  const mostlyLatin = letters(`.${turned("בלבד")} info@example.com :${turned("אל")}`);
  assertEquals(
    textOf([...letters(turned("כתובת למשלוח דואר")).map((item) => ({ ...item, hasEOL: true })), ...mostlyLatin]).at(-1),
    "אל: info@example.com בלבד.",
    "a line with more Latin letters, on a page from right to left",
  );
  assertEquals(textOf(letters(`2026/11/29 ${turned("ביום")}`)), ["ביום 2026/11/29"]);
  assertEquals(textOf(letters(`١٢٣ ${turned("رقم")}`)), ["رقم ١٢٣"]);
  assertEquals(textOf(letters(`${turned("סוף")} (${turned("הערה")}) ${turned("מלה")}`)), ["מלה (הערה) סוף"]);
  assertEquals(textOf(letters(`${turned("סוף")} )${turned("הערה")}( ${turned("מלה")}`)), ["מלה (הערה) סוף"]);
  assertEquals(textOf(letters(`(${turned("הערה")}`)), ["הערה)"], "the rest of brackets in the line before");
  assertEquals(textOf(letters(`12345678-021 ${turned("تلفن")}`)), ["تلفن 021-12345678"]);
  assertEquals(textOf(items({ text: "English with ", x: 0 }, { text: "שלום", x: 78, dir: "rtl" })), [
    "English with שלום",
  ]);
});

Deno.test("joinLines: where letters lie over each other, a space of pdf.js is none", () => {
  const shown = items(
    { text: "ا", x: 100, width: 0, dir: "rtl" },
    { text: " ", x: 97, width: 3 },
    { text: "إل", x: 100, dir: "rtl" },
  );
  assertEquals(textOf(shown), ["إلا"]);
});

Deno.test("joinLines: lines of a turned page are level", () => {
  const [item] = items({ text: "Up", x: 0 });
  const [line] = joinLines([{ ...item!, transform: [0, 12, -12, 0, 300, 40] }]);
  assertEquals([line!.x, line!.y].map(Math.round), [40, -300]);
});

Deno.test("joinLines: the address of a link follows its words", () => {
  const address = "https://example.com/book";
  const rect = [30, 695, 60, 712];
  const here = items({ text: "Call ", x: 0 }, { text: "here", x: 30 }, { text: " or write", x: 54 });
  assertEquals(joinLines(here, [{ rect, address }])[0]!.text, `Call here (${address}) or write`);
  assertEquals(joinLines(here, [{ rect: [30, 600, 60, 610], address }])[0]!.text, "Call here or write");
  const named = items({ text: "See example.com/book", x: 0 });
  assertEquals(joinLines(named, [{ rect, address }])[0]!.text, "See example.com/book");
  const twice = [{ rect, address }, { rect: [54, 695, 90, 712], address }];
  assertEquals(joinLines(here, twice)[0]!.text, `Call here or write (${address})`);
});

Deno.test("writeUsualLetters: forms that fonts name are the letters that people type", () => {
  assertEquals(writeUsualLetters("⼗⽇ ⻑⻄ ﬁn ﷲ ﺳﻴﺎﺳﺔ 縦︒"), "十日 長西 fin الله سياسة 縦。");
  assertEquals(writeUsualLetters("ＷｉＦｉ ½ é"), "ＷｉＦｉ ½ é");
});
