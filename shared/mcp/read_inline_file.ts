import { decodeBase64 } from "deno-std/encoding/base64.js";
import { errors } from "../errors.ts";
import type { SentFile } from "../knowledge/read_upload.ts";
import type { InlineFile } from "./schemas.ts";

const encoder = new TextEncoder();

/**
 * A file as the verb takes it.
 *
 * @throws 400 when its base64 is none: what it was meant to hold was not sent, so that nothing can be said of the file.
 */
export function readInlineFile({ filename, text, base64 }: InlineFile): SentFile {
  const bytes = typeof base64 === "string" ? decode(base64) : encoder.encode(text ?? "");
  return { name: filename, chunks: [bytes], size: bytes.length };

  function decode(encoded: string): Uint8Array<ArrayBuffer> {
    try {
      // Many encoders break lines.
      return decodeBase64(encoded.replaceAll(/\s+/g, ""));
    } catch {
      throw errors.invalidInput(`The base64 of ${JSON.stringify(filename.slice(0, 100))} is not valid`);
    }
  }
}
