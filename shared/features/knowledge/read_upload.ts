import { errors } from "../../infra/errors.ts";
import type { ReadFields } from "../../http/endpoint.ts";
import { maxBodyBytes, maxFiles } from "./limits.ts";
import { type ReadNext, splitParts } from "./split_parts.ts";

/** A file as a client sends it. */
export type SentFile = {
  /** Only for display, except for its extension. */
  name: string;
  /** True: the name is not UTF-8, and `name` is what is left of it. */
  isGarbled?: boolean;
  /** Reads its content, as it arrives. */
  read: ReadNext;
};

/** The files of a request, in parts of that name. Nothing is read until the first is asked for. */
export function readUploadFields(field: string, limit = maxFiles): ReadFields {
  return (c) => ({ [field]: readUpload(c.req.raw, c.var.incoming.services.timeouts, field, limit) });
}

/**
 * The files of a multipart body, one after the other. Each is read as it arrives, before the next is requested; its
 * unread rest is skipped. Parts other than files named `wanted` are skipped.
 *
 * @param timeouts milliseconds until the body must have arrived, and of waiting until {@link leastBytes} of it have
 * @throws 400 without any file or if the body is malformed; 408 past the time; 413 past the limits.
 */
export async function* readUpload(
  request: Request,
  timeouts: UploadTimeouts,
  wanted = "files",
  limit = maxFiles,
): AsyncGenerator<SentFile> {
  const contentType = request.headers.get("Content-Type") ?? "";
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(contentType)?.[1]?.trim();
  if (boundary === undefined) throw errors.invalidInput(`${wanted} is required`);
  // RFC 2046, section 5.1.1.
  if (boundary.length > 70) throw errors.malformedUpload();
  if (Number(request.headers.get("Content-Length")) > maxBodyBytes) throw errors.bodyTooLarge("100 MB");

  const { ContentDisposition } = await import("@remix-run/headers/content-disposition");
  const body = openBody(request, timeouts);
  try {
    let count = 0;
    for await (const { headers, read } of splitParts(packChunks(body.chunks), boundary)) {
      const { field, name, isGarbled } = readNames(ContentDisposition, headers);
      // A form without a chosen file sends a part without a name.
      if (field !== wanted || name === "") continue;
      if (++count > limit) throw errors.tooManyFiles(limit);
      yield { name, isGarbled, read };
    }
    if (count === 0) throw errors.invalidInput(`${wanted} is required`);
  } finally {
    body.release();
  }
}

/** The bytes of a body that must arrive in a time of waiting: a connection that is slower than any keeps a place of others. */
const leastBytes = 20_000;

type UploadTimeouts = { upload: number; slowUpload: number };

/** The chunks of a body. Once it is released, a waiting read fails, and others can read the rest. */
function openBody({ body }: Request, { upload, slowUpload }: UploadTimeouts) {
  const reader = body?.getReader();
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    reader?.cancel().catch(() => {});
  };
  const timer = setTimeout(giveUp, upload);
  let slowTimer: ReturnType<typeof setTimeout> | undefined;
  return { chunks: readChunks(), release };

  async function* readChunks(): AsyncGenerator<Uint8Array> {
    // Since the last time that enough had arrived. What Storage takes is no waiting for the client.
    let [waited, arrived] = [0, 0];
    for (let size = 0; size <= maxBodyBytes;) {
      const began = performance.now();
      slowTimer = setTimeout(giveUp, slowUpload - waited);
      const { value, done } = await reader?.read().catch(() => {
        // The client has left.
        throw errors.malformedUpload();
      }) ?? { done: true };
      clearTimeout(slowTimer);
      if (isLate) throw errors.uploadTooSlow();
      if (done || value === undefined) return;
      size += value.length;
      [waited, arrived] = [waited + performance.now() - began, arrived + value.length];
      if (arrived >= leastBytes) [waited, arrived] = [0, 0];
      yield value;
    }
    throw errors.bodyTooLarge("100 MB");
  }
  function release() {
    clearTimeout(timer);
    clearTimeout(slowTimer);
    reader?.releaseLock();
  }
}

/** The names of a part's field and file. If a name is not UTF-8, only that file is rejected. */
function readNames(
  ContentDisposition: typeof import("@remix-run/headers/content-disposition").ContentDisposition,
  headers: Uint8Array,
): { field: string | undefined; name: string; isGarbled: boolean } {
  // Libraries for mail break long lines.
  const text = new TextDecoder().decode(headers).replace(/\r\n[ \t]+/g, " ");
  const disposition = /^content-disposition[ \t]*:([^\r\n]*)/im.exec(text)?.[1]?.trim() ?? "";
  const { name: field, preferredFilename = "" } = ContentDisposition.from(disposition);
  return { field, name: readFilename(disposition) ?? preferredFilename, isGarbled: !isUtf8(headers) };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The name in `filename="…"`, or null if it is sent in another form, which the library reads. Browsers and newer curl
 * write a quote as %22 and line breaks as %0D and %0A, older curl a quote as \"; every other backslash is part of the
 * name. Source: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function readFilename(contentDisposition: string): string | null {
  if (/;\s*filename\*=/i.test(contentDisposition)) return null;
  const [, quoted] = /;\s*filename="((?:\\"|[^"])*)"/i.exec(contentDisposition) ?? [];
  return quoted?.replaceAll('\\"', '"').replace(/%(?:22|0A|0D)/gi, decodeURIComponent) ?? null;
}

const blockBytes = 64 * 1024;

/**
 * The same bytes, as views on blocks that are filled one after the other. A chunk of a request body holds on to 64 KB
 * of memory however small it is: what is kept of a body that comes in small pieces would grow to many times its size.
 */
export async function* packChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(blockBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      // Views of a full block may still be in use: it is not written again.
      if (filled === blockBytes) [block, filled] = [new Uint8Array(blockBytes), 0];
      const part = rest.subarray(0, blockBytes - filled);
      block.set(part, filled);
      yield block.subarray(filled, filled += part.length);
      rest = rest.subarray(part.length);
    }
  }
}
