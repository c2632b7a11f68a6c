-- Takeover: the expert answers a thread in person while the model is silent, and corrects answers.
-- A takeover lasts until threads.taken_over_until, which each message of the expert moves on. Questions asked meanwhile
-- get a waiting answer (see turns): the expert's next message becomes the oldest of these, and those left at the end
-- are answered by the model in the background.
-- Surprises: an answer that is being written when a takeover begins ends with the text it has; one without text waits
-- for the expert. A message of the expert takes over automatically.

-- A thread, locked with its unfinished answers; nulls if it is gone.
-- Until the transaction ends, nothing begins or ends in the thread. Locks as everywhere (see turns).
create function private.lock_thread(thread_id uuid) returns public.threads
language plpgsql volatile security invoker set search_path = '' as $$
declare found_thread public.threads;
begin
  perform pg_advisory_xact_lock(hashtextextended(lock_thread.thread_id::text, 0));
  select * into found_thread from public.threads as thread where thread.id = lock_thread.thread_id;
  perform from public.messages as message
  where message.thread_id = lock_thread.thread_id and message.created_at > found_thread.settled_until
    and message.status in ('waiting', 'streaming')
  order by message.id for no key update;
  select * into found_thread from public.threads as thread where thread.id = lock_thread.thread_id for update;
  return found_thread;
end $$;

-- Hands a locked thread to an expert, or extends the takeover; returns the thread as it is then. expert_id null: a server.
-- Answers that are being written end: those without text wait for the expert. One that is run again becomes the text of
-- the new run, or what it was before.
create function private.begin_takeover(locked public.threads, expert_id uuid) returns public.threads
language plpgsql volatile security invoker set search_path = '' as $$
declare
  was_taken_over constant boolean := private.is_taken_over(locked.taken_over_until);
  before_by constant uuid := locked.taken_over_by;
  stopped uuid[];
begin
  with changed as (
    update public.messages as message
    set stop_requested_at = coalesce(message.stop_requested_at, clock_timestamp()), status = 'stopped'
    where message.thread_id = locked.id and message.created_at > locked.settled_until and message.status = 'streaming'
      and (message.content <> '' or message.previous is not null or message.stop_requested_at is not null)
    returning message.id
  )
  select array_agg(changed.id) into stopped from changed;
  with changed as (
    update public.messages as message set status = 'waiting'
    where message.thread_id = locked.id and message.created_at > locked.settled_until and message.status = 'streaming'
    returning message.id
  )
  -- What the expert is told of stays.
  delete from private.unkept_answers as unkept using changed where unkept.message_id = changed.id;
  if stopped is not null then
    perform private.choose_answers(stopped);
    perform private.settle_threads(array[locked.id]);
    perform private.record_event('message.completed', locked.account_id, locked.coach_id, locked.id, ended.id)
    from unnest(stopped) as ended (id);
  end if;
  update public.threads as thread
  set taken_over_until = clock_timestamp() + interval '1 minute' * (
    select coach.takeover_minutes from public.coach_profiles as coach where coach.id = thread.coach_id
  ), taken_over_by = expert_id
  where thread.id = locked.id returning thread.* into locked;
  -- Also where one expert takes it over from another: the desks of both read it again.
  if not was_taken_over or before_by is distinct from expert_id then
    perform private.record_event('takeover.begun', locked.account_id, locked.coach_id, locked.id);
  end if;
  return locked;
end $$;

-- Hands a locked thread back to the model, unless the model has it already.
create function private.end_takeover(locked public.threads) returns public.threads
language plpgsql volatile security invoker set search_path = '' as $$
declare
  kind constant text :=
    case when private.is_taken_over(locked.taken_over_until) then 'takeover.released' else 'takeover.expired' end;
begin
  if locked.taken_over_until is not null then
    update public.threads as thread set taken_over_until = null, taken_over_by = null
    where thread.id = locked.id returning thread.* into locked;
    perform private.record_event(kind, locked.account_id, locked.coach_id, locked.id);
  end if;
  return locked;
end $$;

-- For clients
--
-- The functions return {"error": …} and change nothing if the caller is not the expert of the thread: thread_not_found
-- or not_the_expert.

create function public.take_over(caller jsonb, user_id text, thread_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert_of_thread(client, thread_id);
  thread public.threads := case when refusal is null then private.lock_thread(thread_id) end;
begin
  if thread.id is null then return private.refuse(client, coalesce(refusal, 'thread_not_found')); end if;
  thread := private.begin_takeover(thread, private.to_auth_id(client.user_id));
  return private.answer(client, json_build_object('thread', private.describe_thread(thread, true)));
end $$;
comment on function public.take_over is 'Hands a thread to its expert: {thread}, or an error.';

create function public.release_thread(caller jsonb, user_id text, thread_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert_of_thread(client, thread_id);
  released public.threads;
begin
  if refusal is null then
    select * into released from public.threads as thread where thread.id = release_thread.thread_id for update;
  end if;
  if released.id is null then return private.refuse(client, coalesce(refusal, 'thread_not_found')); end if;
  released := private.end_takeover(released);
  -- A person who has asked for a human in the conversation no longer waits: the expert leaves the thread to the model. A
  -- request goes on waiting.
  if released.needs_reply_at is not null and not released.is_waiting
    and (private.find_open_request(released.id)).id is null then
    update public.threads as thread set needs_reply_at = null where thread.id = released.id;
  end if;
  return private.answer(client, json_build_object(
    'thread', private.describe_thread(released, true), 'is_waiting', released.is_waiting
  ));
end $$;
comment on function public.release_thread is 'Hands a thread back to the model: {thread, is_waiting: whether a question waits for an answer}, or an error.';

-- Messages of the expert

-- A message as lists show it, with its status and its author.
create function private.describe_message(message public.messages) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return json_build_object(
    'id', message.id, 'thread_id', message.thread_id, 'content', message.content, 'role', message.role,
    'response_id', message.response_id, 'created_at', private.to_wire_time(message.created_at),
    'status', message.status,
    'author', case when message.role = 'user' then 'user' when message.is_by_expert then 'expert' else 'ai' end
  );
end $$;

-- Makes a message of the expert the oldest waiting answer of a locked thread, or that to a question; nulls if none waits.
-- The answer gets no run: saves of its former run are ignored, and the responses of that run are of no use.
create function private.fill_waiting_answer(locked public.threads, content text, expert_id uuid, request_id text,
  api_key_id uuid, in_reply_to uuid)
returns public.messages language plpgsql volatile security invoker set search_path = '' as $$
declare answer public.messages;
begin
  select * into answer from public.messages as message
  where message.thread_id = locked.id and message.created_at > locked.settled_until and message.status = 'waiting'
    and (fill_waiting_answer.in_reply_to is null
      or (private.find_question_of_answer(message)).id = fill_waiting_answer.in_reply_to)
  order by message.created_at, message.sequence limit 1;
  if found then
    perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id));
    update public.messages as message
    set content = fill_waiting_answer.content, status = 'complete', is_by_expert = true,
      expert_id = fill_waiting_answer.expert_id, is_unread = true,
      run_id = null, model = null, sources = null, phase = null, error_code = null, error = null,
      stop_requested_at = null, response_id = null, other_response_ids = null, input_tokens = null,
      cached_tokens = 0, output_tokens = null, reasoning_tokens = 0, is_estimated = false, request_id = fill_waiting_answer.request_id, api_key_id = fill_waiting_answer.api_key_id,
      updated_at = clock_timestamp()
    where message.id = answer.id returning * into answer;
  end if;
  return answer;
end $$;

-- With the idempotency key of an earlier message the result is that message, and nothing is changed. in_reply_to: the
-- question that it answers; null: that of the oldest request that waits, or of the oldest answer that does. Further
-- errors: message_not_found, idempotency_key_reused.
create function public.say_as_expert(caller jsonb, user_id text, thread_id uuid, content text, request_id text,
  idempotency_key text default null, fingerprint text default null, in_reply_to uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  key_owner constant text := coalesce(client.user_id, '');
  refusal text := private.refuse_unless_expert_of_thread(client, thread_id);
  earlier private.idempotency_keys;
  locked public.threads;
  said public.messages;
  request private.requests;
  asked_id uuid := in_reply_to;
begin
  if refusal is null and idempotency_key is not null then
    earlier := private.recall_request(client.account_id, key_owner, 'say', idempotency_key);
    if earlier.fingerprint = say_as_expert.fingerprint then
      select * into said from public.messages as message where message.id = earlier.message_id;
      return private.answer(client, json_build_object('message', private.describe_message(said)));
    end if;
    refusal := case when earlier.key is not null then 'idempotency_key_reused' end;
  end if;
  if refusal is null then locked := private.lock_thread(thread_id); end if;
  if locked.id is null then return private.refuse(client, coalesce(refusal, 'thread_not_found')); end if;
  if in_reply_to is null then
    request := private.find_open_request(locked.id);
    asked_id := request.message_id;
  else
    if not exists (
      select from public.messages as message
      where message.id = say_as_expert.in_reply_to and message.thread_id = locked.id and message.role = 'user'
    ) then
      return private.refuse(client, 'message_not_found');
    end if;
    select * into request from private.requests as known where known.message_id = say_as_expert.in_reply_to;
  end if;

  locked := private.begin_takeover(locked, private.to_auth_id(client.user_id));
  said := private.fill_waiting_answer(
    locked, content, private.to_auth_id(client.user_id), request_id, client.api_key_id, asked_id
  );
  if said.id is null then
    insert into public.messages (
      thread_id, role, content, is_by_expert, expert_id, is_unread, request_id, api_key_id, created_at, updated_at, in_reply_to
    )
    select locked.id, 'assistant', say_as_expert.content, true, private.to_auth_id(client.user_id), true,
      say_as_expert.request_id, client.api_key_id, said_at, said_at, asked_id
    from private.next_time(locked) as said_at
    returning * into said;
  end if;
  perform private.end_calls(locked, request, said.id);
  perform private.settle_threads(array[locked.id]);
  perform private.record_event('message.completed', locked.account_id, locked.coach_id, locked.id, said.id);
  insert into private.ledger (account_id, api_key_id, coach_id, answers, own_words)
  values (locked.account_id, said.api_key_id, locked.coach_id, 1, 1);
  perform private.mail_asker(locked.id, said.id);
  if idempotency_key is not null then
    perform private.remember_request(client.account_id, key_owner, 'say', idempotency_key, fingerprint, message_id => said.id);
  end if;
  return private.answer(client, json_build_object('message', private.describe_message(said)));
end $$;
comment on function public.say_as_expert is 'Stores a message of the expert, who takes over with it: {message}, or an error.';

-- Corrections

-- A client sends it as one JSON object.
create type private.revision as (
  thread_id uuid,
  message_id uuid,
  answer text,
  -- Null: that of the open question to which the answer has led. The words of the user are never taken: a pinned answer
  -- outlives them.
  question private.normal_question,
  -- Whether the person reads the correction in the thread, as the expert's own words. This is no takeover, and answers
  -- no waiting question.
  notify boolean,
  -- The passages that misled, of the answer's sources.
  bar_passages text[],
  request_id text,
  idempotency_key text,
  fingerprint text
);
comment on type private.revision is 'A correction that revise_answer() is asked for.';

-- The reason not to correct an answer; null for none.
create function private.refuse_revision(thread public.threads, revised public.messages, revision private.revision)
returns text language plpgsql stable security invoker set search_path = '' as $$
begin
  return case
    when thread.id is null then 'thread_not_found'
    when (revised.thread_id = thread.id and revised.role = 'assistant') is not true then 'message_not_found'
    when revised.status in ('waiting', 'streaming') then 'answer_unfinished'
    when exists (
      select from unnest(revision.bar_passages) as barred (passage_id)
      where not exists (
        select from jsonb_array_elements(coalesce(nullif(revised.sources, 'null'), '[]')) as source
        where source->>'kind' = 'passage' and source->>'passageId' = barred.passage_id
      )
    ) then 'passage_not_found'
    when (revision.question).content is null then 'question_required'
  end;
end $$;

-- If another pinned answer has the question, the correction is its new version. With the idempotency key of an earlier
-- correction the result is the same, and nothing is changed. Further errors: message_not_found, answer_unfinished,
-- passage_not_found, question_required, idempotency_key_reused.
create function public.revise_answer(caller jsonb, user_id text, revision jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  wanted private.revision := jsonb_populate_record(null::private.revision, revision);
  key_owner constant text := coalesce(client.user_id, '');
  -- To bar passages is to change what the coach knows.
  refusal text := private.refuse_unless_expert_of_thread(client, wanted.thread_id,
    case when cardinality(wanted.bar_passages) > 0 then 'editor' else 'answerer' end);
  earlier private.idempotency_keys;
  locked public.threads;
  revised public.messages;
  pinned public.pinned_answers;
  reply json;
begin
  if refusal is null and wanted.idempotency_key is not null then
    earlier := private.recall_request(client.account_id, key_owner, 'revise', wanted.idempotency_key);
    if earlier.fingerprint = wanted.fingerprint then return private.answer(client, earlier.reply); end if;
    refusal := case when earlier.key is not null then 'idempotency_key_reused' end;
  end if;
  if refusal is null then
    -- Locks as everywhere (see turns), then pinned answers, then questions.
    perform pg_advisory_xact_lock(hashtextextended(wanted.thread_id::text, 0));
    select * into revised from public.messages as message where message.id = wanted.message_id for no key update;
    select * into locked from public.threads as thread where thread.id = wanted.thread_id for update;
    if (wanted.question).content is null then
      -- The first open question that the answer has led to, if it is in a sentence.
      wanted.question := (
        select private.recall_phrase(opened.id, opened.question)
        from private.askings as asking
        cross join lateral (
          select question.id, question.question from public.open_questions as question
          where question.id = asking.question_id offset 0
        ) as opened
        where asking.message_id = revised.id and opened.question is not null
        order by asking.asked_at, asking.question_id limit 1
      );
    else
      perform private.read_questions(locked.coach_id, jsonb_build_array(revision->'question'));
    end if;
    refusal := private.refuse_revision(locked, revised, wanted);
  end if;
  if refusal is not null then return private.refuse(client, refusal); end if;

  reply := private.pin_answer(
    locked.account_id, locked.coach_id, array[wanted.question], wanted.answer, written_by => client.user_id,
    replaces_same => true
  );
  select * into pinned from public.pinned_answers as answer where answer.id = (reply->>'id')::uuid;
  if cardinality(wanted.bar_passages) > 0 then
    perform private.bar_passages(locked.coach_id, wanted.bar_passages, client.user_id);
  end if;
  update public.messages as message set revised_at = clock_timestamp(), revision_id = pinned.id where message.id = revised.id;
  if wanted.notify then
    perform private.send_notices(pinned, array[revised.id], wanted.request_id, client.api_key_id, corrects => revised.id);
  end if;
  perform private.close_questions(private.find_questions_of(revised.id), pinned.id);
  reply := json_build_object('pinnedAnswerId', pinned.id, 'version', pinned.version, 'messageId', case
    when wanted.notify then (select private.find_notices(pinned, locked.id)) end);
  if wanted.idempotency_key is not null then
    perform private.remember_request(
      client.account_id, key_owner, 'revise', wanted.idempotency_key, wanted.fingerprint, reply => reply
    );
  end if;
  return private.answer(client, reply);
end $$;
comment on function public.revise_answer is 'Pins the expert''s correction of an answer: {pinnedAnswerId, version, messageId: the notice, or null}, or an error; revision: see private.revision.';
