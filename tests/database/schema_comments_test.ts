import { assertEquals } from "../support/assert.ts";
import { createMigratedPostgres, readMigrations } from "../support/migrated_postgres.ts";

Deno.test("the schema is documented", async (t) => {
  const migrations = await readMigrations();
  await using postgres = await createMigratedPostgres();
  const names = async (sql: string) => (await postgres.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  const isOurs = `nspname in ('public', 'private')`;

  await t.step("each function is defined once", () => {
    const defined = migrations.flatMap(({ file, sql }) =>
      [...sql.matchAll(/^create (or replace )?function ([\w.]+)/gim)].map(([, isReplaced, name]) => {
        assertEquals([file, name, isReplaced], [file, name, undefined], "create or replace defines a function twice");
        return name!;
      })
    );
    assertEquals(defined.toSorted(), [...new Set(defined)].toSorted());
  });

  await t.step("no name is that of two functions, one in each schema", async () => {
    const twice = await names(`
      select proname as name from pg_proc as function join pg_namespace as namespace on namespace.oid = function.pronamespace
      where ${isOurs} group by proname having count(distinct nspname) > 1
    `);
    assertEquals(twice, []);
  });

  await t.step("no file drops what an earlier file has created", () => {
    const drops = migrations.flatMap(({ file, sql }) =>
      [...sql.matchAll(/^\s*(drop \w+|alter table \S+ (?:add|drop) .*)/gim)].map(([line]) => `${file}: ${line.trim()}`)
    );
    // What remembers the default privileges while the migrations run.
    assertEquals(drops, ["20261122001500_closed_tables.sql: drop table"]);
  });

  await t.step("no name is longer than the 63 bytes that Postgres keeps of it", () => {
    const cut = migrations.flatMap(({ sql }) =>
      [...sql.matchAll(/policy "([^"]+)"|\b(\w{64,})\b/g)].map(([, policy, name]) => policy ?? name!)
        .filter((name) => new TextEncoder().encode(name).length > 63)
    );
    assertEquals(cut, []);
  });

  await t.step("each file begins with its purpose", () => {
    assertEquals(migrations.filter(({ sql }) => !/^-- [A-Z][^\n]*[:.,]/.test(sql)).map(({ file }) => file), []);
  });

  await t.step("each table and view has a comment", async () => {
    const silent = await names(`
      select class.oid::regclass::text as name from pg_class as class
      join pg_namespace as namespace on namespace.oid = class.relnamespace
      where ${isOurs} and class.relkind in ('r', 'p', 'v', 'm') and obj_description(class.oid, 'pg_class') is null
    `);
    assertEquals(silent, []);
  });

  await t.step("each column has a comment", async () => {
    const silent = await names(`
      select class.oid::regclass || '.' || attribute.attname as name from pg_attribute as attribute
      join pg_class as class on class.oid = attribute.attrelid
      join pg_namespace as namespace on namespace.oid = class.relnamespace
      where ${isOurs} and class.relkind in ('r', 'p', 'v', 'm') and attribute.attnum > 0 and not attribute.attisdropped
        and col_description(class.oid, attribute.attnum) is null
    `);
    assertEquals(silent, []);
  });

  // The dashboard shows those of public; private functions have theirs in the migrations.
  await t.step("each function of public has a comment", async () => {
    const silent = await names(`
      select function.oid::regprocedure::text as name from pg_proc as function
      join pg_namespace as namespace on namespace.oid = function.pronamespace
      where nspname = 'public' and obj_description(function.oid, 'pg_proc') is null
    `);
    assertEquals(silent, []);
  });

  await t.step("each index of a migration says which query it serves", () => {
    const silent = migrations.flatMap(({ sql }) => {
      const lines = sql.split("\n");
      return lines.filter((line, index) => /^create (unique )?index/.test(line) && !lines[index - 1]!.startsWith("--"));
    });
    assertEquals(silent, []);
  });

  // The endpoints in public all do, for the reason that the foundations give.
  await t.step("each private function that acts with the rights of its owner says why", () => {
    const silent = migrations.flatMap(({ sql }) =>
      sql.split(/^(?=create function )/m).flatMap((part, index, parts) => {
        if (
          !part.startsWith("create function private.") || !/security definer/.test(part.slice(0, part.indexOf("$$")))
        ) return [];
        const comment = parts[index - 1]!.split("\n\n").at(-1)!;
        return comment.includes("Definer: ") ? [] : [part.split("(")[0]!];
      })
    );
    assertEquals(silent, []);
  });
});
