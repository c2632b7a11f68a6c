/** `npm run deploy`: puts the service into a Supabase project. */
import { delay } from "deno-std/async/delay.js";
import { projectRoot } from "../local/state.ts";
import { deploy } from "./deploy.ts";
import { makeUpload } from "./make_upload.ts";

Deno.exitCode = await deploy(Deno.args, {
  root: projectRoot,
  env: Deno.env.toObject(),
  managementApi: "https://api.supabase.com",
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
  // It adds [y/N] by itself, and no is what Return means.
  confirm: Deno.stdin.isTerminal() ? (question) => confirm(question) : null,
  sleep: delay,
  makeUpload,
});
