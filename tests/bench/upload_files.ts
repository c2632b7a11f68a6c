import { delay } from "../../shared/libs/base/std/async.ts";
import type { Environment } from "./environment.ts";

/** Uploads files of a coach to a `knowledge-handler`. @throws {Error} when one is refused. */
export async function uploadFiles(
  { apiKey }: Environment,
  { url, coachId, files }: { url: string; coachId: string; files: [name: string, content: BlobPart][] },
): Promise<void> {
  const body = new FormData();
  for (const [name, content] of files) body.append("files", new File([content], name));
  const headers = { "X-API-Key": apiKey };
  const response = await fetch(`${url}/knowledge-handler?coachId=${coachId}`, { method: "POST", headers, body });
  const reply = await response.json();
  if (reply.totalUploaded !== files.length) {
    throw new Error(`The upload said ${response.status} ${JSON.stringify(reply)}`);
  }
}

/** Waits until nothing of a coach is left to be indexed. */
export async function untilIndexed({ backendUrl, backendHeaders }: Environment, coachId: string): Promise<void> {
  const path = `${backendUrl}/rest/v1/knowledge_files?select=id&coach_id=eq.${coachId}&due_at=not.is.null`;
  while ((await (await fetch(path, { headers: backendHeaders })).json()).length > 0) await delay(20);
}
