-- API keys: issued and revoked by operators with two functions, from the SQL editor or over REST.
-- Only a digest is kept. A key is `hi_live_`, 32 random base62 characters, and the first 6 hex digits of the
-- SHA-256 of those 32, so that a mistyped key is refused without asking the database.

create table private.api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade,
  digest text not null,
  prefix text not null,
  name text not null,
  scopes text[] not null default '{chat,threads:read,knowledge:read,knowledge:write}',
  requests_per_minute integer not null default 60,
  requests_per_hour integer not null default 1000,
  requests_per_day integer not null default 10000,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint api_keys_digest_is_unique unique (digest),
  constraint api_keys_name_is_not_blank check (btrim(name) <> ''),
  constraint api_keys_scopes_are_known check (scopes <@ array['chat', 'threads:read', 'knowledge:read', 'knowledge:write']),
  constraint api_keys_limits_are_positive check (least(requests_per_minute, requests_per_hour, requests_per_day) > 0)
);

comment on table private.api_keys is 'API keys of the accounts. Issue them with issue_api_key(), end them with revoke_api_key().';
comment on column private.api_keys.digest is 'SHA-256 of the whole key, in hex. The key itself is kept nowhere.';
comment on column private.api_keys.prefix is 'The first characters of the key, to tell keys apart.';
comment on column private.api_keys.scopes is 'What the key may do: chat, threads:read, knowledge:read, knowledge:write.';
comment on column private.api_keys.last_used_at is 'Last accepted request, to the minute.';

create index api_keys_by_account on private.api_keys (account_id);

alter table private.api_keys enable row level security;

create policy "Only the functions of this schema reach API keys" on private.api_keys
  for all to anon, authenticated using (false) with check (false);

-- Unbiased: bytes from 248 on are dropped, so that 62 divides what is left. Bytes 6 and 8 of a version 4 UUID
-- hold its version and variant and are not random; the other 14 come from the server's strong generator.
create function private.random_base62(length integer) returns text
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  bytes bytea;
  byte integer;
  characters text := '';
begin
  loop
    bytes := uuid_send(gen_random_uuid());
    for i in 0..15 loop
      continue when i in (6, 8);
      byte := get_byte(bytes, i);
      continue when byte >= 248;
      characters := characters || substr(alphabet, byte % 62 + 1, 1);
      if length(characters) = random_base62.length then
        return characters;
      end if;
    end loop;
  end loop;
end;
$$;

comment on function private.random_base62(integer) is 'Random characters of 0-9, A-Z, a-z from the strong generator of the server.';
revoke execute on function private.random_base62(integer) from public;

-- Definer: service_role has no rights on the private schema.
create function public.issue_api_key(
  account_id uuid,
  name text,
  scopes text[] default '{chat,threads:read,knowledge:read,knowledge:write}',
  expires_at timestamptz default null,
  requests_per_minute integer default 60,
  requests_per_hour integer default 1000,
  requests_per_day integer default 10000
) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  secret constant text := private.random_base62(32);
  api_key constant text := 'hi_live_' || secret || left(encode(sha256(convert_to(secret, 'UTF8')), 'hex'), 6);
  issued private.api_keys;
begin
  if not exists (select from public.accounts where id = issue_api_key.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if btrim(coalesce(issue_api_key.name, '')) = '' then
    raise exception using errcode = '22023', message = 'name must not be blank';
  end if;
  if issue_api_key.scopes is null or not issue_api_key.scopes <@ array['chat', 'threads:read', 'knowledge:read', 'knowledge:write'] then
    raise exception using errcode = '22023', message = 'scopes must be among chat, threads:read, knowledge:read, knowledge:write';
  end if;
  if least(issue_api_key.requests_per_minute, issue_api_key.requests_per_hour, issue_api_key.requests_per_day) < 1 then
    raise exception using errcode = '22023', message = 'limits must be at least 1';
  end if;
  insert into private.api_keys (account_id, digest, prefix, name, scopes, expires_at,
    requests_per_minute, requests_per_hour, requests_per_day)
  values (issue_api_key.account_id, encode(sha256(convert_to(api_key, 'UTF8')), 'hex'), left(api_key, 14),
    issue_api_key.name, issue_api_key.scopes, issue_api_key.expires_at,
    coalesce(issue_api_key.requests_per_minute, 60), coalesce(issue_api_key.requests_per_hour, 1000),
    coalesce(issue_api_key.requests_per_day, 10000))
  returning * into issued;
  return json_build_object(
    'id', issued.id,
    'api_key', api_key,
    'account_id', issued.account_id,
    'name', issued.name,
    'prefix', issued.prefix,
    'scopes', issued.scopes,
    'expires_at', issued.expires_at,
    'requests_per_minute', issued.requests_per_minute,
    'requests_per_hour', issued.requests_per_hour,
    'requests_per_day', issued.requests_per_day,
    'created_at', issued.created_at
  );
end;
$$;

comment on function public.issue_api_key(uuid, text, text[], timestamptz, integer, integer, integer)
  is 'Makes an API key for an account and returns it, this once, with its settings.';
revoke execute on function public.issue_api_key(uuid, text, text[], timestamptz, integer, integer, integer) from public, anon, authenticated;
grant execute on function public.issue_api_key(uuid, text, text[], timestamptz, integer, integer, integer) to service_role;

-- Definer: as above.
create function public.revoke_api_key(id uuid) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  revoked private.api_keys;
begin
  update private.api_keys as api_key
  set revoked_at = coalesce(api_key.revoked_at, now())
  where api_key.id = revoke_api_key.id
  returning * into revoked;
  if not found then
    raise exception using errcode = 'PT404', message = 'API key not found';
  end if;
  return json_build_object('id', revoked.id, 'name', revoked.name, 'prefix', revoked.prefix, 'revoked_at', revoked.revoked_at);
end;
$$;

comment on function public.revoke_api_key(uuid) is 'Ends an API key for good, from the next request on.';
revoke execute on function public.revoke_api_key(uuid) from public, anon, authenticated;
grant execute on function public.revoke_api_key(uuid) to service_role;
