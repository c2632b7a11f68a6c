/** `npm run deploy`: deploys the service to a Supabase project. */
import { delay } from "../../../shared/libs/base/std/async.ts";
import { createModelCatalogue } from "../../../shared/libs/llm/model_catalogue.ts";
import { CommandError, exitCodes } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { writePage } from "../page/write_page.ts";
import { deploy } from "./deploy.ts";
import { makeUpload } from "./deploy_functions.ts";

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    interruption.abort(new CommandError(`Interrupted by ${signal}.`, exitCodes.interrupted));
  });
}

const exitCode = await deploy(Deno.args, {
  root: projectRoot,
  env: Deno.env.toObject(),
  managementApi: "https://api.supabase.com",
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
  confirm: Deno.stdin.isTerminal()
    ? async (question) => /^y$/i.test(await askAtTerminal(`${question} [y/N] `) ?? "")
    : null,
  ask: Deno.stdin.isTerminal() ? askAtTerminal : null,
  // npm runs its scripts in the project's own folder.
  workingFolder: Deno.env.get("INIT_CWD") || Deno.cwd(),
  signal: interruption.signal,
  sleep: (milliseconds, signal) => delay(milliseconds, { signal }),
  makeUpload,
  writePage,
  createModelCatalogue,
});
// After an interruption, the question still waits for a line and would keep the process alive.
Deno.exit(exitCode);

/** Asks for a line; null at the end of the input. Unlike `prompt`, it lets Ctrl-C through. */
async function askAtTerminal(question: string): Promise<string | null> {
  await Deno.stdout.write(new TextEncoder().encode(question));
  const buffer = new Uint8Array(1_024);
  const length = await Deno.stdin.read(buffer);
  return length === null ? null : new TextDecoder().decode(buffer.subarray(0, length)).trim();
}
