import { Buffer } from "node:buffer";
import { createCipheriv, createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { readPassages, UnreadableDocument } from "./read_passages.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import {
  makePdf,
  makePdfOfStreams,
  packed,
  readAll,
  readInterrupted,
  type SampleObject,
  showLines,
} from "../../../tests/support/sample_documents.ts";
import { slowStep } from "../../../tests/support/slow.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString("hex")}>`;
const shown = (text: string): SampleObject => packed(showLines([text]));

/** A file of one page, whose content is the object 11. */
const pageOf = (content: SampleObject, more: Record<number, SampleObject | string> = {}, trailer = "", entries = "") =>
  makePdf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
    3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    10: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 11 0 R ` +
      `/Resources << /Font << /F1 3 0 R >> >> ${entries} >>`,
    11: content,
    ...more,
  }, trailer);

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await readAll("pdf", bytes)).passages.map(({ content }) => content).join("\n\n");
}

Deno.test("readPassages of a PDF file: entries that are objects of their own", async (t) => {
  const refers = (filters: string) => {
    const { stream } = shown("Found");
    return { source: `<< /Length 20 0 R /Filter ${filters} >>`, stream: stream! };
  };
  const lengths = { 20: String(shown("Found").stream!.length) };
  for (
    const [filters, objects] of [
      ["21 0 R", { 21: "/FlateDecode" }],
      ["21 0 R", { 21: "[ /FlateDecode ]" }],
      ["[21 0 R]", { 21: "/FlateDecode" }],
    ] as const
  ) {
    await t.step(`/Filter ${filters}, which is ${objects[21]}`, async () => {
      assertEquals(await textOf(pageOf(refers(filters), { ...lengths, ...objects })), "Found");
    });
  }
});

/** The stream cipher of old files. */
function rc4(data: Uint8Array, key: Uint8Array): Uint8Array {
  const state = Array.from({ length: 256 }, (_, i) => i);
  let j = 0;
  const swap = (one: number, other: number) => [state[one], state[other]] = [state[other]!, state[one]!];
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) % 256;
    swap(i, j);
  }
  j = 0;
  return data.map((byte, at) => {
    const i = (at + 1) % 256;
    j = (j + state[i]!) % 256;
    swap(i, j);
    return byte ^ state[(state[i]! + state[j]!) % 256]!;
  });
}

const md5 = (...parts: Uint8Array[]) => createHash("md5").update(Buffer.concat(parts)).digest();
const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const aes = (data: Uint8Array, key: Uint8Array, { iv = new Uint8Array(16), pads = false } = {}) => {
  const cipher = createCipheriv(key.length === 32 ? "aes-256-cbc" : "aes-128-cbc", key, iv).setAutoPadding(pads);
  return Buffer.concat([cipher.update(data), cipher.final()]);
};
const withIv = (data: Uint8Array, key: Uint8Array) => {
  const iv = new Uint8Array(16).fill(7);
  return Buffer.concat([iv, aes(data, key, { iv, pads: true })]);
};

const filler = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const owner = new Uint8Array(32).fill(0x91);
const id = new Uint8Array(16).fill(66);
/** Of the object 11. */
const ofObject = (key: Uint8Array, salt = "") => md5(key, Uint8Array.of(11, 0, 0, 0, 0), bytesOf(salt));

type Encrypted = { encrypt: (data: Uint8Array) => Uint8Array; entry: string };

function encryptions(): Record<string, Encrypted> {
  const permissions = Uint8Array.of(0xfc, 0xff, 0xff, 0xff);
  const short = md5(filler, owner, permissions, id).subarray(0, 5);
  let long = md5(filler, owner, permissions, id);
  for (let i = 0; i < 50; i++) long = md5(long);
  let shortOfFour: Uint8Array = md5(filler, owner, permissions, id);
  for (let i = 0; i < 50; i++) shortOfFour = md5(shortOfFour.subarray(0, 5));
  shortOfFour = shortOfFour.subarray(0, 5);
  const userOf = (key: Uint8Array) => {
    let user: Uint8Array = rc4(md5(filler, id), key);
    for (let i = 1; i < 20; i++) user = rc4(user, key.map((byte) => byte ^ i));
    return Buffer.concat([user, new Uint8Array(16)]);
  };
  const [userOfLong, fileKey] = [hex(userOf(long)), new Uint8Array(32).fill(9)];
  const [validation, salt] = [new Uint8Array(8).fill(1), new Uint8Array(8).fill(2)];
  const filter = (method: string) => `/CF << /StdCF << /CFM /${method} >> >> /StmF /StdCF /StrF /StdCF`;
  return {
    "40 bits": {
      encrypt: (data) => rc4(data, ofObject(short).subarray(0, 10)),
      entry: `/V 1 /R 2 /P -4 /O ${hex(owner)} /U ${hex(rc4(filler, short))}`,
    },
    "128 bits": {
      encrypt: (data) => rc4(data, ofObject(long)),
      entry: `/V 2 /R 3 /Length 128 /P -4 /O (${"\x91".repeat(31)}\\221) /U ${userOfLong}`,
    },
    "AES of 128 bits": {
      encrypt: (data) => withIv(data, ofObject(long, "sAlT")),
      entry: `/V 4 /R 4 /Length 128 /P -4 /O ${hex(owner)} /U ${userOfLong} ${filter("AESV2")}`,
    },
    "40 bits in a file of 1.5, with a filter in an object of its own": {
      encrypt: (data) => rc4(data, ofObject(Buffer.concat([shortOfFour, new Uint8Array(11)]))),
      entry: `/V 4 /R 4 /Length 40 /P -4 /O ${hex(owner)} /U ${
        hex(userOf(shortOfFour))
      } /CF 21 0 R /StmF /StdCF /StrF /StdCF`,
    },
    "AES of 256 bits": {
      encrypt: (data) => withIv(data, fileKey),
      entry: `/V 5 /R 5 /Length 256 /P -4 /O ${hex(new Uint8Array(48))} /OE ${hex(new Uint8Array(32))} ` +
        `/U ${hex(Buffer.concat([sha256(validation), validation, salt]))} /UE ${hex(aes(fileKey, sha256(salt)))} ` +
        `/Perms ${hex(new Uint8Array(16))} ${filter("AESV3")}`,
    },
  };
}

Deno.test("readPassages of a PDF file that opens without a password", async (t) => {
  for (const [name, { encrypt, entry }] of Object.entries(encryptions())) {
    const file = (data: Uint8Array, object = "") => {
      const stream = encrypt(deflateSync(data));
      const source = `<< /Length ${stream.length} /Filter /FlateDecode >>`;
      const encryption = `<< /Filter /Standard ${entry} >>`;
      const trailer = `/ID [${hex(id)} ${hex(id)}] /Encrypt 20 0 R ${object}`;
      const filters = "<< /StdCF << /CFM /V2 /Length 5 >> >>";
      return pageOf({ source, stream }, { 20: encryption, 21: filters }, trailer);
    };
    await t.step(`${name}: its text is read`, async () => {
      assertEquals(await textOf(file(showLines(["Valve 93"]))), "Valve 93");
    });
    await t.step(`${name}: what unpacks to too much is refused`, async () => {
      const bytes = file(new Uint8Array(40_000_000));
      await assertRejects(() => readAll("pdf", bytes), UnreadableDocument, "unpacks to more than can be read");
    });
    await t.step(`${name}: two descriptions of it are refused`, async () => {
      const bytes = file(showLines(["a"]), "/#45ncrypt << /Filter /Standard >>");
      await assertRejects(() => readAll("pdf", bytes), UnreadableDocument, "The file is encrypted");
    });
  }
});

Deno.test("readPassages of a PDF file: forms and notes", async () => {
  const field = (entries: string) => `<< /Type /Annot /Subtype /Widget /Rect [60 700 300 720] /F 4 ${entries} >>`;
  const annotations = {
    30: field("/FT /Tx /T (guest) /V (Philippa)"),
    31: field("/FT /Tx /T (Text12) /TU (Dietary needs:) /V (Peanuts)"),
    32: field("/FT /Tx /T (undefined_3) /V (no name)"),
    33: field("/FT /Tx /T (empty) /V ()"),
    34: field("/FT /Btn /T (vegan) /V /Yes /AS /Yes /AP << /N << /Yes 40 0 R /Off 40 0 R >> >>"),
    35: "<< /Type /Annot /Subtype /FreeText /Rect [60 600 300 620] /F 4 /DA (/F1 9 Tf) /Contents (At noon) >>",
    36: "<< /Type /Annot /Subtype /FreeText /Rect [60 600 300 620] /F 2 /DA (/F1 9 Tf) /Contents (hidden) >>",
    37: "<< /Type /Annot /Subtype /Text /Rect [60 600 80 620] /F 4 /Contents (Ring twice) >>",
    39: "<< /Type /Annot /Subtype /Text /Rect [60 600 80 620] /F 4 /IRT 37 0 R /StateModel /Review /State /Accepted " +
      "/Contents (Accepted set by Mara) >>",
    38: "<< /Type /Annot /Subtype /Link /Rect [60 776 90 792] /F 4 /A << /S /URI /URI (https://example.com/form) >> >>",
    41: field("/FT /Ch /Ff 131072 /T (day) /V (mo) /Opt [[(mo) (Monday)] [(tu) (Tuesday)]]"),
    40: { source: "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] >>", stream: bytesOf("q Q") },
    42: field("/FT /Tx /T (table) /AP << /N 44 0 R >>"),
    43: "<< /Type /Annot /Subtype /FreeText /Rect [60 600 300 620] /F 4 /DA (/F1 9 Tf) /AP << /N 44 0 R >> >>",
    44: {
      source: "<< /Type /XObject /Subtype /Form /BBox [0 0 240 20] /Resources << /Font << /F1 3 0 R >> >> >>",
      stream: bytesOf("BT /F1 9 Tf 14 TL 0 10 Td (By the) Tj T* (window) Tj ET"),
    },
  };
  const names = [30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 42, 43].map((number) => `${number} 0 R`).join(" ");
  const bytes = pageOf(shown("Form"), annotations, "", `/Annots [${names}]`);
  const expected = [
    "Form (https://example.com/form)",
    "guest: Philippa",
    "Dietary needs: Peanuts",
    "no name",
    "day: Monday",
    "☑ vegan",
    "At noon",
    "Ring twice",
    // They have a text as it is shown, and no other one.
    "table: By the\nwindow",
    "By the\nwindow",
  ];
  assertEquals((await textOf(bytes)).split("\n\n").toSorted(), expected.toSorted());
});

/** A page with a running head and foot: lines of text, from the top. */
const printed = (number: number, lines: string[]): SampleObject =>
  packed(bytesOf(
    `BT /F1 9 Tf 60 810 Td (ACME Handbook) Tj ET ` +
      `BT /F1 12 Tf 14 TL 60 770 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET ` +
      `BT /F1 9 Tf 60 30 Td (Page ${number} of 3) Tj ET`,
  ));

Deno.test("readPassages of a PDF file: running heads and feet", async (t) => {
  const bytes = makePdfOfStreams([
    printed(1, ["The office opens at eight.", "The deposit of 250 euros for a row-"]),
    printed(2, ["ing boat is returned within ten days. Ropes are in the shed.", "Prices"]),
    printed(3, ["Oars cost 4 euros."]),
  ]);

  await t.step("a sentence goes over the page; a head stays once, and numbers of pages go", async () => {
    assertEquals(
      await textOf(bytes),
      "ACME Handbook\n\nThe office opens at eight. The deposit of 250 euros for a rowing boat is returned within ten " +
        "days.\n\nRopes are in the shed. Prices\n\nOars cost 4 euros.",
    );
  });

  await t.step("a head that is written last does not end the sentence", async () => {
    const page = (text: string) =>
      packed(bytesOf(`BT /F1 12 Tf 60 700 Td (${text}) Tj ET BT /F1 9 Tf 60 810 Td (11/29/26, 1:47 PM) Tj ET`));
    const pages = ["The deposit is", "returned within ten days.", "Ropes are in the shed."].map(page);
    const text = "11/29/26, 1:47 PM The deposit is returned within ten days. Ropes are in the shed.";
    assertEquals((await textOf(makePdfOfStreams(pages))).replace(/\s+/g, " "), text);
  });

  await t.step("resumed at every page, the passages are the same", async () => {
    assertEquals(await readInterrupted("pdf", bytes), (await readAll("pdf", bytes)).passages);
  });

  await t.step("the same heading on several pages stays", async () => {
    const slide = (text: string) =>
      packed(bytesOf(`BT /F1 24 Tf 60 780 Td (Prices) Tj ET BT /F1 12 Tf 60 700 Td (${text}) Tj ET`));
    const pages = ["Oars cost 4 euros.", "Boats cost 90 euros.", "Ropes cost 2 euros."].map(slide);
    const { passages } = await readAll("pdf", makePdfOfStreams(pages));
    assertEquals(passages.map(({ heading }) => heading), ["Prices"]);
    assertEquals((await textOf(makePdfOfStreams(pages))).match(/Prices/g)?.length, 2);
  });

  await t.step("the only line of all pages stays once", async () => {
    assertEquals(await textOf(makePdfOfStreams([1, 2, 3].map(() => shown("For the staff")))), "For the staff");
  });

  await t.step("pages with nothing but their number keep it with its words", async () => {
    const rooms = [101, 102, 103].map((number) => shown(`Room ${number}`));
    assertEquals(await textOf(makePdfOfStreams(rooms)), "Room 101\n\nRoom 102\n\nRoom 103");
    assertEquals(await textOf(makePdfOfStreams([1, 2, 3].map((number) => shown(`Page ${number}`)))), "");
  });

  await t.step("a number that is the same on all pages stays once", async () => {
    const pages = ["One.", "Two.", "Three."].map((text) =>
      packed(bytesOf(`BT /F1 9 Tf 60 810 Td (Form 27) Tj 0 -90 Td (${text}) Tj ET`))
    );
    assertEquals((await textOf(makePdfOfStreams(pages))).replace(/\s+/g, " "), "Form 27 One. Two. Three.");
  });

  await t.step("the foot of a short page is one, too, and stays once", async () => {
    const page = (lines: string[]) =>
      packed(
        bytesOf(`BT /F1 12 Tf 14 TL 60 770 Td ${
          lines.map((line) => `(${line}) Tj T*`).join(" ")
        } ET BT /F1 9 Tf 60 30 Td (ACME, Berlin) Tj ET`),
      );
    const long = ["Boats are green.", "Oars are red.", "Ropes are blue.", "Sheds are old.", "Piers are new."];
    const text = await textOf(makePdfOfStreams([page(long), page(long), page(["The end."])]));
    assertEquals(text.match(/ACME/g)?.length, 1);
    assert(text.endsWith("The end.\n\nACME, Berlin"), text);
  });

  await t.step("numbers in Roman, and on left and right pages", async () => {
    const roman = ["i", "ii", "iii", "iv", "v"];
    const pages = roman.map((number, i) =>
      packed(bytesOf(
        `BT /F1 9 Tf 60 810 Td (${i % 2 === 0 ? `Chapter 2 - ${i + 14}` : `${i + 14} Handbook`}) Tj ET ` +
          `BT /F1 12 Tf 60 700 Td (Boat ${"ABCDE"[i]} is green.) Tj ET BT /F1 9 Tf 60 30 Td (${number}) Tj ET`,
      ))
    );
    assertEquals(
      (await textOf(makePdfOfStreams(pages))).replace(/\s+/g, " "),
      [..."ABCDE"].map((boat) => `Boat ${boat} is green.`).join(" "),
    );
  });

  await t.step("other heads on left and right pages", async () => {
    const pages = [..."ABCD"].map((boat, i) =>
      packed(bytesOf(
        `BT /F1 9 Tf 60 810 Td (${i % 2 === 0 ? "Handbook" : "Part two"}) Tj ET ` +
          `BT /F1 12 Tf 60 700 Td (Boat ${boat} is green.) Tj ET`,
      ))
    );
    const text = await textOf(makePdfOfStreams(pages));
    assertEquals([text.match(/Handbook/g)?.length, text.match(/Part two/g)?.length], [1, 1]);
  });

  await t.step("numbers of pages between other words", async () => {
    const pages = [1, 2, 3].map((number) =>
      packed(bytesOf(`BT /F1 9 Tf 60 810 Td (ACME, page ${number}, confidential) Tj 0 -90 Td (Boat ${number}.) Tj ET`))
    );
    const text = await textOf(makePdfOfStreams(pages));
    assertEquals(text.replace(/\s+/g, " "), "ACME, page 1, confidential Boat 1. Boat 2. Boat 3.");
  });

  await t.step("numbers in the text of a line are not those of pages", async () => {
    const pages = [1, 2, 3].map((number) => shown(`Exercise ${number}: read aloud and answer`));
    const text = await textOf(makePdfOfStreams(pages));
    for (const number of [1, 2, 3]) assert(text.includes(`Exercise ${number}`), text);
  });

  await t.step("sentences at the same place stay", async () => {
    const pages = [1, 2, 3].map((number) => shown(`Day ${number}: the pool opens at nine.`));
    const text = await textOf(makePdfOfStreams(pages));
    for (const number of [1, 2, 3]) assert(text.includes(`Day ${number}`), text);
  });
});

Deno.test("readPassages of a PDF file: predefined character maps", async () => {
  const fontOf = (encoding: string, ordering: string) => ({
    3: `<< /Type /Font /Subtype /Type0 /BaseFont /Sun /Encoding /${encoding} /DescendantFonts [5 0 R] >>`,
    5: `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Sun /FontDescriptor 6 0 R ` +
      `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
    6: "<< /Type /FontDescriptor /FontName /Sun /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 880 " +
      "/Descent -120 /CapHeight 880 /StemV 80 >>",
  });
  for (
    const [encoding, ordering, codes, text] of [
      ["GBK-EUC-H", "GB1", "b1a3d0de", "保修"],
      ["UniGB-UCS2-H", "GB1", "4fdd4fee", "保修"],
      ["ETen-B5-H", "CNS1", "ab4fadd7", "保修"],
      ["90ms-RKSJ-H", "Japan1", "95db8fd8", "保証"],
      ["KSCms-UHC-H", "Korea1", "c7d1b1db", "한글"],
    ] as const
  ) {
    const content = packed(bytesOf(`BT /F1 12 Tf 60 700 Td <${codes}> Tj ET`));
    const found = await textOf(pageOf(content, fontOf(encoding, ordering)));
    assertEquals(found, text, encoding);
  }
});

Deno.test("readPassages of a PDF file: the text that a marked part stands for", async () => {
  const hindi = "<FEFF0928092E0938094D09240947>";
  const content = `BT /F1 12 Tf 60 700 Td (See ) Tj /Span<</ActualText ${hindi}>> BDC (xq) Tj (z) Tj EMC ` +
    `/P <</MCID 1>> BDC ( \\(BDC\\) and ) Tj EMC /Span <</ActualText (fi) >>BDC (q) Tj EMC (ve) Tj ET`;
  assertEquals(await textOf(pageOf(packed(bytesOf(content)))), "See नमस्ते (BDC) and five");
});

Deno.test("readPassages of a PDF file: what is damaged", async (t) => {
  await t.step("a file without its last lines is read", async () => {
    const file = Buffer.from(pageOf(shown("Whole")));
    assertEquals(await textOf(new Uint8Array(file.subarray(0, file.lastIndexOf("startxref")))), "Whole");
  });

  await slowStep(t, "a page that holds too much is one page, and four of them are too many", async () => {
    const line = `(${"a".repeat(20_000)}) Tj T*`;
    const huge = packed(bytesOf(`BT /F1 0.01 Tf 1 TL 60 780 Td ${line.repeat(60)} ET`));
    assertEquals(await textOf(makePdfOfStreams([shown("One."), huge, shown("Three.")])), "One.\n\nThree.");
    const pages = [shown("One."), huge, huge, huge, huge];
    await assertRejects(
      () => readAll("pdf", makePdfOfStreams(pages)),
      UnreadableDocument,
      "more text than can be read",
    );
  });

  await t.step("a page whose content is damaged is one page", async () => {
    const bad = { ...shown("Lost"), stream: new Uint8Array(40).fill(0xff) };
    assertEquals(await textOf(makePdfOfStreams([shown("One."), bad, shown("Three.")])), "One.\n\nThree.");
  });
});

/** A font of TeX: each letter is a picture, named by its code. */
const pictures =
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 50 50] /FontMatrix [0.01 0 0 0.01 0 0] /CharProcs << >> ` +
  `/FirstChar 0 /LastChar 255 /Widths [${"50 ".repeat(256)}] /Encoding << /Type /Encoding /Differences [0 ` +
  `${Array.from({ length: 256 }, (_, code) => `/a${code}`).join(" ")}] >> >>`;

Deno.test("readPassages of a PDF file: letters as TeX prints them", async () => {
  const stepBack = packed(bytesOf("BT /F1 12 Tf 72 700 Td [(M\\250) 444 (uller, cr`) 444 (eme)] TJ ET"));
  assertEquals(await textOf(pageOf(stepBack)), "Müller, crème");
  const ligatures = packed(bytesOf("BT /F1 12 Tf 72 700 Td (O\\036zielle Stra\\377en) Tj ET"));
  assertEquals(await textOf(pageOf(ligatures, { 3: pictures })), "Offizielle Straßen");
});

Deno.test("readPassages of a PDF file: what could not be read is told with the last batch", async () => {
  const empty = packed(bytesOf("/Im0 Do"));
  const warningOf = async (bytes: Uint8Array) => {
    const batches = [];
    for await (const batch of readPassages("pdf", bytes, null)) batches.push(batch);
    return batches.at(-1);
  };
  const { warning, hasPictures } = (await warningOf(makePdfOfStreams([shown("Cover."), empty, empty])))!;
  assertEquals([warning, hasPictures], ["2 of 3 pages have no text", undefined]);
  assertEquals((await warningOf(makePdfOfStreams([shown("Whole.")])))!.warning, undefined);
  const scans = makePdfOfStreams([printed(1, ["Cover."]), printed(2, []), printed(3, [])]);
  assertEquals((await warningOf(scans))!.warning, "2 of 3 pages have no text", "only a head and a foot");
  const unknown = {
    3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 12 0 R >>",
    12: packed(bytesOf("1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar\n<61> <E000>\nendbfchar")),
  };
  const { warning: garbled } = (await warningOf(pageOf(shown(`${"a".repeat(40)} and more`), unknown)))!;
  assertEquals(garbled, "many letters of 1 of 1 page could not be read");
  const { warning: lost } = (await warningOf(pageOf(packed(bytesOf("BT /F1 9 Tf (An o\x0ece in a Stra\x19e) Tj ET")), {
    3: pictures,
  })))!;
  assertEquals(lost, "many letters of 1 of 1 page could not be read", "pdf.js drops other codes");
  const breaking = packed(bytesOf(`BT /F1 12 Tf 72 700 Td (Kept.) Tj ET ${"1 l ".repeat(20)} BT (Lost.) Tj ET`));
  const { passages, warning: broken } = (await warningOf(makePdfOfStreams([shown("Whole."), breaking])))!;
  assertEquals([passages.map(({ content }) => content).join(" "), broken], [
    "Whole.\n\nKept.",
    "the rest of 1 of 2 pages could not be read",
  ]);
  const image = { source: "<< /Subtype /Image /Width 1 /Height 1 >>", stream: bytesOf("x") };
  assertEquals((await warningOf(makePdfOfStreams([empty], { 100: image })))!.hasPictures, true);
});
