import * as z from "zod/mini";
import type { Database } from "../db/database.ts";
import { replyObject } from "../db/reply_object.ts";

/** A valid API key, or null. `spent` is null where the request was not counted. */
const AdmitReply = z.nullable(replyObject({
  id: z.string(),
  account_id: z.string(),
  scopes: z.array(z.string()),
  requests_per_minute: z.number(),
  requests_per_hour: z.number(),
  requests_per_day: z.number(),
  spent: z.nullable(replyObject({
    is_allowed: z.boolean(),
    limit: z.number(),
    remaining: z.number(),
    /** Seconds since 1970. */
    reset: z.number(),
    retry_after: z.number(),
  })),
}));
export type ValidKey = NonNullable<z.infer<typeof AdmitReply>>;

const Nothing = z.null();

/** How a request is counted in Postgres. */
export type Counting = {
  /** Against the limits of the key. Otherwise only for its usage. */
  isCounted: boolean;
  /** Whether this request has been counted for the usage before. */
  isRepeated?: boolean;
};

/** The key with this digest, after counting the request; null where no valid key has it. */
export async function admitRequest(
  database: Database,
  keyDigest: string,
  { isCounted, isRepeated }: Counting,
): Promise<ValidKey | null> {
  return await database.call(
    "admit_request",
    { key_digest: keyDigest, is_counted: isCounted, is_repeated: isRepeated },
    AdmitReply,
  );
}

/** Counts a refusal of the limiter for the usage of the key. */
export async function countRefusal(database: Database, keyId: string): Promise<void> {
  await database.call("count_refusal", { api_key_id: keyId }, Nothing);
}
