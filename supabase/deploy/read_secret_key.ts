import type { SupabaseCli } from "./supabase_cli.ts";

type Key = { api_key?: string | null; type?: string | null; name?: string };

/** A secret key of a project; null where the access token may not read one, or where there is none. */
export async function readSecretKey(cli: SupabaseCli, projectRef: string): Promise<string | null> {
  try {
    const { json } = await cli(["projects", "api-keys", "--reveal", `--remote=${projectRef}`]);
    // Those that are not revealed are shown in part.
    const keys = (json.keys as Key[]).filter(({ api_key }) => /^(sb_secret_[\w-]+|eyJ[\w.-]+)$/.test(api_key ?? ""));
    const found = keys.find(({ type }) => type === "secret") ?? keys.find(({ name }) => name === "service_role");
    return found?.api_key ?? null;
  } catch {
    return null;
  }
}
