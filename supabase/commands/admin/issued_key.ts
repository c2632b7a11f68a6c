import { z } from "zod";
import { type Cell, formatFields, formatTime } from "./format_table.ts";

const keySettings = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  requests_per_minute: z.number(),
  requests_per_hour: z.number(),
  requests_per_day: z.number(),
  coach_ids: z.array(z.string()).nullable(),
  is_publishable: z.boolean(),
  origins: z.array(z.string()),
  allows_no_origin: z.boolean(),
  allows_mcp: z.boolean(),
  options: z.array(z.string()),
  total_per_minute: z.number().nullable(),
  total_per_hour: z.number().nullable(),
  total_per_day: z.number().nullable(),
  anonymous_per_minute: z.number().nullable(),
  anonymous_per_hour: z.number().nullable(),
  anonymous_per_day: z.number().nullable(),
  anonymous_total_per_minute: z.number().nullable(),
  anonymous_total_per_hour: z.number().nullable(),
  anonymous_total_per_day: z.number().nullable(),
});
type KeySettings = z.output<typeof keySettings>;

/** A new key. The database returns its text only this once. */
export const issuedKey = keySettings.extend({ api_key: z.string() });

/** The note that is printed with a new key. */
export const onlyNow = "Copy the key now: it is shown only once.";

/** The settings of a key, by the names that people read. A publishable key has more of them. */
export function formatKeySettings(key: KeySettings): Record<string, Cell> {
  const perWindow = (kind: "requests" | "total" | "anonymous" | "anonymous_total") =>
    [key[`${kind}_per_minute`], key[`${kind}_per_hour`], key[`${kind}_per_day`]].join("/");
  return {
    id: key.id,
    name: key.name,
    account: key.account_id,
    scopes: key.scopes.join(","),
    coaches: key.coach_ids?.join(","),
    ...(key.options.length > 0 && { options: key.options.join(",") }),
    "per min/h/day": perWindow("requests"),
    ...(key.is_publishable && {
      origins: [...key.origins, ...(key.allows_no_origin ? ["(none)"] : [])].join(","),
      ...(key.allows_mcp && { "AI clients": "yes" }),
      "all users": perWindow("total"),
      "anonymous": perWindow("anonymous"),
      "all anonymous": perWindow("anonymous_total"),
    }),
    expires: formatTime(key.expires_at) ?? "never",
  };
}

/** A new key with all its fields, and more. */
export function formatIssuedKey(
  { api_key, ...key }: z.output<typeof issuedKey>,
  more: Record<string, Cell> = {},
): string {
  return formatFields({ key: api_key, ...formatKeySettings(key), ...more });
}
