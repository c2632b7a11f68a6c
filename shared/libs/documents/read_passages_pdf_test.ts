import { deflateSync } from "node:zlib";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { readPassages, UnreadableDocument } from "./read_passages.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import {
  makePdf,
  makePdfOfStreams,
  measureMemory,
  packed,
  packLzw,
  readAll,
  readInterrupted,
  type SampleObject,
  sentences,
  showLines,
  writeLzw,
} from "../../../tests/support/sample_documents.ts";
import { slow, slowStep } from "../../../tests/support/slow.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const shown = (text: string): SampleObject => packed(showLines([text]));
const spaces = (count: number) => new Uint8Array(count).fill(32);

/** Pages of prose in a common layout: a large heading on every tenth page, paragraphs of lines. */
async function makeBook(pages: number, { useObjectStreams }: { useObjectStreams: boolean }): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const prose = sentences(36);
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842]);
    let y = 780;
    if (number % 10 === 1) page.drawText(`Chapter ${Math.ceil(number / 10)}`, { x: 60, y, size: 20, font });
    for (const [i, sentence] of prose.entries()) {
      y -= i % 6 === 0 ? 32 : 14;
      page.drawText(`${number}: ${sentence}`, { x: 60, y, size: 11, font });
    }
  }
  return pdf.save({ useObjectStreams });
}

const layouts: Record<string, { lines: string[]; content: string }> = {
  "lines are joined to paragraphs": { lines: ["Trust takes", "years to grow."], content: "Trust takes years to grow." },
  "a word divided at the end of a line is joined": {
    lines: ["Give feed-", "back daily."],
    content: "Give feedback daily.",
  },
  "the hyphen of a number stays": { lines: ["She is ninety-", "three."], content: "She is ninety-three." },
  "a hyphen stays where the page has the word with it": {
    lines: ["Long-term care is long-", "term."],
    content: "Long-term care is long-term.",
  },
  "it goes where the page has the word without it": {
    lines: ["Wellness is well-", "ness."],
    content: "Wellness is wellness.",
  },
  "a dash before a capital letter stays": { lines: ["Anglo-", "Saxon"], content: "Anglo- Saxon" },
  "brackets and backslashes are text": { lines: ["a (b) \\ c"], content: "a (b) \\ c" },
};

const unreadable: Record<string, { bytes: Uint8Array; message: string }> = {
  "no PDF file": { bytes: bytesOf("%PDF-1.7\nhello"), message: "The file is damaged" },
  "truncated in its table": { bytes: makePdfOfStreams([shown("A")]).slice(0, -120), message: "The file is damaged" },
  "truncated in the middle": {
    bytes: makePdfOfStreams([shown("A"), shown("B")]).slice(0, 700),
    message: "The file is damaged",
  },
  "without pages": { bytes: makePdf({ 1: "<< /Type /Catalog >>" }), message: "The file is damaged" },
  "encrypted": {
    bytes: makePdf(
      { 1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 0 /Kids [] >>" },
      `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (${"o".repeat(32)}) /U (${"u".repeat(32)}) >>`,
    ),
    message: "The file is encrypted",
  },
};

const catalog = { 1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>" };
const page = "<< /Type /Page /Parent 2 0 R /Contents 11 0 R >>";
const packedZeros = deflateSync(new Uint8Array(200_000_000));
const bomb = (filters = "/FlateDecode"): SampleObject => ({
  source: `<< /Length ${packedZeros.length} /Filter ${filters} >>`,
  stream: packedZeros,
});
const lzw = (codes: number[], more = ""): SampleObject => ({
  source: `<< /Filter /LZWDecode ${more} >>`,
  stream: writeLzw([...codes, 257]),
});
const explosive = "The file unpacks to more than can be read";
const tooLarge = "The file holds or unpacks to more text than can be read";
const outdated = "The file is packed in an outdated way that cannot be read; save it again";

/** Files of a few kilobytes that would take gigabytes or minutes. */
const bombs: Record<string, { bytes: () => Uint8Array; message?: string }> = {
  "200 MB in a stream": { bytes: () => makePdfOfStreams([bomb()]) },
  "the same under a wrong length": {
    bytes: () => makePdfOfStreams([{ ...bomb(), source: "<< /Length 5 /Filter /FlateDecode >>" }]),
  },
  "the same, the filter in another object": {
    bytes: () => makePdfOfStreams([bomb("100 0 R")], { 100: "/FlateDecode" }),
  },
  "the same under a short name": { bytes: () => makePdfOfStreams([bomb("[/Fl]")]) },
  "the same in hexadecimal digits": {
    bytes: () => {
      const digits = Array.from(packedZeros, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return makePdfOfStreams([{
        source: "<< /Filter [/ASCIIHexDecode /FlateDecode] >>",
        stream: bytesOf(`${digits}>`),
      }]);
    },
  },
  "many streams of 30 MB": {
    bytes: () => makePdfOfStreams(Array.from({ length: 10 }, () => packed(spaces(30_000_000)))),
    message: tooLarge,
  },
  "packed twice": {
    bytes: () => makePdfOfStreams([packed(packedZeros, "[/FlateDecode /FlateDecode]")]),
  },
  "packed twice, under an escaped name": {
    bytes: () => makePdfOfStreams([packed(packedZeros, "[/Flate#44ecode /#46l]")]),
  },
  "35 MB by LZW": {
    bytes: () =>
      makePdfOfStreams([lzw(Array(5).fill([256, 0, ...Array.from({ length: 3_836 }, (_, i) => 258 + i)]).flat())]),
  },
  "LZW with other lengths of codes": {
    bytes: () => makePdfOfStreams([lzw([256, 65, 257], "/DecodeParms << /EarlyChange 0 >>")]),
    message: outdated,
  },
  "run lengths": { bytes: () => makePdfOfStreams([bomb("[/RL]")]), message: outdated },
  "a page that shows one stream 300 times": {
    bytes: () =>
      makePdf({
        ...catalog,
        10: `<< /Type /Page /Parent 2 0 R /Contents [${"11 0 R ".repeat(300)}] >>`,
        11: packed(spaces(5_000_000)),
      }),
  },
  "objects in objects": {
    bytes: () => makePdf({ ...catalog, 10: page, 11: { ...packed(spaces(9_000_000), "/FlateDecode /N 5 /First 10") } }),
  },
  "a stream hidden among objects": {
    bytes: () =>
      makePdf({
        ...catalog,
        10: page,
        11: packed(bytesOf("12 0 << /Filter /FlateDecode >> stream\nxx"), "/FlateDecode /N 1 /First 5"),
      }),
  },
  "a table of a hundred million objects": {
    bytes: () =>
      makePdf({
        ...catalog,
        10: page,
        11: { source: "<< /Type /XRef /W [0 0 0] /Size 100000000 >>", stream: bytesOf(" ") },
      }),
  },
  "a font of 16 million characters": {
    bytes: () =>
      makePdf({
        ...catalog,
        10: page,
        11: packed(bytesOf("1 beginbfrange\n<00000000> <00FFFFFE> <0041>\nendbfrange")),
      }),
  },
};

/** Files that must be read without failing and within limits, with the text read. */
const survived: Record<string, { bytes: () => Uint8Array; content: string }> = {
  "an image of 200 MB": {
    bytes: () =>
      makePdfOfStreams([shown("Beside an image")], {
        100: bomb("/FlateDecode /Subtype /Image /Width 10000 /Height 20000"),
      }),
    content: "Beside an image",
  },
  "a page that claims to be an image": {
    bytes: () => makePdfOfStreams([bomb("/FlateDecode /Subtype /Image"), shown("Good")]),
    content: "Good",
  },
  "a filter before what looks like another object": {
    bytes: () => makePdfOfStreams([bomb("/FlateDecode /X (1 0 obj <<)"), shown("Good")]),
    content: "Good",
  },
  "damaged data that other decoders would continue": {
    bytes: () => {
      const stream = packedZeros.slice().fill(0xff, 2, 12);
      return makePdfOfStreams([{ ...bomb(), stream }, shown("Good")]);
    },
    content: "Good",
  },
  "a count of two billion pages": {
    bytes: () => makePdf({ ...catalog, 2: "<< /Type /Pages /Count 2147483647 /Kids [10 0 R] >>", 10: page }),
    content: "",
  },
  "a table that leads to itself": {
    bytes: () => {
      const file = new TextDecoder("latin1").decode(
        makePdfOfStreams([{ source: "<< >>", stream: showLines(["Good"]) }]),
      );
      const start = /startxref\n(\d+)/.exec(file)![1];
      return bytesOf(file.replace("/Root 1 0 R", `/Root 1 0 R /Prev ${start}`));
    },
    content: "Good",
  },
};

const loops: Record<string, () => Uint8Array> = {
  "pages that contain themselves": () => makePdf({ ...catalog, 2: "<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R] >>" }),
  "pages that contain each other": () =>
    makePdf({
      ...catalog,
      10: "<< /Type /Pages /Count 1 /Kids [2 0 R] >>",
      2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
    }),
  "a million brackets": () =>
    makePdf({ ...catalog, 1: `<< /Type /Catalog /Pages 2 0 R /X ${"[".repeat(1_000_000)} >>` }),
  "a tree 20,000 levels deep": () => {
    const levels = Array.from(
      { length: 20_000 },
      (_, i) => [i + 2, `<< /Type /Pages /Count 1 /Kids [${i + 3} 0 R] >>`],
    );
    return makePdf({ 1: "<< /Type /Catalog /Pages 2 0 R >>", ...Object.fromEntries(levels) });
  },
};

Deno.test("readPassages of a PDF file: text", async (t) => {
  for (const [promise, { lines, content }] of Object.entries(layouts)) {
    await t.step(promise, async () => {
      const { passages } = await readAll("pdf", makePdfOfStreams([packed(showLines(lines))]));
      assertEquals(passages, [{ content, page: 1, heading: null }]);
    });
  }

  await t.step("a passage continues over a page break and names the page where it begins", async () => {
    const { passages } = await readAll("pdf", makePdfOfStreams([packed(spaces(10)), shown("One."), shown("Two.")]));
    assertEquals(passages, [{ content: "One.\n\nTwo.", page: 2, heading: null }]);
  });

  for (const filters of ["/FlateDecode", "[/FlateDecode]", "/Fl", "[ /Flate#44ecode ] % why\n"]) {
    await t.step(`a stream packed as ${filters.trim()} is read`, async () => {
      assertEquals(
        (await readAll("pdf", makePdfOfStreams([packed(showLines(["Hello"]), filters)]))).passages.length,
        1,
      );
    });
  }

  await t.step("a packed stream in the digits of ReportLab is read", async () => {
    const stream = bytesOf(encodeAscii85(deflateSync(showLines(["Hello from ReportLab"]))));
    const bytes = makePdfOfStreams([{ source: "<< /Filter [/ASCII85Decode /FlateDecode] >>", stream }]);
    assertEquals((await readAll("pdf", bytes)).passages[0]?.content, "Hello from ReportLab");
  });

  await t.step("a stream of Distiller 3 is read, also in digits", async () => {
    const stream = packLzw(String.fromCharCode(...showLines(["Hello from 1997"])));
    const streams: SampleObject[] = [
      { source: "<< /Filter /LZWDecode >>", stream },
      { source: "<< /Filter [/A85 /LZW] >>", stream: bytesOf(encodeAscii85(stream)) },
    ];
    for (const each of streams) {
      assertEquals((await readAll("pdf", makePdfOfStreams([each]))).passages[0]?.content, "Hello from 1997");
    }
  });

  await t.step("packed data without checksum and end is read", async () => {
    const stream = deflateSync(showLines(["Hello"])).slice(0, -4);
    const bytes = makePdfOfStreams([{ source: `<< /Length ${stream.length} /Filter /FlateDecode >>`, stream }]);
    assertEquals((await readAll("pdf", bytes)).passages.length, 1);
  });

  await t.step("a scan is one empty batch", async () => {
    const found = [];
    for await (const batch of readPassages("pdf", makePdfOfStreams([packed(bytesOf("q /Im0 Do Q"))]), null)) {
      found.push(batch);
    }
    assertEquals(found, [{ passages: [], next: null, warning: "1 of 1 page has no text" }]);
  });

  await t.step("a damaged page among good ones is left out", async () => {
    const objects = {
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: "<< /Type /Pages /Count 2 /Kids [9 0 R 10 0 R] >>",
      9: "<< /Type /Pages /Kids 5 /Count 1 >>",
    };
    const bytes = makePdf({
      ...objects,
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      10: "<< /Type /Page /Parent 2 0 R /Contents 11 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
      11: shown("Good"),
    });
    assertEquals((await readAll("pdf", bytes)).passages.map(({ content, page }) => ({ content, page })), [
      { content: "Good", page: 2 },
    ]);
  });
});

Deno.test("readPassages of a PDF file: batches", async (t) => {
  const count = slow.ignore ? 100 : 500;
  const book = await makeBook(count, { useObjectStreams: true });
  const bytes = book.slice();
  const { passages, batches, bookmarks } = await readAll("pdf", bytes);

  await t.step("pages are read at most 20 at a time, in at most 50 passages", () => {
    const pages = [...bookmarks.map(({ position }) => position.offset), count];
    const steps = pages.map((page, i) => page - (pages[i - 1] ?? 0));
    assert(
      batches.length >= count / 20 && Math.max(...steps) <= 20 && Math.max(...batches) <= 50,
      `${steps} ${batches}`,
    );
  });

  await t.step("every sentence of every page is in a passage of that page", () => {
    for (let page = 1; page <= count; page++) {
      const text = passages.filter((passage) => passage.page === page).map(({ content }) => content).join("\n");
      for (let i = 0; i < 36; i++) assert(text.includes(`${page}: Sentence ${i} `), `${page}: ${i}`);
    }
  });

  await t.step("large letters make a heading", () => {
    assertEquals(new Set(passages.map(({ heading }) => heading)).size, count / 10);
    assertEquals(passages[0]!.heading, "Chapter 1");
  });

  await slowStep(t, "resumed at every bookmark, the passages are the same", async () => {
    assertEquals(await readInterrupted("pdf", bytes), passages);
  });

  await t.step("the bytes are not changed", () => assertEquals(bytes, book));

  await t.step("objects in streams or not, the passages are the same", async () => {
    const [one, other] = [true, false].map((useObjectStreams) => makeBook(12, { useObjectStreams }));
    assertEquals((await readAll("pdf", await one!)).passages, (await readAll("pdf", await other!)).passages);
  });
});

Deno.test("readPassages of a PDF file: bad input", async (t) => {
  for (const [name, { bytes, message }] of Object.entries(unreadable)) {
    await t.step(`${name} → ${message}`, async () => {
      await assertRejects(() => readAll("pdf", bytes), UnreadableDocument, message);
    });
  }

  for (const [name, { bytes, message = explosive }] of Object.entries(bombs)) {
    await t.step({
      name: `${name} → ${message}`,
      ignore: slow.ignore && name === "many streams of 30 MB",
      fn: async () => {
        await assertRejects(() => readAll("pdf", bytes()), UnreadableDocument, message);
      },
    });
  }

  for (const [name, { bytes, content }] of Object.entries(survived)) {
    await t.step(`${name} → read`, async () => {
      assertEquals((await readAll("pdf", bytes())).passages.map((passage) => passage.content).join(), content);
    });
  }

  await t.step({
    name: "none of these files takes 200 MB of memory",
    ignore: Deno.build.os !== "linux" || slow.ignore,
    fn: async () => {
      const documents = [...Object.values(bombs), ...Object.values(survived)].map(({ bytes }) => bytes());
      const memory = await measureMemory("pdf", { good: makePdfOfStreams([shown("Good")]), documents });
      assert(memory < 200_000_000, `${memory}`);
    },
  });

  for (const [name, bytes] of Object.entries(loops)) {
    await t.step(`${name} → The file is damaged`, async () => {
      await assertRejects(() => readAll("pdf", bytes()), UnreadableDocument, "The file is damaged");
    });
  }

  await t.step(
    "a rejection inside pdf.js that cannot be caught does not end the process; those of other code still would",
    async () => {
      const events: PromiseRejectionEvent[] = [];
      const listener = (event: PromiseRejectionEvent) => void events.push(event);
      globalThis.addEventListener("unhandledrejection", listener);
      const pages = ["One", "Two", "Three", "Four"].map((text) => ({ source: "<< >>", stream: showLines([text]) }));
      const file = new TextDecoder().decode(makePdfOfStreams(pages));
      const bytes = bytesOf(file.replace("12 0 obj", "99 0 obj").replace("14 0 obj", "98 0 obj"));
      assertEquals((await readAll("pdf", bytes)).passages[0]?.content, "One");
      assertEquals(events.map((event) => event.defaultPrevented), [true]);
      globalThis.removeEventListener("unhandledrejection", listener);

      const { promise, resolve } = Promise.withResolvers<boolean>();
      const reader = readPassages("pdf", makePdfOfStreams([shown("A"), shown("B")]), null);
      await reader.next();
      const lastListener = (event: PromiseRejectionEvent) => {
        resolve(event.defaultPrevented);
        event.preventDefault();
      };
      globalThis.addEventListener("unhandledrejection", lastListener);
      Promise.reject(new Error("Not of pdf.js"));
      assertEquals(await promise, false);
      globalThis.removeEventListener("unhandledrejection", lastListener);
      await reader.return(undefined);
    },
  );

  await slowStep(t, "10,000 packed streams are read, 20,000 are refused", async () => {
    const stream = packed(bytesOf("x"));
    const makeFile = (count: number) =>
      makePdfOfStreams([shown("A")], Object.fromEntries(Array.from({ length: count }, (_, i) => [100 + i, stream])));
    assertEquals((await readAll("pdf", makeFile(10_000))).passages.map(({ content }) => content), ["A"]);
    await assertRejects(() => readAll("pdf", makeFile(20_000)), UnreadableDocument, tooLarge);
  });

  await t.step("a page whose forms multiply its text → refused", async () => {
    const forms = Array.from({ length: 9 }, (_, i) => {
      const resources = `<< /Font << /F1 3 0 R >> /XObject << /F ${101 + i} 0 R >> >>`;
      const source = `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources ${resources} >>`;
      return [100 + i, { source, stream: bytesOf(`${"/F Do ".repeat(30)} BT /F1 9 Tf ${"(x) Tj T* ".repeat(40)} ET`) }];
    });
    const bytes = makePdf({
      ...catalog,
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      10: "<< /Type /Page /Parent 2 0 R /Contents 11 0 R /Resources << /XObject << /F 100 0 R >> >> >>",
      11: { source: "<< >>", stream: bytesOf("/F Do") },
      ...Object.fromEntries(forms),
    });
    await assertRejects(() => readAll("pdf", bytes), UnreadableDocument, tooLarge);
  });
});

function encodeAscii85(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4) {
    const group = [0, 1, 2, 3].map((j) => bytes[i + j] ?? 0);
    let word = group.reduce((sum, byte) => sum * 256 + byte, 0);
    const digits = Array.from({ length: 5 }, () => {
      const digit = word % 85;
      word = Math.floor(word / 85);
      return String.fromCharCode(33 + digit);
    }).reverse().join("");
    text += digits.slice(0, Math.min(bytes.length - i, 4) + 1);
  }
  return `${text.replaceAll("!!!!!", "z")}~>`;
}
