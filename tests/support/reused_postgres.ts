import type { PGlite } from "@electric-sql/pglite";

type Make = () => Promise<PGlite>;

/** Whatever a test can change besides rows: relations, columns, functions, rules, roles and their settings. */
const schema = `
  select md5(string_agg(entry, ' ' order by entry)) as digest from (
    select row('pg_class', oid, relname, relkind, relacl, reloptions, relrowsecurity, relforcerowsecurity)::text
      from pg_class where relpersistence = 'p'
    union all select row('pg_attribute', attrelid, attnum, xmin)::text from pg_attribute
    union all select row('pg_proc', oid, xmin)::text from pg_proc
    union all select row('pg_constraint', oid, xmin)::text from pg_constraint
    union all select row('pg_trigger', oid, xmin)::text from pg_trigger
    union all select row('pg_policy', oid, xmin)::text from pg_policy
    union all select row('pg_namespace', oid, xmin)::text from pg_namespace
    union all select row('pg_extension', oid, xmin)::text from pg_extension
    union all select row('pg_authid', oid, xmin)::text from pg_authid
    union all select row('pg_auth_members', roleid, member, xmin)::text from pg_auth_members
    union all select row('pg_db_role_setting', setdatabase, setrole, xmin)::text from pg_db_role_setting
  ) as object (entry)`;

const listTables = `
  select relation.oid::regclass::text as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class as relation
  where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'`;

/**
 * Gives each caller a database as `make` makes it, but makes one only while all others are in use: when its user closes
 * it, its rows, statistics and settings become what they were. One whose schema or roles were changed is not used again.
 */
export function reusePostgres(make: Make): Make {
  const idle: { postgres: PGlite; open: () => void }[] = [];

  async function makeReusable(): Promise<PGlite> {
    const postgres = await make();
    const end = postgres.close.bind(postgres);
    const rows = async <Row>(sql: string, parameters: unknown[] = []) =>
      (await postgres.query<Row>(sql, parameters)).rows;
    const schemaNow = async () => (await rows<{ digest: string }>(schema))[0]!.digest;
    const tables = await rows<{ name: string; columns: string }>(listTables);
    const seeds: { name: string; columns: string; data: string }[] = [];
    for (const { name, columns } of tables) {
      const [row] = await rows<{ data: string | null }>(`select json_agg(r)::text as data from ${name} as r`);
      if (typeof row?.data === "string") seeds.push({ name, columns, data: row.data });
    }
    const made = await schemaNow();

    async function reset(): Promise<void> {
      await postgres.exec(`
        set session_replication_role = replica;
        truncate ${tables.map(({ name }) => name).join(", ")} restart identity;
        delete from pg_statistic`);
      for (const { name, columns, data } of seeds) {
        await rows(
          `insert into ${name} (${columns}) overriding system value
           select ${columns} from json_populate_recordset(null::${name}, $1::text::json)`,
          [data],
        );
      }
      await postgres.exec("discard all");
    }

    function open() {
      let isOpen = true;
      postgres.close = async () => {
        if (!isOpen) return;
        isOpen = false;
        // A failed statement may have left a transaction open, and a test another role.
        for (const statement of ["rollback", "discard all"]) await postgres.exec(statement);
        if (await schemaNow() !== made) return await end();
        await reset();
        idle.push({ postgres, open });
      };
    }
    open();
    return postgres;
  }

  return async () => {
    const free = idle.pop();
    if (free === undefined) return await makeReusable();
    free.open();
    return free.postgres;
  };
}
