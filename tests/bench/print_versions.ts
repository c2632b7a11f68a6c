import { findEdgeDeno } from "../../supabase/platform/edge_runtime/edge_deno.ts";

/** The version of the Deno that functions run on. */
export async function edgeDenoVersion(): Promise<string> {
  const { stdout } = await new Deno.Command(findEdgeDeno(), { args: ["--version"], env: { NO_COLOR: "1" } }).output();
  return /^deno (\S+)/.exec(new TextDecoder().decode(stdout))![1]!;
}

/** Prints which Deno runs what. */
export async function printVersions(): Promise<void> {
  console.log(`Functions run on Deno ${await edgeDenoVersion()}, bundled as they are deployed, a process each.`);
  console.log(`The model, the backend and the clients run on Deno ${Deno.version.deno}.`);
}
