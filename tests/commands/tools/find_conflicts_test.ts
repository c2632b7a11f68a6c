import { explainConflicts, readCreated } from "../../../supabase/commands/deploy/database.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { readMigrations } from "../../support/migrated_postgres.ts";

const nothing = { tables: [], functions: [], buckets: [], schemas: [] };

Deno.test("what pending migrations create is read from them", async () => {
  const created = readCreated((await readMigrations()).map(({ sql }) => sql).join("\n"));
  assertEquals([created.buckets.toSorted(), created.schemas], [["knowledge", "pictures"], ["private"]]);
  for (const name of ["public.threads", "private.events", "private.api_keys"]) {
    assertEquals(created.tables.includes(name), true, name);
  }
  assertEquals(created.functions.includes("public.begin_turn"), true);
});

Deno.test("what a project has already is explained with what to do", async (t) => {
  const extension = (name: string, detail: string) => ({ kind: "extension", name, detail });
  const cases: [name: string, found: Parameters<typeof explainConflicts>[0], sentence: RegExp | null][] = [
    [
      "extensions where they belong",
      [extension("vector", "extensions 0.8.0"), extension("pg_trgm", "extensions 1.6")],
      null,
    ],
    [
      "pgvector elsewhere",
      [extension("vector", "public 0.8.0")],
      /pgvector is in the schema public.*alter extension vector set/,
    ],
    ["an old pgvector", [extension("vector", "extensions 0.6.2")], /version 0\.6\.2.*alter extension vector update;/],
    ["a closed bucket of pictures", [{ kind: "bucket", name: "pictures", detail: "private" }], /no picture is shown/],
    ["buckets as they are", [{ kind: "bucket", name: "knowledge", detail: "private" }], null],
    [
      "many names",
      Array.from({ length: 7 }, (_, n) => ({ kind: "table", name: `public.t${n}`, detail: "" })),
      /already has public\.t0, .*public\.t4 and 2 more/,
    ],
  ];
  for (const [name, found, sentence] of cases) {
    await t.step(name, () => {
      const sentences = explainConflicts(found, nothing);
      assertEquals(sentences.length, sentence === null ? 0 : 1, sentences.join("\n"));
      if (sentence !== null) assertMatch(sentences[0]!, sentence);
    });
  }
});
