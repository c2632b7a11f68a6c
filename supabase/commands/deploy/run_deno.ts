import { CommandError } from "../command_error.ts";

/** Runs the tools' Deno in a folder, and returns its output. @throws {CommandError} with its error output */
export async function runDeno(
  folder: string,
  [command, ...args]: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [command!, "--quiet", ...args],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new CommandError(`deno ${command} ${args.at(-1)}: ${new TextDecoder().decode(stderr).trim()}`);
}

/** Makes a folder that is removed when it is disposed of. The path has no symbolic links in it. */
export async function createTempFolder() {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "deploy-" }));
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}
