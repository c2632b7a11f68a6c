import * as z from "zod/mini";
import type { RequestContext } from "../../core/context.ts";
import { type ArrivedFile, receiveFile } from "../knowledge/upload_files.ts";
import { readOnce } from "../knowledge/split_parts.ts";
import type { WrittenText } from "./fields.ts";

/** Null if the upload was given up as abandoned. */
type Saved = z.infer<typeof WrittenText> | null;

/** Stores a text as a Markdown file. `save` makes it a new file, or the next version of one. @throws as `receiveFile` does. */
export function sendText(
  ctx: RequestContext,
  { coachId, title, content }: { coachId: string; title: string; content: string },
  save: (text: ArrivedFile & { title: string; content: string }) => Promise<Saved>,
): Promise<z.infer<typeof WrittenText>> {
  const name = `${title.replace(/[\\/:*?"<>|\s]+/g, " ").trim() || "Text"}.md`;
  const bytes = new TextEncoder().encode(`# ${title}\n\n${content}`);
  const files = [{ name, read: readOnce(bytes) }];
  return receiveFile(ctx, { coachId, files }, (arrived) => save({ ...arrived, title, content }));
}
