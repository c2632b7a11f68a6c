-- The conversations with a coach and its usage, for its expert or an application that acts for them.
-- Table: private.people_of_days, the people who asked a coach on each day. One person may ask on several days, so
-- people are counted when a period is read.
-- Surprise: people who are erased no longer count, unlike their turns.

create table private.people_of_days (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  day date not null,
  user_id text not null,
  constraint people_of_days_are_kept_once primary key (coach_id, day, user_id)
);
comment on table private.people_of_days is 'The people who asked a coach on each day (UTC), for 400 days, without those who are still in the ledger.';
comment on column private.people_of_days.coach_id is 'The coach.';
comment on column private.people_of_days.day is 'The day, in UTC.';
comment on column private.people_of_days.user_id is 'The user of the thread.';

-- Erasing a user.
create index people_of_days_by_user on private.people_of_days (user_id, coach_id);
-- The sweep deletes the oldest.
create index people_of_days_by_day on private.people_of_days (day);

-- Deletes rows of more than 400 days ago, 500 at most. Usage is read for 400 days at most. Each sweep deletes a batch.
create function private.forget_people() returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.people_of_days as person
  using (
    select oldest.coach_id, oldest.day, oldest.user_id from private.people_of_days as oldest
    where oldest.day < (now() at time zone 'utc')::date - 400 order by oldest.day limit 500 for update skip locked
  ) as old
  where person.coach_id = old.coach_id and person.day = old.day and person.user_id = old.user_id;
end $$;

-- Conversations

-- A thread as the expert behind its coach sees it.
create function private.describe_conversation(thread public.threads) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return private.describe_thread(thread, true)::jsonb || jsonb_build_object(
    'needs_reply_at', private.to_wire_time(thread.needs_reply_at), 'has_down', thread.has_down,
    'request', case when thread.needs_reply_at is not null then private.describe_request(private.find_open_request(thread.id)) end
  );
end $$;

-- The conversations with a coach from a place in the list on, newest first: a page and one more.
-- A page that begins before all of first_updated_at has no first_id.
create function private.find_conversations(
  caller private.caller, filter private.thread_filter, first_updated_at timestamptz, first_id uuid
) returns setof public.threads language plpgsql stable security invoker set search_path = '' as $$
declare
  earliest constant timestamptz := coalesce(filter.from_time, '-infinity');
  wants_down constant boolean := coalesce(filter.has_down, false);
  wants_need constant boolean := coalesce(filter.needs_reply, false);
  wants_standalone constant boolean := coalesce(filter.is_standalone, false);
begin
  return query
  -- Only one of the three is read, each from its own index. One more than the page tells whether there is another.
  (
    select * from public.threads as thread
    where not wants_need and not wants_down and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) < (find_conversations.first_updated_at, find_conversations.first_id)
    order by thread.updated_at desc, thread.id desc limit filter.page_size + 1
  )
  union all
  (
    select * from public.threads as thread
    where wants_need and thread.needs_reply_at is not null and (not wants_down or thread.has_down)
      and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) < (find_conversations.first_updated_at, find_conversations.first_id)
    order by thread.updated_at desc, thread.id desc limit filter.page_size + 1
  )
  union all
  (
    select * from public.threads as thread
    where wants_down and not wants_need and thread.has_down and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) < (find_conversations.first_updated_at, find_conversations.first_id)
    order by thread.updated_at desc, thread.id desc limit filter.page_size + 1
  );
end $$;

-- Newest first or, with a search, best match first.
-- A cursor is <microseconds since 1970>_<ID> of the last thread of a page, after a search with the score before it.
create function public.list_conversations(caller jsonb, filter jsonb, user_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  wanted constant private.thread_filter := jsonb_populate_record(null::private.thread_filter, filter - 'user_id');
  refusal constant text := private.refuse_unless_expert(client, wanted.coach_id);
  after_updated_at constant timestamptz := timestamptz 'epoch' + wanted.after_at * interval '1 microsecond';
  first_updated_at constant timestamptz := coalesce(least(after_updated_at, wanted.before_time), 'infinity');
  entries private.entry[];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if wanted.search is not null then return private.answer(client, private.list_found_threads(client, wanted)); end if;
  entries := array(
    select row(private.describe_conversation(thread),
      private.to_microseconds(thread.updated_at) || '_' || thread.id)::private.entry
    from private.find_conversations(
      client, wanted, first_updated_at, case when after_updated_at = first_updated_at then wanted.after_id end
    ) as thread
  );
  return private.answer(client, private.describe_entries(entries, wanted.page_size));
end $$;
comment on function public.list_conversations is 'Reply of GET /coaches/{coachId}/threads: a page, or {error}; filter: see private.thread_filter.';

-- Usage by day

-- The result is {data: the days, from, to, totals}, or {"error": …} (see refuse_unless_expert). Days are those of UTC,
-- and both ends count. A person who asks on several days counts once in the totals. Turns and tokens are counted when
-- they happen, and stay; deleted feedback, questions and people no longer count.
create function public.read_coach_usage(caller jsonb, coach_id text, from_day date, to_day date,
  user_id text default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  from_time constant timestamptz := read_coach_usage.from_day::timestamp at time zone 'utc';
  before_time constant timestamptz := (read_coach_usage.to_day + 1)::timestamp at time zone 'utc';
  people_of_all bigint;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.fold_ledger();
  select count(distinct person.user_id) into people_of_all
  from private.people_of_days as person
  where person.coach_id = read_coach_usage.coach_id
    and person.day between read_coach_usage.from_day and read_coach_usage.to_day;

  return private.answer(client, (
    with used as (
      select counts.day, sum(counts.turns) as turns, sum(counts.input_tokens) as input_tokens,
        sum(counts.cached_tokens) as cached_tokens, sum(counts.output_tokens) as output_tokens,
        sum(counts.reasoning_tokens) as reasoning_tokens, sum(counts.estimated_turns) as estimated_turns,
        sum(counts.cost_micro_usd) as cost_micro_usd, sum(counts.unpriced_turns) as unpriced_turns
      from private.usage_counts as counts
      where counts.coach_id = read_coach_usage.coach_id and counts.account_id = client.account_id
        and counts.day between read_coach_usage.from_day and read_coach_usage.to_day
      group by counts.day
    ), met as (
      select person.day, count(*) as people
      from private.people_of_days as person
      where person.coach_id = read_coach_usage.coach_id
        and person.day between read_coach_usage.from_day and read_coach_usage.to_day
      group by person.day
    ), opened as (
      select (question.first_asked_at at time zone 'utc')::date as day, count(*) as questions
      from public.open_questions as question
      where question.coach_id = read_coach_usage.coach_id
        and question.first_asked_at >= from_time and question.first_asked_at < before_time
      group by 1
    ), rated as (
      select (given.updated_at at time zone 'utc')::date as day,
        count(*) filter (where given.rating = 'up') as up, count(*) filter (where given.rating = 'down') as down
      from public.feedback as given
      where given.coach_id = read_coach_usage.coach_id
        and given.updated_at >= from_time and given.updated_at < before_time
      group by 1
    ), listed as (
      select
        asked.day, coalesce(used.turns, 0) as turns, coalesce(used.input_tokens, 0) as input_tokens,
        coalesce(used.cached_tokens, 0) as cached_tokens, coalesce(used.output_tokens, 0) as output_tokens,
        coalesce(used.reasoning_tokens, 0) as reasoning_tokens, coalesce(used.estimated_turns, 0) as estimated_turns,
        coalesce(used.cost_micro_usd, 0) as cost_micro_usd, coalesce(used.unpriced_turns, 0) as unpriced_turns, coalesce(met.people, 0) as people,
        coalesce(opened.questions, 0) as questions_opened, coalesce(rated.up, 0) as feedback_up,
        coalesce(rated.down, 0) as feedback_down
      from generate_series(0, read_coach_usage.to_day - read_coach_usage.from_day) as later (days)
      cross join lateral (select read_coach_usage.from_day + later.days as day) as asked
      left join used on used.day = asked.day
      left join met on met.day = asked.day
      left join opened on opened.day = asked.day
      left join rated on rated.day = asked.day
    )
    select json_build_object(
      'data', json_agg(listed order by listed.day), 'from', read_coach_usage.from_day, 'to', read_coach_usage.to_day,
      'totals', json_build_object(
        'turns', sum(listed.turns), 'input_tokens', sum(listed.input_tokens),
        'cached_tokens', sum(listed.cached_tokens), 'output_tokens', sum(listed.output_tokens),
        'reasoning_tokens', sum(listed.reasoning_tokens), 'estimated_turns', sum(listed.estimated_turns),
        'cost_micro_usd', sum(listed.cost_micro_usd), 'unpriced_turns', sum(listed.unpriced_turns),
        'people', people_of_all,
        'questions_opened', sum(listed.questions_opened), 'feedback_up', sum(listed.feedback_up),
        'feedback_down', sum(listed.feedback_down)
      )
    )
    from listed
  ));
end $$;
comment on function public.read_coach_usage is 'Reply of GET /coaches/{coachId}/usage, or {error}.';
