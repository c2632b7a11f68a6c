-- Versions: replacing a file, also a page of a source that has another text, and reading a file again. A new version is a
-- row of knowledge_files of its own that names the file which it replaces, and is indexed like any other. Until it is
-- ready nobody is told of it and no search finds its passages. Then its bytes and passages become those of the file,
-- which keeps its ID. If it cannot be read, the file stays as it is. A version without bytes reads those of the file.
-- Tables: private.file_changes (what became of the passages, for 30 days).
-- Surprises: a file is always locked before its next version, whose row goes when its place is taken. A version has
-- passages only while it has a bookmark.

create table private.file_changes (
  file_id uuid not null references public.knowledge_files (id) on delete cascade,
  version integer not null,
  changed_at timestamptz not null default now(),
  came jsonb not null,
  went jsonb not null,
  stayed jsonb not null,
  counts jsonb not null,
  primary key (file_id, version)
);
comment on table private.file_changes is 'What replacing a file has changed. Kept for 30 days.';
comment on column private.file_changes.version is 'The version that it became.';
comment on column private.file_changes.changed_at is 'When the version took its place.';
comment on column private.file_changes.came is 'The passages that the version before did not have, at most 200: [{passage_id, position, page, heading, content}].';
comment on column private.file_changes.went is 'The passages that only the version before had, likewise.';
comment on column private.file_changes.stayed is 'IDs of the passages that both have, at most 1,000.';
comment on column private.file_changes.counts is 'How many there are of each: {came, went, stayed}.';

-- Those that are kept no longer.
create index file_changes_by_time on private.file_changes (changed_at);

-- file_not_found, or file_is_page; null if the file can be replaced.
create function private.refuse_replacing(file public.knowledge_files) returns text
language sql immutable security invoker set search_path = ''
return case when file.id is null or file.replaces is not null then 'file_not_found'
  when file.source_id is not null then 'file_is_page' end;

-- Makes a stored object the next version of a file, in place of one that waits. The bytes that the file has already
-- change nothing, unless it is a page with another title. False if the coach has another file with this name and these
-- bytes.
create function private.store_version(file_id uuid, upload private.uploads, sent jsonb, request_id text) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare
  file public.knowledge_files;
  next public.knowledge_files;
begin
  select * into file from public.knowledge_files as known where known.id = store_version.file_id for update;
  select * into next from public.knowledge_files as version
  where version.replaces = file.id and version.digest is not null for update;
  if next.digest = sent->>'digest' and next.name = sent->>'name' then
    if next.status in ('failed', 'empty') then perform private.queue_files(next.coach_id, next.id); end if;
    return true;
  end if;
  if file.digest <> sent->>'digest' and exists (
    select from public.knowledge_files as other
    where other.coach_id = file.coach_id and other.digest = sent->>'digest' and other.name = sent->>'name'
  ) then
    return false;
  end if;
  delete from public.knowledge_files as version where version.id = next.id;
  if file.digest = sent->>'digest' and (file.source_id is null or file.name = sent->>'name') then
    if file.status = 'failed' then perform private.queue_files(file.coach_id, file.id); end if;
    return true;
  end if;
  insert into public.knowledge_files
    (account_id, coach_id, replaces, name, size, content_type, category, digest, storage_path, request_id)
  values (file.account_id, file.coach_id, file.id, sent->>'name', (sent->>'size')::bigint, sent->>'content_type',
    sent->>'category', sent->>'digest', private.object_path(upload.account_id, upload.id, (sent->>'object')::integer),
    store_version.request_id)
  on conflict on constraint knowledge_files_same_file_is_stored_once do nothing;
  return found;
end $$;

-- sent: as an entry of files of end_upload(). Null if the upload was given up as abandoned.
create function public.replace_file(caller jsonb, upload_id uuid, coach_id text, user_id text, file_id uuid, sent jsonb,
  request_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  found_file public.knowledge_files := private.find_file(client, coach_id, file_id);
  -- Role and file may have changed while the bytes arrived.
  refusal text := coalesce(private.refuse_change(client, coach_id), private.refuse_replacing(found_file));
  upload private.uploads;
begin
  upload := private.take_upload(found_file.coach_id, upload_id);
  if upload.id is not null and refusal is null and not private.store_version(found_file.id, upload, sent, request_id) then
    refusal := 'file_exists';
  end if;
  perform private.drop_objects(upload, (sent->>'object')::integer);
  if refusal is not null then return private.refuse(client, refusal); end if;
  -- The call is repeated if its reply was lost.
  if upload.id is null and not exists (
    select from public.knowledge_files as version
    where found_file.id in (version.id, version.replaces) and version.digest = sent->>'digest'
  ) then
    return private.answer(client);
  end if;
  return private.answer(client, (private.describe_file(found_file, null, null)::jsonb - array['score', 'snippet'])::json);
end $$;
comment on function public.replace_file is 'Makes the stored object of an upload the next version of a file: the file, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found" | "file_is_page" | "file_exists"}.';

-- Numbers of the files of a coach whose passages must not be found; null: there are none. is_quoting: also those that
-- answers may not draw on today.
create function private.list_hidden(coach_id text, is_quoting boolean) returns integer[]
language sql stable security invoker set search_path = '' as $$
  select array_agg(file.number) from public.knowledge_files as file
  where file.coach_id = list_hidden.coach_id
    and (file.replaces is not null and file.bookmark is not null or file.valid_from is not null or file.valid_until is not null)
    and (file.replaces is not null or is_quoting and not private.is_valid_today(file.valid_from, file.valid_until));
$$;

-- change: {filename, valid_from, valid_until}, of which those that are there are changed. content_type: that of the new
-- name.
create function public.update_file(caller jsonb, coach_id text, user_id text, file_id uuid, change jsonb,
  content_type text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_change(client, coach_id);
  file public.knowledge_files := private.find_file(client, coach_id, file_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into file from public.knowledge_files as found where found.id = file.id for update;
  if not found then return private.refuse(client, 'file_not_found'); end if;
  if change ? 'filename' then
    if file.source_id is not null then return private.refuse(client, 'file_is_page'); end if;
    if file.content_type <> update_file.content_type then return private.refuse(client, 'other_type'); end if;
    file.name := change->>'filename';
  end if;
  if change ? 'valid_from' then file.valid_from := (change->>'valid_from')::date; end if;
  if change ? 'valid_until' then file.valid_until := (change->>'valid_until')::date; end if;
  if file.valid_from > file.valid_until then return private.refuse(client, 'days_not_in_order'); end if;
  if exists (
    select from public.knowledge_files as other where other.coach_id = file.coach_id and other.digest = file.digest
      and other.name = file.name and other.id <> file.id
  ) then
    return private.refuse(client, 'file_exists');
  end if;
  update public.knowledge_files as changed
  set name = file.name, valid_from = file.valid_from, valid_until = file.valid_until where changed.id = file.id;
  -- What reads its bytes again begins anew: passages are found by the name.
  update public.knowledge_files as version set name = file.name
  where version.replaces = file.id and version.digest is null and version.name <> file.name;
  if found then
    perform private.queue_files(version.coach_id, file.id) from public.knowledge_files as version
    where version.replaces = file.id and version.digest is null and version.status in ('queued', 'indexing');
  end if;
  return private.answer(client, (private.describe_file(file, null, null)::jsonb - array['score', 'snippet'])::json);
end $$;
comment on function public.update_file is 'Changes the name or the days of a file, and returns it, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found" | "file_is_page" | "other_type" | "days_not_in_order" | "file_exists"}.';

-- Lets a version whose indexing has ended take its place. If no text was found in it, it does so only where the file has
-- none either.
create function private.take_place(version_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  next public.knowledge_files;
  file public.knowledge_files;
begin
  select * into next from public.knowledge_files as version where version.id = take_place.version_id;
  select * into file from public.knowledge_files as known where known.id = next.replaces;
  if file.id is null or next.status = 'failed' or next.status = 'empty'
    and exists (select from public.passages as passage where passage.file_id = file.id) then
    return;
  end if;
  if next.digest is not null then
    -- What the version changes.
    with passage as (
      select distinct on (known.file_id, md5(known.content)) known.file_id, md5(known.content) as passage_id,
        known.position, known.page, known.heading, known.content
      from public.passages as known where known.file_id in (file.id, next.id)
      order by known.file_id, md5(known.content), known.position
    ), told as (
      select passage.*, case when count(*) over (partition by passage.passage_id) = 1
        then case when passage.file_id = next.id then 'came' else 'went' end
        when passage.file_id = next.id then 'stayed' end as fate
      from passage
    ), placed as (
      select told.fate, told.passage_id, to_jsonb(told) - array['file_id', 'fate'] as described,
        row_number() over (partition by told.fate order by told.position) as place
      from told
    )
    insert into private.file_changes (file_id, version, came, went, stayed, counts)
    select file.id, file.version + 1,
      coalesce(jsonb_agg(placed.described order by place) filter (where placed.fate = 'came' and place <= 200), '[]'),
      coalesce(jsonb_agg(placed.described order by place) filter (where placed.fate = 'went' and place <= 200), '[]'),
      coalesce(jsonb_agg(placed.passage_id order by place) filter (where placed.fate = 'stayed' and place <= 1000),
        '[]'),
      jsonb_build_object('came', count(*) filter (where placed.fate = 'came'),
        'went', count(*) filter (where placed.fate = 'went'), 'stayed', count(*) filter (where placed.fate = 'stayed'))
    from placed;
  end if;
  delete from public.passages as passage where passage.file_id = file.id;
  update public.passages as passage set file_id = file.id where passage.file_id = next.id;
  -- What reads the bytes of before is of no use any more.
  delete from public.knowledge_files as version
  where version.replaces = file.id and (version.id = next.id or next.digest is not null);
  update public.knowledge_files as known
  -- The index of words names the passages' file by its number.
  set number = next.number, status = next.status, error = next.error, attempts = 0, bookmark = null, claim = null,
    due_at = null, updated_at = now()
  where known.id = file.id;
  if next.digest is null then return; end if;
  -- Not the bytes of the version go, but those before it.
  update private.object_removals as removal set storage_path = file.storage_path
  where removal.storage_path = next.storage_path;
  update public.knowledge_files as known
  set version = file.version + 1, name = next.name, size = next.size, content_type = next.content_type,
    category = next.category, digest = next.digest, storage_path = next.storage_path, request_id = next.request_id,
    -- A page is no new file when its text changes.
    uploaded_at = case when file.source_id is null then next.uploaded_at else file.uploaded_at end,
    source_url = coalesce(next.source_url, file.source_url), fetched_at = coalesce(next.fetched_at, file.fetched_at)
  where known.id = file.id;
end $$;

-- Forgets changes, and versions that could not be read, after 30 days. Those of pages stay: a page that has not changed
-- since is not sent again.
create function private.forget_versions() returns void language sql volatile security invoker set search_path = '' as $$
  delete from private.file_changes as change where change.changed_at < now() - interval '30 days';
  delete from public.knowledge_files as version
  where version.replaces is not null and version.fetched_at is null and version.due_at is null and version.updated_at < now() - interval '30 days';
$$;

-- As a search, for whoever may read the knowledge of a coach.
create function public.list_file_changes(caller jsonb, coach_id text, file_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  refusal constant text := private.refuse_change(client, coach_id, 'answerer');
  found_file constant public.knowledge_files := private.find_file(client, coach_id, file_id);
  changes json;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if found_file.id is null then return private.refuse(client, 'file_not_found'); end if;
  select json_agg(json_build_object('version', change.version, 'changed_at', private.to_wire_time(change.changed_at),
    'counts', change.counts, 'came', change.came, 'went', change.went, 'stayed', change.stayed) order by change.version desc)
  into changes from private.file_changes as change
  where change.file_id = found_file.id and change.changed_at >= now() - interval '30 days';
  return private.answer(client, json_build_object('data', coalesce(changes, '[]'),
    'count', coalesce(json_array_length(changes), 0)));
end $$;
comment on function public.list_file_changes is 'Reply of GET /knowledge-handler/{fileId}/changes, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found"}.';
