import * as z from "zod/mini";
import { errors } from "../errors.ts";
import { maxFiles } from "../knowledge/limits.ts";
import { CoachQuery } from "../knowledge/schemas.ts";
import { MessageQuery, ThreadQuery } from "../threads/schemas.ts";

/** An id that over HTTP stands in the path. */
function id(name: string, description: string) {
  return z.string(`${name} is required`).check(
    z.refine((text) => text.trim() !== "", `${name} is required`),
    z.meta({ description, minLength: 1 }),
  );
}

/** Input of `get-user-threads`. */
export const UserThreadsInput = z.object({
  userId: id("userId", "The user whose threads to list"),
  ...ThreadQuery.shape,
});

/** Input of `threads`. */
export const ThreadInput = z.object({
  threadId: id("threadId", "The thread to read: `thread_id` of an answer, or `id` in a list of threads"),
  ...MessageQuery.shape,
});

/** A file whose content is in the message itself. */
const InlineFile = z.object({
  filename: z.string("Every file needs a filename").check(
    z.describe(
      "The name with its extension, which tells the type: PDF, DOCX, TXT, MD, JPG, PNG, GIF, WEBP, MP4, AVI, MOV or WEBM",
    ),
  ),
  text: z.nullish(z.string("text must be a string")).check(z.describe("The content of a text file (TXT, MD)")),
  base64: z.nullish(z.string("base64 must be a string")).check(z.describe("The content of any other file, in base64")),
}, "Every file must be an object").check(
  z.refine(
    ({ text, base64 }) => (typeof text === "string") !== (typeof base64 === "string"),
    "Every file needs its content as text or as base64, one of the two",
  ),
);
export type InlineFile = z.infer<typeof InlineFile>;

/** Input of `upload-knowledge`. */
export const UploadInput = z.object({
  ...CoachQuery.shape,
  files: z.array(InlineFile, {
    error: ({ input }) => input === undefined ? "files is required" : "files must be a list",
  }).check(
    z.minLength(1, "files is required"),
    z.maxLength(maxFiles, errors.tooManyFiles(maxFiles).message),
    z.describe(`The files to add, at most ${maxFiles}`),
  ),
});

/** Input of `delete-knowledge`. */
export const DeleteInput = z.object({
  ...CoachQuery.shape,
  fileId: id("fileId", "The file to delete: `fileId` in the reply to an upload or a search"),
});
