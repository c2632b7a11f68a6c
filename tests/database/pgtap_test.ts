import { join } from "node:path";
import { pgtap } from "@electric-sql/pglite/pgtap";
import { assert, assertEquals } from "../support/assert.ts";
import { becomeProjectOwner, createProjectPostgres, migrate } from "../support/migrated_postgres.ts";
import { readTap } from "../support/read_tap.ts";

const files = [...Deno.readDirSync(import.meta.dirname!)].map(({ name }) => name)
  .filter((name) => name.endsWith(".test.sql")).toSorted();

for (const defaultGrants of ["everything", "nothing"] as const) {
  Deno.test(`what is forbidden to whom, in a project that grants ${defaultGrants} by default`, async (t) => {
    await using postgres = await createProjectPostgres({ defaultGrants, extensions: { pgtap } });
    await becomeProjectOwner(postgres);
    await migrate(postgres);
    const countAccounts = () => postgres.query("select count(*)::integer as accounts from public.accounts");

    for (const file of files) {
      await t.step(file.replace(".test.sql", "").replaceAll("_", " "), async (t) => {
        const sql = await Deno.readTextFile(join(import.meta.dirname!, file));
        const results = await postgres.exec(sql).catch(async (error) => {
          await postgres.exec("rollback");
          // PGlite also sets the exit code of the process after an SQL error; undo that.
          Deno.exitCode = 0;
          throw error;
        });
        const { planned, tests } = readTap(results.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row))));
        for (const { name, isOk, diagnosis } of tests) {
          await t.step(name, () => assert(isOk, diagnosis));
        }
        assert(tests.length > 0, `${file} tests nothing`);
        assertEquals(tests.map(({ number }) => number), Array.from({ length: planned }, (_, index) => index + 1));
        assertEquals((await countAccounts()).rows, [{ accounts: 0 }], `${file} leaves rows behind`);
      });
    }
  });
}
