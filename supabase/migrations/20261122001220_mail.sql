-- Mail: what experts, and people who have asked, are told by e-mail. The function mailer sends it.
-- Tables: private.mails (what waits to be sent), mail_settings (what each expert wants), user_addresses (those of people
-- who want to hear that the expert has answered), address_checks (the mails of the last day that confirm addresses) and
-- refused_addresses.
-- Mails hold ids. Their words are looked up when a worker claims them, and so is whether they are still of use: a mail
-- about what is answered, read or switched off meanwhile is not sent.
-- Surprises: a mail is sent at least once, always with the same Message-ID: the claim of a worker that was killed runs
-- out after three minutes. It is tried for a day, with growing pauses. Mails of one bundle that nobody has tried to send
-- yet are one mail. Nothing here knows whether the deployment has a mail server: if it has none, what waits is deleted
-- after a day.

create table private.mail_settings (
  id uuid not null default gen_random_uuid(),
  coach_id text not null,
  user_id uuid not null,
  asks_for_human boolean not null default true,
  digest text not null default 'daily',
  hour integer not null default 8,
  weekday integer not null default 1,
  time_zone text not null default 'UTC',
  failures boolean not null default true,
  budget boolean not null default true,
  topics boolean not null default false,
  language text not null default 'en',
  digest_due_at timestamptz,
  topics_due_at timestamptz,
  digested_at timestamptz not null default '-infinity',
  calls integer not null default 0,
  calls_since timestamptz not null default '-infinity',
  constraint mail_settings_are_of_one_expert primary key (coach_id, user_id),
  constraint mail_settings_id_is_unique unique (id),
  constraint mail_settings_belong_to_an_expert foreign key (coach_id, user_id)
    references public.coach_experts (coach_id, user_id) on update cascade on delete cascade,
  constraint mail_settings_digest_is_known check (digest in ('off', 'daily', 'weekly')),
  constraint mail_settings_hour_is_0_to_23 check (hour between 0 and 23),
  constraint mail_settings_weekday_is_1_to_7 check (weekday between 1 and 7),
  constraint mail_settings_language_is_known check (language in ('en', 'de', 'fr', 'es', 'pt', 'ar'))
);
comment on table private.mail_settings is 'The mails that each expert wants, and when.';
comment on column private.mail_settings.id is 'Names the settings in the links of mails that unsubscribe.';
comment on column private.mail_settings.user_id is 'The expert.';
comment on column private.mail_settings.asks_for_human is 'Whether a mail tells that a person asks for a human.';
comment on column private.mail_settings.digest is 'How often a mail lists the questions that wait: off, daily or weekly.';
comment on column private.mail_settings.hour is 'The hour of the digest, in the time zone.';
comment on column private.mail_settings.weekday is 'The day of a weekly digest, from 1, Monday.';
comment on column private.mail_settings.time_zone is 'The IANA name of the expert''s time zone.';
comment on column private.mail_settings.failures is 'Whether a mail tells that a file or a source could not be read.';
comment on column private.mail_settings.budget is 'Whether a mail tells that a budget is used up; only owners get it.';
comment on column private.mail_settings.topics is 'Whether a mail tells what people asked, once a week, on the day and at the hour of a weekly digest.';
comment on column private.mail_settings.digest_due_at is 'When the next digest is due; null: never. A trigger sets it.';
comment on column private.mail_settings.topics_due_at is 'When the next mail about what people asked is due; null: never. A trigger sets it.';
comment on column private.mail_settings.digested_at is 'When the last digest was made.';
comment on column private.mail_settings.calls is 'How many mails about people who ask for a human were made in the current hour.';
comment on column private.mail_settings.calls_since is 'When that hour began.';

-- Deleting a user looks for its settings.
create index mail_settings_by_user on private.mail_settings (user_id);
-- Digests that are due.
create index mail_settings_by_digest on private.mail_settings (digest_due_at) where digest_due_at is not null;
-- The same, of mails about what people asked.
create index mail_settings_by_topics on private.mail_settings (topics_due_at) where topics_due_at is not null;

create table private.user_addresses (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade,
  user_id text not null,
  address text not null,
  language text not null default 'en',
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint user_addresses_are_one_for_a_user unique (account_id, user_id),
  constraint user_addresses_address_is_short check (address ~ '^[^[:space:]@]+@[^[:space:]@]+$' and char_length(address) <= 254),
  constraint user_addresses_language_is_known check (language in ('en', 'de', 'fr', 'es', 'pt', 'ar'))
);
comment on table private.user_addresses is 'Addresses of people who want to be told that the expert has answered.';
comment on column private.user_addresses.id is 'Names the address in the links of mails; a new one with each new address.';
comment on column private.user_addresses.address is 'The email address.';
comment on column private.user_addresses.confirmed_at is 'When the link that was sent to the address was opened; null: not yet, and no other mail is sent to it.';

create table private.address_checks (
  id bigint primary key generated always as identity,
  account_id uuid not null references public.accounts (id) on delete cascade,
  user_hash text not null,
  address_hash text not null,
  sent_at timestamptz not null default clock_timestamp()
);
comment on table private.address_checks is 'Which addresses were asked to be confirmed in the last day, and by whom, so that nobody can have strangers written to.';
comment on column private.address_checks.user_hash is 'A keyed hash of the user, which outlives the erasure of the user for a day.';
comment on column private.address_checks.address_hash is 'A keyed hash of the address.';
comment on column private.address_checks.sent_at is 'When.';

-- How many an address has had.
create index address_checks_by_address on private.address_checks (account_id, address_hash, sent_at);
-- How many a user has caused.
create index address_checks_by_user on private.address_checks (account_id, user_hash, sent_at);
-- The sweep deletes the oldest.
create index address_checks_by_time on private.address_checks (sent_at);

create table private.refused_addresses (
  account_id uuid not null references public.accounts (id) on delete cascade,
  address_hash text not null,
  reply integer,
  refused_at timestamptz not null default now(),
  constraint refused_addresses_are_noted_once primary key (account_id, address_hash)
);
comment on table private.refused_addresses is 'Addresses that their mail server has refused for good, or whose owner wants none. Nothing is sent to them; allow_address() takes one off.';
comment on column private.refused_addresses.account_id is 'The account whose mail was refused.';
comment on column private.refused_addresses.address_hash is 'A keyed hash of the address.';
comment on column private.refused_addresses.reply is 'The code of the server''s reply, 500 to 599; null: the owner of the address has said that somebody else gave it.';
comment on column private.refused_addresses.refused_at is 'When.';

create table private.mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  account_id uuid not null references public.accounts (id) on delete cascade,
  coach_id text,
  expert_id uuid references auth.users (id) on delete cascade,
  user_id text,
  address text,
  data jsonb not null default '{}',
  bundle text,
  attempts integer not null default 0,
  claim uuid,
  due_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  constraint mails_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint mails_kind_is_known
    check (kind in ('human', 'digest', 'topics', 'failure', 'budget', 'invitation', 'answered', 'confirmation',
      'request_confirmation', 'request_answered')),
  constraint mails_have_one_recipient check (num_nonnulls(expert_id, user_id, address) = 1)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.mails is 'What waits to be sent by mail. A mail that was sent, or tried for a day, is deleted.';
comment on column private.mails.id is 'The first part of Message-ID, the same with each try.';
comment on column private.mails.kind is 'What it tells.';
comment on column private.mails.coach_id is 'The coach it is about; null: none.';
comment on column private.mails.expert_id is 'The expert whom it goes to; null: somebody else.';
comment on column private.mails.user_id is 'The person who asked, and whom it goes to; null: somebody else.';
comment on column private.mails.address is 'The address of whoever is invited; null: it is that of the expert or the person.';
comment on column private.mails.data is 'Ids of what it tells.';
comment on column private.mails.bundle is 'What else is told with this mail, as long as nobody has tried to send it; null: nothing.';
comment on column private.mails.due_at is 'When it is tried, next time. While a worker tries it: when its claim runs out.';

-- Whether any mail is due.
create index mails_by_due_time on private.mails (due_at);
-- What a worker takes: the next mails of each account.
create index mails_by_account on private.mails (account_id, due_at);
-- What is told with a mail that waits.
create unique index mails_by_bundle on private.mails (bundle) where bundle is not null and attempts = 0;
-- Deleting an account or a coach looks for its mails.
create index mails_by_coach on private.mails (account_id, coach_id);
-- Deleting a user of Auth.
create index mails_by_expert on private.mails (expert_id) where expert_id is not null;
-- Erasing a person.
create index mails_by_user on private.mails (account_id, user_id) where user_id is not null;

-- Addresses

-- A keyed hash of a text of an account.
create function private.hash_for_mail(account_id uuid, content text) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select encode(sha256(uuid_send(account.hash_key) || convert_to(lower(content), 'UTF8')), 'hex')
    from public.accounts as account where account.id = hash_for_mail.account_id
  );
end $$;

-- An address without what follows a plus in it.
create function private.without_plus(address text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin return regexp_replace(without_plus.address, '\+.*@', '@'); end $$;

create function private.is_refused(account_id uuid, address text) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from private.refused_addresses as refused
    where refused.account_id = is_refused.account_id
      -- Whoever wants no mail wants none with something after a plus, either.
      and refused.address_hash in (private.hash_for_mail(is_refused.account_id, is_refused.address),
        private.hash_for_mail(is_refused.account_id, private.without_plus(is_refused.address)))
  );
end $$;

-- The address of a user of Auth, if it is confirmed; otherwise null.
create function private.find_address(user_id uuid) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select nullif(person.email, '') from auth.users as person
    where person.id = find_address.user_id and person.email_confirmed_at is not null
  );
end $$;

create function public.allow_address(account_id uuid, address text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.refused_addresses as refused
  where refused.account_id = allow_address.account_id
    and refused.address_hash in (private.hash_for_mail(allow_address.account_id, btrim(allow_address.address)),
      private.hash_for_mail(allow_address.account_id, private.without_plus(btrim(allow_address.address))));
  return found;
end $$;
comment on function public.allow_address is 'Has mails sent again to an address that its server has refused; false if it was not refused.';

-- The settings of experts

-- The next time after a moment at which a digest is due. Local times are what they say also when the clocks change: an
-- hour that is left out is the one after it, and of an hour that there is twice, only one is taken.
create function private.next_digest(digest text, hour integer, weekday integer, time_zone text, after timestamptz)
returns timestamptz language plpgsql stable security invoker set search_path = '' as $$
declare today date;
begin
  begin
    today := after at time zone time_zone;
  exception when invalid_parameter_value then
    -- Names of zones are withdrawn at times.
    return private.next_digest(digest, hour, weekday, 'UTC', after);
  end;
  return (
    select min(due.at) from generate_series(-1, 9) as later (days)
    cross join lateral (
      select (today + later.days + make_interval(hours => hour)) at time zone time_zone as at
    ) as due
    where due.at > after and (digest = 'daily' or digest = 'weekly' and extract(isodow from today + later.days) = weekday)
  );
end $$;

create function private.set_digest_time() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
begin
  new.digest_due_at := private.next_digest(new.digest, new.hour, new.weekday, new.time_zone, clock_timestamp());
  new.topics_due_at := case when new.topics then
    private.next_digest('weekly', new.hour, new.weekday, new.time_zone, clock_timestamp()) end;
  return new;
end $$;
create trigger mail_settings_set_digest_time before insert or update of digest, topics, hour, weekday, time_zone
  on private.mail_settings for each row execute function private.set_digest_time();

-- Gives each expert settings.
-- Definer: operators may add experts, but have no rights on the private schema.
create function private.add_mail_settings() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.mail_settings (coach_id, user_id) values (new.coach_id, new.user_id) on conflict do nothing;
  return null;
end $$;
create trigger coach_experts_add_mail_settings after insert on public.coach_experts
  for each row execute function private.add_mail_settings();

-- The text of an error if Postgres does not know a time zone; null if it does.
create function private.refuse_unknown_zone(time_zone text) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  perform now() at time zone time_zone;
  return null;
exception when invalid_parameter_value then
  return 'time_zone_unknown';
end $$;

-- settings: {asks_for_human, digest, …}; what it lacks stays as it is; null: they are only read.
create function public.save_mail_settings(caller jsonb, coach_id text, user_id text, settings jsonb default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => settings is not null);
  expert_id constant uuid := private.to_auth_id(client.user_id);
  address constant text := private.find_address(expert_id);
  refusal constant text := coalesce(private.refuse_unless_expert(client, coach_id),
    private.refuse_unknown_zone(coalesce(settings->>'time_zone', 'UTC')));
  known private.mail_settings;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if settings is not null then
    update private.mail_settings as stored
    set (asks_for_human, digest, hour, weekday, time_zone, failures, budget, topics, language) = (
      select wanted.asks_for_human, wanted.digest, wanted.hour, wanted.weekday, wanted.time_zone, wanted.failures,
        wanted.budget, wanted.topics, wanted.language
      from jsonb_populate_record(stored, settings) as wanted
    )
    where stored.coach_id = save_mail_settings.coach_id and stored.user_id = expert_id;
  end if;
  select * into known from private.mail_settings as stored
  where stored.coach_id = save_mail_settings.coach_id and stored.user_id = expert_id;
  return private.answer(client, json_build_object(
    'address', address, 'is_refused', address is not null and private.is_refused(client.account_id, address),
    'asks_for_human', known.asks_for_human, 'digest', known.digest, 'hour', known.hour, 'weekday', known.weekday,
    'time_zone', known.time_zone, 'failures', known.failures, 'budget', known.budget, 'topics', known.topics,
    'language', known.language
  ));
end $$;
comment on function public.save_mail_settings is 'Reply of GET and PUT /coaches/{coachId}/experts/me/mail: the settings, after changes of some, or {error}.';

-- Making mails
--
-- Called by what happens, with the locks that it holds. A mail is the last thing that is locked.

-- It goes to an expert, to a person who asks, or to an address. What is in the same bundle and was not tried yet becomes
-- one mail: its ids are added up.
create function private.enqueue_mail(kind text, account_id uuid, coach_id text, expert_id uuid default null,
  user_id text default null, address text default null, data jsonb default '{}', due_at timestamptz default now(),
  bundled_as text default null) returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.mails as waiting (kind, account_id, coach_id, expert_id, user_id, address, data, due_at, bundle)
  values (kind, account_id, coach_id, expert_id, user_id, address, data, due_at, bundled_as)
  on conflict (bundle) where bundle is not null and attempts = 0 do update set data = private.add_ids(waiting.data, excluded.data);
end $$;

-- The data of a mail, with the ids of another one of its bundle.
create function private.add_ids(data jsonb, added jsonb) returns jsonb
language plpgsql immutable security invoker set search_path = '' as $$
begin
  if not added ? 'ids' or jsonb_array_length(data->'ids') >= 200 then return data; end if;
  return data || jsonb_build_object('ids', coalesce(data->'ids', '[]') || coalesce(added->'ids', '[]'));
end $$;

-- Tells the experts of a coach that a person asks for a human. After a dozen such mails in an hour, an expert gets one
-- about all others at its end.
create function private.mail_call(account_id uuid, coach_id text, thread_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  most constant integer := 12;
  settings private.mail_settings;
begin
  for settings in
    select * from private.mail_settings as stored
    where stored.coach_id = mail_call.coach_id and stored.asks_for_human order by stored.user_id for no key update
  loop
    update private.mail_settings as counted
    set calls = case when counted.calls_since > now() - interval '1 hour' then counted.calls + 1 else 1 end,
      calls_since = case when counted.calls_since > now() - interval '1 hour' then counted.calls_since else now() end
    where counted.id = settings.id returning * into settings;
    perform private.enqueue_mail('human', mail_call.account_id, mail_call.coach_id, settings.user_id,
      data => jsonb_build_object('ids', jsonb_build_array(mail_call.thread_id)),
      due_at => case when settings.calls > most then settings.calls_since + interval '1 hour' else now() end,
      bundled_as => 'human ' || settings.id);
  end loop;
end $$;

-- Tells the webhook of the account, and those experts of a coach who can mend it, that a file or source has failed.
-- What fails within a minute is one mail.
-- Definer: operators may change files and sources, but have no rights on the private schema.
create function private.tell_failure() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.webhook_messages (account_id, kind, data)
  select webhook.account_id, tg_argv[0] || '.failed',
    jsonb_build_object('coach_id', new.coach_id, tg_argv[0] || '_id', coalesce(to_jsonb(new)->>'replaces', new.id::text))
  from private.webhooks as webhook where webhook.account_id = new.account_id and webhook.is_active;
  perform private.enqueue_mail('failure', new.account_id, new.coach_id, settings.user_id,
    data => jsonb_build_object('ids', jsonb_build_array(new.id)), due_at => now() + interval '1 minute',
    bundled_as => 'failure ' || settings.id)
  from private.mail_settings as settings
  where settings.coach_id = new.coach_id and settings.failures
    and private.find_role(settings.coach_id, settings.user_id::text) <> 'answerer';
  return null;
end $$;
create trigger knowledge_files_tell_failure after update of status on public.knowledge_files
  for each row when (new.status = 'failed' and old.status <> 'failed') execute function private.tell_failure('file');
create trigger knowledge_sources_tell_failure after update of status on public.knowledge_sources
  for each row when (new.status = 'failed' and old.status <> 'failed') execute function private.tell_failure('source');

-- Tells the owners of the coaches of a budget that it is used up, each once.
create function private.mail_budget(budget public.budgets) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.enqueue_mail('budget', budget.account_id, owner.coach_id, owner.user_id,
    data => jsonb_build_object('budget_id', budget.id))
  from (
    select distinct on (expert.user_id) expert.user_id, expert.coach_id from public.coach_experts as expert
    cross join lateral (
      select stored.budget from private.mail_settings as stored
      where stored.coach_id = expert.coach_id and stored.user_id = expert.user_id offset 0
    ) as settings
    where expert.account_id = budget.account_id and expert.role = 'owner' and settings.budget
      and (budget.coach_id is null or expert.coach_id = budget.coach_id)
    order by expert.user_id, expert.created_at
  ) as owner;
end $$;

-- Tells the person of a thread that the expert has answered, if they want to know, and have not read it by then.
create function private.mail_asker(thread_id uuid, message_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.enqueue_mail('answered', thread.account_id, thread.coach_id, user_id => thread.user_id,
    data => jsonb_build_object('ids', jsonb_build_array(mail_asker.message_id)),
    due_at => now() + interval '10 seconds', bundled_as => 'answered ' || thread.id)
  from public.threads as thread
  where thread.id = mail_asker.thread_id and exists (
    select from private.user_addresses as known
    where known.account_id = thread.account_id and known.user_id = thread.user_id and known.confirmed_at is not null
  ) and not exists (
    -- Told already, with a link to the answer itself.
    select from private.requests as request
    where request.reply_id = mail_asker.message_id and request.confirmed_at is not null
  );
end $$;

-- Sends an invitation to the address that it names, in the language of whoever invites. An address gets few a day; the link
-- is also shown to whoever invites.
-- Definer: as add_mail_settings().
create function private.mail_invitation() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- All experts of an account together: they invite each other. An ID of a user has no space.
  if not private.may_check_address(new.account_id, 'all invitations', new.email, most_of_user => 50) then return null; end if;
  perform private.enqueue_mail('invitation', new.account_id, new.coach_id, address => new.email,
    data => jsonb_build_object('invitation_id', new.id, 'language', (
      select settings.language from private.mail_settings as settings
      where settings.coach_id = new.coach_id and settings.user_id = new.invited_by
    )));
  return null;
end $$;
create trigger coach_invitations_are_mailed after insert on private.coach_invitations
  for each row when (new.email is not null) execute function private.mail_invitation();

-- Makes the digests that are due: of coaches with questions that wait, and with a new one since the last digest or none
-- for a week.
create function private.make_digests() returns void language plpgsql volatile security invoker set search_path = '' as $$
declare
  settings private.mail_settings;
  newest_at timestamptz;
begin
  for settings in
    select * from private.mail_settings as stored where stored.digest_due_at <= now()
    order by stored.digest_due_at limit 200 for update skip locked
  loop
    newest_at := (
      select max(question.last_asked_at) from public.open_questions as question
      where question.coach_id = settings.coach_id and question.status = 'open'
    );
    update private.mail_settings as stored
    set digest_due_at = private.next_digest(stored.digest, stored.hour, stored.weekday, stored.time_zone, now()),
      digested_at = case when newest_at > least(stored.digested_at, now() - interval '7 days') then now()
        else stored.digested_at end
    where stored.id = settings.id;
    if newest_at > settings.digested_at or newest_at is not null and settings.digested_at <= now() - interval '7 days' then
      perform private.enqueue_mail('digest', expert.account_id, expert.coach_id, expert.user_id,
        bundled_as => 'digest ' || settings.id)
      from public.coach_experts as expert
      where expert.coach_id = settings.coach_id and expert.user_id = settings.user_id;
    end if;
  end loop;
end $$;

-- Makes the mails about what people asked that are due. What they say is read when they are sent.
create function private.make_topic_mails() returns void language plpgsql volatile security invoker set search_path = '' as $$
declare settings private.mail_settings;
begin
  for settings in
    select * from private.mail_settings as stored where stored.topics_due_at <= now()
    order by stored.topics_due_at limit 200 for update skip locked
  loop
    update private.mail_settings as stored
    set topics_due_at = private.next_digest('weekly', stored.hour, stored.weekday, stored.time_zone, now())
    where stored.id = settings.id;
    perform private.enqueue_mail('topics', expert.account_id, expert.coach_id, expert.user_id,
      bundled_as => 'topics ' || settings.id)
    from public.coach_experts as expert
    where expert.coach_id = settings.coach_id and expert.user_id = settings.user_id;
  end loop;
end $$;

-- Tells webhooks once a day, of each coach, how many questions wait.
create function private.tell_waiting() returns void language plpgsql volatile security invoker set search_path = '' as $$
declare due_webhook private.webhooks;
begin
  for due_webhook in
    select * from private.webhooks as webhook where webhook.waiting_due_at <= now() order by webhook.account_id
    limit 100 for no key update skip locked
  loop
    update private.webhooks as webhook set waiting_due_at = private.next_digest('daily', 8, 1, 'UTC', now())
    where webhook.account_id = due_webhook.account_id;
    continue when not due_webhook.is_active;
    insert into private.webhook_messages (account_id, kind, data)
    select due_webhook.account_id, 'questions.waiting',
      jsonb_build_object('coach_id', waiting.coach_id, 'questions', waiting.questions, 'people', waiting.people)
    from (
      select question.coach_id, count(distinct question.id) as questions, count(distinct asking.user_id) as people
      from public.open_questions as question
      join private.askings as asking on asking.question_id = question.id
      where question.account_id = due_webhook.account_id and question.status = 'open' group by question.coach_id
    ) as waiting;
  end loop;
end $$;

-- Sending

-- What a mail says, and to whom; null if it is of no use any more.
create function private.compose_mail(mail private.mails) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  settings private.mail_settings;
  known private.user_addresses;
  composed jsonb;
begin
  if mail.expert_id is not null then
    select * into settings from private.mail_settings as stored
    where stored.coach_id = mail.coach_id and stored.user_id = mail.expert_id;
    if not found then return null; end if;
    composed := jsonb_build_object('address', private.find_address(mail.expert_id), 'language', settings.language,
      'subscription_id', settings.id, 'content', private.describe_for_expert(mail, settings));
  elsif mail.data ? 'request_id' then
    select jsonb_build_object('address', request.address, 'language', request.language,
      'subscription_id', request.address_id, 'content', jsonb_build_object())
    into composed
    from private.requests as request
    where request.id = (mail.data->>'request_id')::uuid and request.address_id = (mail.data->>'address_id')::uuid
      and case mail.kind when 'request_confirmation' then request.confirmed_at is null
        else request.confirmed_at is not null and request.answered_at is not null and request.withdrawn_at is null end;
  elsif mail.user_id is not null then
    known := private.find_user_address(mail.account_id, mail.user_id);
    composed := jsonb_build_object('address', known.address, 'language', known.language, 'subscription_id', known.id,
      'content', case
        when mail.kind = 'confirmation' then
          case when known.confirmed_at is null and known.id::text = mail.data->>'address_id' then '{}'::jsonb end
        when known.confirmed_at is not null then (
          select jsonb_build_object('count', count(*), 'thread_id', (array_agg(message.thread_id))[1])
          from jsonb_array_elements_text(mail.data->'ids') as named (id)
          cross join lateral (select * from public.messages as found where found.id = named.id::uuid offset 0) as message
          where message.is_unread having count(*) > 0
        ) end);
  else
    composed := jsonb_build_object('address', mail.address, 'language', coalesce(mail.data->>'language', 'en'),
      'subscription_id', null, 'content', (
        select jsonb_build_object('role', invitation.role, 'expires_at', private.to_wire_time(invitation.expires_at),
          'invited_by', private.name_expert(invitation.invited_by, null)->>'email')
        from private.coach_invitations as invitation
        where invitation.id = (mail.data->>'invitation_id')::uuid and private.is_open(invitation)
      ));
  end if;
  if composed->>'address' is null or composed->>'content' is null
    or private.is_refused(mail.account_id, composed->>'address') then return null; end if;
  return composed || jsonb_build_object('coach_name', (
    select coach.name from public.coach_profiles as coach where coach.id = mail.coach_id
  ), 'expert_name', case when mail.kind in ('answered', 'request_answered') then (
    -- The own name of the expert who has written the reply; null: people see that of the coach.
    select expert.name
    from (
      select named.id::uuid from jsonb_array_elements_text(mail.data->'ids') as named (id)
      union all
      select request.reply_id from private.requests as request where request.id = (mail.data->>'request_id')::uuid
    ) as reply (id)
    cross join lateral (select * from public.messages as found where found.id = reply.id offset 0) as message
    join public.coach_experts as expert on expert.coach_id = mail.coach_id and expert.user_id = message.expert_id
    order by message.created_at desc limit 1
  ) end);
end $$;

-- What a mail tells an expert. Of what people have said, only the sentence of an open question.
create function private.describe_for_expert(mail private.mails, settings private.mail_settings) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  ids constant uuid[] := array(select named.id::uuid from jsonb_array_elements_text(mail.data->'ids') as named (id));
  role constant text := private.find_role(mail.coach_id, mail.expert_id::text);
  zone text;
  today date;
  from_time timestamptz;
  before_time timestamptz;
  content jsonb;
begin
  if mail.kind = 'human' and settings.asks_for_human then
    select jsonb_build_object('count', count(*), 'thread_id', (array_agg(thread.id))[1], 'question', max(asked.question))
    into content
    from unnest(ids) as named (id)
    cross join lateral (select * from public.threads as found where found.id = named.id offset 0) as thread
    left join lateral (
      select question.question from private.askings as asking
      join public.open_questions as question on question.id = asking.question_id
      where asking.thread_id = thread.id and asking.reason = 'human' order by asking.asked_at desc limit 1
    ) as asked on true
    where thread.needs_reply_at is not null and thread.coach_id = mail.coach_id having count(*) > 0;
  elsif mail.kind = 'digest' and settings.digest <> 'off' then
    select jsonb_build_object('count', count(*), 'questions', (
      select coalesce(jsonb_agg(jsonb_build_object('question', first.question, 'people', first.people) order by first.place), '[]')
      from (
        select asked.question, asked.people, row_number() over () as place from public.open_questions as asked
        where asked.coach_id = mail.coach_id and asked.status = 'open' and asked.question is not null
        order by asked.people desc, asked.last_asked_at desc, asked.id desc limit 5
      ) as first
    ))
    into content
    from public.open_questions as question
    where question.coach_id = mail.coach_id and question.status = 'open' having count(*) > 0;
  elsif mail.kind = 'topics' and settings.topics then
    -- The seven days before today, as the desk shows them. Names of zones are withdrawn at times.
    zone := case when private.refuse_unknown_zone(settings.time_zone) is null then settings.time_zone else 'UTC' end;
    today := (now() at time zone zone)::date;
    from_time := (today - 7)::timestamp at time zone zone;
    before_time := today::timestamp at time zone zone;
    select jsonb_build_object('from', today - 7, 'to', today - 1, 'count', week.count, 'before', week.before,
      'not_known', week.not_known, 'topics', (
        select coalesce(jsonb_agg(first.topic), '[]')
        from (
          select topic from json_array_elements(private.list_topics(mail.coach_id, from_time, before_time)) as topic limit 3
        ) as first
      ))
    into content
    from (
      select count(*) filter (where held.began_at >= from_time) as count,
        count(*) filter (where held.began_at < from_time) as before,
        count(*) filter (where held.began_at >= from_time and held.not_known) as not_known
      from private.read_topic_threads(mail.coach_id, from_time - (before_time - from_time), before_time) as held
    ) as week
    where week.count > 0;
  elsif mail.kind = 'failure' and settings.failures and role <> 'answerer' then
    select jsonb_build_object('count', count(*), 'names', (array_agg(failed.name order by failed.name))[:10]) into content
    from unnest(ids) as named (id)
    cross join lateral (
      select file.name from public.knowledge_files as file
      where file.id = named.id and file.status = 'failed' and file.coach_id = mail.coach_id
      union all
      select source.url from public.knowledge_sources as source
      where source.id = named.id and source.status = 'failed' and source.coach_id = mail.coach_id
    ) as failed having count(*) > 0;
  elsif mail.kind = 'budget' and settings.budget and role = 'owner' then
    select jsonb_build_object('scope', private.budget_scope(budget.whole), 'resets_at', case when isfinite(budget.ends_at)
      then private.to_wire_time(budget.ends_at) end)
    into content
    from (
      select known as whole, private.period_end(known.period, private.period_start(known.period)) as ends_at
      from public.budgets as known where known.id = (mail.data->>'budget_id')::uuid
    ) as budget;
  end if;
  return content;
end $$;

-- The mails that are due, at most most: of each account the first, then the second, and so on. What is being sent for an
-- account counts before them. Accounts are found by stepping through the index, however long the backlog is.
create function private.find_due_mails(most integer) returns setof uuid
language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
  with recursive account (id) as (
    (select mail.account_id from private.mails as mail order by mail.account_id limit 1)
    union all
    select (
      select mail.account_id from private.mails as mail
      where mail.account_id > account.id order by mail.account_id limit 1
    )
    from account where account.id is not null
  )
  select waiting.id
  from account
  cross join lateral (
    select due.id, due.due_at, row_number() over (order by due.due_at) + (
      select count(*) from private.mails as busy
      where busy.account_id = account.id and busy.claim is not null
        and busy.due_at > now() and busy.due_at <= now() + interval '3 minutes'
    ) as place
    from (
      select * from private.mails as mail
      where mail.account_id = account.id and mail.due_at <= now() order by mail.due_at limit most
    ) as due
  ) as waiting
  order by waiting.place, waiting.due_at limit most;
end $$;

-- Claims mails that are due, for three minutes, at most most; those of no use any more are deleted.
-- The result is [{id, claim, kind, account_id, address, language, subscription_id, coach_name, content}].
create function public.take_mails(most integer) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  due_id uuid;
  mail private.mails;
  composed jsonb;
  taken jsonb := '[]';
begin
  perform private.make_digests();
  perform private.make_topic_mails();
  perform private.delete_old_mails();
  for due_id in select * from private.find_due_mails(10 * most) loop
    select * into mail from private.mails as due where due.id = due_id and due.due_at <= now() for update skip locked;
    continue when not found;
    composed := private.compose_mail(mail);
    if composed is null then
      delete from private.mails as useless where useless.id = mail.id;
      continue;
    end if;
    update private.mails as claimed
    set claim = gen_random_uuid(), attempts = claimed.attempts + 1, due_at = now() + interval '3 minutes'
    where claimed.id = mail.id returning * into mail;
    taken := taken || (composed || jsonb_build_object(
      'id', mail.id, 'claim', mail.claim, 'kind', mail.kind, 'account_id', mail.account_id
    ));
    exit when jsonb_array_length(taken) >= most;
  end loop;
  return taken;
end $$;
comment on function public.take_mails is 'Claims mails that are due to be sent, for three minutes, with what they say.';

-- The token of a mailed invitation or answer is made when the mail is sent: only its digest is kept, which opening it
-- looks for.
create function public.note_mail_token(mail_id uuid, claim uuid, digest text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  data constant jsonb := (
    select mail.data from private.mails as mail where mail.id = mail_id and mail.claim = note_mail_token.claim
  );
begin
  if data ? 'request_id' then
    update private.requests as request set answer_digest = note_mail_token.digest
    where request.id = (data->>'request_id')::uuid and request.answered_at is not null and request.withdrawn_at is null;
  else
    update private.coach_invitations as invitation set mailed_digest = note_mail_token.digest
    where invitation.id = (data->>'invitation_id')::uuid;
  end if;
  return found;
end $$;
comment on function public.note_mail_token is 'Has the token in a claimed mail accept its invitation or open its answer, in place of that of an earlier try; false if there is nothing to open any more.';

-- outcomes: [{id, claim, address, error, reply, is_final}]; error null: sent. reply: the code with which a server has
-- refused the address for good. is_final: another try would not help. Mails that were claimed again meanwhile are skipped.
-- The result is [{id, account_id, kind, error}]: mails that are given up.
create function public.finish_mails(outcomes jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The pauses before a mail is tried again add up to somewhat less than a day.
  pauses constant interval[] := '{30 seconds,2 minutes,10 minutes,30 minutes,1 hour,3 hours,6 hours,12 hours}';
  outcome record;
  mail private.mails;
  given_up jsonb := '[]';
begin
  for outcome in
    select * from jsonb_to_recordset(finish_mails.outcomes)
      as given (id uuid, claim uuid, address text, error text, reply integer, is_final boolean)
    order by given.id
  loop
    select * into mail from private.mails as held where held.id = outcome.id and held.claim = outcome.claim for update;
    continue when not found;
    if outcome.reply is not null then
      insert into private.refused_addresses (account_id, address_hash, reply)
      values (mail.account_id, private.hash_for_mail(mail.account_id, outcome.address), outcome.reply) on conflict do nothing;
    end if;
    if outcome.error is null then
      delete from private.mails as sent where sent.id = mail.id;
    elsif outcome.is_final or mail.created_at <= now() - interval '1 day' then
      delete from private.mails as hopeless where hopeless.id = mail.id;
      given_up := given_up || jsonb_build_object(
        'id', mail.id, 'account_id', mail.account_id, 'kind', mail.kind, 'error', outcome.error
      );
    else
      update private.mails as held
      set claim = null, last_error = outcome.error,
        due_at = least(now() + pauses[least(mail.attempts, 8)], mail.created_at + interval '1 day')
      where held.id = mail.id;
    end if;
  end loop;
  return given_up;
end $$;
comment on function public.finish_mails is 'Notes what has become of mails that were taken, and returns those that are given up.';

-- Deletes mails that nobody could send for a day, and forgets who was asked to confirm an address the day before.
create function private.delete_old_mails() returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.mails as old where old.due_at <= now() - interval '1 day';
  delete from private.address_checks as old where old.sent_at <= now() - interval '1 day';
  perform private.forget_request_addresses();
end $$;

-- For operators who try mail out, and for tests.
create function public.hurry_mails(coach_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.mail_settings as settings set digest_due_at = now(), digested_at = '-infinity'
  where settings.coach_id = hurry_mails.coach_id and settings.digest <> 'off';
  update private.mail_settings as settings set topics_due_at = now()
  where settings.coach_id = hurry_mails.coach_id and settings.topics;
  update private.mails as mail set due_at = now()
  where mail.account_id = (select coach.account_id from public.coach_profiles as coach where coach.id = hurry_mails.coach_id)
    and mail.coach_id = hurry_mails.coach_id and mail.claim is null;
end $$;
comment on function public.hurry_mails is 'Has the next call of the mailer send what waits to be told about a coach, and the digests of its experts.';

-- Links in mails

create function public.unsubscribe_mail(kind text, subscription_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if unsubscribe_mail.kind = 'answered' then
    delete from private.user_addresses as known where known.id = unsubscribe_mail.subscription_id;
    return;
  end if;
  if unsubscribe_mail.kind = 'not_me' then
    insert into private.refused_addresses (account_id, address_hash)
    select given.account_id, private.hash_for_mail(given.account_id, private.without_plus(given.address))
    from (
      select known.account_id, known.address from private.user_addresses as known where known.id = subscription_id
      union all
      select request.account_id, request.address from private.requests as request where request.address_id = subscription_id
    ) as given on conflict do nothing;
    delete from private.user_addresses as known where known.id = subscription_id;
    perform private.forget_request_addresses(subscription_id);
    return;
  end if;
  update private.mail_settings as settings
  set asks_for_human = settings.asks_for_human and unsubscribe_mail.kind <> 'human',
    digest = case when unsubscribe_mail.kind = 'digest' then 'off' else settings.digest end,
    failures = settings.failures and unsubscribe_mail.kind <> 'failure',
    budget = settings.budget and unsubscribe_mail.kind <> 'budget',
    topics = settings.topics and unsubscribe_mail.kind <> 'topics'
  where settings.id = unsubscribe_mail.subscription_id;
end $$;
comment on function public.unsubscribe_mail is 'Ends the mails of a kind, for whoever has got one with this id in its link.';

create function public.confirm_mail(subscription_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare request private.requests;
begin
  update private.user_addresses as known set confirmed_at = coalesce(known.confirmed_at, now())
  where known.id = confirm_mail.subscription_id;
  if found then return true; end if;
  select * into request from private.requests as asked where asked.address_id = confirm_mail.subscription_id for no key update;
  if not found then return false; end if;
  if request.confirmed_at is null then
    update private.requests as asked
    set confirmed_at = now(), forget_at = greatest(asked.answered_at, asked.withdrawn_at) + interval '30 days'
    where asked.id = request.id returning * into request;
    -- It may have been answered meanwhile.
    perform private.mail_answer(request);
  end if;
  return true;
end $$;
comment on function public.confirm_mail is 'Confirms the address with this id; false if it was replaced or deleted.';

-- The addresses of people who ask

-- The address of a user; nulls if there is none.
create function private.find_user_address(account_id uuid, user_id text) returns private.user_addresses
language plpgsql stable security invoker set search_path = '' as $$
declare known private.user_addresses;
begin
  select * into known from private.user_addresses as stored
  where stored.account_id = find_user_address.account_id and stored.user_id = find_user_address.user_id;
  return known;
end $$;

-- Whether an address that somebody has typed in may be written to once more today, which is noted: a few times for an
-- address, whatever follows a plus in it, for a user and, if most_of_account says so, for all users together, who are
-- counted like a user without addresses. What is deleted afterwards counts, too.
create function private.may_check_address(account_id uuid, user_id text, address text, most_of_user integer default 5,
  most_of_account integer default null) returns boolean language plpgsql volatile security invoker set search_path = '' as $$
declare
  most_of_address constant integer := 3;
  user_key constant text := private.hash_for_mail(account_id, 'user ' || user_id);
  address_key constant text := private.hash_for_mail(account_id, private.without_plus(address));
  account_key constant text := case when most_of_account is not null then private.hash_for_mail(account_id, 'all requests') end;
begin
  if account_key is not null then perform pg_advisory_xact_lock(hashtextextended(account_key, 0)); end if;
  -- Counts are exact: users come before addresses, so that nobody waits in a circle.
  perform pg_advisory_xact_lock(hashtextextended(user_key, 0));
  perform pg_advisory_xact_lock(hashtextextended(address_key, 0));
  if most_of_user <= (
    select count(*) from private.address_checks as checked
    where checked.account_id = may_check_address.account_id and checked.user_hash = user_key
      and checked.sent_at > now() - interval '1 day'
  ) or most_of_address <= (
    select count(*) from private.address_checks as checked
    where checked.account_id = may_check_address.account_id and checked.address_hash = address_key
      and checked.sent_at > now() - interval '1 day'
  ) or most_of_account <= (
    select count(*) from private.address_checks as checked
    where checked.account_id = may_check_address.account_id and checked.user_hash = account_key
      and checked.sent_at > now() - interval '1 day'
  ) then
    return false;
  end if;
  insert into private.address_checks (account_id, user_hash, address_hash)
  select account_id, counted.user_hash, counted.address_hash
  from (values (user_key, address_key), (account_key, '')) as counted (user_hash, address_hash)
  where counted.user_hash is not null;
  return true;
end $$;

-- Forgets the address of a user, and what waits to be sent to it. Returns how many there were.
create function private.forget_address(account_id uuid, user_id text) returns integer
language plpgsql volatile security invoker set search_path = '' as $$
declare forgotten text;
begin
  delete from private.mails as mail
  where mail.account_id = forget_address.account_id and mail.user_id = forget_address.user_id;
  delete from private.user_addresses as known
  where known.account_id = forget_address.account_id and known.user_id = forget_address.user_id
  returning known.address into forgotten;
  return (forgotten is not null)::integer;
end $$;

-- changes: {email, language: if it is left out, as before}; email null: the address is forgotten. changes null: it is
-- only read. Returns {email, is_confirmed, is_refused, language}.
create function public.save_user_mail(caller jsonb, user_id text, changes jsonb default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => changes is not null);
  email constant text := changes->>'email';
  known private.user_addresses;
begin
  if client.is_anonymous then return private.refuse(client, 'permanent_user_required'); end if;
  if not client.is_admitted then return private.answer(client); end if;
  if changes is not null and email is null then perform private.forget_address(client.account_id, client.user_id); end if;
  known := private.find_user_address(client.account_id, client.user_id);
  if email is not null then
    if (lower(known.address) = lower(email) and known.confirmed_at is not null) is not true
      and not private.may_check_address(client.account_id, client.user_id, email) then
      return private.refuse(client, 'too_many_mails');
    end if;
    insert into private.user_addresses as stored (account_id, user_id, address, language)
    values (client.account_id, client.user_id, email, coalesce(changes->>'language', 'en'))
    on conflict on constraint user_addresses_are_one_for_a_user do update
    -- Compared with the row itself: another request may have changed it.
    set id = case when lower(stored.address) = lower(excluded.address) then stored.id else excluded.id end,
      confirmed_at = case when lower(stored.address) = lower(excluded.address) then stored.confirmed_at end,
      address = excluded.address, language = coalesce(changes->>'language', stored.language)
    returning * into known;
    if known.confirmed_at is null and not private.is_refused(known.account_id, known.address) then
      perform private.enqueue_mail('confirmation', known.account_id, null, user_id => known.user_id,
        data => jsonb_build_object('address_id', known.id), bundled_as => 'confirmation ' || known.id);
    end if;
  end if;
  return private.answer(client, json_build_object('email', known.address,
    'is_confirmed', known.confirmed_at is not null,
    'is_refused', known.id is not null and private.is_refused(client.account_id, known.address),
    'language', coalesce(known.language, 'en')));
end $$;
comment on function public.save_user_mail is 'Reply of GET, PUT and DELETE /users/{userId}/mail: the address of a user, after a change, or {error}.';
