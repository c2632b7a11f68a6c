import { Buffer } from "node:buffer";
import { formatVector } from "../../shared/libs/llm/embedder.ts";
import type { Environment } from "./environment.ts";
import type { NativePostgres } from "./native_postgres.ts";
import { type Figure, percentile } from "./report.ts";
import { createTopicVectors, toBinary } from "./topic_vectors.ts";

const model = "bench";
const asked = 50;
const compared = 10;
const rowsPerInsert = 200;
const index = "passage_embeddings_by_angle";

/** The coach whose passages are ranked by meaning, and the number of passages per category. */
type Share = { title: string; coachId: string; category?: string };

/**
 * The search with vectors: its duration, and how many of the ten closest passages it finds, even if the relevant
 * passages are a small part of the index. Every passage gets a vector; every eighth counts as that of an image.
 */
export async function measureMeaning(
  { accountId, call }: Environment,
  native: NativePostgres,
  { questions, shares }: { questions: string[]; shares: Share[] },
): Promise<Figure[]> {
  const vectors = createTopicVectors(11);
  const figures: Figure[] = [];
  const [{ definition } = { definition: "" }] = await native.query<{ definition: string }>(
    "select indexdef as definition from pg_indexes where schemaname = 'private' and indexname = $1",
    [index],
  );
  const count = await loadVectors(native, vectors.passage);
  figures.push({
    name: `building the index of ${count.toLocaleString("en")} vectors`,
    unit: "s",
    measured: await build(),
  });

  const asVector = questions.slice(0, asked).map((query) => {
    const vector = vectors.question();
    return { query, vector, query_vector: JSON.stringify({ model, vector: formatVector([...vector]) }) };
  });
  const coach_id = shares[0]!.coachId;
  const kinds = {
    chat: (query: string, query_vector: string) => call("search_passages", { coach_id, query, query_vector }),
    list: (search: string, query_vector: string) =>
      call("search_knowledge", { caller: { account_id: accountId }, coach_id, search, query_vector }),
  };
  for (const [kind, search] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let round = -1; round < 4; round++) {
      for (const { query, query_vector } of asVector) {
        const start = performance.now();
        await search(query, query_vector);
        if (round >= 0) times.push(performance.now() - start);
      }
    }
    const title = `search for the ${kind} by words and meaning`;
    figures.push(
      { name: `${title}: p50`, unit: "ms", measured: percentile(times, 0.5) },
      { name: `${title}: p95`, unit: "ms", measured: percentile(times, 0.95), budget: { atMost: 100 } },
    );
  }
  for (const { title, coachId, category = null } of shares) {
    const times: number[] = [];
    let found = 0;
    for (const { vector, query_vector } of asVector) {
      const exact = await native.query<{ id: number }>(
        // The zero keeps Postgres from using the index.
        `select passage_id as id from private.passage_embeddings
         where coach_id = $1 and category = coalesce($2, category)
         order by (embedding operator(extensions.<=>) $3::extensions.vector::extensions.halfvec) + 0 limit ${compared}`,
        [coachId, category, Buffer.from(toBinary(vector))],
      );
      const start = performance.now();
      const ranked = await native.query<{ id: number }>(
        `select passage_id as id from private.rank_by_meaning($1, $2, $3, 50) where place <= ${compared}`,
        [coachId, query_vector, category],
      );
      times.push(performance.now() - start);
      found += exact.filter(({ id }) => ranked.some((each) => each.id === id)).length;
    }
    figures.push(
      { name: `ranking by meaning, ${title}: p95`, unit: "ms", measured: percentile(times, 0.95) },
      {
        name: `ranking by meaning, ${title}: recall@${compared}`,
        unit: "",
        measured: found / (asked * compared),
        budget: { atLeast: 0.95 },
      },
    );
  }
  return figures;

  /** Without the index, which is built afterwards: 100,000 single inserts into it would take many minutes. */
  async function loadVectors(native: NativePostgres, draw: () => Float32Array): Promise<number> {
    const passages = await native.query<{ id: number; coach_id: string }>(
      "select id, coach_id from passages order by id",
    );
    await native.query(`drop index private.${index}`);
    for (let start = 0; start < passages.length; start += rowsPerInsert) {
      const part = passages.slice(start, start + rowsPerInsert);
      const rows = part.map((_, row) => {
        const category = (start + row) % 8 === 0 ? "images" : "documents";
        const [id, coach, vector] = [1, 2, 3].map((parameter) => `$${3 * row + parameter}`);
        return `(${id}, ${coach}, '${category}', '${model}', ${vector}::extensions.vector::extensions.halfvec)`;
      });
      await native.query(
        `insert into private.passage_embeddings (passage_id, coach_id, category, model, embedding) values ${rows}`,
        part.flatMap(({ id, coach_id }) => [id, coach_id, Buffer.from(toBinary(draw()))]),
      );
    }
    return passages.length;
  }

  async function build(): Promise<number> {
    const start = performance.now();
    // In memory: where the graph does not fit, building takes many times as long.
    await native.query(`set maintenance_work_mem = '1GB'; ${definition}; reset maintenance_work_mem`);
    const seconds = (performance.now() - start) / 1000;
    await native.query("vacuum analyze private.passage_embeddings");
    return seconds;
  }
}
