import { z } from "zod";
import { formatFields, formatTime } from "./format_table.ts";

const webhook = z.object({
  account_id: z.string(),
  url: z.string(),
  /** Only set if it is new. */
  secret: z.string().optional(),
  is_active: z.boolean(),
  waiting: z.number(),
  failing_since: z.string().nullable(),
  last_error: z.string().nullable(),
  last_delivered_at: z.string().nullable(),
  created_at: z.string(),
});

/** A webhook as Postgres replies it, a line for each field. */
export function formatWebhook(data: unknown): string {
  const { account_id, is_active, last_delivered_at, failing_since, last_error, created_at, url, secret, waiting } =
    webhook.parse(data);
  return formatFields({
    url,
    secret,
    state: is_active ? failing_since === null ? "active" : "failing" : "switched off by its receiver (410)",
    waiting,
    "last delivered": formatTime(last_delivered_at),
    "failing since": formatTime(failing_since),
    "last error": last_error,
    created: formatTime(created_at),
    account: account_id,
  });
}
