import process from "node:process";
import { createInterface } from "node:readline";
import { PostgrestError } from "@supabase/supabase-js";
import { CommandError, errorMessage, exitCodes, hideSecrets } from "../command_error.ts";
import type { Command, CommandContext, Interrupt } from "./command.ts";
import { openProject, readProjectSettings } from "./open_project.ts";
import { readCommand } from "./read_command.ts";
import { showHarmlessly, showJson } from "./terminal_text.ts";

/** The environment of a run of `npm run admin`. */
export type AdminOptions = Pick<CommandContext, "folder" | "now" | "confirm" | "isTerminal" | "catchInterrupt"> & {
  env: Record<string, string | undefined>;
  /** Shows the result. */
  say: (text: string) => void;
  /** Shows everything that is not part of the result. */
  complain: (text: string) => void;
};

const usualTimeLimit = 30_000;

/** Runs `npm run admin` with these arguments, and returns the exit code. Never throws. */
export async function admin(args: string[], { env, say, ...options }: AdminOptions): Promise<number> {
  const note = (text: string) => options.complain(hideSecrets(text, [env.SECRET_KEY]));
  let typed: Command["typed"];
  try {
    const call = readCommand(args);
    if ("help" in call) {
      say(call.help);
      return exitCodes.done;
    }
    const { isChange, timeLimit = usualTimeLimit, run } = call.command;
    typed = call.command.typed;
    const { json, text, exitCode = exitCodes.done } = await run(call.input, {
      ...options,
      note,
      project() {
        const project = openProject(readProjectSettings(env), { timeLimit, note });
        if (isChange) note(`Project ${project.url}`);
        return project;
      },
    });
    try {
      if (call.isJson) say(showJson(json));
      else if (text !== "") say(text);
    } catch (error) {
      throw new CommandError(`The command has run, but its result cannot be shown: ${errorMessage(error)}`);
    }
    return exitCode;
  } catch (error) {
    note(describe(error, typed));
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

function describe(error: unknown, typed: Command["typed"] = {}): string {
  if (!(error instanceof PostgrestError)) return errorMessage(error);
  // Postgres calls its arguments by their own names, at the beginning of the sentence.
  const message = error.message.replace(
    /^[a-z_, ]+(?= must |:)/,
    (names) => names.replaceAll(/[a-z_]+/g, (name) => typed[name] ?? name),
  );
  // It may quote stored text.
  return showHarmlessly(message);
}

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

/** CI systems send one or the other. Windows has no SIGTERM. */
const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

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

/** `npm run admin`: accounts, coaches, keys, usage and users of a project. */
if (import.meta.main) {
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
}
