-- The knowledge of a coach can be changed only by the coach's own user or the key of its account, and found only with
-- that key.
begin;
select plan(21);

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-0000000000a1', 'owner@example.com'),
  ('00000000-0000-4000-8000-0000000000a2', 'stranger@example.com');
insert into public.accounts (id, name) values
  ('00000000-0000-4000-8000-0000000000b1', 'Account'), ('00000000-0000-4000-8000-0000000000b2', 'Another account');
insert into public.coach_profiles (id, account_id, owner_id, name, title, instructions)
values ('coach', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000a1', 'Ada', 'Coach', 'Teach.');
insert into public.knowledge_files (id, account_id, coach_id, name, size, content_type, category, digest, storage_path)
values (
  '00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-0000000000b1', 'coach', 'a.txt', 1, 'text/plain',
  'documents', repeat('0', 64), 'account/upload/1'
);

set local role service_role;
create function pg_temp.act_as_coach(user_id text, is_signed_in boolean) returns text language sql as $$
  select public.begin_turn('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', user_id, jsonb_build_object(
    'coach_id', 'coach', 'content', 'Q', 'title', 'T', 'request_id', 'request', 'is_signed_in', is_signed_in,
    'is_expert_action', true, 'run_id', gen_random_uuid()
  )) ->> 'error'
$$;
grant execute on function pg_temp.act_as_coach to public;
select is(pg_temp.act_as_coach('00000000-0000-4000-8000-0000000000a1', true), null, 'the owner may act as the coach');
select is(pg_temp.act_as_coach('00000000-0000-4000-8000-0000000000a2', true), 'not_the_coach', 'a stranger may not act as the coach');
select is(
  pg_temp.act_as_coach('00000000-0000-4000-8000-0000000000a1', false),
  'not_the_coach', 'a caller who names the owner without a token may not act as the coach'
);
select is(
  public.begin_upload('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', 'coach', '00000000-0000-4000-8000-0000000000a2') ->> 'error',
  'not_the_coach', 'a stranger may not upload'
);
select is(
  public.begin_upload('{"account_id": "00000000-0000-4000-8000-0000000000b2"}', 'coach', null) ->> 'error',
  'coach_not_found', 'the key of another account may not upload'
);
select is(
  public.delete_knowledge_file(
    '{"account_id": "00000000-0000-4000-8000-0000000000b1"}', 'coach', '00000000-0000-4000-8000-0000000000a2',
    '00000000-0000-4000-8000-0000000000c1'
  ) ->> 'error',
  'not_the_coach', 'a stranger may not delete a file'
);
select is(
  public.delete_knowledge_file('{"account_id": "00000000-0000-4000-8000-0000000000b2"}', 'coach', null, '00000000-0000-4000-8000-0000000000c1') ->> 'error',
  'coach_not_found', 'the key of another account may not delete a file'
);
select is(
  public.search_knowledge('{"account_id": "00000000-0000-4000-8000-0000000000b2"}', 'coach') ->> 'error',
  'coach_not_found', 'the key of another account finds no files'
);
select matches(
  public.search_knowledge('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', 'coach')::text,
  'a\.txt', 'the key of the account still finds the file'
);

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
select throws_ok('select instructions from public.coach_profiles', '42501', null, 'the owner may not read instructions past the service');
select throws_ok($$ update public.coach_profiles set instructions = 'Mine' $$, '42501', null, 'the owner may not change instructions past the service');
select throws_ok('select from public.knowledge_files', '42501', null, 'the owner may not read files past the service');
select throws_ok('delete from public.knowledge_files', '42501', null, 'the owner may not delete files past the service');
select throws_ok($$ select public.search_passages('coach', 'words', 8) $$, '42501', null, 'the owner may not search passages past the service');

set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a2", "role": "authenticated"}';
select throws_ok('select instructions from public.coach_profiles', '42501', null, 'a stranger may not read instructions');
select throws_ok(
  $$ update public.coach_profiles set owner_id = '00000000-0000-4000-8000-0000000000a2' $$,
  '42501', null, 'a stranger may not become the coach'
);
select throws_ok('select from public.knowledge_files', '42501', null, 'a stranger may not read files');
select throws_ok('select content from public.passages', '42501', null, 'a stranger may not read passages');

set local role anon;
select throws_ok('select instructions from public.coach_profiles', '42501', null, 'anon may not read instructions');
select throws_ok('select from public.knowledge_files', '42501', null, 'anon may not read files');
select throws_ok('select content from public.passages', '42501', null, 'anon may not read passages');

reset role;
select * from finish();
rollback;
