-- Webhooks: an account may register an address that is notified when an expert should know of something: with ids and
-- counts, never contents. Signed after the specification Standard Webhooks, and delivered by the sweep.
-- Tables: private.webhooks, one for each account, and private.webhook_messages, what waits to be delivered.
-- Surprises: the secret is kept as it is, since it has to sign. A message is delivered at least once, always with the
-- same id: the claim of a worker that was killed runs out after a minute. It is tried for a day, with growing pauses.

create table private.webhooks (
  account_id uuid primary key references public.accounts (id) on delete cascade,
  url text not null,
  secret text not null,
  is_active boolean not null default true,
  failing_since timestamptz,
  last_error text,
  last_delivered_at timestamptz,
  -- The next eight o'clock but one at most; after that, once a day.
  waiting_due_at timestamptz not null default date_trunc('day', now(), 'utc') + interval '32 hours',
  created_at timestamptz not null default now(),
  constraint webhooks_url_is_an_address check (url ~ '^https?://[^[:space:]]+$' and char_length(url) <= 2000),
  constraint webhooks_secret_is_as_the_specification_says check (secret ~ '^whsec_[A-Za-z0-9+/]{32,88}=*$')
);
comment on table private.webhooks is 'Addresses that are told when an expert should hear of something. Set them with npm run admin.';
comment on column private.webhooks.url is 'Where messages are sent. Whether it is public is looked up before each of them.';
comment on column private.webhooks.secret is 'What messages are signed with: whsec_ and 32 random bytes in base64.';
comment on column private.webhooks.is_active is 'False: the receiver has said that it is gone for good (410). Setting it again makes it active.';
comment on column private.webhooks.failing_since is 'When the first delivery failed since the last one that did not; null where none has.';
comment on column private.webhooks.last_error is 'What the last delivery failed with; null where it did not.';
comment on column private.webhooks.last_delivered_at is 'When a message was last delivered.';
comment on column private.webhooks.waiting_due_at is 'When it is told next how many questions wait (see mail).';

create table private.webhook_messages (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references private.webhooks (account_id) on delete cascade,
  kind text not null,
  data jsonb not null,
  attempts integer not null default 0,
  claim uuid,
  due_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.webhook_messages is 'What waits to be sent to webhooks. A message that was delivered, or tried for a day, is deleted.';
comment on column private.webhook_messages.id is 'webhook-id, the same with each try.';
comment on column private.webhook_messages.kind is 'What has happened: type of the message.';
comment on column private.webhook_messages.data is 'Ids and counts: data of the message.';
comment on column private.webhook_messages.due_at is 'When it is tried, next time. While a sweep tries it: when its claim runs out.';

-- The sweep takes what is due of each account. Deleting a webhook deletes what waits for it.
create index webhook_messages_by_account on private.webhook_messages (account_id, due_at);
-- Deleting a thread deletes what waits to be told of it.
create index webhook_messages_by_thread on private.webhook_messages ((data ->> 'thread_id'));
-- Whether anything is due.
create index webhook_messages_by_due_time on private.webhook_messages (due_at);

-- Webhooks that are to be told how many questions wait.
create index webhooks_by_waiting on private.webhooks (waiting_due_at);

-- Has the webhook of an account told what has happened, if it has one.
create function private.enqueue_webhook(
  kind text, account_id uuid, coach_id text, thread_id uuid, message_id uuid, question_id uuid
) returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.webhook_messages (account_id, kind, data)
  select webhook.account_id, enqueue_webhook.kind, jsonb_strip_nulls(jsonb_build_object(
    'coach_id', enqueue_webhook.coach_id, 'thread_id', enqueue_webhook.thread_id,
    'message_id', enqueue_webhook.message_id, 'question_id', enqueue_webhook.question_id
  )) || coalesce((
    select jsonb_build_object('times', question.times, 'people', question.people)
    from public.open_questions as question where question.id = enqueue_webhook.question_id
  ), '{}')
  from private.webhooks as webhook where webhook.account_id = enqueue_webhook.account_id and webhook.is_active;
end $$;

-- Operators

-- The secret is in the result only if it is new: for a new webhook, or when it is rotated.
create function public.set_webhook(account_id uuid, url text, is_rotated boolean default false) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- 366 random bits of the server's strong generator, as 32 bytes.
  new_secret constant text := 'whsec_' || encode(sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
  ), 'base64');
  webhook private.webhooks;
begin
  if not exists (select from public.accounts as account where account.id = set_webhook.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if (set_webhook.url ~ '^https?://[^[:space:]]+$' and char_length(set_webhook.url) <= 2000) is not true then
    raise exception using errcode = '22023', message = 'url must be an address of at most 2000 characters';
  end if;
  insert into private.webhooks as webhook_row (account_id, url, secret)
  values (set_webhook.account_id, set_webhook.url, new_secret)
  on conflict on constraint webhooks_pkey do update
  set url = excluded.url, is_active = true, failing_since = null, last_error = null,
    secret = case when set_webhook.is_rotated then excluded.secret else webhook_row.secret end
  returning * into webhook;
  return public.read_webhook(webhook.account_id)::jsonb
    || case when webhook.secret = new_secret then jsonb_build_object('secret', new_secret) else '{}' end;
end $$;
comment on function public.set_webhook is 'Sets where the events of an account are sent, and returns the webhook; with the secret, this once, where that is new.';

create function public.read_webhook(account_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare webhook private.webhooks;
begin
  select * into webhook from private.webhooks as stored where stored.account_id = read_webhook.account_id;
  if not found then raise exception using errcode = 'PT404', message = 'This account has no webhook'; end if;
  return to_jsonb(webhook) - array['secret', 'waiting_due_at'] || jsonb_build_object('waiting', (
    select count(*) from private.webhook_messages as message where message.account_id = webhook.account_id
  ));
end $$;
comment on function public.read_webhook is 'The webhook of an account, without its secret, with the number of messages that wait.';

create function public.remove_webhook(account_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare described constant json := public.read_webhook(remove_webhook.account_id);
begin
  delete from private.webhooks as webhook where webhook.account_id = remove_webhook.account_id;
  return described;
end $$;
comment on function public.remove_webhook is 'Removes the webhook of an account, with what waits to be sent to it, and returns what it was.';

create function public.test_webhook(account_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare message_id uuid;
begin
  if public.read_webhook(test_webhook.account_id) ->> 'is_active' = 'false' then
    raise exception using errcode = 'PT409', message = 'This webhook is switched off: set it again';
  end if;
  insert into private.webhook_messages (account_id, kind, data) values (test_webhook.account_id, 'webhook.test', '{}')
  returning id into message_id;
  return json_build_object('id', message_id);
end $$;
comment on function public.test_webhook is 'Has a message of the type webhook.test sent to the webhook of an account, and returns its id.';

-- Delivery

-- Accounts are found by stepping through the index from one to the next: a queue may have any length. Of each, five
-- messages are under way at a time, and of one whose receiver fails only one: so it delays no others.
-- The result is [{id, claim, account_id, url, secret, kind, data, created_at}], of at most 20 accounts.
create function public.take_webhook_messages() returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  waiting record;
  under_way integer;
  taken_ids uuid[] := '{}';
  messages json;
begin
  for waiting in
    with recursive account (id) as (
      (select message.account_id from private.webhook_messages as message order by message.account_id limit 1)
      union all
      select (
        select message.account_id from private.webhook_messages as message
        where message.account_id > account.id order by message.account_id limit 1
      )
      from account where account.id is not null
    )
    select account.id as account_id, webhook.failing_since is not null as is_failing
    from account
    cross join lateral (select * from private.webhooks as webhook where webhook.account_id = account.id offset 0) as webhook
    cross join lateral (
      select message.due_at from private.webhook_messages as message
      where message.account_id = account.id and message.due_at <= now() order by message.due_at limit 1
    ) as first
    order by first.due_at limit 20
  loop
    -- What is being tried is due again within a minute, and so is little else.
    under_way := count(*) filter (where busy.claim is not null) from (
      select message.claim from private.webhook_messages as message
      where message.account_id = waiting.account_id
        and message.due_at > now() and message.due_at <= now() + interval '1 minute'
      order by message.due_at limit 100
    ) as busy;
    taken_ids := taken_ids || array(
      select message.id from private.webhook_messages as message
      where message.account_id = waiting.account_id and message.due_at <= now() order by message.due_at
      limit greatest(0, case when waiting.is_failing then 1 else 5 end - under_way) for update skip locked
    );
  end loop;

  with taken as (
    update private.webhook_messages as message
    set claim = gen_random_uuid(), attempts = message.attempts + 1, due_at = now() + interval '1 minute'
    where message.id = any (taken_ids) returning message.*
  )
  select json_agg(json_build_object(
    'id', taken.id, 'claim', taken.claim, 'account_id', taken.account_id, 'url', webhook.url, 'secret', webhook.secret,
    'kind', taken.kind, 'data', taken.data, 'created_at', private.to_wire_time(taken.created_at)
  ))
  into messages
  from taken
  cross join lateral (select * from private.webhooks as webhook where webhook.account_id = taken.account_id offset 0) as webhook;
  return coalesce(messages, '[]');
end $$;
comment on function public.take_webhook_messages is 'Claims messages that are due to be sent, for a minute.';

-- outcomes: [{id, claim, error, is_gone}]; error null: delivered. is_gone: the receiver wants nothing any more.
-- The result is [{id, account_id, kind, error}]: messages that are given up. Messages that were claimed again meanwhile
-- are skipped: the other try goes on.
create function public.finish_webhook_messages(outcomes jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The pauses before a message is tried again add up to somewhat less than a day.
  pauses constant interval[] := '{10 seconds,1 minute,5 minutes,15 minutes,1 hour,3 hours,6 hours,12 hours}';
  outcome record;
  message private.webhook_messages;
  given_up jsonb := '[]';
begin
  for outcome in
    select * from jsonb_to_recordset(finish_webhook_messages.outcomes)
      as given (id uuid, claim uuid, error text, is_gone boolean)
    -- Always in one order, so that two transactions never wait for each other.
    order by given.id
  loop
    -- Locks the webhook first and then its messages, as removing a webhook does.
    perform from private.webhooks as webhook
    where webhook.account_id = (select held.account_id from private.webhook_messages as held where held.id = outcome.id)
    for update;
    select * into message from private.webhook_messages as held
    where held.id = outcome.id and held.claim = outcome.claim for update;
    continue when not found;

    update private.webhooks as webhook
    set last_error = outcome.error,
      last_delivered_at = case when outcome.error is null then now() else webhook.last_delivered_at end,
      failing_since = case when outcome.error is not null then coalesce(webhook.failing_since, now()) end,
      is_active = webhook.is_active and not outcome.is_gone
    where webhook.account_id = message.account_id;
    if outcome.error is null then
      delete from private.webhook_messages as held where held.id = message.id;
    elsif outcome.is_gone or message.created_at <= now() - interval '1 day' then
      delete from private.webhook_messages as held
      where held.id = message.id or outcome.is_gone and held.account_id = message.account_id;
      given_up := given_up || jsonb_build_object(
        'id', message.id, 'account_id', message.account_id, 'kind', message.kind, 'error', outcome.error
      );
    else
      update private.webhook_messages as held
      set claim = null, last_error = outcome.error,
        due_at = least(now() + pauses[least(message.attempts, 8)], message.created_at + interval '1 day')
      where held.id = message.id;
    end if;
  end loop;
  return given_up;
end $$;
comment on function public.finish_webhook_messages is 'Notes what has become of messages that were taken, and returns those that are given up.';
