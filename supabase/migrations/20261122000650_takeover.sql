-- Takeover: the expert answers a thread in person, and the model is silent meanwhile. And what the expert corrects there.
-- Functions: take_over, say_as_expert, release_thread, revise_answer; end_expired_takeovers, for the sweep.
-- It lasts until threads.taken_over_until, which each message of the expert moves on. What is asked meanwhile gets an answer
-- that waits (see turns): the expert's next message becomes the oldest of these, and what still waits at the end is
-- answered by the model in the background.
-- Surprises: an answer that is being written when a takeover begins ends with the text that it has; one without text
-- waits for the expert, like a question that is asked later. A message of the expert takes over by itself.

-- Nothing begins in the thread until the transaction ends, and nothing in it ends. Locks as everywhere (see turns): the
-- thread's id, answers in the order of their ids, the thread. Nulls where it is gone.
create function private.lock_thread(thread_id uuid) returns public.threads
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  thread public.threads;
begin
  perform pg_advisory_xact_lock(hashtextextended(lock_thread.thread_id::text, 0));
  select * into thread from public.threads as candidate where candidate.id = lock_thread.thread_id;
  perform from public.messages as message
  where message.thread_id = lock_thread.thread_id and message.created_at > thread.settled_until
    and message.status in ('waiting', 'streaming')
  order by message.id
  for no key update;
  select * into thread from public.threads as candidate where candidate.id = lock_thread.thread_id for update;
  return thread;
end;
$$;

comment on function private.lock_thread is 'A thread, locked with all of its answers that are to come.';

-- Ends what is being written, or has it wait. thread: as lock_thread() gives it. An answer that is run again becomes what
-- the new run has said, or what it was before.
create function private.silence_model(thread public.threads) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  stopped uuid[];
begin
  with changed as (
    update public.messages as message
    set stop_requested_at = coalesce(message.stop_requested_at, clock_timestamp()), status = 'stopped'
    where message.thread_id = thread.id and message.created_at > thread.settled_until and message.status = 'streaming'
      and (message.content <> '' or message.previous is not null or message.stop_requested_at is not null)
    returning message.id
  )
  select array_agg(changed.id) into stopped from changed;
  update public.messages as message
  set status = 'waiting'
  where message.thread_id = thread.id and message.created_at > thread.settled_until and message.status = 'streaming';
  if stopped is not null then
    perform private.choose_answers(stopped);
    perform private.settle_threads(array[thread.id]);
    perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, ended.id)
    from unnest(stopped) as ended (id);
  end if;
end;
$$;

comment on function private.silence_model is 'Ends the answers that are being written in a thread: those without text wait for the expert.';

-- thread: as lock_thread() gives it. The result is the thread as it is then.
create function private.begin_takeover(thread public.threads) returns public.threads
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  was_taken_over constant boolean := private.is_taken_over(thread.taken_over_until);
begin
  perform private.silence_model(thread);
  update public.threads as taken
  set taken_over_until = clock_timestamp() + interval '1 minute' * (
    select coach.takeover_minutes from public.coach_profiles as coach where coach.id = taken.coach_id
  )
  where taken.id = thread.id
  returning taken.* into thread;
  if not was_taken_over then
    perform private.record_event('takeover.begun', thread.account_id, thread.coach_id, thread.id);
  end if;
  return thread;
end;
$$;

comment on function private.begin_takeover is 'Hands a thread to its expert, or leaves it with them for longer.';

-- thread: locked. What waits in it is the background's to answer from then on.
create function private.end_takeover(thread public.threads) returns public.threads
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  kind constant text :=
    case when private.is_taken_over(thread.taken_over_until) then 'takeover.released' else 'takeover.expired' end;
begin
  if thread.taken_over_until is not null then
    update public.threads as released set taken_over_until = null where released.id = thread.id returning released.* into thread;
    perform private.record_event(kind, thread.account_id, thread.coach_id, thread.id);
  end if;
  return thread;
end;
$$;

comment on function private.end_takeover is 'Hands a thread back to the model; one that it has already is left alone.';

-- A thread that somebody else has locked is left to the next sweep.
create function private.end_expired_takeovers() returns void
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  thread public.threads;
begin
  for thread in
    select * from public.threads as expired
    where expired.taken_over_until <= clock_timestamp()
    order by expired.taken_over_until
    limit 500
    for update skip locked
  loop
    perform private.end_takeover(thread);
  end loop;
end;
$$;

comment on function private.end_expired_takeovers is 'Hands the threads back in which the expert has been silent for the coach''s takeover_minutes.';

-- For clients
--
-- In all of them user_id is who is signed in, null where the key acts alone. The result is {"error": …} with
-- thread_not_found or not_the_expert where the caller is not the expert of the thread; nothing is changed then.

create function private.take_over(account_id uuid, coach_ids text[], user_id text, thread_id uuid) returns json
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  refusal text := private.refuse_expert_of_thread(
    take_over.account_id, take_over.coach_ids, take_over.thread_id, take_over.user_id
  );
  thread public.threads;
begin
  if refusal is null then
    thread := private.lock_thread(take_over.thread_id);
    refusal := case when thread.id is null then 'thread_not_found' end;
  end if;
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  thread := private.begin_takeover(thread);
  return json_build_object('thread', private.describe_thread(thread, true));
end;
$$;

comment on function private.take_over is 'What public.take_over() does for an account.';

create function public.take_over(caller jsonb, user_id text, thread_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.take_over(client.account_id, client.coach_ids, user_id, thread_id) end);
end;
$$;

comment on function public.take_over is 'Hands a thread to its expert: {thread}, or an error.';

create function private.release_thread(account_id uuid, coach_ids text[], user_id text, thread_id uuid) returns json
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  refusal text := private.refuse_expert_of_thread(
    release_thread.account_id, release_thread.coach_ids, release_thread.thread_id, release_thread.user_id
  );
  thread public.threads;
begin
  if refusal is null then
    select * into thread from public.threads as candidate where candidate.id = release_thread.thread_id for update;
    refusal := case when thread.id is null then 'thread_not_found' end;
  end if;
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  thread := private.end_takeover(thread);
  -- Whoever has asked for a human waits no longer: the expert leaves the thread to the model.
  if thread.needs_reply_at is not null and not thread.is_waiting then
    update public.threads as left_alone set needs_reply_at = null where left_alone.id = thread.id;
  end if;
  return json_build_object('thread', private.describe_thread(thread, true), 'is_waiting', thread.is_waiting);
end;
$$;

comment on function private.release_thread is 'What public.release_thread() does for an account.';

create function public.release_thread(caller jsonb, user_id text, thread_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.release_thread(client.account_id, client.coach_ids, user_id, thread_id) end);
end;
$$;

comment on function public.release_thread is 'Hands a thread back to the model: {thread, is_waiting: whether a question waits for an answer}, or an error.';

-- As lists show it.
create function private.describe_message(message public.messages) returns json
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return json_build_object(
    'id', message.id,
    'thread_id', message.thread_id,
    'content', message.content,
    'role', message.role,
    'response_id', message.response_id,
    'created_at', private.to_wire_time(message.created_at),
    'status', message.status,
    'author', case when message.role = 'user' then 'user' when message.is_by_expert then 'expert' else 'ai' end
  );
end;
$$;

comment on function private.describe_message is 'A message as lists show it, with its status and its author.';

-- A message that stands alone, as the newest of the thread, which is locked.
create function private.add_expert_message(
  thread public.threads, content text, sources jsonb, request_id text, api_key_id uuid
) returns public.messages
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  message public.messages;
  -- As in begin_turn(): clients that sort by what they are shown see the order, too.
  said_at constant timestamptz := greatest(clock_timestamp(), interval '1 millisecond' + greatest(thread.updated_at, (
    select max(said.created_at) from public.messages as said where said.thread_id = thread.id
  )));
begin
  insert into public.messages (
    thread_id, role, content, is_by_expert, sources, request_id, api_key_id, created_at, updated_at
  )
  values (
    thread.id, 'assistant', add_expert_message.content, true, add_expert_message.sources, add_expert_message.request_id,
    add_expert_message.api_key_id, said_at, said_at
  )
  returning * into message;
  return message;
end;
$$;

comment on function private.add_expert_message is 'Stores a message of the expert at the end of a thread.';

-- The oldest answer that waits becomes the message; null where none does. What a run may still send is not stored: it is
-- of another run then. Its responses are of no use.
create function private.fill_waiting_answer(thread public.threads, content text, request_id text, api_key_id uuid)
returns public.messages
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  answer public.messages;
begin
  select * into answer from public.messages as message
  where message.thread_id = thread.id and message.created_at > thread.settled_until and message.status = 'waiting'
  order by message.created_at, message.sequence
  limit 1;
  if found then
    perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id));
    update public.messages as message
    set content = fill_waiting_answer.content, status = 'complete', is_by_expert = true, run_id = null, model = null,
      sources = null, phase = null, error_code = null, error = null, stop_requested_at = null, response_id = null,
      other_response_ids = null, input_tokens = null, output_tokens = null,
      request_id = fill_waiting_answer.request_id, api_key_id = fill_waiting_answer.api_key_id,
      updated_at = clock_timestamp()
    where message.id = answer.id
    returning * into answer;
  end if;
  return answer;
end;
$$;

comment on function private.fill_waiting_answer is 'Makes a message of the expert the oldest waiting answer of a thread, where there is one.';

-- Takes over, too. With an idempotency key that came before, the result is the message that it made then, and nothing is
-- changed. Further errors: idempotency_key_reused.
create function private.say_as_expert(
  account_id uuid,
  coach_ids text[],
  api_key_id uuid,
  user_id text,
  thread_id uuid,
  content text,
  request_id text,
  idempotency_key text,
  fingerprint text
) returns json
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  key_owner constant text := coalesce(say_as_expert.user_id, '');
  refusal text := private.refuse_expert_of_thread(
    say_as_expert.account_id, say_as_expert.coach_ids, say_as_expert.thread_id, say_as_expert.user_id
  );
  earlier private.idempotency_keys;
  thread public.threads;
  message public.messages;
begin
  if refusal is null and say_as_expert.idempotency_key is not null then
    earlier := private.recall_request(say_as_expert.account_id, key_owner, 'say', say_as_expert.idempotency_key);
    refusal := case when earlier.fingerprint <> say_as_expert.fingerprint then 'idempotency_key_reused' end;
  end if;
  if refusal is null and earlier.key is not null then
    select * into message from public.messages as said where said.id = earlier.message_id;
    if found then
      return json_build_object('message', private.describe_message(message));
    end if;
  end if;
  if refusal is null then
    thread := private.lock_thread(say_as_expert.thread_id);
    refusal := case when thread.id is null then 'thread_not_found' end;
  end if;
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;

  thread := private.begin_takeover(thread);
  message := private.fill_waiting_answer(
    thread, say_as_expert.content, say_as_expert.request_id, say_as_expert.api_key_id
  );
  if message.id is null then
    message := private.add_expert_message(
      thread, say_as_expert.content, null, say_as_expert.request_id, say_as_expert.api_key_id
    );
  end if;
  -- Whoever has asked for a human has got one.
  update public.threads as answered set needs_reply_at = null
  where answered.id = thread.id and not answered.is_waiting and answered.needs_reply_at is not null;
  perform private.settle_threads(array[thread.id]);
  perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, message.id);
  if say_as_expert.idempotency_key is not null then
    perform private.remember_request(say_as_expert.account_id, key_owner, 'say', say_as_expert.idempotency_key,
      say_as_expert.fingerprint, message_id => message.id);
  end if;
  return json_build_object('message', private.describe_message(message));
end;
$$;

comment on function private.say_as_expert is 'What public.say_as_expert() does for an account.';

create function public.say_as_expert(caller jsonb, user_id text, thread_id uuid, content text, request_id text,
  idempotency_key text default null, fingerprint text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.say_as_expert(client.account_id, client.coach_ids, client.api_key_id, user_id, thread_id, content,
      request_id, idempotency_key, fingerprint) end);
end;
$$;

comment on function public.say_as_expert is 'Stores a message of the expert, who takes over with it: {message}, or an error.';

-- Corrections

-- The sentence of the question that somebody has opened with this answer: the first of several.
create function private.find_question_of(message_id uuid) returns text
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  return (
    select opened.question
    from private.askings as asking
    cross join lateral (
      select asked.question from public.open_questions as asked where asked.id = asking.question_id offset 0
    ) as opened
    where asking.message_id = find_question_of.message_id and opened.question is not null
    order by asking.asked_at, asking.question_id
    limit 1
  );
end;
$$;

comment on function private.find_question_of is 'The open question that an answer has led to, in a sentence; null for none.';

-- Makes a pinned answer of a correction, or a new version of the one that has the question. question null: that of the
-- open question to which the answer has led. What the user has said is never taken for it: a pinned answer outlives them.
-- notify: the person reads the correction in their thread, as the expert's own words. The thread is not taken over by
-- that, and no question that waits is answered.
-- bar_passages: those that misled, of the answer's sources.
-- With an idempotency key that came before, the result is that of then, and nothing is changed. Further errors:
-- message_not_found, answer_unfinished, passage_not_found, question_required, idempotency_key_reused.
create function private.revise_answer(
  account_id uuid,
  coach_ids text[],
  api_key_id uuid,
  user_id text,
  thread_id uuid,
  message_id uuid,
  answer text,
  question text,
  notify boolean,
  bar_passages text[],
  request_id text,
  idempotency_key text,
  fingerprint text
) returns json
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  key_owner constant text := coalesce(revise_answer.user_id, '');
  refusal text := private.refuse_expert_of_thread(
    revise_answer.account_id, revise_answer.coach_ids, revise_answer.thread_id, revise_answer.user_id
  );
  earlier private.idempotency_keys;
  thread public.threads;
  revised public.messages;
  asked text := revise_answer.question;
  pinned public.pinned_answers;
  notice public.messages;
  reply json;
begin
  if refusal is null and revise_answer.idempotency_key is not null then
    earlier := private.recall_request(revise_answer.account_id, key_owner, 'revise', revise_answer.idempotency_key);
    if earlier.fingerprint = revise_answer.fingerprint then
      return earlier.reply;
    end if;
    refusal := case when earlier.key is not null then 'idempotency_key_reused' end;
  end if;
  if refusal is null then
    -- Locks as everywhere (see turns): the thread's id, the answer, the thread, pinned answers, questions.
    perform pg_advisory_xact_lock(hashtextextended(revise_answer.thread_id::text, 0));
    select * into revised from public.messages as message where message.id = revise_answer.message_id for no key update;
    select * into thread from public.threads as candidate where candidate.id = revise_answer.thread_id for update;
    asked := coalesce(asked, private.find_question_of(revised.id));
    refusal := case
      when thread.id is null then 'thread_not_found'
      when (revised.thread_id = thread.id and revised.role = 'assistant') is not true then 'message_not_found'
      when revised.status in ('waiting', 'streaming') then 'answer_unfinished'
      when exists (
        select from unnest(revise_answer.bar_passages) as barred (passage_id)
        where not exists (
          select from jsonb_array_elements(coalesce(nullif(revised.sources, 'null'), '[]')) as source
          where source->>'kind' = 'passage' and source->>'passageId' = barred.passage_id
        )
      ) then 'passage_not_found'
      when asked is null then 'question_required'
    end;
  end if;
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;

  reply := private.pin_answer(
    thread.account_id, thread.coach_id, asked, '{}', revise_answer.answer, written_by => revise_answer.user_id,
    replaces_same => true
  );
  select * into pinned from public.pinned_answers as written where written.id = (reply->>'id')::uuid;
  perform from public.open_questions as opened
  where opened.id = any (array(select asking.question_id from private.askings as asking where asking.message_id = revised.id))
  order by opened.id
  for no key update;
  update public.open_questions as opened
  set status = 'answered', decided_at = clock_timestamp(), pinned_answer_id = pinned.id
  where opened.status = 'open'
    and opened.id = any (array(select asking.question_id from private.askings as asking where asking.message_id = revised.id));
  if cardinality(revise_answer.bar_passages) > 0 then
    perform private.bar_passages(thread.coach_id, revise_answer.bar_passages, revise_answer.user_id);
  end if;
  update public.messages as message
  set revised_at = clock_timestamp(), revision_id = pinned.id
  where message.id = revised.id;
  if revise_answer.notify then
    notice := private.add_expert_message(thread, pinned.answer, jsonb_build_array(jsonb_build_object(
      'kind', 'pinned_answer',
      'pinnedAnswerId', pinned.id,
      'version', pinned.version,
      'question', pinned.question,
      'quote', left(pinned.answer, 300),
      'isWordForWord', true
    )), revise_answer.request_id, revise_answer.api_key_id);
    perform private.settle_threads(array[thread.id]);
    perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, notice.id);
  end if;
  reply := json_build_object('pinnedAnswerId', pinned.id, 'version', pinned.version, 'messageId', notice.id);
  if revise_answer.idempotency_key is not null then
    perform private.remember_request(revise_answer.account_id, key_owner, 'revise', revise_answer.idempotency_key,
      revise_answer.fingerprint, reply => reply);
  end if;
  return reply;
end;
$$;

comment on function private.revise_answer is 'What public.revise_answer() does for an account.';

create function public.revise_answer(caller jsonb, user_id text, thread_id uuid, message_id uuid, answer text,
  question text, notify boolean, bar_passages text[], request_id text, idempotency_key text default null,
  fingerprint text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.revise_answer(client.account_id, client.coach_ids, client.api_key_id, user_id, thread_id, message_id,
      answer, question, notify, bar_passages, request_id, idempotency_key, fingerprint) end);
end;
$$;

comment on function public.revise_answer is 'Pins the expert''s correction of an answer: {pinnedAnswerId, version, messageId: the notice, or null}, or an error.';
