import { warn, watchTrouble } from "./terminal.ts";

const trouble = watchTrouble("write the logs");

/**
 * Empties a log file, and returns a function that writes a process's lines to it. Warnings and errors are also shown at
 * the terminal, with the name of the process. The function never rejects: if the folder is gone or the disk is full,
 * lines are lost, and this is reported once for all files.
 */
export function openLogFile(path: string, name: string): (line: string) => Promise<void> {
  // The lines of an earlier start are not needed, and may quote users' messages.
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
