-- Indexing: knowledge_files is the work list. A sweep takes one file at a time, with a claim that runs out: what a
-- killed worker leaves behind is due again. An attempt is counted before its work begins, and every batch of passages
-- that is saved begins the count anew, so that a long file may take many steps but no step more than three attempts.
-- A claim lasts four minutes: longer than the time limits of a step, which are 160 s together.

alter table public.knowledge_files
  add column bookmark jsonb,
  add column claim uuid;

comment on column public.knowledge_files.bookmark is 'Where indexing goes on; null at the beginning and at the end.';
comment on column public.knowledge_files.claim is 'Names the worker that has the file until due_at.';
comment on column public.knowledge_files.error is 'Why indexing failed, or why nothing but the name can be found.';

-- The longest due file for the caller; null when nothing is due.
create function private.take_file() returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  file public.knowledge_files;
begin
  loop
    select * into file from public.knowledge_files as candidate
    where candidate.due_at <= now()
    order by candidate.due_at, candidate.number
    limit 1
    for update skip locked;
    if not found then
      return null;
    end if;
    exit when file.attempts < 3;
    perform private.end_file(file.id, 'failed', coalesce(file.error, 'Reading the file takes more time or memory than a function has'));
  end loop;

  update public.knowledge_files as taken
  set status = 'indexing', attempts = taken.attempts + 1, claim = gen_random_uuid(),
    due_at = now() + interval '4 minutes', updated_at = now()
  where taken.id = file.id
  returning * into file;
  return json_build_object(
    'id', file.id,
    'claim', file.claim,
    'coach_id', file.coach_id,
    'name', file.name,
    'category', file.category,
    'content_type', file.content_type,
    'storage_path', file.storage_path,
    'attempt', file.attempts,
    'bookmark', file.bookmark,
    'position', case when file.bookmark is null then 0
      else (select coalesce(max(passage.position) + 1, 0) from public.passages as passage where passage.file_id = file.id) end
  );
end;
$$;

comment on function private.take_file() is 'Claims a due file for indexing; files that were tried three times fail.';
revoke execute on function private.take_file() from public;

-- A file that failed or is empty keeps no passage of an earlier try.
create function private.end_file(file_id uuid, status text, reason text) returns void
language sql volatile security invoker set search_path = ''
as $$
  delete from public.passages as passage where passage.file_id = end_file.file_id and end_file.status <> 'ready';
  update public.knowledge_files as file
  set status = end_file.status, error = end_file.reason, attempts = 0, bookmark = null, claim = null, due_at = null,
    updated_at = now()
  where file.id = end_file.file_id;
$$;

comment on function private.end_file(uuid, text, text) is 'Ends the indexing of a file.';
revoke execute on function private.end_file(uuid, text, text) from public;

-- Definer, like all functions below: service_role has no rights on the private schema.
create function public.take_indexing_work() returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paths json;
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

  return json_build_object('removals', coalesce(paths, '[]'), 'file', private.take_file());
end;
$$;

comment on function public.take_indexing_work()
  is 'What a sweep has to do: {removals: paths of objects to remove, file: a claimed file or null}.';
revoke execute on function public.take_indexing_work() from public, anon, authenticated;
grant execute on function public.take_indexing_work() to service_role;

-- Within the first minutes Storage may still write what it was sent before, so what is removed then is removed again.
create function public.end_object_removals(paths text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.object_removals as removal
  where removal.storage_path = any (end_object_removals.paths) and removal.created_at < now() - interval '4 minutes';
$$;

comment on function public.end_object_removals(text[]) is 'Takes removed objects off the list, unless they have only just come onto it.';
revoke execute on function public.end_object_removals(text[]) from public, anon, authenticated;
grant execute on function public.end_object_removals(text[]) to service_role;

-- Saves the passages from a position on, [{content, heading, page, embedding: {model, vector}}], and what follows, as
-- status: indexing (the caller goes on), queued (another
-- worker goes on at the bookmark), ready, empty or failed (the end; a file without passages is never ready).
-- Whoever has lost the claim saves nothing. The result is {is_claimed, file}: with takes_next, an ended file is
-- followed by the next one that is due.
create function public.save_indexing(
  file_id uuid,
  claim uuid,
  from_position integer,
  passages jsonb,
  status text,
  bookmark jsonb default null,
  reason text default null,
  takes_next boolean default false
) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  stored integer;
begin
  perform from public.knowledge_files as file
  where file.id = save_indexing.file_id and file.claim = save_indexing.claim
  for update;
  if not found then
    return json_build_object('is_claimed', false, 'file', case when save_indexing.takes_next then private.take_file() end);
  end if;

  if save_indexing.status in ('indexing', 'queued', 'ready') then
    stored := public.store_passages(save_indexing.file_id, save_indexing.from_position, save_indexing.passages);
    perform private.store_embeddings(save_indexing.file_id, save_indexing.from_position, save_indexing.passages);
  end if;
  if save_indexing.status in ('indexing', 'queued') then
    update public.knowledge_files as file
    set status = save_indexing.status,
      bookmark = save_indexing.bookmark,
      attempts = case when save_indexing.status = 'indexing' then 1 else 0 end,
      due_at = case when save_indexing.status = 'indexing' then now() + interval '4 minutes' else now() end,
      claim = case when save_indexing.status = 'indexing' then file.claim end,
      error = null,
      updated_at = now()
    where file.id = save_indexing.file_id;
  else
    perform private.end_file(
      save_indexing.file_id,
      case when save_indexing.status = 'ready' and stored = 0 then 'empty' else save_indexing.status end,
      save_indexing.reason
    );
  end if;
  return json_build_object(
    'is_claimed', true,
    'file', case when save_indexing.takes_next and save_indexing.status <> 'indexing' then private.take_file() end
  );
end;
$$;

comment on function public.save_indexing(uuid, uuid, integer, jsonb, text, jsonb, text, boolean)
  is 'Saves a step of indexing: passages, and whether the file goes on, waits or has ended.';
revoke execute on function public.save_indexing(uuid, uuid, integer, jsonb, text, jsonb, text, boolean) from public, anon, authenticated;
grant execute on function public.save_indexing(uuid, uuid, integer, jsonb, text, jsonb, text, boolean) to service_role;

-- With takes_next the next file that is due follows: {is_claimed, file}.
create function public.postpone_indexing(file_id uuid, claim uuid, reason text, takes_next boolean default false) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  file public.knowledge_files;
begin
  select * into file from public.knowledge_files as candidate
  where candidate.id = postpone_indexing.file_id and candidate.claim = postpone_indexing.claim
  for update;
  if file.attempts >= 3 then
    perform private.end_file(file.id, 'failed', postpone_indexing.reason);
  else
    update public.knowledge_files as postponed
    set status = 'queued', error = postpone_indexing.reason, claim = null, updated_at = now(),
      due_at = now() + file.attempts * interval '30 seconds'
    where postponed.id = file.id;
  end if;
  return json_build_object(
    'is_claimed', file.id is not null,
    'file', case when postpone_indexing.takes_next then private.take_file() end
  );
end;
$$;

comment on function public.postpone_indexing(uuid, uuid, text, boolean) is 'Gives a file back after an attempt in vain, to be tried again somewhat later; the third one was the last.';
revoke execute on function public.postpone_indexing(uuid, uuid, text, boolean) from public, anon, authenticated;
grant execute on function public.postpone_indexing(uuid, uuid, text, boolean) to service_role;

-- As before, but from the beginning of each file, and whoever is at work on one has lost it.
create or replace function private.queue_files_of_coach() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  update public.knowledge_files as file
  set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now()
  where file.coach_id = new.id;
  return null;
end;
$$;
