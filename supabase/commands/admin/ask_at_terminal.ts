import process from "node:process";
import { createInterface } from "node:readline";

/** Asks a yes-or-no question, on stderr because stdout may be redirected into a file. No answer means no. */
export function askAtTerminal(question: string): Promise<boolean> {
  const readline = createInterface({ input: process.stdin, output: process.stderr });
  let isAnswered = false;
  return new Promise((resolve) => {
    readline.question(`${question} [y/N] `, (answer) => {
      isAnswered = true;
      resolve(/^y(es)?$/i.test(answer.trim()));
      readline.close();
    });
    // Ctrl-C and Ctrl-D leave the line unfinished.
    readline.once("close", () => {
      if (!isAnswered) process.stderr.write("\n");
      resolve(false);
    });
  });
}
