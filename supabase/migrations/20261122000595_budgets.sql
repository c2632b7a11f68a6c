-- Budgets: the most that may be spent on language models in a period, in tokens or in money.
-- Tables: budgets (operators fill it with set_budget()), budget_uses (what was used of each, by period and user),
-- budget_reservations (what runs under way may use at most) and budget_notices (what webhooks were told).
-- A call of a model is reserved with its worst case by reserve(), before it is made: in the call that begins a turn, or
-- in one of its own. settle() replaces the reservation by what was used. If a worker was killed, a reader or the sweep
-- settles with an estimate; until then, the reservation counts as used.
-- Surprises: without a budget of the account, reserve() is never reached. What many users share is counted in four rows,
-- its lanes; only their sum matters. Far from its limit, a call locks only the lane of its connection, so that turns of
-- other users do not wait for it (see reserve_in_lane). Rows of budget_uses are locked last, and always in the order
-- account, key, coach, user, lane (see budget_entry), so that no two transactions wait for each other. What a user has used
-- is kept under a keyed hash, so that erasing oneself refills nothing.

create table public.budgets (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade,
  key_lineage_id uuid,
  coach_id text,
  is_each_user boolean not null default false,
  unit text not null,
  amount bigint not null,
  anonymous_amount bigint,
  period text not null,
  soft_percent integer not null default 80,
  mode text not null default 'block',
  created_at timestamptz not null default now(),
  constraint budgets_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint budgets_are_set_once unique nulls not distinct (account_id, key_lineage_id, coach_id, is_each_user, unit, period),
  constraint budgets_have_one_scope check (num_nonnulls(key_lineage_id, coach_id) <= 1),
  constraint budgets_unit_is_known check (unit in ('tokens', 'micro_usd')),
  -- A sum of two amounts stays far within a bigint, and within what JSON can carry exactly.
  constraint budgets_amounts_are_positive check (
    amount between 1 and 1000000000000000 and anonymous_amount between 1 and 1000000000000000
  ),
  constraint budgets_only_users_can_be_anonymous check (is_each_user or anonymous_amount is null),
  constraint budgets_period_is_known check (period in ('day', 'week', 'month', 'total')),
  constraint budgets_soft_percent_is_1_to_100 check (soft_percent between 1 and 100),
  constraint budgets_mode_is_known check (mode in ('block', 'warn'))
);
comment on table public.budgets is 'What may be spent on language models. Set them with npm run admin -- budget set; list_budgets() shows what is used.';
comment on column public.budgets.key_lineage_id is 'lineage_id of the API key that it limits, so that rotating the key refills nothing; null: not of a key.';
comment on column public.budgets.coach_id is 'The coach that it limits; null: not of a coach.';
comment on column public.budgets.is_each_user is 'Whether each user of the account, key or coach has this amount; false: all of them share it.';
comment on column public.budgets.unit is 'tokens or micro_usd: millionths of a US dollar.';
comment on column public.budgets.amount is 'How much may be used in a period.';
comment on column public.budgets.anonymous_amount is 'How much all anonymous users together may use, where each user has an amount; null: ten times that.';
comment on column public.budgets.period is 'day, week (from Monday), month or total; in UTC.';
comment on column public.budgets.soft_percent is 'From how many percent on the webhook is told that the budget runs low.';
comment on column public.budgets.mode is 'block: what does not fit is refused; warn: it is only counted.';

-- Renaming or deleting a coach looks for its budgets.
create index budgets_by_coach on public.budgets (account_id, coach_id);

create table private.budget_uses (
  budget_id uuid not null references public.budgets (id) on delete cascade,
  user_hash text not null default '',
  starts_on date not null,
  lane smallint not null default 0,
  used bigint not null default 0,
  reserved bigint not null default 0,
  constraint budget_uses_are_kept_once primary key (budget_id, user_hash, starts_on, lane)
) with (
  -- Each turn rewrites a row twice: half a page stays free for that.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000
);
comment on table private.budget_uses is 'What was used of a budget in a period. The sweep deletes the rows of periods that have ended.';
comment on column private.budget_uses.budget_id is 'The budget.';
comment on column private.budget_uses.user_hash is 'Whose share it is: empty for the whole, a keyed hash of a user (see budget_entries), unnamed for callers who name no user, anonymous for all anonymous users together.';
comment on column private.budget_uses.starts_on is 'The first day of the period, in UTC; -infinity for a total.';
comment on column private.budget_uses.lane is 'Which of the rows it is that are added up: 0 to 3 of what users share, 0 of one user.';
comment on column private.budget_uses.used is 'What was used, in the unit of the budget.';
comment on column private.budget_uses.reserved is 'What runs under way may use at most, in the same unit. Below zero where a run ends in another lane than it has begun in.';

-- The sweep deletes the rows of earlier periods.
create index budget_uses_by_start on private.budget_uses (budget_id, starts_on);

create type private.budget_entry as (
  -- 1 account, 2 key, 3 coach, 4 user. Rows are locked in the order of the first four fields.
  place integer,
  budget_id uuid,
  user_hash text,
  starts_on date,
  -- The last of its lanes: what one user has used has only one.
  last_lane integer,
  -- The unit of the budget when the entry was made.
  unit text,
  -- Whether its rows exist; until then, it has used nothing.
  has_row boolean,
  reserved bigint,
  used bigint
);
comment on type private.budget_entry is 'What is reserved and used of a budget by all or by one user, or is to be added to it.';

create table private.budget_reservations (
  run_id uuid primary key,
  message_id uuid,
  account_id uuid not null references public.accounts (id) on delete cascade,
  entries private.budget_entry[] not null,
  model text not null,
  input_tokens integer not null,
  embedding_model text,
  embedding_tokens integer not null,
  expires_at timestamptz not null default now() + interval '10 minutes'
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.budget_reservations is 'What runs under way may use of budgets. A row is deleted when its run is settled.';
comment on column private.budget_reservations.run_id is 'The run of an answer, or another piece of work with calls of a model.';
comment on column private.budget_reservations.message_id is 'The answer that the run writes; null: other work.';
comment on column private.budget_reservations.entries is 'How much of each budget.';
comment on column private.budget_reservations.model is 'The model that is asked.';
comment on column private.budget_reservations.input_tokens is 'The estimate of what one call reads, for runs that end without a report.';
comment on column private.budget_reservations.embedding_model is 'The model that embeds the question; null: none.';
comment on column private.budget_reservations.embedding_tokens is 'What it reads, which the run does not report.';
comment on column private.budget_reservations.expires_at is 'When the sweep settles it: no run takes so long.';

-- Deleting an account looks for its reservations.
create index budget_reservations_by_account on private.budget_reservations (account_id);
-- The sweep settles those that have expired.
create index budget_reservations_by_end on private.budget_reservations (expires_at);

create table private.budget_notices (
  budget_id uuid not null references public.budgets (id) on delete cascade,
  starts_on date not null,
  kind text not null,
  constraint budget_notices_are_given_once primary key (budget_id, starts_on, kind)
);
comment on table private.budget_notices is 'What the webhook was told of a budget in a period. The sweep deletes the rows of periods that have ended.';
comment on column private.budget_notices.budget_id is 'The budget.';
comment on column private.budget_notices.starts_on is 'The first day of the period, in UTC; -infinity for a total.';
comment on column private.budget_notices.kind is 'budget.soft or budget.reached.';

-- Periods

-- The first day of the current period; -infinity for a total.
create function private.period_start(period text) returns date
language plpgsql stable security invoker set search_path = '' as $$
begin
  return case when period_start.period = 'total' then '-infinity'
    else date_trunc(period_start.period, now() at time zone 'utc') end;
end $$;

-- When a period ends; infinity for a total.
create function private.period_end(period text, starts_on date) returns timestamptz
language plpgsql stable security invoker set search_path = '' as $$
begin
  return case when period_end.period = 'total' then 'infinity'
    else (period_end.starts_on + ('1 ' || period_end.period)::interval) at time zone 'utc' end;
end $$;

-- Webhooks

-- Tells the webhook of the account that a budget runs low or is used up, once in a period. The share of one user is
-- told like the whole: it says how the budget is set, and nothing of the user.
create function private.tell_budget(budget public.budgets, starts_on date, kind text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare ends_at constant timestamptz := private.period_end(budget.period, tell_budget.starts_on);
begin
  insert into private.budget_notices (budget_id, starts_on, kind)
  values (budget.id, tell_budget.starts_on, tell_budget.kind) on conflict do nothing;
  if not found then return; end if;
  insert into private.webhook_messages (account_id, kind, data)
  select webhook.account_id, tell_budget.kind, jsonb_strip_nulls(jsonb_build_object(
    'budget_id', budget.id, 'scope', private.budget_scope(budget), 'coach_id', budget.coach_id,
    'is_each_user', budget.is_each_user, 'limit', budget.amount, 'unit', budget.unit, 'period', budget.period,
    'resets_at', case when isfinite(ends_at) then private.to_wire_time(ends_at) end
  ))
  from private.webhooks as webhook where webhook.account_id = budget.account_id and webhook.is_active;
  -- The share of one person is no concern of the owners.
  if tell_budget.kind = 'budget.reached' and not budget.is_each_user then perform private.mail_budget(budget); end if;
end $$;

-- account, key or coach.
create function private.budget_scope(budget public.budgets) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return case when budget.coach_id is not null then 'coach' when budget.key_lineage_id is not null then 'key'
    else 'account' end;
end $$;

-- How much of a budget all of its users, or this one, may use.
create function private.amount_of(budget public.budgets, user_hash text) returns bigint
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return case when amount_of.user_hash = 'anonymous' then coalesce(budget.anonymous_amount, 10 * budget.amount)
    else budget.amount end;
end $$;

-- Reserving

create type private.payer as (
  account_id uuid,
  key_lineage_id uuid,
  coach_id text,
  -- Null: a caller who names no user.
  user_id text,
  is_anonymous boolean,
  -- Work that no user asks for now: it counts on the account and the coach as a whole.
  is_background boolean
);
comment on type private.payer is 'On whose budgets a call of a model counts.';

-- A client sends it as JSON; fields that are left out are null.
create type private.model_plan as (
  model text,
  input_tokens integer,
  -- The rules for quoted material, which are read where there is any.
  quoted_tokens integer,
  -- The longest reply that the coach is set to; it has to fit as a whole. Null: not set.
  output_limit integer,
  -- The longest reply that the deployment or the request allow. Null: any.
  output_most integer,
  -- Null: nothing is embedded.
  embedding_model text,
  embedding_tokens integer
);
comment on type private.model_plan is 'A call of a model that is to be made: at most how much it uses.';

create type private.allowance as (
  -- budget_exhausted or price_unknown; null: the call may be made.
  refusal text,
  -- When the budgets that refuse it are renewed; infinity: never.
  renewed_at timestamptz,
  -- The most tokens of the reply; null: no budget limits it.
  output_tokens integer,
  -- The rows that refuse it, to be told to webhooks.
  exhausted private.budget_entry[]
);
comment on type private.allowance is 'What budgets say to a call of a model.';

-- Whether anything is limited. This is all that a turn of an account without budgets costs.
create function private.has_budgets(account_id uuid) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin return exists (select from public.budgets as budget where budget.account_id = has_budgets.account_id); end $$;

-- The budgets on which a payer's calls count, each with whose share it is, in the order in which they are locked.
-- A user is named by SHA-256 of the account's secret key, the budget and the user, as in hash_user().
create function private.budget_entries(payer private.payer) returns private.budget_entry[]
language plpgsql stable security invoker set search_path = '' as $$
declare hash_key constant uuid := (select account.hash_key from public.accounts as account where account.id = payer.account_id);
begin
  return array(
    select row(
      case when budget.is_each_user then 4 when budget.coach_id is not null then 3
        when budget.key_lineage_id is not null then 2 else 1 end,
      budget.id, share.user_hash, period.starts_on, share.last_lane, budget.unit, exists (
        select from private.budget_uses as use
        where use.budget_id = budget.id and use.user_hash = share.user_hash and use.starts_on = period.starts_on
          and use.lane = share.last_lane
      ), 0, 0
    )::private.budget_entry
    from public.budgets as budget
    cross join lateral (select private.period_start(budget.period) as starts_on offset 0) as period
    cross join lateral (
      select case
        when not budget.is_each_user then ''
        when payer.user_id is null then 'unnamed'
        else encode(sha256(uuid_send(hash_key) || uuid_send(budget.id) || convert_to(payer.user_id, 'UTF8')), 'hex')
      end as user_hash, case when budget.is_each_user and payer.user_id is not null then 0 else 3 end as last_lane
      union all
      select 'anonymous', 3 where budget.is_each_user and payer.is_anonymous
    ) as share
    where budget.account_id = payer.account_id
      and (budget.key_lineage_id is null or budget.key_lineage_id = payer.key_lineage_id)
      and (budget.coach_id is null or budget.coach_id = payer.coach_id)
      and not (budget.is_each_user and coalesce(payer.is_background, false))
    order by 1
  );
end $$;

-- Before a budget is deleted: locks it, so that no row is made, then its rows in the usual order.
create function private.lock_uses_of_deleted() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform from public.budgets as budget where budget.id = old.id for update;
  perform from private.budget_uses as use where use.budget_id = old.id
  order by use.user_hash, use.starts_on, use.lane for update;
  return old;
end $$;

create trigger budgets_lock_uses before delete on public.budgets
  for each row execute function private.lock_uses_of_deleted();

-- Adds to what is reserved and used, in the lane of this connection, and tells webhooks of what runs low by it. Webhooks
-- come after all rows. Rows are locked in the one order of all transactions.
-- What others use at the same moment is not seen: whoever comes next tells of it.
create function private.add_entries(entries private.budget_entry[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  added record;
  is_used boolean := false;
  told record;
begin
  for added in
    select each.budget_id, each.user_hash, each.starts_on, each.last_lane,
      sum(each.reserved)::bigint as reserved, sum(each.used)::bigint as used
    from unnest(add_entries.entries) as each
    group by each.place, each.budget_id, each.user_hash, each.starts_on, each.last_lane
    order by each.place, each.budget_id, each.user_hash, each.starts_on
  loop
    update private.budget_uses as use set reserved = use.reserved + added.reserved, used = use.used + added.used
    where use.budget_id = added.budget_id and use.user_hash = added.user_hash and use.starts_on = added.starts_on
      and use.lane = least(pg_backend_pid() % 4, added.last_lane);
    is_used := is_used or added.used > 0;
  end loop;
  if not is_used then return; end if;
  for told in
    select budget as whole, used.starts_on, step.kind
    from (
      select distinct each.budget_id, each.user_hash, each.starts_on
      from unnest(add_entries.entries) as each where each.used > 0
    ) as used
    join public.budgets as budget on budget.id = used.budget_id
    cross join lateral (
      select sum(use.used) as used from private.budget_uses as use
      where use.budget_id = used.budget_id and use.user_hash = used.user_hash and use.starts_on = used.starts_on
    ) as whole
    cross join lateral (values ('budget.reached', 100), ('budget.soft', budget.soft_percent)) as step (kind, percent)
    where whole.used * 100 >= private.amount_of(budget, used.user_hash) * step.percent
      -- Not only whoever passes the limit: an operator may have lowered it.
      and not exists (
        select from private.budget_notices as notice
        where notice.budget_id = budget.id and notice.starts_on = used.starts_on and notice.kind = step.kind
      )
    order by budget.id, used.starts_on, step.kind
  loop
    perform private.tell_budget(told.whole, told.starts_on, told.kind);
  end loop;
end $$;

create type private.plan_price as (
  input_tokens bigint,
  -- Micro USD; null: the price of a model is not known.
  input_cost bigint,
  -- Of a million tokens of the reply.
  reply_cost bigint,
  -- False: a budget in money counts it, and the price of a model is not known.
  is_known boolean
);
comment on type private.plan_price is 'What a call of a model uses before its reply, and what the reply costs.';

-- in_money: whether a budget in money counts it; without one, no price is looked up.
create function private.price_plan(plan private.model_plan, in_money boolean) returns private.plan_price
language plpgsql stable security invoker set search_path = '' as $$
declare price private.plan_price;
begin
  price.input_tokens := coalesce(plan.input_tokens, 0)::bigint + coalesce(plan.embedding_tokens, 0);
  price.is_known := true;
  if not in_money then return price; end if;
  price.input_cost := case when plan.output_limit = 0 and plan.model is null then 0
      else private.cost_of(coalesce(plan.model, ''), plan.input_tokens, 0, 0, 0) end
    + case when plan.embedding_model is null then 0
      else private.cost_of(plan.embedding_model, plan.embedding_tokens, 0, 0, 0) end;
  -- A call without a reply needs no price for one.
  price.reply_cost := case when plan.output_limit = 0 then 0
    else private.cost_of(coalesce(plan.model, ''), 0, 0, 1000000, 0) end;
  price.is_known := num_nulls(price.input_cost, price.reply_cost) = 0;
  return price;
end $$;

-- The longest reply that still fits into the room of a budget, in tokens: less than none if not even the input fits.
-- Null: the price of a model is not known.
create function private.fit_reply(unit text, room bigint, price private.plan_price) returns bigint
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return case
    when unit = 'tokens' then room - price.input_tokens
    when price.reply_cost = 0 then case when price.input_cost <= room then 2147483647 else -1 end
    else floor((room - price.input_cost)::numeric * 1000000 / price.reply_cost)
  end;
end $$;

-- What a call adds to the entries of its run, or of other work, with its worst case.
-- reply: its longest reply, in tokens. is_further: it adds to what they have reserved; otherwise it takes the place of that.
-- is_used: it is used at once.
create function private.add_worst_case(
  entries private.budget_entry[], price private.plan_price, reply integer, is_further boolean, is_used boolean
) returns private.budget_entry[] language plpgsql immutable security invoker set search_path = '' as $$
declare
  entry private.budget_entry;
  most bigint;
  added private.budget_entry[] := '{}';
begin
  foreach entry in array entries loop
    most := case when entry.unit = 'tokens' then price.input_tokens + reply
      else coalesce(price.input_cost + ceil(reply::numeric * price.reply_cost / 1000000)::bigint, 0) end;
    entry.used := case when is_used then most else 0 end;
    entry.reserved := case when is_used then 0 when is_further then most else most - entry.reserved end;
    added := added || entry;
  end loop;
  return added;
end $$;

-- Adds a call in the lane of this connection, if all budgets that may refuse it are far from their limits, and returns
-- whether there are any. Otherwise it changes nothing, and returns null.
-- Three others may be under way in the other lanes, and are not seen. So a call takes no more than a 64th of a budget here,
-- and leaves room for three such calls.
create function private.reserve_in_lane(added private.budget_entry[]) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare
  is_limited boolean;
  is_near boolean;
begin
  perform private.add_entries(added);
  select count(*) > 0, bool_or(now.room < 3 * coalesce(now.share, 0) or each.reserved + each.used > now.share)
  into is_limited, is_near
  from unnest(added) as each
  join public.budgets as budget on budget.id = each.budget_id
  cross join lateral (select private.amount_of(budget, each.user_hash) as amount offset 0) as whole
  cross join lateral (
    select whole.amount - sum(use.used + use.reserved)::bigint as room,
      case when each.last_lane > 0 then whole.amount / 64 end as share
    from private.budget_uses as use
    where use.budget_id = each.budget_id and use.user_hash = each.user_hash and use.starts_on = each.starts_on
  ) as now
  where budget.mode = 'block';
  if is_near then raise exception using errcode = 'HB409'; end if;
  return is_limited;
exception when sqlstate 'HB409' then
  -- The lanes are free again.
  return null;
end $$;

-- What budgets say to a call of a model. Locks all lanes of the entries until the transaction ends.
-- reply: its longest reply, in tokens. needed: the shortest that is of use. is_further: see add_worst_case().
create function private.find_allowance(
  entries private.budget_entry[], price private.plan_price, reply integer, needed integer, is_further boolean
) returns private.allowance language plpgsql volatile security invoker set search_path = '' as $$
declare allowed private.allowance;
begin
  perform from unnest(find_allowance.entries) as each
  join private.budget_uses as use
    on use.budget_id = each.budget_id and use.user_hash = each.user_hash and use.starts_on = each.starts_on
  order by each.place, each.budget_id, each.user_hash, each.starts_on, use.lane for no key update of use;

  select case when bool_or(share.longest is null) then 'price_unknown' when bool_or(share.longest < needed) then 'budget_exhausted' end,
    max(share.ends_at) filter (where share.longest < needed),
    case when count(*) > 0 then least(min(share.longest), reply) end,
    -- What other runs have only reserved may come back.
    array_agg(share.entry) filter (where share.longest < needed and share.longest_alone < needed)
  into allowed.refusal, allowed.renewed_at, allowed.output_tokens, allowed.exhausted
  from (
    select each as entry, private.period_end(budget.period, each.starts_on) as ends_at,
      private.fit_reply(budget.unit,
        own.room - own.reserved + case when is_further then 0 else each.reserved end, price) as longest,
      private.fit_reply(budget.unit, own.room, price) as longest_alone
    from unnest(find_allowance.entries) as each
    join public.budgets as budget on budget.id = each.budget_id
    cross join lateral (
      select private.amount_of(budget, each.user_hash) - sum(use.used)::bigint as room, greatest(sum(use.reserved)::bigint, 0) as reserved
      from private.budget_uses as use
      where use.budget_id = each.budget_id and use.user_hash = each.user_hash and use.starts_on = each.starts_on
    ) as own
    -- A budget that was removed has no rows. offset 0: each of these is computed once, not wherever it is named.
    where budget.mode = 'block' and own.room is not null offset 0
  ) as share;
  return allowed;
end $$;

-- Makes the rows of entries that have none.
create function private.add_uses(entries private.budget_entry[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare entry private.budget_entry;
begin
  -- Comes before any row is locked: whoever makes one holds no other row that somebody may wait for. A budget that is being
  -- removed gets none.
  for entry in
    select each.* from unnest(entries) as each where not each.has_row order by each.place, each.budget_id, each.user_hash, each.starts_on
  loop
    -- All lanes together, so that none is missed.
    insert into private.budget_uses (budget_id, user_hash, starts_on, lane)
    select budget.id, entry.user_hash, entry.starts_on, new.lane
    from public.budgets as budget cross join generate_series(0, entry.last_lane) as new (lane)
    where budget.id = entry.budget_id order by new.lane for key share of budget on conflict do nothing;
  end loop;
end $$;

-- Locks the rows in which reserve_in_lane() counts, for several reservations of one transaction.
create function private.lock_uses(entries private.budget_entry[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.add_uses(entries);
  perform from unnest(entries) as each
  join private.budget_uses as use on use.budget_id = each.budget_id and use.user_hash = each.user_hash
    and use.starts_on = each.starts_on and use.lane = least(pg_backend_pid() % 4, each.last_lane)
  order by each.place, each.budget_id, each.user_hash, each.starts_on for no key update of use;
end $$;

-- Reserves a call of a model with its worst case; or refuses it, and changes nothing. Locks rows of the entries until
-- the transaction ends, so it comes last.
-- run_id null: the call has no reply, and what it reads is used at once. is_further: another call of a run, in addition
-- to what the run has reserved; otherwise this takes the place of that. is_joint: HB409 where it would need more rows than
-- lock_uses() has locked.
create function private.reserve(
  run_id uuid, account_id uuid, entries private.budget_entry[], plan private.model_plan,
  is_further boolean default false, message_id uuid default null, is_joint boolean default false
) returns private.allowance language plpgsql volatile security invoker set search_path = '' as $$
declare
  -- The shortest reply that models accept as a limit.
  least_reply constant integer := 16;
  usual_reply constant integer := 8192;
  reply constant integer := least(coalesce(plan.output_limit, usual_reply), plan.output_most);
  needed constant integer := case when plan.output_limit is null then least(least_reply, reply) else reply end;
  -- A run pays where it has begun, also after midnight.
  known constant private.budget_entry[] := coalesce((
    select reservation.entries from private.budget_reservations as reservation
    where reservation.run_id = reserve.run_id for update
  ), entries);
  price private.plan_price;
  added private.budget_entry[];
  is_limited boolean;
  allowed private.allowance;
begin
  perform private.add_uses(known);
  price := private.price_plan(plan, in_money => exists (select from unnest(known) as each where each.unit = 'micro_usd'));
  if price.is_known then
    added := private.add_worst_case(known, price, reply, is_further, is_used => reserve.run_id is null);
    is_limited := private.reserve_in_lane(added);
  end if;
  if is_limited is not null then
    allowed.output_tokens := case when is_limited then reply end;
  elsif is_joint then
    raise exception using errcode = 'HB409';
  else
    allowed := private.find_allowance(known, price, reply, needed, is_further);
    if allowed.refusal is not null then return allowed; end if;
    added := private.add_worst_case(known, price, coalesce(allowed.output_tokens, reply), is_further, is_used => reserve.run_id is null);
    perform private.add_entries(added);
  end if;
  if reserve.run_id is null then return allowed; end if;
  insert into private.budget_reservations as held
    (run_id, message_id, account_id, entries, model, input_tokens, embedding_model, embedding_tokens)
  values (reserve.run_id, reserve.message_id, reserve.account_id, array(
      select row(each.place, each.budget_id, each.user_hash, each.starts_on, each.last_lane, each.unit, true,
        each.reserved + (added[each.ordinality::integer]).reserved, each.used)::private.budget_entry
      from unnest(known) with ordinality as each order by each.ordinality
    ), coalesce(plan.model, ''), plan.input_tokens, plan.embedding_model, coalesce(plan.embedding_tokens, 0))
  on conflict on constraint budget_reservations_pkey do update
  set entries = excluded.entries, model = excluded.model, input_tokens = excluded.input_tokens,
    expires_at = now() + interval '10 minutes';
  return allowed;
end $$;

-- Settling

create type private.settlement as (
  run_id uuid,
  -- Null: not known.
  model text,
  -- Null: the server has reported nothing, and nobody has made an estimate.
  input_tokens integer,
  cached_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  -- What the run is known to have written, for the estimate.
  text text
);
comment on type private.settlement is 'What a run has used, as far as that is known.';

-- Deletes the reservations of runs, and returns what is to be added to budgets: what they have used in the place of what
-- they had reserved. Runs without a reservation are skipped.
-- Without counts, a run has read what was estimated, and has written its text: a token has three bytes, at least.
create function private.close_reservations(settlements private.settlement[]) returns private.budget_entry[]
language plpgsql volatile security invoker set search_path = '' as $$
declare
  settled private.settlement;
  reservation private.budget_reservations;
  entry private.budget_entry;
  tokens bigint;
  cost bigint;
  entries private.budget_entry[] := '{}';
begin
  for settled in select * from unnest(settlements) as each order by each.run_id loop
    delete from private.budget_reservations as held where held.run_id = settled.run_id returning * into reservation;
    continue when not found;
    if settled.input_tokens is null then
      settled.input_tokens := reservation.input_tokens;
      settled.output_tokens := ceil(octet_length(coalesce(settled.text, '')) / 3.0);
    end if;
    tokens := greatest(settled.input_tokens::bigint + coalesce(settled.output_tokens, 0), 0) + reservation.embedding_tokens;
    cost := case when exists (select from unnest(reservation.entries) as each where each.unit = 'micro_usd') then private.cost_of(
      coalesce(settled.model, reservation.model),
      settled.input_tokens - coalesce(settled.cached_tokens, 0), coalesce(settled.cached_tokens, 0),
      coalesce(settled.output_tokens, 0) - coalesce(settled.reasoning_tokens, 0), coalesce(settled.reasoning_tokens, 0)
    ) end + case when reservation.embedding_model is null then 0
      else private.cost_of(reservation.embedding_model, reservation.embedding_tokens, 0, 0, 0) end;
    foreach entry in array reservation.entries loop
      entry.used := case when entry.unit = 'tokens' then tokens else coalesce(cost, entry.reserved) end;
      entry.reserved := -entry.reserved;
      entries := entries || entry;
    end loop;
  end loop;
  return entries;
end $$;

-- Replaces what runs have reserved by what they have used. Most runs have reserved nothing: that is found out at once.
create function private.settle(settlements private.settlement[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  if exists (
    select from private.budget_reservations as reservation
    where reservation.run_id = any (array(select each.run_id from unnest(settlements) as each))
  ) then
    perform private.add_entries(private.close_reservations(settlements));
  end if;
end $$;

-- Settles the reservations that have expired: of an answer with an estimate, of other work as a whole.
create function private.settle_expired() returns void language plpgsql volatile security invoker set search_path = '' as $$
declare
  expired private.budget_reservations;
  answer public.messages;
  settlements private.settlement[] := '{}';
  entries private.budget_entry[] := '{}';
begin
  for expired in
    select * from private.budget_reservations as reservation
    where reservation.expires_at <= now() order by reservation.expires_at limit 200 for update skip locked
  loop
    select * into answer from public.messages as message where message.id = expired.message_id;
    if answer.run_id = expired.run_id then
      settlements := settlements || row(expired.run_id, answer.model, answer.input_tokens, answer.cached_tokens,
        answer.output_tokens, answer.reasoning_tokens, private.text_of_run(answer))::private.settlement;
    else
      delete from private.budget_reservations as reservation where reservation.run_id = expired.run_id;
      entries := entries || array(
        select row(each.place, each.budget_id, each.user_hash, each.starts_on, each.last_lane, each.unit, true, -each.reserved,
          each.reserved)::private.budget_entry
        from unnest(expired.entries) as each
      );
    end if;
  end loop;
  -- Together: rows are locked in one order.
  perform private.add_entries(entries || private.close_reservations(settlements));
end $$;

-- What a reserved call replies: {is_budgeted, output_tokens}; a refused one, of which the webhooks hear: {error, retry_after},
-- without retry_after where nothing is renewed.
create function private.describe_allowance(allowed private.allowance) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare budget record;
begin
  if allowed.refusal is null then return json_build_object('is_budgeted', true, 'output_tokens', allowed.output_tokens); end if;
  for budget in
    select known, entry.starts_on from unnest(allowed.exhausted) as entry
    join public.budgets as known on known.id = entry.budget_id order by known.id
  loop
    perform private.tell_budget(budget.known, budget.starts_on, 'budget.reached');
  end loop;
  return json_strip_nulls(json_build_object('error', allowed.refusal, 'retry_after',
    case when isfinite(allowed.renewed_at) then greatest(ceil(extract(epoch from allowed.renewed_at - now())), 1)::integer end
  ));
end $$;

-- For the service

-- The user of a call: whoever asks or, where a server names nobody, the user of the thread. Threads without a user are
-- those of anonymous-<uuid>.
create function private.payer_of(client private.caller, coach text, user_id text) returns private.payer
language plpgsql stable security invoker set search_path = '' as $$
declare payer private.payer;
begin
  payer.account_id := client.account_id;
  payer.coach_id := payer_of.coach;
  payer.user_id := case when payer_of.user_id !~ '^anonymous-[0-9a-f-]{36}$' then payer_of.user_id end;
  payer.is_anonymous := client.is_anonymous;
  payer.key_lineage_id := (select api_key.lineage_id from private.api_keys as api_key where api_key.id = client.api_key_id);
  return payer;
end $$;

-- Reserves a call that is no turn, or the embedding of a question (run_id null, see reserve()), for a coach or thread.
-- message_id: a message of the thread, where only that is known.
create function public.reserve_call(
  caller jsonb, user_id text, coach_id text, thread_id uuid, message_id uuid, run_id uuid, plan jsonb
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  thread public.threads;
  coach public.coach_profiles;
begin
  if client.is_budgeted is not true then return private.answer(client, json_build_object('is_budgeted', false)); end if;
  thread := private.find_thread(client, coalesce(reserve_call.thread_id, (
    select message.thread_id from public.messages as message where message.id = reserve_call.message_id
  )), with_expert => true);
  coach := private.find_coach(client, coalesce(reserve_call.coach_id, thread.coach_id));
  if coach.id is null then return private.refuse(client, 'coach_not_found'); end if;
  return private.answer(client, private.describe_allowance(private.reserve(run_id, client.account_id, private.budget_entries(
    private.payer_of(client, coach.id, coalesce(client.user_id, reserve_call.user_id, thread.user_id))
  ), jsonb_populate_record(null::private.model_plan, plan))));
end $$;
comment on function public.reserve_call is 'Reserves a call of a model for a client: {is_budgeted, output_tokens}, or {error, retry_after}.';

-- Reserves a call of a model for the background work of a coach. run_id: see reserve().
create function public.reserve_work(coach_id text, run_id uuid, plan jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare payer private.payer;
begin
  select coach.account_id into payer.account_id from public.coach_profiles as coach where coach.id = reserve_work.coach_id;
  payer.coach_id := reserve_work.coach_id;
  payer.is_background := true;
  return private.describe_allowance(private.reserve(run_id, payer.account_id, private.budget_entries(payer),
    jsonb_populate_record(null::private.model_plan, plan)));
end $$;
comment on function public.reserve_work is 'Reserves a call of a model for the background work of a coach: {is_budgeted, output_tokens}, or {error, retry_after}.';

-- Reserves another call of a run. A run whose reservation was settled meanwhile makes none.
create function public.extend_reservation(run_id uuid, plan jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  held private.budget_reservations;
  wanted private.model_plan := jsonb_populate_record(null::private.model_plan, plan);
begin
  select * into held from private.budget_reservations as reservation where reservation.run_id = extend_reservation.run_id for update;
  if not found then return json_build_object('error', 'budget_exhausted'); end if;
  wanted.model := held.model;
  return private.describe_allowance(
    private.reserve(run_id, held.account_id, held.entries, wanted, is_further => true, message_id => held.message_id));
end $$;
comment on function public.extend_reservation is 'Reserves another call of a run that has a reservation: {is_budgeted, output_tokens}, or {error, retry_after}.';

create function public.settle_work(settlement jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin perform private.settle(array[jsonb_populate_record(null::private.settlement, settlement)]); end $$;
comment on function public.settle_work is 'Settles what reserve_call() or reserve_work() has reserved; settlement: see private.settlement.';

-- For clients

-- The budgets that limit a user of the caller, as replies show them.
-- is_signed_in: the user asks, who sees no figures of what is shared with others, and nothing that only warns.
create function public.read_budgets(caller jsonb, user_id text, is_signed_in boolean, coach_id text default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  coach constant public.coach_profiles := private.find_coach(client, read_budgets.coach_id);
  payer private.payer := private.payer_of(client, null, coalesce(client.user_id, read_budgets.user_id));
  described json[] := '{}';
  shown record;
begin
  if not client.is_admitted then return private.answer(client); end if;
  if read_budgets.coach_id is not null and coach.id is null then return private.refuse(client, 'coach_not_found'); end if;
  for shown in
    select budget.*, known.id as reached_coach from public.budgets as budget
    left join lateral (select (private.find_coach(client, budget.coach_id)).id as id) as known on true
    where budget.account_id = payer.account_id and (budget.mode = 'block' or not is_signed_in)
      and (budget.key_lineage_id is null or budget.key_lineage_id = payer.key_lineage_id)
      and (budget.coach_id is null or known.id is not null and known.id = coalesce(coach.id, known.id))
    order by budget.coach_id is not null, budget.key_lineage_id is not null, budget.is_each_user, budget.created_at, budget.id
  loop
    payer.coach_id := shown.coach_id;
    described := described || private.describe_share(shown.id, payer, shows_figures => shown.is_each_user or not is_signed_in);
  end loop;
  return private.answer(client, json_build_object('data', array_to_json(described)));
end $$;
comment on function public.read_budgets is 'Reply of GET /users/{userId}/budget: {data: [{scope, limit, used, reserved, unit, resets_at, is_exhausted}]}.';

-- What a payer has of a budget: all of it or, where each user has an amount, the share of the user. An anonymous user
-- can use no more than all of them have left.
create function private.describe_share(budget_id uuid, payer private.payer, shows_figures boolean) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare
  budget public.budgets;
  ends_at timestamptz;
  used bigint;
  reserved bigint;
  is_exhausted boolean;
begin
  select * into budget from public.budgets as known where known.id = describe_share.budget_id;
  ends_at := private.period_end(budget.period, private.period_start(budget.period));
  select coalesce(sum(use.used) filter (where entry.user_hash <> 'anonymous'), 0),
    coalesce(sum(use.reserved) filter (where entry.user_hash <> 'anonymous'), 0),
    coalesce(bool_or(use.used + use.reserved >= private.amount_of(budget, entry.user_hash)), false)
  into used, reserved, is_exhausted
  from unnest(private.budget_entries(payer)) as entry
  cross join lateral (
    select coalesce(sum(lane.used), 0) as used, coalesce(sum(lane.reserved), 0) as reserved from private.budget_uses as lane
    where lane.budget_id = entry.budget_id and lane.user_hash = entry.user_hash and lane.starts_on = entry.starts_on
  ) as use
  where entry.budget_id = budget.id;
  if not shows_figures then
    return json_build_object('scope', private.budget_scope(budget), 'is_exhausted', is_exhausted,
      'resets_at', case when isfinite(ends_at) then private.to_wire_time(ends_at) end);
  end if;
  return json_build_object('scope', private.budget_scope(budget), 'limit', budget.amount, 'used', used, 'reserved', reserved,
    'unit', budget.unit, 'resets_at', case when isfinite(ends_at) then private.to_wire_time(ends_at) end,
    'is_exhausted', is_exhausted);
end $$;

-- Operators

-- Sets a budget, or changes the one of the same account, key or coach, unit and period. What was used stays.
-- api_key: any key of its lineage.
create function public.set_budget(
  account_id uuid, unit text, amount bigint, period text, api_key uuid default null, coach text default null,
  each_user boolean default false, mode text default 'block', soft_percent integer default 80,
  anonymous_amount bigint default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  lineage uuid;
  stored public.budgets;
begin
  if not exists (select from public.accounts as account where account.id = set_budget.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  select known.lineage_id into lineage from private.api_keys as known
  where known.id = set_budget.api_key and known.account_id = set_budget.account_id;
  if set_budget.api_key is not null and lineage is null then
    raise exception using errcode = 'PT404', message = 'API key not found';
  end if;
  if set_budget.coach is not null and not exists (
    select from public.coach_profiles as profile
    where profile.id = set_budget.coach and profile.account_id = set_budget.account_id
  ) then
    raise exception using errcode = 'PT404', message = 'Coach not found';
  end if;
  -- With other limits, they may be reached once more.
  delete from private.budget_notices as notice using public.budgets as known
  where notice.budget_id = known.id and known.account_id = set_budget.account_id
    and known.key_lineage_id is not distinct from lineage and known.coach_id is not distinct from set_budget.coach
    and known.is_each_user = coalesce(each_user, false) and known.unit = set_budget.unit and known.period = set_budget.period
    and (known.amount, known.anonymous_amount, known.soft_percent) is distinct from
      (set_budget.amount, set_budget.anonymous_amount, set_budget.soft_percent);
  insert into public.budgets as budget (
    account_id, key_lineage_id, coach_id, is_each_user, unit, amount, anonymous_amount, period, soft_percent, mode
  )
  values (account_id, lineage, coach, coalesce(each_user, false), unit, amount, anonymous_amount, period, soft_percent,
    mode)
  on conflict on constraint budgets_are_set_once do update
  set amount = excluded.amount, anonymous_amount = excluded.anonymous_amount, soft_percent = excluded.soft_percent,
    mode = excluded.mode
  returning * into stored;
  return private.describe_budget(stored);
end $$;
comment on function public.set_budget is 'Sets what an account, a key or a coach, or each user of it, may use in a period, and returns the budget.';

-- A budget as operators see it, with what is used in the current period. Of a budget for each user: the sum over the
-- users, and how many of them have used something.
create function private.describe_budget(budget public.budgets) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select to_jsonb(budget) || jsonb_build_object(
      'scope', private.budget_scope(budget),
      'api_key_ids', (
        select coalesce(jsonb_agg(api_key.id order by api_key.created_at, api_key.id), '[]')
        from private.api_keys as api_key
        where api_key.account_id = budget.account_id and api_key.lineage_id = budget.key_lineage_id
      ),
      'used', coalesce(sum(use.used), 0), 'reserved', coalesce(sum(use.reserved), 0),
      'users', count(distinct use.user_hash) filter (where use.user_hash <> ''), 'starts_on', nullif(min(use.starts_on), '-infinity')
    )
    from private.budget_uses as use
    where use.budget_id = budget.id and use.starts_on = private.period_start(budget.period)
      and use.user_hash <> 'anonymous'
  );
end $$;

-- account, budget: narrow it down; null: all.
create function public.list_budgets(account uuid default null, budget uuid default null) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(private.describe_budget(known) order by known.created_at, known.id), '[]')
    from public.budgets as known
    where (list_budgets.account is null or known.account_id = list_budgets.account)
      and (list_budgets.budget is null or known.id = list_budgets.budget)
  );
end $$;
comment on function public.list_budgets is 'Budgets with what is used of them in the current period, oldest first.';

create function public.remove_budget(budget uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  removed public.budgets;
  described json;
begin
  select * into removed from public.budgets as known where known.id = remove_budget.budget;
  if not found then raise exception using errcode = 'PT404', message = 'Budget not found'; end if;
  described := private.describe_budget(removed);
  delete from public.budgets as known where known.id = remove_budget.budget;
  return described;
end $$;
comment on function public.remove_budget is 'Removes a budget, with what was used of it, and returns what it was.';
