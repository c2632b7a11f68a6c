import { type DocumentKind, readPassages } from "./read_passages.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { readAll, readInterrupted, sentences } from "../../../tests/support/sample_documents.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const german =
  "Führung heißt, Menschen größer zu machen. Über Grenzen hinweg prüfen wir, was möglich wäre, und hören zu.";
const russian = "Хороший руководитель сначала слушает, потом задаёт вопросы, и только затем принимает решение.";
const japanese = "良いコーチは、答える前に質問をします。チームの信頼は毎日の小さな約束から生まれます。";
const chinese = "一个好的教练在回答之前先提问。团队的信任来自每天的小承诺。";

/** Encodes a text with one or two bytes a character, by looking up what the decoder makes of every byte sequence. */
function encode(text: string, label: string): Uint8Array {
  const codes = new Map<string, number[]>();
  const decoder = new TextDecoder(label);
  for (let first = 0; first < 256; first++) {
    const single = decoder.decode(Uint8Array.of(first));
    if (single !== "\ufffd") codes.set(single, [first]);
    for (let second = 0x40; first > 0x80 && second < 0xff; second++) {
      const pair = decoder.decode(Uint8Array.of(first, second));
      if ([...pair].length === 1 && !codes.has(pair)) codes.set(pair, [first, second]);
    }
  }
  return Uint8Array.from([...text].flatMap((character) => codes.get(character)!));
}

function encodeUtf16(text: string, { isLittleEndian }: { isLittleEndian: boolean }): Uint8Array {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  [...`\ufeff${text}`].join("").split("").forEach((unit, i) =>
    view.setUint16(2 * i, unit.charCodeAt(0), isLittleEndian)
  );
  return bytes;
}

const encodings: Record<string, { bytes: Uint8Array; text: string }> = {
  "UTF-8": { bytes: utf8(german + japanese), text: german + japanese },
  "UTF-8 with a byte order mark": { bytes: utf8(`\ufeff${german}`), text: german },
  "UTF-8 after much ASCII": {
    bytes: utf8(`${"Plain. ".repeat(20)}${german}`),
    text: `${"Plain. ".repeat(20)}${german}`,
  },
  "UTF-16LE": { bytes: encodeUtf16(german, { isLittleEndian: true }), text: german },
  "UTF-16BE": { bytes: encodeUtf16(japanese, { isLittleEndian: false }), text: japanese },
  "Windows-1252": { bytes: encode(`“${german}” – 5 €`, "windows-1252"), text: `“${german}” – 5 €` },
  "Windows-1251": { bytes: encode(russian, "windows-1251"), text: russian },
  "KOI8-R": { bytes: encode(russian, "koi8-r"), text: russian },
  "Shift_JIS": { bytes: encode(japanese, "shift_jis"), text: japanese },
  "EUC-JP": { bytes: encode(japanese, "euc-jp"), text: japanese },
  "Windows-874": { bytes: encode("คืนสินค้าได้ภายในสามสิบวัน", "windows-874"), text: "คืนสินค้าได้ภายในสามสิบวัน" },
  "IBM866": { bytes: encode(russian, "ibm866"), text: russian },
  "a few words in IBM866": { bytes: encode("Возврат за 14 дней", "ibm866"), text: "Возврат за 14 дней" },
  "a few words in Windows-1251": { bytes: encode("Возврат за 14 дней", "windows-1251"), text: "Возврат за 14 дней" },
  "Mac Roman": { bytes: encode(german, "macintosh"), text: german },
  "a few words in Mac Roman": {
    bytes: encode("Le café est fermé à midi", "macintosh"),
    text: "Le café est fermé à midi",
  },
  "signs in Windows-1252": {
    bytes: encode("It’s 5 € – “hello” to O’Brien’s dogs… They came—at last—home.", "windows-1252"),
    text: "It’s 5 € – “hello” to O’Brien’s dogs… They came—at last—home.",
  },
  "bullets in Windows-1252": { bytes: encode("• § 5\n• © 2026", "windows-1252"), text: "• § 5\n• © 2026" },
  "a paragraph sign in Windows-1252": { bytes: encode("§ 5 Abs. 2", "windows-1252"), text: "§ 5 Abs. 2" },
  "two words in Windows-1252": { bytes: encode("naïve café", "windows-1252"), text: "naïve café" },
  "a word in Windows-1252 that ends the text": { bytes: encode("Voilà", "windows-1252"), text: "Voilà" },
  "two letters in UTF-8 and a bad byte": {
    bytes: Uint8Array.of(...utf8("Größe"), 0xff, ...utf8(" gut")),
    text: "Größe\ufffd gut",
  },
  "a few words in GBK": { bytes: encode("保修期为三年", "gbk"), text: "保修期为三年" },
  "a few words in EUC-KR": { bytes: encode("회의실은 삼층입니다", "euc-kr"), text: "회의실은 삼층입니다" },
  "a few words in EUC-JP": { bytes: encode("鍵は管理人室です。", "euc-jp"), text: "鍵は管理人室です。" },
  "a few words in Windows-1250": {
    bytes: encode("Přístav otevírá v osm", "windows-1250"),
    text: "Přístav otevírá v osm",
  },
  "Polish in Windows-1250": {
    bytes: encode("Zwrot towaru w ciągu trzydziestu dni. Źródło łąka żółw.", "windows-1250"),
    text: "Zwrot towaru w ciągu trzydziestu dni. Źródło łąka żółw.",
  },
  "a few words in Windows-1252": { bytes: encode("Größe prüfen", "windows-1252"), text: "Größe prüfen" },
  "Windows-1250": {
    bytes: encode("Příliš žluťoučký kůň úpěl ďábelské ódy, řekl děda.", "windows-1250"),
    text: "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl děda.",
  },
  ...Object.fromEntries(
    ([
      ["windows-1252", "Größe"],
      ["windows-1252", "¿Cuánto cuesta? El bote cuesta 40 € al día. ¡Niño!"],
      ["iso-8859-15", "Le prix est de 40 € à la journée, œuvre comprise."],
      ["windows-1253", "Η ενοικίαση της βάρκας κοστίζει σαράντα ευρώ."],
      ["windows-1254", "Tekne kiralama günlük kırk lira. Lütfen kimliğinizi getirin."],
      ["windows-1255", "מחיר השכרת הסירה הוא ארבעים שקלים ליום."],
      ["windows-1255", "שעות פתיחה: שבע בבוקר עד שמונה בערב. Tel. 555, mail office@example.com"],
      ["iso-8859-5", "Linux and GNU: светлина в тунела"],
      ["windows-1256", "سعر استئجار القارب أربعون دينارا في اليوم."],
      ["windows-1257", "Valties nuoma kainuoja keturiasdešimt eurų. Prašome atsinešti dokumentą."],
      ["koi8-u", "Ціна оренди човна за день складає сорок гривень."],
      ["ibm866", "Цена аренды лодки: 45 рублей."],
      ["x-mac-cyrillic", "Цена аренды лодки за день составляет сорок рублей."],
      ["big5", "退貨須在三十天內辦理，請攜帶收據。"],
      ["shift_jis", "返品は三十日以内。"],
    ] as const).map(([label, text]) => [`${label}: ${text}`, { bytes: encode(text, label), text }]),
  ),
  "ISO-2022-JP": {
    bytes: Uint8Array.from("\x1b$BJVIJ\x1b(B ok", (character) => character.charCodeAt(0)),
    text: "返品 ok",
  },
  "UTF-8 with a bad byte": {
    bytes: Uint8Array.from([...utf8(german), 0xff, ...utf8(german)]),
    text: `${german}\ufffd${german}`,
  },
  "GB18030": { bytes: encode(chinese, "gbk"), text: chinese },
};

Deno.test("readPassages of a text: encodings", async (t) => {
  for (const [name, { bytes, text }] of Object.entries(encodings)) {
    await t.step(`${name} is understood`, async () => {
      assertEquals((await readAll("txt", bytes)).passages.map(({ content }) => content), [text]);
    });
  }

  for (const label of ["shift_jis", "utf-8", "utf-16le"]) {
    await t.step(`no character is cut where ${label} without any line break is read in steps`, async () => {
      const text = `x${japanese.repeat(1_500)}`;
      const bytes = label === "utf-8"
        ? utf8(text)
        : label === "utf-16le"
        ? encodeUtf16(text, { isLittleEndian: true })
        : encode(text, label);
      const { passages } = await readAll("txt", bytes);
      assert(passages.length > 50 && passages.every(({ content }) => !content.includes("\ufffd")));
    });
  }

  await t.step("bytes that are not text in any encoding are read without an error", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => 1 + (i * 7919) % 255);
    assert((await readAll("txt", bytes)).passages.every(({ content }) => content.isWellFormed()));
  });
});

Deno.test("readPassages of a text: batches", async (t) => {
  const prose = Array.from({ length: 200 }, (_, i) => `${i}: ${sentences(30).join(" ")}`).join("\r\n\r\n");
  const documents: Record<string, { kind: DocumentKind; bytes: Uint8Array }> = {
    "paragraphs": { kind: "txt", bytes: utf8(prose) },
    "UTF-16": { kind: "txt", bytes: encodeUtf16(prose, { isLittleEndian: false }) },
    "lines without blank ones": { kind: "txt", bytes: utf8(prose.replaceAll("\r\n\r\n", "\n")) },
    "one endless line": { kind: "txt", bytes: utf8("endless ".repeat(60_000)) },
    "Markdown of tiny sections": { kind: "md", bytes: utf8("# A\n\nB c d.\n\n## E\n\n".repeat(10_000)) },
    "Markdown in one long block of code": {
      kind: "md",
      bytes: utf8(`# A\n\n\`\`\`\n${"# no heading\n\n".repeat(9_000)}`),
    },
  };
  for (const [name, { kind, bytes }] of Object.entries(documents)) {
    const { passages, batches } = await readAll(kind, bytes);

    await t.step(`${name}: at most 50 passages a batch`, () => {
      assert(batches.length >= 3 && Math.max(...batches) <= 50, batches.join(" "));
    });

    await t.step(`${name}: resumed at every bookmark, the passages are the same`, async () => {
      assertEquals(await readInterrupted(kind, bytes), passages);
    });
  }

  await t.step("a line of code is not read as a heading when a step ends inside the code", async () => {
    const { kind, bytes } = documents["Markdown in one long block of code"]!;
    assertEquals(new Set((await readAll(kind, bytes)).passages.map(({ heading }) => heading)), new Set(["A"]));
  });

  for (const bytes of [new Uint8Array(), utf8(" \n\n\t"), utf8("\ufeff")]) {
    await t.step(`${bytes.length} bytes without text are one empty batch`, async () => {
      const found = [];
      for await (const batch of readPassages("txt", bytes, null)) found.push(batch);
      assertEquals(found, [{ passages: [], next: null }]);
    });
  }

  await t.step("the bytes are not changed", async () => {
    const bytes = utf8(prose);
    await readAll("txt", bytes);
    assertEquals(bytes, utf8(prose));
  });
});

const long = sentences(12).join(" ");
const markdown: Record<string, { text: string; passages: { heading: string | null; content: string }[] }> = {
  "ATX and setext headings": {
    text: `Title\n=====\n\n${long}\n\nPart\n---\n${long}\n### Deep ##\n${long}\n# Next\n${long}`,
    passages: ["Title", "Title > Part", "Title > Part > Deep", "Next"].map((heading) => ({ heading, content: long })),
  },
  "no heading: a hash without a space, too many, or within code": {
    text: `#tag\n####### seven\n    # indented\n\`\`\`sh\n# comment\n~~~\n\`\`\`\n\n    # code`,
    passages: [{
      heading: null,
      content: "#tag\n####### seven\n    # indented\n```sh\n# comment\n~~~\n```\n\n# code",
    }],
  },
  "code between two marks in one line begins no block": {
    text: `\`\`\`npm start\`\`\`\n\n${long}\n\n# Next\n${long}\n\`\`\`sh\n# comment\n\`\`\``,
    passages: [
      { heading: null, content: `\`\`\`npm start\`\`\`\n\n${long}` },
      { heading: "Next", content: `${long}\n\`\`\`sh\n# comment\n\`\`\`` },
    ],
  },
  "no heading: a line of dashes after a list or a table": {
    text: "- item\n---\n| cell |\n---\n",
    passages: [{ heading: null, content: "- item\n\n| cell |" }],
  },
  "front matter is left out, but for its title": {
    text: `---\ntitle: "On trust" # draft\ntags: [a]\n---\n# Part\n${long}`,
    passages: [{ heading: "On trust > Part", content: long }],
  },
  "prose of front matter stays": {
    text:
      "---\nlayout: faq\nfaq: &faq\n  - q: Where is your office?\n    a: >-\n      In Lyon,\n      near the river\nmore: *faq\n" +
      `title: On trust\ntags: [a, b]\n---\n${long}`,
    passages: [{ heading: "On trust", content: `Where is your office?\n\nIn Lyon, near the river\n\n${long}` }],
  },
  "front matter that is not valid stays whole": {
    text: `---\ntitle: 'Trust'\nprice: 99: or more\n---\n${long}`,
    passages: [{ heading: "Trust", content: `title: 'Trust'\nprice: 99: or more\n\n${long}` }],
  },
  "a text between two lines is no front matter": {
    text: `---\n- Rest\n- Sleep\n\n---\n${long}`,
    passages: [{ heading: null, content: `- Rest\n- Sleep\n\n${long}` }],
  },
  "images become their text, and links keep their addresses": {
    text:
      'See [the guide](https://example.com/a_(b) "Guide") and ![a chart](chart.png), not [this] (that). [Mail](mailto:' +
      "a@example.com) or <https://example.com>. [![Logo](logo.png)](https://example.com/home) [Top](#top) " +
      "[example.com/a](https://example.com/a) <a class='x' href='mailto:b@example.com'>Or write</a>",
    passages: [{
      heading: null,
      content:
        "See the guide (https://example.com/a_%28b%29) and a chart, not [this] (that). Mail (mailto:a@example.com) " +
        "or https://example.com. Logo (https://example.com/home) Top example.com/a " +
        "Or write (mailto:b@example.com)",
    }],
  },
  "links that refer to an address keep it, and its definition goes": {
    text:
      "[Book a call][1], see [Prices][], [Rules] or ![a chart][1]; [not this] and [^1].\n\n[1]: <https://example.com/call> " +
      '"Call"\n[prices]: https://example.com/prices\n[Rules]: mailto:a@example.com\n[note]: see above\n[^1]: A note.',
    passages: [{
      heading: null,
      content:
        "Book a call (https://example.com/call), see Prices (https://example.com/prices), Rules (mailto:a@example.com) " +
        "or a chart; [not this] and [^1].\n\n[note]: see above\n[^1]: A note.",
    }],
  },
  "comments never reach the model": {
    text:
      `One <!-- a --> two.\n\n<!-- margin\n\nis 40 % -->\nThree.\n[//]: # (secret)\n\n\`\`\`\n<!-- code -->\n\`\`\``,
    passages: [{ heading: null, content: "One two.\n\nThree.\n\n```\n<!-- code -->\n```" }],
  },
  "struck text is left out, raised and lowered numbers do not join": {
    text: "~~99~~ 79 euros, <del>9 <b>or 8</b></del> 10<sup>6</sup> CO<sub>2</sub>, `a ~~b~~`",
    passages: [{ heading: null, content: "79 euros, 10⁶ CO₂, `a ~~b~~`" }],
  },
  "front matter in TOML": {
    text: `+++\ntitle = "On trust"\ndraft = true\n+++\n${long}`,
    passages: [{ heading: "On trust", content: long }],
  },
  "a title over several lines": {
    text: `---\ntitle: >-\n  Long winter\n  hours\ntags: a\n---\n${long}`,
    passages: [{ heading: "Long winter hours", content: long }],
  },
  "headings alone are text": { text: "# A\n## B\n## C", passages: [{ heading: "A > B", content: "B\n\nC" }] },
};

Deno.test("readPassages of Markdown", async (t) => {
  for (const [promise, { text, passages }] of Object.entries(markdown)) {
    await t.step(promise, async () => {
      const found = (await readAll("md", utf8(text))).passages;
      assertEquals(found.map(({ heading, content }) => ({ heading, content })), passages);
    });
  }

  await t.step("each part of a long table repeats its first row, also where a step ends in it", async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `| Month ${i} | ${i} euros |`);
    const head = "| Month | Price |\n| --- | ---: |";
    const { passages } = await readAll("md", utf8(`Prices\n${head}\n${rows.join("\n")}\n\nEnd.`));
    assert(
      passages.every(({ content }) => content.includes(head)),
      passages.find((p) => !p.content.includes(head))?.content,
    );
    const lines = passages.flatMap(({ content }) => content.split("\n").filter((line) => line.includes("euros")));
    assertEquals(lines, rows);
  });

  await t.step("an address is found behind the step of its link", async () => {
    const text = `[Book a call][1]\n\n${`${long}\n\n`.repeat(100)}[1]: https://example.com/call\n`;
    const { passages } = await readAll("md", utf8(text));
    assert(passages[0]!.content.startsWith("Book a call (https://example.com/call)"), passages[0]!.content);
  });

  await t.step("the same bytes as plain text have no headings", async () => {
    assertEquals((await readAll("txt", utf8("# A\n\nB"))).passages, [{
      content: "# A\n\nB",
      page: null,
      heading: null,
    }]);
  });
});
