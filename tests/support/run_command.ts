/** The output of a command, and its exit code. */
export type CommandOutput = { code: number; stdout: string; stderr: string };

/** Runs a command to its end, with an empty stdin. */
export async function runCommand(
  command: string,
  args: string[],
  options: Omit<Deno.CommandOptions, "args" | "stdin" | "stdout" | "stderr"> = {},
): Promise<CommandOutput> {
  const { code, stdout, stderr } = await new Deno.Command(command, { ...options, args, stdin: "null" }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}
