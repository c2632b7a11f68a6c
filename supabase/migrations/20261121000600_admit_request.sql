-- The door: one call checks an API key and spends one unit of its three rate limits.
-- A window begins with its first request and ends a minute, an hour or a day later. A request is admitted when
-- all three have room, and then counts in all three; a refused one counts in none.

-- Unlogged: counters, not records. A crash of the server opens all windows anew, and no request waits for the disk.
create unlogged table private.rate_limit_windows (
  api_key_id uuid primary key references private.api_keys (id) on delete cascade,
  minute_ends_at timestamptz not null default '-infinity',
  minute_used integer not null default 0,
  hour_ends_at timestamptz not null default '-infinity',
  hour_used integer not null default 0,
  day_ends_at timestamptz not null default '-infinity',
  day_used integer not null default 0
) with (fillfactor = 50);

comment on table private.rate_limit_windows is 'Requests spent in the current minute, hour and day of each API key. Unused when Upstash counts.';

alter table private.rate_limit_windows enable row level security;

create policy "Only the functions of this schema reach rate limits" on private.rate_limit_windows
  for all to anon, authenticated using (false) with check (false);

create function private.spend_request(api_key private.api_keys) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  spent private.rate_limit_windows;
  at timestamptz;
  is_allowed boolean;
  described record;
begin
  -- The row lock makes the count exact: requests of one key pass here one after the other.
  loop
    select * into spent from private.rate_limit_windows where api_key_id = api_key.id for update;
    exit when found;
    insert into private.rate_limit_windows (api_key_id) values (api_key.id) on conflict do nothing;
  end loop;
  -- Not now(): that is when the transaction began, before it waited for the lock.
  at := clock_timestamp();
  if spent.minute_ends_at <= at then
    spent.minute_ends_at := at + interval '1 minute';
    spent.minute_used := 0;
  end if;
  if spent.hour_ends_at <= at then
    spent.hour_ends_at := at + interval '1 hour';
    spent.hour_used := 0;
  end if;
  if spent.day_ends_at <= at then
    spent.day_ends_at := at + interval '1 day';
    spent.day_used := 0;
  end if;
  is_allowed := spent.minute_used < api_key.requests_per_minute
    and spent.hour_used < api_key.requests_per_hour
    and spent.day_used < api_key.requests_per_day;
  if is_allowed then
    spent.minute_used := spent.minute_used + 1;
    spent.hour_used := spent.hour_used + 1;
    spent.day_used := spent.day_used + 1;
    update private.rate_limit_windows
    set minute_ends_at = spent.minute_ends_at, minute_used = spent.minute_used,
      hour_ends_at = spent.hour_ends_at, hour_used = spent.hour_used,
      day_ends_at = spent.day_ends_at, day_used = spent.day_used
    where api_key_id = api_key.id;
  end if;
  -- The window to describe: the one with the least left and, among equals, the one that frees last.
  select * into described
  from (values
    (api_key.requests_per_minute, spent.minute_used, spent.minute_ends_at),
    (api_key.requests_per_hour, spent.hour_used, spent.hour_ends_at),
    (api_key.requests_per_day, spent.day_used, spent.day_ends_at)
  ) as limits (quota, used, ends_at)
  order by greatest(quota - used, 0), ends_at desc
  limit 1;
  return json_build_object(
    'is_allowed', is_allowed,
    'limit', described.quota,
    'remaining', greatest(described.quota - described.used, 0),
    'reset', ceil(extract(epoch from described.ends_at))::bigint,
    'retry_after', greatest(ceil(extract(epoch from described.ends_at - at)), 1)::integer
  );
end;
$$;

comment on function private.spend_request(private.api_keys) is 'Spends one request of a key, if all three windows have room, and describes the tightest window.';
revoke execute on function private.spend_request(private.api_keys) from public;

-- Definer: service_role has no rights on the private schema.
create function public.admit_request(key_digest text, is_counted boolean) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  api_key private.api_keys;
begin
  select * into api_key from private.api_keys as candidate
  where candidate.digest = key_digest
    and candidate.revoked_at is null
    and (candidate.expires_at is null or candidate.expires_at > now());
  if not found then
    return null;
  end if;
  if api_key.last_used_at is null or api_key.last_used_at < now() - interval '1 minute' then
    update private.api_keys as used set last_used_at = now() where used.id = api_key.id;
  end if;
  return json_build_object(
    'id', api_key.id,
    'account_id', api_key.account_id,
    'scopes', api_key.scopes,
    'requests_per_minute', api_key.requests_per_minute,
    'requests_per_hour', api_key.requests_per_hour,
    'requests_per_day', api_key.requests_per_day,
    'spent', case when is_counted then private.spend_request(api_key) end
  );
end;
$$;

comment on function public.admit_request(text, boolean)
  is 'The valid API key with this digest, or null; counted against its limits when is_counted.';
revoke execute on function public.admit_request(text, boolean) from public, anon, authenticated;
grant execute on function public.admit_request(text, boolean) to service_role;
