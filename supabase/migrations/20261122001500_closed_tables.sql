-- Closed tables: row-level security is on for every table, and returns no row to the roles of a browser. That would be
-- so without a policy; one that says so serves whoever reads a table in the dashboard, and Supabase's advisors, which
-- ask for one. Both are the same for every table, so they are written once, after all of them.
-- Surprises: a table of a later migration needs its own; tests/database checks that each table has both. Those in public
-- are named, since other applications may have tables there.

do $$
declare closed regclass;
begin
  for closed in
    select relation.oid from pg_catalog.pg_class as relation
    where relation.relkind = 'r' and (
      relation.relnamespace = 'private'::regnamespace
      or relation.relnamespace = 'public'::regnamespace and relation.relname = any (array[
        'accounts', 'budgets', 'coach_experts', 'coach_profiles', 'coach_versions', 'feedback', 'knowledge_files',
        'knowledge_sources', 'messages', 'model_checks', 'model_prices', 'open_questions', 'passages', 'pinned_answers',
        'source_pages', 'test_cases', 'threads'
      ])
    )
  loop
    execute format('alter table %s enable row level security', closed);
    execute format(
      'create policy "Only the service reaches this table" on %s for all to anon, authenticated using (false) with check (false)',
      closed
    );
  end loop;
end $$;

-- The default privileges that were there before foundations.sql.
do $$
declare had record;
begin
  alter default privileges in schema public revoke execute on functions from service_role;
  for had in select * from private.default_privileges loop
    execute format('alter default privileges %s grant %s on %s to %s', had.scope, had.privilege, had.kind, had.role);
  end loop;
  drop table private.default_privileges;
end $$;
