-- Acts: who did what to an account and its coaches, as a list that is only added to: acts of experts, of servers with a
-- key and of operators, with ids and never contents. It is kept for a year.
-- Tables: private.acts.
-- Surprises: most acts are noticed by triggers, so that those that an operator carries out in the dashboard are there as
-- well. What no table shows, a function records in a line: perform private.record_act(…). Who acts is noted once in a
-- transaction, by act_as(): without it, it is an operator. Erasing a person replaces their id by a keyed hash.

create table private.acts (
  number bigint generated always as identity primary key,
  account_id uuid not null references public.accounts (id) on delete cascade,
  coach_id text,
  kind text not null,
  subject text,
  user_id text,
  api_key_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint acts_kind_is_a_thing_and_what_became_of_it check (kind ~ '^[a-z]+\.[a-z]+$')
);
comment on table private.acts is 'Who did what, for a year. Never changed, but that erased people lose their ids.';
comment on column private.acts.coach_id is 'The coach that it is about, also one that is gone; null: the account as a whole.';
comment on column private.acts.kind is 'What was done, such as expert.invited or key.revoked.';
comment on column private.acts.subject is 'The id of what it was done to: a user, an invitation, a key, a budget, a version …';
comment on column private.acts.user_id is 'The user who did it, or a keyed hash of one who was erased; null: a server or an operator.';
comment on column private.acts.api_key_id is 'The key with which it was done; null: an operator, without one.';

-- The list of an account, newest first. Erasing a person reads the acts of the account.
create index acts_by_account on private.acts (account_id, number desc);
-- The same of a coach.
create index acts_by_coach on private.acts (coach_id, number desc) where coach_id is not null;
-- The sweep deletes those of more than a year ago.
create index acts_by_age on private.acts (created_at);

-- Notes for this transaction who acts.
create function private.act_as(client private.caller) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin perform set_config('service.actor', json_build_array(client.user_id, client.api_key_id)::text, true); end $$;

-- The one place where acts are added. account_id null: that of the coach. Nothing is recorded of an account that is being
-- deleted.
create function private.record_act(kind text, subject text, account_id uuid, coach_id text default null) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  -- Empty for an operator.
  actor constant jsonb := nullif(current_setting('service.actor', true), '')::jsonb;
begin
  insert into private.acts (account_id, coach_id, kind, subject, user_id, api_key_id)
  select account.id, record_act.coach_id, record_act.kind, record_act.subject, actor->>0, (actor->>1)::uuid
  from public.accounts as account where account.id = coalesce(record_act.account_id, (
    select coach.account_id from public.coach_profiles as coach where coach.id = record_act.coach_id
  ));
end $$;

-- Arguments: the kind, and the column with the subject. The row names its account and its coach, or is one of these.
-- Definer: operators change tables as well.
create function private.record_change() returns trigger language plpgsql volatile security definer set search_path = '' as $$
declare changed constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform private.record_act(
    tg_argv[0], changed->>tg_argv[1],
    (changed->>case tg_table_name when 'accounts' then 'id' else 'account_id' end)::uuid,
    changed->>case tg_table_name when 'coach_profiles' then 'id' else 'coach_id' end
  );
  return null;
end $$;

create trigger created_accounts_are_recorded after insert on public.accounts
for each row execute function private.record_change('account.created');
create trigger retention_is_recorded after update of retention_days on public.accounts
for each row when (new.retention_days is distinct from old.retention_days)
execute function private.record_change('account.retention', 'retention_days');
create trigger rights_of_experts_are_recorded after update of experts_may_create on public.accounts
for each row when (new.experts_may_create is distinct from old.experts_may_create)
execute function private.record_change('account.changed', 'experts_may_create');
create trigger issued_keys_are_recorded after insert on private.api_keys
for each row execute function private.record_change('key.issued', 'id');
create trigger revoked_keys_are_recorded after update of revoked_at on private.api_keys
for each row when (new.revoked_at is distinct from old.revoked_at) execute function private.record_change('key.revoked', 'id');
create trigger replaced_keys_are_recorded after update of replaced_by on private.api_keys
for each row when (new.replaced_by is distinct from old.replaced_by) execute function private.record_change('key.replaced', 'id');
create trigger issuers_are_recorded after insert or update on private.token_issuers
for each row execute function private.record_change('issuer.set', 'id');
create trigger removed_issuers_are_recorded after delete on private.token_issuers
for each row execute function private.record_change('issuer.removed', 'id');
create trigger webhooks_are_recorded after insert or update of url on private.webhooks
for each row execute function private.record_change('webhook.set');
create trigger removed_webhooks_are_recorded after delete on private.webhooks
for each row execute function private.record_change('webhook.removed');
create trigger budgets_are_recorded after insert or update on public.budgets
for each row execute function private.record_change('budget.set', 'id');
create trigger removed_budgets_are_recorded after delete on public.budgets
for each row execute function private.record_change('budget.removed', 'id');
create trigger new_experts_are_recorded after insert on public.coach_experts
for each row execute function private.record_change('expert.added', 'user_id');
create trigger roles_are_recorded after update of role on public.coach_experts
for each row when (new.role is distinct from old.role) execute function private.record_change('expert.changed', 'user_id');
create trigger removed_experts_are_recorded after delete on public.coach_experts
for each row execute function private.record_change('expert.removed', 'user_id');
create trigger invitations_are_recorded after insert on private.coach_invitations
for each row execute function private.record_change('expert.invited', 'id');
create trigger created_coaches_are_recorded after insert on public.coach_profiles
for each row execute function private.record_change('coach.created');
create trigger versions_are_recorded after update on public.coach_profiles
for each row when (new.version <> old.version) execute function private.record_change('coach.published', 'version');
create trigger settings_are_recorded after update of set_at on public.coach_profiles
for each row when ((new.slug, new.sources_are_open, new.accent_color, new.launcher_text)
  is distinct from (old.slug, old.sources_are_open, old.accent_color, old.launcher_text))
execute function private.record_change('coach.set');
create trigger pauses_are_recorded after update of set_at on public.coach_profiles
for each row when (old.is_active and not new.is_active and new.deleted_at is null)
execute function private.record_change('coach.paused');
create trigger ends_of_pauses_are_recorded after update of set_at on public.coach_profiles
for each row when (new.is_active and not old.is_active) execute function private.record_change('coach.resumed');
create trigger deleted_coaches_are_recorded after update of deleted_at on public.coach_profiles
for each row when (old.deleted_at is null and new.deleted_at is not null) execute function private.record_change('coach.deleted');
create trigger erased_coaches_are_recorded after delete on public.coach_profiles
for each row execute function private.record_change('coach.erased');

-- Replaces the id of a person who is erased by a keyed hash, and records the erasure under it.
create function private.record_erasure(account_id uuid, user_id text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  hash constant text := private.hash_for_mail(account_id, user_id);
  actor constant jsonb := nullif(current_setting('service.actor', true), '')::jsonb;
begin
  if actor->>0 = record_erasure.user_id then
    perform set_config('service.actor', json_build_array(hash, actor->1)::text, true);
  end if;
  update private.acts as act
  set user_id = case when act.user_id = record_erasure.user_id then hash else act.user_id end,
    subject = case when act.subject = record_erasure.user_id then hash else act.subject end
  where act.account_id = record_erasure.account_id and record_erasure.user_id in (act.user_id, act.subject);
  perform private.record_act('user.erased', hash, account_id);
end $$;

-- by: expert, server or operator. user: null for others than experts, and for people who are gone. subject_user: the
-- expert to whom it was done, likewise.
create function private.describe_act(act private.acts) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin return jsonb_build_object(
  'id', act.number, 'kind', act.kind, 'coach_id', act.coach_id, 'subject', act.subject,
  'subject_user', case when act.kind like 'expert.%' and act.kind <> 'expert.invited' then (
    select private.name_expert(known.id, act.coach_id) from auth.users as known
    where known.id = private.to_auth_id(act.subject)
  ) end,
  'by', case when act.user_id is not null then 'expert' when act.api_key_id is not null then 'server' else 'operator' end,
  'user', (
    select private.name_expert(known.id, act.coach_id) from auth.users as known
    where known.id = private.to_auth_id(act.user_id)
  ),
  'api_key_id', act.api_key_id, 'created_at', private.to_wire_time(act.created_at));
end $$;

-- after_number: the cursor. page_size null: the whole list.
create function public.list_acts(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_number bigint default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'owner');
  -- The id may have been that of a coach of another account, before it was deleted.
  owner_id constant uuid := (private.find_coach(client, coach_id)).account_id;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_act(act), act.number::text)::private.entry
    from private.acts as act
    where act.coach_id = list_acts.coach_id and act.account_id = owner_id
      and act.number < coalesce(after_number, 9223372036854775807)
    order by act.number desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_acts is 'Reply of GET /coaches/{coachId}/acts: what was done to a coach and its experts, newest first, whole or one page.';

-- For operators: one page of at most 1,000.
create function public.list_account_acts(account_id uuid, most integer default 100, before bigint default null) returns json
language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(listed.described order by listed.number desc), '[]') from (
    select act.number, private.describe_act(act) || jsonb_build_object('user_id', act.user_id) as described
    from private.acts as act
    where act.account_id = list_account_acts.account_id and act.number < coalesce(before, 9223372036854775807)
    order by act.number desc limit least(most, 1000)
  ) as listed;
$$;
comment on function public.list_account_acts is 'What experts, servers and operators did to an account and its coaches, newest first.';
