import * as z from "zod/mini";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../infra/errors.ts";
import { receiveFiles, type StoredObject } from "../knowledge/upload_files.ts";
import { readOnce } from "../knowledge/split_parts.ts";
import type { WrittenText } from "./fields.ts";

/** Null if the upload was given up as abandoned. */
type Saved = z.infer<typeof WrittenText> | null;

/** The upload of a text, as SQL functions take it. */
export type SentText = {
  coach_id: string;
  user_id: string | null;
  upload_id: string;
  sent: StoredObject;
  request_id: string;
};

/** Stores a text as a Markdown file. `save` makes it a new file, or the next version of one. @throws as `receiveFiles` does. */
export async function sendText(
  ctx: RequestContext,
  { coachId, title, content }: { coachId: string; title: string; content: string },
  save: (text: SentText) => Promise<Saved>,
): Promise<z.infer<typeof WrittenText>> {
  const name = `${title.replace(/[\\/:*?"<>|\s]+/g, " ").trim() || "Text"}.md`;
  const bytes = new TextEncoder().encode(`# ${title}\n\n${content}`);
  const files = [{ name, read: readOnce(bytes) }];
  return await receiveFiles(ctx, { coachId, files, readsRejected: false }, (arrived) => {
    const { upload, stored: [sent], failedFiles: [failed] } = arrived;
    if (sent === undefined) throw errors.invalidInput(failed?.error ?? "The text could not be stored");
    return save({ ...upload, sent, request_id: ctx.requestId });
  });
}
