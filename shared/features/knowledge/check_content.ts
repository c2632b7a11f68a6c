import type { FileType } from "./file_types.ts";
import type { ReadNext } from "./split_parts.ts";

/** A rejected file. The message is a sentence for the sender. */
export class UnacceptableFile extends Error {
  override name = "UnacceptableFile";
}

const blockBytes = 64 * 1024;

/**
 * Passes a file on as it arrives, in blocks of 64 KB, of which two are in memory. The last block is only passed on when
 * the whole file is known to be acceptable, so the receiver never has all of a rejected file.
 *
 * @throws {UnacceptableFile} when it is empty, too large, or not of its type
 */
export async function* checkContent(read: ReadNext, type: FileType): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const check = await createContentCheck(type);
  let size = 0;
  let fits = true;
  let held: Uint8Array<ArrayBuffer> | null = null;
  for await (const block of gatherBlocks(read)) {
    size += block.length;
    if (size > type.maxBytes) throw new UnacceptableFile(`The file is larger than ${type.maxBytes / 1024 / 1024} MB`);
    // If the content does not fit the type, only the size still matters: being too large is the plainer reason.
    fits &&= await check.add(block);
    if (!fits) continue;
    if (held !== null) yield held;
    held = block;
  }
  if (size === 0) throw new UnacceptableFile("The file is empty");
  if (!fits || !await check.end()) throw new UnacceptableFile(check.describe(type));
  if (held !== null) yield held;
}

/** Collects small pieces into full blocks. */
async function* gatherBlocks(read: ReadNext): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(blockBytes);
  let filled = 0;
  for (let piece = await read(); piece !== null; piece = await read()) {
    for (let rest = piece; rest.length > 0;) {
      const part = rest.subarray(0, blockBytes - filled);
      block.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled < blockBytes) continue;
      yield block;
      block = new Uint8Array(blockBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Advice for the pictures that iPhones take. */
export const heicAdvice =
  "HEIC pictures cannot be read. Save it as JPG, for example by exporting or mailing it from Photos";

function isHeic(type = ""): boolean {
  return /^image\/hei[cf]/.test(type);
}

/** Older formats of Office, and its encrypted files. */
const compoundFile = "application/x-cfb";
/** The library does not look into an archive in the format for large files, as some programs write all of theirs. */
const archive = "application/zip";

/**
 * A content fits a type when it has the type's signature. A type without signature is text: it has no NUL bytes, which
 * files of all other types have, except PDF. UTF-16 has NUL bytes too, and is known by its byte order mark, which that
 * of UTF-32 begins with.
 */
async function createContentCheck({ signatures }: FileType) {
  const finder = await createTypeFinder();
  let mark = "";
  let hasNul = false;
  let isLargeArchive = false;

  function fits(): boolean {
    if (signatures !== null) {
      const isUnknown = !finder.isDone || isLargeArchive && finder.found === archive && signatures.some(isInArchive);
      return isUnknown || signatures.includes(finder.found ?? "");
    }
    // Other signatures are so short that a text may begin with one.
    if (finder.found === "application/pdf") return false;
    return !hasNul || /^(?:255,254(?!,0,0$)|254,255)/.test(mark);
  }

  return {
    /** False when the content certainly does not fit. */
    async add(block: Uint8Array) {
      if (mark === "") {
        mark = block.subarray(0, 4).join();
        isLargeArchive = block.subarray(18, 26).every((byte) => byte === 0xff);
      }
      hasNul ||= signatures === null && block.includes(0);
      await finder.add(block);
      return fits();
    },
    /** Says why the content does not fit. */
    describe({ name, category }: FileType): string {
      if (isHeic(finder.found)) return heicAdvice;
      return finder.found === compoundFile && category === "documents" && signatures !== null
        ? `The content is not that of a ${name} file: it is encrypted, or in the format of an older program. ` +
          `Save it as ${name} without a password`
        : `The content is not that of a ${name} file`;
    },
    /** Ends the content. Returns true if it fits. */
    async end() {
      await finder.end();
      return fits();
    },
  };
}

function isInArchive(signature: string): boolean {
  return signature.includes("openxmlformats");
}

/** Feeds a content to the library `file-type`, only as fast as that takes it. */
async function createTypeFinder() {
  const { fileTypeFromStream } = await import("file-type");
  let takesMore = Promise.withResolvers<void>();
  /** Null once the library has seen enough. */
  let input: ReadableStreamDefaultController<Uint8Array> | null = null;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (input = controller),
    pull: () => takesMore.resolve(),
    cancel: () => void (input = null),
  }, { highWaterMark: 0 });
  const finder = {
    found: undefined as string | undefined,
    isDone: false,
    async add(block: Uint8Array) {
      takesMore = Promise.withResolvers();
      input?.enqueue(block);
      await (input === null ? done : Promise.race([takesMore.promise, done]));
    },
    async end() {
      input?.close();
      await done;
    },
  };
  const done = fileTypeFromStream(stream).catch(() => undefined).then((type) => {
    finder.found = type?.mime;
    finder.isDone = true;
    input = null;
  });
  return finder;
}
