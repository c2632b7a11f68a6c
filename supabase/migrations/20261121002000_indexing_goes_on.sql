-- Indexing goes on after a file that was deleted while it was read: the failure to read it says nothing of the others.

-- With takes_next, or when the file has gone meanwhile, the next file that is due follows: {is_claimed, file}.
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
    perform private.end_file(file.id, 'failed', postpone_indexing.reason);
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
