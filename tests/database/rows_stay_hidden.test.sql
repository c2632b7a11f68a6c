-- Row-level security alone hides all rows, also in views, even with all grants in place, as after a careless
-- `grant all`. Each table and view has a row, so that there is something to hide.
begin;
select plan(13);

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-0000000000a1', 'owner@example.com'),
  ('00000000-0000-4000-8000-0000000000a2', 'stranger@example.com');
insert into public.accounts (id, name) values ('00000000-0000-4000-8000-0000000000b1', 'Account');
insert into public.coach_profiles (id, account_id, owner_id, name, title, instructions)
values ('hidden', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000a1', 'Ada', 'Coach', 'Teach.');
select public.set_budget('00000000-0000-4000-8000-0000000000b1', 'tokens', 100000, 'day');
select private.tell_budget(budget, current_date, 'budget.soft') from public.budgets as budget;
select public.begin_turn(
  '{"account_id": "00000000-0000-4000-8000-0000000000b1"}', '00000000-0000-4000-8000-0000000000a1', jsonb_build_object(
    'coach_id', 'hidden', 'content', 'Question', 'title', 'Title', 'request_id', 'request', 'is_signed_in', true,
    'run_id', gen_random_uuid(), 'idempotency_key', 'once', 'fingerprint', 'f'
  )
);
select public.issue_api_key('00000000-0000-4000-8000-0000000000b1', 'key');
select public.set_token_issuer(
  '00000000-0000-4000-8000-0000000000b1', 'acme', 'https://login.example', 'https://login.example/keys', 'app'
);
select public.admit_request(jsonb_build_object('key_digest', digest, 'is_counted', true)) from private.api_keys;
select public.begin_upload('{"account_id": "00000000-0000-4000-8000-0000000000b1"}', 'hidden', null);
insert into public.knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, claim)
values (
  '00000000-0000-4000-8000-0000000000b1', 'hidden', 'a.txt', 1, 'text/plain', 'documents', repeat('0', 64), 'path',
  '00000000-0000-4000-8000-0000000000c1'
);
insert into public.knowledge_sources (id, account_id, coach_id, url, kind, refresh, reason) values (
  '00000000-0000-4000-8000-0000000000e1', '00000000-0000-4000-8000-0000000000b1', 'hidden', 'https://example.com/', 'site',
  'daily', 'It cannot be read'
);
insert into public.source_pages (source_id, url) values ('00000000-0000-4000-8000-0000000000e1', 'https://example.com/a');
insert into private.fetch_lanes (host, place, claim, account_id, due_at)
values ('example.com', 1, gen_random_uuid(), '00000000-0000-4000-8000-0000000000b1', now());
insert into private.object_removals (storage_path) values ('removed');
select private.write_draft(coach, null, '{"title": "Teacher"}', false) from public.coach_profiles as coach;
insert into public.model_prices (model, input_price) values ('owl', 1);
insert into private.response_removals (response_id) values ('removed');
insert into private.unkept_answers (message_id, run_id, due_at) values (gen_random_uuid(), gen_random_uuid(), now());
select private.pin_answer('00000000-0000-4000-8000-0000000000b1', 'hidden',
  array[row('Which words?', 'english', md5('word')::uuid, null, '{which,word}', '{word}', false)::private.normal_question],
  'These.', null, false);
insert into private.phrase_embeddings (phrase_id, coach_id, is_pinned, model, embedding)
select phrase.id, phrase.coach_id, true, 'm', array_fill(0.1, array[1536])::extensions.vector::extensions.halfvec
from private.phrases as phrase;
select private.bar_passages('hidden', array[md5('passage')], null);
select public.import_tests('hidden', '[{"question": "Question?"}]');
select public.run_tests('hidden');
insert into private.thread_words (thread_id, words) select thread.id, 'word' from public.threads as thread;
insert into private.askers (coach_id, at, user_id) values ('hidden', now(), 'somebody');
insert into private.topic_work (coach_id) values ('hidden');
insert into private.topics (id, coach_id) values ('00000000-0000-4000-8000-0000000000f7', 'hidden');
insert into private.topic_threads (thread_id, coach_id, user_id, began_at, words)
select thread.id, 'hidden', thread.user_id, now(), '{}' from public.threads as thread;
insert into private.saved_replies (coach_id, name, content) values ('hidden', 'Thanks', 'Thank you.');
insert into private.thread_facts (thread_id, coach_id, note) select thread.id, thread.coach_id, 'Note' from public.threads as thread;
insert into private.thread_reads (thread_id, coach_id, user_id)
select thread.id, thread.coach_id, expert.user_id from public.threads as thread join public.coach_experts as expert using (coach_id);
insert into private.passage_removals (passage_id, coach_id, length, terms) values (1000, 'hidden', 0, '{}');
update public.messages set status = 'failed', error = 'Out of words' where role = 'assistant';
select private.fold_ledger();
insert into private.ledger (account_id) select account.id from public.accounts as account;
insert into private.webhooks (account_id, url, secret)
select account.id, 'https://example.com/', 'whsec_' || encode(sha256(''), 'base64') from public.accounts as account;
insert into private.coach_invitations (account_id, role, digest) select account.id, 'owner', 'd' from public.accounts as account;
insert into private.mails (kind, account_id, address) select 'invitation', account.id, 'a@example.com' from public.accounts as account;
insert into private.user_addresses (account_id, user_id, address) select account.id, 'somebody', 'a@example.com' from public.accounts as account;
insert into private.address_checks (account_id, user_hash, address_hash) select account.id, 'u', 'a' from public.accounts as account;
insert into private.refused_addresses (account_id, address_hash) select account.id, 'a' from public.accounts as account;
select private.record_event('thread.needs_expert', thread.account_id, thread.coach_id, thread.id) from public.threads as thread;
insert into public.feedback (message_id, rating) select id, 'down' from public.messages where role = 'assistant';
insert into public.open_questions (id, account_id, coach_id, question)
values ('00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000b1', 'hidden', 'Question?');
insert into private.askings (message_id, question_id, thread_id, user_id, reason, asked_at)
select id, '00000000-0000-4000-8000-0000000000d1', thread_id, '00000000-0000-4000-8000-0000000000a1', 'unknown', created_at
from public.messages where role = 'assistant';
insert into private.requests (account_id, coach_id, thread_id, message_id, answer_id)
select thread.account_id, thread.coach_id, thread.id, question.id, answer.id
from public.threads as thread
join public.messages as question on question.thread_id = thread.id and question.role = 'user'
join public.messages as answer on answer.thread_id = thread.id and answer.role = 'assistant';
insert into private.notices (message_id, thread_id, version)
select id, thread_id, 1 from public.messages where role = 'assistant';
insert into public.knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, status)
values (
  '00000000-0000-4000-8000-0000000000b1', 'hidden', 'b.txt', 1, 'text/plain', 'documents', repeat('1', 64), 'empty', 'empty'
);
select public.save_indexing(
  file.id, file.claim, 0,
  jsonb_build_array(jsonb_build_object('content', 'Some words', 'embedding', jsonb_build_object(
    'model', 'm', 'vector', '[' || repeat('0.1,', 1535) || '0.1]'
  ))),
  'ready', bookmark => null, reason => null, takes_next => false
) from public.knowledge_files as file;
insert into private.file_changes (file_id, version, came, went, stayed, counts)
select file.id, 2, '[]', '[]', '[]', '{}' from public.knowledge_files as file;
insert into private.quotes (message_id, file_id, quoted_at)
select id, 'f', now() from public.messages;
insert into private.texts (file_id, title, content, digest)
select file.id, 'a', 'b', file.digest from public.knowledge_files as file;
insert into private.comparisons (file_id) select file.id from public.knowledge_files as file on conflict do nothing;
insert into private.contradictions
  (coach_id, file_id, passage_id, other_file_id, other_passage_id, statements, is_confirmed)
select one.coach_id, one.id, 'a', other.id, 'b', '[]', true
from public.knowledge_files as one join public.knowledge_files as other on other.coach_id = one.coach_id and other.id > one.id;

grant usage on schema private to anon, authenticated;
grant select, insert, update, delete on all tables in schema public, private to anon, authenticated;

-- A table, not a view: with a view, Postgres could run the attempts below before these conditions, on every table.
create temp table tables as
select class.oid::regclass::text as name, class.relkind as kind, (
    select quote_ident(attribute.attname) from pg_attribute as attribute
    where attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
      and attribute.attidentity = '' and attribute.attgenerated = ''
    order by attribute.attnum
    limit 1
  ) as some_column
from pg_class as class
where class.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and class.relkind in ('r', 'p', 'v', 'm', 'f');
grant select on tables to public;

create temp view attempts as
select tables.*, attempt.*
from pg_temp.tables
cross join lateral (values
  ('read', 'select from ' || name),
  ('insert into', format('insert into %s default values', name)),
  ('update', format('update %1$s set %2$s = %2$s', name, some_column)),
  ('delete from', 'delete from ' || name)
) as attempt (act, statement)
-- Views are only read here: writing to most of them fails for any role.
where tables.kind = 'r' or attempt.act = 'read';
grant select on attempts to public;

create temp table outcomes (who text, act text, name text, outcome text);
grant insert on outcomes to public;

-- Returns how many rows a statement found, or the SQLSTATE of its refusal.
create function pg_temp.try(statement text) returns text language plpgsql as $$
declare
  found bigint;
begin
  execute statement;
  get diagnostics found = row_count;
  return found;
exception when others then
  return sqlstate;
end;
$$;
grant execute on function pg_temp.try to public;

insert into outcomes select 'the owner of the tables', act, name, pg_temp.try(statement) from pg_temp.attempts where act = 'read';
select is_empty($$ select name, outcome from outcomes where outcome not similar to '[1-9][0-9]*' $$, 'every table has a row');
delete from outcomes;

set local role anon;
insert into outcomes select 'anon', act, name, pg_temp.try(statement) from pg_temp.attempts;

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
insert into outcomes select 'the owner', act, name, pg_temp.try(statement) from pg_temp.attempts;

set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a2", "role": "authenticated"}';
insert into outcomes select 'a stranger', act, name, pg_temp.try(statement) from pg_temp.attempts;

reset role;
select is_empty(
  format(
    'select name, outcome from outcomes where who = %L and act = %L and outcome <> %L', who, act, '0'
  ),
  format('with every grant, %s would %s no row of any table', who, replace(act, ' from', ''))
)
from outcomes where act <> 'insert into' group by who, act order by who, act;
select is_empty(
  format($$ select name, outcome from outcomes where who = %L and act = 'insert into' and outcome <> '42501' $$, who),
  format('with every grant, %s would insert into no table', who)
)
from outcomes group by who order by who;

select * from finish();
rollback;
