import { CommandError, exitCodes } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/**
 * Reads a text file of somebody else's program, such as a spreadsheet.
 *
 * @param name as it was typed
 * @throws {CommandError} if it cannot be read, or is not in UTF-8.
 */
export async function readTextFile(path: string, name: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "does not exist" : errorMessage(error);
    throw new CommandError(`${showHarmlessly(name)} ${showHarmlessly(reason)}.`, exitCodes.calledWrongly);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(
      `${showHarmlessly(name)} is not in UTF-8. In a spreadsheet, save it as "CSV UTF-8".`,
      exitCodes.calledWrongly,
    );
  }
}
