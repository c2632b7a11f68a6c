-- Threads: one conversation of one user with one coach.
-- The account is that of the coach. It is repeated here, held equal by the foreign key, so that a list can be
-- read from one index; a row inserted without it gets it from its coach.

create table public.threads (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  coach_id text not null,
  user_id text not null,
  title text not null default 'New conversation',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint threads_user_id_is_not_blank check (btrim(user_id) <> ''),
  constraint threads_user_id_is_at_most_255_characters check (char_length(user_id) <= 255),
  constraint threads_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete restrict
);

comment on table public.threads is 'A conversation. It belongs to one user and one coach for good.';
comment on column public.threads.account_id is 'The account of the coach; filled in from the coach when left out.';
comment on column public.threads.user_id is 'The id of an auth user, any id an API key vouches for, or anonymous-<uuid>.';
comment on column public.threads.title is 'The first message, shortened.';
comment on column public.threads.updated_at is 'When the newest message was written or completed. Lists are ordered by it.';

-- Lists of a user, newest first.
create index threads_by_user on public.threads (account_id, user_id, updated_at desc, id desc);
-- Deleting or moving a coach checks for its threads.
create index threads_by_coach on public.threads (account_id, coach_id);

alter table public.threads enable row level security;

create policy "Only the service reaches threads" on public.threads
  for all to anon, authenticated using (false) with check (false);

revoke all on public.threads from anon, authenticated;
grant select, insert, update, delete on public.threads to service_role;

create function private.set_thread_account() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  select coach.account_id into new.account_id
  from public.coach_profiles as coach
  where coach.id = new.coach_id;
  return new;
end;
$$;

comment on function private.set_thread_account() is 'Fills in the account of a thread from its coach.';
revoke execute on function private.set_thread_account() from public;

create trigger threads_set_account before insert on public.threads
  for each row when (new.account_id is null) execute function private.set_thread_account();
