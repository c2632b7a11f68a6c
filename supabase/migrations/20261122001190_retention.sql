-- Retention: threads are erased some days after the last message in them, if their account wants that; and coaches that
-- their owners have deleted are, with all that is theirs.
-- No table: accounts.retention_days says how many days, retention_due_at when the sweep looks next. The sweep erases in
-- parts: each is a transaction with a few threads of the account that has waited longest, which then waits behind the
-- others. So a sweep that is killed leaves no thread half erased, and the next one goes on with the same account.
-- Surprises: the days count from the last message of anybody, that is of the user, the model or the expert. To read, to
-- rename or to rate keeps no thread, and neither does that it is pinned or archived, or that somebody waits for the
-- expert: what people are told is how long it is kept. Only a takeover, or an answer that is being written, is awaited.

-- True if erase_untouched_threads() has something to do.
create function private.has_due_retention() returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from public.accounts as account where account.retention_days is not null and account.retention_due_at <= now()
  ) or exists (select from public.coach_profiles as coach where coach.deleted_at <= now());
end $$;

-- Whether nobody has said anything in a thread for that many days, and nobody is about to.
-- threads.updated_at alone does not tell: a question in the newest thread of a user leaves it as it is.
create function private.is_untouched(thread public.threads, days integer) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare oldest constant timestamptz := now() - make_interval(days => is_untouched.days);
begin
  return thread.updated_at < oldest and not private.is_taken_over(thread.taken_over_until)
    and private.find_active_answer(thread.id, thread.settled_until) is null
    and not exists (select from public.messages as message where message.thread_id = thread.id and message.created_at >= oldest);
end $$;

-- Erases up to 50 untouched threads of an account, or those that have 500 messages, and returns whether that was all.
-- Of each coach, the oldest come first. A thread in which somebody is asking just now is not untouched any more.
create function private.erase_part(account_id uuid, days integer) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare
  oldest constant timestamptz := now() - make_interval(days => erase_part.days);
  candidate_id uuid;
  thread_ids uuid[] := '{}';
  room integer := 500;
begin
  for candidate_id in
    select old.id from public.coach_profiles as coach
    cross join (values (false), (true)) as kind (is_standalone)
    cross join lateral (
      select thread.id from public.threads as thread
      where thread.account_id = coach.account_id and thread.coach_id = coach.id
        and thread.is_standalone = kind.is_standalone and thread.updated_at < oldest
        and private.is_untouched(thread, erase_part.days)
      order by thread.updated_at, thread.id limit 50
    ) as old
    where coach.account_id = erase_part.account_id limit 50
  loop
    exit when room <= 0;
    -- Asked again, now that no turn begins in it.
    continue when not pg_try_advisory_xact_lock(hashtextextended(candidate_id::text, 0)) or not exists (
      select from public.threads as thread where thread.id = candidate_id and private.is_untouched(thread, erase_part.days)
    );
    thread_ids := thread_ids || candidate_id;
    room := room - 10 - (select count(*) from public.messages as message where message.thread_id = candidate_id);
  end loop;
  perform private.remove_threads(thread_ids);
  return room > 0;
end $$;

-- Erases a part of the coach that was deleted first: up to 20 threads, then five files, then what is left. What is under
-- way in a thread ends as where a user erases themselves: its run finds nothing to write to. False if none is due, or
-- another sweep has it.
create function private.erase_deleted() returns boolean language plpgsql volatile security invoker set search_path = '' as $$
declare
  deleted public.coach_profiles;
  thread_ids uuid[];
begin
  select * into deleted from public.coach_profiles as coach
  where coach.deleted_at <= now() order by coach.deleted_at limit 1 for update skip locked;
  if not found then return false; end if;
  begin
    thread_ids := array(
      select thread.id from public.threads as thread
      where thread.account_id = deleted.account_id and thread.coach_id = deleted.id order by thread.id limit 20
    );
    if thread_ids <> '{}' then
      perform private.remove_threads(thread_ids);
      return true;
    end if;
    delete from public.knowledge_files as file where file.id = any (array(
      select known.id from public.knowledge_files as known where known.coach_id = deleted.id and known.replaces is null limit 5
    ));
    if found then return true; end if;
    delete from private.events as event where event.coach_id = deleted.id;
    delete from public.coach_profiles as coach where coach.id = deleted.id;
  exception when others or query_canceled then
    raise warning 'The coach % is not erased: %', deleted.id, sqlerrm;
    update public.coach_profiles as coach set deleted_at = now() + interval '1 hour' where coach.id = deleted.id;
  end;
  return true;
end $$;

create function public.erase_untouched_threads() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  account public.accounts;
  is_done boolean;
begin
  if private.erase_deleted() then return private.has_due_retention(); end if;
  select * into account from public.accounts as due
  where due.retention_days is not null and due.retention_due_at <= now()
  order by due.retention_due_at, due.id limit 1 for no key update skip locked;
  -- Another sweep has it.
  if not found then return false; end if;
  begin
    is_done := private.erase_part(account.id, account.retention_days);
  exception when others or query_canceled then
    -- It would be the first again, and nothing of other accounts would be erased.
    raise warning 'Threads of the account % are not erased: %', account.id, sqlerrm;
    is_done := true;
  end;
  update public.accounts as due set retention_due_at = now() + case when is_done then interval '1 hour' else '0' end
  where due.id = account.id;
  return private.has_due_retention();
end $$;
comment on function public.erase_untouched_threads is 'Erases a part of a coach that was deleted, or of the threads that their account does not keep any longer; returns whether more are due.';

create function public.set_retention(account_id uuid, days integer default null) returns json
language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- An hour in which it can be taken back.
  update public.accounts as account set retention_days = set_retention.days, retention_due_at = now() + interval '1 hour'
  where account.id = set_retention.account_id;
  if not found then raise exception using errcode = 'PT404', message = 'Account not found'; end if;
  return json_build_object('account_id', set_retention.account_id, 'retention_days', set_retention.days, 'threads', (
    select count(*) from public.threads as thread where thread.account_id = set_retention.account_id
      and thread.updated_at < now() - make_interval(days => set_retention.days)
  ));
end $$;
comment on function public.set_retention is 'Sets for how many days an account keeps threads after their last message, null for good: {account_id, retention_days, threads: how many are older}. The first are erased an hour later.';
