-- Indexing a file again costs nothing that was there: where Storage or a model fails, or the worker dies, before anything
-- new is stored, the passages of before can still be found. And the log of the indexer names the request of the upload.

create function private.give_file_up(file public.knowledge_files, reason text) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  -- With a bookmark, what there is is the beginning of something new.
  if file.bookmark is not null then
    perform private.end_file(file.id, 'failed', give_file_up.reason);
  else
    update public.knowledge_files as given_up
    set status = 'failed', error = give_file_up.reason, attempts = 0, claim = null, due_at = null, updated_at = now()
    where given_up.id = file.id;
  end if;
end;
$$;

comment on function private.give_file_up(public.knowledge_files, text) is 'Ends the indexing of a file that was tried three times; passages of before stay.';
revoke execute on function private.give_file_up(public.knowledge_files, text) from public;

-- As before, with the request of the upload.
create or replace function private.take_file() returns json
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
    perform private.give_file_up(file, coalesce(file.error, 'Reading the file takes more time or memory than a function has'));
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
    'request_id', file.request_id,
    'attempt', file.attempts,
    'bookmark', file.bookmark,
    'position', case when file.bookmark is null then 0
      else (select coalesce(max(passage.position) + 1, 0) from public.passages as passage where passage.file_id = file.id) end
  );
end;
$$;

-- As before, but for the passages.
create or replace function public.postpone_indexing(file_id uuid, claim uuid, reason text, takes_next boolean default false) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  file public.knowledge_files;
begin
  select * into file from public.knowledge_files as candidate
  where candidate.id = postpone_indexing.file_id and candidate.claim = postpone_indexing.claim
  for update;
  if file.attempts >= 3 then
    perform private.give_file_up(file, postpone_indexing.reason);
  else
    update public.knowledge_files as postponed
    set status = 'queued', error = postpone_indexing.reason, claim = null, updated_at = now(),
      due_at = now() + file.attempts * interval '30 seconds'
    where postponed.id = file.id;
  end if;
  return json_build_object(
    'is_claimed', file.id is not null,
    'file', case when postpone_indexing.takes_next or file.id is null then private.take_file() end
  );
end;
$$;
