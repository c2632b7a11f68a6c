/** Reads documents as the indexer does, and tells what they say and how long each batch took. */
import { DocumentKind, readPassages, UnreadableDocument } from "../../shared/libs/documents/read_passages.ts";

/** A document as it was read; `error` says why that failed. */
export type DocumentReading = { text: string; milliseconds: number[]; warning?: string; error?: string };

/** No passage repeats more of the one before. */
const longestOverlap = 1_000;

async function readDocument(kind: DocumentKind, bytes: Uint8Array): Promise<DocumentReading> {
  const [texts, milliseconds]: [string[], number[]] = [[], []];
  let [before, headings]: [string, string[]] = ["", []];
  let beganAt = performance.now();
  try {
    for await (const { passages, warning, next } of readPassages(kind, bytes, null)) {
      milliseconds.push(performance.now() - beganAt);
      for (const { content, heading } of passages) {
        const path = heading?.split(" > ") ?? [];
        texts.push(...path.filter((part, i) => part !== headings[i]), withoutOverlap(content, before));
        [before, headings] = [content, path];
      }
      if (next === null) return { text: texts.join("\n"), milliseconds, ...(warning && { warning }) };
      beganAt = performance.now();
    }
    throw new TypeError("A document ended before its last batch");
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { text: "", milliseconds: [performance.now() - beganAt], error: error.message };
  }
}

/** A passage without what it repeats of the one before. */
function withoutOverlap(content: string, before: string): string {
  for (let length = Math.min(longestOverlap, content.length); length > 0; length--) {
    if (before.endsWith(content.slice(0, length))) return content.slice(length);
  }
  return content;
}

Deno.serve(async (request) => {
  const kind = DocumentKind.parse(new URL(request.url).pathname.slice(1));
  return Response.json(await readDocument(kind, new Uint8Array(await request.arrayBuffer())));
});
