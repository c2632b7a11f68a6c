-- Responses that nobody may find any more. The backend of the language model keeps what it was asked and what it said; when
-- a message goes, by whatever hand, its responses are put on a list, which the sweep of the indexer works off: it has
-- the model's key, and what fails today is tried again. Whoever deletes need not wait, and a killed process forgets none.

alter table public.messages add column other_response_ids text[];
comment on column public.messages.other_response_ids is 'Responses of this answer besides response_id: those in which the model called tools.';

create table private.response_removals (
  response_id text primary key,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now()
);

comment on table private.response_removals is 'Responses to delete at the backend of the language model, tried for 30 days: OpenAI keeps none for longer.';

-- The sweep takes what is due, and drops what is old.
create index response_removals_by_due_time on private.response_removals (due_at);
create index response_removals_by_age on private.response_removals (created_at);

alter table private.response_removals enable row level security;

create policy "Only the functions of this schema reach response removals" on private.response_removals
  for all to anon, authenticated using (false) with check (false);

create function private.remove_responses(response_ids text[]) returns void
language sql volatile security invoker set search_path = ''
as $$
  insert into private.response_removals (response_id)
  select response.id from unnest(remove_responses.response_ids) as response (id) where response.id is not null
  on conflict do nothing;
$$;

comment on function private.remove_responses(text[]) is 'Puts responses on the list of those to remove; nulls are skipped.';
revoke execute on function private.remove_responses(text[]) from public;

-- Definer: whoever deletes a message has no rights on the private schema.
create function private.remove_responses_of_messages() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.remove_responses(array(
    select unnest(array_append(deleted.other_response_ids, deleted.response_id)) from deleted
  ));
  return null;
end;
$$;

comment on function private.remove_responses_of_messages() is 'Puts the responses of deleted messages on the list of responses to remove.';
revoke execute on function private.remove_responses_of_messages() from public;

create trigger messages_remove_responses after delete on public.messages
  referencing old table as deleted
  for each statement execute function private.remove_responses_of_messages();

-- As before, with all responses of an answer. Those of an end that is not taken, since the answer has gone or has become
-- another, are to be removed. Definer: the list is private.
create or replace function public.save_turns(turns jsonb) returns json
language sql volatile security definer set search_path = ''
as $$
  with turn as (
    select * from jsonb_to_recordset(save_turns.turns) as turn (
      message_id uuid, run_id uuid, content text, status text, error_code text, error text, response_id text,
      input_tokens integer, output_tokens integer, sources jsonb, other_response_ids text[]
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
      error_code = turn.error_code,
      error = turn.error,
      response_id = turn.response_id,
      other_response_ids = array_remove(
        coalesce(turn.other_response_ids, message.other_response_ids), turn.response_id
      ),
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
  ), forgotten as (
    insert into private.response_removals (response_id)
    select response.id
    from turn
    left join public.messages as message on message.id = turn.message_id
    cross join unnest(array_append(turn.other_response_ids, turn.response_id)) as response (id)
    where turn.status <> 'streaming' and turn.run_id is not null and response.id is not null
      and not exists (select from saved where saved.id = turn.message_id)
      -- One that is still streaming has this very end under way by another request.
      and (message.run_id is distinct from turn.run_id or message.status <> 'streaming')
      and response.id is distinct from message.response_id
      and (response.id = any (message.other_response_ids)) is not true
    on conflict do nothing
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
  is 'Saves progress or end of answers: [{message_id, run_id, content, status, error_code, error, response_id, input_tokens, output_tokens, sources, other_response_ids}]; those that should end, and why.';

-- As before, with the responses to remove.
create or replace function public.take_indexing_work() returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paths json;
  response_ids json;
begin
  -- No more than 20 files go with a request, so no abandoned upload has left other objects.
  with abandoned as (
    delete from private.uploads as upload where upload.due_at <= now() returning upload.account_id, upload.id
  )
  insert into private.object_removals (storage_path)
  select format('%s/%s/%s', abandoned.account_id, abandoned.id, number)
  from abandoned cross join generate_series(1, 20) as number
  on conflict do nothing;

  with due as (
    select removal.storage_path from private.object_removals as removal
    where removal.due_at <= now()
    order by removal.due_at
    limit 500
    for update skip locked
  ), taken as (
    update private.object_removals as removal
    set due_at = now() + interval '5 minutes'
    from due
    where removal.storage_path = due.storage_path
    returning removal.storage_path
  )
  select json_agg(taken.storage_path) into paths from taken;

  -- By then the backend has forgotten them by itself.
  delete from private.response_removals as removal where removal.created_at < now() - interval '30 days';
  with due as (
    select removal.response_id from private.response_removals as removal
    where removal.due_at <= now()
    order by removal.due_at
    limit 200
    for update skip locked
  ), taken as (
    update private.response_removals as removal
    set due_at = now() + interval '5 minutes'
    from due
    where removal.response_id = due.response_id
    returning removal.response_id
  )
  select json_agg(taken.response_id) into response_ids from taken;

  return json_build_object(
    'removals', coalesce(paths, '[]'),
    'responses', coalesce(response_ids, '[]'),
    'has_more_responses', exists (select from private.response_removals as removal where removal.due_at <= now()),
    'file', private.take_file()
  );
end;
$$;

comment on function public.take_indexing_work()
  is 'What a sweep has to do: {removals: paths of objects to remove, responses: ids of responses to remove, has_more_responses, file: a claimed file or null}.';

create function public.end_response_removals(response_ids text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.response_removals as removal where removal.response_id = any (end_response_removals.response_ids);
$$;

comment on function public.end_response_removals(text[]) is 'Takes removed responses off the list.';
revoke execute on function public.end_response_removals(text[]) from public, anon, authenticated;
grant execute on function public.end_response_removals(text[]) to service_role;

-- As before, for responses too.
create or replace function private.wake_indexer() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  project_url text;
  secret_key text;
begin
  if not exists (select from public.knowledge_files as file where file.due_at <= now())
    and not exists (select from private.object_removals as removal where removal.due_at <= now())
    and not exists (select from private.response_removals as removal where removal.due_at <= now())
    and not exists (select from private.uploads as upload where upload.due_at <= now())
  then
    return;
  end if;
  select secret.decrypted_secret into project_url from vault.decrypted_secrets as secret where secret.name = 'project_url';
  select secret.decrypted_secret into secret_key from vault.decrypted_secrets as secret where secret.name = 'secret_key';
  if project_url is null or secret_key is null then
    raise warning 'The indexer cannot be called: store project_url and secret_key in the vault';
    return;
  end if;
  perform net.http_post(
    url := rtrim(project_url, '/') || '/functions/v1/indexer',
    headers := jsonb_build_object('apikey', secret_key, 'Content-Type', 'application/json'),
    body := '{}'::jsonb,
    timeout_milliseconds := 10000
  );
end;
$$;
