-- Usage: what each key asked for, day by day. Counted when it happens and not from the messages: these may be erased,
-- and an answer that was tried again cost its tokens twice. There is nothing personal in it. What nobody tells is not
-- counted: the tokens of an answer that was erased, or begun anew, while it was being written.

create table private.usage_counts (
  id bigint generated always as identity primary key,
  account_id uuid not null references public.accounts (id) on delete cascade,
  day date not null,
  -- No references: what was counted stays when its coach or key has gone.
  api_key_id uuid,
  coach_id text,
  requests bigint not null default 0,
  refusals bigint not null default 0,
  turns bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  constraint usage_counts_are_kept_once unique nulls not distinct (account_id, day, api_key_id, coach_id)
) with (fillfactor = 50);

comment on table private.usage_counts is 'What was used, by account, day (UTC), key and coach. Read it with the view usage_daily.';
comment on column private.usage_counts.api_key_id is 'Null for messages from before keys were noted.';
comment on column private.usage_counts.coach_id is 'As the coach was called that day. Null for requests and refusals: they are counted at the door, where nobody knows yet which coach is meant.';
comment on column private.usage_counts.requests is 'Requests with this key, those that its limits refused included.';
comment on column private.usage_counts.refusals is 'Requests that a limit of the key refused (429).';
comment on column private.usage_counts.turns is 'Answers that have ended, well or not; one that was tried again counts again.';

alter table private.usage_counts enable row level security;

create policy "Only the functions of this schema reach usage" on private.usage_counts
  for all to anon, authenticated using (false) with check (false);

create function private.count_request(api_key_id uuid, account_id uuid, requests integer, refusals integer) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into private.usage_counts as counts (account_id, day, api_key_id, requests, refusals)
  values (count_request.account_id, (now() at time zone 'utc')::date, count_request.api_key_id,
    count_request.requests, count_request.refusals)
  on conflict on constraint usage_counts_are_kept_once do update
  set requests = counts.requests + excluded.requests, refusals = counts.refusals + excluded.refusals;
end;
$$;

comment on function private.count_request(uuid, uuid, integer, integer) is 'Adds to the requests and refusals of a key today.';
revoke execute on function private.count_request(uuid, uuid, integer, integer) from public;

drop function public.admit_request(text, boolean);

-- is_counted: against the limits, here. is_repeated: this request was asked for before and is no further one.
-- Definer, like all functions below: service_role has no rights on the private schema.
create function public.admit_request(key_digest text, is_counted boolean, is_repeated boolean default false) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  api_key private.api_keys;
  spent json;
begin
  select * into api_key from private.api_keys as candidate
  where candidate.digest = key_digest
    and candidate.revoked_at is null
    and (candidate.expires_at is null or candidate.expires_at > now());
  if not found then
    return null;
  end if;
  -- No request waits for the disk: a crash of the server may cost the counts of its last moment.
  perform set_config('synchronous_commit', 'off', true);
  if api_key.last_used_at is null or api_key.last_used_at < now() - interval '1 minute' then
    update private.api_keys as used set last_used_at = now() where used.id = api_key.id;
  end if;
  if is_counted then
    spent := private.spend_request(api_key);
  end if;
  perform private.count_request(
    api_key.id, api_key.account_id,
    case when is_repeated then 0 else 1 end,
    case when spent->>'is_allowed' = 'false' then 1 else 0 end
  );
  return json_build_object(
    'id', api_key.id,
    'account_id', api_key.account_id,
    'scopes', api_key.scopes,
    'requests_per_minute', api_key.requests_per_minute,
    'requests_per_hour', api_key.requests_per_hour,
    'requests_per_day', api_key.requests_per_day,
    'spent', spent
  );
end;
$$;

comment on function public.admit_request(text, boolean, boolean)
  is 'The valid API key with this digest, or null; counted against its limits when is_counted.';
revoke execute on function public.admit_request(text, boolean, boolean) from public, anon, authenticated;
grant execute on function public.admit_request(text, boolean, boolean) to service_role;

create function public.count_refusal(api_key_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.count_request(api_key.id, api_key.account_id, 0, 1)
  from private.api_keys as api_key where api_key.id = count_refusal.api_key_id;
$$;

comment on function public.count_refusal(uuid) is 'Notes that a limit refused a request which admit_request() did not count itself.';
revoke execute on function public.count_refusal(uuid) from public, anon, authenticated;
grant execute on function public.count_refusal(uuid) to service_role;

alter table public.messages
  -- No reference: it would have every deleted key looked up in all messages.
  add column api_key_id uuid;
comment on column public.messages.api_key_id is 'The API key that asked for the answer.';

-- What was answered before anybody counted. The table is locked since the line above, so that nothing falls between: a
-- project with 500,000 messages stands still for about half a second.
insert into private.usage_counts (account_id, day, coach_id, turns, input_tokens, output_tokens)
select thread.account_id, (message.created_at at time zone 'utc')::date, thread.coach_id,
  count(*), coalesce(sum(message.input_tokens), 0), coalesce(sum(message.output_tokens), 0)
from public.messages as message
join public.threads as thread on thread.id = message.thread_id
where message.role = 'assistant' and message.status <> 'streaming'
group by thread.account_id, (message.created_at at time zone 'utc')::date, thread.coach_id;

-- Definer: operators change messages too. In one order, so that two of these never wait for each other.
create function private.count_answers() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.usage_counts as counts (account_id, day, api_key_id, coach_id, turns, input_tokens, output_tokens)
  select thread.account_id, (now() at time zone 'utc')::date, answer.api_key_id, thread.coach_id,
    count(*) filter (where before.status = 'streaming' and answer.status <> 'streaming'),
    -- A try that begins anew takes nothing back.
    sum(greatest(coalesce(answer.input_tokens, 0) - coalesce(before.input_tokens, 0), 0)),
    sum(greatest(coalesce(answer.output_tokens, 0) - coalesce(before.output_tokens, 0), 0))
  from answers as answer
  join answers_before as before on before.id = answer.id
  join public.threads as thread on thread.id = answer.thread_id
  -- Most are answers that go on.
  where (answer.status <> 'streaming' or answer.input_tokens is not null or answer.output_tokens is not null)
    and (answer.status, answer.input_tokens, answer.output_tokens)
      is distinct from (before.status, before.input_tokens, before.output_tokens)
  group by thread.account_id, answer.api_key_id, thread.coach_id
  order by thread.account_id, answer.api_key_id, thread.coach_id
  on conflict on constraint usage_counts_are_kept_once do update
  set turns = counts.turns + excluded.turns,
    input_tokens = counts.input_tokens + excluded.input_tokens,
    output_tokens = counts.output_tokens + excluded.output_tokens;
  return null;
end;
$$;

comment on function private.count_answers() is 'Counts answers that end, and their tokens as they become known.';
revoke execute on function private.count_answers() from public;

create trigger messages_count_answers after update on public.messages
  referencing new table as answers old table as answers_before
  for each statement execute function private.count_answers();
