-- Conversations of clients that keep them themselves and send all of them with every question: the function openai.
-- Table: unkept_answers. The rest says what a request of such a client means, before begin_turn() does as usual.
-- Surprise: a thread is never found by what was said in it, or people with the same first words would share one.

-- An answer that a key, or one that was rotated into it, has asked for; nulls for any other.
create function private.find_response(caller private.caller, message_id uuid) returns public.messages
language plpgsql stable security invoker set search_path = '' as $$
declare answer public.messages;
begin
  select message.* into answer from public.messages as message
  join private.api_keys as asking on asking.id = message.api_key_id
  join private.api_keys as own on own.lineage_id = asking.lineage_id
  where message.id = find_response.message_id and message.role = 'assistant' and own.id = caller.api_key_id;
  return case when (private.find_thread(caller, answer.thread_id)).id is not null then answer end;
end $$;

-- Whether what a client has of a conversation is part of a thread: a subsequence of what was said up to an instant. Of
-- an answer that was stopped, the client may only have the beginning. At most 2,000 messages are looked at.
-- is_whole: whether it must be all that was said.
create function private.has_said(thread_id uuid, before timestamptz, said text[], is_whole boolean) returns boolean
language plpgsql stable security invoker set search_path = ''
set enable_sort = off as $$
declare
  message record;
  text text;
  place integer := cardinality(has_said.said);
begin
  if place = 0 and not is_whole then return true; end if;
  for message in
    select held.role, held.content, held.status from public.messages as held
    where held.thread_id = has_said.thread_id and held.is_listed and held.created_at < has_said.before
    order by held.created_at desc, held.sequence desc limit 2000
  loop
    text := left(message.role, 1) || btrim(message.content, E' \t\r\n');
    if said[place] = text or message.status in ('stopped', 'failed') and starts_with(text, said[place]) then
      place := place - 1;
    elsif is_whole then
      return false;
    end if;
    exit when place = 0 and not is_whole;
  end loop;
  return place = 0;
end $$;

-- The last answer of a thread, if a client asks for it again: its last question is that of the thread, and it has all
-- that was said before; null otherwise. Without anything before, it may as well ask the same for the second time.
create function private.find_repeated(thread public.threads, request private.turn_request) returns uuid
language plpgsql stable security invoker set search_path = '' as $$
declare
  said constant text[] := (request.conversation).said;
  question public.messages;
begin
  if cardinality(said) = 0 or private.is_taken_over(thread.taken_over_until) then return null; end if;
  select * into question from public.messages as message
  where message.thread_id = thread.id and message.role = 'user'
  order by message.created_at desc, message.sequence desc limit 1;
  if btrim(question.content, E' \t\r\n') is distinct from btrim(request.content, E' \t\r\n')
    or not private.has_said(thread.id, question.created_at, said, is_whole => true) then
    return null;
  end if;
  return (
    select case when count(*) = 1 then (array_agg(message.id))[1] end from public.messages as message
    where message.thread_id = thread.id and message.role = 'assistant'
      and (message.created_at, message.sequence) > (question.created_at, question.sequence)
  );
end $$;

-- A request with the thread that its client means.
create function private.find_place(caller private.caller, request private.turn_request) returns private.turn_request
language plpgsql stable security invoker set search_path = '' as $$
declare conversation constant private.client_conversation := request.conversation;
begin
  if conversation.previous_id is not null then
    request.thread_id := (private.find_response(caller, conversation.previous_id)).thread_id;
  elsif conversation.name is not null then
    -- The same name means the same thread to a key, or those it was rotated into, with this coach and this user.
    select encode(substr(sha256(convert_to(json_build_array(
      api_key.account_id, api_key.lineage_id, request.coach_id, caller.user_id, conversation.name
    )::text, 'UTF8')), 1, 16), 'hex') into request.new_thread_id
    from private.api_keys as api_key where api_key.id = caller.api_key_id;
  end if;
  return request;
end $$;

-- The same and, if the client asks for its last answer again, with that answer.
create function private.place_turn(caller private.caller, request private.turn_request) returns private.turn_request
language plpgsql stable security invoker set search_path = '' as $$
declare conversation private.client_conversation := request.conversation;
begin
  if conversation is null then return request; end if;
  request := private.find_place(caller, request);
  if cardinality(conversation.said) = 0 then return request; end if;
  -- The notice of a takeover was shown, and not stored.
  conversation.said := array_remove(
    conversation.said, 'a' || btrim((private.find_coach(caller, request.coach_id)).takeover_notice, E' \t\r\n')
  );
  request.conversation := conversation;
  if conversation.previous_id is null and coalesce(request.thread_id, request.new_thread_id) is not null then
    request.retried_id :=
      private.find_repeated(private.find_thread(caller, coalesce(request.thread_id, request.new_thread_id)), request);
  end if;
  return request;
end $$;

-- Turns that are not kept

create table private.unkept_answers (
  message_id uuid primary key,
  run_id uuid not null,
  due_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
comment on table private.unkept_answers is 'Answers whose turns are deleted when they have ended, as their clients want. The worker does that; the sweep does where the worker has died.';
comment on column private.unkept_answers.message_id is 'The answer. No reference: deleting messages would take longer.';
comment on column private.unkept_answers.run_id is 'The run that the client has asked for. An answer that was run again since is kept.';
comment on column private.unkept_answers.due_at is 'When the sweep deletes the turn: longer than any run lasts.';

-- The sweep takes what is due.
create index unkept_answers_by_due_time on private.unkept_answers (due_at);

-- Deletes the turn of an answer, and a thread of one turn with it; false if another turn has followed. The ID of the
-- thread is locked.
create function private.drop_turn(answer public.messages) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare turn private.turn;
begin
  delete from private.unkept_answers as unkept where unkept.message_id = answer.id;
  if exists (
    select from public.messages as message
    where message.thread_id = answer.thread_id and message.role <> 'system'
      and (message.created_at, message.sequence) > (answer.created_at, answer.sequence)
  ) then
    return false;
  end if;
  turn.replaced := private.find_question_of_answer(answer);
  if exists (
    select from public.messages as message
    where message.thread_id = answer.thread_id
      and (message.created_at, message.sequence) < ((turn.replaced).created_at, (turn.replaced).sequence)
  ) then
    select thread into turn.thread from public.threads as thread where thread.id = answer.thread_id;
    perform private.delete_replaced(turn, (turn.thread).title);
  else
    perform private.remove_threads(array[answer.thread_id]);
  end if;
  return true;
end $$;

-- Deletes the turns that are due: their workers have died.
create function private.drop_unkept_turns() returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  unkept private.unkept_answers;
  answer public.messages;
begin
  for unkept in
    select * from private.unkept_answers as due where due.due_at <= now() order by due.due_at limit 50
  loop
    select * into answer from public.messages as message
    where message.id = unkept.message_id and message.run_id = unkept.run_id;
    -- A thread in which somebody is asking just now waits for the next sweep.
    continue when not pg_try_advisory_xact_lock(hashtextextended(answer.thread_id::text, 0));
    select * into answer from public.messages as message
    where message.id = unkept.message_id and message.run_id = unkept.run_id;
    if found then perform private.drop_turn(answer); end if;
    delete from private.unkept_answers as done where done.message_id = unkept.message_id;
  end loop;
end $$;

-- run_id names the request that nothing is to be kept of: if another has asked for the answer since, its turn stays, for
-- the other to delete.
create function public.delete_turn(caller jsonb, user_id text, message_id uuid, run_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  answer public.messages;
begin
  perform pg_advisory_xact_lock(hashtextextended(
    (private.find_response(client, delete_turn.message_id)).thread_id::text, 0
  ));
  -- Looked up under the lock: of two who delete it at once, the second must not take the turn before for it.
  answer := private.find_response(client, delete_turn.message_id);
  if answer.id is null or exists (
    select from private.idempotency_keys as known
    where known.message_id = delete_turn.message_id and known.run_id <> delete_turn.run_id
  ) then
    return private.answer(client);
  end if;
  if not private.drop_turn(answer) then return private.refuse(client, 'not_the_last_turn'); end if;
  return private.answer(client, to_json(delete_turn.message_id));
end $$;
comment on function public.delete_turn is 'Deletes the last turn of a thread: the id of its answer; null if the caller has no such answer.';

-- Coaches as models. model_id null: all that the caller may talk to.
create function public.list_models(caller jsonb, model_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller);
begin
  return private.answer(client, case when client.is_admitted then coalesce((
    select json_agg(json_build_object(
      'id', coach.id, 'created', extract(epoch from coach.created_at)::bigint, 'owned_by', account.name,
      'name', coach.name, 'description', coach.title, 'model', coach.model, 'slug', coach.slug
    ) order by coach.name, coach.id)
    from public.coach_profiles as coach
    join public.accounts as account on account.id = coach.account_id
    where coach.account_id = client.account_id and coach.is_active
      and (client.coach_ids is null or coach.id = any (client.coach_ids))
      and (list_models.model_id is null or coach.id = list_models.model_id)
  ), '[]') end);
end $$;
comment on function public.list_models is 'The coaches that a caller may talk to, as models: [{id, created, owned_by, name, description, slug, model}]. model: the one that plays the coach.';
