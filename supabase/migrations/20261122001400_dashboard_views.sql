-- Dashboard views: what operators look at, namely usage, what failed in the last days, files that cannot be found by
-- their content, and what users think of answers.
-- Views: usage_daily, recent_errors, knowledge_health, rated_answers. Functions: read_usage, usage added up, and
-- read_status, whether everything works.
-- Surprise: the views act with the rights of their reader, and over REST only the service reads them; usage_daily not
-- even the service, since its tables are private.

create view public.usage_daily with (security_invoker = true) as
select
  counts.day, counts.account_id, account.name as account_name, counts.api_key_id, api_key.name as api_key_name,
  api_key.prefix as api_key_prefix, counts.coach_id, coach.name as coach_name, counts.requests, counts.refusals,
  counts.turns, counts.input_tokens, counts.cached_tokens, counts.output_tokens, counts.reasoning_tokens,
  counts.estimated_turns, counts.cost_micro_usd, counts.unpriced_turns
from (
  select (counts.at at time zone 'utc')::date as day, counts.account_id, counts.api_key_id, counts.coach_id,
    sum(counts.requests)::bigint as requests, sum(counts.refusals)::bigint as refusals, sum(counts.turns)::bigint as turns,
    sum(counts.input_tokens)::bigint as input_tokens, sum(counts.cached_tokens)::bigint as cached_tokens,
    sum(counts.output_tokens)::bigint as output_tokens, sum(counts.reasoning_tokens)::bigint as reasoning_tokens,
    sum(counts.estimated_turns)::bigint as estimated_turns, sum(counts.cost_micro_usd)::bigint as cost_micro_usd,
    sum(counts.unpriced_turns)::bigint as unpriced_turns
  from (
    select at, account_id, api_key_id, coach_id, requests, refusals, turns, input_tokens, cached_tokens, output_tokens,
      reasoning_tokens, estimated_turns, cost_micro_usd, unpriced_turns
    from private.usage_counts
    union all
    select at, account_id, api_key_id, coach_id, requests, refusals, turns, input_tokens, cached_tokens, output_tokens,
      reasoning_tokens, estimated_turns, cost_micro_usd, unpriced_turns
    from private.ledger where requests + turns + input_tokens + output_tokens > 0
  ) as counts
  group by 1, counts.account_id, counts.api_key_id, counts.coach_id
) as counts
join public.accounts as account on account.id = counts.account_id
left join private.api_keys as api_key on api_key.id = counts.api_key_id
left join public.coach_profiles as coach on coach.id = counts.coach_id;
comment on view public.usage_daily is 'What was used, by day (UTC), key and coach. Requests and refusals are in rows without a coach: they are counted before it is known which one is meant.';
comment on column public.usage_daily.day is 'The day, in UTC.';
comment on column public.usage_daily.api_key_name is 'Name of the key; null when it was deleted.';
comment on column public.usage_daily.api_key_prefix is 'First characters of the key; null when it was deleted.';
comment on column public.usage_daily.coach_id is 'The coach, in rows that count answers.';
comment on column public.usage_daily.coach_name is 'Name of the coach; null when it was deleted.';

create view public.recent_errors with (security_invoker = true) as
select failed.*, account.name as account_name, coach.name as coach_name
from (
  select message.created_at as occurred_at, 'answer' as kind, message.error_code, message.error,
    message.request_id, thread.account_id, thread.coach_id, thread.id as thread_id, message.id as message_id, null::uuid as file_id
  from public.messages as message
  join public.threads as thread on thread.id = message.thread_id
  where message.error is not null and message.created_at > now() - interval '7 days'
  union all
  select file.updated_at, 'file', null, coalesce(file.error, 'unknown'),
    file.request_id, file.account_id, file.coach_id, null, null, file.id
  from public.knowledge_files as file
  where file.status not in ('ready', 'empty') and file.error is not null and file.updated_at > now() - interval '7 days'
  union all
  select latest.checked_at, 'model', null, case
      when warning.kind = 'missing' then format(
        '%s: the model''s server does not list %s. Correct the name, or set it to a model that is listed.',
        warning.setting, warning.model)
      else format('%s: the model %s %s on %s. Set it to one that stays.', warning.setting, warning.model,
        case when warning.date <= current_date then 'ended' else 'ends' end, warning.date)
    end,
    null, coach.account_id, coach.id, null, null, null
  from public.model_checks as latest
  cross join jsonb_to_recordset(latest.warnings) as warning (setting text, model text, kind text, date date)
  left join public.coach_profiles as coach
    on warning.setting = 'coach_profiles.model' and coach.model = warning.model and coach.is_active
  -- A coach that has another model by now needs no warning.
  where (coach.id is not null or warning.setting <> 'coach_profiles.model')
    and latest.checked_at > now() - interval '7 days'
) as failed
left join public.accounts as account on account.id = failed.account_id
left join public.coach_profiles as coach on coach.id = failed.coach_id
order by failed.occurred_at desc;
comment on view public.recent_errors is 'Answers and files that failed in the last seven days, newest first, and models that end or are missing. request_id leads to their log lines.';
comment on column public.recent_errors.occurred_at is 'When the answer was begun, the file failed, or the models were checked.';
comment on column public.recent_errors.kind is 'What failed: answer, file or model.';
comment on column public.recent_errors.error_code is 'The code of the error that the reader of the answer was shown.';
comment on column public.recent_errors.error is 'Why it failed; of a model, which setting names it and what to do.';
comment on column public.recent_errors.account_id is 'The account of the coach; null for a model of the deployment.';
comment on column public.recent_errors.coach_id is 'The coach that answered, or whose file or model it is.';
comment on column public.recent_errors.message_id is 'The answer.';

create view public.knowledge_health with (security_invoker = true) as
select
  file.account_id, account.name as account_name, file.coach_id, coach.name as coach_name, file.id as file_id,
  file.name as filename, file.category, file.size,
  case when file.status in ('failed', 'empty') then file.status else 'waiting' end as problem,
  coalesce(file.error, case file.status when 'empty' then 'No text was found in it' else 'The indexer has not taken it up' end) as reason,
  file.attempts, file.due_at, file.request_id, file.uploaded_at, file.updated_at
from public.knowledge_files as file
join public.accounts as account on account.id = file.account_id
join public.coach_profiles as coach on coach.id = file.coach_id
where file.status in ('failed', 'empty') or file.due_at < now() - interval '10 minutes'
union all
select source.account_id, account.name, source.coach_id, coach.name, page.file_id, coalesce(page.url, source.url), null,
  null, case when page.url is null then 'source ' || source.status else 'page ' || page.state end,
  coalesce(page.reason, source.reason), coalesce(page.attempts, source.attempts), source.due_at, source.request_id,
  source.created_at, coalesce(page.checked_at, source.fetched_at)
from public.knowledge_sources as source
join public.accounts as account on account.id = source.account_id
join public.coach_profiles as coach on coach.id = source.coach_id
cross join lateral (
  select null as url, null::uuid as file_id, null as state, null as reason, null::integer as attempts, null::timestamptz as checked_at
  where source.reason is not null
  union all
  select listed.url, listed.file_id, listed.state, listed.reason, listed.attempts, listed.checked_at
  from public.source_pages as listed where listed.source_id = source.id and listed.reason is not null
) as page
order by updated_at desc;
comment on view public.knowledge_health is 'Files that cannot be found by their content, and why: failed, empty, or waiting for more than ten minutes. reindex_file() tries one again. Also sources, and pages of sources, that could not be read.';
comment on column public.knowledge_health.file_id is 'The file, as reindex_file() takes it; of a page the file with its last text, if there is one.';
comment on column public.knowledge_health.filename is 'Name of the file; the address of a source or page.';
comment on column public.knowledge_health.problem is 'failed, empty or waiting; source failed or ready (its list could not be read); page failed, missing or duplicate.';
comment on column public.knowledge_health.reason is 'Why the file cannot be found by its content, or the address not be read.';

create view public.rated_answers with (security_invoker = true) as
select
  feedback.updated_at as rated_at, feedback.rating, feedback.comment, question.content as question,
  answer.content as answer, thread.account_id, account.name as account_name, thread.coach_id, coach.name as coach_name,
  thread.user_id, thread.id as thread_id, answer.id as message_id
from public.feedback as feedback
join public.messages as answer on answer.id = feedback.message_id
join public.threads as thread on thread.id = answer.thread_id
join public.accounts as account on account.id = thread.account_id
join public.coach_profiles as coach on coach.id = thread.coach_id
left join lateral (
  select message.content from public.messages as message
  where message.thread_id = answer.thread_id and message.role = 'user' and message.created_at <= answer.created_at
  order by message.created_at desc, message.sequence desc limit 1
) as question on true
order by feedback.updated_at desc;
comment on view public.rated_answers is 'What users think of answers, the latest feedback first. Look for rating = down.';
comment on column public.rated_answers.rated_at is 'When the user last changed it.';
comment on column public.rated_answers.question is 'What the user had asked.';
comment on column public.rated_answers.answer is 'The answer that was rated.';
comment on column public.rated_answers.message_id is 'The answer.';

grant select on public.recent_errors, public.knowledge_health, public.rated_answers to service_role;

-- grouped_by: what a row is for, among day, account, api_key and coach; the rest is added up. The other arguments
-- narrow it down; null: all.
create function public.read_usage(
  from_day date default null, to_day date default null, account uuid default null, api_key uuid default null,
  coach text default null, grouped_by text[] default '{day,api_key,coach}'
) returns table (
  day date, account_id uuid, account_name text, api_key_id uuid, api_key_name text, coach_id text, coach_name text,
  requests bigint, refusals bigint, turns bigint, input_tokens bigint, cached_tokens bigint, output_tokens bigint,
  reasoning_tokens bigint, estimated_turns bigint, cost_micro_usd bigint, unpriced_turns bigint
)
language plpgsql stable security definer set search_path = '' as $$
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
      sum(usage.input_tokens)::bigint, sum(usage.cached_tokens)::bigint, sum(usage.output_tokens)::bigint,
      sum(usage.reasoning_tokens)::bigint, sum(usage.estimated_turns)::bigint, sum(usage.cost_micro_usd)::bigint,
      sum(usage.unpriced_turns)::bigint
    from public.usage_daily as usage
    where (read_usage.from_day is null or usage.day >= read_usage.from_day)
      and (read_usage.to_day is null or usage.day <= read_usage.to_day)
      and (read_usage.account is null or usage.account_id = read_usage.account)
      and (read_usage.api_key is null or usage.api_key_id = read_usage.api_key)
      and (read_usage.coach is null or usage.coach_id = read_usage.coach)
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 3, 2, 5, 4, 7, 6;
end $$;
comment on function public.read_usage is 'Usage added up by day, account, key or coach, any of them together; days are those of UTC and both ends count.';

-- What messages store of their answers: who asked, which model wrote, how many tokens. Neither the ledger nor usage_daily
-- has users or models, as each turn would cost more with them. The threads of an account are read, with their messages.
create function public.read_usage_of_answers(
  account uuid, from_day date, to_day date, api_key uuid default null, coach text default null,
  grouped_by text[] default '{user,model}'
) returns table (
  day date, api_key_id uuid, api_key_name text, coach_id text, coach_name text, user_id text, email text, model text,
  turns bigint, input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, uncounted_turns bigint
)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
#variable_conflict use_column
begin
  if grouped_by is null or not grouped_by <@ array['day', 'api_key', 'coach', 'user', 'model'] then
    raise exception using errcode = '22023', message = 'grouped_by must be among day, api_key, coach, user, model';
  end if;
  return query
    select
      counted.day, counted.api_key_id, known_key.name, counted.coach_id, profile.name, counted.user_id,
      known_user.email::text, counted.model, counted.turns, counted.input, counted.cached, counted.output,
      counted.reasoning, counted.uncounted
    from (
      select
        case when 'day' = any (grouped_by) then (message.created_at at time zone 'utc')::date end as day,
        case when 'api_key' = any (grouped_by) then message.api_key_id end as api_key_id,
        case when 'coach' = any (grouped_by) then thread.coach_id end as coach_id,
        case when 'user' = any (grouped_by) then thread.user_id end as user_id,
        case when 'model' = any (grouped_by) then message.model end as model,
        count(*) as turns, coalesce(sum(message.input_tokens), 0)::bigint as input, sum(message.cached_tokens)::bigint as cached,
        coalesce(sum(message.output_tokens), 0)::bigint as output, sum(message.reasoning_tokens)::bigint as reasoning,
        count(*) filter (where message.input_tokens is null) as uncounted
      from public.threads as thread join public.messages as message on message.thread_id = thread.id
      where thread.account_id = account and message.role = 'assistant' and message.model is not null
        and message.created_at >= from_day::timestamp at time zone 'utc'
        and message.created_at < (to_day + 1)::timestamp at time zone 'utc'
        and (api_key is null or message.api_key_id = api_key) and (coach is null or thread.coach_id = coach)
      group by 1, 2, 3, 4, 5
    ) as counted
    left join private.api_keys as known_key on known_key.id = counted.api_key_id
    left join public.coach_profiles as profile on profile.id = counted.coach_id
    left join auth.users as known_user on known_user.id = private.to_auth_id(counted.user_id)
    order by 1, 3, 2, 5, 4, 6, 8;
end $$;
comment on function public.read_usage_of_answers is 'What the stored answers of an account have used, added up by day, key, coach, user or model; days are those of UTC and both ends count.';

-- What has failed, what runs low and how much there is. Few rows are counted: nothing may have estimated them yet.
create function private.describe_state() returns json language plpgsql stable security invoker set search_path = '' as $$
declare migrations json;
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select json_agg(version order by version) from supabase_migrations.schema_migrations' into migrations;
  end if;
  return json_build_object(
    'migrations', migrations,
    'errors', (
      select coalesce(json_agg(json_build_object('kind', failed.kind, 'code', failed.error_code, 'count', failed.count)
        order by failed.count desc, failed.kind, failed.error_code), '[]')
      from (
        select failed.kind, failed.error_code, count(*) from public.recent_errors as failed
        where failed.occurred_at > now() - interval '1 day' group by failed.kind, failed.error_code
      ) as failed
    ),
    'last_error', (
      select json_build_object('seconds', floor(extract(epoch from now() - failed.occurred_at)), 'kind', failed.kind,
        'error', failed.error, 'request_id', failed.request_id)
      from public.recent_errors as failed order by failed.occurred_at desc limit 1
    ),
    'webhooks', (
      select json_build_object('count', count(*), 'failing', count(webhook.failing_since),
        'last_error', (array_agg(webhook.last_error order by webhook.failing_since desc)
          filter (where webhook.failing_since is not null))[1])
      from private.webhooks as webhook
    ),
    'mails', (
      select json_build_object('failing', count(*),
        'last_error', (array_agg(mail.last_error order by mail.due_at desc))[1],
        'refused_addresses', (select count(*) from private.refused_addresses))
      from private.mails as mail where mail.last_error is not null
    ),
    'budgets', (
      select coalesce(json_agg(json_build_object(
        'account_name', account.name, 'id', budget.id, 'percent', floor(100.0 * use.used / budget.amount)
      ) order by use.used::numeric / budget.amount desc), '[]')
      from public.budgets as budget
      join public.accounts as account on account.id = budget.account_id
      cross join lateral (
        select coalesce(sum(use.used + use.reserved), 0) as used from private.budget_uses as use
        where use.budget_id = budget.id and use.starts_on = private.period_start(budget.period)
      ) as use
      where not budget.is_each_user and use.used * 100 >= budget.amount::numeric * budget.soft_percent
    ),
    'sizes', json_build_object(
      'database_bytes', pg_database_size(current_database()),
      'file_bytes', (select coalesce(sum(file.size), 0) from public.knowledge_files as file where file.storage_path is not null),
      'rows', (
        select json_object_agg(sized.relname, case when sized.reltuples >= 10000 then sized.reltuples::bigint
          when sized.relname = 'threads' then (select count(*) from public.threads)
          when sized.relname = 'messages' then (select count(*) from public.messages)
          when sized.relname = 'passages' then (select count(*) from public.passages)
          else (select count(*) from public.knowledge_files) end order by sized.relname)
        from pg_catalog.pg_class as sized
        where sized.relnamespace = 'public'::regnamespace
          and sized.relname in ('threads', 'messages', 'knowledge_files', 'passages')
      )
    )
  );
end $$;

-- queues: what waits in the background, how much of it is due, and for how many seconds the first has been. Without
-- details it only reads the first entries of indexes: anybody may have that computed.
create function public.read_status(has_details boolean default true) returns json
language plpgsql stable security definer set search_path = '' set statement_timeout = '5s' as $$
declare
  most constant integer := case when has_details then 1000 else 1 end;
  queue record;
  queues json[] := '{}';
  described json;
begin
  for queue in
    select * from (values ('files', 'public.knowledge_files'), ('mails', 'private.mails'),
      ('questions', 'public.open_questions'), ('removals', 'private.object_removals'),
      ('sources', 'public.knowledge_sources'), ('webhooks', 'private.webhook_messages')) as each (name, relation)
  loop
    execute format($sql$
      select json_build_object('name', $1, 'waiting', count(*),
        'seconds', floor(extract(epoch from now() - min(due.due_at))))
      from (select due_at from %s where due_at <= now() order by due_at limit $2) as due
    $sql$, queue.relation) into described using queue.name, most;
    queues := queues || described;
  end loop;
  return json_build_object(
    'clock_seconds', (select floor(extract(epoch from now() - clock.ticked_at)) from private.clock as clock),
    'model', (
      select json_build_object(
        'checked_seconds', floor(extract(epoch from now() - model_check.checked_at)),
        'failed_seconds', floor(extract(epoch from now() - model_check.failed_at)), 'failure', model_check.failure
      )
      from public.model_checks as model_check
    ),
    'queues', array_to_json(queues),
    'details', case when read_status.has_details then private.describe_state() end
  );
end $$;
comment on function public.read_status is 'Whether everything works: when something last looked for work, whether the model''s server answers, what waits and, with details, what has failed, which budgets run low, and sizes.';
