import { findTables } from "./find_tables.ts";
import { joinLines, type TextItem } from "./join_lines.ts";
import { readPassages } from "./read_passages.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { makePdfOfStreams, packed } from "../../../tests/support/sample_documents.ts";

/** A text at a place of a page; each letter is as wide as half its height. */
type Shown = [text: string, x: number, y: number];
const size = 10;
const widthOf = (text: string) => text.length * size / 2;

function textsOf(shown: Shown[]): string[] {
  const items = shown.flatMap(([str, x, y], i): TextItem[] => {
    const item = { str, dir: "ltr", transform: [size, 0, 0, size, x, y], width: widthOf(str), height: size };
    if (y !== shown[i + 1]?.[2]) return [{ ...item, hasEOL: true }];
    // A wide gap is a space of its own.
    return [{ ...item, hasEOL: false }, { ...item, str: " ", height: 0, hasEOL: false }];
  });
  return findTables(joinLines(items)).map(({ text }) => text);
}

const [left, middle, right] = [40, 200, 400];
/** The last cell ends at the same place in each row. */
const row = (y: number, [name, place, price]: [string, string, string]): Shown[] => [
  [name, left, y],
  [place, middle, y],
  [price, right - widthOf(price), y],
];
const header = row(700, ["Boat", "Place", "Price"]);
const rows = [row(680, ["Heron", "Pier 2", "9.50"]), row(660, ["Gull", "Pier 1", "113.50"])];
const table = ["Boat | Place | Price", "Heron | Pier 2 | 9.50", "Gull | Pier 1 | 113.50"];
const columns = [left, 160, 280];
const prose = "the pier and its boats";

const cases: Record<string, { shown: Shown[]; texts: string[] }> = {
  "rows of three columns with common edges": {
    shown: [["Prices of all boats in euros", left, 740], ...header, ...rows.flat(), [
      "All prices are without tax",
      left,
      620,
    ]],
    texts: ["Prices of all boats in euros", table.join("\n"), "All prices are without tax"],
  },
  "a cell of two lines beside others at half their height, as Chromium writes it": {
    shown: [
      ...header,
      ...rows.flat(),
      ["Tern", left, 634],
      ["Pier 3, behind", middle, 640],
      ["the shed", middle, 628],
      ["7.50", right - widthOf("7.50"), 634],
      ...row(610, ["Swan", "Pier 4", "8.50"]),
    ],
    texts: [[...table, "Tern | Pier 3, behind the shed | 7.50", "Swan | Pier 4 | 8.50"].join("\n")],
  },
  "a cell may be empty, and a paragraph below is none of it, however narrow": {
    shown: [...header, ...rows.flat(), ["Pier 7", middle, 640], ["4", right - widthOf("4"), 640], ["Note", left, 628]],
    texts: [[...table, " | Pier 7 | 4"].join("\n"), "Note"],
  },
  "a name of two lines before another": {
    shown: [
      ["Boat", left, 700],
      ["Place", middle, 700],
      ["Price", 300, 700],
      ["per day", 300, 688],
      ["Seats", right, 700],
      ...["12.50", "13.50", "14.50"].flatMap((price, i): Shown[] => [
        [`Gull ${i}`, left, 670 - 20 * i],
        [`Pier ${i}`, middle, 670 - 20 * i],
        [price, 300, 670 - 20 * i],
        [String(i), right, 670 - 20 * i],
      ]),
    ],
    texts: [
      "Boat | Place | Price per day | Seats\nGull 0 | Pier 0 | 12.50 | 0\nGull 1 | Pier 1 | 13.50 | 1\nGull 2 | Pier 2 | 14.50 | 2",
    ],
  },
  "a table below another, with other columns, is one of its own": {
    shown: [
      ...[header, ...rows].flat(),
      ["Team", left, 640],
      ...["Name", "Anna", "Bo"].flatMap((name, i): Shown[] =>
        [name, "Berlin", "Cook"].map((text, j) => [text, [left, 80, 130][j]!, 620 - 12 * i])
      ),
    ],
    texts: [table.join("\n"), "Team", "Name | Berlin | Cook\nAnna | Berlin | Cook\nBo | Berlin | Cook"],
  },
  "two columns are none": {
    shown: [header, ...rows].flatMap((row) => row.slice(0, 2)),
    texts: ["Boat Place", "Heron Pier 2", "Gull Pier 1"],
  },
  "two rows are none": { shown: [header, rows[0]!].flat(), texts: ["Boat Place Price", "Heron Pier 2 9.50"] },
  "running text in three columns is none": {
    shown: [700, 688, 676, 664].flatMap((y) => columns.map((x): Shown => [prose, x, y])),
    texts: Array(4).fill([prose, prose, prose].join(" ")),
  },
  "a column of text beside a table is none of it": {
    shown: [header, ...rows].flatMap(([, ...cells], i): Shown[] => [[`and so on ${i}`, left, 700 - 20 * i], ...cells]),
    texts: ["and so on 0 Place Price", "and so on 1 Pier 2 9.50", "and so on 2 Pier 1 113.50"],
  },
  "rows without names of columns are none": {
    shown: [...rows, ...rows.map((row) => row.map(([text, x, y]): Shown => [text, x, y - 40]))].flat(),
    texts: ["Heron Pier 2 9.50", "Gull Pier 1 113.50", "Heron Pier 2 9.50", "Gull Pier 1 113.50"],
  },
  "cells at any places are none": {
    shown: [
      ...header,
      ...[1, 2, 3].flatMap((i) =>
        row(700 - 20 * i, ["a", "b", "c"]).map(([text, x, y]): Shown => [text, x + 9 * i, y])
      ),
    ],
    texts: ["Boat Place Price", "a b c", "a b c", "a b c"],
  },
};

Deno.test("findTables", async (t) => {
  for (const [promise, { shown, texts }] of Object.entries(cases)) {
    await t.step(promise, () => assertEquals(textsOf(shown), texts));
  }
});

Deno.test("readPassages of a PDF file: each passage of a table begins with the names of its columns", async () => {
  const show = ([text, x, y]: Shown) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`;
  const rowsOf = (page: number) =>
    Array.from({ length: 60 }, (_, i) => row(690 - 11 * i, [`Boat ${page}/${i}`, `Pier ${i}`, `${i}.50`]));
  const pages = [1, 2, 3].map((page) => {
    const content = `BT /F1 10 Tf ${[header, ...rowsOf(page)].flat().map(show).join(" ")} ET`;
    return packed(new TextEncoder().encode(content));
  });
  const texts: string[] = [];
  for await (const { passages } of readPassages("pdf", makePdfOfStreams(pages), null)) {
    texts.push(...passages.map(({ content }) => content));
  }
  assert(texts.every((text) => text.startsWith("Boat | Place | Price\nBoat ")), texts.join("\n\n"));
  for (const page of [1, 2, 3]) {
    for (let i = 0; i < 60; i++) assert(texts.some((text) => text.includes(`Boat ${page}/${i} | Pier ${i} | ${i}.50`)));
  }
});
