/** `npm run admin`: accounts, coaches, keys, usage and users of a project. */
import process from "node:process";
import { createInterface } from "node:readline";
import { admin } from "./admin.ts";
import { catchInterrupt } from "./catch_interrupt.ts";

const env = Deno.env.toObject();

Deno.exitCode = await admin(Deno.args, {
  env,
  // npm runs its scripts in the project's own folder.
  folder: env.INIT_CWD || Deno.cwd(),
  now: () => new Date(),
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
  confirm: Deno.stdin.isTerminal() ? askAtTerminal : null,
  isTerminal: Deno.stdout.isTerminal(),
  catchInterrupt,
});

/** Asks a yes-or-no question, on stderr because stdout may be redirected into a file. No answer means no. */
function askAtTerminal(question: string): Promise<boolean> {
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
