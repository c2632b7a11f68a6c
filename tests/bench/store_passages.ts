import type { Environment } from "./environment.ts";
import type { ZipfText } from "./zipf_text.ts";

const perFile = 100;
const wordsPerPassage = 180;

/** Gives a coach so many passages, a hundred in a file. */
export async function storePassages(
  { accountId, insert, call }: Environment,
  { coachId, count, text }: { coachId: string; count: number; text: ZipfText },
): Promise<void> {
  for (let stored = 0; stored < count; stored += perFile) {
    const id = crypto.randomUUID();
    await insert("knowledge_files", [{
      id,
      account_id: accountId,
      coach_id: coachId,
      name: `${stored}.txt`,
      size: 1,
      content_type: "text/plain",
      category: "documents",
      digest: id.replaceAll("-", "").repeat(2),
      storage_path: id,
      status: "ready",
      due_at: null,
    }]);
    const passages = Array.from({ length: perFile }, () => ({ content: text.passage(wordsPerPassage) }));
    await call("store_passages", { file_id: id, from_position: 0, passages });
  }
}
