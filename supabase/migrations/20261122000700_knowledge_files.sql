-- Knowledge files: what a coach knows beyond its instructions. The bytes are in Storage, everything else is here.
-- Tables: knowledge_files, uploads (those under way), object_removals (to be deleted in Storage). Bucket: knowledge.
-- Objects and rows match each other: an upload is announced in uploads before its first byte goes to Storage. When all
-- of it has arrived, its rows appear in one transaction and the announcement is deleted. Objects without a row are put
-- on the list object_removals, which the indexer's sweep works off. They are left by uploads that never ended, by
-- deleted files, and by second copies.
-- Surprises: the name of a file is never part of its path in Storage. The table of files is also the work list of the
-- indexer (see indexing).

create table public.knowledge_files (
  id uuid primary key default gen_random_uuid(),
  number integer generated always as identity,
  account_id uuid not null,
  coach_id text not null,
  name text not null,
  size bigint not null,
  content_type text not null,
  category text not null,
  digest text not null,
  storage_path text not null,
  source_id uuid references public.knowledge_sources (id) on delete cascade,
  source_url text,
  fetched_at timestamptz,
  status text not null default 'queued',
  error text,
  attempts integer not null default 0,
  bookmark jsonb,
  claim uuid,
  due_at timestamptz default now(),
  request_id text,
  uploaded_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint knowledge_files_name_is_1_to_500_characters check (btrim(name) <> '' and char_length(name) <= 500),
  constraint knowledge_files_size_is_positive check (size > 0),
  constraint knowledge_files_category_is_known check (category in ('documents', 'images', 'videos')),
  constraint knowledge_files_digest_is_sha_256 check (digest ~ '^[0-9a-f]{64}$'),
  constraint knowledge_files_status_is_known check (status in ('queued', 'indexing', 'ready', 'empty', 'failed')),
  constraint knowledge_files_attempts_are_counted_up check (attempts >= 0),
  constraint knowledge_files_number_is_unique unique (number),
  constraint knowledge_files_storage_path_is_unique unique (storage_path),
  constraint knowledge_files_same_file_is_stored_once unique (coach_id, digest, name),
  constraint knowledge_files_coach_is_unique_per_id unique (id, coach_id),
  constraint knowledge_files_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete restrict
) with (
  -- Indexing rewrites a row several times, each time with another due_at and thus in all its indexes.
  autovacuum_vacuum_scale_factor = 0.05
);
comment on table public.knowledge_files is 'A file in the knowledge base of a coach. A coach that has files cannot be deleted: set is_active to false instead.';
comment on column public.knowledge_files.id is 'The fileId of the API.';
comment on column public.knowledge_files.number is 'Short name of the file inside the search index.';
comment on column public.knowledge_files.account_id is 'The account of the coach.';
comment on column public.knowledge_files.coach_id is 'The coach that knows the file.';
comment on column public.knowledge_files.name is 'The name as uploaded. The same name with other bytes is another file.';
comment on column public.knowledge_files.size is 'In bytes.';
comment on column public.knowledge_files.content_type is 'MIME type, confirmed by the content.';
comment on column public.knowledge_files.category is 'documents, images or videos.';
comment on column public.knowledge_files.digest is 'SHA-256 of the bytes, in hex.';
comment on column public.knowledge_files.storage_path is 'The path of the bytes in Storage.';
comment on column public.knowledge_files.source_id is 'The source that the file is a page of; null: it was uploaded.';
comment on column public.knowledge_files.source_url is 'The address of the page.';
comment on column public.knowledge_files.fetched_at is 'When the page was last read, or found unchanged.';
comment on column public.knowledge_files.status is 'queued, indexing, ready (can be searched by content), empty (holds no text), failed (could not be read; see error).';
comment on column public.knowledge_files.error is 'The reason why indexing failed, why only the name can be found, or what of a ready file could not be read.';
comment on column public.knowledge_files.attempts is 'Number of attempts to index the file; counted before the work.';
comment on column public.knowledge_files.bookmark is 'The place where indexing continues; null at the beginning and at the end.';
comment on column public.knowledge_files.claim is 'The worker that has the file until due_at.';
comment on column public.knowledge_files.due_at is 'When a sweep may take the file; null when nothing is left to do.';
comment on column public.knowledge_files.request_id is 'X-Request-Id of the request that uploaded the file: leads to its log lines.';
comment on column public.knowledge_files.uploaded_at is 'When the upload ended.';
comment on column public.knowledge_files.updated_at is 'When the state of indexing last changed.';

-- The files of a coach, newest first.
create index knowledge_files_by_coach on public.knowledge_files (coach_id, uploaded_at desc, id desc);
-- The same of one category.
create index knowledge_files_by_category on public.knowledge_files (coach_id, category, uploaded_at desc, id desc);
-- Deleting or moving a coach checks for its files.
create index knowledge_files_by_account on public.knowledge_files (account_id, coach_id);
-- The sweep takes what is due, longest due first.
create index knowledge_files_by_due_time on public.knowledge_files (due_at, number) where due_at is not null;
-- The same of one account.
create index knowledge_files_by_account_and_due_time on public.knowledge_files (account_id, due_at, number)
  where due_at is not null;
-- Whether a file of an account is being read.
create index knowledge_files_claimed on public.knowledge_files (account_id) where claim is not null;
-- Those of a source.
create index knowledge_files_by_source on public.knowledge_files (source_id) where source_id is not null;
-- Parts of names.
create index knowledge_files_by_part_of_name on public.knowledge_files using gin (name extensions.gin_trgm_ops);

grant select, insert, update, delete on public.knowledge_files to service_role;

-- An entry of the list of knowledge files.
create function private.describe_file(file public.knowledge_files, score double precision, snippet text) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return json_build_object('fileId', file.id, 'filename', file.name, 'size', file.size, 'contentType', file.content_type,
    'uploadedAt', private.to_wire_time(file.uploaded_at), 'category', file.category, 'status', file.status,
    -- While the file waits to be tried again, the reason is of no use to anybody but the operator.
    'error', case when file.status in ('failed', 'empty') then file.error end,
    'warning', case when file.status = 'ready' then file.error end,
    'score', round(score::numeric, 4), 'snippet', snippet,
    'source_id', file.source_id, 'source_url', file.source_url, 'fetched_at', private.to_wire_time(file.fetched_at));
end $$;

-- The file with this id, if its coach exists for the caller and has it; otherwise nulls.
create function private.find_file(caller private.caller, coach_id text, file_id uuid) returns public.knowledge_files
language plpgsql stable security invoker set search_path = '' as $$
declare
  coach constant public.coach_profiles := private.find_coach(caller, coach_id);
  found_file public.knowledge_files;
begin
  select * into found_file from public.knowledge_files as file
  where file.id = find_file.file_id and file.coach_id = coach.id;
  return found_file;
end $$;

-- coach_not_found or not_the_coach; null if the caller may change the knowledge of the coach or, needed being answerer,
-- read all of it.
create function private.refuse_change(caller private.caller, coach_id text, needed text default 'editor') returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  -- The interface has a sentence of its own for these.
  return regexp_replace(private.refuse_unless_expert(caller, coach_id, needed), '^(not_the_e|role).*', 'not_the_coach');
end $$;

create function public.delete_knowledge_file(caller jsonb, coach_id text, user_id text, file_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_change(client, coach_id);
  found_file constant public.knowledge_files := private.find_file(client, coach_id, file_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  delete from public.knowledge_files as file where file.id = found_file.id;
  if not found then return private.refuse(client, 'file_not_found'); end if;
  return private.answer(client, json_build_object('storage_path', found_file.storage_path));
end $$;
comment on function public.delete_knowledge_file is 'Deletes a file with its passages: {"storage_path"}, whose object is to be removed, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found"}.';

-- Objects

-- Without any policy: only the service's own key reaches the objects.
insert into storage.buckets (id, name, public, file_size_limit)
values ('knowledge', 'knowledge', false, 52428800)
on conflict (id) do nothing;

-- The path of an object of an upload in Storage: <account>/<upload>/<number, from 1>.
create function private.object_path(account_id uuid, upload_id uuid, number integer) returns text
language sql stable security invoker set search_path = ''
return format('%s/%s/%s', account_id, upload_id, number);

create table private.object_removals (
  storage_path text primary key,
  bucket text not null default 'knowledge',
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  taken_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.object_removals is 'Objects in Storage without a file, and pictures that no coach has (see coach_versions). The sweep removes them, and tries again later if Storage fails.';
comment on column private.object_removals.storage_path is 'The path of the object in Storage, if it exists.';
comment on column private.object_removals.bucket is 'knowledge or pictures. No path is in both.';
comment on column private.object_removals.created_at is 'When the object was put on the list.';
comment on column private.object_removals.due_at is 'When the sweep tries to remove it next.';
comment on column private.object_removals.taken_at is 'When a sweep last tried to; null: none has.';

-- The sweep takes what is due.
create index object_removals_by_due_time on private.object_removals (due_at);

-- Puts the objects of deleted files on the list of objects to remove, and takes their names out of the replies that are
-- kept for repeated uploads: these are still not carried out again.
-- Definer: service_role may delete files, but has no rights on the private schema.
create function private.remove_objects_of_files() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.object_removals (storage_path)
  select deleted.storage_path from deleted on conflict do nothing;
  update private.idempotency_keys as request
  set reply = (
    select json_agg(case when entry.file->>'fileId' in (select deleted.id::text from deleted)
      then (entry.file::jsonb || '{"filename": ""}')::json else entry.file end order by entry.place)
    from json_array_elements(request.reply) with ordinality as entry (file, place)
  )
  where request.operation = 'upload' and request.account_id in (select deleted.account_id from deleted) and exists (
    select from json_array_elements(request.reply) as entry (file)
    where entry.file->>'fileId' in (select deleted.id::text from deleted)
  );
  return null;
end $$;
create trigger knowledge_files_remove_objects after delete on public.knowledge_files referencing old table as deleted
  for each statement execute function private.remove_objects_of_files();

-- During the first minutes Storage may still write what it was sent before. Such an object stays on the list, and is
-- removed once more.
create function public.end_object_removals(paths text[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.object_removals as removal
  where removal.storage_path = any (end_object_removals.paths) and removal.created_at < now() - interval '4 minutes';
$$;
comment on function public.end_object_removals is 'Takes removed objects off the list, unless they were put on it a moment ago.';

-- Uploads

create table private.uploads (
  id uuid primary key default gen_random_uuid(),
  -- No reference: this row must outlive its account, since the objects are found by it.
  account_id uuid not null,
  coach_id text not null,
  due_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
comment on table private.uploads is 'Uploads under way. Their objects are <account>/<upload>/1 to 20 in the bucket knowledge.';
comment on column private.uploads.id is 'Part of the path of the objects.';
comment on column private.uploads.account_id is 'The account of the coach.';
comment on column private.uploads.coach_id is 'The coach that gets the files.';
comment on column private.uploads.due_at is 'When the upload counts as abandoned: longer than any request lasts.';

-- The sweep looks for abandoned ones.
create index uploads_by_due_time on private.uploads (due_at);

create function public.begin_upload(caller jsonb, coach_id text, user_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_change(client, coach_id);
  upload_id uuid;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  insert into private.uploads (account_id, coach_id, due_at)
  values (client.account_id, begin_upload.coach_id, now() + interval '15 minutes')
  returning id into upload_id;
  return private.answer(client, json_build_object('upload_id', upload_id));
end $$;
comment on function public.begin_upload is 'Announces an upload: its id, or {"error": "coach_not_found" | "not_the_coach"}.';

-- Makes the stored objects of an upload files of its coach, queued for indexing.
create function private.add_files(upload private.uploads, files jsonb, request_id text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into public.knowledge_files
    (account_id, coach_id, name, size, content_type, category, digest, storage_path, request_id)
  select upload.account_id, upload.coach_id, file.name, file.size, file.content_type, file.category, file.digest,
    private.object_path(upload.account_id, upload.id, file.object), add_files.request_id
  from jsonb_to_recordset(add_files.files)
    as file (object integer, name text, size bigint, content_type text, category text, digest text)
  order by file.object on conflict on constraint knowledge_files_same_file_is_stored_once do nothing;

  -- A failed file that is sent again is to be tried again.
  update public.knowledge_files as file
  set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now(),
    request_id = add_files.request_id
  from jsonb_to_recordset(add_files.files) as sent (name text, digest text)
  where file.coach_id = upload.coach_id and file.digest = sent.digest and file.name = sent.name
    and file.status = 'failed';
end $$;

-- files: [{object, name, size, content_type, category, digest}]; object is the number of the stored object, objects how
-- many were stored. The same bytes under the same name are the file that already exists. The result describes the files
-- in the order given, also if a lost call is repeated; it is null if the upload was given up as abandoned: then nothing
-- is stored.
-- idempotency_key: the result of an earlier upload with the same key is returned again; with another fingerprint,
-- {"error": "idempotency_key_reused"}. The objects of this upload are then removed.
create function public.end_upload(caller jsonb, upload_id uuid, coach_id text, user_id text, objects integer,
  files jsonb, request_id text, idempotency_key text default null, fingerprint text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
  -- The caller's role may have changed while the files arrived.
  refusal constant text := case when end_upload.files <> '[]' then private.refuse_change(client, coach_id) end;
  key_owner constant text := coalesce(client.user_id, '');
  upload private.uploads;
  earlier private.idempotency_keys;
  described json;
begin
  if not client.is_admitted then return private.answer(client); end if;
  if idempotency_key is not null then
    earlier := private.recall_request(client.account_id, key_owner, 'upload', idempotency_key);
  end if;

  delete from private.uploads as announced where announced.id = upload_id and announced.coach_id = coach.id
  returning * into upload;
  if found then
    if earlier.key is null and refusal is null then perform private.add_files(upload, files, request_id); end if;
    -- Objects that did not become a file.
    insert into private.object_removals (storage_path)
    select path
    from generate_series(1, end_upload.objects) as number
    cross join lateral private.object_path(upload.account_id, upload.id, number) as path
    where not exists (select from public.knowledge_files as file where file.storage_path = path) on conflict do nothing;
  end if;
  if refusal is not null then return private.refuse(client, refusal); end if;
  if earlier.key is not null then
    if earlier.fingerprint <> end_upload.fingerprint then return private.refuse(client, 'idempotency_key_reused'); end if;
    return private.answer(client, earlier.reply);
  end if;

  select coalesce(json_agg(json_build_object(
    'fileId', file.id, 'filename', file.name, 'size', file.size, 'contentType', file.content_type,
    'uploadedAt', private.to_wire_time(file.uploaded_at), 'category', file.category
  ) order by sent.object), '[]') into described
  from jsonb_to_recordset(end_upload.files) as sent (object integer, name text, digest text)
  join public.knowledge_files as file
    on file.coach_id = coach.id and file.digest = sent.digest and file.name = sent.name;
  if upload.id is null and json_array_length(described) < jsonb_array_length(files) then
    return private.answer(client);
  end if;
  if idempotency_key is not null then
    perform private.remember_request(
      client.account_id, key_owner, 'upload', idempotency_key, fingerprint, reply => described
    );
  end if;
  return private.answer(client, described);
end $$;
comment on function public.end_upload is 'Makes the stored objects of an upload files of the coach, all at once, queued for indexing.';
