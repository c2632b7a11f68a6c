-- Closed tables: what is the same for every table, written once, after all of them. Row-level security is on, and
-- returns no row to the roles of a browser. That would be so without a policy; one that says so serves whoever reads a
-- table in the dashboard, and Supabase's advisors, which ask for one. The service has the tables of public, and none of
-- private. And columns of the same name hold the same, where their table says nothing else.
-- Surprises: a table of a later migration needs its own; tests/database checks that each table has all of it. Those in
-- public are named, since other applications may have tables there.

do $$
declare
  own constant regclass[] := array(
    select relation.oid from pg_catalog.pg_class as relation
    where relation.relkind in ('r', 'v') and (
      relation.relnamespace = 'private'::regnamespace
      or relation.relnamespace = 'public'::regnamespace and relation.relname = any (array[
        'accounts', 'budgets', 'coach_experts', 'coach_profiles', 'coach_versions', 'feedback', 'knowledge_files',
        'knowledge_sources', 'messages', 'model_checks', 'model_prices', 'open_questions', 'passages', 'pinned_answers',
        'source_pages', 'test_cases', 'threads', 'usage_daily', 'recent_errors', 'knowledge_health', 'rated_answers'
      ])
    )
  );
  closed record;
  silent record;
begin
  for closed in
    select relation.oid::regclass as name, case
      when relation.relnamespace = 'private'::regnamespace then null
      -- Triggers alone write versions; passages are written by store_passages().
      when relation.relname = 'coach_versions' then 'select' when relation.relname = 'passages' then 'select, delete'
      else 'select, insert, update, delete' end as rights
    from pg_catalog.pg_class as relation where relation.oid = any (own) and relation.relkind = 'r'
  loop
    execute format('alter table %s enable row level security', closed.name);
    execute format(
      'create policy "Only the service reaches this table" on %s for all to anon, authenticated
        using (false) with check (false)', closed.name
    );
    continue when closed.rights is null;
    execute format('grant %s on %s to service_role', closed.rights, closed.name);
  end loop;

  for silent in
    select attribute.attrelid::regclass as relation, attribute.attname as name, coalesce((
      -- Of a view, and of what is kept of another table: that of the table.
      select col_description(known.attrelid, known.attnum)
      from (values
        ('public.usage_daily', 'private.usage_counts'),
        ('public.rated_answers', 'public.feedback'), ('public.knowledge_health', 'public.knowledge_files'),
        ('private.passage_removals', 'public.passages'),
        ('private.pinned_answer_versions', 'public.pinned_answers'), ('private.phrase_words', 'private.phrases'),
        ('private.phrase_embeddings', 'private.phrases')
      ) as likeness (one, other)
      join pg_catalog.pg_attribute as known on known.attrelid = to_regclass(likeness.other)
      where to_regclass(likeness.one) = attribute.attrelid and known.attname = attribute.attname
    ), usual.comment) as comment
    from pg_catalog.pg_attribute as attribute
    left join (values
      ('id', 'Names the row.'), ('account_id', 'The account that it belongs to.'),
      ('account_name', 'Name of the account.'), ('coach_id', 'The coach that it belongs to.'),
      ('coach_name', 'Name of the coach.'), ('user_id', 'The user, as in threads.'),
      ('thread_id', 'The thread that it belongs to.'), ('file_id', 'The knowledge file that it belongs to.'),
      ('content', 'The text.'), ('request_id', 'X-Request-Id of the request that has led to it: names its log lines.'),
      ('language', 'The language of the mails.'), ('number', 'The order in which rows were added.'),
      ('claim', 'The worker that has it until due_at; null: none has.'), ('due_at', 'When a sweep may take it.'),
      ('attempts', 'How often it was tried, counted before the work.'),
      ('last_error', 'What the last try failed with.'),
      ('created_at', 'When it was made.'), ('updated_at', 'When it last changed.')
    ) as usual (name, comment) on usual.name = attribute.attname
    where attribute.attrelid = any (own) and attribute.attnum > 0 and not attribute.attisdropped
      and col_description(attribute.attrelid, attribute.attnum) is null
  loop
    continue when silent.comment is null;
    execute format('comment on column %s.%I is %L', silent.relation, silent.name, silent.comment);
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
