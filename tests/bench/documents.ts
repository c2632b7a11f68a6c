import { join } from "node:path";
import { sha256Hex } from "../../shared/core/auth/digest.ts";
import { chunk } from "../support/chunk.ts";
import type { Environment } from "./environment.ts";

/** A text of a collection to measure retrieval with. */
export type Document = { id: string; text: string };

/**
 * The files of a collection as text, or null if the collection is not there, which is printed with the name of the
 * variable that says where it is.
 */
export async function readCollection<Name extends string>(
  { folder, variable, names }: { folder: string; variable: string; names: Name[] },
): Promise<Record<Name, string> | null> {
  try {
    const entries = await Promise.all(
      names.map(async (name) => [name, await Deno.readTextFile(join(folder, name))] as const),
    );
    return Object.fromEntries(entries) as Record<Name, string>;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.log(`  There is no collection in ${folder}: nothing is measured. ${variable} names another place.`);
    return null;
  }
}

/** The rows of a text with a JSON value on each line. */
export function readLines<Row>(text: string): Row[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Stores each document as a text file of a coach, with one passage. */
export async function storeDocuments(
  { accountId, insert, call }: Environment,
  { coachId, documents }: { coachId: string; documents: Document[] },
): Promise<void> {
  for (const part of chunk([...documents], 200)) {
    const files = await insert(
      "knowledge_files",
      await Promise.all(part.map(async ({ id, text }) => ({
        account_id: accountId,
        coach_id: coachId,
        name: nameOfDocument(id),
        size: text.length + 1,
        content_type: "text/plain",
        category: "documents",
        digest: await sha256Hex(text),
        storage_path: `${coachId}/${id}`,
        // The indexer leaves them alone: there is no object to read.
        status: "ready",
        due_at: null,
      }))),
    );
    for (const [index, { id }] of files.entries()) {
      await call("store_passages", { file_id: id, from_position: 0, passages: [{ content: part[index]!.text }] });
    }
  }
}

/** The name of the file of a document. */
export function nameOfDocument(id: string): string {
  return `${id}.txt`;
}

/** The quality of a ranking down to a depth, each from 0 to 1. */
export type Quality = {
  /** nDCG: Järvelin and Kekäläinen (2002), where a document is right or is not. */
  gain: number;
  /** The share of the right documents that are found, of those that the depth has room for. */
  recall: number;
};

/** Judges the names of the files found, best first, by the IDs of the right documents. */
export function judgeRanking(found: string[], right: Iterable<string>, depth: number): Quality {
  const names = new Set(Array.from(right, nameOfDocument));
  const isHit = found.slice(0, depth).map((name) => names.has(name));
  const most = Math.min(depth, names.size);
  return {
    gain: discountedGain(isHit) / discountedGain(Array(most).fill(true)),
    recall: isHit.filter(Boolean).length / most,
  };
}

function discountedGain(isHit: boolean[]): number {
  return isHit.reduce((sum, hit, place) => hit ? sum + 1 / Math.log2(place + 2) : sum, 0);
}
