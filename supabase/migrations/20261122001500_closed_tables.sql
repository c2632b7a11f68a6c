-- Closed tables: row-level security is on for every table, and returns no row to the roles of a browser. That would be
-- so without a policy; one that says so serves whoever reads a table in the dashboard, and Supabase's advisors, which
-- ask for one. Both are the same for every table, so they are written once, after all of them.
-- Surprises: a table of a later migration needs its own; tests/database checks that each table has both.

do $$
declare closed regclass;
begin
  for closed in
    select relation.oid from pg_catalog.pg_class as relation
    where relation.relkind = 'r' and relation.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  loop
    execute format('alter table %s enable row level security', closed);
    execute format(
      'create policy "Only the service reaches this table" on %s for all to anon, authenticated using (false) with check (false)',
      closed
    );
  end loop;
end $$;
