/** `npm run admin`: accounts, coaches, keys, usage and users of a project. */
import process from "node:process";
import { createInterface } from "node:readline";
import { admin } from "./admin.ts";
import type { Interrupt } from "./command.ts";

const env = Deno.env.toObject();

/** CI systems send one or the other. Windows has no SIGTERM. */
const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

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

/** Catches the first Ctrl-C. A second one ends the program. */
function catchInterrupt(): Interrupt {
  const controller = new AbortController();
  const dispose = () => {
    for (const signal of signals) Deno.removeSignalListener(signal, interrupt);
  };
  const interrupt = () => {
    dispose();
    controller.abort();
  };
  for (const signal of signals) Deno.addSignalListener(signal, interrupt);
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}
