import { type FunctionName, parseReply, type ReplySchema } from "./database.ts";

const decoder = new TextDecoder();

/**
 * Why a function that was called for bytes has refused to do its work, `{"error": …}`; null where it has not.
 *
 * @throws {DatabaseError} for a refusal that the schema does not know.
 */
export function readRefusal<Refusal>(
  name: FunctionName,
  reply: Uint8Array,
  schema: ReplySchema<Refusal>,
): Refusal | null {
  // The first bytes tell the kinds of reply apart: the usual one is passed on without being parsed.
  if (decoder.decode(reply.subarray(0, 8)) !== '{"error"') return null;
  return parseReply(name, schema, JSON.parse(decoder.decode(reply)));
}
