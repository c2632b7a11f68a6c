-- No table or view can be reached with a publishable key or as a signed-in user, whatever the project grants by
-- default. A new table or view fails here until someone has decided who may use it.
begin;
select plan(32);

-- A table, not a view: with a view, Postgres could run the attempts below before these conditions, on every table.
create temp table tables as
select class.oid::regclass::text as name, class.oid, namespace.nspname as schema, class.relkind as kind,
  class.relrowsecurity as has_row_security, class.reloptions as options, (
    select quote_ident(attribute.attname) from pg_attribute as attribute
    where attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
      and attribute.attidentity = '' and attribute.attgenerated = ''
    order by attribute.attnum
    limit 1
  ) as some_column
from pg_class as class
join pg_namespace as namespace on namespace.oid = class.relnamespace
where namespace.nspname in ('public', 'private') and class.relkind in ('r', 'p', 'v', 'm', 'f');
grant select on tables to public;

create temp view attempts as
select tables.*, attempt.*
from pg_temp.tables
cross join lateral (values
  ('read', 'select from ' || name),
  ('insert into', format('insert into %s default values', name)),
  ('update', format('update %1$s set %2$s = %2$s', name, some_column)),
  ('delete from', 'delete from ' || name),
  ('empty', 'truncate ' || name)
) as attempt (act, statement)
-- Views are only read here: writing to most of them fails for any role, so their grants are checked instead.
where tables.kind = 'r' or attempt.act = 'read';
grant select on attempts to public;

create temp table outcomes (who text, act text, name text, outcome text);
grant insert on outcomes to public;

create function pg_temp.try(statement text) returns text language plpgsql as $$
begin
  execute statement;
  return 'done';
exception when others then
  return sqlstate;
end;
$$;
grant execute on function pg_temp.try to public;

select set_eq(
  $$ select schema || '.' || (select relname from pg_class where oid = tables.oid) from pg_temp.tables $$,
  array[
    'public.accounts',
    'public.budgets',
    'private.budget_notices',
    'private.budget_reservations',
    'private.budget_uses',
    'public.coach_profiles',
    'public.coach_experts',
    'private.clock',
    'private.coach_invitations',
    'public.coach_versions',
    'private.coach_drafts',
    'private.coach_slugs',
    'public.feedback',
    'public.knowledge_files',
    'public.knowledge_sources',
    'public.source_pages',
    'private.fetch_lanes',
    'public.messages',
    'public.model_checks',
    'public.model_prices',
    'public.open_questions',
    'public.passages',
    'public.pinned_answers',
    'public.test_cases',
    'public.threads',
    'public.knowledge_health',
    'public.rated_answers',
    'public.recent_errors',
    'public.usage_daily',
    'private.acts',
    'private.api_keys',
    'private.askings',
    'private.barred_passages',
    'private.comparisons',
    'private.contradictions',
    'private.events',
    'private.file_changes',
    'private.webhooks',
    'private.mails',
    'private.mail_settings',
    'private.user_addresses',
    'private.address_checks',
    'private.refused_addresses',
    'private.webhook_messages',
    'private.idempotency_keys',
    'private.ledger',
    'private.notices',
    'private.quotes',
    'private.requests',
    'private.object_removals',
    'private.passage_embeddings',
    'private.passage_removals',
    'private.passage_terms',
    'private.passage_totals',
    'private.askers',
    'private.saved_replies',
    'private.thread_facts',
    'private.thread_reads',
    'private.phrase_embeddings',
    'private.phrase_words',
    'private.phrases',
    'private.pinned_answer_hits',
    'private.pinned_answer_versions',
    'private.postings',
    'private.rate_limit_windows',
    'private.response_removals',
    'private.test_results',
    'private.test_runs',
    'private.token_issuers',
    'private.texts',
    'private.thread_words',
    'private.topic_threads',
    'private.topic_work',
    'private.topics',
    'private.unkept_answers',
    'private.uploads',
    'private.usage_counts'
  ],
  'these are all tables and views'
);
select is_empty(
  $$
    select name from pg_temp.tables
    where kind <> 'r' and not (kind = 'v' and options @> array['security_invoker=true'])
  $$,
  'every view has the rights of its reader, or it would bypass row-level security'
);
select is_empty(
  $$ select name from pg_temp.tables where kind = 'v' and obj_description(oid, 'pg_class') is null $$,
  'every view has a comment'
);
select is_empty($$ select name from pg_temp.tables where kind = 'r' and not has_row_security $$, 'every table has row-level security');
select is_empty(
  $$
    select name from pg_temp.tables
    where kind = 'r' and not exists (
      select from pg_policy as policy
      where policy.polrelid = tables.oid and policy.polcmd = '*' and policy.polpermissive
        and policy.polroles @> array['anon'::regrole::oid, 'authenticated'::regrole::oid]
    )
  $$,
  'every table has a policy for anon and signed-in users'
);
select is_empty(
  $$
    select policy.polrelid::regclass, policy.polname from pg_policy as policy
    join pg_temp.tables on tables.oid = policy.polrelid
    where pg_get_expr(policy.polqual, policy.polrelid) is distinct from 'false'
      or pg_get_expr(policy.polwithcheck, policy.polrelid) is distinct from 'false'
  $$,
  'every policy refuses all rows'
);
select is_empty(
  $$ select schemaname, tablename from pg_publication_tables where schemaname in ('public', 'private') $$,
  'no table is published to Realtime'
);
select is_empty(
  $$
    select class.oid::regclass, role, privilege from pg_class as class
    cross join unnest(array['anon', 'authenticated', 'service_role']) as role
    cross join unnest(array['usage', 'select', 'update']) as privilege
    where class.relkind = 'S' and class.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and has_sequence_privilege(role, class.oid, privilege)
  $$,
  'no role may read or advance a sequence'
);
select is_empty(
  $$
    select privilege from unnest(array['insert', 'update', 'truncate']) as privilege
    where has_table_privilege('service_role', 'public.passages', privilege)
  $$,
  'the service may not write passages directly, which would bypass the search index'
);
select set_eq(
  $$
    select name, role, privilege from pg_temp.tables
    cross join unnest(array['anon', 'authenticated', 'service_role']) as role
    cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as privilege
    where kind = 'v' and has_table_privilege(role, oid, privilege)
  $$,
  $$ 
    values ('knowledge_health', 'service_role', 'select'), ('rated_answers', 'service_role', 'select'),
      ('recent_errors', 'service_role', 'select')
  $$,
  'the service may read the views without private data; nothing else is granted on views'
);

set local role anon;
insert into outcomes select 'anon', act, name, pg_temp.try(statement) from pg_temp.attempts;
select throws_ok('create table public.mine ()', '42501', null, 'anon may not make a table in public');
select throws_ok('create table private.mine ()', '42501', null, 'anon may not make a table in private');

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
insert into outcomes select 'a signed-in user', act, name, pg_temp.try(statement) from pg_temp.attempts;
select throws_ok('create table public.mine ()', '42501', null, 'a signed-in user may not make a table in public');
select throws_ok('create table private.mine ()', '42501', null, 'a signed-in user may not make a table in private');

set local role service_role;
insert into outcomes select 'the service', act, name, pg_temp.try(statement) from pg_temp.attempts where schema = 'private';
select throws_ok('create table public.mine ()', '42501', null, 'the service may not make a table in public');
select throws_ok('create table private.mine ()', '42501', null, 'the service may not make a table in private');
select is_empty(
  $$
    select name, privilege from pg_temp.tables
    cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
    where schema = 'public' and kind = 'r' and not has_table_privilege(tables.oid, privilege)
      and not (name = 'passages' and privilege in ('insert', 'update')) and not (name = 'coach_versions' and privilege <> 'select')
  $$,
  'the service may read and write the public tables, passages through a function, and only read versions'
);

reset role;
select is_empty(
  format('select name, outcome from outcomes where who = %L and act = %L and outcome <> %L', who, act, '42501'),
  format('%s may %s no %s', who, act, case who when 'the service' then 'private table' else 'table' end)
)
from outcomes group by who, act order by who, act;
select * from finish();
rollback;
