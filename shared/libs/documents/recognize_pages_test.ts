import { inflateSync } from "node:zlib";
import {
  makePdf,
  makeScan,
  packed,
  readAll,
  type SampleObject,
  sentences,
  showLines,
} from "../../../tests/support/sample_documents.ts";
import { assertEquals, assertMatch, assertRejects } from "../../../tests/support/assert.ts";
import type { Picture } from "./find_picture.ts";
import { type Bookmark, readPassages } from "./read_passages.ts";

const jpegs = [1, 2, 3].map((mark) => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, mark, 0xff, 0xd9));
const picture = (jpeg: Uint8Array): SampleObject => ({
  source: `<< /Type /XObject /Subtype /Image /Width 9 /Height 9 /Filter /DCTDecode /Length ${jpeg.length} >>`,
  stream: jpeg,
});
const shown = packed(new TextEncoder().encode("q /Im Do Q"));
const page = (content: number, resources: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R ${resources} >>`;

/** A page of text, and three of pictures: their own, their parent's, and within a form. */
const scan = makePdf({
  1: "<< /Type /Catalog /Pages 2 0 R >>",
  2: "<< /Type /Pages /Count 4 /Kids [10 0 R 11 0 R 12 0 R 13 0 R] /Resources << /XObject << /Im 31 0 R >> >> >>",
  3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  10: page(20, "/Resources << /Font << /F1 3 0 R >> >>"),
  11: page(21, "/Resources 40 0 R"),
  12: page(21, ""),
  13: page(21, "/Resources << /XObject << /Im 33 0 R >> >>"),
  20: packed(showLines(sentences(12))),
  21: shown,
  30: picture(jpegs[0]!),
  31: picture(jpegs[1]!),
  32: picture(jpegs[2]!),
  33: {
    source: "<< /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Im 32 0 R >> >> /Length 10 >>",
    stream: new TextEncoder().encode("q /Im Do Q"),
  },
  40: "<< /XObject << /Im 30 0 R >> >>",
});
const table = "# Prices\n\n| Meal | kcal |\n| --- | --- |\n| Oats | 370 |";

/** The pictures of the pages of a file that have no text. */
async function lookAt(file: Uint8Array): Promise<Picture[]> {
  const seen: Picture[] = [];
  const look = (picture: Picture) => Promise.resolve((seen.push(picture), ""));
  for await (const _ of readPassages("pdf", file, null, { recognize: look }));
  return seen;
}

Deno.test("scanned pages are recognized", async (t) => {
  const textOf = ({ bytes: jpeg }: Picture) =>
    ["", table, "Rye bread keeps for a week."][jpegs.findIndex((j) => j.join() === jpeg.join())]!;
  const recognize = (jpeg: Picture) => Promise.resolve(textOf(jpeg));

  await t.step("page by page, each from its picture, and the warning says so", async () => {
    const pages: [number | null, string][] = [];
    let warning: string | undefined;
    for await (const batch of readPassages("pdf", scan, null, { recognize })) {
      pages.push(...batch.passages.map(({ page, content }): [number | null, string] => [page, content]));
      warning = batch.warning;
    }
    assertEquals(pages.map(([page]) => page), [1, 3]);
    assertEquals(pages[1]![1].includes("| Oats | 370 |"), true, pages[1]![1]);
    assertEquals(pages[1]![1].endsWith("Rye bread keeps for a week."), true, pages[1]![1]);
    assertEquals(warning, "1 of 4 pages has no text; the text of 2 of 4 pages was recognized from a picture");
  });

  await t.step("none twice, wherever reading goes on", async () => {
    let asked = 0;
    let bookmark: Bookmark | null = null;
    const count = async (jpeg: Picture) => {
      asked++;
      // As long as a model takes at least: a batch ends after it.
      const end = performance.now() + 160;
      while (performance.now() < end) await Promise.resolve();
      return textOf(jpeg);
    };
    do {
      for await (const batch of readPassages("pdf", scan, bookmark, { recognize: count })) {
        bookmark = batch.next;
        break;
      }
    } while (bookmark !== null);
    assertEquals(asked, 3);
  });

  await t.step("pixels without a format of their own become a PNG", async () => {
    const pixels: Record<string, SampleObject> = {
      "rows as they stand": packed(Uint8Array.of(255, 0, 0, 0, 255, 0)),
      "rows that are not packed": { source: "<< /Length 6 >>", stream: Uint8Array.of(255, 0, 0, 0, 255, 0) },
      "rows as PNG writes them": packed(Uint8Array.of(0, 255, 0, 0, 1, 0, 255, 0)),
    };
    for (const [name, { source, stream }] of Object.entries(pixels)) {
      const parms = name.includes("PNG") ? "/DecodeParms << /Predictor 15 /Colors 3 /Columns 1 >>" : "";
      const image = `/Subtype /Image /Width 1 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceRGB ${parms}`;
      const file = makeScan({ source: source.replace("<<", `<< ${image}`), stream });
      const seen = await lookAt(file);
      assertEquals(seen.map(({ contentType }) => contentType), ["image/png"], name);
      const png = seen[0]!.bytes;
      const length = new DataView(png.buffer).getUint32(33);
      const rows = [...inflateSync(png.slice(41, 41 + length))];
      assertEquals(rows.filter((_, i) => i % 4 !== 0), [255, 0, 0, 0, 255, 0], name);
    }
  });
});

Deno.test("pictures of pages are found", async (t) => {
  await t.step("a picture of which a few bytes promise millions of rows is left out", async () => {
    for (const [width, height] of [[0, 20_000_000], ["1.2.3", 20_000_000], [1, 10_000_000]]) {
      const image = `/Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray`;
      const { source, stream } = packed(Uint8Array.of(1, 2, 3));
      assertEquals(await lookAt(makeScan({ source: source.replace("<<", `<< ${image}`), stream })), [], `${width}`);
    }
  });

  await t.step("to find a picture, a page's objects are read only so far", async () => {
    const form = (picture: number, more = "") =>
      `<< /Subtype /Form ${more} /Resources << /XObject << /Im ${picture} 0 R >> >> >>`;
    // The same long object by several names, and behind it the picture.
    const named = (times: number) =>
      makePdf({
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
        10: page(
          21,
          `/Resources << /XObject << ${"abc".slice(0, times).replace(/./g, "/$& 40 0 R ")} /Im 41 0 R >> >>`,
        ),
        21: shown,
        30: picture(jpegs[0]!),
        40: form(10, `/A [${"1 ".repeat(50_000)}]`),
        41: form(30),
      });
    assertEquals((await lookAt(named(2))).length, 1);
    assertEquals(await lookAt(named(3)), []);
  });

  await t.step("the PNG of pixels that are numbers of colors has these colors", async () => {
    const image =
      "/Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 1 <414243616263>]";
    const { source, stream } = packed(Uint8Array.of(0, 1));
    const [seen] = await lookAt(makeScan({ source: source.replace("<<", `<< ${image}`), stream }));
    assertMatch(new TextDecoder("latin1").decode(seen!.bytes), /IHDR[^]{21}PLTEABCabc[^]{8}IDAT/);
  });

  await t.step("CCITT, JBIG2 and JPEG 2000 stay as they are, on the only page of a PDF", async () => {
    const data = Uint8Array.of(1, 2, 3, 250);
    const shared = new TextEncoder().encode("symbols");
    const filters: Record<string, [entries: string, expected: RegExp]> = {
      CCITTFaxDecode: [
        "/ColorSpace /DeviceGray /DecodeParms << /K -1 /Columns 9 >>",
        /DeviceGray \/DecodeParms << \/K -1/,
      ],
      JBIG2Decode: ["/ImageMask true /DecodeParms 41 0 R", /ImageMask true[^]*\/JBIG2Globals 6 0 R[^]*\nsymbols\n/],
      JPXDecode: ["/ColorSpace [/ICCBased 42 0 R]", /\/JPXDecode \/DecodeParms/],
    };
    for (const [filter, [entries, expected]] of Object.entries(filters)) {
      const source = `<< /Subtype /Image /Width 9 /Height 18 /Filter /${filter} ${entries} /Length 4 >>`;
      const file = makeScan({ source, stream: data }, {
        40: { source: "<< /Length 7 >>", stream: shared },
        41: "<< /JBIG2Globals 40 0 R >>",
      });
      const seen = await lookAt(file);
      assertEquals(seen.map(({ contentType }) => contentType), ["application/pdf"], filter);
      assertMatch(new TextDecoder("latin1").decode(seen[0]!.bytes), expected);
      // It can be read as any other scan, and has the same picture.
      assertEquals((await lookAt(seen[0]!.bytes))[0], seen[0], filter);
    }
  });

  await t.step("short pages with headings of their own are quoted by their own numbers", async () => {
    const texts = ["# One\n\nFerritin is low.", "# Two\n\nIron is high."];
    const file = makePdf({
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: "<< /Type /Pages /Count 2 /Kids [10 0 R 11 0 R] /Resources << /XObject << /Im 30 0 R >> >> >>",
      10: page(21, ""),
      11: page(21, ""),
      21: shown,
      30: picture(jpegs[0]!),
    });
    const pages: unknown[] = [];
    for await (
      const { passages } of readPassages("pdf", file, null, { recognize: () => Promise.resolve(texts.shift()!) })
    ) pages.push(...passages.map(({ page, heading, is_recognized }) => [page, heading, is_recognized]));
    assertEquals(pages, [[1, "One", true], [2, "Two", true]]);
  });

  await t.step("200 pages of a file at most, also where they turn out to have no text", async () => {
    const numbers = Array.from({ length: 205 }, (_, i) => 100 + i);
    const file = makePdf({
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: `<< /Type /Pages /Count 205 /Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}] >>`,
      21: shown,
      30: picture(jpegs[0]!),
      ...Object.fromEntries(numbers.map((n) => [n, page(21, "/Resources << /XObject << /Im 30 0 R >> >>")])),
    });
    let asked = 0;
    for await (const _ of readPassages("pdf", file, null, { recognize: () => Promise.resolve((asked++, "")) }));
    assertEquals(asked, 200);
  });

  await t.step("not without a model, and a model that fails stops it", async () => {
    assertEquals((await readAll("pdf", scan)).passages.length, 1);
    await assertRejects(async () => {
      for await (
        const _ of readPassages("pdf", scan, null, { recognize: () => Promise.reject(new TypeError("busy")) })
      );
    }, TypeError);
  });
});
