/**
 * Empties a file for the lines of a process, and gives what writes them: to the file and, if they are warnings or
 * errors, to the terminal, under the name of the process. It never rejects.
 */
export function openLogFile(path: string, name: string): (line: string) => Promise<void> {
  // Lines of an earlier start are of no use, and some may quote what people wrote.
  Deno.writeTextFileSync(path, "", { mode: 0o600 });
  let written = Promise.resolve();
  return (line) => {
    if (/^\{"level":"(?:warn|error)"/.test(line)) console.error(`[${name}] ${line}`);
    // One after the other; without its folder or on a full disk, the line is lost and nothing else.
    return written = written.then(() => Deno.writeTextFile(path, `${line}\n`, { append: true })).catch(() => {});
  };
}
