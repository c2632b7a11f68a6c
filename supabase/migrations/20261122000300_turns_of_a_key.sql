-- Turns know which key asked, so that usage can be told by key. begin_turn() is otherwise as before; what it gathers for
-- the model has become functions of its own.

-- The newest messages of a thread before an instant, oldest first; null where there are none.
create function private.read_history(thread_id uuid, before timestamptz, message_count integer) returns json
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return (
    select json_agg(json_build_object('role', said.role, 'content', said.content) order by said.created_at, said.sequence)
    from (
      select message.role, message.content, message.created_at, message.sequence
      from public.messages as message
      where message.thread_id = read_history.thread_id and message.content <> '' and message.created_at < read_history.before
      order by message.created_at desc, message.sequence desc
      limit read_history.message_count
    ) as said
  );
end;
$$;

comment on function private.read_history(uuid, timestamptz, integer) is 'What was said in a thread, as the model is told it.';
revoke execute on function private.read_history(uuid, timestamptz, integer) from public;

-- The search knows what was said just before, since a question may only make sense with it.
create function private.find_passages(coach_id text, thread_id uuid, before timestamptz, question text, query_vector text)
returns json
language plpgsql stable security invoker set search_path = ''
as $$
declare
  passage_count constant integer := 6;
  passage_characters constant integer := 12000;
  last_exchange text;
begin
  -- For a coach without files this is one look into an index.
  if not exists (select from public.knowledge_files as file where file.coach_id = find_passages.coach_id) then
    return null;
  end if;

  select string_agg(left(said.content, 1000), ' ') into last_exchange
  from (
    select message.content
    from public.messages as message
    where message.thread_id = find_passages.thread_id and message.role <> 'system' and message.content <> ''
      and message.created_at < find_passages.before
    order by message.created_at desc, message.sequence desc
    limit 2
  ) as said;

  return (
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
    from (
      select passage.*, passage.ordinality as place,
        sum(char_length(passage.content)) over (order by passage.ordinality) as characters
      from public.search_passages(
        find_passages.coach_id, find_passages.question, passage_count, last_exchange, find_passages.query_vector
      ) with ordinality as passage
    ) as found
    where found.characters <= passage_characters or found.place = 1
  );
end;
$$;

comment on function private.find_passages(text, uuid, timestamptz, text, text) is 'The passages of a coach that fit a question best, as many as the model is given; null for none.';
revoke execute on function private.find_passages(text, uuid, timestamptz, text, text) from public;

drop function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text);

-- Everything a turn needs before the model is called, in one round trip. The result is the turn, or
-- {"error": …} with one of thread_not_found, coach_not_found, coach_mismatch, not_the_coach; nothing is written then.
-- user_id null: the key alone asks. It may continue any thread of its account; a new thread is anonymous.
-- is_signed_in: a bearer token says who user_id is, not the key. Without it nobody is the coach's own user.
-- is_expert_action: only the coach's own user may, and the model is not asked, so that no passages are looked up.
-- query_vector: the embedding of the message as JSON, {"model", "vector"}.
-- run_id: made by the caller. A call may arrive twice when its connection breaks: the second finds the first's rows.
-- idempotency_key: a turn that was begun with it, and has not failed, is the result: {"earlier": its answer}. One that
-- has failed begins anew in its old place. With another fingerprint the result is {"error": "idempotency_key_reused"}.
-- api_key_id: the key that asks, for the usage.
-- Definer: service_role has no rights on the private schema.
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
  fingerprint text default null,
  api_key_id uuid default null
) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  key_owner constant text := case when begin_turn.is_signed_in then begin_turn.user_id else '' end;
  earlier private.idempotency_keys;
  answer public.messages;
  thread public.threads;
  coach public.coach_profiles;
  is_owner boolean;
  asked_at timestamptz;
  history json;
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
    history := private.read_history(thread.id, asked_at, coach.history_limit);
  end if;
  if not begin_turn.is_expert_action then
    passages := private.find_passages(coach.id, thread.id, asked_at, begin_turn.content, begin_turn.query_vector);
  end if;

  if answer.run_id = begin_turn.run_id then
    -- This very call has arrived before.
    null;
  elsif answer.id is not null then
    perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id));
    update public.messages as message
    set content = '', status = 'streaming', error_code = null, error = null, response_id = null, other_response_ids = null,
      input_tokens = null, output_tokens = null, sources = null, stop_requested_at = null,
      run_id = begin_turn.run_id, request_id = begin_turn.request_id, api_key_id = begin_turn.api_key_id,
      updated_at = clock_timestamp()
    where message.id = answer.id;
  else
    insert into public.messages (thread_id, role, content, mode, request_id, created_at, updated_at)
    values (thread.id, 'user', begin_turn.content, begin_turn.mode, begin_turn.request_id, asked_at, asked_at);
    insert into public.messages (id, run_id, thread_id, role, status, request_id, api_key_id, created_at)
    values (coalesce(begin_turn.run_id, gen_random_uuid()), begin_turn.run_id, thread.id, 'assistant', 'streaming',
      begin_turn.request_id, begin_turn.api_key_id, asked_at + interval '1 millisecond')
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

comment on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text, uuid)
  is 'Writes the question and the empty answer of a turn and returns what the model call needs, or an error.';
revoke execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text, uuid) from public, anon, authenticated;
grant execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text, uuid, text, text, uuid) to service_role;
