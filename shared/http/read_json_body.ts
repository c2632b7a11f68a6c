import { concat } from "deno-std/bytes/concat.js";
import { errors } from "../errors.ts";

/**
 * Reads a request body as JSON, at most `limit` bytes of it. What comes past the limit is read and thrown away before
 * the refusal is sent, up to 100 times the limit: a client that is answered while it still sends sees a broken
 * connection instead of the answer.
 *
 * @throws 413 past the limit, 400 when it is not JSON in UTF-8.
 */
export async function readJsonBody(request: Request, limit: number): Promise<unknown> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else if (size > 100 * limit) break;
    }
  } catch {
    // The client has left in the middle of it.
    throw errors.invalidJson();
  }
  if (size > limit) throw errors.bodyTooLarge(`${limit / 1024} KB`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(concat(chunks)));
  } catch {
    throw errors.invalidJson();
  }
}
