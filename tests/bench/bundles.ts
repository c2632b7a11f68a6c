import { type Bundle, bundleFunctions, bundlePrograms } from "../../supabase/commands/deploy/bundle_functions.ts";
import { projectRoot } from "../../supabase/platform/state.ts";

/** The baselines of functions, and the reader of documents: files in this folder. */
const programs = ["hello", "bare_proxy", "storing_service", "read_document"].map((name) => ({
  name,
  entryPoint: `tests/bench/${name}.ts`,
}));

/**
 * Bundles all functions and these programs into a folder, as `npm run deploy` does.
 *
 * @returns the bundles by their names.
 */
export async function makeBundles(folder: string): Promise<Map<string, Bundle>> {
  return mapOf([
    ...await bundleFunctions(projectRoot, folder),
    ...await bundlePrograms(projectRoot, programs, folder),
  ]);
}

/** Bundles the function `chat` of a copy of the project. */
export async function bundleChat(root: string, folder: string): Promise<Map<string, Bundle>> {
  return mapOf(await bundlePrograms(root, [{ name: "chat", entryPoint: "functions/chat/index.ts" }], folder));
}

function mapOf(bundles: Bundle[]): Map<string, Bundle> {
  return new Map(bundles.map((bundle) => [bundle.name, bundle]));
}
