import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import { nameNote } from "./name_note.ts";
import { uploadFiles } from "./upload_files.ts";

/**
 * Adds a note to the knowledge of a coach: a Markdown file named after its first words.
 *
 * @param input.text in Markdown; not blank
 * @throws as `uploadFiles` does
 */
export async function storeNote(
  ctx: RequestContext,
  { coachId, text }: { coachId: string; text: string },
): Promise<{ fileId: string; filename: string }> {
  const bytes = new TextEncoder().encode(text);
  const note = { name: nameNote(text), chunks: [bytes], size: bytes.length };
  const { uploadedFiles: [file], failedFiles: [failure] } = await uploadFiles(ctx, { coachId, files: [note] });
  if (file === undefined) throw errors.invalidInput(failure?.error ?? "The note could not be stored");
  return file;
}
