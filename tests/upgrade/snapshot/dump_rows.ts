/** Runs a statement and returns its rows. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** A table of the service, and its columns that are stored. */
export type Table = { name: string; columns: string[] };

/** The columns of `auth.users` that every Supabase project has. */
const userColumns = ["id", "email", "email_confirmed_at", "created_at"];

/** The tables of the service, in alphabetical order. */
export async function listTables(query: Query): Promise<Table[]> {
  const rows = await query(`
    select class.oid::regclass::text as name, array_agg(quote_ident(attname) order by attnum) as columns
    from pg_catalog.pg_class as class
    join pg_catalog.pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    group by class.oid order by relnamespace::regnamespace::text, relname
  `);
  return rows.map(({ name, columns }) => ({ name: qualified(name as string), columns: columns as string[] }));
}

/** The rows of tables as SQL that loads them into a database with the same migrations, and the tables without rows. */
export async function dumpRows(query: Query): Promise<{ sql: string; empty: string[] }> {
  const tables = await listTables(query);
  const parts: string[] = [];
  const empty: string[] = [];
  for (const { name, columns } of [{ name: "auth.users", columns: userColumns }, ...tables]) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(", ");
    const rows = await query(
      `select '(' || array_to_string(array[${values}], ', ') || ')' as row from ${name} order by ctid`,
    );
    if (rows.length === 0) {
      empty.push(name);
      continue;
    }
    parts.push(
      `delete from ${name};\ninsert into ${name} (${columns.join(", ")}) overriding system value values\n` +
        `${rows.map(({ row }) => row).join(",\n")};`,
    );
  }
  const sequences = await query(`
    select format('select pg_catalog.setval(%L, %s, %L);', schemaname || '.' || sequencename, coalesce(last_value, 1),
      last_value is not null) as statement
    from pg_catalog.pg_sequences where schemaname in ('public', 'private') order by schemaname, sequencename
  `);
  parts.push(sequences.map(({ statement }) => statement).join("\n"));
  return { sql: parts.join("\n\n"), empty };
}

/** The rows of tables as text, sorted, in the columns that the tables have in a list. */
export async function readRows(query: Query, tables: Table[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { name, columns } of tables) {
    const fields = columns.map((column) => `${column}::text`).join(", ");
    const rows = await query(`select array[${fields}]::text as row from ${name} order by 1`);
    found.set(name, rows.map(({ row }) => row as string));
  }
  return found;
}

/** Names are shown without the schema where the search path has it. */
function qualified(name: string): string {
  return name.includes(".") ? name : `public.${name}`;
}
