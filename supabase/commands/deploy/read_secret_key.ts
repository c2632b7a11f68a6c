import { z } from "zod";
import type { SupabaseCli } from "./supabase_cli.ts";

const list = z.object({
  keys: z.array(z.object({ api_key: z.string().nullish(), type: z.string().nullish(), name: z.string().nullish() })),
});

/** A secret key of a project; null if the access token may not read one, or if there is none. */
export function readSecretKey(cli: SupabaseCli, projectRef: string): Promise<string | null> {
  return readProjectKey(cli, projectRef, { type: "secret", name: "service_role" });
}

/** The publishable key of a project, or its anon key; null as above. */
export function readPublishableKey(cli: SupabaseCli, projectRef: string): Promise<string | null> {
  return readProjectKey(cli, projectRef, { type: "publishable", name: "anon" });
}

async function readProjectKey(
  cli: SupabaseCli,
  projectRef: string,
  wanted: { type: string; name: string },
): Promise<string | null> {
  try {
    const { keys } = await cli(["projects", "api-keys", "--reveal", `--remote=${projectRef}`], list);
    // Of a key that the token may not see, only the beginning is shown.
    const revealed = keys.filter(({ api_key }) => /^(sb_[a-z]+_[\w-]+|eyJ[\w.-]+)$/.test(api_key ?? ""));
    const found = revealed.find(({ type }) => type === wanted.type) ??
      revealed.find(({ name }) => name === wanted.name);
    return found?.api_key ?? null;
  } catch {
    return null;
  }
}
