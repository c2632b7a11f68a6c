-- Threads and messages can be read only through the service. Each of its calls names one account and one user, and
-- returns only what belongs to them.
begin;
select plan(28);

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-0000000000a1', 'owner@example.com'),
  ('00000000-0000-4000-8000-0000000000a2', 'stranger@example.com');
insert into public.accounts (id, name) values
  ('00000000-0000-4000-8000-0000000000b1', 'Account'), ('00000000-0000-4000-8000-0000000000b2', 'Another account');
insert into public.coach_profiles (id, account_id, name, title, instructions) values
  ('coach', '00000000-0000-4000-8000-0000000000b1', 'Ada', 'Coach', 'Teach.'),
  ('another-coach', '00000000-0000-4000-8000-0000000000b2', 'Bob', 'Coach', 'Teach.');

set local role service_role;
create function pg_temp.begin_turn(account_id uuid, thread_id uuid, coach_id text, user_id text) returns json
language sql as $$
  select public.begin_turn(jsonb_build_object('account_id', account_id), user_id, jsonb_build_object(
    'thread_id', thread_id, 'coach_id', coach_id, 'content', 'A secret question', 'title', 'A secret title',
    'request_id', 'request', 'is_signed_in', true, 'run_id', gen_random_uuid()
  ))
$$;
grant execute on function pg_temp.begin_turn to public;
create temp table turn as
select (reply ->> 'thread_id')::uuid as thread_id, (reply ->> 'message_id')::uuid as message_id
from pg_temp.begin_turn('00000000-0000-4000-8000-0000000000b1', null, 'coach', '00000000-0000-4000-8000-0000000000a1') as reply;
grant select on turn to public;

select is(
  (public.list_threads('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', '00000000-0000-4000-8000-0000000000a1') ->> 'count'), '1',
  'the service lists the thread for its owner'
);
select matches(
  public.list_messages('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', thread_id, '00000000-0000-4000-8000-0000000000a1')::text,
  'A secret question', 'the service lists its messages for the owner'
) from turn;
select matches(
  public.list_messages('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', thread_id)::text,
  'A secret question', 'the service lists its messages for the key of the account'
) from turn;

select is(
  (public.list_threads('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', '00000000-0000-4000-8000-0000000000a2') ->> 'count'), '0',
  'a stranger has no threads'
);
select is(
  public.list_messages('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', thread_id, '00000000-0000-4000-8000-0000000000a2')::text,
  null, 'a stranger cannot list the messages'
) from turn;
select is(
  pg_temp.begin_turn('00000000-0000-4000-8000-0000000000b1', thread_id, 'coach', '00000000-0000-4000-8000-0000000000a2') ->> 'error',
  'thread_not_found', 'a stranger cannot continue the thread'
) from turn;
select is(
  public.read_answers(jsonb_build_array(jsonb_build_object(
    'account_id', '00000000-0000-4000-8000-0000000000b1', 'user_id', '00000000-0000-4000-8000-0000000000a2',
    'message_id', message_id, 'after', 0
  )))::text,
  '[null]', 'a stranger cannot follow the answer'
) from turn;
select is(
  public.stop_turn('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', '00000000-0000-4000-8000-0000000000a2', message_id, true) #>> '{}',
  null, 'a stranger cannot stop the answer'
) from turn;

select is(
  (public.list_threads('{"account_id": "00000000-0000-4000-8000-0000000000b2"}', '00000000-0000-4000-8000-0000000000a1') ->> 'count'), '0',
  'the owner has no threads with another account'
);
select is(
  public.list_messages('{"account_id": "00000000-0000-4000-8000-0000000000b2"}', thread_id)::text,
  null, 'the key of another account cannot list the messages'
) from turn;
select is(
  pg_temp.begin_turn('00000000-0000-4000-8000-0000000000b2', thread_id, 'another-coach', '00000000-0000-4000-8000-0000000000a1') ->> 'error',
  'thread_not_found', 'the key of another account cannot continue the thread'
) from turn;
select is(
  public.read_answers(jsonb_build_array(jsonb_build_object(
    'account_id', '00000000-0000-4000-8000-0000000000b2', 'user_id', null, 'message_id', message_id, 'after', 0
  )))::text,
  '[null]', 'the key of another account cannot follow the answer'
) from turn;
select is(
  public.stop_turn('{"account_id": "00000000-0000-4000-8000-0000000000b2"}', null, message_id, true) #>> '{}',
  null, 'the key of another account cannot stop the answer'
) from turn;
select results_eq(
  'select status::text, stop_requested_at from public.messages join pg_temp.turn on message_id = id',
  $$ values ('streaming', null::timestamptz) $$,
  'after these attempts the answer still runs'
);
select is(
  pg_temp.begin_turn('00000000-0000-4000-8000-0000000000b2', null, 'coach', '00000000-0000-4000-8000-0000000000a2') ->> 'error',
  'coach_not_found', 'the key of another account cannot talk to the coach'
);

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
select throws_ok('select from public.threads', '42501', null, 'the owner may not read threads past the service');
select throws_ok('select from public.messages', '42501', null, 'the owner may not read messages past the service');
select throws_ok($$ update public.threads set title = 'Mine' $$, '42501', null, 'the owner may not change a title past the service');
select throws_ok($$ update public.messages set content = 'Mine' $$, '42501', null, 'the owner may not change a message past the service');
select throws_ok('delete from public.threads', '42501', null, 'the owner may not delete a thread past the service');
select throws_ok(
  $$ insert into public.messages (thread_id, role, content) select thread_id, 'assistant', 'Mine' from pg_temp.turn $$,
  '42501', null, 'the owner may not add a message of the coach'
);
select throws_ok(
  $$ select public.list_threads('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', '00000000-0000-4000-8000-0000000000a1') $$,
  '42501', null, 'the owner may not call the functions of the service'
);

set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a2", "role": "authenticated"}';
select throws_ok('select from public.threads', '42501', null, 'a stranger may not read threads');
select throws_ok('select from public.messages', '42501', null, 'a stranger may not read messages');
select throws_ok(
  $$ select public.list_threads('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', '00000000-0000-4000-8000-0000000000a1') $$,
  '42501', null, 'a stranger may not list threads in the name of the owner'
);

set local role anon;
select throws_ok('select from public.threads', '42501', null, 'anon may not read threads');
select throws_ok('select from public.messages', '42501', null, 'anon may not read messages');
select throws_ok(
  'select public.list_messages(null, thread_id) from pg_temp.turn',
  '42501', null, 'anon may not list messages'
);

reset role;
select * from finish();
rollback;
