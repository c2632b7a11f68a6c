-- Indexing: the indexer turns uploaded files into passages, and removes what is to be removed in Storage, at the
-- model's server and from the search index. It ends expired takeovers. Once a day it also asks the model's server
-- whether the configured models will remain.
-- Tables: model_checks (the result of that) and private.clock (when something last looked for work).
-- The backlog is knowledge_files itself: a file is due when due_at has passed. A worker claims one file at a time. A
-- claim expires after four minutes, longer than all time limits of a step, which add up to 160 s. So the file of a
-- worker that was killed is due again.
-- Surprises: an attempt is counted before its work begins, and each batch of passages that is saved starts the count
-- again. So a long file may take many steps, but no step more than three attempts.

-- Queueing

-- Has files of a coach indexed again, and returns how many. Each file is read from its beginning, and a worker that is
-- reading it loses its claim. A file that is ready answers meanwhile (see versions). file_id null: all files of the coach.
create function private.queue_files(coach_id text, file_id uuid) returns bigint
language sql volatile security invoker set search_path = '' as $$
  with unread as (
    update public.knowledge_files as file
    set status = 'queued', error = null, attempts = 0, bookmark = null, claim = null, due_at = now(), updated_at = now()
    where file.coach_id = queue_files.coach_id and file.status <> 'ready' and (queue_files.file_id is null
      or file.id = queue_files.file_id or file.replaces = queue_files.file_id and file.digest is null)
    returning file.id, file.replaces
  ), half_read as (
    delete from public.passages as passage using unread where passage.file_id = unread.id and unread.replaces is not null
  ), versions as (
    insert into public.knowledge_files (account_id, coach_id, replaces, name, size, content_type, category, request_id)
    select file.account_id, file.coach_id, file.id, file.name, file.size, file.content_type, file.category, file.request_id
    from public.knowledge_files as file
    where file.coach_id = queue_files.coach_id and file.status = 'ready'
      and (queue_files.file_id is null or file.id = queue_files.file_id)
    on conflict do nothing returning id
  )
  select count(*) from (table unread union all select versions.id, null from versions) as queued;
$$;

-- Has pinned answers, files and threads of a coach indexed again when its language changes. In another language other
-- pinned questions are the same: of two that come to be, one keeps the key, and the other is only near from then on. What
-- is not read yet is only near.
-- Definer: service_role may change coaches, but has no rights on the private schema.
create function private.follow_language() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_pinned_answers(new.id);
  update private.phrases as phrase set language = null, key = null, polite_key = null, due_at = now()
  where phrase.coach_id = new.id and phrase.is_pinned;
  perform private.queue_files(new.id, null);
  update public.threads as thread set searchable_until = '-infinity'
  where thread.account_id = new.account_id and thread.coach_id = new.id and thread.searchable_until > '-infinity';
  return null;
end $$;
create trigger coach_profiles_follow_language after update of language on public.coach_profiles
  for each row when (old.language <> new.language) execute function private.follow_language();

create function public.reindex_file(file_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare coach constant text := (select file.coach_id from public.knowledge_files as file where file.id = reindex_file.file_id);
begin
  if coach is null then raise exception using errcode = 'PT404', message = 'File not found'; end if;
  return json_build_object('files', private.queue_files(coach, reindex_file.file_id));
end $$;
comment on function public.reindex_file is 'Has a knowledge file indexed again by the next sweep.';

create function public.reindex_coach(coach_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (select from public.coach_profiles as coach where coach.id = reindex_coach.coach_id) then
    raise exception using errcode = 'PT404', message = 'Coach not found';
  end if;
  -- The model of their embeddings may have changed.
  update private.phrases as phrase set due_at = now()
  where phrase.coach_id = reindex_coach.coach_id and phrase.is_pinned;
  update private.topic_work as topics set due_at = now() where topics.coach_id = reindex_coach.coach_id;
  return json_build_object('files', private.queue_files(reindex_coach.coach_id, null));
end $$;
comment on function public.reindex_coach is 'Has all knowledge files and the phrases of all pinned answers of a coach indexed again by the next sweeps, and its conversations sorted into topics.';

-- Ends the indexing of a file.
create function private.end_file(file_id uuid, status text, reason text) returns void
language sql volatile security invoker set search_path = '' as $$
  delete from public.passages as passage where passage.file_id = end_file.file_id and end_file.status <> 'ready';
  update public.knowledge_files as file
  set status = end_file.status, error = end_file.reason, attempts = 0, bookmark = null, claim = null, due_at = null,
    updated_at = now()
  where file.id = end_file.file_id;
$$;

-- Checking models

-- Deploying includes a check of its own, so the first one here is an hour later.
create table public.model_checks (
  is_only boolean primary key default true,
  warnings jsonb not null default '[]',
  checked_at timestamptz,
  failed_at timestamptz,
  failure text,
  due_at timestamptz not null default now() + interval '1 hour',
  constraint model_checks_has_one_row check (is_only),
  constraint model_checks_warnings_are_a_list check (jsonb_typeof(warnings) = 'array')
);
comment on table public.model_checks is 'The result of the daily check of models, in one row. The view recent_errors shows its warnings.';
comment on column public.model_checks.is_only is 'Always true.';
comment on column public.model_checks.warnings is 'Configured models that end or are missing: [{setting, model, kind: ends or missing, date: of the end}].';
comment on column public.model_checks.checked_at is 'When the server last answered.';
comment on column public.model_checks.failed_at is 'Since when the server has not answered; null: it has.';
comment on column public.model_checks.failure is 'Why it has not.';
comment on column public.model_checks.due_at is 'When a sweep asks the server next. Set it to now() to have it asked with the next sweep.';

insert into public.model_checks default values;

-- Claims the daily check of models: {coach_models: the models of active coaches}; null if it is not due.
-- A check is due again in ten minutes, unless its result is saved before.
create function private.take_model_check() returns json language sql volatile security invoker set search_path = '' as $$
  with taken as (
    update public.model_checks as model_check set due_at = now() + interval '10 minutes'
    from (
      select due.is_only from public.model_checks as due where due.is_only and due.due_at <= now() for update skip locked
    ) as due
    where model_check.is_only = due.is_only returning model_check.is_only
  )
  select json_build_object('coach_models', coalesce((
    select json_agg(distinct coach.model) from public.coach_profiles as coach
    where coach.is_active and coach.model is not null
  ), '[]'))
  from taken;
$$;

-- failure: why the server could not be asked for its models; then warnings is null, and earlier ones remain.
create function public.save_model_check(warnings jsonb, failure text default null) returns void
language sql volatile security invoker set search_path = '' as $$
  update public.model_checks as model_check
  set warnings = coalesce(save_model_check.warnings, model_check.warnings), failure = save_model_check.failure,
    checked_at = case when save_model_check.failure is null then now() else model_check.checked_at end,
    failed_at = case when save_model_check.failure is not null then coalesce(model_check.failed_at, now()) end,
    due_at = case when save_model_check.failure is null then now() + interval '1 day' else model_check.due_at end
  where model_check.is_only;
$$;
comment on function public.save_model_check is 'Saves the warnings of a check of models, in place of earlier ones, or why there are none; the next check is a day after one that did not fail.';

-- Looking for work

create table private.clock (
  is_only boolean primary key default true,
  ticked_at timestamptz,
  constraint clock_has_one_row check (is_only)
);
comment on table private.clock is 'When something last looked for work in the background, in one row. read_status() tells it.';
comment on column private.clock.is_only is 'Always true.';
comment on column private.clock.ticked_at is 'When pg_cron or a sweep of the indexer last did, give or take half a minute; null: never.';

insert into private.clock default values;

-- Called with each look. Most leave the row as it is, and none waits for another.
create function private.tick() returns void language sql volatile security invoker set search_path = '' as $$
  update private.clock as clock set ticked_at = now()
  from (
    select late.is_only from private.clock as late
    where late.ticked_at is null or late.ticked_at < now() - interval '30 seconds' for update skip locked
  ) as late
  where clock.is_only = late.is_only;
$$;

-- Taking work

-- The account with the file that has been due the longest, those without a claimed file first; null when no file is
-- due. Accounts with work are found by stepping through the index from one to the next, however long the backlog is.
create function private.find_waiting_account() returns uuid
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    with recursive account (id) as (
      (select file.account_id from public.knowledge_files as file where file.due_at is not null order by file.account_id limit 1)
      union all
      select (
        select file.account_id from public.knowledge_files as file
        where file.due_at is not null and file.account_id > account.id order by file.account_id limit 1
      )
      from account where account.id is not null
    )
    select account.id
    from account
    cross join lateral (
      select file.due_at, file.number from public.knowledge_files as file
      where file.account_id = account.id and file.due_at <= now() order by file.due_at, file.number limit 1
    ) as first
    order by exists (
      select from public.knowledge_files as file
      where file.account_id = account.id and file.claim is not null and file.due_at > now()
    ), first.due_at, first.number
    limit 1
  );
end $$;

-- Claims the file that has been due the longest, of the account that comes first; null when none is due. A killed
-- worker leaves its claim behind, so files that kill workers do not keep those of other accounts waiting. Files with
-- three attempts are given up on the way.
create function private.take_file() returns json language plpgsql volatile security invoker set search_path = '' as $$
declare
  waiting_account_id constant uuid := private.find_waiting_account();
  found_file public.knowledge_files;
  claimed_file json;
begin
  loop
    select * into found_file from public.knowledge_files as file
    where file.due_at <= now() and file.account_id = waiting_account_id
    order by file.due_at, file.number limit 1 for update skip locked;
    if not found then
      select * into found_file from public.knowledge_files as file
      where file.due_at <= now() order by file.due_at, file.number limit 1 for update skip locked;
    end if;
    if not found then return null; end if;
    exit when found_file.attempts < 3;
    perform private.end_file(found_file.id, 'failed',
      coalesce(found_file.error, 'Reading the file takes more time or memory than a function has'));
  end loop;

  update public.knowledge_files as file
  set status = 'indexing', attempts = file.attempts + 1, claim = gen_random_uuid(),
    due_at = now() + interval '4 minutes', updated_at = now()
  where file.id = found_file.id
  returning json_build_object('id', file.id, 'claim', file.claim, 'coach_id', file.coach_id, 'name', file.name,
    'category', file.category, 'content_type', file.content_type, 'storage_path', coalesce(file.storage_path, (
      select original.storage_path from public.knowledge_files as original where original.id = file.replaces
    )),
    'request_id', file.request_id, 'attempt', file.attempts, 'bookmark', file.bookmark,
    'position', case when file.bookmark is null then 0 else (
      select coalesce(max(passage.position) + 1, 0) from public.passages as passage where passage.file_id = file.id
    ) end)
  into claimed_file;
  return claimed_file;
end $$;

-- Objects to remove, at most 500: {bucket: [path]}. Due again in five minutes, unless they are taken off the list before.
create function private.take_object_removals() returns json language sql volatile security invoker set search_path = '' as $$
  with due as (
    select removal.storage_path from private.object_removals as removal
    where removal.due_at <= now() order by removal.due_at limit 500 for update skip locked
  ), taken as (
    update private.object_removals as removal set due_at = now() + interval '5 minutes', taken_at = now()
    from due where removal.storage_path = any (array[due.storage_path])
    returning removal.bucket, removal.storage_path
  )
  select json_build_object(
    'knowledge', coalesce(json_agg(taken.storage_path) filter (where taken.bucket = 'knowledge'), '[]'),
    'pictures', coalesce(json_agg(taken.storage_path) filter (where taken.bucket = 'pictures'), '[]')
  ) from taken;
$$;

-- IDs of responses to remove, at most 200.
-- Due again as above. After 30 days the server has deleted the responses itself.
create function private.take_response_removals() returns json
language sql volatile security invoker set search_path = '' as $$
  delete from private.response_removals as removal where removal.created_at < now() - interval '30 days';
  with due as (
    select removal.response_id from private.response_removals as removal
    where removal.due_at <= now() order by removal.due_at limit 200 for update skip locked
  ), taken as (
    update private.response_removals as removal set due_at = now() + interval '5 minutes'
    from due where removal.response_id = any (array[due.response_id])
    returning removal.response_id
  )
  select coalesce(json_agg(taken.response_id), '[]') from taken;
$$;

create function public.take_indexing_work() returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  removals json;
  responses json;
  work json;
begin
  perform private.tick();
  -- A request has at most 20 files, so that an abandoned upload has left no other objects.
  with abandoned as (delete from private.uploads as upload where upload.due_at <= now() returning upload.account_id, upload.id)
  insert into private.object_removals (storage_path)
  select private.object_path(abandoned.account_id, abandoned.id, number)
  from abandoned cross join generate_series(1, 20) as number
  on conflict do nothing;
  -- Users of publishable keys who have not been here for a day.
  delete from private.rate_limit_windows as windows where windows.user_hash <> '' and windows.day_ends_at < now();
  perform private.delete_old_events();
  -- Usage is read for 400 days at most.
  delete from private.askers as person where person.ctid = any (array(
    select oldest.ctid from private.askers as oldest
    where oldest.at < now() - interval '400 days' order by oldest.at limit 500 for update skip locked
  ));
  perform private.forget_versions();
  perform private.tell_waiting();
  delete from private.coach_invitations as invitation where invitation.expires_at < now();
  delete from private.acts as act where act.number = any (array(
    select old.number from private.acts as old where old.created_at < now() - interval '1 year' order by old.created_at limit 500
  ));
  perform private.remove_threads(array(
    select thread.id from public.threads as thread
    where thread.is_standalone and thread.updated_at < now() - interval '30 days' order by thread.updated_at limit 50
  ));
  perform private.drop_unkept_turns();
  -- Experts who have been silent for the takeover_minutes of the coach. A locked thread is left to the next sweep.
  perform private.end_takeover(expired.thread) from (
    select thread from public.threads as thread
    where thread.taken_over_until <= clock_timestamp() order by thread.taken_over_until limit 500 for update skip locked
  ) as expired;
  removals := private.take_object_removals();
  responses := private.take_response_removals();
  work := json_build_object(
    'removals', removals, 'responses', responses,
    'has_more_responses', exists (select from private.response_removals as removal where removal.due_at <= now()),
    'has_removed_passages', exists (select from private.passage_removals),
    'has_unsearchable_threads', private.has_unsearchable_threads(), 'has_waiting_turns', private.has_waiting_turns(),
    'phrases', private.take_phrases(),
    'has_due_questions', exists (select from public.open_questions as question where question.due_at <= now()),
    'has_comparisons', exists (select from private.comparisons as comparison where comparison.due_at <= now()),
    'has_due_topics', exists (select from private.topic_work as topics where topics.due_at <= now()),
    'model_check', private.take_model_check(), 'has_tests', private.find_due_run() is not null,
    'has_budgets', exists (select from public.budgets),
    'has_webhook_messages', exists (select from private.webhook_messages as message where message.due_at <= now()),
    'has_due_retention', private.has_due_retention(), 'file', private.take_file()
  );
  -- Last, since totals and budgets are locked after everything else.
  perform private.fold_ledger();
  -- What was used in periods that have ended. Yesterday is kept: its last runs may still be settled.
  delete from private.budget_uses as use using public.budgets as budget
  where use.budget_id = budget.id and use.starts_on < private.period_start(budget.period) - 1;
  delete from private.budget_notices as notice using public.budgets as budget
  where notice.budget_id = budget.id and notice.starts_on < private.period_start(budget.period) - 1;
  perform private.settle_expired();
  return work;
end $$;
comment on function public.take_indexing_work is 'The work of a sweep: {removals: paths of objects to remove by bucket, responses: ids of responses to remove, has_more_responses, has_removed_passages, has_unsearchable_threads, has_waiting_turns, has_budgets, phrases: [{id, coach_id, content}] to embed, has_due_questions, has_due_topics, has_comparisons, has_tests, has_webhook_messages, has_due_retention, model_check: {coach_models} or null, file: a claimed file or null}.';

-- Saving

-- status: indexing (the caller continues), queued (another worker continues at the bookmark), or an end: ready, empty
-- or failed. A file without passages is never ready. The reason of a ready file is what of it could not be read. A worker that has lost its claim saves nothing.
-- The result is {is_claimed, file}: with takes_next, an ended file is followed by the next one that is due.
create function public.save_indexing(
  file_id uuid, claim uuid, from_position integer, passages jsonb, status text, bookmark jsonb, reason text,
  takes_next boolean
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  goes_on constant boolean := status in ('indexing', 'queued');
  is_kept constant boolean := status = 'indexing';
  stored integer;
begin
  -- A file is locked before its next version.
  perform from public.knowledge_files as file where file.id = (
    select version.replaces from public.knowledge_files as version where version.id = save_indexing.file_id
  ) for update;
  perform from public.knowledge_files as file
  where file.id = save_indexing.file_id and file.claim = save_indexing.claim for update;
  if not found then
    return json_build_object('is_claimed', false, 'file', case when takes_next then private.take_file() end);
  end if;

  if goes_on or status = 'ready' then
    stored := public.store_passages(file_id, from_position, passages);
    perform private.store_embeddings(file_id, from_position, passages);
  end if;
  if goes_on then
    update public.knowledge_files as file
    set status = save_indexing.status, bookmark = save_indexing.bookmark, error = null, updated_at = now(),
      attempts = case when is_kept then 1 else 0 end, claim = case when is_kept then file.claim end,
      due_at = case when is_kept then now() + interval '4 minutes' else now() end
    where file.id = save_indexing.file_id;
  elsif status = 'ready' and stored = 0 then
    perform private.end_file(file_id, 'empty', reason => 'No text was found in it');
  else
    perform private.end_file(file_id, status, reason);
  end if;
  if not goes_on then perform private.take_place(file_id); end if;
  return json_build_object('is_claimed', true, 'file', case when takes_next and not is_kept then private.take_file() end);
end $$;
comment on function public.save_indexing is 'Saves a step of indexing: the passages [{content, heading, page, is_recognized, embedding: {model, vector}}] from a position on, and whether the file continues, waits or has ended.';

-- The result is {is_claimed, file}: the next file follows with takes_next, or if this one was deleted meanwhile. A
-- failure to read a deleted file says nothing about the others. waits_for_budget: no model was asked, so this was no
-- attempt.
create function public.postpone_indexing(
  file_id uuid, claim uuid, reason text, takes_next boolean, waits_for_budget boolean default false
) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare found_file public.knowledge_files;
begin
  select * into found_file from public.knowledge_files as file
  where file.id = postpone_indexing.file_id and file.claim = postpone_indexing.claim for update;
  if found_file.attempts >= 3 and not waits_for_budget then
    perform private.end_file(found_file.id, 'failed', reason);
  else
    update public.knowledge_files as file
    set status = 'queued', error = postpone_indexing.reason, claim = null, updated_at = now(),
      attempts = file.attempts - waits_for_budget::integer,
      due_at = now() + case when waits_for_budget then interval '15 minutes'
        else found_file.attempts * interval '30 seconds' end
    where file.id = found_file.id;
  end if;
  return json_build_object(
    'is_claimed', found_file.id is not null,
    'file', case when postpone_indexing.takes_next or found_file.id is null then private.take_file() end
  );
end $$;
comment on function public.postpone_indexing is 'Gives a file back after a failed attempt, to be tried again 30 or 60 seconds later; the third attempt is the last.';

-- Clock

-- If the platform has pg_cron and pg_net, as every hosted project does, the indexer is called each minute in which
-- something is due, and so are the fetcher and the mailer. The address of the project and a secret key are in the vault:
--   select vault.create_secret('https://<ref>.supabase.co', 'project_url');
--   select vault.create_secret('sb_secret_…', 'secret_key');
-- Without them, or without these extensions, uploads still call the indexer, and interrupted work waits for the next
-- upload; sources are not read again, and no digest is sent.
-- Definer: it reads the vault and the private schema, also for a caller who may not.
create function private.wake_indexer() returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  project_url text;
  secret_key text;
  is_work_due boolean;
  is_source_due constant boolean := exists (select from public.knowledge_sources as source where source.due_at <= now());
  is_mail_due constant boolean := exists (select from private.mails as mail where mail.due_at <= now())
    or exists (select from private.mail_settings as settings where settings.digest_due_at <= now())
    or exists (select from private.mail_settings as settings where settings.topics_due_at <= now());
  names text[];
begin
  perform private.tick();
  -- Has the server asked at once if an answer has failed because of it since it last answered.
  update public.model_checks as model_check set due_at = now()
  where model_check.is_only and model_check.failed_at is null and model_check.due_at > now() and exists (
    select from public.messages as message
    where message.error is not null and message.created_at > coalesce(model_check.checked_at, '-infinity')
      and message.created_at > now() - interval '10 minutes'
      and message.error_code in ('model_unavailable', 'model_timed_out', 'model_misconfigured')
  );
  -- Here too, since old events alone are no reason for a sweep, and without a mail server nobody takes mails.
  perform private.delete_old_events();
  perform private.delete_old_mails();
  perform private.fold_ledger();
  is_work_due := exists (select from public.knowledge_files as file where file.due_at <= now())
    or exists (select from private.object_removals as removal where removal.due_at <= now())
    or exists (select from private.response_removals as removal where removal.due_at <= now())
    or exists (select from private.passage_removals)
    or exists (select from private.webhook_messages as message where message.due_at <= now())
    or exists (select from private.webhooks as webhook where webhook.waiting_due_at <= now())
    or exists (select from private.budget_reservations as reservation where reservation.expires_at <= now())
    or private.has_unsearchable_threads() or private.has_due_retention()
    or exists (select from private.phrases as phrase where phrase.due_at <= now())
    or private.has_waiting_turns() or private.find_due_run() is not null
    or exists (select from public.threads as thread where thread.taken_over_until <= now())
    or exists (select from public.open_questions as question where question.due_at <= now())
    or exists (select from private.comparisons as comparison where comparison.due_at <= now())
    or exists (select from private.topic_work as topics where topics.due_at <= now())
    or exists (select from private.uploads as upload where upload.due_at <= now());
  names := array_remove(array[
    case when is_work_due or exists (select from public.model_checks as model_check where model_check.due_at <= now())
      then 'indexer' end,
    case when is_source_due then 'fetcher' end, case when is_mail_due then 'mailer' end
  ], null);
  if names = '{}' then return; end if;
  select secret.decrypted_secret into project_url from vault.decrypted_secrets as secret where secret.name = 'project_url';
  select secret.decrypted_secret into secret_key from vault.decrypted_secrets as secret where secret.name = 'secret_key';
  if project_url is null or secret_key is null then
    -- A check of the models can wait for the next upload, without a line in the log each minute.
    if is_work_due or is_source_due or is_mail_due then
      raise warning 'The indexer, the fetcher and the mailer cannot be called: store project_url and secret_key in the vault';
    end if;
    return;
  end if;
  perform net.http_post(
    url := rtrim(project_url, '/') || '/functions/v1/' || name,
    headers := jsonb_build_object('apikey', secret_key, 'Content-Type', 'application/json'), body := '{}'::jsonb,
    timeout_milliseconds := 10000
  ) from unnest(names) as name;
end $$;

-- Starts the clock. Of what pg_cron notes about each of its calls, a week is kept: nothing else deletes it.
create function private.start_clock() returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform cron.schedule('wake-indexer', '* * * * *', 'select private.wake_indexer()');
  perform cron.schedule('forget-calls', '17 3 * * *', $sql$
    delete from cron.job_run_details as call using cron.job as job
    where job.jobid = call.jobid and job.jobname in ('wake-indexer', 'forget-calls') and call.end_time < now() - interval '7 days'
  $sql$);
end $$;

do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    create extension if not exists pg_cron with schema pg_catalog;
    create extension if not exists pg_net with schema extensions;
    perform private.start_clock();
  end if;
exception when others then
  -- A server of one's own may have pg_cron without loading it, or run it in another database.
  raise warning 'No clock is started, because pg_cron cannot be used: %. Call the indexer every minute in another way', sqlerrm;
end $$;
