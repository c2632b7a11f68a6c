-- Sources: addresses of the web that a coach knows, each a page, a site or a feed. The function fetcher reads them, and
-- reads them again daily or weekly. Each of their pages is a knowledge file.
-- Tables: source_pages (knowledge_sources has a file of its own). In private: fetch_lanes (which hosts are being asked).
-- A source is read in rounds: a worker finds out which pages it has (its list), then each page is asked for, and what is
-- no longer listed is deleted at the end. A worker claims a list or a page for three minutes, and counts the attempt before
-- its work: so that of a worker that was killed is due again, and what has killed three of them is given up.
-- Surprises: everything here is locked in one order: source, file, page. Deleting the file of a page bars the page,
-- whoever deletes it; pages that are to go without being barred are deleted before their files. Deleting a source deletes
-- its files first: the reference of knowledge_files is older than that of source_pages.

create table public.source_pages (
  source_id uuid not null references public.knowledge_sources (id) on delete cascade,
  url text not null,
  number bigint generated always as identity,
  host text not null generated always as (lower(substring(url from '^https?://([^/?#]+)'))) stored,
  file_id uuid references public.knowledge_files (id) on delete set null,
  state text not null default 'waiting',
  reason text,
  etag text,
  last_modified text,
  is_listed boolean not null default true,
  is_barred boolean not null default false,
  missing_since timestamptz,
  checked_at timestamptz,
  attempts integer not null default 0,
  claim uuid,
  due_at timestamptz,
  constraint source_pages_are_known_once primary key (source_id, url),
  constraint source_pages_url_is_an_address check (url ~ '^https?://[^/?#]' and char_length(url) <= 2000),
  constraint source_pages_state_is_known check (state in ('waiting', 'read', 'duplicate', 'missing', 'failed'))
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table public.source_pages is 'The pages of a source, as far as they are known.';
comment on column public.source_pages.source_id is 'The source.';
comment on column public.source_pages.url is 'The address of the page.';
comment on column public.source_pages.number is 'The order in which pages were found; the entries of a feed, the oldest first.';
comment on column public.source_pages.host is 'Host and port of the address.';
comment on column public.source_pages.file_id is 'The file with its text; null: it has none.';
comment on column public.source_pages.state is 'How it was found last: read, duplicate, missing (404 or 410) or failed; waiting: it was not asked for yet.';
comment on column public.source_pages.reason is 'Why it is not read, or not to its end.';
comment on column public.source_pages.etag is 'ETag of the reply that the file was made of.';
comment on column public.source_pages.last_modified is 'Last-Modified of that reply.';
comment on column public.source_pages.is_listed is 'Whether it stays when the round ends.';
comment on column public.source_pages.is_barred is 'Whether its file was deleted: it is not read again.';
comment on column public.source_pages.missing_since is 'When it first was missing; null: it was there when last read.';
comment on column public.source_pages.checked_at is 'When it was last asked for.';
comment on column public.source_pages.attempts is 'How often it was asked for in this round.';
comment on column public.source_pages.due_at is 'When a worker may take it; null: not in this round.';

-- The page of a file.
create index source_pages_by_file on public.source_pages (file_id) where file_id is not null;
-- The page that a worker takes next.
create index source_pages_by_due_time on public.source_pages (source_id, due_at, number) where due_at is not null;

create table private.fetch_lanes (
  host text not null,
  place integer not null,
  claim uuid,
  account_id uuid not null references public.accounts (id) on delete cascade,
  due_at timestamptz not null,
  constraint fetch_lanes_are_named_once primary key (host, place)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.fetch_lanes is 'Hosts that are being asked, or were a moment ago. Each has one lane, a host in a private network four.';
comment on column private.fetch_lanes.host is 'Host and port.';
comment on column private.fetch_lanes.place is 'The number of the lane, from 1.';
comment on column private.fetch_lanes.claim is 'The claim of the list or page that is being read; null: it has been read.';
comment on column private.fetch_lanes.account_id is 'The account whose list or page it is, for its share.';
comment on column private.fetch_lanes.due_at is 'When the next request may begin.';

-- The lane of a claim.
create index fetch_lanes_by_claim on private.fetch_lanes (claim);
-- What an account has under way.
create index fetch_lanes_by_account on private.fetch_lanes (account_id);
-- Those that are free for long are deleted.
create index fetch_lanes_by_due_time on private.fetch_lanes (due_at);

-- Bars the page of a deleted file.
create function private.bar_page() returns trigger language plpgsql volatile security invoker set search_path = '' as $$
begin
  update public.source_pages as page
  set file_id = null, is_barred = true, state = 'waiting', reason = null, claim = null, due_at = null
  where page.file_id = old.id;
  return old;
end $$;
create trigger knowledge_files_bar_page before delete on public.knowledge_files
  for each row when (old.source_id is not null) execute function private.bar_page();

-- For clients

-- A source in the JSON of the API.
create function private.describe_source(source public.knowledge_sources) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  -- Both numbers in one reading of its pages.
  return (
    select jsonb_build_object('id', source.id, 'url', source.url, 'kind', source.kind, 'refresh', source.refresh,
      'limit', source.page_limit, 'status', source.status, 'reason', source.reason, 'pages', count(page.file_id),
      'failed_pages', count(page.reason), 'fetched_at', private.to_wire_time(source.fetched_at),
      'next_refresh_at', private.to_wire_time(source.next_refresh_at))
    from public.source_pages as page where page.source_id = source.id
  );
end $$;

-- The source with this id, if its coach exists for the caller and has it; otherwise nulls. Locked for a change.
create function private.find_source(caller private.caller, coach_id text, source_id uuid) returns public.knowledge_sources
language plpgsql volatile security invoker set search_path = '' as $$
declare
  coach constant public.coach_profiles := private.find_coach(caller, coach_id);
  found_source public.knowledge_sources;
begin
  if caller.is_change then
    perform from public.knowledge_sources as source
    where source.id = find_source.source_id and source.coach_id = coach.id for update;
  end if;
  select * into found_source from public.knowledge_sources as source
  where source.id = find_source.source_id and source.coach_id = coach.id;
  return found_source;
end $$;

-- As for files: any key alone may read, a signed-in user with a publishable key only as the expert.
create function public.list_sources(caller jsonb, coach_id text, page_size integer default null, after_number bigint default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  refusal constant text := private.refuse_change(client, coach_id, 'answerer');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_source(source)::json, source.number::text)::private.entry
    from public.knowledge_sources as source
    where source.coach_id = list_sources.coach_id and source.number < coalesce(after_number, 9223372036854775807)
    order by source.number desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_sources is 'Reply of GET /knowledge-handler/sources: newest first, whole or one page, or {"error": "coach_not_found" | "not_the_coach"}.';

create function public.get_source(caller jsonb, coach_id text, source_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  refusal constant text := private.refuse_change(client, coach_id, 'answerer');
  source constant public.knowledge_sources := private.find_source(client, coach_id, source_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if source.id is null then return private.refuse(client, 'source_not_found'); end if;
  return private.answer(client, (private.describe_source(source) || jsonb_build_object('failures', (
    select coalesce(jsonb_agg(jsonb_build_object('url', failed.url, 'reason', failed.reason) order by failed.number), '[]')
    from (
      select * from public.source_pages as page
      where page.source_id = source.id and page.reason is not null order by page.number limit 20
    ) as failed
  )))::json);
end $$;
comment on function public.get_source is 'Reply of GET /knowledge-handler/sources/{sourceId}: with up to 20 pages that are not read, or not to their end, or {"error": …}.';

-- Null for a source that is never read again.
create function private.find_next_refresh(refresh text, after timestamptz) returns timestamptz
language sql immutable security invoker set search_path = ''
return case refresh when 'daily' then after + interval '1 day' when 'weekly' then after + interval '7 days' end;

-- source_id null: a new one, with {url, kind, refresh, page_limit, request_id}, or the one that the coach has with this
-- address. fields: of one that there is, {refresh, page_limit}, or {is_queued}: it is read again now, from the beginning;
-- what is left out stays as it is; null: it is deleted, with the files of its pages.
create function public.save_source(caller jsonb, user_id text, coach_id text, source_id uuid, fields jsonb default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_change(client, coach_id);
  source public.knowledge_sources := private.find_source(client, coach_id, source_id);
  is_queued constant boolean := fields ? 'is_queued';
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if source_id is not null and source.id is null then return private.refuse(client, 'source_not_found'); end if;
  source := jsonb_populate_record(source, fields);
  if source_id is null then
    insert into public.knowledge_sources (account_id, coach_id, url, kind, refresh, page_limit, request_id)
    values (client.account_id, coach_id, source.url, source.kind, source.refresh, source.page_limit, source.request_id)
    on conflict do nothing;
    select * into source from public.knowledge_sources as added
    where added.coach_id = save_source.coach_id and added.url = source.url;
  elsif fields is null then
    delete from public.knowledge_sources as deleted where deleted.id = source.id;
  else
    if is_queued then
      source.status := 'queued';
      source.due_at := now();
    elsif source.status in ('ready', 'failed') then
      source.next_refresh_at := private.find_next_refresh(source.refresh, source.fetched_at);
      source.due_at := source.next_refresh_at;
    end if;
    update public.knowledge_sources as changed
    set refresh = source.refresh, page_limit = source.page_limit, status = source.status, due_at = source.due_at,
      next_refresh_at = case when not is_queued then source.next_refresh_at end,
      reason = case when not is_queued then changed.reason end,
      attempts = case when is_queued then 0 else changed.attempts end,
      claim = case when not is_queued then changed.claim end
    where changed.id = source.id returning * into source;
  end if;
  return private.answer(client, private.describe_source(source)::json);
end $$;
comment on function public.save_source is 'Adds, changes, queues or deletes a source of a coach and returns it, or {"error": …}.';

-- Rounds
--
-- Called by the worker that holds the claim, with the source locked.

-- Deletes pages that are to go, without barring them.
create function private.remove_pages(source_id uuid, urls text[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare file_ids uuid[];
begin
  with removed as (
    delete from public.source_pages as page
    where page.source_id = remove_pages.source_id and page.url = any (remove_pages.urls) returning page.file_id
  )
  select array_agg(removed.file_id) into file_ids from removed;
  delete from public.knowledge_files as file where file.id = any (file_ids);
end $$;

-- Sets when a source has something to do next. When no page is left, the round ends: what is not listed goes, and the
-- source has failed if no page could be read.
create function private.go_on(source_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  next_due_at constant timestamptz :=
    (select min(page.due_at) from public.source_pages as page where page.source_id = go_on.source_id);
  is_read boolean;
begin
  if next_due_at is null then
    perform private.remove_pages(go_on.source_id, array(
      select page.url from public.source_pages as page
      where page.source_id = go_on.source_id and not page.is_listed and not page.is_barred
    ));
    is_read := exists (
      select from public.source_pages as page
      where page.source_id = go_on.source_id and page.state in ('read', 'duplicate') and not page.is_barred
    );
  end if;
  update public.knowledge_sources as source
  set due_at = coalesce(next_due_at, private.find_next_refresh(source.refresh, now())),
    next_refresh_at = case when next_due_at is null then private.find_next_refresh(source.refresh, now()) end,
    fetched_at = case when next_due_at is null then now() else source.fetched_at end,
    status = case when next_due_at is not null then 'reading' when is_read then 'ready' else 'failed' end,
    reason = case when next_due_at is not null or is_read or source.reason is not null then source.reason else coalesce((
      select page.reason from public.source_pages as page
      where page.source_id = source.id and page.reason is not null order by page.number limit 1
    ), 'No page was found') end
  where source.id = go_on.source_id;
end $$;

-- Begins to read the pages of a source: those that its list has now, in the order of the list; null: those that are
-- known, since it could not be read. is_whole: the list was read to its end.
-- What the list of a site lacks is deleted at the end of the round, so that a page that has moved takes its file along.
-- A list that is cut, or lacks more than half, deletes nothing until it is so again a day later. Pages found by links,
-- and entries that have left their feed, stay until they are missing. Beyond the limit, the pages that were found last
-- go, of a feed the oldest.
create function private.begin_pages(source public.knowledge_sources, urls text[], is_whole boolean) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  is_strict constant boolean := urls is not null and source.kind = 'site' and not source.follows_links;
  is_suspicious boolean;
  removes boolean;
begin
  select not is_whole or count(*) filter (where page.url <> all (begin_pages.urls)) * 2 > count(*) into is_suspicious
  from public.source_pages as page where page.source_id = source.id and page.is_listed and not page.is_barred;
  removes := is_strict and (not is_suspicious or coalesce(source.suspicious_since <= now() - interval '1 day', false));

  insert into public.source_pages (source_id, url)
  select source.id, listed.url from unnest(begin_pages.urls) with ordinality as listed (url, place)
  order by case when source.kind = 'feed' then - listed.place else listed.place end
  on conflict (source_id, url) do nothing;
  update public.source_pages as page
  set attempts = 0, claim = null, due_at = case when known.is_listed and not known.is_barred then now() end,
    is_listed = known.is_listed
  from (
    select known.url, known.is_barred, known.is_listed and (known.is_barred or source.page_limit >= row_number() over (
      partition by known.is_listed and not known.is_barred
      order by case when source.kind = 'feed' then - known.number else known.number end
    )) as is_listed
    from (
      select page.url, page.number, page.is_barred,
        case when removes then page.url = any (begin_pages.urls)
          else page.is_listed or coalesce(page.url = any (begin_pages.urls), false) end as is_listed
      from public.source_pages as page where page.source_id = source.id
    ) as known
  ) as known
  where page.source_id = source.id and page.url = known.url;

  update public.knowledge_sources as begun
  set claim = null, attempts = 0, follows_links = source.follows_links, reason = source.reason, status = 'reading',
    suspicious_since = case when not is_strict then begun.suspicious_since
      when is_suspicious and not removes then coalesce(begun.suspicious_since, now()) end
  where begun.id = source.id;
  perform private.go_on(source.id);
end $$;

-- Taking

-- A host that only the network of the service itself has, as far as its name tells.
create function private.is_private_host(host text) returns boolean
language sql immutable security invoker set search_path = ''
return host ~ '^(\[(::1|f[cd]|fe80)|127\.|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|[^.]+$|.*\.(local|internal|localhost)(:|$))';

-- The number of things for which a host is asked at the same time.
create function private.lanes_of(host text) returns integer language sql immutable security invoker set search_path = ''
return case when private.is_private_host(host) then 4 else 1 end;

-- The page of a source that is to be taken next; otherwise nulls. is_alone: see take_of_source().
create function private.next_page(source_id uuid, is_alone boolean) returns public.source_pages
language plpgsql stable security invoker set search_path = '' as $$
declare found_page public.source_pages;
begin
  select * into found_page from public.source_pages as page
  where page.source_id = next_page.source_id and page.due_at <= now() and (page.attempts = 0 or is_alone)
  order by page.due_at, page.number limit 1;
  return found_page;
end $$;

-- Claims a list, or a page of a source, if its host has a free lane: {claim, source_id, …}, or null. is_alone: the worker
-- does nothing else, and so may take what may have ended workers before.
create function private.take_of_source(source public.knowledge_sources, is_alone boolean) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  lease_ends_at constant timestamptz := now() + interval '3 minutes';
  new_claim constant uuid := gen_random_uuid();
  lists boolean := source.status <> 'reading' or source.claim is not null;
  page public.source_pages;
begin
  if source.status <> 'reading' then
    -- With a claim, its list is still to be read, even if its host has no free lane now.
    update public.knowledge_sources as begun
    set status = 'reading', claim = new_claim, attempts = 0, reason = null, round_started_at = now(), next_refresh_at = null
    where begun.id = source.id returning * into source;
    if source.kind = 'page' then
      perform private.begin_pages(source, array[source.url], is_whole => true);
      lists := false;
    end if;
  end if;
  if lists and source.attempts >= 3 then
    source.reason := 'Reading its list of pages takes more time or memory than a function has';
    perform private.begin_pages(source, null, is_whole => false);
    lists := false;
  end if;
  if not lists then
    update public.source_pages as killed
    set state = 'failed', reason = 'Reading the page takes more time or memory than a function has', claim = null,
      due_at = null, checked_at = now()
    where killed.source_id = source.id and killed.due_at <= now() and killed.claim is not null and killed.attempts >= 3;
    page := private.next_page(source.id, is_alone);
    if page.url is null then
      perform private.go_on(source.id);
      return null;
    end if;
  elsif source.attempts > 0 and not is_alone then
    return null;
  end if;

  -- That of a worker that was killed.
  delete from private.fetch_lanes as lane where lane.claim = case when lists then source.claim else page.claim end;
  insert into private.fetch_lanes as lane (host, place, claim, account_id, due_at)
  select asked.host, free.place, new_claim, source.account_id, lease_ends_at
  from coalesce(page.host, source.host) as asked (host)
  cross join generate_series(1, private.lanes_of(asked.host)) as free (place)
  where not exists (
    select from private.fetch_lanes as busy where busy.host = asked.host and busy.place = free.place and busy.due_at > clock_timestamp()
  )
  limit 1
  on conflict (host, place) do update
  set claim = excluded.claim, account_id = excluded.account_id, due_at = excluded.due_at
  where lane.due_at <= clock_timestamp();
  if not found then return null; end if;

  update public.source_pages as taken set claim = new_claim, attempts = taken.attempts + 1, due_at = lease_ends_at
  where taken.source_id = source.id and taken.url = page.url;
  if not lists then perform private.go_on(source.id); end if;
  update public.knowledge_sources as taken
  set taken_at = clock_timestamp(), claim = case when lists then new_claim end,
    attempts = taken.attempts + lists::integer, due_at = case when lists then lease_ends_at else taken.due_at end
  where taken.id = source.id;
  return json_build_object('claim', new_claim, 'source_id', source.id, 'request_id', source.request_id,
    'kind', source.kind, 'source_url', source.url,
    'page_limit', source.page_limit, 'follows_links', source.follows_links, 'url', page.url,
    'is_private', private.is_private_host(coalesce(page.host, source.host)),
    'attempt', case when lists then source.attempts else page.attempts end + 1,
    'etag', case when page.file_id is not null then page.etag end,
    'last_modified', case when page.file_id is not null then page.last_modified end,
    'known', case when lists then array(
      select known.url from public.source_pages as known where known.source_id = source.id order by known.number
    ) else '{}' end);
end $$;

-- slow_ids: sources that have had their share of a sweep: of an account, the others come first.
create function public.take_fetching(is_alone boolean, slow_ids uuid[] default '{}') returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  busy_hosts constant text[] := array(
    select lane.host from private.fetch_lanes as lane where lane.due_at > now()
    group by lane.host having count(*) >= private.lanes_of(lane.host)
  );
  account uuid;
  source public.knowledge_sources;
  work json;
begin
  delete from private.fetch_lanes as lane where lane.due_at < now() - interval '2 hours';
  <<taking>>
  -- First the accounts with the least under way, and of these the one that has waited the longest. An account has at most
  -- three lists and pages under way, so that a worker has a place for others.
  for account in
    select waiting.account_id
    from (select distinct due.account_id from public.knowledge_sources as due where due.due_at <= now()) as waiting
    cross join lateral (
      select count(*) as lanes from private.fetch_lanes as lane
      where lane.account_id = waiting.account_id and lane.claim is not null and lane.due_at > now() offset 0
    ) as under_way
    where under_way.lanes < 3
    order by under_way.lanes, (
      select max(known.taken_at) from public.knowledge_sources as known where known.account_id = waiting.account_id
    ) nulls first
  loop
    for source in
      select * from public.knowledge_sources as due
      where due.due_at <= now() and due.account_id = account
        -- Many sources that wait for one host would hide all others.
        and (due.status <> 'reading' or coalesce(case when due.kind <> 'page' and due.claim is null then
          (private.next_page(due.id, is_alone)).host end, due.host) <> all (busy_hosts))
      order by due.id = any (slow_ids), due.taken_at nulls first, due.number limit 50 for update skip locked
    loop
      work := private.take_of_source(source, is_alone);
      exit taking when work is not null;
    end loop;
  end loop;
  return json_build_object('work', work, 'wait_ms', case when work is null then (
    select ceil(extract(epoch from min(soon.at) - clock_timestamp()) * 1000)::integer
    from (
      select greatest(due.due_at, clock_timestamp(), (
        select min(lane.due_at) from private.fetch_lanes as lane where lane.host = due.host
      )) as at
      from public.knowledge_sources as due where due.due_at <= now() + interval '10 seconds'
    ) as soon
    where soon.at <= now() + interval '11 seconds'
  ) end);
end $$;
comment on function public.take_fetching is 'Claims a list or a page to fetch: {work, wait_ms}. Null work: the hosts of all that is due are being asked, or were a moment ago; wait_ms says when the next may be asked, unless that takes longer than some seconds.';

-- Frees the lane of a claim, after a pause.
create function private.free_lane(claim uuid, pause_ms integer) returns void
language sql volatile security invoker set search_path = '' as $$
  update private.fetch_lanes as lane set claim = null, due_at = clock_timestamp() + free_lane.pause_ms * interval '1 millisecond'
  where lane.claim = free_lane.claim;
$$;

-- Saving

-- urls: what the list has; null: it could not be read, for the reason. A failure that passes is tried again, up to three
-- times.
create function public.save_source_list(source_id uuid, claim uuid, urls text[], is_whole boolean, follows_links boolean,
  reason text, is_temporary boolean, pause_ms integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare source public.knowledge_sources;
begin
  perform private.free_lane(claim, pause_ms);
  select * into source from public.knowledge_sources as claimed
  where claimed.id = source_id and claimed.claim = save_source_list.claim for update;
  if not found then return false; end if;
  if is_temporary and source.attempts < 3 then
    update public.knowledge_sources as waiting
    set due_at = now() + greatest(pause_ms * interval '1 millisecond', waiting.attempts * interval '30 seconds')
    where waiting.id = source.id;
    return true;
  end if;
  source.reason := save_source_list.reason;
  source.follows_links := case when urls is null then source.follows_links else save_source_list.follows_links end;
  perform private.begin_pages(source, urls, is_whole);
  return true;
end $$;
comment on function public.save_source_list is 'Begins to read the pages of a source whose list was read, or could not be; false without the claim.';

create function public.begin_page(source_id uuid, url text, claim uuid, name text, digest text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  source public.knowledge_sources;
  page public.source_pages;
  upload_id uuid;
begin
  select * into page from public.source_pages as claimed
  where claimed.source_id = begin_page.source_id and claimed.url = begin_page.url and claimed.claim = begin_page.claim;
  select * into source from public.knowledge_sources as known where known.id = page.source_id;
  if source.id is not null and not exists (
    select from public.knowledge_files as file
    where file.coach_id = source.coach_id and file.digest = begin_page.digest and file.name = begin_page.name
  ) then
    insert into private.uploads (account_id, coach_id, due_at)
    values (source.account_id, source.coach_id, now() + interval '15 minutes') returning id into upload_id;
  end if;
  return json_build_object('is_claimed', source.id is not null, 'upload_id', upload_id,
    'path', case when upload_id is not null then private.object_path(source.account_id, upload_id, 1) end);
end $$;
comment on function public.begin_page is 'Announces the upload of the text of a page: {is_claimed, upload_id, path}; without a path nothing is to be uploaded, since the text is stored already.';

-- Makes what was read of a page its file, and returns the page as it is then. A page with the same text as another has
-- no file. If the other is about to go or has another text by now, the page takes its file over, and nothing is indexed.
-- A page whose text has changed keeps its file, whose text answers until the new one is ready (see versions).
create function private.store_page(source public.knowledge_sources, page public.source_pages, read jsonb)
returns public.source_pages
language plpgsql volatile security invoker set search_path = '' as $$
declare
  own_id constant uuid := page.file_id;
  same public.knowledge_files;
  -- The file that has the same text or is about to, if it is not the own one.
  same_id uuid;
  holder public.source_pages;
  next_id uuid;
  upload private.uploads;
  new_path text;
begin
  delete from private.uploads as announced where announced.id = (read->>'upload_id')::uuid returning * into upload;
  if found then new_path := private.object_path(upload.account_id, upload.id, 1); end if;
  select * into same from public.knowledge_files as file
  where file.coach_id = source.coach_id and file.digest = read->>'digest' and file.name = read->>'name';
  if same.id is null and new_path is null then return null; end if;
  same_id := nullif(coalesce(same.replaces, same.id), own_id);
  select * into holder from public.source_pages as other where other.file_id = same_id;
  page.state := 'read';
  page.reason := null;
  if same_id is not null then
    if holder.source_id = source.id then
      update public.knowledge_files as version set replaces = null, source_id = source.id
      where version.replaces = same.id and version.digest is not null returning version.id into next_id;
    end if;
    if next_id is not null then
      update public.source_pages as changed set file_id = next_id
      where changed.source_id = source.id and changed.url = holder.url;
      page.file_id := same_id;
    elsif holder.source_id = source.id and (not holder.is_listed or holder.missing_since is not null) then
      delete from public.source_pages as moved where moved.source_id = source.id and moved.url = holder.url;
      page.file_id := same_id;
    else
      page.file_id := null;
      page.state := 'duplicate';
      page.reason := 'It has the same title and text as ' || coalesce(holder.url, 'a file that was uploaded');
    end if;
    -- No longer that of the page, so that deleting it does not bar the page.
    update public.source_pages as moved set file_id = page.file_id
    where moved.source_id = source.id and moved.url = page.url;
    delete from public.knowledge_files as file where file.id = own_id;
  elsif own_id is null then
    insert into public.knowledge_files (account_id, coach_id, source_id, name, size, content_type, category, digest,
      storage_path, request_id)
    values (source.account_id, source.coach_id, source.id, read->>'name', (read->>'size')::bigint, read->>'content_type',
      read->>'category', read->>'digest', new_path, source.request_id)
    returning id into page.file_id;
  elsif not private.store_version(own_id, upload, read || '{"object": 1}', source.request_id) then
    page := null;
  end if;
  perform private.drop_objects(upload, 1);
  return page;
end $$;

-- outcome: {kind: read, unchanged, missing or failed, reason, is_temporary, etag, last_modified, links, file: {upload_id,
-- name, size, content_type, category, digest}}. A failure that passes is tried again, up to three times; a page that is
-- missing goes when it is missing again a day later.
create function public.save_page(source_id uuid, url text, claim uuid, outcome jsonb, pause_ms integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  kind constant text := outcome->>'kind';
  source public.knowledge_sources;
  page public.source_pages;
begin
  perform private.free_lane(claim, pause_ms);
  select * into source from public.knowledge_sources as known where known.id = save_page.source_id for update;
  -- The order of locks: source, file, page.
  perform from public.knowledge_files as file where file.id = (
    select held.file_id from public.source_pages as held
    where held.source_id = save_page.source_id and held.url = save_page.url
  ) for update;
  select * into page from public.source_pages as claimed
  where claimed.source_id = source.id and claimed.url = save_page.url and claimed.claim = save_page.claim for update;
  if not found then return false; end if;
  if kind = 'failed' and (outcome->>'is_temporary')::boolean and page.attempts < 3 then
    update public.source_pages as waiting
    set claim = null, due_at = now() + greatest(pause_ms * interval '1 millisecond', page.attempts * interval '30 seconds')
    where waiting.source_id = source.id and waiting.url = page.url;
    perform private.go_on(source.id);
    return true;
  end if;

  if kind = 'read' then
    page := private.store_page(source, page, outcome->'file');
    if page.url is null then
      -- The file that had the text is gone by now, or the upload was given up.
      update public.source_pages as unread set claim = null, due_at = now()
      where unread.source_id = source.id and unread.url = save_page.url;
      return false;
    end if;
    page.etag := outcome->>'etag';
    page.last_modified := outcome->>'last_modified';
  end if;
  if kind in ('read', 'unchanged') then
    page.missing_since := null;
    page.reason := case when kind = 'read' then coalesce(page.reason, outcome->>'reason')
      when page.state = 'read' then page.reason end;
    page.state := case when kind = 'unchanged' then 'read' else page.state end;
    update public.knowledge_files as file set source_url = page.url, fetched_at = now()
    where file.id = coalesce((
      -- The one that waits, if the page has another text.
      select version.id from public.knowledge_files as version
      where version.replaces = page.file_id and version.digest is not null
    ), page.file_id);
  elsif kind = 'missing' and page.missing_since <= now() - interval '1 day' then
    perform private.remove_pages(source.id, array[page.url]);
  else
    page.state := kind;
    page.reason := outcome->>'reason';
    page.missing_since := case when kind = 'missing' then coalesce(page.missing_since, now()) else page.missing_since end;
  end if;
  update public.source_pages as saved
  set file_id = page.file_id, state = page.state, reason = page.reason, etag = page.etag,
    last_modified = page.last_modified, missing_since = page.missing_since, checked_at = now(), claim = null, due_at = null
  where saved.source_id = source.id and saved.url = page.url;

  insert into public.source_pages (source_id, url, due_at)
  select source.id, link.url, now()
  from jsonb_array_elements_text(outcome->'links') with ordinality as link (url, place)
  where source.follows_links and not exists (
    select from public.source_pages as known where known.source_id = source.id and known.url = link.url
  )
  order by link.place
  limit greatest(0, source.page_limit - (
    select count(*) from public.source_pages as known
    where known.source_id = source.id and known.is_listed and not known.is_barred
  ))
  on conflict do nothing;
  perform private.go_on(source.id);
  return true;
end $$;
comment on function public.save_page is 'Saves what became of a page that was asked for; false without the claim: it was deleted, or is read anew.';
