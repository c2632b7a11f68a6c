-- What operators look at in the dashboard: usage, what failed of late, and files that cannot be found by their content.
-- The views act with the rights of whoever reads them, and nobody reads them over REST but the service.

-- The newest failures.
create index messages_by_failure on public.messages (created_at desc) where status = 'failed';

create view public.usage_daily with (security_invoker = true) as
select
  counts.day,
  counts.account_id,
  account.name as account_name,
  counts.api_key_id,
  api_key.name as api_key_name,
  api_key.prefix as api_key_prefix,
  counts.coach_id,
  coach.name as coach_name,
  counts.requests,
  counts.refusals,
  counts.turns,
  counts.input_tokens,
  counts.output_tokens
from private.usage_counts as counts
join public.accounts as account on account.id = counts.account_id
left join private.api_keys as api_key on api_key.id = counts.api_key_id
left join public.coach_profiles as coach on coach.id = counts.coach_id;

comment on view public.usage_daily is 'What was used, by day (UTC), key and coach. Requests and refusals stand in rows without a coach: they are counted before anybody knows which one is meant.';

create view public.recent_errors with (security_invoker = true) as
select failed.*, account.name as account_name, coach.name as coach_name
from (
  select message.created_at as occurred_at, 'answer' as kind, message.error_code, coalesce(message.error, 'unknown') as error,
    message.request_id, thread.account_id, thread.coach_id, thread.id as thread_id, message.id as message_id, null::uuid as file_id
  from public.messages as message
  join public.threads as thread on thread.id = message.thread_id
  where message.status = 'failed' and message.created_at > now() - interval '7 days'
  union all
  select file.updated_at, 'file', null, coalesce(file.error, 'unknown'),
    file.request_id, file.account_id, file.coach_id, null, null, file.id
  from public.knowledge_files as file
  where file.status not in ('ready', 'empty') and file.error is not null and file.updated_at > now() - interval '7 days'
) as failed
join public.accounts as account on account.id = failed.account_id
join public.coach_profiles as coach on coach.id = failed.coach_id
order by failed.occurred_at desc;

comment on view public.recent_errors is 'Answers and files that failed in the last seven days, newest first. request_id leads to their log lines.';

create view public.knowledge_health with (security_invoker = true) as
select
  file.account_id,
  account.name as account_name,
  file.coach_id,
  coach.name as coach_name,
  file.id as file_id,
  file.name as filename,
  file.category,
  file.size,
  case when file.status in ('failed', 'empty') then file.status else 'waiting' end as problem,
  coalesce(file.error, case file.status when 'empty' then 'No text was found in it' else 'The indexer has not taken it up' end) as reason,
  file.attempts,
  file.due_at,
  file.request_id,
  file.uploaded_at,
  file.updated_at
from public.knowledge_files as file
join public.accounts as account on account.id = file.account_id
join public.coach_profiles as coach on coach.id = file.coach_id
where file.status in ('failed', 'empty') or file.due_at < now() - interval '10 minutes'
order by file.updated_at desc;

comment on view public.knowledge_health is 'Files that cannot be found by their content, and why: failed, empty, or waiting for more than ten minutes. reindex_file() tries one again.';

revoke all on public.usage_daily, public.recent_errors, public.knowledge_health from anon, authenticated, service_role;
grant select on public.recent_errors, public.knowledge_health to service_role;

-- grouped_by: what a row stands for, among day, account, api_key and coach; the rest is added up. Null: of all.
-- Definer: service_role has no rights on the private schema.
create function public.read_usage(
  from_day date default null,
  to_day date default null,
  account uuid default null,
  api_key uuid default null,
  coach text default null,
  grouped_by text[] default '{day,api_key,coach}'
) returns table (
  day date,
  account_id uuid,
  account_name text,
  api_key_id uuid,
  api_key_name text,
  coach_id text,
  coach_name text,
  requests bigint,
  refusals bigint,
  turns bigint,
  input_tokens bigint,
  output_tokens bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if read_usage.grouped_by is null or not read_usage.grouped_by <@ array['day', 'account', 'api_key', 'coach'] then
    raise exception using errcode = '22023', message = 'grouped_by must be among day, account, api_key, coach';
  end if;
  return query
    select
      case when 'day' = any (read_usage.grouped_by) then usage.day end,
      case when 'account' = any (read_usage.grouped_by) then usage.account_id end,
      case when 'account' = any (read_usage.grouped_by) then usage.account_name end,
      case when 'api_key' = any (read_usage.grouped_by) then usage.api_key_id end,
      case when 'api_key' = any (read_usage.grouped_by) then usage.api_key_name end,
      case when 'coach' = any (read_usage.grouped_by) then usage.coach_id end,
      case when 'coach' = any (read_usage.grouped_by) then usage.coach_name end,
      sum(usage.requests)::bigint, sum(usage.refusals)::bigint, sum(usage.turns)::bigint,
      sum(usage.input_tokens)::bigint, sum(usage.output_tokens)::bigint
    from public.usage_daily as usage
    where (read_usage.from_day is null or usage.day >= read_usage.from_day)
      and (read_usage.to_day is null or usage.day <= read_usage.to_day)
      and (read_usage.account is null or usage.account_id = read_usage.account)
      and (read_usage.api_key is null or usage.api_key_id = read_usage.api_key)
      and (read_usage.coach is null or usage.coach_id = read_usage.coach)
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 3, 2, 5, 4, 7, 6;
end;
$$;

comment on function public.read_usage(date, date, uuid, uuid, text, text[]) is 'Usage added up by day, account, key or coach, any of them together; days are those of UTC and both ends count.';
revoke execute on function public.read_usage(date, date, uuid, uuid, text, text[]) from public, anon, authenticated;
grant execute on function public.read_usage(date, date, uuid, uuid, text, text[]) to service_role;
