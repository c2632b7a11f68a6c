-- Turns: begin one (question and empty answer, together) and save its progress and its end.

-- Everything a turn needs before the model is called, in one round trip. The result is the turn, or
-- {"error": …} with one of thread_not_found, coach_not_found, coach_mismatch; nothing is written then.
-- user_id null: the key alone asks. It may continue any thread of its account; a new thread is anonymous.
create function public.begin_turn(
  account_id uuid,
  thread_id uuid,
  coach_id text,
  user_id text,
  content text,
  title text,
  mode text,
  request_id text
) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  thread public.threads;
  coach public.coach_profiles;
  asked_at timestamptz;
  answer_id uuid;
  history json;
begin
  if begin_turn.thread_id is not null then
    -- The lock puts turns that arrive together one after the other, so that question and answer stay side by side.
    select * into thread from public.threads as candidate
    where candidate.id = begin_turn.thread_id
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

  if thread.id is null then
    insert into public.threads (account_id, coach_id, user_id, title)
    values (begin_turn.account_id, coach.id,
      coalesce(begin_turn.user_id, 'anonymous-' || gen_random_uuid()), begin_turn.title)
    returning * into thread;
    asked_at := thread.created_at;
  else
    select json_agg(json_build_object('role', said.role, 'content', said.content) order by said.created_at, said.sequence)
    into history
    from (
      select message.role, message.content, message.created_at, message.sequence
      from public.messages as message
      where message.thread_id = thread.id and message.content <> ''
      order by message.created_at desc, message.sequence desc
      limit coach.history_limit
    ) as said;
    -- Times are shown in milliseconds; strictly later ones keep the order visible to whoever sorts by them.
    asked_at := greatest(clock_timestamp(), thread.updated_at + interval '1 millisecond');
  end if;

  insert into public.messages (thread_id, role, content, mode, request_id, created_at, updated_at)
  values (thread.id, 'user', begin_turn.content, begin_turn.mode, begin_turn.request_id, asked_at, asked_at);
  insert into public.messages (thread_id, role, status, request_id, created_at)
  values (thread.id, 'assistant', 'streaming', begin_turn.request_id, asked_at + interval '1 millisecond')
  returning id into answer_id;

  return json_build_object(
    'thread_id', thread.id,
    'message_id', answer_id,
    'coach', json_build_object(
      'name', coach.name,
      'title', coach.title,
      'instructions', coach.instructions,
      'model', coach.model,
      'temperature', coach.temperature
    ),
    'history', coalesce(history, '[]')
  );
end;
$$;

comment on function public.begin_turn(uuid, uuid, text, text, text, text, text, text)
  is 'Writes the question and the empty answer of a turn and returns what the model call needs, or an error.';
revoke execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text) from public, anon, authenticated;
grant execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text) to service_role;

-- One statement for any number of turns, so a process with 500 streams saves them in one round trip.
-- A final answer is not touched again, with one exception: a reader that took a slow writer for dead has called its
-- answer failed, and the writer then comes with the whole of it.
create function public.save_turns(turns jsonb) returns void
language sql volatile security invoker set search_path = ''
as $$
  with saved as (
    update public.messages as message
    set content = turn.content,
      status = turn.status,
      error = turn.error,
      response_id = turn.response_id,
      input_tokens = turn.input_tokens,
      output_tokens = turn.output_tokens,
      updated_at = now()
    from jsonb_to_recordset(save_turns.turns) as turn (
      message_id uuid, content text, status text, error text, response_id text, input_tokens integer, output_tokens integer
    )
    where message.id = turn.message_id
      and (message.status = 'streaming' or message.status = 'failed' and turn.status = 'complete')
    returning message.thread_id, message.status
  )
  update public.threads as thread
  set updated_at = greatest(thread.updated_at, now())
  from (select distinct saved.thread_id from saved where saved.status <> 'streaming') as ended
  where thread.id = ended.thread_id;
$$;

comment on function public.save_turns(jsonb)
  is 'Saves progress or end of answers still streaming: [{message_id, content, status, error, response_id, input_tokens, output_tokens}].';
revoke execute on function public.save_turns(jsonb) from public, anon, authenticated;
grant execute on function public.save_turns(jsonb) to service_role;
