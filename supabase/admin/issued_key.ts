import { z } from "zod";
import { type Cell, formatFields, formatTime } from "./format_table.ts";

/** A new key. The database gives its text only this once. */
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
});

/** The note beside a new key. */
export const onlyNow = "Copy the key now: it is shown only once.";

/** How a key's three limits are shown. */
export function formatLimits(
  key: Pick<z.output<typeof issuedKey>, "requests_per_minute" | "requests_per_hour" | "requests_per_day">,
): string {
  return `${key.requests_per_minute}/${key.requests_per_hour}/${key.requests_per_day}`;
}

/** A new key with all that it has, and more fields. */
export function formatIssuedKey(key: z.output<typeof issuedKey>, more: Record<string, Cell> = {}): string {
  return formatFields({
    key: key.api_key,
    id: key.id,
    name: key.name,
    account: key.account_id,
    scopes: key.scopes.join(","),
    "per min/h/day": formatLimits(key),
    expires: formatTime(key.expires_at) ?? "never",
    ...more,
  });
}
