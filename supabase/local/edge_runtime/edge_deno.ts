import { join } from "deno-std/path/mod.js";
import { projectRoot } from "../state.ts";

const { os, arch } = Deno.build;
const platform = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;

/** The Deno that Supabase's edge runtime embeds, which functions run on; `package.json` names its version. */
export const edgeDeno: string = join(
  projectRoot,
  `node_modules/edge-deno-${platform}`,
  os === "windows" ? "deno.exe" : "deno",
);
