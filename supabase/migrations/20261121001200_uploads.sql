-- Uploads: how the objects in Storage and the rows of knowledge_files stay together.
-- Before the first byte goes to Storage an upload is announced; when all of it has arrived, the rows appear in one
-- transaction and the announcement goes. Whatever an announcement leaves behind, whatever a row leaves behind when it is
-- deleted, and second copies of a file are on a list of objects to remove, which the indexing sweep works off.

-- Private, and without any policy: only the service's own key reaches the objects.
insert into storage.buckets (id, name, public, file_size_limit)
values ('knowledge', 'knowledge', false, 52428800)
on conflict (id) do nothing;

create table private.uploads (
  id uuid primary key default gen_random_uuid(),
  -- No reference: an account that goes must not take along what its objects are found by.
  account_id uuid not null,
  coach_id text not null,
  due_at timestamptz not null
);

comment on table private.uploads is 'Uploads under way. Their objects are <account>/<upload>/1 to 20 in the bucket knowledge.';
comment on column private.uploads.due_at is 'When the upload counts as abandoned: no request lives that long.';

-- The sweep looks for abandoned ones.
create index uploads_by_due_time on private.uploads (due_at);

create table private.object_removals (
  storage_path text primary key,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now()
);

comment on table private.object_removals is 'Objects in Storage that no file owns. The sweep removes them, and tries again later where Storage fails.';

-- The sweep takes what is due.
create index object_removals_by_due_time on private.object_removals (due_at);

alter table private.uploads enable row level security;
alter table private.object_removals enable row level security;

create policy "Only the functions of this schema reach uploads" on private.uploads
  for all to anon, authenticated using (false) with check (false);
create policy "Only the functions of this schema reach object removals" on private.object_removals
  for all to anon, authenticated using (false) with check (false);

-- Definer: whoever deletes a file has no rights on the private schema.
create function private.remove_objects_of_files() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.object_removals (storage_path)
  select deleted.storage_path from deleted
  on conflict do nothing;
  return null;
end;
$$;

comment on function private.remove_objects_of_files() is 'Puts the objects of deleted files on the list of objects to remove.';
revoke execute on function private.remove_objects_of_files() from public;

create trigger knowledge_files_remove_objects after delete on public.knowledge_files
  referencing old table as deleted
  for each statement execute function private.remove_objects_of_files();

create function private.describe_upload(file public.knowledge_files) returns json
language sql stable security invoker set search_path = ''
return json_build_object(
  'fileId', file.id,
  'filename', file.name,
  'size', file.size,
  'contentType', file.content_type,
  'uploadedAt', to_char(file.uploaded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'category', file.category
);

comment on function private.describe_upload(public.knowledge_files) is 'A knowledge file as the reply to its upload shows it.';
revoke execute on function private.describe_upload(public.knowledge_files) from public;

-- Whether somebody may change the knowledge of a coach: null, or what speaks against it. user_id null: the key alone
-- asks; a signed-in user must be the coach.
create function private.refuse_writer(account_id uuid, coach_id text, user_id text) returns text
language sql stable security invoker set search_path = ''
as $$
  select case
    when coach.id is null then 'coach_not_found'
    when refuse_writer.user_id <> coalesce(coach.owner_id::text, '') then 'not_the_coach'
  end
  from (values (1)) as one
  left join public.coach_profiles as coach
    on coach.id = refuse_writer.coach_id and coach.account_id = refuse_writer.account_id;
$$;

comment on function private.refuse_writer(uuid, text, text) is 'Why somebody may not change the knowledge of a coach; null when they may.';
revoke execute on function private.refuse_writer(uuid, text, text) from public;

-- Definer, like all functions below: service_role has no rights on the private schema.
create function public.begin_upload(account_id uuid, coach_id text, user_id text) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  refusal constant text := private.refuse_writer(begin_upload.account_id, begin_upload.coach_id, begin_upload.user_id);
  upload_id uuid;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  insert into private.uploads (account_id, coach_id, due_at)
  values (begin_upload.account_id, begin_upload.coach_id, now() + interval '15 minutes')
  returning id into upload_id;
  return json_build_object('upload_id', upload_id);
end;
$$;

comment on function public.begin_upload(uuid, text, text)
  is 'Announces an upload: its id, or {"error": "coach_not_found" | "not_the_coach"}.';
revoke execute on function public.begin_upload(uuid, text, text) from public, anon, authenticated;
grant execute on function public.begin_upload(uuid, text, text) to service_role;

-- files: [{object, name, size, content_type, category, digest}]; object is the number of the stored object, objects how
-- many were stored. The same bytes under the same name are the file that is already there. The result describes the
-- files in the order given; null when the upload was given up meanwhile: nothing is stored then. A request may arrive
-- twice when its connection breaks: the second is told what the first has stored.
create function public.end_upload(upload_id uuid, coach_id text, objects integer, files jsonb) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload private.uploads;
  described json;
begin
  delete from private.uploads as candidate
  where candidate.id = end_upload.upload_id and candidate.coach_id = end_upload.coach_id
  returning * into upload;

  if found then
    insert into public.knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
    select upload.account_id, upload.coach_id, file.name, file.size, file.content_type, file.category, file.digest,
      format('%s/%s/%s', upload.account_id, upload.id, file.object)
    from jsonb_to_recordset(end_upload.files) as file (
      object integer, name text, size bigint, content_type text, category text, digest text
    )
    order by file.object
    on conflict on constraint knowledge_files_same_file_is_stored_once do nothing;

    -- Whoever sends a failed file again wants it tried again.
    update public.knowledge_files as file
    set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now()
    from jsonb_to_recordset(end_upload.files) as sent (name text, digest text)
    where file.coach_id = upload.coach_id and file.digest = sent.digest and file.name = sent.name
      and file.status = 'failed';

    insert into private.object_removals (storage_path)
    select stored.path
    from (
      select format('%s/%s/%s', upload.account_id, upload.id, number) as path
      from generate_series(1, end_upload.objects) as number
    ) as stored
    where not exists (select from public.knowledge_files as file where file.storage_path = stored.path)
    on conflict do nothing;
  end if;

  select json_agg(private.describe_upload(file) order by sent.object) into described
  from jsonb_to_recordset(end_upload.files) as sent (object integer, name text, digest text)
  join public.knowledge_files as file
    on file.coach_id = end_upload.coach_id and file.digest = sent.digest and file.name = sent.name;
  if upload.id is null and coalesce(json_array_length(described), 0) < jsonb_array_length(end_upload.files) then
    return null;
  end if;
  return coalesce(described, '[]');
end;
$$;

comment on function public.end_upload(uuid, text, integer, jsonb)
  is 'Makes the stored objects of an upload files of the coach, all at once, queued for indexing.';
revoke execute on function public.end_upload(uuid, text, integer, jsonb) from public, anon, authenticated;
grant execute on function public.end_upload(uuid, text, integer, jsonb) to service_role;

create function public.delete_knowledge_file(account_id uuid, coach_id text, user_id text, file_id uuid) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  refusal constant text :=
    private.refuse_writer(delete_knowledge_file.account_id, delete_knowledge_file.coach_id, delete_knowledge_file.user_id);
  path text;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  delete from public.knowledge_files as file
  where file.id = delete_knowledge_file.file_id and file.coach_id = delete_knowledge_file.coach_id
  returning file.storage_path into path;
  if not found then
    return json_build_object('error', 'file_not_found');
  end if;
  return json_build_object('storage_path', path);
end;
$$;

comment on function public.delete_knowledge_file(uuid, text, text, uuid)
  is 'Deletes a file with its passages: {"storage_path"}, whose object is to be removed, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found"}.';
revoke execute on function public.delete_knowledge_file(uuid, text, text, uuid) from public, anon, authenticated;
grant execute on function public.delete_knowledge_file(uuid, text, text, uuid) to service_role;
