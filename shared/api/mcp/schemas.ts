import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { maxFiles } from "../../features/knowledge/limits.ts";
import { coachId } from "../../features/knowledge/fields.ts";
import { decodeBase64 } from "../../libs/base/std/base64.ts";
import type { SentFile } from "../../features/knowledge/read_upload.ts";
import { readOnce } from "../../features/knowledge/split_parts.ts";

/** A file whose content is in the message itself. */
const InlineFile = z.object({
  filename: z.string("Every file needs a filename").check(
    z.describe(
      "The name with its extension, which determines the type: PDF, DOCX, PPTX, XLSX, ODT, EPUB, " +
        "HTML, CSV, TXT, MD, JPG, PNG, GIF, WEBP, MP4, AVI, MOV, WEBM, MP3, M4A, WAV or OGG",
    ),
  ),
  text: z.nullish(z.string("text must be a string")).check(
    z.describe("The content of a text file (TXT, MD, CSV, HTML)"),
  ),
  base64: z.nullish(z.string("base64 must be a string")).check(z.describe("The content of any other file, in base64")),
}, "Every file must be an object").check(
  z.refine(
    ({ text, base64 }) => (typeof text === "string") !== (typeof base64 === "string"),
    "Every file needs either text or base64 as its content",
  ),
);

/** Arguments of `upload-knowledge`, parsed to the input of `uploadFiles`. Contents are decoded after other checks. */
export const UploadArguments = z.pipe(
  z.object({
    coachId,
    replace: z._default(z.boolean("replace must be true or false"), false).check(
      z.describe("True: a file replaces the newest uploaded file of the same name; files with new names are added"),
    ),
    files: z.array(InlineFile, {
      error: ({ input }) => input === undefined ? "files is required" : "files must be a list",
    }).check(
      z.minLength(1, "files is required"),
      z.maxLength(maxFiles, errors.tooManyFiles(maxFiles).message),
      z.describe(`The files to add, at most ${maxFiles}`),
    ),
  }),
  z.transform(({ coachId, replace, files }) => ({
    coachId,
    replace: replace ? "true" as const : "false" as const,
    files: files.map(readInlineFile),
  })),
);

const encoder = new TextEncoder();

/**
 * Converts an inline file to the form that `uploadFiles` takes.
 *
 * @throws 400 when its content is not valid base64. The other files are not accepted either, because the intended
 * content of this one is unknown.
 */
function readInlineFile({ filename, text, base64 }: z.output<typeof InlineFile>): SentFile {
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
