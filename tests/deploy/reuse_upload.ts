import { dirname, join, relative } from "deno-std/path/mod.js";
import type { Bundle } from "../../supabase/deploy/bundle_functions.ts";
import { makeUpload } from "../../supabase/deploy/make_upload.ts";

/** Makes the upload of a project once, and gives copies of it afterwards, for clones without differences. */
export function createReusedUpload() {
  let made: { folder: string; bundles: Bundle[] } | undefined;
  return {
    async makeUpload(root: string, target: string): Promise<Bundle[]> {
      if (made === undefined) {
        const folder = await Deno.makeTempDir({ prefix: "upload-" });
        made = { folder, bundles: await makeUpload(root, folder) };
      }
      const { folder, bundles } = made;
      const copies = bundles.map((bundle) => ({ ...bundle, file: join(target, relative(folder, bundle.file)) }));
      for (const file of [join(target, "supabase/config.toml"), ...copies.map(({ file }) => file)]) {
        await Deno.mkdir(dirname(file), { recursive: true });
        await Deno.copyFile(join(folder, relative(target, file)), file);
      }
      return copies;
    },
    async [Symbol.asyncDispose]() {
      if (made !== undefined) await Deno.remove(made.folder, { recursive: true });
    },
  };
}
