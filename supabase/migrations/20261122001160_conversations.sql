-- What the expert behind a coach, or an application for them, sees of its conversations.
-- Table: private.people_of_days, who has asked a coach on which day: people cannot be added up, so that they are counted
-- when somebody asks how many there were. Functions: list_conversations, read_coach_usage; count_person, called by each
-- turn.
-- Surprise: those who are erased are not counted any more, unlike their turns.

create table private.people_of_days (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  day date not null,
  user_id text not null,
  constraint people_of_days_are_kept_once primary key (coach_id, day, user_id)
);

comment on table private.people_of_days is 'Who has asked a coach on which day (UTC), for 400 days.';
comment on column private.people_of_days.coach_id is 'The coach.';
comment on column private.people_of_days.day is 'The day, in UTC.';
comment on column private.people_of_days.user_id is 'The user of the thread.';

-- Erasing a user.
create index people_of_days_by_user on private.people_of_days (user_id, coach_id);
-- The sweep deletes the oldest.
create index people_of_days_by_day on private.people_of_days (day);

alter table private.people_of_days enable row level security;

-- Only the first turn of a day writes a row. Another of the same person at the same time waits for it.
create function private.count_person(coach_id text, user_id text) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into private.people_of_days (coach_id, day, user_id)
  values (count_person.coach_id, (now() at time zone 'utc')::date, count_person.user_id)
  on conflict on constraint people_of_days_are_kept_once do nothing;
end;
$$;

comment on function private.count_person is 'Notes that somebody has asked a coach today.';

-- No usage is asked for that far back. A batch, since it is done by each sweep.
create function private.forget_people() returns void
language plpgsql volatile security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
begin
  delete from private.people_of_days as person
  using (
    select oldest.coach_id, oldest.day, oldest.user_id from private.people_of_days as oldest
    where oldest.day < (now() at time zone 'utc')::date - 400
    order by oldest.day
    limit 500
    for update skip locked
  ) as old
  where person.coach_id = old.coach_id and person.day = old.day and person.user_id = old.user_id;
end;
$$;

comment on function private.forget_people is 'Deletes who has asked more than 400 days ago, 500 at most.';

-- Conversations

create function private.describe_conversation(thread public.threads) returns json
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return private.describe_thread(thread, true)::jsonb || jsonb_build_object(
    'needs_reply_at', private.to_wire_time(thread.needs_reply_at),
    'has_down', thread.has_down
  );
end;
$$;

comment on function private.describe_conversation is 'A thread as the expert behind its coach sees it.';

-- user_id: see refuse_expert(). The result is the page, or {"error": …} as that says.
-- has_down, needs_reply: only threads that have, or need, one. from_time and before_time: of their updated_at.
-- A cursor is <microseconds since 1970>_<id> of the last thread of a page.
create function private.list_conversations(
  account_id uuid,
  coach_ids text[],
  user_id text,
  coach_id text,
  search text,
  has_down boolean,
  needs_reply boolean,
  from_time timestamptz,
  before_time timestamptz,
  page_size integer,
  after_score bigint,
  after_at bigint,
  after_id uuid
) returns json
language plpgsql stable security invoker set search_path = ''
-- However many threads there are, a page is read from its place in the index on.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    list_conversations.account_id, list_conversations.coach_ids, list_conversations.coach_id, list_conversations.user_id
  );
  earliest constant timestamptz := coalesce(list_conversations.from_time, '-infinity');
  after_updated_at constant timestamptz := timestamptz 'epoch' + list_conversations.after_at * interval '1 microsecond';
  -- Where the page begins: of one time, after this id; null: before all of this time.
  first_updated_at constant timestamptz := coalesce(least(after_updated_at, list_conversations.before_time), 'infinity');
  first_id constant uuid := case when after_updated_at = first_updated_at then list_conversations.after_id end;
  threads json;
  total bigint;
  next_cursor text;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  if list_conversations.search is not null then
    return private.search_threads(
      list_conversations.account_id, list_conversations.coach_ids, null, list_conversations.search,
      list_conversations.coach_id, null, true, list_conversations.has_down, list_conversations.needs_reply,
      list_conversations.from_time, list_conversations.before_time, list_conversations.page_size,
      list_conversations.after_score, list_conversations.after_at, list_conversations.after_id
    );
  end if;

  select
    json_agg(private.describe_conversation(found.thread)) filter (where found.place <= list_conversations.page_size),
    least(count(*), list_conversations.page_size),
    case when count(*) > list_conversations.page_size then
      max((extract(epoch from (found.thread).updated_at) * 1000000)::bigint || '_' || (found.thread).id)
        filter (where found.place = list_conversations.page_size)
    end
  into threads, total, next_cursor
  from (
    select candidate.thread, row_number() over () as place
    from (
      -- Only one of the three is read, each from its own index.
      (
        select held as thread from public.threads as held
        where not list_conversations.needs_reply and not list_conversations.has_down
          and held.account_id = list_conversations.account_id and held.coach_id = list_conversations.coach_id
          and held.updated_at >= earliest and (held.updated_at, held.id) < (first_updated_at, first_id)
        order by held.updated_at desc, held.id desc
        -- One more than the page tells whether there is another.
        limit list_conversations.page_size + 1
      )
      union all
      (
        select held as thread from public.threads as held
        where list_conversations.needs_reply and held.needs_reply_at is not null
          and (not list_conversations.has_down or held.has_down)
          and held.account_id = list_conversations.account_id and held.coach_id = list_conversations.coach_id
          and held.updated_at >= earliest and (held.updated_at, held.id) < (first_updated_at, first_id)
        order by held.updated_at desc, held.id desc
        limit list_conversations.page_size + 1
      )
      union all
      (
        select held as thread from public.threads as held
        where list_conversations.has_down and not list_conversations.needs_reply and held.has_down
          and held.account_id = list_conversations.account_id and held.coach_id = list_conversations.coach_id
          and held.updated_at >= earliest and (held.updated_at, held.id) < (first_updated_at, first_id)
        order by held.updated_at desc, held.id desc
        limit list_conversations.page_size + 1
      )
    ) as candidate
  ) as found;

  return json_build_object('data', coalesce(threads, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function private.list_conversations is 'What public.list_conversations() does for an account.';

create function public.list_conversations(caller jsonb, coach_id text, page_size integer, user_id text default null,
  search text default null, has_down boolean default false, needs_reply boolean default false,
  from_time timestamptz default null, before_time timestamptz default null, after_score bigint default null,
  after_at bigint default null, after_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.list_conversations(client.account_id, client.coach_ids, user_id, coach_id, search, has_down, needs_reply,
      from_time, before_time, page_size, after_score, after_at, after_id) end);
end;
$$;

comment on function public.list_conversations is 'Reply of GET /coaches/{coachId}/threads: a page, newest first or with a search best match first, or {error}.';

-- Usage by day

-- user_id: see refuse_expert(). The result is {data: the days, from, to, totals}, or {"error": …} as that says. Days are
-- those of UTC, and both ends count. Who is there on several days is one of the people of the totals.
-- Turns and tokens are counted when they happen, and stay; feedback, questions and people are those that are still there.
create function private.read_coach_usage(
  account_id uuid, coach_ids text[], user_id text, coach_id text, from_day date, to_day date
) returns json
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    read_coach_usage.account_id, read_coach_usage.coach_ids, read_coach_usage.coach_id, read_coach_usage.user_id
  );
  from_time constant timestamptz := read_coach_usage.from_day::timestamp at time zone 'utc';
  before_time constant timestamptz := (read_coach_usage.to_day + 1)::timestamp at time zone 'utc';
  people_of_all bigint;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  select count(distinct person.user_id) into people_of_all
  from private.people_of_days as person
  where person.coach_id = read_coach_usage.coach_id
    and person.day between read_coach_usage.from_day and read_coach_usage.to_day;

  return (
    with used as (
      select counts.day, sum(counts.turns) as turns, sum(counts.input_tokens) as input_tokens,
        sum(counts.output_tokens) as output_tokens
      from private.usage_counts as counts
      where counts.coach_id = read_coach_usage.coach_id and counts.account_id = read_coach_usage.account_id
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
        asked.day::date as day,
        coalesce(used.turns, 0) as turns,
        coalesce(used.input_tokens, 0) as input_tokens,
        coalesce(used.output_tokens, 0) as output_tokens,
        coalesce(met.people, 0) as people,
        coalesce(opened.questions, 0) as questions_opened,
        coalesce(rated.up, 0) as feedback_up,
        coalesce(rated.down, 0) as feedback_down
      from generate_series(
        read_coach_usage.from_day::timestamp, read_coach_usage.to_day::timestamp, interval '1 day'
      ) as asked (day)
      left join used on used.day = asked.day::date
      left join met on met.day = asked.day::date
      left join opened on opened.day = asked.day::date
      left join rated on rated.day = asked.day::date
    )
    select json_build_object(
      'data', json_agg(listed order by listed.day),
      'from', read_coach_usage.from_day,
      'to', read_coach_usage.to_day,
      'totals', json_build_object(
        'turns', sum(listed.turns),
        'input_tokens', sum(listed.input_tokens),
        'output_tokens', sum(listed.output_tokens),
        'people', people_of_all,
        'questions_opened', sum(listed.questions_opened),
        'feedback_up', sum(listed.feedback_up),
        'feedback_down', sum(listed.feedback_down)
      )
    )
    from listed
  );
end;
$$;

comment on function private.read_coach_usage is 'What public.read_coach_usage() does for an account.';

create function public.read_coach_usage(caller jsonb, coach_id text, from_day date, to_day date,
  user_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.read_coach_usage(client.account_id, client.coach_ids, user_id, coach_id, from_day, to_day) end);
end;
$$;

comment on function public.read_coach_usage is 'Reply of GET /coaches/{coachId}/usage, or {error}.';
