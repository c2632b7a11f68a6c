import type { Environment } from "./environment.ts";
import type { ZipfText } from "./zipf_text.ts";

const wordsPerPassage = 180;

/** Stores a file of a coach with that many passages, which the indexer leaves alone, and returns its id. */
export async function storeFile(
  { accountId, insert, call }: Environment,
  { coachId, name, count, text }: { coachId: string; name: string; count: number; text: ZipfText },
): Promise<string> {
  const id = crypto.randomUUID();
  await insert("knowledge_files", [{
    id,
    account_id: accountId,
    coach_id: coachId,
    name,
    size: count * 1_000,
    content_type: "text/plain",
    category: "documents",
    digest: id.replaceAll("-", "").repeat(2),
    storage_path: id,
    status: "ready",
    due_at: null,
  }]);
  const passages = Array.from({ length: count }, () => ({ content: text.passage(wordsPerPassage) }));
  await call("store_passages", { file_id: id, from_position: 0, passages });
  return id;
}
