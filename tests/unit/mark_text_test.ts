import { continueList, type Edit, type Mark, markText } from "../../shared/clients/page/desk/files/mark_text.ts";
import { assertEquals } from "../support/assert.ts";

/** A text whose selection stands between bars; one bar is a caret. */
function read(shown: string): [text: string, from: number, to: number] {
  const [from, to] = [shown.indexOf("|"), shown.lastIndexOf("|")];
  return [shown.replaceAll("|", ""), from, from === to ? to : to - 1];
}

function show(text: string, { from, to, text: inserted, select: [start, end] }: Edit): string {
  const changed = text.slice(0, from) + inserted + text.slice(to);
  const selected = start === end ? "|" : `|${changed.slice(start, end)}|`;
  return changed.slice(0, start) + selected + changed.slice(end);
}

const tables: Record<Mark, [before: string, after: string][]> = {
  bold: [
    ["Eat |oats| now", "Eat **|oats|** now"],
    ["Eat **|oats|** now", "Eat |oats| now"],
    ["Eat |**oats**| now", "Eat |oats| now"],
    ["Eat |oats |now", "Eat **|oats|** now"],
    ["Eat | now", "Eat **|** now"],
    ["Eat **|** now", "Eat | now"],
    ["Eat **oats|** now", "Eat **oats**| now"],
    ["Eat *|oats|* now", "Eat ***|oats|*** now"],
    ["Eat ***|oats|*** now", "Eat *|oats|* now"],
    ["|- oats\n\n- rye|", "|- **oats**\n\n- **rye**|"],
    ["|- **oats**\n- rye|", "|- **oats**\n- **rye**|"],
    ["|- **oats**\n- **rye**|", "|- oats\n- rye|"],
    ["|**a** and **b**|", "**|a and b|**"],
    ["|## Oats|", "## **|Oats|**"],
    ["|كل الشوفان|", "**|كل الشوفان|**"],
    // As word processors break a line within a paragraph.
    ["|Oats\u2028and rye|", "**|Oats\u2028and rye|**"],
  ],
  italic: [
    ["Eat |oats| now", "Eat *|oats|* now"],
    ["Eat *|oats|* now", "Eat |oats| now"],
    ["Eat **|oats|** now", "Eat ***|oats|*** now"],
    ["Eat ***|oats|*** now", "Eat **|oats|** now"],
    ["|*a* and *b*|", "*|a and b|*"],
    ["|**a** is 3 * 4|", "*|**a** is 3 * 4|*"],
  ],
  heading: [
    ["One\nT|wo\nThree", "One\n## T|wo\nThree"],
    ["One\n## T|wo", "One\n### T|wo"],
    ["One\n### T|wo", "One\nT|wo"],
    ["|", "## |"],
    ["|One\n|Two", "|## One|\nTwo"],
  ],
  list: [
    ["O|ne", "- O|ne"],
    ["- O|ne", "O|ne"],
    ["|One\n\nTwo|", "|- One\n\n- Two|"],
    ["|- One\n- Two|", "|One\nTwo|"],
    ["|1. One\n2. Two|", "|- One\n- Two|"],
    ["|- One\nTwo|", "|- One\n- Two|"],
    ["|", "- |"],
  ],
  numbers: [
    ["|One\nTwo|", "|1. One\n2. Two|"],
    ["|- One\n- Two|", "|1. One\n2. Two|"],
    ["|1. One\n2. Two|", "|One\nTwo|"],
  ],
  link: [
    ["See |the plan| first", "See [the plan](|https://|) first"],
    ["See |https://example.org/a|", "See [|](https://example.org/a)"],
    ["See |", "See [|](https://)"],
  ],
};

for (const [mark, rows] of Object.entries(tables)) {
  Deno.test(`the button "${mark}" marks what is selected, and takes its mark away again`, () => {
    for (const [before, after] of rows) {
      const [text, from, to] = read(before);
      assertEquals([before, show(text, markText(text, from, to, mark as Mark))], [before, after]);
    }
  });
}

Deno.test("Enter goes on with a list, and ends it on an empty line", () => {
  const rows: [before: string, after: string | null][] = [
    ["- One|", "- One\n- |"],
    ["- One|Two", "- One\n- |Two"],
    ["  * One|", "  * One\n  * |"],
    ["9. One|", "9. One\n10. |"],
    ["- One\n- |\nTwo", "- One\n\n|\nTwo"],
    ["- One\n- |", "- One\n\n|"],
    ["One|", null],
    ["-One|", null],
    ["|- One", null],
    ["- One\n|", null],
  ];
  for (const [before, after] of rows) {
    const [text, at] = read(before);
    const edit = continueList(text, at);
    assertEquals([before, edit && show(text, edit)], [before, after]);
  }
});
