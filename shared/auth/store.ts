import { type Database, isNullReply, parseReply } from "../db/database.ts";
import type { ValidKey } from "./valid_key.ts";

const decoder = new TextDecoder();

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
  const reply = await database.callForBytes("admit_request", {
    key_digest: keyDigest,
    is_counted: isCounted,
    is_repeated: isRepeated,
  });
  if (isNullReply(reply)) return null;
  // Only for a valid key: to load zod takes longer than all the rest of a refusal.
  const { ValidKey } = await import("./valid_key.ts");
  return parseReply("admit_request", ValidKey, JSON.parse(decoder.decode(reply)));
}

/** Counts a refusal of the limiter for the usage of the key. */
export async function countRefusal(database: Database, keyId: string): Promise<void> {
  await database.callForBytes("count_refusal", { api_key_id: keyId });
}
