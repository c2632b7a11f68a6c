-- Turns: a question and its answer. A turn can be begun twice and is written once, can be stopped from anywhere, and
-- can be followed by readers who have lost its stream.
-- Functions, in the order of a turn: begin_turn (stores the question and an empty answer), save_turns (stores the
-- answer as it grows and ends), read_answers (shows it to readers), stop_turn. Where the expert has pinned an answer to
-- the question, begin_turn gives it word for word; while the expert has taken over, it leaves the answer waiting.
-- Table: response_removals, what is to be deleted at the backend of the language model.
--
-- A run is one try at writing an answer. The last answer of a thread, and one that has failed, can be run again in its
-- place: run_id of the message then names the new run, and what the old one still sends is not stored. What the answer was
-- stays until the new run has some text, and comes back if the new run fails (see choose_answers).
-- An answer is streaming, or waits for the expert, until it ends as complete, stopped or failed. Which state may follow which, and who may store
-- it, is written down at save_turns().
-- Surprise: locks are taken in one order everywhere, first the answer and then its thread. Turns of one thread begin one
-- after the other, by a lock on its id, which also holds where the thread does not exist yet.

-- Responses at the model's backend

-- The backend keeps each request and its response. When a message is deleted, by whatever means, its responses are put
-- on this list. The indexer's sweep works the list off: it has the model's key, and tries again what has failed. So
-- deleting does not wait for the backend, and a killed process loses none.
create table private.response_removals (
  response_id text primary key,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now()
) with (
  -- The list is filled and emptied all the time: vacuum starts after a fixed number of rows, not after a share of them.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500
);

comment on table private.response_removals is 'Responses to delete at the backend of the language model, tried for 30 days: OpenAI keeps none for longer.';
comment on column private.response_removals.response_id is 'Id of the response at the backend: opaque text. The index takes some 2,700 bytes; event_reader.ts takes fewer.';
comment on column private.response_removals.created_at is 'When its message was deleted or its answer was given up.';
comment on column private.response_removals.due_at is 'When the sweep tries to delete it, next time.';

-- The sweep takes what is due.
create index response_removals_by_due_time on private.response_removals (due_at);
-- The sweep drops what is older than 30 days.
create index response_removals_by_age on private.response_removals (created_at);

alter table private.response_removals enable row level security;

create function private.remove_responses(response_ids text[]) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into private.response_removals (response_id)
  select response.id from unnest(remove_responses.response_ids) as response (id) where response.id is not null
  on conflict do nothing;
end;
$$;

comment on function private.remove_responses is 'Puts responses on the list of those to remove; nulls are skipped.';

-- Definer: service_role may delete messages, but has no rights on the private schema.
create function private.remove_responses_of_messages() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.remove_responses(array(
    select unnest(array_append(deleted.other_response_ids, deleted.response_id)) from deleted
    union all
    select unnest(array_append(former.other_response_ids, former.response_id))
    from deleted
    cross join lateral jsonb_populate_record(null::public.messages, deleted.previous) as former
    where deleted.previous is not null
  ));
  return null;
end;
$$;

comment on function private.remove_responses_of_messages is 'Puts the responses of deleted messages on the list of responses to remove.';

create trigger messages_remove_responses after delete on public.messages
  referencing old table as deleted
  for each statement execute function private.remove_responses_of_messages();

create function public.end_response_removals(response_ids text[]) returns void
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
begin
  delete from private.response_removals as removal where removal.response_id = any (end_response_removals.response_ids);
end;
$$;

comment on function public.end_response_removals is 'Takes removed responses off the list.';

-- Reading

create function private.text_of_run(answer public.messages) returns text
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return case when answer.previous is null or answer.previous ? 'content' then answer.content else '' end;
end;
$$;

comment on function private.text_of_run is 'What the run of an answer has written: nothing where the content is still that of an earlier run.';

-- after: how many characters of the text the reader has.
create function private.describe_answer(answer public.messages, after integer) returns json
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return json_build_object(
    'message_id', answer.id,
    'run_id', answer.run_id,
    'thread_id', answer.thread_id,
    'created_at', private.to_wire_time(answer.created_at),
    'status', answer.status,
    'author', case when answer.is_by_expert and private.text_of_run(answer) <> '' then 'expert' else 'ai' end,
    'content', substr(private.text_of_run(answer), describe_answer.after + 1),
    'response_id', answer.response_id,
    'input_tokens', answer.input_tokens,
    'output_tokens', answer.output_tokens,
    'error_code', answer.error_code,
    'sources', answer.sources,
    'is_abandoned', private.is_abandoned(answer)
  );
end;
$$;

comment on function private.describe_answer is 'An answer as readers follow it: its state, and the text that follows a position.';

-- message_count: how many messages at most. characters: how long they may be together; null for no limit.
-- What either limit cuts, it cuts between two exchanges: an answer is not given without its question.
create function private.read_history(thread_id uuid, before timestamptz, message_count integer, characters integer) returns json
language plpgsql stable security invoker set search_path = ''
-- However long the thread is, it is read backwards from its end.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
declare
  said record;
  history json[] := '{}';
  -- How many of the newest messages begin with one that is not an answer.
  exchanged integer := 0;
  room integer := read_history.characters;
begin
  for said in
    select message.role, message.content, message.phase
    from public.messages as message
    where message.thread_id = read_history.thread_id and message.content <> '' and message.created_at < read_history.before
    order by message.created_at desc, message.sequence desc
    limit read_history.message_count
  loop
    room := room - char_length(said.content);
    exit when room < 0;
    history := case when said.phase is null then json_build_object('role', said.role, 'content', said.content)
      else json_build_object('role', said.role, 'content', said.content, 'phase', said.phase) end || history;
    if said.role <> 'assistant' then
      exchanged := cardinality(history);
    end if;
  end loop;
  -- Where nothing was cut, the thread itself may begin with an answer.
  if room < 0 or cardinality(history) = read_history.message_count then
    history := history[cardinality(history) - exchanged + 1:];
  end if;
  return array_to_json(history);
end;
$$;

comment on function private.read_history is 'The newest messages of a thread before an instant, oldest first, as the model is given them.';

-- Beginning

-- One insert: question and answer are written together, in this order. Returns the answer.
create function private.write_turn(
  thread_id uuid, run_id uuid, asked_at timestamptz, content text, mode text, request_id text, api_key_id uuid,
  status text, coach_version integer
) returns public.messages
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  answer public.messages;
begin
  with written as (
    insert into public.messages (
      id, thread_id, role, content, status, mode, coach_version, run_id, request_id, api_key_id, created_at, updated_at
    )
    values
      (gen_random_uuid(), write_turn.thread_id, 'user', write_turn.content, 'complete', write_turn.mode, null, null,
        write_turn.request_id, null, write_turn.asked_at, write_turn.asked_at),
      (write_turn.run_id, write_turn.thread_id, 'assistant', '', write_turn.status, null, write_turn.coach_version,
        write_turn.run_id, write_turn.request_id, write_turn.api_key_id,
        write_turn.asked_at + interval '1 millisecond', now())
    returning *
  )
  select * into answer from written where written.role = 'assistant';
  return answer;
end;
$$;

comment on function private.write_turn is 'Writes a question and its empty answer, streaming or waiting, which gets the id of its first run.';

-- Where there is nothing to keep, because the run before has failed without a word or the answer has waited, its
-- responses are of no use. Who has written the answer is said of its content, and changes with it.
create function private.restart_answer(
  answer public.messages, run_id uuid, request_id text, api_key_id uuid, coach_version integer
) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  is_kept constant boolean := answer.status not in ('failed', 'waiting') or answer.content <> '';
begin
  if not is_kept then
    perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id));
  end if;
  update public.messages as message
  set previous = case when is_kept then
      -- Without the content, which stays where it is.
      to_jsonb(answer) - array['id', 'thread_id', 'sequence', 'role', 'content', 'mode', 'created_at', 'is_listed']
    end,
    status = 'streaming', error_code = null, error = null, response_id = null, other_response_ids = null,
    input_tokens = null, output_tokens = null, sources = null, phase = null, stop_requested_at = null, model = null,
    coach_version = restart_answer.coach_version, revised_at = null, revision_id = null,
    run_id = restart_answer.run_id, request_id = restart_answer.request_id, api_key_id = restart_answer.api_key_id,
    updated_at = clock_timestamp()
  where message.id = answer.id;
end;
$$;

comment on function private.restart_answer is 'Makes an answer ready for another run, and keeps what it was.';

-- Of the answers that have ended, those that were run again become what the new run has made of them, or what they were
-- before where that has failed or said nothing. The responses of the other run are put on the list of those to remove.
create function private.choose_answers(message_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  answer public.messages;
  former public.messages;
begin
  for answer in
    select * from public.messages as message
    where message.id = any (choose_answers.message_ids) and message.previous is not null and message.status <> 'streaming'
    order by message.id
    for no key update
  loop
    former := jsonb_populate_record(null::public.messages, answer.previous);
    if answer.status = 'failed' or private.text_of_run(answer) = '' then
      perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id));
      update public.messages as message
      set previous = null, content = coalesce(former.content, answer.content), status = former.status,
        error_code = former.error_code, error = former.error, response_id = former.response_id,
        other_response_ids = former.other_response_ids, input_tokens = former.input_tokens,
        output_tokens = former.output_tokens, sources = former.sources, phase = former.phase, model = former.model,
        is_by_expert = former.is_by_expert, coach_version = former.coach_version, revised_at = former.revised_at,
        revision_id = former.revision_id, stop_requested_at = former.stop_requested_at, run_id = former.run_id, request_id = former.request_id,
        api_key_id = former.api_key_id
      where message.id = answer.id;
    else
      perform private.remove_responses(array_append(former.other_response_ids, former.response_id));
      update public.messages as message set previous = null where message.id = answer.id;
    end if;
  end loop;
end;
$$;

comment on function private.choose_answers is 'Ends the second runs of answers: keeps their text, or puts back what was before.';

-- Someone who repeats a question, or asks while the expert has taken over, gets the answer as it is. To one that waits
-- belongs the notice that says so: the coach's own; null: a usual one in its language.
create function private.describe_earlier(answer public.messages) returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  if answer.status <> 'waiting' then
    return json_build_object('earlier', private.describe_answer(answer, 0));
  end if;
  return (
    select json_build_object(
      'earlier', private.describe_answer(answer, 0),
      'waiting', json_build_object('takeover_notice', coach.takeover_notice, 'language', coach.language)
    )
    from public.threads as thread
    join public.coach_profiles as coach on coach.id = thread.coach_id
    where thread.id = answer.thread_id
  );
end;
$$;

comment on function private.describe_earlier is 'An answer that is not begun again: {"earlier"}, of one that waits for the expert also {"waiting": {takeover_notice, language}}.';

-- This and the next function are called by those that begin a turn, with their settings.
-- asked: null where the model is not asked. question: what is asked again.
-- The user_hash names the user to the model's server, and tells it nothing else. The account's key stands before what is
-- hashed, which is all that HMAC would add here: key and account have a fixed length, so that no two users share an
-- input, and the hash proves nothing to anyone, so that it is no use to lengthen it.
create function private.describe_turn(
  thread public.threads,
  coach public.coach_profiles,
  answer public.messages,
  asked_at timestamptz,
  asked text,
  pinned json,
  query_vector text,
  history_characters integer,
  is_owner boolean default false,
  question json default null
) returns json
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return json_build_object(
    'thread_id', thread.id,
    'message_id', answer.id,
    'created_at', private.to_wire_time(answer.created_at),
    'is_owner', describe_turn.is_owner,
    'question', describe_turn.question,
    'coach', json_build_object(
      'id', coach.id,
      'name', coach.name,
      'title', coach.title,
      'instructions', coach.instructions,
      'model', coach.model,
      'temperature', coach.temperature,
      'reasoning_effort', coach.reasoning_effort,
      'verbosity', coach.verbosity,
      'max_output_tokens', coach.max_output_tokens,
      'store_responses', coach.store_responses,
      'language', coach.language,
      'no_answer', coach.no_answer,
      'takeover_notice', coach.takeover_notice
    ),
    'user_hash', (
      select encode(
        sha256(uuid_send(account.hash_key) || uuid_send(account.id) || convert_to(thread.user_id, 'UTF8')), 'hex'
      )
      from public.accounts as account where account.id = thread.account_id
    ),
    'history', private.read_history(
      thread.id, describe_turn.asked_at, coach.history_limit, describe_turn.history_characters
    ),
    'pinned', coalesce(describe_turn.pinned, '[]'),
    'passages', coalesce(case when describe_turn.asked is not null then private.find_passages(
      coach.id, thread.id, describe_turn.asked_at, describe_turn.asked, describe_turn.query_vector
    ) end, '[]')
  );
end;
$$;

comment on function private.describe_turn is 'What the model is given for a turn that has begun: the persona, what was said before, pinned answers and passages.';

-- is_first: whether this run has just begun. A call may arrive twice.
create function private.answer_turn(
  thread public.threads,
  coach public.coach_profiles,
  answer public.messages,
  run_id uuid,
  asked_at timestamptz,
  asked text,
  query_vector text,
  history_characters integer,
  is_first boolean,
  is_owner boolean,
  question json
) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  has_history boolean;
  found json;
  exact json;
  ended public.messages;
begin
  -- Most coaches have none: then nothing more is asked.
  if private.has_pinned_answers(coach.id) then
    has_history := exists (
      select from public.messages as said
      where said.thread_id = thread.id and said.created_at < answer_turn.asked_at and said.role <> 'system'
    );
    found := private.find_pinned_answers(coach.id, has_history, answer_turn.asked, answer_turn.query_vector);
    exact := found->'exact';
  end if;
  if json_typeof(exact) = 'object' then
    perform private.count_hits((exact->>'id')::uuid, '{}');
    perform public.save_turns(jsonb_build_array(jsonb_build_object(
      'message_id', answer.id,
      'run_id', answer_turn.run_id,
      'status', 'complete',
      'content', exact->>'answer',
      'is_by_expert', true,
      'sources', json_build_array(json_build_object(
        'kind', 'pinned_answer',
        'pinnedAnswerId', exact->>'id',
        'version', exact->'version',
        'question', exact->>'question',
        'quote', left(exact->>'answer', 300),
        'isWordForWord', true
      ))
    )));
    select * into ended from public.messages as message where message.id = answer.id;
    return json_build_object('earlier', private.describe_answer(ended, 0));
  end if;
  if answer_turn.is_first and json_array_length(found->'near') > 0 then
    perform private.count_hits(null, array(select (near->>'id')::uuid from json_array_elements(found->'near') as near));
  end if;
  return private.describe_turn(
    thread, coach, answer, answer_turn.asked_at, answer_turn.asked, found->'near', answer_turn.query_vector,
    answer_turn.history_characters, answer_turn.is_owner, answer_turn.question
  );
end;
$$;

comment on function private.answer_turn is 'Answers a turn that has begun with a pinned answer, word for word, {"earlier": the answer}, or says what the model is given for it.';

-- A question may be named by its answer: a page does not know its id.
create function private.find_replaced(replaces uuid, thread_id uuid) returns public.messages
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  replaced public.messages;
begin
  select * into replaced from public.messages as said where said.id = find_replaced.replaces and said.role <> 'system';
  if replaced.role = 'assistant' then
    select * into replaced from public.messages as said
    where said.thread_id = replaced.thread_id and said.role = 'user'
      and (said.created_at, said.sequence) < (replaced.created_at, replaced.sequence)
    order by said.created_at desc, said.sequence desc
    limit 1;
  end if;
  if replaced.thread_id <> find_replaced.thread_id then
    return null;
  end if;
  return replaced;
end;
$$;

comment on function private.find_replaced is 'The question that another takes the place of; null for none.';

create function private.delete_replaced(thread public.threads, replaced public.messages, title text) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  perform private.lock_questions(array[thread.id]);
  delete from public.messages as said
  where said.thread_id = thread.id and (said.created_at, said.sequence) >= (replaced.created_at, replaced.sequence);
  -- A title that was made from the replaced question is made from the new one.
  update public.threads as titled
  set title = delete_replaced.title
  where titled.id = thread.id
    and starts_with(btrim(regexp_replace(replaced.content, '\s+', ' ', 'g')), rtrim(titled.title, '…'))
    and not exists (select from public.messages as said where said.thread_id = thread.id);
end;
$$;

comment on function private.delete_replaced is 'Deletes a question with all that comes after it.';

-- Everything a turn needs before the model is called, in one round trip. The result is the turn, or {"earlier": …} where
-- there is nothing to ask the model: the question was answered before or word for word, or waits for the expert. Or
-- {"error": …} with one of thread_not_found, message_not_found, coach_not_found, coach_mismatch, coach_required,
-- not_the_coach, not_the_last_answer, answer_not_retryable, taken_over; nothing is written then.
-- retried_id: an answer that is run again: its question is what is asked, and the result has it. One that is being written
-- is not begun twice: the result is {"earlier": the answer}.
-- coach_ids: the coaches that the key is bound to; null: all of its account.
-- new_thread_id: an id that the client has made, for the thread to start, or that it has started.
-- replaces: a question that this one takes the place of, or its answer. It is deleted with all that comes after it.
-- user_id null: the key acts alone. It may continue any thread of its account; a new thread is anonymous.
-- is_signed_in: user_id comes from a bearer token. Only then can the user be the expert behind the coach.
-- is_expert_action: only the expert may, and the model is not asked: nothing is looked up, and no expert waited for.
-- query_vector: the embedding of the message as JSON, {"model", "vector"}.
-- run_id: made by the caller. A call may arrive twice when its connection breaks: the second finds the rows of the
-- first.
-- api_key_id: the key of the request, for the usage.
-- history_characters: how long the history may be; null for no limit besides the coach's history_limit.
-- idempotency_key: if a turn was begun with it before and has not failed, the result is {"earlier": its answer}. If
-- that turn has failed, it is run again in its old place. With another fingerprint the result is {"error":
-- "idempotency_key_reused"}.
create function private.begin_turn(
  account_id uuid,
  coach_ids text[],
  api_key_id uuid,
  thread_id uuid,
  new_thread_id uuid,
  retried_id uuid,
  replaces uuid,
  coach_id text,
  user_id text,
  content text,
  title text,
  mode text,
  request_id text,
  is_signed_in boolean,
  is_expert_action boolean,
  query_vector text,
  run_id uuid,
  idempotency_key text,
  fingerprint text,
  history_characters integer
) returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  key_owner constant text := case when begin_turn.is_signed_in then begin_turn.user_id else '' end;
  earlier private.idempotency_keys;
  answer public.messages;
  question public.messages;
  replaced public.messages;
  asked_thread_id uuid;
  thread public.threads;
  coach public.coach_profiles;
  is_owner boolean;
  is_new boolean;
  is_first boolean;
  is_taken_over boolean;
  asked_at timestamptz;
begin
  -- Was this turn begun before, by this very call or with this key?
  perform pg_advisory_xact_lock(hashtextextended(begin_turn.run_id::text, 0));
  if begin_turn.idempotency_key is not null then
    earlier := private.recall_request(begin_turn.account_id, key_owner, 'chat', begin_turn.idempotency_key);
    if earlier.fingerprint <> begin_turn.fingerprint then
      return json_build_object('error', 'idempotency_key_reused');
    end if;
  end if;
  select * into answer from public.messages as message
  where message.id = coalesce(earlier.message_id, begin_turn.retried_id, begin_turn.run_id) and message.role = 'assistant';
  -- A turn that was begun before has replaced its question.
  if begin_turn.replaces is not null and answer.id is null then
    replaced := private.find_replaced(begin_turn.replaces, begin_turn.thread_id);
    if replaced.id is null then
      return json_build_object('error', 'message_not_found');
    end if;
  end if;
  asked_thread_id := coalesce(
    answer.thread_id, replaced.thread_id, begin_turn.thread_id, begin_turn.new_thread_id
  );
  if asked_thread_id is not null then
    perform pg_advisory_xact_lock(hashtextextended(asked_thread_id::text, 0));
  end if;
  -- Locked before the thread, as in save_turns: what a slow run stores meanwhile is seen.
  if answer.id is not null then
    select * into answer from public.messages as message where message.id = answer.id for update;
  end if;
  if replaced.id is not null then
    -- It may be gone by now. The answers are locked before the thread, too; no new ones are begun meanwhile.
    select * into replaced from public.messages as said where said.id = replaced.id;
    perform from public.messages as later
    where later.thread_id = replaced.thread_id and later.role = 'assistant'
      and (later.created_at, later.sequence) > (replaced.created_at, replaced.sequence)
    order by later.id
    for update;
  end if;
  if begin_turn.retried_id is not null and answer.id is null
    or begin_turn.replaces is not null and num_nonnulls(answer.id, replaced.id) = 0 then
    return json_build_object('error', 'message_not_found');
  end if;

  -- The thread and its coach, if the caller may use them.
  if asked_thread_id is not null then
    select * into thread from public.threads as candidate
    where candidate.id = asked_thread_id
      and candidate.account_id = begin_turn.account_id
      and (begin_turn.user_id is null or candidate.user_id = begin_turn.user_id)
      and (begin_turn.coach_ids is null or candidate.coach_id = any (begin_turn.coach_ids))
    for update;
    -- Only an id that nobody has starts a thread. One that somebody else has is refused like any thread of others: to go
    -- on with it would be a way into what they say, and a second thread cannot have it.
    if not found then
      if asked_thread_id is distinct from begin_turn.new_thread_id
        or exists (select from public.threads as taken where taken.id = begin_turn.new_thread_id) then
        return json_build_object('error', case
          when num_nonnulls(begin_turn.retried_id, replaced.id) = 0 then 'thread_not_found' else 'message_not_found'
        end);
      end if;
    end if;
  end if;
  is_new := answer.id is null;
  is_first := is_new or answer.run_id is distinct from begin_turn.run_id;
  if begin_turn.retried_id is not null then
    select * into question from public.messages as said
    where said.thread_id = thread.id and said.role <> 'system'
      and (said.created_at, said.sequence) < (answer.created_at, answer.sequence)
    order by said.created_at desc, said.sequence desc
    limit 1;
    -- A call that arrives for the second time has begun the run already, and meanwhile the thread may have gone on.
    if is_first and exists (
      select from public.messages as later
      where later.thread_id = thread.id and later.role <> 'system'
        and (later.created_at, later.sequence) > (answer.created_at, answer.sequence)
    ) then
      return json_build_object('error', 'not_the_last_answer');
    end if;
    -- A note is not an answer of the model, and would be stored twice. What the expert has said in person, without a run,
    -- is theirs.
    if question.role is distinct from 'user' or question.mode = 'create_knowledge'
      or answer.is_by_expert and answer.run_id is null then
      return json_build_object('error', 'answer_not_retryable');
    end if;
  end if;
  if not is_new and (case
    when is_first then answer.status in ('streaming', 'waiting')
      or answer.status <> 'failed' and begin_turn.retried_id is null
    -- This very call has been answered already, or its answer has been stopped.
    else answer.status <> 'streaming'
  end) then
    return private.describe_earlier(answer);
  end if;
  if thread.id is null and begin_turn.coach_id is null then
    return json_build_object('error', 'coach_required');
  end if;
  if begin_turn.coach_id <> thread.coach_id then
    return json_build_object('error', 'coach_mismatch');
  end if;

  select * into coach from public.coach_profiles as candidate
  where candidate.id = coalesce(thread.coach_id, begin_turn.coach_id)
    and candidate.account_id = begin_turn.account_id
    and (begin_turn.coach_ids is null or candidate.id = any (begin_turn.coach_ids))
    and candidate.is_active;
  if not found then
    return json_build_object('error', 'coach_not_found');
  end if;

  is_owner := coalesce(begin_turn.is_signed_in and coach.owner_id::text = begin_turn.user_id, false);
  if begin_turn.is_expert_action and not is_owner then
    return json_build_object('error', 'not_the_coach');
  end if;
  is_taken_over := not begin_turn.is_expert_action and private.is_taken_over(thread.taken_over_until);
  if is_taken_over and not is_new then
    return json_build_object('error', 'taken_over');
  end if;

  if replaced.id is not null then
    perform private.delete_replaced(thread, replaced, begin_turn.title);
  end if;
  if thread.id is null then
    insert into public.threads (id, account_id, coach_id, user_id, title)
    values (coalesce(begin_turn.new_thread_id, gen_random_uuid()), begin_turn.account_id, coach.id,
      coalesce(begin_turn.user_id, 'anonymous-' || gen_random_uuid()), begin_turn.title)
    returning * into thread;
    asked_at := thread.created_at;
  else
    -- Times are shown in milliseconds: with strictly later ones, clients that sort by them see the order too.
    asked_at := coalesce(
      question.created_at,
      answer.created_at - interval '1 millisecond',
      greatest(clock_timestamp(), interval '1 millisecond' + greatest(thread.updated_at, (
        select max(said.created_at) from public.messages as said where said.thread_id = thread.id
      )))
    );
  end if;

  -- Question and answer. A call that arrives for the second time finds both written.
  if is_new then
    answer := private.write_turn(thread.id, begin_turn.run_id, asked_at, begin_turn.content, begin_turn.mode,
      begin_turn.request_id, begin_turn.api_key_id, case when is_taken_over then 'waiting' else 'streaming' end,
      coach.version);
    if begin_turn.idempotency_key is not null then
      perform private.remember_request(begin_turn.account_id, key_owner, 'chat', begin_turn.idempotency_key,
        begin_turn.fingerprint, message_id => answer.id);
    end if;
    perform private.count_person(coach.id, thread.user_id);
  elsif is_first then
    perform private.restart_answer(
      answer, begin_turn.run_id, begin_turn.request_id, begin_turn.api_key_id, coach.version
    );
  end if;
  if is_first then
    perform private.record_event('message.begun', thread.account_id, coach.id, thread.id, answer.id);
  end if;
  if is_taken_over then
    if thread.needs_reply_at is null then
      perform private.record_event('thread.needs_expert', thread.account_id, coach.id, thread.id, answer.id);
    end if;
    return private.describe_earlier(answer);
  end if;

  if begin_turn.is_expert_action then
    return private.describe_turn(
      thread, coach, answer, asked_at, null, null, null, begin_turn.history_characters, is_owner
    );
  end if;
  return private.answer_turn(
    thread, coach, answer, begin_turn.run_id, asked_at, coalesce(question.content, begin_turn.content),
    begin_turn.query_vector, begin_turn.history_characters, is_first, is_owner,
    case when question.id is not null then json_build_object('message', question.content, 'mode', question.mode) end
  );
end;
$$;

comment on function private.begin_turn is 'What public.begin_turn() does for an account.';

create function public.begin_turn(caller jsonb, thread_id uuid, coach_id text, user_id text, content text, title text,
  mode text, request_id text, is_signed_in boolean, is_expert_action boolean, query_vector text, run_id uuid,
  idempotency_key text default null, fingerprint text default null, history_characters integer default null,
  new_thread_id uuid default null, replaces uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.begin_turn(client.account_id, client.coach_ids, client.api_key_id, thread_id, new_thread_id, null, replaces,
      coach_id, user_id, content, title, mode, request_id, is_signed_in, is_expert_action, query_vector, run_id,
      idempotency_key, fingerprint, history_characters) end);
end;
$$;

comment on function public.begin_turn is 'Writes the question and the empty answer of a turn and returns what the model call needs, or an error.';

create function public.retry_turn(caller jsonb, message_id uuid, user_id text, request_id text, is_signed_in boolean,
  query_vector text, run_id uuid, history_characters integer default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.begin_turn(client.account_id, client.coach_ids, client.api_key_id, null, null, message_id, null, null,
      user_id, null, null, null, request_id, is_signed_in, false, query_vector, run_id, null, null,
      history_characters) end);
end;
$$;

comment on function public.retry_turn is 'Begins another run of the last answer of a thread and returns what begin_turn() does, or an error.';

-- What waits after a takeover
--
-- The expert has released the thread, or the takeover has ended by itself: what still waits is answered by the model, the
-- oldest question of a thread first, one at a time. The indexer's sweep asks for it (see answer_waiting.ts).

-- run_id: made by the caller. With the message_id of its result, it is called once more for passages that fit the
-- query_vector, too.
-- The result is {"turn": what begin_turn() returns} or, where a pinned answer has said it all, {"turn": null}; null
-- where there is nothing to do.
create function public.take_waiting_turn(
  run_id uuid, message_id uuid default null, query_vector text default null, history_characters integer default null
) returns json
language plpgsql volatile security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  is_first constant boolean := take_waiting_turn.message_id is null;
  candidate public.threads;
  answer public.messages;
  question public.messages;
  thread public.threads;
  coach public.coach_profiles;
  turn json;
begin
  answer.id := take_waiting_turn.message_id;
  if is_first then
    for candidate in
      select * from public.threads as released
      where released.is_waiting and (released.taken_over_until is null or released.taken_over_until <= now())
      limit 100
    loop
      -- Somebody who is just asking there will not be kept waiting.
      continue when not pg_try_advisory_xact_lock(hashtextextended(candidate.id::text, 0))
        or private.find_active_answer(candidate.id, candidate.settled_until) is not null;
      select waiting.id into answer.id from public.messages as waiting
      where waiting.thread_id = candidate.id and waiting.created_at > candidate.settled_until and waiting.status = 'waiting'
      order by waiting.created_at, waiting.sequence
      limit 1;
      exit when found;
      -- It was deleted.
      update public.threads as cleared set is_waiting = false, needs_reply_at = null where cleared.id = candidate.id;
    end loop;
  end if;
  select * into answer from public.messages as message where message.id = answer.id for update;
  select * into thread from public.threads as holding where holding.id = answer.thread_id for update;
  if thread.id is null or private.is_taken_over(thread.taken_over_until) or (case
    when is_first then answer.status <> 'waiting'
    else answer.status <> 'streaming' or answer.run_id is distinct from take_waiting_turn.run_id
  end) then
    return null;
  end if;

  select * into coach from public.coach_profiles as held where held.id = thread.coach_id;
  select * into question from public.messages as said
  where said.thread_id = thread.id and said.role <> 'system'
    and (said.created_at, said.sequence) < (answer.created_at, answer.sequence)
  order by said.created_at desc, said.sequence desc
  limit 1;
  if not coach.is_active or question.role is distinct from 'user' then
    update public.messages as message
    set status = 'failed', error_code = 'coach_not_found', error = 'Nobody was there to answer it after the takeover'
    where message.id = answer.id;
    perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, answer.id);
    return json_build_object('turn', null);
  end if;
  if is_first then
    perform private.restart_answer(answer, take_waiting_turn.run_id, answer.request_id, answer.api_key_id, coach.version);
    perform private.record_event('message.begun', thread.account_id, coach.id, thread.id, answer.id);
  end if;
  turn := private.answer_turn(
    thread, coach, answer, take_waiting_turn.run_id, question.created_at, question.content,
    take_waiting_turn.query_vector, take_waiting_turn.history_characters, is_first, false,
    json_build_object('message', question.content, 'mode', question.mode)
  );
  return json_build_object('turn', case when turn->'earlier' is null then turn end);
end;
$$;

comment on function public.take_waiting_turn is 'Begins the run of an answer that has waited for the expert in vain.';

create function private.has_waiting_turns() returns boolean
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  return exists (
    select from public.threads as released
    where released.is_waiting and (released.taken_over_until is null or released.taken_over_until <= now())
  );
end;
$$;

comment on function private.has_waiting_turns is 'Whether take_waiting_turn() has something to do.';

-- Saving

-- One statement for any number of turns, so that a process with 500 streams saves them in one round trip.
--
-- Who may store what. The run of an answer sends its run_id. A reader who finds an answer abandoned has none, and
-- stores what could still be recovered, but only where the run has been silent for 30 seconds.
--   streaming  → any state, from its run or a reader.
--   waiting    → stopped, from its run, where that had text when the expert took over.
--   failed     → complete or stopped, from its run or a reader: a reader had called it failed too early, since the run
--                was only slow or the backend could not be reached. Its run may also fail again, with more text.
--   stopped    → stays stopped, but its run may still add the text and the tokens it had.
--   complete   → nothing.
-- All this is about the text of the run. Of an answer that is run again, the content stays what it was until its run has
-- text, and the end is decided by choose_answers().
-- Text that is not final never replaces longer text. A save without sources or phase keeps those that are stored.
-- content null: the text has not changed; such a save only shows, every 10 seconds, that the run lives.
-- content_from: how many characters of the text come before content; null for none. The stored text is cut there and
-- content appended, so that a save that is repeated changes nothing. Only text that the run itself has written is
-- continued: where the answer has ended meanwhile, or has fewer characters, nothing is stored and the run is asked for
-- the whole text.
--
-- The result names turns with a reason, [{message_id, reason}]. Those whose runs should end: `stopped` where the user
-- wants that, `taken_over` where the expert will give the answer or has given it, `lost` where the answer is deleted,
-- complete without this run, or written by another. And those whose runs
-- should save again, from the first character: `gap`. The responses of an end that was not stored, and will not be, are
-- put on the list of those to remove.
-- Answers are locked in the order of their ids, then the threads of those that end, then the counts of usage.
create function public.save_turns(turns jsonb) returns json
language plpgsql volatile security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  turn record;
  answer public.messages;
  -- The content, where it is that of an earlier run.
  kept_content text;
  is_own boolean;
  is_saved boolean;
  is_gap boolean;
  is_to_end boolean;
  saved public.messages[] := '{}';
  ended_threads uuid[] := '{}';
  -- Answers that were run again, and have ended.
  rerun uuid[] := '{}';
  remarks json[] := '{}';
begin
  for turn in
    select entry.*, coalesce(entry.content_from, 0) as kept
    from jsonb_to_recordset(save_turns.turns) as entry (
      message_id uuid, run_id uuid, content text, content_from integer, status text, error_code text, error text,
      response_id text, input_tokens integer, output_tokens integer, sources jsonb, phase text, model text,
      is_by_expert boolean, other_response_ids text[]
    )
    order by entry.message_id
  loop
    -- An answer without news is only read: a lock, too, would be written.
    select * into answer from public.messages as message
    where message.id = turn.message_id
      and (turn.content is not null or turn.status <> 'streaming' or message.updated_at < now() - interval '10 seconds')
    for no key update;
    is_saved := found;
    if not found then
      select * into answer from public.messages as message where message.id = turn.message_id;
    end if;

    kept_content := case when answer.previous is not null and not answer.previous ? 'content' then answer.content end;
    if kept_content is not null then
      answer.content := '';
    end if;

    is_own := answer.id is not null and answer.run_id is not distinct from turn.run_id;
    is_saved := is_saved
      and (is_own or turn.run_id is null and private.is_silent(answer))
      and case answer.status
        when 'streaming' then true
        when 'failed' then turn.status in ('complete', 'stopped') or turn.status = 'failed' and turn.run_id is not null
        when 'stopped' then turn.status in ('complete', 'stopped') and turn.run_id is not null
        when 'waiting' then is_own and turn.kept = 0 and turn.content <> ''
        else false
      end
      and (turn.kept = 0 or answer.status = 'streaming' and char_length(answer.content) >= turn.kept);
    is_gap := is_own and not is_saved and turn.kept > 0
      and case when turn.status = 'streaming' then answer.status = 'streaming' else answer.status <> 'complete' end;

    if turn.status = 'streaming' then
      is_to_end := not is_own or answer.status in ('waiting', 'complete', 'stopped')
        or answer.stop_requested_at is not null;
    else
      -- An end that arrives twice finds itself stored.
      is_to_end := not is_saved and (
        is_own and answer.status = turn.status
          and char_length(answer.content) >= turn.kept and substr(answer.content, turn.kept + 1) = turn.content
      ) is not true;
    end if;
    if is_gap or is_to_end then
      remarks := remarks || json_build_object('message_id', turn.message_id, 'reason', case
        when is_gap then 'gap'
        when answer.status = 'waiting' and not is_saved or answer.status = 'complete' and answer.run_id is null then 'taken_over'
        when is_own and (answer.status in ('waiting', 'stopped') or answer.stop_requested_at is not null) then 'stopped'
        else 'lost'
      end);
    end if;

    if is_saved then
      answer.content := case
        when turn.status in ('streaming', 'failed') and turn.kept + char_length(turn.content) < char_length(answer.content)
          then answer.content
        else coalesce(left(answer.content, turn.kept) || turn.content, answer.content)
      end;
      answer.status := case when answer.status in ('stopped', 'waiting') then 'stopped' else turn.status end;
      answer.error_code := turn.error_code;
      answer.error := turn.error;
      answer.response_id := turn.response_id;
      answer.other_response_ids := array_remove(
        coalesce(turn.other_response_ids, answer.other_response_ids), turn.response_id
      );
      answer.input_tokens := turn.input_tokens;
      answer.output_tokens := turn.output_tokens;
      answer.sources := coalesce(turn.sources, answer.sources);
      answer.phase := coalesce(turn.phase, answer.phase);
      answer.model := coalesce(turn.model, answer.model);
      answer.is_by_expert := case when answer.content <> '' then coalesce(turn.is_by_expert, false) else answer.is_by_expert end;
      if kept_content is not null and answer.content <> '' then
        answer.previous := answer.previous || jsonb_build_object('content', kept_content);
      else
        answer.content := coalesce(kept_content, answer.content);
      end if;
      if answer.previous is not null and answer.status <> 'streaming' then
        rerun := rerun || answer.id;
      end if;
      saved := saved || answer;
      if answer.status <> 'streaming' then
        ended_threads := ended_threads || answer.thread_id;
      end if;
    elsif turn.status <> 'streaming' and turn.run_id is not null and not is_gap then
      perform private.remove_responses(array(
        select response.id from unnest(array_append(turn.other_response_ids, turn.response_id)) as response (id)
        where response.id is distinct from answer.response_id
          and (response.id = any (answer.other_response_ids)) is not true
      ));
    end if;
  end loop;

  if cardinality(ended_threads) > 0 then
    -- Before the update, whose triggers lock threads and then counts of usage: always in this order.
    perform from public.threads as ended where ended.id = any (ended_threads) order by ended.id for update;
  end if;
  if cardinality(saved) > 0 then
    update public.messages as message
    set content = changed.content, status = changed.status, error_code = changed.error_code, error = changed.error,
      response_id = changed.response_id, other_response_ids = changed.other_response_ids,
      input_tokens = changed.input_tokens, output_tokens = changed.output_tokens, sources = changed.sources,
      phase = changed.phase, model = changed.model, is_by_expert = changed.is_by_expert, previous = changed.previous,
      updated_at = now()
    from unnest(saved) as changed
    where message.id = any (array[changed.id]);
  end if;
  if cardinality(ended_threads) > 0 then
    if cardinality(rerun) > 0 then
      perform private.choose_answers(rerun);
    end if;
    perform private.settle_threads(ended_threads);
    perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, ended.id)
    from unnest(saved) as ended
    cross join lateral (select * from public.threads as holding where holding.id = ended.thread_id offset 0) as thread
    where ended.status <> 'streaming';
  end if;
  return array_to_json(remarks);
end;
$$;

comment on function public.save_turns is 'Saves progress or end of answers: [{message_id, run_id, content, content_from, status, error_code, error, response_id, input_tokens, output_tokens, sources, phase, model, is_by_expert, other_response_ids}]; those that should end or save their whole text, and why.';

-- Following and stopping

-- asked: [{account_id, coach_ids, user_id, message_id, after}]; coach_ids null: all of the account; user_id null: the key
-- alone reads. The result has an answer for each, in that order, null where the caller has none.
create function public.read_answers(asked jsonb) returns json
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
  return (
    select coalesce(json_agg(
      case when thread.account_id = reader.account_id and (reader.user_id is null or thread.user_id = reader.user_id)
          and (reader.coach_ids is null or thread.coach_id = any (reader.coach_ids))
        then private.describe_answer(found.answer, reader.after) end
      order by reader.ordinality
    ), '[]')
    from rows from (
      jsonb_to_recordset(read_answers.asked)
        as (account_id uuid, coach_ids text[], user_id text, message_id uuid, after integer)
    ) with ordinality as reader
    left join lateral (
      select message as answer from public.messages as message
      where message.id = reader.message_id and message.role = 'assistant' offset 0
    ) as found on true
    left join lateral (
      select * from public.threads as holding where holding.id = (found.answer).thread_id offset 0
    ) as thread on true
  );
end;
$$;

comment on function public.read_answers is 'The states of answers, and what has been added to them: for all readers of a process in one call.';

create function private.read_answer(
  account_id uuid, coach_ids text[], user_id text, message_id uuid, after integer
) returns json
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return public.read_answers(jsonb_build_array(jsonb_build_object(
    'account_id', read_answer.account_id, 'coach_ids', read_answer.coach_ids, 'user_id', read_answer.user_id,
    'message_id', read_answer.message_id, 'after', read_answer.after
  )))->0;
end;
$$;

comment on function private.read_answer is 'What public.read_answer() does for an account.';

create function public.read_answer(caller jsonb, user_id text, message_id uuid, after integer) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.read_answer(client.account_id, client.coach_ids, user_id, message_id, after) end);
end;
$$;

comment on function public.read_answer is 'An answer, and what has been added to it; null where the caller has none.';

-- is_forced: the run has not reacted; what is stored then becomes the answer.
create function private.stop_turn(
  account_id uuid, coach_ids text[], user_id text, message_id uuid, is_forced boolean
) returns json
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  answer public.messages;
begin
  select * into answer from public.messages as message where message.id = stop_turn.message_id for no key update;
  if answer.role = 'assistant' and answer.status in ('waiting', 'streaming') and exists (
    select from public.threads as thread
    where thread.id = answer.thread_id
      and thread.account_id = stop_turn.account_id
      and (stop_turn.user_id is null or thread.user_id = stop_turn.user_id)
      and (stop_turn.coach_ids is null or thread.coach_id = any (stop_turn.coach_ids))
  ) then
    -- Before the counts of usage, which the update locks.
    perform from public.threads as thread where thread.id = answer.thread_id for update;
    update public.messages as message
    set stop_requested_at = coalesce(message.stop_requested_at, now()),
      -- No run writes an answer that waits.
      status = case when stop_turn.is_forced or message.status = 'waiting' then 'stopped' else message.status end
    where message.id = stop_turn.message_id;
    if stop_turn.is_forced or answer.status = 'waiting' then
      perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, answer.id)
      from public.threads as thread where thread.id = answer.thread_id;
    end if;
    if answer.previous is not null then
      perform private.choose_answers(array[answer.id]);
    end if;
  end if;
  return private.read_answer(
    stop_turn.account_id, stop_turn.coach_ids, stop_turn.user_id, stop_turn.message_id, 0
  );
end;
$$;

comment on function private.stop_turn is 'What public.stop_turn() does for an account.';

create function public.stop_turn(caller jsonb, user_id text, message_id uuid, is_forced boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.stop_turn(client.account_id, client.coach_ids, user_id, message_id, is_forced) end);
end;
$$;

comment on function public.stop_turn is 'Asks for the end of an answer and returns it with its state; null where the caller has none.';
