import { join } from "node:path";
import { type Document, judgeRanking, type Quality, readCollection, readLines, storeDocuments } from "./documents.ts";
import type { Environment } from "./environment.ts";
import { type Figure, mean } from "./report.ts";

const folder = Deno.env.get("CRANFIELD_DIR") ?? join(import.meta.dirname!, "../../../shared/data/cranfield");
const depth = 10;

/** Quality of the ranking on the Cranfield collection: each document a text file, each question a search. */
export async function measureRanking(environment: Environment): Promise<Figure[]> {
  const names = ["docs.jsonl", "queries.jsonl", "qrels.tsv"] as const;
  const collection = await readCollection({ folder, variable: "CRANFIELD_DIR", names: [...names] });
  const qualities = collection === null ? [] : await rankAll(environment, {
    documents: readLines<Document>(collection["docs.jsonl"]),
    queries: readLines<Document>(collection["queries.jsonl"]),
    relevant: readJudgements(collection["qrels.tsv"]),
  });
  const figure = (name: string, measured: number): Figure => ({
    name: `ranking of Cranfield: ${name}@${depth}`,
    unit: "",
    measured,
  });
  return [
    { ...figure("nDCG", mean(qualities.map(({ gain }) => gain))), budget: { atLeast: 0.39 } },
    figure("recall", mean(qualities.map(({ recall }) => recall))),
  ];
}

/** The documents that answer each question. */
function readJudgements(text: string): Map<string, Set<string>> {
  const relevant = new Map<string, Set<string>>();
  for (const line of text.split(/\r?\n/)) {
    const [query, doc, grade] = line.split("\t");
    // Some copies begin with a row of column names; a grade below 1 means that a document does not answer the query.
    if (query === undefined || doc === undefined || !(Number(grade) > 0)) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(doc));
  }
  return relevant;
}

async function rankAll(
  environment: Environment,
  { documents, queries, relevant }: { documents: Document[]; queries: Document[]; relevant: Map<string, Set<string>> },
): Promise<Quality[]> {
  const coachId = await environment.createCoach("");
  await storeDocuments(environment, { coachId, documents });
  const qualities: Quality[] = [];
  for (const { id, text } of queries) {
    const wanted = relevant.get(id);
    if (wanted === undefined) continue;
    const reply = await environment.call<{ data: { filename: string }[] }>("search_knowledge", {
      caller: { account_id: environment.accountId },
      coach_id: coachId,
      search: text,
      page_size: depth,
    });
    qualities.push(judgeRanking(reply.data.map(({ filename }) => filename), wanted, depth));
  }
  return qualities;
}
