/// <reference lib="dom" />
import { createHash } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { addFile, type Passage, type Place, updateRow } from "../support/knowledge.ts";
import { makePdfOfStreams, sentences, showLines } from "../support/sample_documents.ts";
import { readerOf } from "./reader_window.ts";

/** The part of the reader that scrolls. */
export function bodyOf(page: Page): Locator {
  return readerOf(page).locator(".body");
}

/** The part of the page's address after `#`, with it. */
export function hashOf(page: Page): string {
  return new URL(page.url()).hash;
}

/** Waits until the address is the one from before the reader was opened. */
export async function waitForHash(page: Page, hash: string): Promise<void> {
  await page.waitForFunction((hash) => location.hash === hash, hash);
}

/** The ID of a passage: of its text. */
export function idOf({ content }: Passage): string {
  return createHash("md5").update(content).digest("hex");
}

/** The part of the address that names a passage. */
export function linkTo({ coachId }: Place, fileId: string, passageId: string): string {
  return `#source=${coachId}/${fileId}/${passageId}`;
}

const bedroom = "The house > The bedroom";
const kitchen = "The house > The kitchen";

/** The passages of a book about a house. Some begin with the last sentence of the one before. */
export const book = [
  { heading: "The house", content: "The house has many rooms. Rooms have walls." },
  { heading: "The house", content: "Rooms have walls. Walls have windows." },
  { heading: "The house", content: "Walls have windows. Windows let in light." },
  { heading: bedroom, content: "Doors are tall. Beds are wide." },
  { heading: bedroom, content: "Beds are wide. A **cold** bedroom helps you sleep at night." },
  { heading: kitchen, content: "A kitchen has a stove." },
  ...sentences(24).map((content) => ({ heading: kitchen, content })),
  { heading: kitchen, content: "The very end." },
];

/** Adds the book as a Markdown file, and returns the ID of the file and of the passage about cold bedrooms. */
export async function addBook(place: Place): Promise<{ fileId: string; passageId: string }> {
  const fileId = await addFile(place, "House.md", ...book);
  await updateRow(fileId, { content_type: "text/markdown" });
  return { fileId, passageId: idOf(book[4]!) };
}

/** A PDF file of three pages, each long enough for a passage of its own. */
export function makeManual(): Uint8Array<ArrayBuffer> {
  const pages = ["boilers", "pistons", "governors"].map((subject) =>
    showLines([`An engine has ${subject}.`, ...sentences(16)])
  );
  const streams = pages.map((stream) => ({ source: `<< /Length ${stream.length} >>`, stream }));
  return new Uint8Array(makePdfOfStreams(streams));
}
