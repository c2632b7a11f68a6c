-- Requests: what people ask the expert in person, and what has become of it.
-- Table: private.requests. A request is about a question of its thread. One that was put to the expert alone has an
-- answer that waits: the expert's reply becomes this answer, and the model never gets it (see is_held). The model goes
-- on answering everything else.
-- A request opens a question with the reason human, and ends with a message of the expert: a message in the thread, the
-- answer to the open question, or a correction that notifies (see takeover and notices).
-- Surprises: the address serves a single request, and is in no reply. Requests are deleted with their question. Locks are
-- taken as everywhere (see turns), requests after their thread, and before questions.

create table private.requests (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  coach_id text not null,
  thread_id uuid not null,
  message_id uuid not null references public.messages (id) on delete cascade,
  answer_id uuid not null references public.messages (id) on delete cascade,
  reply_id uuid references public.messages (id) on delete set null,
  former_reason text,
  asked_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz,
  answered_at timestamptz,
  withdrawn_at timestamptz,
  is_open boolean not null generated always as (answered_at is null and withdrawn_at is null) stored,
  address_id uuid,
  address text,
  language text,
  confirmed_at timestamptz,
  forget_at timestamptz,
  answer_digest text,
  constraint requests_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint requests_are_one_for_a_question unique (message_id),
  constraint requests_address_is_short check (address ~ '^[^[:space:]@]+@[^[:space:]@]+$' and char_length(address) <= 254),
  constraint requests_address_is_whole check (num_nonnulls(address_id, address, language) in (0, 3)),
  constraint requests_language_is_known check (language in ('en', 'de', 'fr', 'es', 'pt', 'ar'))
);
comment on table private.requests is 'What people have asked the expert in person.';
comment on column private.requests.id is 'The id of the API.';
comment on column private.requests.message_id is 'The question.';
comment on column private.requests.answer_id is 'The answer to the question: that of the model, or one that waits for the expert.';
comment on column private.requests.reply_id is 'The message of the expert that has ended it; null: none yet.';
comment on column private.requests.former_reason is 'Why the answer had asked its open question before; null: it had asked none.';
comment on column private.requests.asked_at is 'When the person asked, last time.';
comment on column private.requests.seen_at is 'When an expert first opened it; null: not yet.';
comment on column private.requests.answered_at is 'When the expert answered; null: not yet.';
comment on column private.requests.withdrawn_at is 'When the person took it back; null: never.';
comment on column private.requests.is_open is 'Whether the person waits.';
comment on column private.requests.address_id is 'Names the address in links; a new one with each new address.';
comment on column private.requests.address is 'Where the person wants to be told of the answer; null: nowhere.';
comment on column private.requests.confirmed_at is 'When the address was confirmed; null: not yet, and nothing else is sent to it.';
comment on column private.requests.forget_at is 'When the address and its link are forgotten; null: the person waits.';
comment on column private.requests.answer_digest is 'SHA-256 of the token in the link to the answer, in hex; null: there is none.';

-- The requests of a thread, and those of them that wait.
create index requests_by_thread on private.requests (thread_id, asked_at desc, id desc);
-- Whether an answer waits for the expert alone; deleting an answer.
create index requests_by_answer on private.requests (answer_id);
-- Deleting a reply.
create index requests_by_reply on private.requests (reply_id) where reply_id is not null;
-- How long the answers of a coach take; deleting or moving a coach.
create index requests_by_coach on private.requests (account_id, coach_id, answered_at desc);
-- Which questions of a coach somebody waits for.
create index requests_by_need on private.requests (coach_id) where is_open;
-- The link that confirms an address.
create index requests_by_address on private.requests (address_id) where address_id is not null;
-- The link to an answer.
create unique index requests_by_digest on private.requests (answer_digest) where answer_digest is not null;
-- The sweep forgets addresses.
create index requests_by_end on private.requests (forget_at) where forget_at is not null;

-- Describing

-- A request in the JSON of the API; null for none.
create function private.describe_request(request private.requests) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  if request.id is null then return null; end if;
  return json_build_object(
    'id', request.id, 'thread_id', request.thread_id, 'message_id', request.message_id,
    'question', (select message.content from public.messages as message where message.id = request.message_id),
    'status', case when request.withdrawn_at is not null then 'withdrawn' when request.answered_at is not null then 'answered'
      when request.seen_at is not null then 'seen' else 'waiting' end,
    'asked_at', private.to_wire_time(request.asked_at), 'seen_at', private.to_wire_time(request.seen_at),
    'answered_at', private.to_wire_time(request.answered_at),
    'email', case when request.confirmed_at is not null then 'confirmed' when request.address is not null then 'unconfirmed' end
  );
end $$;

-- The request of a thread that has waited longest; nulls for none.
create function private.find_open_request(thread_id uuid) returns private.requests
language plpgsql stable security invoker set search_path = '' as $$
declare request private.requests;
begin
  select * into request from private.requests as known
  where known.thread_id = find_open_request.thread_id and known.is_open order by known.asked_at, known.id limit 1;
  return request;
end $$;

-- Whether an answer is the expert's alone, so that the model never gets it.
create function private.is_held(answer_id uuid) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from private.requests as request where request.answer_id = is_held.answer_id and request.is_open);
end $$;

-- How many hours the expert of a coach usually takes: the median of the last twenty answers; null for fewer than three.
create function private.usual_reply_hours(coach public.coach_profiles) returns numeric
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select case when count(*) >= 3 then
      round((percentile_cont(0.5) within group (order by extract(epoch from last.answered_at - last.asked_at)) / 3600)::numeric, 2)
    end
    from (
      select request.asked_at, request.answered_at from private.requests as request
      where request.account_id = coach.account_id and request.coach_id = coach.id and request.answered_at is not null
      order by request.answered_at desc limit 20
    ) as last
  );
end $$;

-- What follows from the state of requests

-- Sets whether a question of a thread waits, and whether its person needs the expert. What is held for the expert is not
-- what the model may answer after a takeover.
-- Answers that wait are never settled: only the newest messages are looked at.
create function private.refresh_waiting(thread_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update public.threads as thread
  set is_waiting = found.is_waiting,
    needs_reply_at = case
      when found.is_waiting or found.is_requested then coalesce(thread.needs_reply_at, now())
      -- Who has asked for a human still waits for one.
      when exists (
        select from private.askings as asking
        cross join lateral (
          select question.status from public.open_questions as question where question.id = asking.question_id offset 0
        ) as question
        where asking.thread_id = thread.id and asking.reason = 'human' and question.status = 'open'
      ) then thread.needs_reply_at
    end
  from (
    select exists (
      select from public.messages as message
      where message.thread_id = refresh_waiting.thread_id and message.status = 'waiting' and not private.is_held(message.id)
        and message.created_at > (
          select known.settled_until from public.threads as known where known.id = refresh_waiting.thread_id
        )
    ) as is_waiting, (private.find_open_request(refresh_waiting.thread_id)).id is not null as is_requested
  ) as found
  where thread.id = refresh_waiting.thread_id
    and (thread.is_waiting or thread.needs_reply_at is not null or found.is_waiting or found.is_requested);
end $$;

-- Sets which questions somebody waits for, who is to be answered first. In the order of their ids, as everywhere.
create function private.refresh_requested(question_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform from public.open_questions as question where question.id = any (question_ids) order by question.id for no key update;
  update public.open_questions as question set is_requested = found.is_any
  from (
    select asked.id, exists (
      select from private.requests as request
      cross join lateral (
        select from private.askings as asking where asking.message_id = request.answer_id and asking.question_id = asked.id offset 0
      ) as asking
      where request.coach_id = asked.coach_id and request.is_open
    ) as is_any
    from public.open_questions as asked where asked.id = any (question_ids)
  ) as found
  where question.id = any (array[found.id]) and question.is_requested <> found.is_any;
end $$;

-- The open questions that an answer has asked.
create function private.find_questions_of(answer_id uuid) returns uuid[]
language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(select asking.question_id from private.askings as asking where asking.message_id = find_questions_of.answer_id);
end $$;

-- Tells who watches what has become of a request, and sets what follows from it.
create function private.follow_request(request private.requests, kind text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.record_event(follow_request.kind, request.account_id, request.coach_id, request.thread_id, request.message_id);
  perform private.refresh_requested(private.find_questions_of(request.answer_id));
  perform private.refresh_waiting(request.thread_id);
end $$;

-- A request that is deleted with its question leaves a thread in which nobody may wait any longer.
-- Definer: operators delete messages too, and service_role has no rights on the private schema.
create function private.forget_request() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.refresh_requested(private.find_questions_of(old.answer_id));
  perform private.refresh_waiting(old.thread_id);
  return null;
end $$;
create trigger requests_are_forgotten after delete on private.requests
  for each row when (old.answered_at is null and old.withdrawn_at is null) execute function private.forget_request();

-- Ends

-- Ends a request of a locked thread with a message of the expert, closes its open question if nobody else has asked it,
-- and has the person told by mail.
create function private.end_request(request private.requests, reply_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.requests as ended
  set answered_at = clock_timestamp(), reply_id = end_request.reply_id, seen_at = coalesce(ended.seen_at, clock_timestamp()),
    forget_at = case when ended.confirmed_at is not null then now() + interval '30 days' else ended.forget_at end
  where ended.id = request.id and ended.is_open returning * into request;
  if not found then return; end if;
  -- Another reply of the thread has answered it, too.
  update public.messages as message set status = 'stopped'
  where message.id = request.answer_id and message.status = 'waiting' and message.id <> end_request.reply_id;
  perform private.close_questions(array(
    select question.id from public.open_questions as question
    where question.id = any (private.find_questions_of(request.answer_id)) and question.people = 1
  ), null);
  perform private.follow_request(request, 'request.answered');
  perform private.mail_answer(request);
end $$;

-- Ends what a message of the expert in a locked thread has answered: its request, and what only this person has asked the
-- expert for. A person who has asked for a human has got one.
create function private.end_calls(locked public.threads, answered private.requests, reply_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  if answered.id is not null then perform private.end_request(answered, reply_id); end if;
  perform private.close_questions(array(
    select question.id from private.askings as asking
    join public.open_questions as question on question.id = asking.question_id
    where asking.thread_id = locked.id and asking.reason = 'human' and question.people = 1
      and not private.is_held(asking.message_id)
  ), null);
  update public.threads as thread set needs_reply_at = null
  where thread.id = locked.id and not thread.is_waiting and thread.needs_reply_at is not null
    and (private.find_open_request(thread.id)).id is null;
end $$;

-- Asking

-- A client sends it as one JSON object.
create type private.expert_call as (
  thread_id uuid,
  -- The question, or its answer; null: the last question of the thread.
  message_id uuid,
  -- A new question, which only the expert answers.
  question text,
  -- The coach, for a thread that does not exist yet, and the title that the thread gets.
  coach_id text,
  title text,
  email text,
  language text,
  request_id text,
  idempotency_key text,
  fingerprint text
);
comment on type private.expert_call is 'What ask_expert() is asked for.';

-- The question that is asked about, with its answer, both in thread.id; the answer is locked before the thread.
create function private.find_asked(thread_id uuid, message_id uuid) returns public.messages[]
language plpgsql volatile security invoker set search_path = '' as $$
declare
  question public.messages;
  answer public.messages;
begin
  if message_id is not null then
    question := private.find_replaced(message_id, thread_id);
  else
    select * into question from public.messages as message
    where message.thread_id = find_asked.thread_id and message.role = 'user'
    order by message.created_at desc, message.sequence desc limit 1;
  end if;
  select * into answer from public.messages as message
  where message.thread_id = question.thread_id and message.role <> 'system'
    and (message.created_at, message.sequence) > (question.created_at, question.sequence)
  order by message.created_at, message.sequence limit 1;
  if question.role is distinct from 'user' or answer.role is distinct from 'assistant' then return null; end if;
  select * into answer from public.messages as message where message.id = answer.id for no key update;
  return case when answer.id is not null then array[question, answer] end;
end $$;

-- Writes a question for the expert alone, in a locked thread: its answer waits as soon as the request is stored.
create function private.write_asked(client private.caller, thread public.threads, wanted private.expert_call)
returns public.messages[] language plpgsql volatile security invoker set search_path = '' as $$
declare
  turn private.turn;
  request private.turn_request;
  answer public.messages;
begin
  turn.thread := thread;
  select coach into turn.coach from public.coach_profiles as coach where coach.id = thread.coach_id;
  turn.asked_at := private.next_time(thread);
  request.run_id := gen_random_uuid();
  request.content := wanted.question;
  request.request_id := wanted.request_id;
  perform private.write_turn(client, request, turn, 'stopped');
  select * into answer from public.messages as message where message.id = request.run_id;
  insert into private.ledger (account_id, coach_id, user_id) values (thread.account_id, thread.coach_id, thread.user_id);
  return array[private.find_question_of_answer(answer), answer];
end $$;

-- Stores an address that is new to a request, and has it asked to confirm.
create function private.take_address(request private.requests, user_id text, email text, language text)
returns private.requests language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.requests as asked
  set address_id = gen_random_uuid(), address = take_address.email, language = coalesce(take_address.language, 'en'),
    confirmed_at = null, answer_digest = null, forget_at = now() + interval '7 days'
  where asked.id = request.id returning * into request;
  perform private.enqueue_mail('request_confirmation', request.account_id, request.coach_id, user_id => user_id,
    data => jsonb_build_object('request_id', request.id, 'address_id', request.address_id),
    bundled_as => 'confirmation ' || request.address_id);
  return request;
end $$;

-- Opens a request, or has one that was withdrawn wait again.
create function private.open_request(locked public.threads, question public.messages, answer public.messages)
returns private.requests language plpgsql volatile security invoker set search_path = '' as $$
declare
  former text := (
    select asking.reason from private.askings as asking where asking.message_id = answer.id
    order by asking.asked_at, asking.question_id limit 1
  );
  request private.requests;
begin
  insert into private.requests as asked (account_id, coach_id, thread_id, message_id, answer_id, former_reason)
  values (locked.account_id, locked.coach_id, locked.id, question.id, answer.id, former)
  on conflict on constraint requests_are_one_for_a_question do update
  set asked_at = clock_timestamp(), seen_at = null, answered_at = null, withdrawn_at = null, reply_id = null,
    answer_digest = null, former_reason = excluded.former_reason,
    forget_at = case when asked.confirmed_at is null then asked.forget_at end
  returning * into request;
  -- The request is there before the answer waits, so that the model does not get it.
  if answer.status = 'stopped' and answer.content = '' then
    update public.messages as message set status = 'waiting', stop_requested_at = null where message.id = answer.id;
  end if;
  perform private.open_question(answer.id, null, 'human');
  perform private.refresh_requested(private.find_questions_of(answer.id));
  update public.open_questions as decided set status = 'open'
  where decided.id = any (private.find_questions_of(answer.id)) and decided.status <> 'open';
  perform private.follow_request(request, 'request.opened');
  return request;
end $$;

-- Locks as everywhere: the idempotency key, the ID of the thread, the answer, the thread, then the address.
-- The result is {request, is_new}. Errors: thread_not_found, coach_not_found, coach_paused, message_not_found, too_many_mails,
-- idempotency_key_reused, coach_mismatch.
create function public.ask_expert(caller jsonb, user_id text, asked jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  wanted constant private.expert_call := jsonb_populate_record(null::private.expert_call, asked);
  key_owner constant text := coalesce(client.user_id, '');
  earlier private.idempotency_keys;
  thread public.threads := private.find_thread(client, wanted.thread_id);
  found public.messages[];
  request private.requests;
  refusal text;
  is_new boolean := false;
begin
  if not client.is_admitted then return private.answer(client); end if;
  if wanted.idempotency_key is not null then
    earlier := private.recall_request(client.account_id, key_owner, 'ask', wanted.idempotency_key);
    if earlier.fingerprint <> wanted.fingerprint then return private.refuse(client, 'idempotency_key_reused'); end if;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(wanted.thread_id::text, 0));
  if thread.id is null and (wanted.question is null or wanted.coach_id is null) then
    return private.refuse(client, 'thread_not_found');
  end if;
  if thread.coach_id <> wanted.coach_id then return private.refuse(client, 'coach_mismatch'); end if;
  refusal := private.refuse_inactive(private.find_coach(client, coalesce(thread.coach_id, wanted.coach_id)));
  if refusal is not null then return private.refuse(client, refusal); end if;
  if earlier.message_id is not null or wanted.question is null then
    found := private.find_asked(thread.id, coalesce(earlier.message_id, wanted.message_id));
    if found is null then return private.refuse(client, 'message_not_found'); end if;
    select * into request from private.requests as known where known.message_id = (found[1]).id;
  end if;
  thread := private.find_thread(client, wanted.thread_id, is_locked => true);
  -- Before anything is written, which a refusal would keep.
  if wanted.email is not null and lower(request.address) is distinct from lower(wanted.email)
    and (request.answered_at is null or request.withdrawn_at is not null)
    and not private.may_check_address(client.account_id, coalesce(thread.user_id, key_owner), wanted.email, most_of_account => 100) then
    return private.refuse(client, 'too_many_mails');
  end if;
  -- The client has made the id.
  if thread.id is null then
    thread := private.begin_thread(client, wanted.thread_id, private.find_coach(client, wanted.coach_id), wanted.title);
  end if;
  if thread.id is null then return private.refuse(client, 'thread_not_found'); end if;
  if found is null then found := private.write_asked(client, thread, wanted); end if;
  is_new := request.id is null;
  if is_new or request.withdrawn_at is not null and earlier.key is null then
    request := private.open_request(thread, found[1], found[2]);
  end if;
  if wanted.email is not null and request.is_open and lower(request.address) is distinct from lower(wanted.email) then
    request := private.take_address(request, thread.user_id, wanted.email, wanted.language);
  end if;
  if wanted.idempotency_key is not null and earlier.key is null then
    perform private.remember_request(client.account_id, key_owner, 'ask', wanted.idempotency_key, wanted.fingerprint,
      message_id => request.message_id);
  end if;
  return private.answer(client, json_build_object('request', private.describe_request(request), 'is_new', is_new));
end $$;
comment on function public.ask_expert is 'Asks the expert in person: {request, is_new}, or {error}; asked: see private.expert_call.';

-- Reading and withdrawing

-- Notes that an expert has opened the requests of a thread. Skips those that are changed just now, since it may hold no
-- lock of their thread.
create function private.see_requests(thread_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare seen private.requests[];
begin
  with changed as (
    update private.requests as request set seen_at = clock_timestamp()
    where request.id = any (array(
      select unseen.id from private.requests as unseen
      where unseen.thread_id = see_requests.thread_id and unseen.is_open and unseen.seen_at is null
      for no key update skip locked
    )) returning request
  )
  select array_agg(changed.request) into seen from changed;
  perform private.record_event('request.seen', request.account_id, request.coach_id, request.thread_id, request.message_id)
  from unnest(seen) as request;
end $$;

create function public.list_requests(caller jsonb, user_id text, thread_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  thread constant public.threads := private.find_thread(client, list_requests.thread_id, with_expert => true);
begin
  if thread.id is null then return private.refuse(client, 'thread_not_found'); end if;
  -- A server that acts for the person has no scope of an expert.
  if (case when client.user_id is null then 'expert' = any (client.scopes) else client.user_id <> thread.user_id end) then
    perform private.see_requests(thread.id);
  end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_request(request), null)::private.entry from private.requests as request
    where request.thread_id = thread.id order by request.asked_at desc, request.id desc
  ), null));
end $$;
comment on function public.list_requests is 'Reply of GET /threads/{threadId}/requests: newest first, or {error}.';

-- Takes back a request whose thread and answer are locked. The answer that waits for the expert alone ends, and the
-- question that the request has opened is asked no longer.
create function private.take_back(request private.requests) returns private.requests
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.requests as known set withdrawn_at = clock_timestamp(), answer_digest = null,
    forget_at = case when known.confirmed_at is not null then now() + interval '30 days' else known.forget_at end
  where known.id = request.id returning * into request;
  -- As long as its questions are open. What the answer has asked for another reason before goes on.
  perform from public.open_questions as question
  where question.id = any (private.find_questions_of(request.answer_id)) order by question.id for update;
  if request.former_reason is null then
    delete from private.askings as asking
    where asking.message_id = request.answer_id and asking.reason = 'human'
      and exists (select from public.open_questions as question where question.id = asking.question_id and question.status = 'open');
  else
    update private.askings as asking set reason = request.former_reason
    where asking.message_id = request.answer_id and asking.reason = 'human';
  end if;
  update public.messages as message set status = 'stopped'
  where message.id = request.answer_id and message.status = 'waiting';
  if found then
    perform private.record_event('message.completed', request.account_id, request.coach_id, request.thread_id, request.answer_id);
    perform private.settle_threads(array[request.thread_id]);
  end if;
  perform private.follow_request(request, 'request.withdrawn');
  return request;
end $$;

create function public.withdraw_request(caller jsonb, user_id text, thread_id uuid, request_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  thread public.threads := private.find_thread(client, withdraw_request.thread_id);
  request private.requests;
begin
  if thread.id is null then return private.refuse(client, 'thread_not_found'); end if;
  perform pg_advisory_xact_lock(hashtextextended(thread.id::text, 0));
  perform from public.messages as message
  where message.id = (select known.answer_id from private.requests as known where known.id = withdraw_request.request_id)
    and message.thread_id = thread.id for no key update;
  thread := private.find_thread(client, thread.id, is_locked => true);
  select * into request from private.requests as known
  where known.id = withdraw_request.request_id and known.thread_id = thread.id for no key update;
  if request.id is null then return private.refuse(client, 'request_not_found'); end if;
  if request.withdrawn_at is null then request := private.take_back(request); end if;
  return private.answer(client, private.describe_request(request));
end $$;
comment on function public.withdraw_request is 'Takes a request back and returns it, or {error}. Repeatable.';

-- Mails
--
-- The mails that a request sends are those of its own address (see mail).

-- Tells the person that the expert has answered, if they have confirmed their address.
create function private.mail_answer(request private.requests) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.enqueue_mail('request_answered', request.account_id, request.coach_id, user_id => thread.user_id,
    data => jsonb_build_object('request_id', request.id, 'address_id', request.address_id),
    bundled_as => 'request ' || request.id)
  from public.threads as thread
  where thread.id = request.thread_id and request.confirmed_at is not null and request.answered_at is not null
    and request.withdrawn_at is null;
end $$;

-- Forgets the addresses of requests: one, or those whose time is over.
create function private.forget_request_addresses(address_id uuid default null) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.requests as request
  set address_id = null, address = null, language = null, confirmed_at = null, forget_at = null, answer_digest = null
  where request.id = any (array(
    select old.id from private.requests as old
    where case when forget_request_addresses.address_id is null then old.forget_at <= now()
      else old.address_id = forget_request_addresses.address_id end
    order by old.id limit 500 for no key update skip locked
  ));
end $$;

-- Says what the link in a mail opens: that question and its answer alone. What ends the link drops its digest.
create function public.read_mailed_answer(digest text, pictures_url text) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select json_build_object(
      'coach', json_build_object('id', coach.id, 'name', coach.name, 'picture_url', pictures_url || '/' || coach.picture),
      'expert', private.describe_author(reply, coach, pictures_url, for_expert => false)->'expert',
      'question', question.content, 'answer', reply.content, 'answered_at', private.to_wire_time(request.answered_at)
    )
    from private.requests as request
    join public.messages as question on question.id = request.message_id
    join public.messages as reply on reply.id = request.reply_id
    join public.coach_profiles as coach on coach.id = request.coach_id
    where request.answer_digest = read_mailed_answer.digest and coach.deleted_at is null
  );
end $$;
comment on function public.read_mailed_answer is 'Reply of GET /mailer/answer: what the link in a mail opens; null for an unknown or old one.';
