-- What even the service's own key may not do: rows that contradict each other are refused.
begin;
select plan(24);

insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000a1', 'owner@example.com');
insert into public.accounts (id, name) values
  ('00000000-0000-4000-8000-0000000000b1', 'Account'), ('00000000-0000-4000-8000-0000000000b2', 'Another account');
insert into public.coach_profiles (id, account_id, owner_id, name, title, instructions)
values ('coach', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000a1', 'Ada', 'Coach', 'Teach.');

set local role service_role;
select lives_ok(
  $$ insert into public.threads (id, coach_id, user_id) values ('00000000-0000-4000-8000-0000000000d1', 'coach', 'user') $$,
  'a thread needs a coach and a user'
);
select is(account_id, '00000000-0000-4000-8000-0000000000b1', 'a thread gets the account of its coach')
from public.threads where id = '00000000-0000-4000-8000-0000000000d1';
select throws_ok(
  $$ insert into public.threads (account_id, coach_id, user_id) values ('00000000-0000-4000-8000-0000000000b2', 'coach', 'user') $$,
  '23503', null, 'a thread cannot be of another account than its coach'
);
select throws_ok(
  $$ update public.threads set account_id = '00000000-0000-4000-8000-0000000000b2' $$,
  '23503', null, 'a thread cannot be moved to another account'
);
select throws_ok(
  $$ insert into public.threads (coach_id, user_id) values ('coach', ' ') $$,
  '23514', null, 'a thread cannot have a blank user'
);
select throws_ok(
  $$ insert into public.knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
     values ('00000000-0000-4000-8000-0000000000b2', 'coach', 'a', 1, 'text/plain', 'documents', repeat('0', 64), 'path') $$,
  '23503', null, 'a file cannot be of another account than its coach'
);
select throws_ok(
  $$ insert into public.messages (thread_id, role) values (gen_random_uuid(), 'user') $$,
  '23503', null, 'a message cannot be without a thread'
);
select throws_ok(
  $$ insert into public.messages (thread_id, role, status) values ('00000000-0000-4000-8000-0000000000d1', 'user', 'streaming') $$,
  '23514', null, 'a question cannot be streaming'
);
select throws_ok(
  $$ insert into public.messages (thread_id, role) values ('00000000-0000-4000-8000-0000000000d1', 'expert') $$,
  '23514', null, 'a message cannot have another role'
);
select throws_ok(
  $$ insert into public.messages (thread_id, role, phase) values ('00000000-0000-4000-8000-0000000000d1', 'assistant', 'analysis') $$,
  '23514', null, 'a message cannot have a phase that does not exist'
);
-- PostgREST reads what it writes by json_to_recordset(…) as _ (column type).
select is_empty(
  $$ select attribute.attname from pg_attribute as attribute join pg_type as type on type.oid = attribute.atttypid
     where attribute.attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
       and attribute.attnum > 0 and not has_schema_privilege('service_role', type.typnamespace, 'usage') $$,
  'the service may name the type of each column'
);
select throws_ok('delete from public.coach_profiles', '23503', null, 'a coach with threads cannot be deleted');
select throws_ok('delete from public.accounts', '23503', null, 'an account with coaches cannot be deleted');
select throws_ok($$ update public.coach_profiles set name = ' ' $$, '23514', null, 'a coach cannot be without a name');
select throws_ok($$ update public.coach_profiles set reasoning_effort = 'lowest' $$, '23514', null, 'a coach cannot have an effort that no model knows');
select throws_ok($$ update public.coach_profiles set verbosity = 'xhigh' $$, '23514', null, 'a coach cannot have a verbosity that no model knows');
select throws_ok($$ update public.coach_profiles set max_output_tokens = 15 $$, '23514', null, 'a coach cannot have answers of fewer than 16 tokens');
select throws_ok($$ update public.coach_profiles set language = 'klingon' $$, '22023', null, 'a coach cannot have a language that Postgres cannot index');
select throws_ok(
  $$ select public.issue_api_key('00000000-0000-4000-8000-0000000000b1', 'key', array['everything']) $$,
  '22023', null, 'a key cannot have a scope that does not exist'
);
select throws_ok(
  $$ select public.issue_api_key('00000000-0000-4000-8000-0000000000b1', 'key', requests_per_minute => 0) $$,
  '23514', null, 'a key cannot have a limit of zero'
);
select throws_ok(
  $$ select public.issue_api_key(gen_random_uuid(), 'key') $$,
  'PT404', null, 'a key cannot be without an account'
);
select throws_ok('alter table public.threads disable row level security', '42501', null, 'the service cannot open a table');
-- This grant gets only a warning of Postgres, so the result is checked.
grant select on public.threads to anon;
select ok(not has_table_privilege('anon', 'public.threads', 'select'), 'the service cannot let others in');

reset role;
delete from auth.users where id = '00000000-0000-4000-8000-0000000000a1';
select is(owner_id, null, 'a coach outlives the user who was the coach') from public.coach_profiles where id = 'coach';

select * from finish();
rollback;
