-- Texts: knowledge files that experts write at the desk. A text is a file like any other: Markdown, with its title as the
-- first heading and the name. What was written last is here, too, so that it can be read and changed while the file is
-- still being read; each change makes a new version of the file (see versions), which is read when nobody has changed it
-- for a while.
-- Tables: private.texts.
-- Surprise: a text whose file is replaced by another file is no text any more.

create table private.texts (
  file_id uuid primary key references public.knowledge_files (id) on delete cascade,
  title text not null,
  content text not null,
  version integer not null default 1,
  digest text not null,
  saved_by uuid references auth.users (id) on delete set null,
  saved_at timestamptz not null default now(),
  constraint texts_title_is_1_to_200_characters check (btrim(title) <> '' and char_length(title) <= 200),
  constraint texts_content_is_at_most_200000_characters check (char_length(content) <= 200000)
);
comment on table private.texts is 'The texts that experts write at the desk, as they were saved last.';
comment on column private.texts.title is 'The title, 1 to 200 characters.';
comment on column private.texts.content is 'Markdown, without the title.';
comment on column private.texts.version is 'Counted up with each change.';
comment on column private.texts.digest is 'SHA-256 of the bytes of the file, in hex.';
comment on column private.texts.saved_by is 'The expert who saved it last; null: a server with a key, or somebody who is gone.';
comment on column private.texts.saved_at is 'When it was saved last.';

-- Deleting a user looks for what it has saved.
create index texts_by_author on private.texts (saved_by) where saved_by is not null;

-- Forgets the text of a file that is replaced by another file.
-- Definer: service_role may change files, but has no rights on the private schema.
create function private.drop_text() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.texts as text where text.file_id = new.id and text.digest <> new.digest;
  return null;
end $$;
create trigger knowledge_files_drop_text after update of digest on public.knowledge_files
  for each row when (old.digest <> new.digest) execute function private.drop_text();

-- The text of a file; nulls if it is a file of another kind.
create function private.find_text(file public.knowledge_files) returns private.texts
language plpgsql stable security invoker set search_path = '' as $$
declare written private.texts;
begin
  select * into written from private.texts as known where known.file_id = file.id;
  return written;
end $$;

-- A text in the JSON of the API.
create function private.describe_text(written private.texts, coach_id text) returns json
language sql stable security invoker set search_path = '' as $$
  select json_build_object('fileId', written.file_id, 'title', written.title, 'content', written.content,
    'version', written.version, 'saved_at', private.to_wire_time(written.saved_at),
    'saved_by', private.name_expert(written.saved_by, coach_id));
$$;

create function public.get_text(caller jsonb, coach_id text, file_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  refusal constant text := private.refuse_change(client, coach_id, 'answerer');
  found_text constant private.texts := private.find_text(private.find_file(client, coach_id, file_id));
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if found_text.file_id is null then return private.refuse(client, 'file_not_found'); end if;
  return private.answer(client, private.describe_text(found_text, coach_id));
end $$;
comment on function public.get_text is 'Reply of GET /knowledge-handler/texts/{fileId}, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found"}.';

-- sent: as an entry of files of end_upload(). The same text again is the one that there is. Null if the upload was given
-- up as abandoned.
create function public.create_text(caller jsonb, coach_id text, user_id text, upload_id uuid, sent jsonb, title text,
  content text, request_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
  -- The caller's role may have changed meanwhile.
  refusal constant text := private.refuse_change(client, coach_id);
  upload private.uploads;
  own_file public.knowledge_files;
  written private.texts;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  upload := private.take_upload(coach.id, upload_id);
  if upload.id is not null then
    perform private.add_files(upload, jsonb_build_array(sent), request_id, replaces => false);
    perform private.drop_objects(upload, 1);
  end if;
  select * into own_file from public.knowledge_files as file
  where file.coach_id = coach.id and file.digest = sent->>'digest' and file.name = sent->>'name' and file.replaces is null;
  if own_file.id is null then return private.answer(client); end if;
  if own_file.storage_path = private.object_path(upload.account_id, upload.id, 1) then
    insert into private.texts (file_id, title, content, digest, saved_by)
    values (own_file.id, title, content, sent->>'digest', private.to_auth_id(client.user_id));
  end if;
  written := private.find_text(own_file);
  if written.file_id is null then return private.refuse(client, 'file_exists'); end if;
  return private.answer(client, private.describe_text(written, coach.id));
end $$;
comment on function public.create_text is 'Makes the stored object of an upload a text, or {"error": "coach_not_found" | "not_the_coach" | "file_exists"}.';

-- if_version: the version that was changed; null: whatever it is. What is saved already is not saved again.
create function public.save_text(caller jsonb, coach_id text, user_id text, file_id uuid, upload_id uuid, sent jsonb,
  title text, content text, if_version integer, request_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  written private.texts := private.find_text(private.find_file(client, coach_id, file_id));
  refusal text := private.refuse_change(client, coach_id);
  upload private.uploads;
begin
  if refusal is null and written.file_id is null then refusal := 'file_not_found'; end if;
  -- In the order in which a version takes its place.
  perform from public.knowledge_files as file where file.id = written.file_id for update;
  select * into written from private.texts as known where known.file_id = written.file_id for update;
  upload := private.take_upload(coach_id, upload_id);
  if refusal is null and (written.title, written.content) is distinct from (save_text.title, save_text.content) then
    refusal := case when written.version <> if_version then 'text_changed'
      when upload.id is null then 'abandoned'
      when not private.store_version(written.file_id, upload, sent, request_id) then 'file_exists' end;
    if refusal is null then
      update private.texts as saved
      set title = save_text.title, content = save_text.content, version = saved.version + 1, digest = sent->>'digest',
        saved_by = private.to_auth_id(client.user_id), saved_at = now()
      where saved.file_id = written.file_id returning * into written;
      -- Texts are saved while they are written: each version would be read, compared and paid for.
      update public.knowledge_files as version set due_at = now() + interval '15 seconds'
      where version.replaces = written.file_id and version.status = 'queued';
    end if;
  end if;
  perform private.drop_objects(upload, 1);
  if refusal = 'abandoned' then return private.answer(client); end if;
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_text(written, coach_id));
end $$;
comment on function public.save_text is 'Saves a text, and makes the stored object of an upload the next version of its file: the text, or {"error": "coach_not_found" | "not_the_coach" | "file_not_found" | "text_changed" | "file_exists"}; null if the upload was given up.';
