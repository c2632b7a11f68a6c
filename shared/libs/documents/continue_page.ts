import type { Block } from "./document_reader.ts";

/** A longer rest of a sentence is not looked for on the next page. */
const longestRest = 600;
const sentenceEnd = /[.!?…:;。！？][\p{Pe}\p{Pf}"']*\s*$/u;
/** The end of the sentence that a page begins with. */
const firstEnd = /[.!?…](?=["'”’»)\]]*\s+[^\p{Ll}\s]|["'”’»)\]]*$)["'”’»)\]]*|[。！？]["'”’」』）]*/u;

/** The blocks of a page; `isFull` is true where its last line goes to the end of the column. */
export type LaidPage = { blocks: Block[]; isFull: boolean };

/** The length of the text at the beginning of a page that ends the last sentence of the page before. */
export function lengthOfRest(before: LaidPage, page: LaidPage): number {
  const [last, first] = [before.blocks.at(-1), page.blocks[0]];
  if (last?.header !== undefined || first?.header !== undefined) return 0;
  if (last?.level !== null || first?.level !== null || last.text === "" || sentenceEnd.test(last.text.slice(-50))) {
    return 0;
  }
  const goesOn = /^\s*\p{Ll}/u.test(first.text) || before.isFull && /^\s*[\p{L}\p{N}"„“«(]/u.test(first.text);
  if (!goesOn) return 0;
  const start = first.text.slice(0, longestRest);
  const end = firstEnd.exec(start);
  if (end !== null) return end.index + end[0].length;
  // A table or a list may have no sentences. What is the whole page is not taken from it.
  return first.text.length <= longestRest && page.blocks.length > 1 ? first.text.length : 0;
}
