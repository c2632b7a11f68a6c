import { createHash } from "node:crypto";
import { cp } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { type Bundle, describeSource } from "../../../supabase/commands/deploy/bundle_functions.ts";
import { makeUpload } from "../../../supabase/commands/deploy/deploy_functions.ts";
import { madeOnce } from "../../support/made_once.ts";

/** Makes the upload of a project, or copies an earlier one of this run if the source is the same. */
export async function makeUploadOnce(root: string, target: string): Promise<Bundle[]> {
  const made = await madeOnce(`upload-${await digestOf(root)}`, async (folder) => {
    const bundles = await makeUpload(root, folder);
    const moved = bundles.map((bundle) => ({ ...bundle, file: relative(folder, bundle.file) }));
    await Deno.writeTextFile(join(folder, "bundles.json"), JSON.stringify(moved));
  });
  if (made === null) return await makeUpload(root, target);
  await cp(join(made, "supabase"), join(target, "supabase"), { recursive: true });
  const bundles: Bundle[] = JSON.parse(await Deno.readTextFile(join(made, "bundles.json")));
  return bundles.map((bundle) => ({ ...bundle, file: join(target, bundle.file) }));
}

/** Of everything that bundles are made of. */
async function digestOf(root: string): Promise<string> {
  const sources = ["functions", "shared"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).toSorted()
  );
  const hash = createHash("sha256").update(await describeSource(root));
  const settings = ["deno.json", "deno.lock", "package.json", "supabase/config.toml"].map((name) => join(root, name));
  for (const file of [...sources, ...settings]) {
    const digest = createHash("sha256").update(await Deno.readFile(file)).digest("hex");
    hash.update(`${relative(root, file)} ${digest}\n`);
  }
  return hash.digest("hex");
}
