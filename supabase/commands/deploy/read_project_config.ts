import { join } from "node:path";
import { z } from "zod";
import { parseToml } from "../std.ts";

const config = z.looseObject({
  functions: z.record(
    z.string(),
    z.object({ enabled: z.boolean().default(true), verify_jwt: z.boolean().default(true), entrypoint: z.string() })
      .partial({ entrypoint: true }),
  ).default({}),
});

/** Reads `supabase/config.toml` of a project; missing settings have the CLI's defaults. */
export async function readProjectConfig(root: string): Promise<z.output<typeof config>> {
  return config.parse(parseToml(await Deno.readTextFile(join(root, "supabase/config.toml"))));
}
