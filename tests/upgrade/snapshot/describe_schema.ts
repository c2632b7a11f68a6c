import type { Query } from "./dump_rows.ts";

/**
 * The schema of the service, one line for each column, index and function that the service calls: what the functions
 * of a release may rely on, in a form that shows the difference between two releases.
 */
export async function describeSchema(query: Query): Promise<string[]> {
  // Names are shown with their schema, whatever the session looks up.
  const [{ path }] = await query("select current_setting('search_path') as path") as [{ path: string }];
  await query("set search_path to pg_catalog");
  const rows = await query(`
    with spaces (oid) as (values ('public'::regnamespace::oid), ('private'::regnamespace::oid))
    select format('column %s.%s.%s %s%s', relnamespace::regnamespace, relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' else '' end) as line
    from pg_catalog.pg_class as class join spaces on spaces.oid = relnamespace
    join pg_catalog.pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'v')
    union all
    select format('function %s.%s(%s) returns %s', pronamespace::regnamespace, proname,
      pg_get_function_arguments(function.oid), pg_get_function_result(function.oid))
    from pg_catalog.pg_proc as function
    where pronamespace = 'public'::regnamespace and not exists (
      select from pg_catalog.pg_depend where objid = function.oid and deptype = 'e'
    )
    union all
    select 'index ' || pg_get_indexdef(indexrelid)
    from pg_catalog.pg_index join pg_catalog.pg_class as class on class.oid = indrelid
    join spaces on spaces.oid = relnamespace
    order by 1
  `);
  await query(`select set_config('search_path', '${path.replaceAll("'", "''")}', false)`);
  return rows.map(({ line }) => line as string);
}
