import { decodeText } from "./charset.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) =>
  Uint8Array.from([...text].flatMap((character) => [character.charCodeAt(0) & 255, character.charCodeAt(0) >> 8]));
const cyrillic = latin1("\xcf\xf0\xe8\xe2\xe5\xf2");
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const german = "Die Straße führt über den Fluß, und Gänse überqueren sie müßig.";

Deno.test("the encoding of a page", async (t) => {
  const cases: [name: string, bytes: Uint8Array, charset: string | null, text: string][] = [
    ["UTF-8 by its label", utf8(german), "utf-8", german],
    ["UTF-8 without a label", utf8(german), null, german],
    ["UTF-8 with a mark", joined(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(german)), null, german],
    ["UTF-8 that is called Latin-1", utf8(german), "iso-8859-1", german],
    ["Latin-1 that is called UTF-8", latin1(german), "utf-8", german],
    ["Latin-1 by its label", latin1(german), "ISO-8859-1", german],
    ["Latin-1 without a label", latin1(german), null, german],
    ["an unknown label", utf8(german), "utf-99", german],
    ["an unknown label, not in UTF-8", latin1(german), "nonsense", german],
    [
      "the label of the header before that of the page",
      joined(utf8(`<meta charset="koi8-r">`), cyrillic),
      "windows-1251",
      `<meta charset="koi8-r">Привет`,
    ],
    [
      "the label of the page",
      joined(utf8(`<meta charset=windows-1251>`), cyrillic),
      null,
      `<meta charset=windows-1251>Привет`,
    ],
    [
      "the label of the page in http-equiv",
      joined(utf8(`<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">`), cyrillic),
      "x-unknown",
      `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">Привет`,
    ],
    [
      "a label in a comment",
      joined(utf8(`<!-- <meta charset=koi8-r> --><meta charset=cp1251>`), cyrillic),
      null,
      `<!-- <meta charset=koi8-r> --><meta charset=cp1251>Привет`,
    ],
    [
      "the label of XML",
      joined(utf8(`<?xml version="1.0" encoding="windows-1251"?><a>`), cyrillic),
      null,
      `<?xml version="1.0" encoding="windows-1251"?><a>Привет`,
    ],
    ["UTF-16 by its mark", joined(Uint8Array.of(0xff, 0xfe), utf16("Grüße")), "utf-8", "Grüße"],
    ["UTF-16 by its label", utf16("Hello"), "utf-16le", "Hello"],
    [
      "UTF-16 that a page in ASCII claims",
      utf8(`<meta charset="utf-16"><p>Hello`),
      null,
      `<meta charset="utf-16"><p>Hello`,
    ],
    [
      "Japanese in seven bits",
      joined(utf8(`<meta charset="iso-2022-jp">`), Uint8Array.of(27, 36, 66, 36, 34, 27, 40, 66)),
      null,
      `<meta charset="iso-2022-jp">あ`,
    ],
    ["cut inside a character", utf8("Straß").subarray(0, 5), null, "Stra\uFFFD"],
    ["nothing", new Uint8Array(), "utf-8", ""],
  ];
  for (const [name, bytes, charset, text] of cases) {
    await t.step(name, async () => assertEquals(await decodeText(bytes, { charset }), text));
  }

  await t.step("a label after the first 1,024 bytes is not looked for", async () => {
    const bytes = joined(utf8(`${" ".repeat(1_024)}<meta charset=koi8-r>`), latin1(german));
    assertEquals((await decodeText(bytes, { charset: null })).endsWith(german), true);
  });
});
