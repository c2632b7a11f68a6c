import { findEdgeDeno } from "../../supabase/local/edge_runtime/edge_deno.ts";

/** Prints which Deno runs what. */
export async function printVersions(): Promise<void> {
  const { stdout } = await new Deno.Command(findEdgeDeno(), { args: ["--version"], env: { NO_COLOR: "1" } }).output();
  const [, version] = /^deno (\S+)/.exec(new TextDecoder().decode(stdout))!;
  console.log(
    `Functions run on Deno ${version}, bundled as they are deployed, a process each.`,
  );
  console.log(`The model, the backend and the clients run on Deno ${Deno.version.deno}.`);
}
