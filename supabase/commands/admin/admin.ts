import { PostgrestError } from "@supabase/supabase-js";
import { CommandError, errorMessage, exitCodes, hideSecrets } from "../command_error.ts";
import type { Command, CommandContext } from "./command.ts";
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
