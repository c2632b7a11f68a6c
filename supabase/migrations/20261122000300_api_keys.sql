-- API keys: who may call the service, how often, and how much was used.
-- Tables: api_keys, rate_limit_windows (requests of the current minute, hour and day), usage_counts (totals by time),
-- ledger (what is to be added to them).
-- A key is `hi_live_` (secret, for servers) or `hi_pub_` (publishable, for pages), 32 random base62 characters, and the
-- first 6 hex digits of the SHA-256 of those 32, so that a mistyped key is refused without asking the database. Only a
-- digest of the key is kept.
-- A secret key is trusted with its account. A publishable key is visible in the source of pages: it admits only
-- signed-in users, from the origins that it lists, and each to their own data. One that allows MCP may also be part of
-- the address of the MCP server, for AI clients that have signed their user in with OAuth.
-- Each request is admitted by the first SQL function that it calls (see Admission): that checks the key, spends one
-- request of its limits, and counts it.
-- Surprises: rate_limit_windows is unused where Upstash counts the limits. Usage is counted when it happens, not from
-- the messages: they may be erased, and an answer that was retried cost its tokens twice.

-- Keys

-- The only place that names the scopes. In public, since defaults of arguments are made with the rights of the caller.
create function public.known_scopes() returns text[] language sql immutable security invoker set search_path = ''
return array['chat', 'threads:read', 'threads:write', 'knowledge:read', 'knowledge:write', 'expert'];
comment on function public.known_scopes is 'All scopes of API keys.';

create function public.usual_scopes() returns text[] language sql immutable security invoker set search_path = ''
return array_remove(public.known_scopes(), 'expert');
comment on function public.usual_scopes is 'The scopes of a key that was issued without naming any: all but expert, which is never implied.';

create function public.publishable_scopes() returns text[] language sql immutable security invoker set search_path = ''
return array['chat', 'threads:read', 'threads:write'];
comment on function public.publishable_scopes is 'The scopes that a publishable key may have.';

create table private.api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade,
  digest text not null,
  prefix text not null,
  name text not null,
  scopes text[] not null default public.usual_scopes(),
  requests_per_minute integer not null default 60,
  requests_per_hour integer not null default 1000,
  requests_per_day integer not null default 10000,
  coach_ids text[],
  is_publishable boolean not null default false,
  origins text[] not null default '{}',
  allows_no_origin boolean not null default false,
  allows_mcp boolean not null default false,
  options text[] not null default '{}',
  lineage_id uuid not null default gen_random_uuid(),
  total_per_minute integer,
  total_per_hour integer,
  total_per_day integer,
  anonymous_per_minute integer,
  anonymous_per_hour integer,
  anonymous_per_day integer,
  anonymous_total_per_minute integer,
  anonymous_total_per_hour integer,
  anonymous_total_per_day integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  replaced_by uuid references private.api_keys (id) on delete set null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint api_keys_digest_is_unique unique (digest),
  constraint api_keys_name_is_not_blank check (btrim(name) <> ''),
  constraint api_keys_scopes_are_known check (scopes <@ public.known_scopes()),
  constraint api_keys_options_are_known check (options <@ array['tasks', 'footnotes']),
  constraint api_keys_limits_are_positive check (
    least(requests_per_minute, requests_per_hour, requests_per_day, total_per_minute, total_per_hour, total_per_day,
      anonymous_per_minute, anonymous_per_hour, anonymous_per_day,
      anonymous_total_per_minute, anonymous_total_per_hour, anonymous_total_per_day) > 0
  ),
  constraint api_keys_publishable_ones_have_few_scopes
    check (not is_publishable or scopes <@ public.publishable_scopes()),
  constraint api_keys_only_publishable_ones_have_origins
    check (is_publishable or origins = '{}' and not allows_no_origin and not allows_mcp),
  constraint api_keys_publishable_ones_have_totals
    check (num_nulls(total_per_minute, total_per_hour, total_per_day, anonymous_per_minute, anonymous_per_hour,
      anonymous_per_day, anonymous_total_per_minute, anonymous_total_per_hour, anonymous_total_per_day)
      = case when is_publishable then 0 else 9 end)
) with (
  -- last_used_at is written each minute that a key is in use: room for the new row beside the old one.
  fillfactor = 70
);
comment on table private.api_keys is 'API keys of the accounts. Issue them with issue_api_key() and issue_publishable_key(), end them with revoke_api_key().';
comment on column private.api_keys.id is 'Names the key for operators; it is not part of the key.';
comment on column private.api_keys.digest is 'SHA-256 of the whole key, in hex. The key itself is not kept.';
comment on column private.api_keys.prefix is 'The first characters of the key, to tell keys apart.';
comment on column private.api_keys.name is 'What the key is for, for operators.';
comment on column private.api_keys.scopes is 'What the key may do; public.known_scopes() names all of them.';
comment on column private.api_keys.requests_per_minute is 'Requests that the key may make in a minute; of a publishable key, each user who is not anonymous.';
comment on column private.api_keys.requests_per_hour is 'Requests that the key may make in an hour; of a publishable key, each user who is not anonymous.';
comment on column private.api_keys.requests_per_day is 'Requests that the key may make in a day; of a publishable key, each user who is not anonymous.';
comment on column private.api_keys.coach_ids is 'The coaches that the key is bound to; null: all of the account. For the key, others do not exist.';
comment on column private.api_keys.is_publishable is 'Whether the key may stand in a page: it admits only signed-in users, to what is theirs.';
comment on column private.api_keys.origins is 'Of a publishable key: the origins of the pages that may use it, as browsers name them, such as https://app.example.com.';
comment on column private.api_keys.allows_no_origin is 'Of a publishable key: whether requests without an origin are admitted, as native apps send them.';
comment on column private.api_keys.allows_mcp is 'Of a publishable key: whether it may be part of the address of the MCP server.';
comment on column private.api_keys.options is 'For the function openai. tasks: requests of chat interfaces for titles and the like are told by their texts, too; footnotes: answers end with numbered lines that name their sources.';
comment on column private.api_keys.lineage_id is 'The first of the keys that were rotated into one another: conversations that clients name stay with them.';
comment on column private.api_keys.total_per_minute is 'Of a publishable key: requests that all users together may make in a minute.';
comment on column private.api_keys.total_per_hour is 'Of a publishable key: requests that all users together may make in an hour.';
comment on column private.api_keys.total_per_day is 'Of a publishable key: requests that all users together may make in a day.';
comment on column private.api_keys.anonymous_per_minute is 'Of a publishable key: requests that each anonymous user may make in a minute.';
comment on column private.api_keys.anonymous_per_hour is 'Of a publishable key: requests that each anonymous user may make in an hour.';
comment on column private.api_keys.anonymous_per_day is 'Of a publishable key: requests that each anonymous user may make in a day.';
comment on column private.api_keys.anonymous_total_per_minute is 'Of a publishable key: requests that all anonymous users together may make in a minute.';
comment on column private.api_keys.anonymous_total_per_hour is 'Of a publishable key: requests that all anonymous users together may make in an hour.';
comment on column private.api_keys.anonymous_total_per_day is 'Of a publishable key: requests that all anonymous users together may make in a day.';
comment on column private.api_keys.expires_at is 'When the key ends by itself; null means never.';
comment on column private.api_keys.revoked_at is 'When an operator ended the key; null while it is in force.';
comment on column private.api_keys.replaced_by is 'The key that rotate_api_key() has issued in place of this one.';
comment on column private.api_keys.last_used_at is 'Last accepted request, to the minute.';

-- Deleting an account looks for its keys.
create index api_keys_by_account on private.api_keys (account_id);
-- Deleting a key looks for the one it replaced.
create index api_keys_by_successor on private.api_keys (replaced_by);

-- Random characters of 0-9, A-Z, a-z. Unbiased: bytes from 248 on are dropped, since 62 divides 248. Bytes 6
-- and 8 of a version 4 UUID hold its version and variant; the other 14 come from the server's strong generator.
create function private.random_base62(length integer) returns text
language plpgsql volatile security invoker set search_path = '' as $$
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
      if length(characters) = random_base62.length then return characters; end if;
    end loop;
  end loop;
end $$;

-- Makes the text of a key, stores its digest with everything else, and returns it, this once, with its settings.
-- template: all of the key but what is made here. Null limits get the defaults.
create function private.insert_key(template private.api_keys) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  secret constant text := private.random_base62(32);
  api_key constant text := case when template.is_publishable then 'hi_pub_' else 'hi_live_' end
    || secret || left(encode(sha256(convert_to(secret, 'UTF8')), 'hex'), 6);
  issued private.api_keys := template;
begin
  if not exists (select from public.accounts where id = template.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if template.coach_ids is not null and (template.coach_ids = '{}' or exists (
    select from unnest(template.coach_ids) as bound (id)
    where not exists (
      select from public.coach_profiles as coach
      where coach.account_id = template.account_id and coach.id = bound.id
    )
  )) then
    raise exception using errcode = '22023', message = 'coach_ids must be coaches of the account';
  end if;
  issued.id := gen_random_uuid();
  issued.lineage_id := coalesce(template.lineage_id, issued.id);
  issued.options := coalesce(template.options, '{}');
  issued.digest := encode(sha256(convert_to(api_key, 'UTF8')), 'hex');
  issued.prefix := left(api_key, 14);
  issued.requests_per_minute := coalesce(template.requests_per_minute, 60);
  issued.requests_per_hour := coalesce(template.requests_per_hour, 1000);
  issued.requests_per_day := coalesce(template.requests_per_day, 10000);
  issued.revoked_at := null;
  issued.replaced_by := null;
  issued.last_used_at := null;
  issued.created_at := now();
  insert into private.api_keys values (issued.*);
  return (
    to_jsonb(issued) - array['digest', 'revoked_at', 'replaced_by', 'last_used_at', 'lineage_id']
      || jsonb_build_object('api_key', api_key)
  )::json;
end $$;

-- Null limits get the defaults. Null scopes are refused: a script that forgot them must not get a key with all of them.
create function public.issue_api_key(
  account_id uuid, name text, scopes text[] default public.usual_scopes(), expires_at timestamptz default null,
  requests_per_minute integer default 60, requests_per_hour integer default 1000,
  requests_per_day integer default 10000, coach_ids text[] default null, options text[] default '{}'
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare template private.api_keys;
begin
  if (issue_api_key.scopes <@ public.known_scopes()) is not true then
    raise exception using errcode = '22023',
      message = format('scopes must be among %s', array_to_string(public.known_scopes(), ', '));
  end if;
  template := jsonb_populate_record(null::private.api_keys, jsonb_build_object(
    'account_id', account_id, 'name', name, 'scopes', scopes, 'coach_ids', coach_ids, 'expires_at', expires_at,
    'is_publishable', false, 'origins', '{}'::text[], 'allows_no_origin', false, 'allows_mcp', false, 'options', options,
    'requests_per_minute', requests_per_minute, 'requests_per_hour', requests_per_hour,
    'requests_per_day', requests_per_day
  ));
  return private.insert_key(template);
end $$;
comment on function public.issue_api_key is 'Makes a secret API key for an account and returns it, this once, with its settings.';

-- requests_per_…: of each user; total_per_…: of all users together, by default a hundred times as many.
-- anonymous_per_… and anonymous_total_per_…: the same of anonymous users, by default half as many. Anybody can be any
-- number of anonymous users, who must not shut the others out: what they leave of the total is for these.
create function public.issue_publishable_key(
  account_id uuid, name text, origins text[], allows_no_origin boolean default false, coach_ids text[] default null,
  scopes text[] default public.publishable_scopes(), expires_at timestamptz default null,
  requests_per_minute integer default 60, requests_per_hour integer default 1000,
  requests_per_day integer default 10000, total_per_minute integer default null, total_per_hour integer default null,
  total_per_day integer default null, anonymous_per_minute integer default null,
  anonymous_per_hour integer default null, anonymous_per_day integer default null,
  anonymous_total_per_minute integer default null, anonymous_total_per_hour integer default null,
  anonymous_total_per_day integer default null, allows_mcp boolean default false
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  known constant text[] := public.publishable_scopes();
  per_minute constant bigint := coalesce(requests_per_minute, 60);
  per_hour constant bigint := coalesce(requests_per_hour, 1000);
  per_day constant bigint := coalesce(requests_per_day, 10000);
  all_per_minute constant integer := coalesce(total_per_minute, least(100 * per_minute, 2147483647));
  all_per_hour constant integer := coalesce(total_per_hour, least(100 * per_hour, 2147483647));
  all_per_day constant integer := coalesce(total_per_day, least(100 * per_day, 2147483647));
  template private.api_keys;
  wrong text;
begin
  if (issue_publishable_key.scopes <@ known) is not true then
    raise exception using errcode = '22023',
      message = format('scopes of a publishable key must be among %s', array_to_string(known, ', '));
  end if;
  if cardinality(coalesce(issue_publishable_key.origins, '{}')) = 0
    and (issue_publishable_key.allows_no_origin or issue_publishable_key.allows_mcp) is not true
  then
    raise exception using errcode = '22023', message = 'a publishable key needs origins, or no page could use it';
  end if;
  -- Compared exactly with what browsers send: lower case, without a path, and without the default port of the scheme.
  select origin.name into wrong from unnest(origins) as origin (name)
  where (origin.name ~ '^[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$') is not true
    or origin.name ~ '^(http://.*:80|https://.*:443)$';
  if found then
    raise exception using errcode = '22023',
      message = format('origins: %L is not an origin as browsers name them, such as https://app.example.com', wrong);
  end if;
  template := jsonb_populate_record(null::private.api_keys, jsonb_build_object(
    'account_id', account_id, 'name', name, 'scopes', scopes, 'coach_ids', coach_ids, 'expires_at', expires_at,
    'is_publishable', true, 'origins', coalesce(origins, '{}'), 'allows_no_origin', coalesce(allows_no_origin, false),
    'allows_mcp', coalesce(allows_mcp, false),
    'requests_per_minute', per_minute, 'requests_per_hour', per_hour, 'requests_per_day', per_day,
    'total_per_minute', all_per_minute, 'total_per_hour', all_per_hour, 'total_per_day', all_per_day,
    'anonymous_per_minute', coalesce(anonymous_per_minute, greatest(per_minute / 2, 1)),
    'anonymous_per_hour', coalesce(anonymous_per_hour, greatest(per_hour / 2, 1)),
    'anonymous_per_day', coalesce(anonymous_per_day, greatest(per_day / 2, 1)),
    'anonymous_total_per_minute', coalesce(anonymous_total_per_minute, greatest(all_per_minute / 2, 1)),
    'anonymous_total_per_hour', coalesce(anonymous_total_per_hour, greatest(all_per_hour / 2, 1)),
    'anonymous_total_per_day', coalesce(anonymous_total_per_day, greatest(all_per_day / 2, 1))
  ));
  return private.insert_key(template);
end $$;
comment on function public.issue_publishable_key is 'Makes a publishable API key for the pages of some origins, or for AI clients, and returns it, with its settings.';

create function public.revoke_api_key(id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare revoked private.api_keys;
begin
  update private.api_keys as api_key set revoked_at = coalesce(api_key.revoked_at, now())
  where api_key.id = revoke_api_key.id returning * into revoked;
  if not found then raise exception using errcode = 'PT404', message = 'API key not found'; end if;
  return json_build_object('id', revoked.id, 'name', revoked.name, 'prefix', revoked.prefix, 'revoked_at', revoked.revoked_at);
end $$;
comment on function public.revoke_api_key is 'Ends an API key for good, from the next request on.';

-- The new key has the settings of the old one and, if that was issued to expire, the same lifetime. The old key expires
-- overlap_hours from now, or earlier if it was due to.
create function public.rotate_api_key(id uuid, overlap_hours integer default 24) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  old private.api_keys;
  successor private.api_keys;
  issued json;
  old_expires_at timestamptz;
begin
  if rotate_api_key.overlap_hours is null or rotate_api_key.overlap_hours not between 0 and 8760 then
    raise exception using errcode = '22023', message = 'overlap_hours must be from 0 to 8760';
  end if;
  select * into old from private.api_keys as api_key where api_key.id = rotate_api_key.id for update;
  if not found then raise exception using errcode = 'PT404', message = 'API key not found'; end if;
  if old.revoked_at is not null or old.expires_at <= now() then
    raise exception using errcode = 'PT409', message = 'This API key has ended: issue a new one';
  end if;
  if old.replaced_by is not null then
    raise exception using errcode = 'PT409', message = format('This API key was rotated before: %s is its successor', old.replaced_by);
  end if;
  successor := old;
  successor.expires_at := case when isfinite(old.expires_at) then now() + (old.expires_at - old.created_at) end;
  -- Coaches that were deleted since are left out.
  successor.coach_ids := case when old.coach_ids is not null then array(
    select coach.id from public.coach_profiles as coach
    where coach.account_id = old.account_id and coach.id = any (old.coach_ids) order by coach.id
  ) end;
  issued := private.insert_key(successor);
  update private.api_keys as api_key
  set replaced_by = (issued->>'id')::uuid,
    expires_at = least(api_key.expires_at, now() + make_interval(hours => rotate_api_key.overlap_hours))
  where api_key.id = old.id returning api_key.expires_at into old_expires_at;
  return (issued::jsonb || jsonb_build_object('replaces', old.id, 'replaced_expires_at', old_expires_at))::json;
end $$;
comment on function public.rotate_api_key is 'Issues a key in place of another, which keeps working for some hours, and returns the new one, this once.';

create function public.list_api_keys() returns table (
  id uuid, account_id uuid, name text, prefix text, status text, scopes text[], requests_per_minute integer,
  requests_per_hour integer, requests_per_day integer, coach_ids text[], is_publishable boolean, origins text[],
  allows_no_origin boolean, allows_mcp boolean, options text[], total_per_minute integer, total_per_hour integer, total_per_day integer,
  anonymous_per_minute integer, anonymous_per_hour integer, anonymous_per_day integer,
  anonymous_total_per_minute integer, anonymous_total_per_hour integer, anonymous_total_per_day integer,
  created_at timestamptz, last_used_at timestamptz, expires_at timestamptz, revoked_at timestamptz, replaced_by uuid
)
language sql stable security definer set search_path = '' as $$
  select api_key.id, api_key.account_id, api_key.name, api_key.prefix,
    case
      when api_key.revoked_at is not null then 'revoked'
      when api_key.expires_at <= now() then 'expired'
      when api_key.replaced_by is not null then 'replaced'
      else 'active'
    end,
    api_key.scopes, api_key.requests_per_minute, api_key.requests_per_hour, api_key.requests_per_day,
    api_key.coach_ids, api_key.is_publishable, api_key.origins, api_key.allows_no_origin, api_key.allows_mcp,
    api_key.options,
    api_key.total_per_minute, api_key.total_per_hour, api_key.total_per_day,
    api_key.anonymous_per_minute, api_key.anonymous_per_hour, api_key.anonymous_per_day,
    api_key.anonymous_total_per_minute, api_key.anonymous_total_per_hour, api_key.anonymous_total_per_day,
    api_key.created_at, api_key.last_used_at, api_key.expires_at, api_key.revoked_at, api_key.replaced_by
  from private.api_keys as api_key order by api_key.created_at, api_key.id;
$$;
comment on function public.list_api_keys is 'All API keys, without what is secret about them, oldest first: active, replaced (still valid until expires_at), expired or revoked.';

-- The key with this digest, unless it has ended; otherwise nulls.
-- is_for_mcp: whether the key is part of an address of the MCP server. A key that does not allow this is unknown there.
create function private.find_valid_key(digest text, is_for_mcp boolean default false) returns private.api_keys
language plpgsql stable security invoker set search_path = '' as $$
declare api_key private.api_keys;
begin
  select * into api_key from private.api_keys as known_key
  where known_key.digest = find_valid_key.digest and known_key.revoked_at is null
    and (known_key.expires_at is null or known_key.expires_at > now())
    and (known_key.allows_mcp or is_for_mcp is not true);
  return api_key;
end $$;

-- Whether pages of an origin may use a key. A secret key comes from a server, which has none.
-- is_same_origin: whether the browser says that the page has the origin of the service. It names no origin then where
-- the request only reads.
-- is_for_mcp: see find_valid_key(). AI clients are programs and servers, which have no origin.
create function private.allows_origin(
  api_key private.api_keys, origin text, is_same_origin boolean, is_for_mcp boolean
) returns boolean language plpgsql immutable security invoker set search_path = '' as $$
begin
  return case
    when not api_key.is_publishable then true
    when allows_origin.origin is not null then allows_origin.origin = any (api_key.origins)
    else allows_origin.is_same_origin or api_key.allows_no_origin or allows_origin.is_for_mcp
  end;
end $$;

-- Limits

-- A window begins with its first request and ends a minute, an hour or a day later. A request is admitted if all three
-- have room, and then counts in all three; a refused one counts in none. With a publishable key, each user has three
-- windows, and all users share three wider ones: a request needs room in all six. Of the shared ones, anonymous users
-- may use a part. It is counted in the same windows, so that it is never spent twice while one of them lasts.
-- Unlogged, so that no request waits for the disk: a crash of the server empties the table, which only opens new
-- windows.
--
-- A request locks its rows until its transaction ends. To let concurrent requests proceed, the shared windows of a key
-- are counted in four rows, its lanes; only their sum matters. While each lane has room for one more request, a request
-- locks only the lane of its connection. At most eight requests are under way in each lane, of one call (see
-- begin_turns()), so their sum stays within the limit. With less room, or when a window begins, a request locks all lanes
-- and counts exactly. (These numbers stand in answer, count_exactly and admit.)
create unlogged table private.rate_limit_windows (
  api_key_id uuid not null references private.api_keys (id) on delete cascade,
  user_hash text not null default '',
  lane smallint not null default 0,
  minute_ends_at timestamptz not null default '-infinity',
  minute_used integer not null default 0,
  minute_anonymous integer not null default 0,
  hour_ends_at timestamptz not null default '-infinity',
  hour_used integer not null default 0,
  hour_anonymous integer not null default 0,
  day_ends_at timestamptz not null default '-infinity',
  day_used integer not null default 0,
  day_anonymous integer not null default 0,
  constraint rate_limit_windows_are_kept_once primary key (api_key_id, user_hash, lane)
) with (
  -- Each request rewrites a row: half a page stays free for that.
  fillfactor = 50,
  -- A few rows, rewritten all the time: a share of them would start a vacuum every minute.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000
);
comment on table private.rate_limit_windows is 'Requests spent in the current minute, hour and day of each API key. Unused where Upstash counts.';
comment on column private.rate_limit_windows.api_key_id is 'The key whose requests are counted.';
comment on column private.rate_limit_windows.user_hash is 'Of a publishable key, the user whose requests are counted (see hash_user), so that the count outlives the erasure of the user. Empty: all of the key.';
comment on column private.rate_limit_windows.lane is 'Which of the rows it is that are added up: 0 to 3 of what all of a key share, 0 of a user.';
comment on column private.rate_limit_windows.minute_ends_at is 'When the current minute ends; the first request after it begins another.';
comment on column private.rate_limit_windows.minute_used is 'Requests admitted in the current minute.';
comment on column private.rate_limit_windows.minute_anonymous is 'Of these, requests of anonymous users; 0 in the rows of users.';
comment on column private.rate_limit_windows.hour_ends_at is 'When the current hour ends; the first request after it begins another.';
comment on column private.rate_limit_windows.hour_used is 'Requests admitted in the current hour.';
comment on column private.rate_limit_windows.hour_anonymous is 'Of these, requests of anonymous users; 0 in the rows of users.';
comment on column private.rate_limit_windows.day_ends_at is 'When the current day ends; the first request after it begins another.';
comment on column private.rate_limit_windows.day_used is 'Requests admitted in the current day.';
comment on column private.rate_limit_windows.day_anonymous is 'Of these, requests of anonymous users; 0 in the rows of users.';

-- The sweep deletes the windows of users whose day has ended. The time changes once a day.
create index rate_limit_windows_by_end on private.rate_limit_windows (day_ends_at) where user_hash <> '';

-- The name under which the requests of a user of a publishable key are counted; null for a secret key, or where nobody is
-- signed in. Counts are kept when a user is erased: erasing oneself must not refill a limit. Without the account's key
-- it cannot be told whose they are.
create function private.hash_user(api_key private.api_keys, user_id text) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  if not api_key.is_publishable or hash_user.user_id is null then return null; end if;
  return (
    select encode(
      sha256(uuid_send(account.hash_key) || uuid_send(api_key.id) || convert_to(hash_user.user_id, 'UTF8')), 'hex'
    )
    from public.accounts as account where account.id = api_key.account_id
  );
end $$;

create type private.windows as (
  minute_ends_at timestamptz, minute_used integer, minute_anonymous integer,
  hour_ends_at timestamptz, hour_used integer, hour_anonymous integer,
  day_ends_at timestamptz, day_used integer, day_anonymous integer,
  -- Of the one with the least left or, among equals, the last to free: how many requests it allows, how many of them are
  -- left, and when it ends.
  quota integer, room integer, ends_at timestamptz,
  -- Whether there was room for the request.
  is_allowed boolean
);
comment on type private.windows is 'The minute, the hour and the day of a key or one of its users, and how much they leave.';

-- The windows of all who use a key or, with user_hash, of one user, their lanes added up: new ones in the place of those
-- that have ended. All lanes begin a window together (see count_exactly). is_anonymous: who asks, is that.
-- The time is not now(): that is when the transaction began, before it waited for a lock.
create function private.read_windows(api_key private.api_keys, user_hash text, is_anonymous boolean) returns private.windows
language plpgsql volatile security invoker set search_path = '' as $$
declare
  at constant timestamptz := clock_timestamp();
  is_shared constant boolean := read_windows.user_hash = '';
  windows private.windows;
begin
  select used.*, tightest.*, tightest.room > 0 into windows
  from (
    select coalesce(max(lane.minute_ends_at) filter (where lane.minute_ends_at > at), at + interval '1 minute') as minute_ends_at,
      coalesce(sum(lane.minute_used) filter (where lane.minute_ends_at > at), 0)::integer as minute_used,
      coalesce(sum(lane.minute_anonymous) filter (where lane.minute_ends_at > at), 0)::integer as minute_anonymous,
      coalesce(max(lane.hour_ends_at) filter (where lane.hour_ends_at > at), at + interval '1 hour') as hour_ends_at,
      coalesce(sum(lane.hour_used) filter (where lane.hour_ends_at > at), 0)::integer as hour_used,
      coalesce(sum(lane.hour_anonymous) filter (where lane.hour_ends_at > at), 0)::integer as hour_anonymous,
      coalesce(max(lane.day_ends_at) filter (where lane.day_ends_at > at), at + interval '1 day') as day_ends_at,
      coalesce(sum(lane.day_used) filter (where lane.day_ends_at > at), 0)::integer as day_used,
      coalesce(sum(lane.day_anonymous) filter (where lane.day_ends_at > at), 0)::integer as day_anonymous
    from private.rate_limit_windows as lane where lane.api_key_id = api_key.id and lane.user_hash = read_windows.user_hash
    offset 0
  ) as used
  cross join lateral (
    select limited.quota, greatest(limited.quota - limited.used, 0) as room, limited.ends_at
    -- All who use a publishable key have totals besides, and anonymous users a part of these.
    from (values
      (case when is_shared then coalesce(api_key.total_per_minute, api_key.requests_per_minute) when is_anonymous
        then api_key.anonymous_per_minute else api_key.requests_per_minute end, used.minute_used, used.minute_ends_at),
      (case when is_shared then coalesce(api_key.total_per_hour, api_key.requests_per_hour) when is_anonymous
        then api_key.anonymous_per_hour else api_key.requests_per_hour end, used.hour_used, used.hour_ends_at),
      (case when is_shared then coalesce(api_key.total_per_day, api_key.requests_per_day) when is_anonymous
        then api_key.anonymous_per_day else api_key.requests_per_day end, used.day_used, used.day_ends_at),
      (case when is_shared and is_anonymous then api_key.anonymous_total_per_minute end, used.minute_anonymous, used.minute_ends_at),
      (case when is_shared and is_anonymous then api_key.anonymous_total_per_hour end, used.hour_anonymous, used.hour_ends_at),
      (case when is_shared and is_anonymous then api_key.anonymous_total_per_day end, used.day_anonymous, used.day_ends_at)
    ) as limited (quota, used, ends_at)
    where limited.quota is not null
    order by 2, 3 desc, 1 desc limit 1
  ) as tightest;
  return windows;
end $$;

-- Counts a request of a key or user, if all windows have room. Waits for all other requests that are under way.
create function private.count_exactly(api_key private.api_keys, user_hash text, is_anonymous boolean) returns private.windows
language plpgsql volatile security invoker set search_path = '' as $$
declare
  lanes constant integer := case when count_exactly.user_hash = '' then 4 else 1 end;
  anonymous constant integer := case when lanes = 4 and api_key.is_publishable and is_anonymous then 1 else 0 end;
  windows private.windows;
begin
  loop
    perform from private.rate_limit_windows as lane
    where lane.api_key_id = api_key.id and lane.user_hash = count_exactly.user_hash order by lane.lane for update;
    exit when found;
    -- All lanes together, so that none is missed.
    insert into private.rate_limit_windows (api_key_id, user_hash, lane)
    select api_key.id, count_exactly.user_hash, new.lane from generate_series(0, lanes - 1) as new (lane)
    on conflict do nothing;
  end loop;
  windows := private.read_windows(api_key, count_exactly.user_hash, is_anonymous);
  if not windows.is_allowed then return windows; end if;
  windows.room := windows.room - 1;
  -- Dealt out evenly: rounded down like this, the parts make up the whole.
  update private.rate_limit_windows as lane
  set minute_ends_at = windows.minute_ends_at, minute_used = (windows.minute_used + 1 + lane.lane) / lanes,
    minute_anonymous = (windows.minute_anonymous + anonymous + lane.lane) / lanes,
    hour_ends_at = windows.hour_ends_at, hour_used = (windows.hour_used + 1 + lane.lane) / lanes,
    hour_anonymous = (windows.hour_anonymous + anonymous + lane.lane) / lanes,
    day_ends_at = windows.day_ends_at, day_used = (windows.day_used + 1 + lane.lane) / lanes,
    day_anonymous = (windows.day_anonymous + anonymous + lane.lane) / lanes
  where lane.api_key_id = api_key.id and lane.user_hash = count_exactly.user_hash;
  return windows;
end $$;

-- Usage

-- It holds no personal data. Tokens of an answer that was erased or restarted while it was being written are not
-- counted: the model reports them only at the end.
create table private.usage_counts (
  id bigint generated always as identity primary key,
  account_id uuid not null references public.accounts (id) on delete cascade,
  at timestamptz not null,
  -- No references: what was counted stays when its key or coach is deleted.
  api_key_id uuid,
  coach_id text,
  requests bigint not null default 0,
  refusals bigint not null default 0,
  turns bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  reasoning_tokens bigint not null default 0,
  estimated_turns bigint not null default 0,
  cost_micro_usd bigint not null default 0,
  unpriced_turns bigint not null default 0,
  answers bigint not null default 0,
  own_words bigint not null default 0,
  constraint usage_counts_are_kept_once unique nulls not distinct (account_id, at, api_key_id, coach_id)
) with (
  -- The newest rows are rewritten each minute: half a page stays free for that.
  fillfactor = 50,
  -- Most rows are of the past and rest: a share of them would let the newest wait too long.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000
);
comment on table private.usage_counts is 'What was used, by account, time, key and coach, without what is still in the ledger. Read it with the view usage_daily.';
comment on column private.usage_counts.at is 'When it began: the day (UTC) of requests, and the quarter of an hour of what a coach did, with which days of all time zones begin.';
comment on column private.usage_counts.api_key_id is 'The key of the requests; null for answers whose request is not known.';
comment on column private.usage_counts.coach_id is 'As the coach was called then. Null for requests and refusals: they are counted before it is known which coach is meant.';
comment on column private.usage_counts.requests is 'Requests with this key, those that its limits refused included.';
comment on column private.usage_counts.refusals is 'Requests that a limit of the key refused (429).';
comment on column private.usage_counts.turns is 'Answers that have ended, well or not, those to tests included; one that was tried again counts again.';
comment on column private.usage_counts.input_tokens is 'Tokens that the model read.';
comment on column private.usage_counts.cached_tokens is 'Those of input_tokens that the model''s server had in its cache.';
comment on column private.usage_counts.output_tokens is 'Tokens that the model wrote, its thoughts included.';
comment on column private.usage_counts.reasoning_tokens is 'Those of output_tokens that were its thoughts.';
comment on column private.usage_counts.estimated_turns is 'Answers whose tokens are estimated in part (see messages.is_estimated).';
comment on column private.usage_counts.cost_micro_usd is 'Cost of the answers whose model had a price when they ended, in millionths of a US dollar.';
comment on column private.usage_counts.unpriced_turns is 'Answers whose cost is not known, because their model had no price.';
comment on column private.usage_counts.answers is 'Answers that people got, with at least a part of their text; no tests.';
comment on column private.usage_counts.own_words is 'Those of answers in the words of an expert: pinned answers that were given word for word, and what was said in person.';

-- The usage of a coach by day.
create index usage_counts_by_coach on private.usage_counts (coach_id, at) where coach_id is not null;

-- What is counted is appended here, so that no request waits for another. fold_ledger() adds it to the totals.
-- No references: what was counted stays when its key or coach is deleted.
create table private.ledger (
  like private.usage_counts including defaults including identity including comments,
  user_id text,
  exact uuid,
  near uuid[],
  primary key (id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table private.ledger alter column at set default now();
comment on table private.ledger is 'What requests and turns add to totals: emptied each minute, and before totals are read.';
comment on column private.ledger.id is 'The order in which rows were written.';
comment on column private.ledger.at is 'When it was.';
comment on column private.ledger.user_id is 'The person who has asked, for askers.';
comment on column private.ledger.exact is 'The pinned answer that was given word for word.';
comment on column private.ledger.near is 'The pinned answers that the model was given.';

-- Adds what is in the ledger to the totals: to usage_counts, askers and pinned_answer_hits. Who reads one of these
-- calls it first, and the clock each minute.
-- One at a time, and only this function locks their rows. What another call has taken is in the totals when that ends,
-- which may take long: with is_awaited it is waited for, and otherwise missing until then.
create function private.fold_ledger(is_awaited boolean default false) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare lock constant bigint := hashtextextended('fold_ledger', 0);
begin
  if is_awaited then perform pg_advisory_xact_lock(lock);
  elsif not exists (select from private.ledger) or not pg_try_advisory_xact_lock(lock) then return;
  end if;
  with taken as materialized (
    delete from private.ledger as entry where entry.id <= (select max(newest.id) from private.ledger as newest) returning *
  ), counted as (
    insert into private.usage_counts as counts (account_id, at, api_key_id, coach_id, requests, refusals, turns, input_tokens,
      cached_tokens, output_tokens, reasoning_tokens, estimated_turns, cost_micro_usd, unpriced_turns, answers, own_words)
    select account.id, case when taken.coach_id is null then date_trunc('day', taken.at, 'UTC')
        else date_bin('15 minutes', taken.at, 'epoch') end, taken.api_key_id, taken.coach_id, sum(taken.requests),
      sum(taken.refusals), sum(taken.turns), sum(taken.input_tokens), sum(taken.cached_tokens), sum(taken.output_tokens),
      sum(taken.reasoning_tokens), sum(taken.estimated_turns), sum(taken.cost_micro_usd), sum(taken.unpriced_turns),
      sum(taken.answers), sum(taken.own_words)
    from taken
    -- An account that was deleted since has no totals.
    cross join lateral (select known.id from public.accounts as known where known.id = taken.account_id for key share) as account
    group by 1, 2, 3, 4
    having sum(taken.requests + taken.turns + taken.answers + taken.input_tokens + taken.output_tokens) > 0
    on conflict on constraint usage_counts_are_kept_once do update
    set requests = counts.requests + excluded.requests, refusals = counts.refusals + excluded.refusals,
      turns = counts.turns + excluded.turns, input_tokens = counts.input_tokens + excluded.input_tokens,
      cached_tokens = counts.cached_tokens + excluded.cached_tokens,
      output_tokens = counts.output_tokens + excluded.output_tokens,
      reasoning_tokens = counts.reasoning_tokens + excluded.reasoning_tokens,
      estimated_turns = counts.estimated_turns + excluded.estimated_turns,
      cost_micro_usd = counts.cost_micro_usd + excluded.cost_micro_usd,
      unpriced_turns = counts.unpriced_turns + excluded.unpriced_turns, answers = counts.answers + excluded.answers,
      own_words = counts.own_words + excluded.own_words
  ), met as (
    insert into private.askers (coach_id, at, user_id)
    select distinct coach.id, date_bin('15 minutes', taken.at, 'epoch'), taken.user_id from taken
    cross join lateral (select known.id from public.coach_profiles as known where known.id = taken.coach_id for key share) as coach
    where taken.user_id is not null
    on conflict do nothing
  )
  update private.pinned_answer_hits as used
  set hits = used.hits + news.hits, near_hits = used.near_hits + news.near_hits,
    last_hit_at = greatest(used.last_hit_at, news.last_hit_at)
  from (
    select hit.id, count(*) filter (where hit.is_exact) as hits, count(*) filter (where not hit.is_exact) as near_hits,
      max(taken.at) as last_hit_at
    from taken cross join lateral (
      select taken.exact as id, true as is_exact where taken.exact is not null
      union all
      select near.id, false from unnest(taken.near) as near (id)
    ) as hit
    group by hit.id
  ) as news
  where used.pinned_answer_id = any (array[news.id]);
end $$;

-- Admission

-- A request costs one round trip: the function that does its work also admits it. Each function for clients has a
-- parameter `caller`, turns it into a private.caller with admit(), does its work if that is admitted, and returns
-- answer() or refuse(). A client that is not admitted has no account: no coach, thread or file is found for it.
--
-- The parameter, before the request is admitted: {key_digest, scope, is_counted, user_id, is_anonymous, origin,
-- is_same_origin, is_for_mcp}.
-- scope: what the key needs, if that is known yet; of a list, any. is_counted: false where Upstash counts. user_id: the signed-in user.
-- is_anonymous: whether Auth knows this user only as a visitor.
-- origin and is_same_origin: the page, for publishable keys. is_for_mcp: whether the key is part of the address.
-- The parameter of a further call, for a request that is admitted: {account_id, api_key_id, user_id,
-- is_anonymous}.
create type private.caller as (
  is_admitted boolean,
  -- Null unless the request is admitted.
  account_id uuid,
  api_key_id uuid,
  -- The coaches that the key is bound to; null: all of the account. Others do not exist for it.
  coach_ids text[],
  -- Null: all.
  scopes text[],
  -- The user to whom everything is limited; null: the key acts alone.
  user_id text,
  -- Whether the signed-in user is an anonymous one, who has limits of another kind.
  is_anonymous boolean,
  -- Whether the function writes anything.
  is_change boolean,
  -- What remains to be counted; the key is null where that was done before, and where no valid key has the digest.
  api_key private.api_keys,
  is_origin_allowed boolean,
  is_counted boolean,
  -- How many requests there are, of which begin_turns() begins several; null: one.
  requests integer,
  -- Whether the request must be counted alone, since there is little room within the limits.
  is_tight boolean,
  -- Whether the account has budgets.
  is_budgeted boolean
);
comment on type private.caller is 'The client that a function works for: its account, key and user, and what remains to be counted of the request.';

-- A caller for work outside of a request: a stream that goes on, a waiting question.
create function private.caller_of(account_id uuid, user_id text, coach_ids text[] default null) returns private.caller
language plpgsql immutable security invoker set search_path = '' as $$
declare caller private.caller;
begin
  caller.is_admitted := true;
  caller.account_id := caller_of.account_id;
  caller.user_id := caller_of.user_id;
  caller.coach_ids := caller_of.coach_ids;
  return caller;
end $$;

-- The coaches that exist for a key, as caller has them. Deleted ones are among no caller's: nobody reaches what is theirs
-- until it is erased.
create function private.reachable_coaches(account_id uuid, bound text[]) returns text[]
language plpgsql stable security invoker set search_path = '' as $$
begin
  if not exists (
    select from public.coach_profiles as coach
    where coach.account_id = reachable_coaches.account_id and coach.deleted_at is not null
  ) then
    return bound;
  end if;
  return array(
    select coach.id from public.coach_profiles as coach
    where coach.account_id = reachable_coaches.account_id and coach.deleted_at is null and (bound is null or coach.id = any (bound))
  );
end $$;

-- Whether the key of a caller is bound to some coaches.
create function private.is_bound(caller private.caller) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin return (select api_key.coach_ids is not null from private.api_keys as api_key where api_key.id = caller.api_key_id); end $$;

-- The caller of a further call for a request that is admitted.
create function private.readmit(caller jsonb, user_id text) returns private.caller
language plpgsql stable security invoker set search_path = '' as $$
declare
  client private.caller;
  known_key private.api_keys;
begin
  client.is_admitted := true;
  client.account_id := caller->>'account_id';
  client.api_key_id := caller->>'api_key_id';
  select * into known_key from private.api_keys as api_key where api_key.id = client.api_key_id;
  if not found and client.api_key_id is not null then
    -- Nobody knows any more what it was bound to.
    raise exception using errcode = '42501', message = 'The API key was deleted meanwhile';
  end if;
  client.coach_ids := private.reachable_coaches(client.account_id, known_key.coach_ids);
  client.scopes := known_key.scopes;
  client.is_budgeted := private.has_budgets(client.account_id);
  client.is_anonymous := coalesce((caller->>'is_anonymous')::boolean, false);
  client.user_id := case when known_key.is_publishable then coalesce(caller->>'user_id', '') else readmit.user_id end;
  return client;
end $$;

-- Admits a request, as far as that can be known before it is counted.
-- user_id: the user to whom everything is limited; null: the key acts alone. With a publishable key it is always the
-- signed-in user.
-- is_change: whether the function writes anything. Then the commit is on disk before the reply, and a request that
-- turns out to be one too many is taken back as a whole.
--
-- This looks at the limits without a lock, so that a request over them does no work. The request is counted by
-- answer(): its lock makes the count exact, is held for a moment, and no request waits for the work of another. But
-- requests that come at the same time may do their work beyond the limit, and are refused afterwards.
create function private.admit(caller jsonb, user_id text default null, is_change boolean default false)
returns private.caller language plpgsql stable security invoker set search_path = '' as $$
declare
  client private.caller;
  api_key private.api_keys;
  is_for_mcp constant boolean := coalesce((caller->>'is_for_mcp')::boolean, false);
  scope constant jsonb := caller->'scope';
  known record;
  shared private.windows;
  room integer;
begin
  if caller ? 'account_id' then
    client := private.readmit(caller, admit.user_id);
    client.is_change := admit.is_change;
    return client;
  end if;
  client.is_admitted := false;
  client.is_counted := coalesce((caller->>'is_counted')::boolean, true);
  select valid as api_key, case when exists (
      select from public.coach_profiles as coach where coach.account_id = valid.account_id and coach.deleted_at is not null
    ) then private.reachable_coaches(valid.account_id, valid.coach_ids) else valid.coach_ids end as coach_ids,
    exists (select from public.budgets as budget where budget.account_id = valid.account_id) as is_budgeted
  into known
  from private.api_keys as valid
  -- As in find_valid_key().
  where valid.digest = caller->>'key_digest' and valid.revoked_at is null and (valid.expires_at is null or valid.expires_at > now())
    and (valid.allows_mcp or not is_for_mcp);
  if not found then return client; end if;
  api_key := known.api_key;
  client.api_key := api_key;
  client.api_key_id := api_key.id;
  client.coach_ids := known.coach_ids;
  client.scopes := api_key.scopes;
  client.is_budgeted := false;
  client.user_id := case when api_key.is_publishable then caller->>'user_id' else admit.user_id end;
  client.is_change := admit.is_change;
  client.is_anonymous := coalesce((caller->>'is_anonymous')::boolean, false);
  client.is_origin_allowed := not api_key.is_publishable or private.allows_origin(
    api_key, caller->>'origin', coalesce((caller->>'is_same_origin')::boolean, false), is_for_mcp
  );
  if api_key.is_publishable and (client.user_id is null or not client.is_origin_allowed) then return client; end if;
  client.is_budgeted := known.is_budgeted;
  if client.is_counted then
    shared := private.read_windows(api_key, '', client.is_anonymous);
    client.is_tight := shared.room < 25 or least(shared.minute_used, shared.hour_used, shared.day_used) = 0;
    room := shared.room;
    if api_key.is_publishable then
      room := least(room, (private.read_windows(api_key, private.hash_user(api_key, client.user_id), client.is_anonymous)).room);
    end if;
  end if;
  -- The signed-in expert of a coach needs no scope `expert` and, with a publishable key, none for the coach's files.
  -- The functions that ask for these scopes check that the user is the expert.
  if (
    scope is null or scope ?| api_key.scopes
      or api_key.is_publishable and scope ?| array['knowledge:read', 'knowledge:write']
      or scope ? 'expert' and caller->>'user_id' is not null
  ) and (room <= 0) is not true
  then
    client.is_admitted := true;
    client.account_id := api_key.account_id;
  end if;
  return client;
end $$;

-- Counts a request, if all windows have room, and replies with its admission and the result of its work; null if no valid
-- key was shown. The admission says what the tightest window of who asks has left, or of those that refuse.
-- result: left out of the reply if the client is not admitted. The reply to a request that was admitted before is the
-- result alone.
-- Of a publishable key, nobody may be signed in. Such a request is refused anyway. It spends nothing and takes no lock:
-- otherwise a stranger who has read the source of a page could use up everybody's requests, or slow them down. If the
-- limits are used up, it is refused for that reason.
-- A request that has seen room in all lanes counts in the lane of its connection. If there is less by now, or a window has
-- ended, it is retried.
create function private.answer(client private.caller, result json default null) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  api_key constant private.api_keys := client.api_key;
  requests constant integer := coalesce(client.requests, 1);
  anonymous constant integer := case when api_key.is_publishable and client.is_anonymous then requests else 0 end;
  -- Nor is a request from a page elsewhere, or with a publishable key and no signed-in user, usage of the account.
  is_stranger constant boolean := not client.is_origin_allowed or api_key.is_publishable and client.user_id is null;
  hash text;
  spent private.windows;
  own private.windows;
  is_counted boolean;
  is_refused boolean;
  described json;
begin
  if api_key.id is null then return case when client.is_admitted then answer.result end; end if;
  if client.is_counted and client.is_origin_allowed then
    if api_key.is_publishable and not is_stranger then
      -- The user's windows come first, always.
      hash := private.hash_user(api_key, client.user_id);
      own := private.count_exactly(api_key, hash, client.is_anonymous);
    end if;
    if own.is_allowed = false then
      spent := own;
    elsif client.is_tight and not is_stranger then
      spent := private.count_exactly(api_key, '', client.is_anonymous);
    else
      update private.rate_limit_windows as lane
      set minute_used = lane.minute_used + requests, minute_anonymous = lane.minute_anonymous + anonymous,
        hour_used = lane.hour_used + requests, hour_anonymous = lane.hour_anonymous + anonymous,
        day_used = lane.day_used + requests, day_anonymous = lane.day_anonymous + anonymous
      where not is_stranger and lane.api_key_id = api_key.id and lane.user_hash = '' and lane.lane = pg_backend_pid() % 4
        and least(lane.minute_ends_at, lane.hour_ends_at, lane.day_ends_at) > clock_timestamp();
      is_counted := found;
      spent := private.read_windows(api_key, '', client.is_anonymous);
      -- In three other lanes, eight may be under way, and are not seen.
      if not is_stranger and (not is_counted or spent.room < 24) then
        raise exception using errcode = 'PT429', message = 'The limit has come near meanwhile';
      end if;
    end if;
    if own.is_allowed and spent.is_allowed then
      spent := own;
    elsif own.is_allowed then
      update private.rate_limit_windows as windows
      set minute_used = windows.minute_used - 1, hour_used = windows.hour_used - 1, day_used = windows.day_used - 1
      where windows.api_key_id = api_key.id and windows.user_hash = hash;
    end if;
  end if;
  is_refused := coalesce(not spent.is_allowed, false);
  if is_refused and client.is_admitted and client.is_change then
    -- Other requests took what was left meanwhile. Asked once more, this one gets its refusal.
    raise exception using errcode = 'PT429', message = 'The limit was reached meanwhile';
  end if;
  -- Reads do not wait for the disk: a crash of the server may lose the counts of its last moment.
  if not client.is_change then perform set_config('synchronous_commit', 'off', true); end if;
  if not is_stranger then
    if api_key.last_used_at is null or api_key.last_used_at < now() - interval '1 minute' then
      update private.api_keys as used set last_used_at = now()
      where used.id = api_key.id and used.last_used_at is not distinct from api_key.last_used_at;
    end if;
    insert into private.ledger (account_id, api_key_id, requests, refusals)
    values (api_key.account_id, api_key.id, requests, is_refused::integer);
  end if;
  described := json_build_object(
    'key_id', api_key.id, 'account_id', api_key.account_id, 'scopes', api_key.scopes, 'options', api_key.options,
    'spent', case when spent.ends_at is not null then json_build_object('is_allowed', spent.is_allowed, 'limit', spent.quota,
      'remaining', spent.room, 'reset', ceil(extract(epoch from spent.ends_at))::bigint,
      'retry_after', greatest(ceil(extract(epoch from spent.ends_at - clock_timestamp())), 1)::integer) end,
    'is_origin_allowed', client.is_origin_allowed, 'is_budgeted', client.is_budgeted
  );
  if is_refused or not client.is_admitted then return json_build_object('admission', described); end if;
  return json_build_object('admission', described, 'result', answer.result);
end $$;

-- The answer of a function that refuses its work: {"error": reason}.
create function private.refuse(client private.caller, reason text) returns json
language plpgsql volatile security invoker set search_path = '' as $$
begin return private.answer(client, json_build_object('error', refuse.reason)); end $$;

create function public.admit_request(caller jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
begin return private.answer(private.admit(caller)); end $$;
comment on function public.admit_request is 'Admits a request with a call of its own: {admission}, or null where no valid key was shown.';

-- origin, is_same_origin, is_for_mcp: see allows_origin().
create function public.find_api_key(
  key_digest text, origin text default null, is_same_origin boolean default false, is_for_mcp boolean default false
) returns json language plpgsql stable security definer set search_path = '' as $$
declare api_key constant private.api_keys := private.find_valid_key(find_api_key.key_digest, find_api_key.is_for_mcp);
begin
  if api_key.id is null then return null; end if;
  return json_build_object(
    'key_id', api_key.id,
    'is_origin_allowed', private.allows_origin(
      api_key, find_api_key.origin, find_api_key.is_same_origin, find_api_key.is_for_mcp
    ),
    'requests', array[api_key.requests_per_minute, api_key.requests_per_hour, api_key.requests_per_day],
    'publishable', case when api_key.is_publishable then json_build_object(
      'totals', array[api_key.total_per_minute, api_key.total_per_hour, api_key.total_per_day],
      'anonymous_requests',
      array[api_key.anonymous_per_minute, api_key.anonymous_per_hour, api_key.anonymous_per_day],
      'anonymous_totals',
      array[api_key.anonymous_total_per_minute, api_key.anonymous_total_per_hour, api_key.anonymous_total_per_day]
    ) end
  );
end $$;
comment on function public.find_api_key is 'The limits of a valid key, by minute, hour and day, where Upstash counts; null where there is none. Counts nothing.';

create function public.count_refusal(api_key_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.ledger (account_id, api_key_id, requests, refusals)
  select api_key.account_id, api_key.id, 1, 1 from private.api_keys as api_key where api_key.id = count_refusal.api_key_id;
end $$;
comment on function public.count_refusal is 'Counts a request that Upstash has refused, for the usage of its key.';
