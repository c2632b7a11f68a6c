import { z } from "zod";
import { type Cell, formatFields, formatTime } from "./format_table.ts";

/** A new key. The database returns its text only this once. */
export const issuedKey = z.object({
  id: z.string(),
  api_key: z.string(),
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
type IssuedKey = z.output<typeof issuedKey>;

/** The note that is printed with a new key. */
export const onlyNow = "Copy the key now: it is shown only once.";

/** Formats a key's three limits; for a publishable key, those of each user. */
export function formatLimits(
  key: Pick<IssuedKey, "requests_per_minute" | "requests_per_hour" | "requests_per_day">,
): string {
  return `${key.requests_per_minute}/${key.requests_per_hour}/${key.requests_per_day}`;
}

/** The pages that a publishable key is for; null for a secret key. */
export function formatOrigins(
  { is_publishable, origins, allows_no_origin }: Pick<IssuedKey, "is_publishable" | "origins" | "allows_no_origin">,
): string | null {
  return is_publishable ? [...origins, ...(allows_no_origin ? ["(none)"] : [])].join(",") : null;
}

/** A new key with all its fields, and more. */
export function formatIssuedKey(key: IssuedKey, more: Record<string, Cell> = {}): string {
  return formatFields({
    key: key.api_key,
    id: key.id,
    name: key.name,
    account: key.account_id,
    scopes: key.scopes.join(","),
    ...(key.coach_ids && { coaches: key.coach_ids.join(",") }),
    ...(key.is_publishable && { origins: formatOrigins(key) }),
    "per min/h/day": formatLimits(key),
    ...(key.is_publishable && {
      "all users": `${key.total_per_minute}/${key.total_per_hour}/${key.total_per_day}`,
      "anonymous": `${key.anonymous_per_minute}/${key.anonymous_per_hour}/${key.anonymous_per_day}`,
      "all anonymous":
        `${key.anonymous_total_per_minute}/${key.anonymous_total_per_hour}/${key.anonymous_total_per_day}`,
    }),
    expires: formatTime(key.expires_at) ?? "never",
    ...more,
  });
}
