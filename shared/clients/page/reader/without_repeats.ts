import type { components } from "../../client/api_types.ts";

type ReadPassage = Pick<components["schemas"]["ReadPassage"], "content" | "repeats">;

/** The texts of passages in a row, each sentence once. The passage at the place `whole` keeps all of its text. */
export function withoutRepeats(passages: ReadPassage[], whole: number): string[] {
  return passages.map(({ content, repeats }, place) => {
    const start = place > whole ? repeats : 0;
    const end = content.length - (place < whole ? passages[place + 1]!.repeats : 0);
    return content.slice(start, Math.max(start, end)).trim();
  });
}
