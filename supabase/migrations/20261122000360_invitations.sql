-- Working together: the experts of a coach as they see each other, and invitations to become one.
-- Table: private.coach_invitations. An invitation is a link with a token, of which only the digest is kept. It is for
-- whoever opens it first: that user becomes an expert, and the invitation is deleted. It is void when whoever made it is
-- no longer an owner: otherwise an owner who is removed could come back by a link of their own.
-- One without a coach, from operators only, lets its user make a coach of their own. A sweep deletes expired ones.
-- Surprise: mail has another token for the same invitation, since nobody knows the first one any more by then.

create table private.coach_invitations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade,
  coach_id text references public.coach_profiles (id) on update cascade on delete cascade,
  role text not null,
  email text,
  digest text not null,
  mailed_digest text,
  invited_by uuid references auth.users (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default now() + interval '7 days',
  constraint coach_invitations_digest_is_unique unique (digest),
  constraint coach_invitations_mailed_digest_is_unique unique (mailed_digest),
  constraint coach_invitations_role_is_known check (role in ('owner', 'editor', 'answerer')),
  constraint coach_invitations_email_is_an_address check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 254),
  constraint coach_invitations_without_a_coach_make_an_owner check (coach_id is not null or role = 'owner')
);
comment on table private.coach_invitations is 'Invitations that nobody has accepted yet. Each can be accepted once.';
comment on column private.coach_invitations.id is 'Names the invitation; it is not part of the link.';
comment on column private.coach_invitations.account_id is 'The account of the coach, also of one to come.';
comment on column private.coach_invitations.coach_id is 'The coach whose expert the user becomes; null: one that the user makes.';
comment on column private.coach_invitations.role is 'The role of the user to come.';
comment on column private.coach_invitations.email is 'Where the invitation was sent, or whom it is for; null: it was only shown.';
comment on column private.coach_invitations.digest is 'SHA-256 of the token that was shown, in hex. The token itself is not kept.';
comment on column private.coach_invitations.mailed_digest is 'The same of the token that was sent by mail; null: none was.';
comment on column private.coach_invitations.invited_by is 'The expert who made it; null: an operator, or a server with a key.';
comment on column private.coach_invitations.expires_at is 'When it ends by itself.';

-- The list of a coach, newest first. Deleting a coach looks for its invitations.
create index coach_invitations_by_coach on private.coach_invitations (coach_id, created_at desc, id desc);
-- Deleting an account.
create index coach_invitations_by_account on private.coach_invitations (account_id);
-- Deleting a user.
create index coach_invitations_by_inviter on private.coach_invitations (invited_by) where invited_by is not null;
-- The sweep deletes those that have expired.
create index coach_invitations_by_end on private.coach_invitations (expires_at);

-- The ID of a user as that of Auth; null for users of an application's own login.
create function private.to_auth_id(user_id text) returns uuid language sql immutable security invoker set search_path = ''
return case when user_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then user_id::uuid end;

-- An expert of a coach for its other experts: {user_id, name: their own, email: null if Auth knows none}; null: no user.
create function private.name_expert(user_id uuid, coach_id text) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin return case when user_id is not null then jsonb_build_object('user_id', name_expert.user_id,
    'name', (select expert.name from public.coach_experts as expert
      where expert.coach_id = name_expert.coach_id and expert.user_id = name_expert.user_id),
    'email', (select known.email from auth.users as known where known.id = name_expert.user_id)) end;
end $$;

-- Lets one transaction at a time change a coach, or who its experts are. Locks before all other locks; of several coaches,
-- in the order of their IDs.
create function private.lock_coach(coach_id text) returns public.coach_profiles
language plpgsql volatile security invoker set search_path = '' as $$
declare coach public.coach_profiles;
begin
  select * into coach from public.coach_profiles as known where known.id = lock_coach.coach_id for no key update;
  return coach;
end $$;

-- Whether a coach would be left without an owner if this user were none.
create function private.is_last_owner(coach_id text, user_id uuid) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(select expert.user_id from public.coach_experts as expert
    where expert.coach_id = is_last_owner.coach_id and expert.role = 'owner') = array[is_last_owner.user_id];
end $$;

-- Experts

-- In all of these the result is {"error": …} if the caller may not do it (see refuse_unless_expert), or expert_not_found, last_owner,
-- invitation_not_found.

create function private.describe_expert(expert public.coach_experts, reader_id text) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin return private.name_expert(expert.user_id, expert.coach_id) || jsonb_build_object('role', expert.role,
  'is_you', expert.user_id::text = reader_id is true, 'created_at', private.to_wire_time(expert.created_at));
end $$;

-- A cursor is <microseconds since 1970>_<ID of the user> of the last row of a page. page_size null: the whole list.
create function public.list_experts(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_at bigint default null, after_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  after_time constant timestamptz := timestamptz 'epoch' + after_at * interval '1 microsecond';
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_expert(expert, client.user_id),
      private.to_microseconds(expert.created_at) || '_' || expert.user_id)::private.entry
    from public.coach_experts as expert
    where expert.coach_id = list_experts.coach_id
      and (after_at is null or (expert.created_at, expert.user_id) > (after_time, after_id))
    order by expert.created_at, expert.user_id limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_experts is 'Reply of GET /coaches/{coachId}/experts: those who have been experts for longest first, whole or one page.';

-- role null: the user is no longer an expert. Owners change and remove others; everyone may leave.
create function public.set_expert_role(caller jsonb, user_id text, coach_id text, expert_id uuid, role text default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  needed constant text := case when role is null and client.user_id = expert_id::text then 'answerer' else 'owner' end;
  refusal text := private.refuse_unless_expert(client, coach_id, needed);
  changed public.coach_experts;
begin
  if refusal is null then
    perform private.lock_coach(coach_id);
    -- The caller may be the one who was changed meanwhile.
    refusal := coalesce(private.refuse_unless_expert(client, coach_id, needed), case
      when role is distinct from 'owner' and private.is_last_owner(coach_id, expert_id) then 'last_owner' end);
  end if;
  if refusal is not null then return private.refuse(client, refusal); end if;
  if role is null then
    delete from public.coach_experts as expert
    where expert.coach_id = set_expert_role.coach_id and expert.user_id = expert_id returning * into changed;
  else
    update public.coach_experts as expert set role = set_expert_role.role
    where expert.coach_id = set_expert_role.coach_id and expert.user_id = expert_id returning * into changed;
  end if;
  if changed.user_id is null then return private.refuse(client, 'expert_not_found'); end if;
  return private.answer(client, private.describe_expert(changed, client.user_id));
end $$;
comment on function public.set_expert_role is 'Gives an expert another role or, without one, removes it, and returns the expert as it is or was; or an error.';

-- The cursor is that of list_coaches(). The user is the caller, signed in, or whom a server names.
create function public.list_own_coaches(caller jsonb, user_id text, page_size integer default null,
  after_name text default null, after_id text default null, pictures_url text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  if not client.is_admitted then return private.answer(client); end if;
  return private.answer(client, private.describe_entries(array(
    select row(
      private.describe_coach(coach, pictures_url, (select private.retention_of(client.account_id)))::jsonb
        || jsonb_build_object('role', expert.role, 'is_active', coach.is_active),
      encode(convert_to(coach.name, 'UTF8'), 'hex') || '_' || encode(convert_to(coach.id, 'UTF8'), 'hex'))::private.entry
    from public.coach_experts as expert
    cross join lateral private.find_coach(client, expert.coach_id) as coach
    where expert.user_id = private.to_auth_id(client.user_id) and coach.id is not null
      and (coach.name, coach.id) > (coalesce(list_own_coaches.after_name, ''), coalesce(list_own_coaches.after_id, ''))
    order by coach.name, coach.id limit list_own_coaches.page_size + 1
  ), list_own_coaches.page_size));
end $$;
comment on function public.list_own_coaches is 'Reply of GET /users/{userId}/coaches: the coaches whose expert a user is, by name, whole or one page.';

-- role: the highest that the user has with any of the caller's coaches; a server with a key counts as an owner.
-- reads_files, reads_sources: whether the caller may search the files of any, and look sources up (see refuse_reading).
-- For both, a secret key counts and not its user.
create function public.get_standing(caller jsonb, user_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller);
  expert_id constant text := coalesce(client.user_id, user_id);
  role text := 'owner';
begin
  if not client.is_admitted then return private.answer(client); end if;
  if expert_id is not null then
    role := (
      select expert.role from public.coach_experts as expert
      cross join lateral private.find_coach(client, expert.coach_id) as coach
      where expert.user_id = private.to_auth_id(expert_id) and coach.id is not null
      order by array_position(array['owner', 'editor', 'answerer'], expert.role) limit 1
    );
  end if;
  return private.answer(client, json_build_object(
    'role', role,
    'reads_files', client.user_id is null or role is not null,
    'reads_sources', case when client.user_id is null then 'knowledge:read' = any (client.scopes) else role is not null end
      or 'chat' = any (client.scopes) and exists (
        select from public.coach_profiles as coach
        where coach.account_id = client.account_id and (client.coach_ids is null or coach.id = any (client.coach_ids))
          and coach.is_active and coach.sources_are_open
      )
  ));
end $$;
comment on function public.get_standing is 'What a caller is to its coaches, whichever of them: {role, reads_files, reads_sources}. Decides which tools it is shown.';

-- Invitations

-- Whether an invitation can be accepted: it has not expired, and whoever made it may still invite.
create function private.is_open(invitation private.coach_invitations) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin return invitation.expires_at > now() and (invitation.invited_by is null
  or private.find_role(invitation.coach_id, invitation.invited_by::text) is not distinct from 'owner');
end $$;

-- An invitation without what is secret about it.
create function private.describe_invitation(invitation private.coach_invitations) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin return json_build_object('id', invitation.id, 'role', invitation.role, 'email', invitation.email,
  'created_at', private.to_wire_time(invitation.created_at), 'expires_at', private.to_wire_time(invitation.expires_at));
end $$;

-- Makes an invitation, and returns it with its token, this once.
create function private.insert_invitation(account_id uuid, coach_id text, role text, email text, invited_by uuid)
returns json language plpgsql volatile security invoker set search_path = '' as $$
declare
  token constant text := 'hi_inv_' || private.random_base62(40);
  made private.coach_invitations;
begin
  insert into private.coach_invitations (account_id, coach_id, role, email, invited_by, digest)
  values (insert_invitation.account_id, insert_invitation.coach_id, insert_invitation.role, insert_invitation.email,
    insert_invitation.invited_by, encode(sha256(convert_to(token, 'UTF8')), 'hex'))
  returning * into made;
  return private.describe_invitation(made)::jsonb || jsonb_build_object('token', token);
end $$;

create function public.create_invitation(caller jsonb, user_id text, coach_id text, role text, email text default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'owner');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  -- One after the other: invitations are counted.
  perform private.lock_coach(coach_id);
  if (select count(*) from private.coach_invitations as invitation
      where invitation.coach_id = create_invitation.coach_id and private.is_open(invitation)) >= 50 then
    return private.refuse(client, 'too_many_invitations');
  end if;
  return private.answer(client,
    private.insert_invitation(client.account_id, coach_id, role, email, private.to_auth_id(client.user_id)));
end $$;
comment on function public.create_invitation is 'Invites somebody to become an expert of a coach: the invitation with its token, this once, or {"error"}.';

create function public.list_invitations(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_at bigint default null, after_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'owner');
  after_time constant timestamptz := coalesce(timestamptz 'epoch' + after_at * interval '1 microsecond', 'infinity');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_invitation(invitation),
      private.to_microseconds(invitation.created_at) || '_' || invitation.id)::private.entry
    from private.coach_invitations as invitation
    where invitation.coach_id = list_invitations.coach_id and private.is_open(invitation)
      and (invitation.created_at, invitation.id) < (after_time, after_id)
    order by invitation.created_at desc, invitation.id desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_invitations is 'Reply of GET /coaches/{coachId}/invitations: newest first, whole or one page.';

create function public.delete_invitation(caller jsonb, user_id text, coach_id text, invitation_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'owner');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  delete from private.coach_invitations as invitation
  where invitation.id = invitation_id and invitation.coach_id = delete_invitation.coach_id;
  if not found then return private.refuse(client, 'invitation_not_found'); end if;
  perform private.record_act('invitation.deleted', invitation_id::text, client.account_id, coach_id);
  return private.answer(client, json_build_object('id', invitation_id));
end $$;
comment on function public.delete_invitation is 'Takes an invitation back: {"id"} or an error.';

-- The invitation with this digest, if it can be accepted with the key of the caller; otherwise nulls. For a key that is
-- bound to some coaches, one to make another coach does not exist. It is locked: of two who open it at once, the second
-- waits, and finds nothing.
create function private.find_invitation(caller private.caller, digest text) returns private.coach_invitations
language plpgsql volatile security invoker set search_path = '' as $$
declare found_invitation private.coach_invitations;
begin
  select * into found_invitation from private.coach_invitations as invitation
  where find_invitation.digest in (invitation.digest, invitation.mailed_digest)
    and invitation.account_id = caller.account_id and private.is_open(invitation)
    and (invitation.coach_id is null and not private.is_bound(caller) or caller.coach_ids is null
      or invitation.coach_id = any (caller.coach_ids)) for update;
  return found_invitation;
end $$;

create function public.preview_invitation(caller jsonb, user_id text, digest text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  invitation constant private.coach_invitations := private.find_invitation(client, digest);
  coach constant public.coach_profiles := private.find_coach(client, invitation.coach_id);
begin
  if invitation.id is null then return private.refuse(client, 'invitation_not_found'); end if;
  return private.answer(client, json_build_object('role', invitation.role,
    'coach', case when coach.id is not null then json_build_object('name', coach.name, 'title', coach.title) end,
    'invited_by', private.name_expert(invitation.invited_by, null)->>'email',
    'expires_at', private.to_wire_time(invitation.expires_at)));
end $$;
comment on function public.preview_invitation is 'What an invitation is for, before it is accepted: {role, coach, invited_by, expires_at}, or {"error"}.';

-- name to language: of the coach to be made; ignored if the invitation has one. A role that the user has is never lowered.
-- Further errors: permanent_user_required, name_required.
create function public.accept_invitation(caller jsonb, user_id text, digest text, name text default null,
  title text default null, instructions text default null, language text default 'english') returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  expert_id constant uuid := private.to_auth_id(client.user_id);
  invitation private.coach_invitations;
  accepted public.coach_experts;
begin
  if client.is_anonymous or not exists (select from auth.users as known where known.id = expert_id) then
    return private.refuse(client, 'permanent_user_required');
  end if;
  perform private.act_as(client);
  -- Whoever made it may be removed just now.
  perform private.lock_coach(known.coach_id) from private.coach_invitations as known
  where accept_invitation.digest in (known.digest, known.mailed_digest);
  invitation := private.find_invitation(client, digest);
  accepted.coach_id := invitation.coach_id;
  if invitation.id is null then return private.refuse(client, 'invitation_not_found'); end if;
  if accepted.coach_id is null then
    if num_nulls(name, title, instructions) > 0 then return private.refuse(client, 'name_required'); end if;
    accepted.coach_id := (private.make_coach(client.account_id, name, title, instructions, language)).id;
  end if;
  delete from private.coach_invitations as used where used.id = invitation.id;
  insert into public.coach_experts as expert (coach_id, account_id, user_id, role, added_by)
  values (accepted.coach_id, client.account_id, expert_id, invitation.role, invitation.invited_by)
  on conflict on constraint coach_experts_are_named_once do update
  set role = case when private.includes_role(expert.role, excluded.role) then expert.role else excluded.role end
  returning * into accepted;
  return private.answer(client, json_build_object('coach_id', accepted.coach_id, 'role', accepted.role,
    'is_new', invitation.coach_id is null));
end $$;
comment on function public.accept_invitation is 'Makes the signed-in user an expert, and uses the invitation up: {coach_id, role, is_new: whether the coach was made for it}, or {"error"}.';

-- For operators. coach null: the user makes a coach of their own.
create function public.invite_expert(account_id uuid, coach text default null, role text default 'owner',
  email text default null) returns json language plpgsql volatile security definer set search_path = '' as $$
begin
  if coach is not null and not exists (
    select from public.coach_profiles as known where known.id = coach and known.account_id = invite_expert.account_id
  ) then
    raise exception using errcode = 'PT404', message = 'Coach not found';
  end if;
  return private.insert_invitation(account_id, coach, role, email, null);
end $$;
comment on function public.invite_expert is 'Invites somebody to become an expert of a coach, or to make one: the invitation with its token, this once.';
