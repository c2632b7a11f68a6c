-- What operators do, from the SQL editor, over REST with the secret key, or with npm run admin.
-- Refusals are sentences; PT404 and PT409 become the HTTP status.

alter table private.api_keys add column replaced_by uuid references private.api_keys (id) on delete set null;
comment on column private.api_keys.replaced_by is 'The key that rotate_api_key() has issued in place of this one.';

-- Deleting a key looks for the one it replaced.
create index api_keys_by_successor on private.api_keys (replaced_by);

create function public.create_account(name text) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  created public.accounts;
begin
  if btrim(coalesce(create_account.name, '')) = '' then
    raise exception using errcode = '22023', message = 'name must not be blank';
  end if;
  insert into public.accounts (name) values (create_account.name) returning * into created;
  return row_to_json(created);
end;
$$;

comment on function public.create_account(text) is 'Makes an account and returns it.';
revoke execute on function public.create_account(text) from public, anon, authenticated;
grant execute on function public.create_account(text) to service_role;

create function public.create_coach(
  account_id uuid,
  name text,
  title text,
  instructions text,
  greeting text default null,
  model text default null,
  id text default null,
  language text default 'english',
  temperature double precision default null,
  history_limit integer default 20
) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  created public.coach_profiles;
begin
  if not exists (select from public.accounts as account where account.id = create_coach.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if least(btrim(create_coach.name), btrim(create_coach.title), btrim(create_coach.instructions), btrim(create_coach.id)) = ''
    or num_nulls(create_coach.name, create_coach.title, create_coach.instructions) > 0
  then
    raise exception using errcode = '22023', message = 'name, title, instructions and id must not be blank';
  end if;
  if create_coach.temperature not between 0 and 2 then
    raise exception using errcode = '22023', message = 'temperature must be from 0 to 2';
  end if;
  if create_coach.history_limit not between 0 and 200 then
    raise exception using errcode = '22023', message = 'history_limit must be from 0 to 200';
  end if;
  if exists (select from public.coach_profiles as coach where coach.id = create_coach.id) then
    raise exception using errcode = 'PT409', message = 'This coach id is taken';
  end if;
  insert into public.coach_profiles (
    id, account_id, name, title, instructions, greeting, model, language, temperature, history_limit
  )
  values (coalesce(create_coach.id, gen_random_uuid()::text), create_coach.account_id, create_coach.name,
    create_coach.title, create_coach.instructions, create_coach.greeting, create_coach.model,
    coalesce(create_coach.language, 'english'), create_coach.temperature, coalesce(create_coach.history_limit, 20))
  returning * into created;
  return row_to_json(created);
end;
$$;

comment on function public.create_coach(uuid, text, text, text, text, text, text, text, double precision, integer)
  is 'Makes a coach of an account and returns it.';
revoke execute on function public.create_coach(uuid, text, text, text, text, text, text, text, double precision, integer) from public, anon, authenticated;
grant execute on function public.create_coach(uuid, text, text, text, text, text, text, text, double precision, integer) to service_role;

-- Definer, like rotate_api_key(): service_role has no rights on the private schema.
create function public.list_api_keys() returns table (
  id uuid,
  account_id uuid,
  name text,
  prefix text,
  status text,
  scopes text[],
  requests_per_minute integer,
  requests_per_hour integer,
  requests_per_day integer,
  created_at timestamptz,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  replaced_by uuid
)
language sql stable security definer set search_path = ''
as $$
  select api_key.id, api_key.account_id, api_key.name, api_key.prefix,
    case
      when api_key.revoked_at is not null then 'revoked'
      when api_key.expires_at <= now() then 'expired'
      when api_key.replaced_by is not null then 'replaced'
      else 'active'
    end,
    api_key.scopes, api_key.requests_per_minute, api_key.requests_per_hour, api_key.requests_per_day,
    api_key.created_at, api_key.last_used_at, api_key.expires_at, api_key.revoked_at, api_key.replaced_by
  from private.api_keys as api_key
  order by api_key.created_at, api_key.id;
$$;

comment on function public.list_api_keys() is 'All API keys, without what is secret about them, oldest first: active, replaced (still valid until expires_at), expired or revoked.';
revoke execute on function public.list_api_keys() from public, anon, authenticated;
grant execute on function public.list_api_keys() to service_role;

-- The new key has the scopes and limits of the old one and, where that was issued to expire, as long a life. The old one
-- ends overlap_hours from now, or when it was to end anyhow.
create function public.rotate_api_key(id uuid, overlap_hours integer default 24) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old private.api_keys;
  issued json;
  old_expires_at timestamptz;
begin
  if rotate_api_key.overlap_hours is null or rotate_api_key.overlap_hours not between 0 and 8760 then
    raise exception using errcode = '22023', message = 'overlap_hours must be from 0 to 8760';
  end if;
  select * into old from private.api_keys as api_key where api_key.id = rotate_api_key.id for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'API key not found';
  end if;
  if old.revoked_at is not null or old.expires_at <= now() then
    raise exception using errcode = 'PT409', message = 'This API key has ended: issue a new one';
  end if;
  if old.replaced_by is not null then
    raise exception using errcode = 'PT409', message = format('This API key was rotated before: %s is its successor', old.replaced_by);
  end if;
  issued := public.issue_api_key(old.account_id, old.name, old.scopes,
    case when isfinite(old.expires_at) then now() + (old.expires_at - old.created_at) end,
    old.requests_per_minute, old.requests_per_hour, old.requests_per_day);
  update private.api_keys as api_key
  set replaced_by = (issued->>'id')::uuid,
    expires_at = least(api_key.expires_at, now() + make_interval(hours => rotate_api_key.overlap_hours))
  where api_key.id = old.id
  returning api_key.expires_at into old_expires_at;
  return (issued::jsonb || jsonb_build_object('replaces', old.id, 'replaced_expires_at', old_expires_at))::json;
end;
$$;

comment on function public.rotate_api_key(uuid, integer) is 'Issues a key in place of another, which goes on working for some hours, and returns the new one, this once.';
revoke execute on function public.rotate_api_key(uuid, integer) from public, anon, authenticated;
grant execute on function public.rotate_api_key(uuid, integer) to service_role;

-- From the beginning of each file, and whoever is at work on one has lost it. file_id null: all files of the coach.
create function private.queue_files(coach_id text, file_id uuid) returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  queued integer;
begin
  update public.knowledge_files as file
  set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now()
  where file.coach_id = queue_files.coach_id and (queue_files.file_id is null or file.id = queue_files.file_id);
  get diagnostics queued = row_count;
  return queued;
end;
$$;

comment on function private.queue_files(text, uuid) is 'Has files of a coach indexed anew, and says how many.';
revoke execute on function private.queue_files(text, uuid) from public;

create or replace function private.queue_files_of_coach() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.queue_files(new.id, null);
  return null;
end;
$$;

create function public.reindex_file(file_id uuid) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  coach text := (select file.coach_id from public.knowledge_files as file where file.id = reindex_file.file_id);
begin
  if coach is null then
    raise exception using errcode = 'PT404', message = 'File not found';
  end if;
  return json_build_object('files', private.queue_files(coach, reindex_file.file_id));
end;
$$;

comment on function public.reindex_file(uuid) is 'Has a knowledge file indexed anew by the next sweep.';
revoke execute on function public.reindex_file(uuid) from public, anon, authenticated;
grant execute on function public.reindex_file(uuid) to service_role;

create function public.reindex_coach(coach_id text) returns json
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.coach_profiles as coach where coach.id = reindex_coach.coach_id) then
    raise exception using errcode = 'PT404', message = 'Coach not found';
  end if;
  return json_build_object('files', private.queue_files(reindex_coach.coach_id, null));
end;
$$;

comment on function public.reindex_coach(text) is 'Has all knowledge files of a coach indexed anew by the next sweeps.';
revoke execute on function public.reindex_coach(text) from public, anon, authenticated;
grant execute on function public.reindex_coach(text) to service_role;
