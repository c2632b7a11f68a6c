/**
 * Empties a file for the lines of a process, and gives what writes them: to the file and, if they are warnings or
 * errors, to the terminal, under the name of the process.
 */
export function openLogFile(path: string, name: string): (line: string) => Promise<void> {
  // Lines of an earlier start are of no use, and some may quote what people wrote.
  Deno.writeTextFileSync(path, "", { mode: 0o600 });
  return async (line) => {
    await Deno.writeTextFile(path, `${line}\n`, { append: true });
    if (/^\{"level":"(?:warn|error)"/.test(line)) console.error(`[${name}] ${line}`);
  };
}
