import { join } from "node:path";
import { projectRoot } from "../state.ts";

const { os, arch } = Deno.build;
const platform = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;

/**
 * The path of the Deno that Supabase's edge runtime embeds and that functions run on; `package.json` pins its version.
 *
 * @throws {Error} with a sentence for the user if it is not installed.
 */
export function findEdgeDeno(): string {
  const path = join(projectRoot, `node_modules/edge-deno-${platform}`, os === "windows" ? "deno.exe" : "deno");
  try {
    Deno.statSync(path);
    return path;
  } catch {
    throw new Error(
      `The version of Deno that runs the functions is not installed for ${platform}: run npm install without --omit=optional.`,
    );
  }
}
