import { ApiError, errors } from "../base/errors.ts";
import type { IncomingRequest } from "../core/context.ts";

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
export async function readBodyText(request: Request, limit: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    // The server holds a body to its stated length. Read in one piece it costs half as much.
    return statedLength(request) <= limit
      ? decoder.decode(await request.bytes())
      : await readPieces(request, limit, decoder);
  } catch (error) {
    throw error instanceof ApiError ? error : errors.invalidJson();
  }
}

async function readPieces({ body }: Request, limit: number, decoder: TextDecoder): Promise<string> {
  // A loop over the body would cancel it past the limit. This leaves the rest, which is drained before the refusal.
  const reader = body?.getReader();
  let [text, size] = ["", 0];
  try {
    while (true) {
      const { value, done } = await reader?.read() ?? { done: true };
      if (done || value === undefined) return text + decoder.decode();
      size += value.length;
      if (size > limit) throw errors.bodyTooLarge(`${limit / 1024} KB`);
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    reader?.releaseLock();
  }
}

/** The length of a body that a request states, and is held to, in bytes; NaN where it may send any number. */
export function statedLength({ headers }: Request): number {
  // Some servers let a request state a length and send its body in chunks, of which they do not count the bytes.
  return headers.has("Transfer-Encoding") ? NaN : Number(headers.get("Content-Length") ?? NaN);
}

/** The longest body, in bytes, that is read of a request before it is admitted. */
const maxLength = 16 * 1024;

/**
 * Reads the body of a request whose key may not have been checked. A short one that is there at once is read, so that the
 * call which does the work can admit the request. For one that is long, or slow to come, the request is admitted first:
 * nobody without a valid key can fill the memory of a worker, or keep it waiting.
 *
 * @throws as `Admission.require` and `read` do
 */
export async function readAdmitted<Body>(
  request: Request,
  { admission, services: { timeouts } }: IncomingRequest,
  read: () => Promise<Body>,
): Promise<Body> {
  if (!(statedLength(request) <= maxLength)) await admission.require();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      // What is refused is not waited for, and may fail later.
      timer = setTimeout(() => admission.require().catch(reject), timeouts.body);
      read().then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
  }
}
