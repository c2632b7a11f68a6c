import { z } from "zod";
import type { SupabaseCli } from "./supabase_cli.ts";

const list = z.object({
  keys: z.array(z.object({ api_key: z.string().nullish(), type: z.string().nullish(), name: z.string().nullish() })),
});

/** A secret key of a project; null if the access token may not read one, or if there is none. */
export async function readSecretKey(cli: SupabaseCli, projectRef: string): Promise<string | null> {
  try {
    const { keys } = await cli(["projects", "api-keys", "--reveal", `--remote=${projectRef}`], list);
    // Of a key that the token may not see, only the beginning is shown.
    const revealed = keys.filter(({ api_key }) => /^(sb_secret_[\w-]+|eyJ[\w.-]+)$/.test(api_key ?? ""));
    const found = revealed.find(({ type }) => type === "secret") ??
      revealed.find(({ name }) => name === "service_role");
    return found?.api_key ?? null;
  } catch {
    return null;
  }
}
