import * as z from "zod/mini";
import { type FunctionName, parseReply } from "./database.ts";

const decoder = new TextDecoder();

/**
 * Why a function that was called for bytes has refused to do its work, `{"error": …}`; null where it has not.
 *
 * @throws {DatabaseError} for another reason than those named.
 */
export function readRefusal<Reason extends string>(
  name: FunctionName,
  reply: Uint8Array,
  reasons: readonly [Reason, ...Reason[]],
): Reason | null {
  // The first bytes tell the kinds of reply apart: the usual one is passed on without being parsed.
  if (decoder.decode(reply.subarray(0, 8)) !== '{"error"') return null;
  return parseReply(name, z.object({ error: z.enum(reasons) }), JSON.parse(decoder.decode(reply))).error as Reason;
}
