-- What the expert behind a coach, or an application for them, sees of its conversations.
-- Table: private.people_of_days, who has asked a coach on which day: people cannot be added up, so that they are counted
-- when somebody asks how many there were. Functions: count_person, called by each turn.
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

create policy "Only the functions of this schema reach people of days" on private.people_of_days
  for all to anon, authenticated using (false) with check (false);

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
revoke execute on function private.count_person from public;

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
revoke execute on function private.forget_people from public;
