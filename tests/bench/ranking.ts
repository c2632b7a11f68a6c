import { join } from "node:path";
import { sha256Hex } from "../../shared/core/auth/sha256_hex.ts";
import { chunk } from "../support/chunk.ts";
import type { Environment } from "./environment.ts";
import type { Figure } from "./report.ts";

const folder = Deno.env.get("CRANFIELD_DIR") ?? join(import.meta.dirname!, "../../../shared/data/cranfield");
const depth = 10;

type Document = { id: string; text: string };

/** Quality of the ranking on the Cranfield collection: each document a text file, each question a search. */
export async function measureRanking(environment: Environment): Promise<Figure[]> {
  const read = (name: string) => Deno.readTextFile(join(folder, name));
  const [docs, queries, judgements] = await Promise.all([
    read("docs.jsonl").then(readLines<Document>),
    read("queries.jsonl").then(readLines<Document>),
    read("qrels.tsv"),
  ]).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.log(
      `  The Cranfield collection is not in ${folder}: nothing is measured. CRANFIELD_DIR names another place.`,
    );
    return [[], [], ""] as const;
  });
  const figure = (name: string, measured: number, atLeast?: number): Figure => ({
    name: `ranking of Cranfield: ${name}@${depth}`,
    unit: "",
    measured,
    ...(atLeast === undefined ? {} : { budget: { atLeast } }),
  });
  if (docs.length === 0) return [figure("nDCG", NaN, 0.39), figure("recall", NaN)];

  const relevant = new Map<string, Set<string>>();
  for (const line of judgements.split(/\r?\n/)) {
    const [query, doc, grade] = line.split("\t");
    // Some copies begin with a row of column names; a grade below 1 means that a document does not answer the query.
    if (query === undefined || doc === undefined || !(Number(grade) > 0)) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(doc));
  }

  const coachId = await environment.createCoach("");
  for (const part of chunk([...docs], 200)) {
    const files = await environment.insert(
      "knowledge_files",
      await Promise.all(part.map(async ({ id, text }: Document) => ({
        account_id: environment.accountId,
        coach_id: coachId,
        name: `${id}.txt`,
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
      const passages = [{ content: part[index]!.text }];
      await environment.call("store_passages", { file_id: id, from_position: 0, passages });
    }
  }

  let [gain, recall, judged] = [0, 0, 0];
  for (const { id, text } of queries) {
    const wanted = relevant.get(id);
    if (wanted === undefined) continue;
    const reply = await environment.call<{ data: { filename: string }[] }>("search_knowledge", {
      caller: { account_id: environment.accountId },
      coach_id: coachId,
      search: text,
      page_size: depth,
    });
    const isHit = reply.data.map(({ filename }) => wanted.has(filename.replace(/\.txt$/, "")));
    const ideal = Array(Math.min(depth, wanted.size)).fill(true);
    gain += discountedGain(isHit) / discountedGain(ideal);
    recall += isHit.filter(Boolean).length / wanted.size;
    judged++;
  }
  return [figure("nDCG", gain / judged, 0.39), figure("recall", recall / judged)];
}

function readLines<Row>(text: string): Row[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

function discountedGain(isHit: boolean[]): number {
  return isHit.reduce((sum, hit, place) => hit ? sum + 1 / Math.log2(place + 2) : sum, 0);
}
