import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../infra/errors.ts";
import { readOnce } from "./split_parts.ts";
import { uploadFiles } from "./upload_files.ts";

const maxNameLength = 60;

/** Adds a note to the knowledge of a coach: a file in Markdown, which is not blank. @throws as `uploadFiles` does */
export async function storeNote(
  ctx: RequestContext,
  { coachId, text }: { coachId: string; text: string },
): Promise<{ fileId: string; filename: string }> {
  const note = { name: nameNote(text), read: readOnce(new TextEncoder().encode(text)) };
  const { uploadedFiles: [file], failedFiles: [failure] } = await uploadFiles(ctx, { coachId, files: [note] });
  if (file === undefined) throw errors.invalidInput(failure?.error ?? "The note could not be stored");
  return file;
}

/** The file name of a note: its first words and `.md`, without Markdown and what file systems reject. */
export function nameNote(text: string): string {
  // Far more than the words that are used; cleaning a longer text without words would take seconds.
  const lines = text.trimStart().slice(0, 1_000).toWellFormed().split("\n");
  const [line = ""] = lines.map(clean).filter((line) => line !== "");
  const characters = [...line];
  if (characters.length <= maxNameLength) return `${line || "Note"}.md`;
  const cut = characters.slice(0, maxNameLength + 1).join("");
  const words = cut.slice(0, Math.max(cut.lastIndexOf(" "), 0)) || characters.slice(0, maxNameLength).join("");
  return `${words}.md`;
}

function clean(line: string): string {
  // deno-lint-ignore no-control-regex
  return line.replace(/[\x00-\x1f\x7f\\/:*?"<>|#`_~[\]]+/g, " ").replace(/\s+/g, " ").replace(
    /^[-+.\s]+|[.,;\s]+$/g,
    "",
  );
}
