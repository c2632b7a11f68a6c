-- Versions of coaches: each change of a coach, by whatever means, is kept with what it changed. And the drafts of coaches,
-- which their experts edit and their owners publish.
-- Tables: coach_versions. In private: coach_drafts. Bucket: pictures, public, since everybody may see them.
-- A draft has only those fields that differ from what was published when it was saved: a change of another field shows
-- through it. The row of a draft outlives it, so that no revision comes back.
-- Surprises: restoring a version brings back what experts edit, and no other setting. A picture is stored before the draft
-- names it, and removed once no version and no draft does: see object_removals in knowledge_files, whose list this uses.

create table public.coach_versions (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  version integer not null,
  content jsonb not null,
  changes text[] not null,
  restored_from integer,
  published_by uuid references auth.users (id) on delete set null,
  published_at timestamptz not null default clock_timestamp(),
  constraint coach_versions_are_kept_once primary key (coach_id, version)
);
comment on table public.coach_versions is 'What each coach was in each of its versions. A trigger adds a row with every change of coach_profiles; none is ever changed.';
comment on column public.coach_versions.version is 'As in coach_profiles. 0: as it was made, if it was not published at once; no list for experts has it.';
comment on column public.coach_versions.content is 'The columns of coach_profiles, without ids, owner and version.';
comment on column public.coach_versions.changes is 'The columns that differ from the version before; none in the first.';
comment on column public.coach_versions.restored_from is 'The version whose content it has again; null: it was not restored.';
comment on column public.coach_versions.published_by is 'The expert who has published it; null: an operator, a server with a key, or somebody who is gone.';
comment on column public.coach_versions.published_at is 'When it was published.';

-- Deleting a user looks for what it has published.
create index coach_versions_by_publisher on public.coach_versions (published_by) where published_by is not null;

create table private.coach_drafts (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  fields jsonb,
  revision integer not null default 1,
  based_on integer not null,
  saved_by uuid references auth.users (id) on delete set null,
  saved_at timestamptz not null default clock_timestamp(),
  constraint coach_drafts_are_one_of_a_coach primary key (coach_id)
);
comment on table private.coach_drafts is 'The draft of each coach that has or had one.';
comment on column private.coach_drafts.fields is 'The fields that differ from what was published when it was saved; null: there is no draft any more.';
comment on column private.coach_drafts.revision is 'Counted up each time that a draft of the coach is saved.';
comment on column private.coach_drafts.based_on is 'The version that was published when the draft was begun, or that was seen when it was saved.';
comment on column private.coach_drafts.saved_by is 'The expert who saved it last; null: a server with a key, or somebody who is gone.';
comment on column private.coach_drafts.saved_at is 'When it was last saved, published or deleted.';

-- Deleting a user looks for what it has saved.
create index coach_drafts_by_author on private.coach_drafts (saved_by) where saved_by is not null;

-- The fields that experts edit, of a coach or of a version.
create function private.read_persona(content jsonb) returns jsonb
language plpgsql immutable security invoker set search_path = '' as $$
begin return (select jsonb_object_agg(field, content->field) from unnest(private.persona_fields()) as field); end $$;

-- The fields of content, {field: value}, in which a coach differs.
create function private.find_changes(coach jsonb, content jsonb) returns text[]
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return array(
    select field.key from jsonb_each(content) as field where field.value is distinct from coach->field.key
    order by array_position(private.persona_fields(), field.key), field.key
  );
end $$;

-- Keeps a version.
-- Definer: nobody else may write the versions.
create function private.keep_coach_version() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Without what is set beside the persona.
  content constant jsonb := to_jsonb(new)
    - array['version', 'owner_id', 'slug', 'slug_changes', 'accent_color', 'launcher_text', 'set_at', 'deleted_at'];
begin
  insert into public.coach_versions (coach_id, version, content, changes)
  values (new.id, new.version, content - array['id', 'account_id', 'created_at'],
    case when old.version > 0 then private.find_changes(to_jsonb(old), content) else '{}' end);
  return null;
end $$;
create trigger coach_profiles_keep_first_version after insert on public.coach_profiles
  for each row execute function private.keep_coach_version();
create trigger coach_profiles_keep_version after update on public.coach_profiles
  for each row when (new.version <> old.version) execute function private.keep_coach_version();

-- Pictures

-- Without any policy: everybody may read an object whose address is known, and nobody but the service may list or write.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('pictures', 'pictures', true, 1048576, array['image/png', 'image/jpeg', 'image/webp'])
on conflict (id) do nothing;

-- The path of a picture in Storage, which refuses some characters that the id of a coach may have.
create function private.picture_path(coach public.coach_profiles, digest text, extension text) returns text
language sql immutable security invoker set search_path = ''
return format('%s/%s/%s.%s', coach.account_id, md5(coach.id)::uuid, digest, extension);

-- Whether a version or the draft of a coach has a picture, or one of its experts.
create function private.has_picture(coach_id text, path text) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from private.coach_drafts as draft where draft.coach_id = has_picture.coach_id and draft.fields->>'picture' = path
  ) or exists (
    select from public.coach_versions as version
    where version.coach_id = has_picture.coach_id and version.content->>'picture' = path
  ) or exists (select from public.coach_experts as expert where expert.coach_id = has_picture.coach_id and expert.picture = path);
end $$;

-- Puts the picture of a changed draft or expert or a deleted version on the list of objects to remove, unless another has
-- it. While the coach exists, an expert may want it back: it stays for a while.
-- Definer: service_role may delete coaches, but has no rights on the private schema.
create function private.drop_picture() returns trigger language plpgsql volatile security definer set search_path = '' as $$
declare path constant text := coalesce(to_jsonb(old)->'fields', to_jsonb(old)->'content', to_jsonb(old))->>'picture';
begin
  if path is not null and not private.has_picture(old.coach_id, path) then
    insert into private.object_removals (storage_path, bucket, due_at) values (path, 'pictures', now() + case
      when exists (select from public.coach_profiles as coach where coach.id = old.coach_id) then interval '15 minutes'
      else interval '0' end)
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger coach_drafts_drop_picture after update or delete on private.coach_drafts
  for each row execute function private.drop_picture();
create trigger coach_versions_drop_picture after delete on public.coach_versions
  for each row execute function private.drop_picture();
create trigger coach_experts_drop_picture after update of picture or delete on public.coach_experts
  for each row execute function private.drop_picture();

-- Describing

-- The persona of a coach in the JSON of the API, with the address of its picture.
create function private.describe_persona(content jsonb, pictures_url text) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  return private.read_persona(content) - 'picture'
    || jsonb_build_object('picture_url', pictures_url || '/' || (content->>'picture'));
end $$;

-- A version in the JSON of the API; with pictures_url, also what it contains.
create function private.describe_version(version public.coach_versions, pictures_url text default null) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return jsonb_build_object('version', version.version, 'published_at', private.to_wire_time(version.published_at),
    'published_by', private.name_expert(version.published_by, version.coach_id), 'changes', version.changes,
    'restored_from', version.restored_from
  ) || case when pictures_url is not null then private.describe_persona(version.content, pictures_url) else '{}' end;
end $$;

-- A coach as it would be if its draft were published.
create function private.apply_draft(coach public.coach_profiles) returns public.coach_profiles
language plpgsql stable security invoker set search_path = '' as $$
begin
  return jsonb_populate_record(coach, coalesce(
    (select draft.fields from private.coach_drafts as draft where draft.coach_id = coach.id), '{}'
  ));
end $$;

-- The draft of a coach in the JSON of the API. Without one, that is what is published.
create function private.describe_draft(coach public.coach_profiles, pictures_url text) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare draft private.coach_drafts;
begin
  select * into draft from private.coach_drafts as known where known.coach_id = coach.id and known.fields is not null;
  return private.describe_persona(to_jsonb(private.apply_draft(coach)), pictures_url) || jsonb_build_object(
    'version', coach.version, 'based_on', coalesce(draft.based_on, coach.version), 'revision', coalesce(draft.revision, 0),
    'saved_at', private.to_wire_time(case when draft.coach_id is not null then draft.saved_at end),
    'saved_by', private.name_expert(draft.saved_by, coach.id),
    'changes', private.find_changes(to_jsonb(coach), coalesce(draft.fields, '{}'))
  );
end $$;

-- Drafts
--
-- In all functions for clients the result is {"error": …} if the caller has not the role (see refuse_unless_expert).
-- Whoever changes a draft or publishes one locks the coach first.

-- version_changed or draft_changed; null if a locked coach and its draft are as the caller has seen them. Null: unseen.
create function private.refuse_if_changed(coach public.coach_profiles, if_version integer, if_revision integer) returns text
language plpgsql stable security invoker set search_path = '' as $$
declare
  revision constant integer := coalesce((
    select draft.revision from private.coach_drafts as draft where draft.coach_id = coach.id and draft.fields is not null
  ), 0);
begin
  -- Before the first publication, 1 can only mean what is to come.
  return case when if_version not in (coach.version, greatest(coach.version, 1)) then 'version_changed' when if_revision <> revision then 'draft_changed' end;
end $$;

-- Stores the draft of a locked coach; fields null: ends it, if there is one. is_seen: the author knows what is published.
create function private.write_draft(coach public.coach_profiles, author text, fields jsonb, is_seen boolean) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  differing constant jsonb := (
    select coalesce(jsonb_object_agg(field, fields->field), '{}')
    from unnest(private.find_changes(to_jsonb(coach), fields)) as field
  );
begin
  if fields is null then
    update private.coach_drafts as draft set fields = null, saved_by = null, saved_at = clock_timestamp()
    where draft.coach_id = coach.id;
    return;
  end if;
  insert into private.coach_drafts as draft (coach_id, fields, based_on, saved_by)
  values (coach.id, differing, coach.version, author::uuid)
  on conflict on constraint coach_drafts_are_one_of_a_coach do update
  set fields = excluded.fields, revision = draft.revision + 1, saved_by = excluded.saved_by, saved_at = excluded.saved_at,
    based_on = case when draft.fields is null or is_seen then excluded.based_on else draft.based_on end;
end $$;

create function public.get_draft(caller jsonb, user_id text, coach_id text, pictures_url text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_draft(private.find_coach(client, coach_id), pictures_url));
end $$;
comment on function public.get_draft is 'Reply of GET /coaches/{coachId}/draft, or {error}.';

-- fields: those of persona_fields() but the picture, which stays as it is. What is left out becomes as published; null:
-- the draft is deleted.
create function public.save_draft(caller jsonb, user_id text, coach_id text, fields jsonb, pictures_url text,
  if_version integer default null, if_revision integer default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal text := private.refuse_unless_expert(client, coach_id, 'editor');
  coach public.coach_profiles;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  coach := private.lock_coach(coach_id);
  refusal := case when fields ? 'language' and not public.is_language(fields->>'language') then 'unknown_language'
    else private.refuse_if_changed(coach, if_version, if_revision) end;
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.write_draft(coach, client.user_id,
    fields || jsonb_build_object('picture', (private.apply_draft(coach)).picture), is_seen => if_version is not null);
  return private.answer(client, private.describe_draft(coach, pictures_url));
end $$;
comment on function public.save_draft is 'Replaces or deletes the draft of a coach and returns what there is then, or {"error": "draft_changed" | "version_changed" | "unknown_language"}.';

-- Announces a picture: it is removed in an hour, unless the draft has it then or, with is_own, the expert. Refused while
-- a sweep may be removing the same picture.
create function public.begin_picture(caller jsonb, user_id text, coach_id text, digest text, extension text,
  is_own boolean default false) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, case when is_own then 'answerer' else 'editor' end);
  path constant text := private.picture_path(private.find_coach(client, coach_id), digest, extension);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if not private.has_picture(coach_id, path) then
    insert into private.object_removals as removal (storage_path, bucket, due_at)
    values (path, 'pictures', now() + interval '1 hour')
    on conflict on constraint object_removals_pkey do update set created_at = now(), due_at = excluded.due_at, taken_at = null
    where removal.taken_at is null or removal.taken_at < now() - interval '1 minute';
    if not found then return private.refuse(client, 'unavailable'); end if;
  end if;
  return private.answer(client, json_build_object('path', path));
end $$;
comment on function public.begin_picture is 'Announces a picture of a coach: {"path"} in the bucket pictures, or {"error": "unavailable"}.';

-- The path of a picture that was announced, or that a locked coach has; null: it is too late.
create function private.claim_picture(coach public.coach_profiles, digest text, extension text) returns text
language plpgsql volatile security invoker set search_path = '' as $$
declare path constant text := private.picture_path(coach, digest, extension);
begin
  delete from private.object_removals as removal where removal.storage_path = path;
  return case when found or private.has_picture(coach.id, path) then path end;
end $$;

-- digest null: the draft has no picture then.
create function public.set_picture(caller jsonb, user_id text, coach_id text, pictures_url text,
  digest text default null, extension text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  coach public.coach_profiles;
  path text;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  coach := private.lock_coach(coach_id);
  if digest is not null then
    path := private.claim_picture(coach, digest, extension);
    if path is null then return private.refuse(client, 'upload_too_slow'); end if;
  end if;
  perform private.write_draft(coach, client.user_id,
    private.read_persona(to_jsonb(private.apply_draft(coach))) || jsonb_build_object('picture', path), is_seen => false);
  return private.answer(client, private.describe_draft(coach, pictures_url));
end $$;
comment on function public.set_picture is 'Gives the draft of a coach a picture that is stored, or none, and returns the draft, or {"error": "upload_too_slow"}.';

-- The name and picture of an expert who answers in person

-- What people see of whoever answers for a coach; expert_id null: nobody in person. Where there is no name, it is the
-- coach's; a name of one's own is not shown with the picture of the coach.
create function private.describe_face(coach public.coach_profiles, expert_id uuid, pictures_url text) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare expert public.coach_experts;
begin
  select * into expert from public.coach_experts as known where known.coach_id = coach.id and known.user_id = expert_id;
  return jsonb_build_object('name', coalesce(expert.name, coach.name), 'picture_url', pictures_url || '/'
    || coalesce(expert.picture, case when expert.name is null then coach.picture end));
end $$;

-- Changes what people see of the caller, and returns it: {name, picture_url}, null where it is that of the coach. changes:
-- {name}, or {digest, extension} of a picture that is stored; digest null: none.
create function public.save_expert_face(caller jsonb, user_id text, coach_id text, pictures_url text,
  changes jsonb default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => changes is not null);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  coach public.coach_profiles;
  path text;
  expert public.coach_experts;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if changes is not null then
    coach := private.lock_coach(coach_id);
    path := private.claim_picture(coach, changes->>'digest', changes->>'extension');
    if path is null and changes->>'digest' is not null then return private.refuse(client, 'upload_too_slow'); end if;
    update public.coach_experts as changed
    set name = case when changes ? 'name' then changes->>'name' else changed.name end,
      picture = case when changes ? 'digest' then path else changed.picture end
    where changed.coach_id = coach.id and changed.user_id = private.to_auth_id(client.user_id);
  end if;
  select * into expert from public.coach_experts as known
  where known.coach_id = save_expert_face.coach_id and known.user_id = private.to_auth_id(client.user_id);
  return private.answer(client, json_build_object('name', expert.name, 'picture_url', pictures_url || '/' || expert.picture));
end $$;
comment on function public.save_expert_face is 'Reply of GET and PUT /coaches/{coachId}/experts/me: what people see of the signed-in expert, or {error}.';

-- Versions

-- Makes a locked coach what `persona` says, and returns the version; nulls if it is that already.
create function private.publish(coach public.coach_profiles, persona jsonb, author text, is_active boolean,
  restored_from integer default null) returns public.coach_versions
language plpgsql volatile security invoker set search_path = '' as $$
declare
  wanted public.coach_profiles := jsonb_populate_record(coach, persona);
  published public.coach_versions;
begin
  if private.find_changes(to_jsonb(coach), persona) <> '{}' or publish.is_active <> coach.is_active then
    wanted.is_active := publish.is_active;
    execute (
      select format('update public.coach_profiles as coach set (%s) = row(%s) where coach.id = ($1).id',
        string_agg(format('%I', name), ', '), string_agg(format('($1).%I', name), ', '))
      from unnest(private.persona_fields() || array['is_active']) as name
    ) using wanted;
    update public.coach_versions as version
    set published_by = author::uuid, restored_from = publish.restored_from
    where version.coach_id = coach.id and version.version = coach.version + 1
    returning * into published;
  end if;
  return published;
end $$;

create function public.publish_draft(caller jsonb, user_id text, coach_id text, pictures_url text, if_version integer,
  if_revision integer default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal text := private.refuse_unless_expert(client, coach_id, 'owner');
  coach public.coach_profiles;
  published public.coach_versions;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  coach := private.lock_coach(coach_id);
  refusal := private.refuse_if_changed(coach, if_version, if_revision);
  if refusal is not null then return private.refuse(client, refusal); end if;
  published := private.publish(coach, private.read_persona(to_jsonb(private.apply_draft(coach))), client.user_id,
    is_active => coach.is_active or coach.slug is null);
  if published.version is null then return private.refuse(client, 'nothing_to_publish'); end if;
  perform private.write_draft(coach, null, null, is_seen => false);
  return private.answer(client, private.describe_version(published, pictures_url));
end $$;
comment on function public.publish_draft is 'Publishes the draft of a coach, which becomes active if it never was, and returns the version, or {"error": "version_changed" | "draft_changed" | "nothing_to_publish"}.';

-- A cursor is the number of the last version of a page. page_size null: the whole list.
create function public.list_versions(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_number bigint default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_version(known), known.version::text)::private.entry from public.coach_versions as known
    where known.coach_id = list_versions.coach_id and known.version > 0
      and known.version < coalesce(after_number, 2147483647)
    order by known.version desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_versions is 'Reply of GET /coaches/{coachId}/versions: newest first, whole or one page.';

create function public.get_version(caller jsonb, user_id text, coach_id text, version integer, pictures_url text)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  found_version public.coach_versions;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into found_version from public.coach_versions as known
  where known.coach_id = get_version.coach_id and known.version = get_version.version;
  if not found then return private.refuse(client, 'version_not_found'); end if;
  return private.answer(client, private.describe_version(found_version, pictures_url));
end $$;
comment on function public.get_version is 'Reply of GET /coaches/{coachId}/versions/{version}, or {error}.';

-- Publishes an earlier version of a locked coach once more. The result is that of describe_version(), or {error}.
create function private.restore(coach public.coach_profiles, version integer, author text, pictures_url text) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare restored public.coach_versions;
begin
  select * into restored from public.coach_versions as known
  where known.coach_id = coach.id and known.version = restore.version;
  if not found then return json_build_object('error', 'version_not_found'); end if;
  restored := private.publish(coach, private.read_persona(restored.content), author, coach.is_active, version);
  if restored.version is null then return json_build_object('error', 'nothing_to_publish'); end if;
  return private.describe_version(restored, pictures_url);
end $$;

create function public.restore_version(caller jsonb, user_id text, coach_id text, version integer, pictures_url text,
  if_version integer default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal text := private.refuse_unless_expert(client, coach_id, 'owner');
  coach public.coach_profiles;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  coach := private.lock_coach(coach_id);
  refusal := private.refuse_if_changed(coach, if_version, null);
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.restore(coach, version, client.user_id, pictures_url));
end $$;
comment on function public.restore_version is 'Publishes what a coach was in an earlier version and returns the new version, or {"error": "version_not_found" | "version_changed" | "nothing_to_publish"}.';

create function public.restore_coach(coach text, version integer) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare restored constant json := private.restore(private.lock_coach(coach), version, null, null);
begin
  if restored->>'error' = 'version_not_found' then
    raise exception using errcode = 'PT404', message = 'There is no such version of a coach with this id';
  elsif restored->>'error' is not null then
    raise exception using errcode = 'PT409', message = 'The coach is the same as in this version';
  end if;
  return restored;
end $$;
comment on function public.restore_coach is 'Makes a coach what it was in an earlier version, and returns the new version.';
