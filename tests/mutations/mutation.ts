import { commands } from "./commands.ts";
import { money } from "./money.ts";
import { pages } from "./pages.ts";
import { sql } from "./sql.ts";
import { times } from "./times.ts";

/** A wrong change of the code, as a colleague might make it, and the files of tests that ought to find it. */
export type Mutation = {
  /** What is wrong with it. */
  name: string;
  file: string;
  /** A text that the file contains exactly once. */
  before: string;
  after: string;
  /** Where one would look; the likeliest comes first. */
  tests: string[];
};

/** The lists of wrong changes, by their subjects. */
export const subjects: Record<string, Mutation[]> = { sql, money, times, commands, pages };

/**
 * Makes a wrong change in the text of its file.
 *
 * @throws {Error} if the text to be changed is not there exactly once: the code has changed, and so must the list.
 */
export function change(text: string, { name, file, before, after }: Mutation): string {
  const parts = text.split(before);
  if (parts.length !== 2) {
    throw new Error(`"${name}" does not apply: ${file} contains its text ${parts.length - 1} times, not once`);
  }
  return parts.join(after);
}
