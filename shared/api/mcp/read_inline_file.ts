import { errors } from "../../infra/errors.ts";
import { decodeBase64 } from "../../libs/base/std/base64.ts";
import type { SentFile } from "../../features/knowledge/read_upload.ts";
import { readOnce } from "../../features/knowledge/split_parts.ts";

/** A file whose content is in the message itself: as text or as base64. */
export type InlineFile = { filename: string; text?: string | null; base64?: string | null };

const encoder = new TextEncoder();

/**
 * Converts an inline file to the form that `uploadFiles` takes.
 *
 * @throws 400 when its content is not valid base64. The other files are not accepted either, because the intended
 * content of this one is unknown.
 */
export function readInlineFile({ filename, text, base64 }: InlineFile): SentFile {
  const bytes = typeof base64 === "string" ? decode(base64) : encoder.encode(text ?? "");
  return { name: filename, read: readOnce(bytes) };

  function decode(encoded: string): Uint8Array<ArrayBuffer> {
    try {
      // Many encoders break lines.
      return decodeBase64(encoded.replaceAll(/\s+/g, ""));
    } catch {
      throw errors.invalidInput(`The base64 of ${JSON.stringify(filename.slice(0, 100))} is not valid`);
    }
  }
}
