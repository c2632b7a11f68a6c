import { concat } from "deno-std/bytes/concat.js";
import { ApiError, errors } from "../errors.ts";
import { packChunks } from "./pack_chunks.ts";

/**
 * Reads a request body as JSON, at most `limit` bytes of it.
 *
 * @throws 413 past the limit, 400 when it is not JSON in UTF-8 or breaks off.
 */
export async function readJsonBody(request: Request, limit: number): Promise<unknown> {
  const text = await readBodyText(request, limit);
  try {
    return JSON.parse(text);
  } catch {
    throw errors.invalidJson();
  }
}

/**
 * Reads a request body as text, at most `limit` bytes of it.
 *
 * @throws 413 past the limit, 400 (as for JSON) when it is not UTF-8 or breaks off.
 */
export async function readBodyText({ body }: Request, limit: number): Promise<string> {
  // A loop over the body would cancel it past the limit. This leaves the rest, which is drained before the refusal.
  const reader = body?.getReader();
  async function* readChunks() {
    for (let size = 0;;) {
      const { value, done } = await reader?.read() ?? { done: true };
      if (done || value === undefined) return;
      size += value.length;
      if (size > limit) throw errors.bodyTooLarge(`${limit / 1024} KB`);
      yield value;
    }
  }
  try {
    const bytes = concat(await Array.fromAsync(packChunks(readChunks())));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw error instanceof ApiError ? error : errors.invalidJson();
  } finally {
    reader?.releaseLock();
  }
}
