import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** Ends a command early: with a sentence for the user, and the exit code. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends a command that was called wrongly. */
export function refuse(sentence: string): never {
  throw new CommandError(sentence, exitCodes.calledWrongly);
}

/** The same, with the place of the help of `npm run <command>`. */
export function refuseCall(command: string, sentence: string): never {
  refuse(`${sentence}\nSee npm run ${command} -- --help.`);
}

/** Reads a command line, as `parseArgs` does, with `--help`. @throws {CommandError} where it is wrong. */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  command: string,
  args: string[],
  options: Options,
  allowPositionals = true,
) {
  const help = { type: "boolean", short: "h" } as const;
  try {
    return parseArgs({ args, allowPositionals, options: { ...options, help } });
  } catch (error) {
    return refuseCall(command, errorMessage(error));
  }
}

/** Runs a program that a CommandError ends with its message and exit code. Other errors are thrown. */
export async function runProgram(program: () => Promise<void>): Promise<void> {
  try {
    await program();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    Deno.exit(error.exitCode);
  }
}

/** Exit codes. Saying no to the question of a command has the code of Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, calledWrongly: 2, declined: 130, interrupted: 130 };

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Replaces secrets in a text by •••, also encoded as in addresses or JSON. Values of fewer than 6 characters stay. */
export function hideSecrets(text: string, secrets: Iterable<string | null | undefined>): string {
  const forms = [...secrets].filter((secret) => secret !== null && secret !== undefined && secret.length >= 6)
    .flatMap((secret) => [secret!, encodeURIComponent(secret!), JSON.stringify(secret).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length);
  return forms.reduce((shown, form) => shown.replaceAll(form, "•••"), text);
}
