/**
 * Empties a log file, and gives a function that writes a line of a process to it; warnings and errors are also shown at
 * the terminal, with the name of the process. That function never rejects.
 */
export function openLogFile(path: string, name: string): (line: string) => Promise<void> {
  // Lines of an earlier start are not needed, and may quote what people wrote.
  Deno.writeTextFileSync(path, "", { mode: 0o600 });
  let written = Promise.resolve();
  return (line) => {
    if (/^\{"level":"(?:warn|error)"/.test(line)) console.error(`[${name}] ${line}`);
    // In order. If the folder is gone or the disk is full, only the line is lost.
    return written = written.then(() => Deno.writeTextFile(path, `${line}\n`, { append: true })).catch(() => {});
  };
}
