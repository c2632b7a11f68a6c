import { resolve } from "node:path";
import { CommandError, errorMessage, refuse } from "../command_error.ts";
import { showHarmlessly } from "./terminal_text.ts";

/** Reads a text file of another program. @throws {CommandError} if it cannot be read, or is not in UTF-8 */
export async function readTextFile(folder: string, name: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(resolve(folder, name));
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "does not exist" : errorMessage(error);
    refuse(`${showHarmlessly(name)} ${showHarmlessly(reason)}.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse(`${showHarmlessly(name)} is not in UTF-8. In a spreadsheet, save it as "CSV UTF-8".`);
  }
}

/** Writes a file that only its owner can read. It is renamed to its final name when it is complete. Follows links. */
export async function writePrivately(link: string, text: string): Promise<void> {
  const path = await Deno.realPath(link).catch(() => link);
  const { isFile } = await Deno.stat(path).catch(() => ({ isFile: true }));
  if (!isFile) throw new Error("it exists and is not a regular file");
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(unfinished, text, { mode: 0o600, createNew: true });
    await Deno.rename(unfinished, path);
  } catch (error) {
    await Deno.remove(unfinished).catch(() => {});
    throw error;
  }
}

/** Writes the result of a command to a file that only its owner can read. */
export async function writeOutput(folder: string, name: string, text: string): Promise<void> {
  await writePrivately(resolve(folder, name), text).catch((error) => {
    throw new CommandError(`${showHarmlessly(name)} cannot be written: ${errorMessage(error)}`);
  });
}
