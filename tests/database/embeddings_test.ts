import { formatVector } from "../../shared/libs/llm/embedder.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres } from "../support/migrated_postgres.ts";

Deno.test("embeddings in the database", async (t) => {
  await using postgres = await createMigratedPostgres();
  const rows = async <Row>(sql: string, parameters: unknown[] = []) =>
    (await postgres.query<Row>(sql, parameters)).rows;
  const value = askForValue(postgres);
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const addCoach = () =>
    value(
      "insert into coach_profiles (account_id, name, title, instructions) values ($1, 'Ada', 'Coach', 'Teach.') returning id",
      [accountId],
    );
  const embeddingOf = (vector: number[], model = "m") => ({ model, vector: formatVector(vector) });
  const query = (vector: number[], model?: string) => JSON.stringify(embeddingOf(vector, model));

  /** Adds a file with the SQL functions that the indexer calls. */
  async function addFile(coachId: string, name: string, passages: unknown[], category = "documents"): Promise<string> {
    const id = crypto.randomUUID();
    await postgres.query(
      `insert into knowledge_files (id, account_id, coach_id, name, size, content_type, category, digest, storage_path)
      values ($1::uuid, $2, $3, $4, 1, 'text/plain', $5, $6, $6)`,
      [id, accountId, coachId, name, category, id.replaceAll("-", "").repeat(2)],
    );
    const { file } = await value("select take_indexing_work()");
    await postgres.query("select save_indexing($1, $2, 0, $3, 'ready', null, null, false)", [
      id,
      file.claim,
      JSON.stringify(passages),
    ]);
    return id;
  }
  const searchPassages = (coachId: string, text: string, vector: string | null, said: string[] | null = null) =>
    rows<{ content: string; score: number }>("select content, score from search_passages($1, $2, 8, $3, $4)", [
      coachId,
      text,
      said,
      vector,
    ]);
  const contents = async (...args: Parameters<typeof searchPassages>) =>
    (await searchPassages(...args)).map(({ content }) => content);

  await t.step("passages are ranked by words and meaning; those found by both come first", async () => {
    const coachId = await addCoach();
    await addFile(coachId, "a.txt", [
      { content: "alpha alpha alpha", embedding: embeddingOf([0, 1]) },
      { content: "alpha and much that follows it here", embedding: embeddingOf([1, 1]) },
      { content: "gamma", embedding: embeddingOf([2, 1]) },
      { content: "delta" },
      { content: "epsilon", embedding: embeddingOf([1, 0], "another model") },
      { content: "zeta", embedding: embeddingOf([-1, 0]) },
    ]);
    const [first, second] = ["alpha and much that follows it here", "alpha alpha alpha"];
    assertEquals(await contents(coachId, "alpha", null), [second, first]);
    const found = await searchPassages(coachId, "alpha", query([1, 0]));
    assertEquals(found.map(({ content, score }) => [content, Number(score.toFixed(4))]), [
      [first, 0.9839],
      [second, 0.5],
      ["gamma", 0.5],
    ]);
    assertEquals(await contents(coachId, "nothing of it", query([1, 0])), ["gamma", first]);
    assertEquals(await contents(coachId, "nothing of it", query([1, 0], "another model")), ["epsilon"]);
    assertEquals(await contents(coachId, "nothing of it", query([1, 0], "unknown model")), []);
  });

  await t.step("for a follow-up of stop words only, the vector does not count", async () => {
    const coachId = await addCoach();
    await addFile(coachId, "a.txt", [
      { content: "The harbour.", embedding: embeddingOf([0, 1]) },
      { content: "The forest.", embedding: embeddingOf([1, 0]) },
    ]);
    assertEquals(await contents(coachId, "and then?", query([1, 0]), ["uTell me of the harbour"]), ["The harbour."]);
    assertEquals(await contents(coachId, "and then?", query([1, 0])), ["The forest."]);
    assertEquals(
      (await contents(coachId, "and trees?", query([1, 0]), ["uTell me of the harbour"])).toSorted(),
      ["The forest.", "The harbour."],
    );
  });

  await t.step("replacing or deleting passages deletes their vectors", async () => {
    const coachId = await addCoach();
    const id = await addFile(coachId, "a.txt", [
      { content: "one", embedding: embeddingOf([1]) },
      { content: "two", embedding: embeddingOf([1]) },
    ]);
    const count = () => value("select count(*)::int from private.passage_embeddings where coach_id = $1", [coachId]);
    assertEquals(await count(), 2);
    await postgres.query("select store_passages($1, 1, $2)", [id, JSON.stringify([{ content: "three" }])]);
    assertEquals(await count(), 1);
    await postgres.query("delete from knowledge_files where id = $1", [id]);
    assertEquals(await count(), 0);
  });

  await t.step("with very many vectors, the index finds the same passages", async () => {
    const coachId = await addCoach();
    const others = await addCoach();
    const passagesOf = (name: string, turn: number) =>
      Array.from({ length: 40 }, (_, index) => {
        const angle = index / 30 + turn;
        return { content: `${name} ${index}`, embedding: embeddingOf([Math.cos(angle), Math.sin(angle)]) };
      });
    await addFile(coachId, "a.txt", passagesOf("text", 0.01));
    await addFile(coachId, "b.png", passagesOf("image", 0.02), "images");
    for (const turn of [0, 0.003, 0.006]) await addFile(others, `${turn}.txt`, passagesOf("other", turn));

    const searches = [
      [coachId, null, 50],
      [coachId, "images", 50],
      [coachId, "videos", 50],
      [others, null, 10],
    ] as const;
    const rank = () =>
      Promise.all(
        searches.map(([coach, category, howMany]) =>
          rows("select * from private.rank_by_meaning($1, $2, $3, $4)", [coach, query([1, 0]), category, howMany])
        ),
      );
    const compared = await rank();
    assertEquals(compared.map((found) => found.length), [50, 40, 0, 10]);

    const definition: string = await value(
      "select pg_get_functiondef('private.rank_by_meaning(text, text, text, integer, boolean)'::regprocedure)",
    );
    const manyAreFew = definition.replace("compared_at_most constant integer := 10000", "$& - 9998");
    assert(manyAreFew !== definition, definition);
    await postgres.exec(manyAreFew);
    assertEquals(await rank(), compared);
  });
});
