import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { maxFiles } from "../../features/knowledge/limits.ts";
import { coachId } from "../../features/knowledge/fields.ts";
import { readInlineFile } from "./read_inline_file.ts";

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

/**
 * Arguments of `upload-knowledge`, parsed to the input of `uploadFiles`. Contents are decoded after everything else has
 * been checked.
 */
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
