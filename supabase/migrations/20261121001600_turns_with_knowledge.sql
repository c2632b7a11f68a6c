-- Turns with knowledge: a turn begins with the passages of the coach's files that fit the message, found in the round
-- trip that it takes anyhow, and the answer keeps which passages the model was given.

alter table public.messages add column sources jsonb;
comment on column public.messages.sources is 'Passages that the model was given for this answer, best first: [{fileId, filename, page, heading, quote, score}]; null for none. They stay when the file goes.';

drop function public.begin_turn(uuid, uuid, text, text, text, text, text, text);

-- Everything a turn needs before the model is called, in one round trip. The result is the turn, or
-- {"error": …} with one of thread_not_found, coach_not_found, coach_mismatch, not_the_coach; nothing is written then.
-- user_id null: the key alone asks. It may continue any thread of its account; a new thread is anonymous.
-- is_signed_in: a bearer token says who user_id is, not the key. Without it nobody is the coach's own user.
-- is_expert_action: only the coach's own user may, and the model is not asked, so that no passages are looked up.
-- query_vector: the embedding of the message as JSON, {"model", "vector"}.
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
  query_vector text default null
) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  passage_count constant integer := 6;
  passage_characters constant integer := 12000;
  thread public.threads;
  coach public.coach_profiles;
  is_owner boolean;
  asked_at timestamptz;
  answer_id uuid;
  history json;
  last_exchange text;
  passages json;
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

  -- For a coach without files this is one look into an index.
  if not begin_turn.is_expert_action
    and exists (select from public.knowledge_files as file where file.coach_id = coach.id)
  then
    select string_agg(left(said.content, 1000), ' ') into last_exchange
    from (
      select message.content
      from public.messages as message
      where message.thread_id = thread.id and message.role <> 'system' and message.content <> ''
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

  insert into public.messages (thread_id, role, content, mode, request_id, created_at, updated_at)
  values (thread.id, 'user', begin_turn.content, begin_turn.mode, begin_turn.request_id, asked_at, asked_at);
  insert into public.messages (thread_id, role, status, request_id, created_at)
  values (thread.id, 'assistant', 'streaming', begin_turn.request_id, asked_at + interval '1 millisecond')
  returning id into answer_id;

  return json_build_object(
    'thread_id', thread.id,
    'message_id', answer_id,
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

comment on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text)
  is 'Writes the question and the empty answer of a turn and returns what the model call needs, or an error.';
revoke execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text) from public, anon, authenticated;
grant execute on function public.begin_turn(uuid, uuid, text, text, text, text, text, text, boolean, boolean, text) to service_role;

-- As before, with the sources. They do not change: whoever saves an answer without them leaves them as they are.
create or replace function public.save_turns(turns jsonb) returns void
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
      sources = coalesce(turn.sources, message.sources),
      updated_at = now()
    from jsonb_to_recordset(save_turns.turns) as turn (
      message_id uuid, content text, status text, error text, response_id text, input_tokens integer,
      output_tokens integer, sources jsonb
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
  is 'Saves progress or end of answers still streaming: [{message_id, content, status, error, response_id, input_tokens, output_tokens, sources}].';
