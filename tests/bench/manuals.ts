import { PDFDocument, type PDFFont, StandardFonts } from "pdf-lib";
import { createRandom } from "./random.ts";

/** A question that one page of one document answers. */
export type PageQuestion = { question: string; fact: string; filename: string; page: number };

/** A long PDF document. */
export type Manual = { filename: string; bytes: Uint8Array };

/** A sentence of a manual about a machine, and the question of people about it. */
const statements: [fact: (machine: string, n: number) => string, question: (machine: string) => string][] = [
  [
    (it, n) => `Let the ${it} cool for ${n} minutes before its cover is opened.`,
    (it) => `How long must the ${it} cool before I open the cover?`,
  ],
  [
    (it, n) => `Tighten the bolts of the ${it} to ${n} newton meters.`,
    (it) => `How tight do the bolts of the ${it} need to be?`,
  ],
  [(it, n) => `The warranty of the ${it} ends after ${n} months.`, (it) => `When does the warranty of the ${it} end?`],
  [
    (it, n) => `Store the ${it} dry and below ${n} degrees.`,
    (it) => `How warm may the place be where I store the ${it}?`,
  ],
  [(it, n) => `While it is idle, the ${it} draws ${n} watts.`, (it) => `How many watts does the idle ${it} draw?`],
  [
    (it, n) => `Clean the filter of the ${it} every ${n} days.`,
    (it) => `How often should I clean the filter of the ${it}?`,
  ],
  [
    (it, n) => `Two people are needed to lift the ${it}, which weighs ${n} kilograms.`,
    (it) => `How many kilograms does the ${it} weigh?`,
  ],
  [
    (it, n) => `Seals for the ${it} are ordered under the part number ${n}.`,
    (it) => `Which part number do the seals for the ${it} have?`,
  ],
];

const makes = [
  "Orlen",
  "Tarvik",
  "Belmar",
  "Quist",
  "Hadron",
  "Ferro",
  "Lindal",
  "Mostar",
  "Pevek",
  "Ruden",
  "Salva",
  "Ymir",
];
const kinds = ["pump", "press", "dryer", "mixer", "kiln", "winch"];
const fillers = [
  "Read this chapter before the first use, and keep it where the operators can find it",
  "The person in charge signs the log after each shift",
  "Damaged cables are replaced by a technician, never by the operator",
  "A visual check takes a moment and prevents most failures",
  "Letters in the margin refer to the drawings at the end of the volume",
  "Where the ground is uneven, plates under the feet spread the load",
  "Noise that grows from week to week is a reason to call the service",
  "Gloves and glasses are worn in the whole workshop",
  "Spares are listed by assembly, and each assembly has a drawing",
  "Settings that were changed are written down with the date",
  "Dust is removed with a brush, since compressed air drives it into the bearings",
  "The emergency stop is tested on the first day of each month",
];

/**
 * Makes manuals of so many pages, the same in every run. Each page says something about one machine, at its beginning,
 * in its middle or at its end; other pages say the same of other machines, and other things of the same one.
 */
export async function makeManuals(
  { count, pages }: { count: number; pages: number },
): Promise<{ manuals: Manual[]; questions: PageQuestion[] }> {
  const random = createRandom(34);
  const pick = <Item>(items: Item[]) => items[Math.floor(random() * items.length)]!;
  const machines = makes.flatMap((make) => kinds.map((kind) => `${make} ${kind}`));
  const told = machines.flatMap((machine) => statements.map((statement) => ({ machine, statement })))
    .map((each) => ({ ...each, place: random() })).toSorted((a, b) => a.place - b.place);
  const manuals: Manual[] = [];
  const questions: PageQuestion[] = [];
  for (let volume = 1; volume <= count; volume++) {
    const filename = `service-manual-${volume}.pdf`;
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let page = 1; page <= pages; page++) {
      const paragraphs = Array.from(
        { length: 3 },
        () => Array.from({ length: 5 }, () => `${pick(fillers)}.`),
      );
      const next = told.pop();
      if (next !== undefined) {
        const { machine, statement: [fact, question] } = next;
        const paragraph = pick(paragraphs);
        const said = fact(machine, 10 + Math.floor(random() * 900));
        paragraph.splice(pick([0, 2, paragraph.length]), 0, said);
        questions.push({ question: question(machine), fact: said, filename, page });
      }
      drawPage(document, font, [
        `Service manual, volume ${volume}`,
        ...paragraphs.map((said) => said.join(" ")),
        `Page ${page}`,
      ]);
    }
    manuals.push({ filename, bytes: await document.save() });
  }
  return { manuals, questions };
}

/** Draws paragraphs below each other, in lines of the width of a page. */
function drawPage(document: PDFDocument, font: PDFFont, paragraphs: string[]): void {
  const page = document.addPage([595, 842]);
  const size = 11;
  let y = 790;
  for (const paragraph of paragraphs) {
    let line = "";
    for (const word of [...paragraph.split(" "), null]) {
      const longer = line === "" ? word ?? "" : `${line} ${word}`;
      if (word !== null && font.widthOfTextAtSize(longer, size) <= 480) {
        line = longer;
        continue;
      }
      page.drawText(line, { x: 57, y, size, font });
      y -= 15;
      line = word ?? "";
    }
    y -= 12;
  }
}
