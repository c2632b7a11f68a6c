-- Durable turns: a turn can be begun twice and is written once, can be stopped from anywhere, and can be followed by
-- readers who have lost its stream. Functions of the version before go on working with what is below.

alter table public.messages
  add column run_id uuid,
  add column stop_requested_at timestamptz,
  add column error_code text;
comment on column public.messages.run_id is 'The run that writes the answer: what an earlier run of the same turn still sends is not taken.';
comment on column public.messages.error_code is 'What the answer failed with, as a code: that of the error its reader was told.';
comment on column public.messages.stop_requested_at is 'When somebody asked for the end of the answer; its writer sees it within about a second.';

-- after: how many characters of the text the reader has.
create function private.describe_answer(answer public.messages, after integer) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'message_id', answer.id,
    'run_id', answer.run_id,
    'thread_id', answer.thread_id,
    'created_at', to_char(answer.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'status', answer.status,
    'content', substr(answer.content, describe_answer.after + 1),
    'response_id', answer.response_id,
    'input_tokens', answer.input_tokens,
    'output_tokens', answer.output_tokens,
    'error_code', answer.error_code,
    'sources', answer.sources,
    'is_abandoned', answer.status = 'streaming' and answer.updated_at < now() - interval '30 seconds'
  );
$$;

comment on function private.describe_answer(public.messages, integer) is 'An answer as readers follow it: how it stands, and the text that follows a position.';
revoke execute on function private.describe_answer(public.messages, integer) from public;

drop function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text);

-- Everything a turn needs before the model is called, in one round trip. The result is the turn, or
-- {"error": …} with one of thread_not_found, coach_not_found, coach_mismatch, not_the_coach; nothing is written then.
-- user_id null: the key alone asks. It may continue any thread of its account; a new thread is anonymous.
-- is_signed_in: a bearer token says who user_id is, not the key. Without it nobody is the coach's own user.
-- is_expert_action: only the coach's own user may, and the model is not asked, so that no passages are looked up.
-- query_vector: the embedding of the message as JSON, {"model", "vector"}.
-- run_id: made by the caller. A call may arrive twice when its connection breaks: the second finds the first's rows.
-- idempotency_key: a turn that was begun with it, and has not failed, is the result: {"earlier": its answer}. One that
-- has failed begins anew in its old place. With another fingerprint the result is {"error": "idempotency_key_reused"}.
-- Definer, like all functions below: service_role has no rights on the private schema.
create function public.begin_turn(
  account_id uuid,
  thread_id uuid,
  coach_id text,
  user_id text,
  content text,
  title text,
  mode text,
  request_id text,
  is_signed_in boolean default false,
  is_expert_action boolean default false,
  query_vector text default null,
  run_id uuid default null,
  idempotency_key text default null,
  fingerprint text default null
) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  passage_count constant integer := 6;
  passage_characters constant integer := 12000;
  key_owner constant text := case when begin_turn.is_signed_in then begin_turn.user_id else '' end;
  earlier private.idempotency_keys;
  answer public.messages;
  thread public.threads;
  coach public.coach_profiles;
  is_owner boolean;
  asked_at timestamptz;
  history json;
  last_exchange text;
  passages json;
begin
  if begin_turn.run_id is not null then
    perform pg_advisory_xact_lock(hashtextextended(begin_turn.run_id::text, 0));
  end if;
  if begin_turn.idempotency_key is not null then
    earlier := private.recall_request(begin_turn.account_id, key_owner, 'chat', begin_turn.idempotency_key);
    if earlier.fingerprint <> begin_turn.fingerprint then
      return json_build_object('error', 'idempotency_key_reused');
    end if;
  end if;
  -- Locked before the thread, in the order of save_turns: what a late writer stores meanwhile is seen.
  select * into answer from public.messages as message
  where message.id = coalesce(earlier.message_id, begin_turn.run_id)
  for update;
  if answer.status <> 'failed' and answer.run_id is distinct from begin_turn.run_id then
    return json_build_object('earlier', private.describe_answer(answer, 0));
  end if;

  if coalesce(answer.thread_id, begin_turn.thread_id) is not null then
    -- The lock puts turns that arrive together one after the other, so that question and answer stay side by side.
    select * into thread from public.threads as candidate
    where candidate.id = coalesce(answer.thread_id, begin_turn.thread_id)
      and candidate.account_id = begin_turn.account_id
      and (begin_turn.user_id is null or candidate.user_id = begin_turn.user_id)
    for update;
    if not found then
      return json_build_object('error', 'thread_not_found');
    end if;
    if begin_turn.coach_id <> thread.coach_id then
      return json_build_object('error', 'coach_mismatch');
    end if;
  end if;

  select * into coach from public.coach_profiles as candidate
  where candidate.id = coalesce(thread.coach_id, begin_turn.coach_id)
    and candidate.account_id = begin_turn.account_id
    and candidate.is_active;
  if not found then
    return json_build_object('error', 'coach_not_found');
  end if;

  is_owner := coalesce(begin_turn.is_signed_in and coach.owner_id::text = begin_turn.user_id, false);
  if begin_turn.is_expert_action and not is_owner then
    return json_build_object('error', 'not_the_coach');
  end if;

  if thread.id is null then
    insert into public.threads (account_id, coach_id, user_id, title)
    values (begin_turn.account_id, coach.id,
      coalesce(begin_turn.user_id, 'anonymous-' || gen_random_uuid()), begin_turn.title)
    returning * into thread;
    asked_at := thread.created_at;
  else
    -- Times are shown in milliseconds; strictly later ones keep the order visible to whoever sorts by them.
    asked_at := coalesce(
      answer.created_at - interval '1 millisecond',
      greatest(clock_timestamp(), thread.updated_at + interval '1 millisecond')
    );
    select json_agg(json_build_object('role', said.role, 'content', said.content) order by said.created_at, said.sequence)
    into history
    from (
      select message.role, message.content, message.created_at, message.sequence
      from public.messages as message
      where message.thread_id = thread.id and message.content <> '' and message.created_at < asked_at
      order by message.created_at desc, message.sequence desc
      limit coach.history_limit
    ) as said;
  end if;

  -- For a coach without files this is one look into an index.
  if not begin_turn.is_expert_action
    and exists (select from public.knowledge_files as file where file.coach_id = coach.id)
  then
    select string_agg(left(said.content, 1000), ' ') into last_exchange
    from (
      select message.content
      from public.messages as message
      where message.thread_id = thread.id and message.role <> 'system' and message.content <> ''
        and message.created_at < asked_at
      order by message.created_at desc, message.sequence desc
      limit 2
    ) as said;

    select json_agg(
      json_build_object(
        'file_id', found.file_id,
        'filename', found.filename,
        'page', found.page,
        'heading', found.heading,
        'content', left(found.content, passage_characters),
        'score', round(found.score::numeric, 4)
      ) order by found.place
    )
    into passages
    from (
      select passage.*, passage.ordinality as place,
        sum(char_length(passage.content)) over (order by passage.ordinality) as characters
      from public.search_passages(
        coach.id, begin_turn.content, passage_count, last_exchange, begin_turn.query_vector
      ) with ordinality as passage
    ) as found
    where found.characters <= passage_characters or found.place = 1;
  end if;

  if answer.run_id = begin_turn.run_id then
    -- This very call has arrived before.
    null;
  elsif answer.id is not null then
    update public.messages as message
    set content = '', status = 'streaming', error = null, response_id = null, input_tokens = null, output_tokens = null,
      sources = null, stop_requested_at = null, run_id = begin_turn.run_id, request_id = begin_turn.request_id,
      updated_at = clock_timestamp()
    where message.id = answer.id;
  else
    insert into public.messages (thread_id, role, content, mode, request_id, created_at, updated_at)
    values (thread.id, 'user', begin_turn.content, begin_turn.mode, begin_turn.request_id, asked_at, asked_at);
    insert into public.messages (id, run_id, thread_id, role, status, request_id, created_at)
    values (coalesce(begin_turn.run_id, gen_random_uuid()), begin_turn.run_id, thread.id, 'assistant', 'streaming',
      begin_turn.request_id, asked_at + interval '1 millisecond')
    returning * into answer;
    if begin_turn.idempotency_key is not null then
      perform private.remember_request(row(
        begin_turn.account_id, key_owner, 'chat', begin_turn.idempotency_key, begin_turn.fingerprint, answer.id, null,
        now()
      )::private.idempotency_keys);
    end if;
  end if;

  return json_build_object(
    'thread_id', thread.id,
    'message_id', answer.id,
    'created_at', to_char(answer.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'coach', json_build_object(
      'id', coach.id,
      'name', coach.name,
      'title', coach.title,
      'instructions', coach.instructions,
      'model', coach.model,
      'temperature', coach.temperature
    ),
    'is_owner', is_owner,
    'history', coalesce(history, '[]'),
    'passages', coalesce(passages, '[]')
  );
end;
$$;

comment on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text)
  is 'Writes the question and the empty answer of a turn and returns what the model call needs, or an error.';
revoke execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text) from public, anon, authenticated;
grant execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text) to service_role;

drop function public.save_turns(jsonb);

-- One statement for any number of turns, so a process with 500 streams saves them in one round trip. content null: the
-- text has not changed; such a turn is touched only to show that its writer lives. The result names the turns that
-- should end, [{message_id, reason}]: `stopped` where somebody wants that, `lost` where the answer is gone, complete
-- without this writer, or another's.
-- A final answer is not touched again, with one exception: somebody who took a slow writer for dead has called its
-- answer failed or stopped, and the writer then comes with more. A reader has no run_id, and may save only what has
-- shown no sign of life for 30 seconds. Text that is not final never replaces more. Sources do not change: whoever saves
-- without them leaves them as they are.
create function public.save_turns(turns jsonb) returns json
language sql volatile security invoker set search_path = ''
as $$
  with turn as (
    select * from jsonb_to_recordset(save_turns.turns) as turn (
      message_id uuid, run_id uuid, content text, status text, error text, response_id text, input_tokens integer,
      output_tokens integer, sources jsonb
    )
  ), saved as (
    update public.messages as message
    set content = case
        when turn.status in ('streaming', 'failed') and char_length(turn.content) < char_length(message.content)
          then message.content
        else coalesce(turn.content, message.content)
      end,
      -- Who stops an answer is not told otherwise by a writer that hears of it late.
      status = case when message.status = 'stopped' then 'stopped' else turn.status end,
      error = turn.error,
      response_id = turn.response_id,
      input_tokens = turn.input_tokens,
      output_tokens = turn.output_tokens,
      sources = coalesce(turn.sources, message.sources),
      updated_at = now()
    from turn
    where message.id = turn.message_id
      and (message.run_id is not distinct from turn.run_id
        or turn.run_id is null and message.updated_at < now() - interval '30 seconds')
      and (message.status = 'streaming'
        or message.status = 'failed' and turn.status in ('complete', 'stopped')
        or message.status = 'failed' and turn.status = 'failed' and turn.run_id is not null
        or message.status = 'stopped' and turn.status in ('complete', 'stopped') and turn.run_id is not null)
      and (turn.content is not null or turn.status <> 'streaming' or message.updated_at < now() - interval '10 seconds')
    returning message.id, message.thread_id, message.status
  ), moved as (
    update public.threads as thread
    set updated_at = greatest(thread.updated_at, now())
    from (select distinct saved.thread_id from saved where saved.status <> 'streaming') as ended
    where thread.id = ended.thread_id
  )
  -- message is the row as it was before. An end that arrives twice finds itself there.
  select coalesce(json_agg(json_build_object(
    'message_id', turn.message_id,
    'reason', case when message.status = 'stopped' or message.stop_requested_at is not null then 'stopped' else 'lost' end
  )), '[]')
  from turn
  left join public.messages as message
    on message.id = turn.message_id and message.run_id is not distinct from turn.run_id
  where case
    when turn.status = 'streaming' then
      message.id is null or message.status in ('complete', 'stopped') or message.stop_requested_at is not null
    else
      not exists (select from saved where saved.id = turn.message_id)
        and (message.status = turn.status and message.content = turn.content) is not true
  end;
$$;

comment on function public.save_turns(jsonb)
  is 'Saves progress or end of answers: [{message_id, run_id, content, status, error, response_id, input_tokens, output_tokens, sources}]; those that should end, and why.';
revoke execute on function public.save_turns(jsonb) from public, anon, authenticated;
grant execute on function public.save_turns(jsonb) to service_role;

-- asked: [{account_id, user_id, message_id, after}]; user_id null: the key alone reads. The result has an answer for
-- each, in that order, null where the caller has none.
create function public.read_answers(asked jsonb) returns json
language sql stable security definer set search_path = ''
as $$
  select coalesce(json_agg(
    case when thread.id is not null then private.describe_answer(message, reader.after) end order by reader.ordinality
  ), '[]')
  from rows from (
    jsonb_to_recordset(read_answers.asked) as (account_id uuid, user_id text, message_id uuid, after integer)
  ) with ordinality as reader
  left join public.messages as message on message.id = reader.message_id and message.role = 'assistant'
  left join public.threads as thread
    on thread.id = message.thread_id
      and thread.account_id = reader.account_id
      and (reader.user_id is null or thread.user_id = reader.user_id);
$$;

comment on function public.read_answers(jsonb) is 'How answers stand, and what has been added to them: for all readers of a process in one call.';
revoke execute on function public.read_answers(jsonb) from public, anon, authenticated;
grant execute on function public.read_answers(jsonb) to service_role;

-- is_forced: its writer does not answer; what is stored is the answer then.
create function public.stop_turn(account_id uuid, user_id text, message_id uuid, is_forced boolean) returns json
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.messages as message
  set stop_requested_at = coalesce(message.stop_requested_at, now()),
    status = case when stop_turn.is_forced then 'stopped' else message.status end
  from public.threads as thread
  where message.id = stop_turn.message_id
    and message.role = 'assistant'
    and message.status = 'streaming'
    and thread.id = message.thread_id
    and thread.account_id = stop_turn.account_id
    and (stop_turn.user_id is null or thread.user_id = stop_turn.user_id);
  return public.read_answers(jsonb_build_array(jsonb_build_object(
    'account_id', stop_turn.account_id, 'user_id', stop_turn.user_id, 'message_id', stop_turn.message_id, 'after', 0
  )))->0;
end;
$$;

comment on function public.stop_turn(uuid, text, uuid, boolean) is 'Asks for the end of an answer and returns how it stands; null where the caller has none.';
revoke execute on function public.stop_turn(uuid, text, uuid, boolean) from public, anon, authenticated;
grant execute on function public.stop_turn(uuid, text, uuid, boolean) to service_role;
