-- Closed tables: row-level security without a policy already returns no row to the roles of a browser. A policy that says
-- so makes it explicit, for whoever reads a table in the dashboard and for Supabase's advisors, which ask for one. It is
-- the same for every table, so it is written once, after all of them.
-- Surprises: a table of a later migration needs its own; tests/database checks that each table has one.

do $$
declare closed regclass;
begin
  for closed in
    select relation.oid from pg_catalog.pg_class as relation
    where relation.relkind = 'r' and relation.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  loop
    execute format(
      'create policy "Only the service reaches this table" on %s for all to anon, authenticated using (false) with check (false)',
      closed
    );
  end loop;
end $$;
