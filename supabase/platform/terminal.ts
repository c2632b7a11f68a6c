import { createProgressLine } from "./progress_line.ts";

const encoder = new TextEncoder();

/** The line that says what is being done. Whatever else is printed ends it. */
export const progressLine = createProgressLine({
  write: (text) => tryTo(() => Deno.stdout.writeSync(encoder.encode(text))),
  columns() {
    if (!Deno.stdout.isTerminal()) return null;
    // A terminal may not know its size.
    return tryTo(() => Deno.consoleSize().columns) || 80;
  },
});

/** Prints a line at the terminal. Where that cannot be done, as in a file on a full disk, only the line is lost. */
export function say(line: string): void {
  print(console.log, line);
}

/** The same on standard error. */
export function warn(line: string): void {
  print(console.error, line);
}

function print(write: (line: string) => void, line: string): void {
  progressLine.end();
  tryTo(() => write(line));
}

/** Does what may fail where there is no other place to say so. */
function tryTo<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
