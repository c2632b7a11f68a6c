import { warn } from "./terminal.ts";
import { watchTrouble } from "./trouble.ts";

const trouble = watchTrouble("write the logs");

/**
 * Empties a log file, and gives a function that writes a line of a process to it; warnings and errors are also shown at
 * the terminal, with the name of the process. That function never rejects: where the folder is gone or the disk is full,
 * the lines are lost, which is said once for all files.
 */
export function openLogFile(path: string, name: string): (line: string) => Promise<void> {
  // Lines of an earlier start are not needed, and may quote what people wrote.
  let written = write("", { mode: 0o600 });
  async function write(text: string, options: Deno.WriteFileOptions): Promise<void> {
    try {
      await Deno.writeTextFile(path, text, options);
      // Nothing can always be written, on a full disk too.
      if (text !== "") trouble.worked(path);
    } catch (error) {
      trouble.failed(path, error);
    }
  }
  return (line) => {
    if (/^\{"level":"(?:warn|error)"/.test(line)) warn(`[${name}] ${line}`);
    return written = written.then(() => write(`${line}\n`, { append: true }));
  };
}
