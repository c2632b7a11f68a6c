import type { Block } from "../document_reader.ts";

/** A block, and whether it is an item of a list. */
export type BodyBlock = Block & { isItem?: boolean };

/** Makes the items of each list the lines of one block, and leaves out blocks without text. */
export function joinItems(blocks: BodyBlock[]): Block[] {
  const joined: Block[] = [];
  let items: string[] = [];

  function endList(): void {
    if (items.length > 0) joined.push({ text: items.join("\n"), page: null, level: null });
    items = [];
  }

  for (const { isItem = false, ...block } of blocks) {
    if (block.text === "") continue;
    if (isItem) {
      items.push(block.text);
      continue;
    }
    endList();
    joined.push(block);
  }
  endList();
  return joined;
}
