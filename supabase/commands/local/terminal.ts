/** Prints a line at the terminal. Where that cannot be done, as in a file on a full disk, only the line is lost. */
export function say(line: string): void {
  print(console.log, line);
}

/** The same on standard error. */
export function warn(line: string): void {
  print(console.error, line);
}

function print(write: (line: string) => void, line: string): void {
  try {
    write(line);
  } catch {
    // There is no other place to say it.
  }
}
