-- Experts: the people behind a coach, with what each of them may do.
-- Table: coach_experts. Every role may do what the one below it may: an answerer works with questions and conversations,
-- an editor also with what the coach knows, and an owner also decides what is published and who is an expert.
-- Surprises: coach_profiles.owner_id names one of the owners, the first as a rule; it is null only if there is none.
-- Triggers keep both in step, whichever is changed. Setting owner_id replaces the owner that it named.

create table public.coach_experts (
  coach_id text not null,
  account_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null default 'answerer',
  name text,
  picture text,
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  constraint coach_experts_are_named_once primary key (coach_id, user_id),
  constraint coach_experts_role_is_known check (role in ('owner', 'editor', 'answerer')),
  constraint coach_experts_name_is_a_line check (name ~ '\S' and char_length(name) <= 80),
  constraint coach_experts_picture_is_a_path check (picture ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}/[0-9a-f]{64}\.(png|jpg|webp)$'),
  constraint coach_experts_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade
);
comment on table public.coach_experts is 'The experts behind each coach. Only they may take expert actions with a bearer token.';
comment on column public.coach_experts.account_id is 'The account of the coach; filled in from the coach when left out.';
comment on column public.coach_experts.user_id is 'The user account of the expert.';
comment on column public.coach_experts.role is 'answerer: questions and conversations; editor: files, sources, tests, pinned answers and the draft, too; owner: everything.';
comment on column public.coach_experts.name is 'The name under which the expert answers in person; null: that of the coach.';
comment on column public.coach_experts.picture is 'The path of their picture in the bucket pictures, or null; set through the API.';
comment on column public.coach_experts.added_by is 'The expert who invited this one; null: an operator, a server with a key, or somebody who is gone.';

-- The coaches of an expert. Deleting a user looks for them, too.
create index coach_experts_by_user on public.coach_experts (user_id, account_id);
-- Deleting a user looks for those whom it invited.
create index coach_experts_by_inviter on public.coach_experts (added_by) where added_by is not null;
-- Deleting a coach or moving it looks for its experts.
create index coach_experts_by_coach on public.coach_experts (account_id, coach_id);

-- Fills in the account of a row from its coach.
create function private.set_account_of_coach() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
begin
  new.account_id := (select coach.account_id from public.coach_profiles as coach where coach.id = new.coach_id);
  return new;
end $$;
create trigger coach_experts_set_account before insert on public.coach_experts
  for each row when (new.account_id is null) execute function private.set_account_of_coach();

-- The role of a user with a coach; null for no expert of it.
create function private.find_role(coach_id text, user_id text) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (select expert.role from public.coach_experts as expert
    where expert.coach_id = find_role.coach_id and expert.user_id::text = find_role.user_id);
end $$;

-- Whether a role may do what another one may.
create function private.includes_role(role text, needed text) returns boolean
language sql immutable security invoker set search_path = ''
return needed = 'answerer' and role is not null or role = needed or role = 'owner';

-- Makes the user in owner_id an owner, in place of the one before. Definer: Auth deletes users with its own rights.
create function private.enter_owner() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.owner_id is not null then
    insert into public.coach_experts as expert (coach_id, account_id, user_id, role)
    values (new.id, new.account_id, new.owner_id, 'owner')
    on conflict on constraint coach_experts_are_named_once do update set role = 'owner' where expert.role <> 'owner';
  end if;
  if tg_op = 'UPDATE' then
    -- If another owner has taken its place already, there is nobody to replace (see choose_owner).
    delete from public.coach_experts as expert
    where expert.coach_id = new.id and expert.user_id = old.owner_id and expert.role = 'owner';
  end if;
  return null;
end $$;
create trigger coach_profiles_enter_first_owner after insert on public.coach_profiles
  for each row when (new.owner_id is not null) execute function private.enter_owner();
create trigger coach_profiles_enter_owner after update of owner_id on public.coach_profiles
  for each row when (new.owner_id is distinct from old.owner_id) execute function private.enter_owner();

-- Names the owner that has been one for longest in owner_id, if it names none.
-- Definer: as enter_owner().
create function private.choose_owner() returns trigger language plpgsql volatile security definer set search_path = '' as $$
declare
  changed_id constant text := case when tg_op = 'DELETE' then old.coach_id else new.coach_id end;
  chosen_id uuid;
begin
  select expert.user_id into chosen_id
  from public.coach_profiles as coach
  join public.coach_experts as expert on expert.coach_id = coach.id and expert.role = 'owner'
  where coach.id = changed_id
  order by expert.user_id = coach.owner_id is true desc, expert.created_at, expert.user_id limit 1;
  update public.coach_profiles as coach set owner_id = chosen_id
  where coach.id = changed_id and coach.owner_id is distinct from chosen_id;
  return null;
end $$;
create trigger coach_experts_choose_owner after insert or update or delete on public.coach_experts
  for each row execute function private.choose_owner();
