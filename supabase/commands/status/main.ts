/** `npm run status`: whether a project works, in ten lines. */
import { readSecretKey } from "../deploy/read_secret_key.ts";
import { createSupabaseCli } from "../deploy/supabase_cli.ts";
import { projectRoot } from "../local/state.ts";
import { runStatus } from "./run_status.ts";

const env = Deno.env.toObject();
Deno.exitCode = await runStatus(Deno.args, {
  env,
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
  readKey: (projectRef) => readSecretKey(createSupabaseCli(projectRoot, env), projectRef),
});
