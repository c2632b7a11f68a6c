import type { MultipartPart } from "@remix-run/multipart-parser";
import { errors } from "../errors.ts";
import { packChunks } from "../http/pack_chunks.ts";
import type { ReadFields } from "../http/route.ts";
import { maxBodyBytes, maxBytes, maxFiles, maxPartHeaderBytes } from "./limits.ts";

/** A file as a client sent it. Its name is only shown; nothing but the extension is read from it. */
export type SentFile = { name: string; chunks: Uint8Array<ArrayBuffer>[]; size: number };

/** The files of a request. Nothing is read until the first is asked for. */
export const readUploadFields: ReadFields = (c) => {
  return { files: readUpload(c.req.raw, c.var.ctx.services.timeouts.upload) };
};

/**
 * The files of a multipart body, one after the other: the next is read only after the one before has been processed, so
 * that one at most is in memory. Parts other than files named `files` are skipped.
 *
 * @param timeout milliseconds until the body must have arrived
 * @throws 400 without any file or where the body is malformed; 408 past the time; 413 past the limits.
 */
export async function* readUpload(request: Request, timeout: number): AsyncGenerator<SentFile> {
  const contentType = request.headers.get("Content-Type") ?? "";
  const [, boundary] = /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(contentType) ?? [];
  if (boundary === undefined) throw errors.invalidInput("files is required");
  // RFC 2046, section 5.1.1. A longer one would take the parser more time to look for.
  if (boundary.length > 70) throw errors.malformedUpload();
  if (Number(request.headers.get("Content-Length")) > maxBodyBytes) throw errors.bodyTooLarge("100 MB");

  const { MaxTotalSizeExceededError, MultipartParser } = await import("@remix-run/multipart-parser");
  // One file or name over its limit must not stop the others, so the parser does not check these limits.
  const parser = new MultipartParser(boundary, {
    maxFileSize: maxBodyBytes,
    maxTotalSize: maxBytes,
    maxHeaderSize: maxPartHeaderBytes,
  });
  function parse<Result>(step: () => Result): Result {
    try {
      return step();
    } catch (error) {
      if (error instanceof MaxTotalSizeExceededError) throw errors.bodyTooLarge("100 MB");
      throw errors.malformedUpload();
    }
  }
  function isFinished() {
    try {
      parser.finish();
      return true;
    } catch {
      return false;
    }
  }
  function readParts(chunk: Uint8Array) {
    return [...parser.write(chunk)].map((part) => ({
      ...readNames(part),
      // The parser's type is wider than what it gives.
      chunks: part.content as Uint8Array<ArrayBuffer>[],
      size: part.size,
    }));
  }

  let count = 0;
  for await (const chunk of packChunks(readChunks(request, timeout))) {
    // The line break after the end may come in a separate chunk, which the parser would refuse.
    if (isFinished()) continue;
    for (const { field, ...file } of parse(() => readParts(chunk))) {
      // A form in which no file was chosen sends a part without a name.
      if (field !== "files" || file.name === "") continue;
      if (++count > maxFiles) throw errors.tooManyFiles(maxFiles);
      yield file;
    }
  }
  if (!isFinished()) throw errors.malformedUpload();
  if (count === 0) throw errors.invalidInput("files is required");
}

/** The names of a part's field and file. A name that is not UTF-8 cannot be read: only that file is refused. */
function readNames(part: MultipartPart): { field: string | undefined; name: string } {
  try {
    const name = readFilename(part.headers["content-disposition"] ?? "") ?? part.filename ?? "";
    return { field: part.name, name };
  } catch {
    return { field: "files", name: "\uFFFD" };
  }
}

/** The chunks of a body. Where the caller stops early, others can read the rest. */
async function* readChunks({ body }: Request, timeout: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader?.cancel().catch(() => {});
  }, timeout);
  try {
    for (let size = 0; size <= maxBodyBytes;) {
      const { value, done } = await reader?.read().catch(() => {
        // The client has left.
        throw errors.malformedUpload();
      }) ?? { done: true };
      if (isLate) throw errors.uploadTooSlow();
      if (done || value === undefined) return;
      size += value.length;
      yield value;
    }
    throw errors.bodyTooLarge("100 MB");
  } finally {
    clearTimeout(timer);
    reader?.releaseLock();
  }
}

/**
 * The name in `filename="…"`, or null where it is sent in another form, which the library reads. Browsers and newer
 * curl write a quote as %22 and line breaks as %0D and %0A, older curl a quote as \"; every other backslash is part of
 * the name. Source: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function readFilename(contentDisposition: string): string | null {
  if (/;\s*filename\*=/i.test(contentDisposition)) return null;
  const [, quoted] = /;\s*filename="((?:\\"|[^"])*)"/i.exec(contentDisposition) ?? [];
  return quoted?.replaceAll('\\"', '"').replace(/%(?:22|0A|0D)/gi, decodeURIComponent) ?? null;
}
