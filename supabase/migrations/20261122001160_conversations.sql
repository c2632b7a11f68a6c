-- The conversations with a coach and its usage, for its expert or an application that acts for them.
-- Table private.saved_replies: texts that the experts of a coach use again and again.
-- Tables: private.askers, the people who asked a coach and when; private.thread_facts, who the person of a
-- thread is and what experts have noted down; private.thread_reads, who has seen which thread. One person may ask on
-- several days, so people are counted when a period is read.
-- Surprise: people who are erased no longer count, unlike their turns.

create table private.askers (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  at timestamptz not null,
  user_id text not null,
  constraint askers_are_kept_once primary key (coach_id, at, user_id)
);
comment on table private.askers is 'The people who asked a coach in each quarter of an hour, for 400 days, without those who are still in the ledger.';
comment on column private.askers.at is 'When the quarter of an hour began: days of all time zones begin with one.';

-- Erasing a user.
create index askers_by_user on private.askers (user_id, coach_id);
-- The sweep deletes the oldest.
create index askers_by_time on private.askers (at);

create table private.thread_facts (
  thread_id uuid primary key references public.threads (id) on delete cascade,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  name text,
  email text,
  language text,
  page_url text,
  assigned_to uuid,
  note text,
  constraint thread_facts_assignee_is_an_expert foreign key (coach_id, assigned_to)
    references public.coach_experts (coach_id, user_id) on update cascade on delete set null (assigned_to),
  constraint thread_facts_page_is_an_address check (page_url ~ '^https?://' and char_length(page_url) <= 2000),
  constraint thread_facts_note_is_1_to_4000_characters check (note ~ '\S' and char_length(note) <= 4000)
);
comment on table private.thread_facts is 'What experts know of a thread besides what was said. Deleted with it.';
comment on column private.thread_facts.name is 'The name in the token of its person, when they last asked; null: it has none, or there was none.';
comment on column private.thread_facts.email is 'The email address there, likewise.';
comment on column private.thread_facts.language is 'The language of the page or app, as a tag; null: not known.';
comment on column private.thread_facts.page_url is 'The page that the chat was on, without credentials, query and fragment; null: not known.';
comment on column private.thread_facts.assigned_to is 'The expert who sees to it; null: nobody.';
comment on column private.thread_facts.note is 'A note of the experts, for each other. The person never sees it, but gets it when they ask for all that is stored about them.';

-- An expert who leaves, or a coach that is deleted.
create index thread_facts_by_assignee on private.thread_facts (coach_id, assigned_to);

create table private.thread_reads (
  thread_id uuid not null references public.threads (id) on delete cascade,
  coach_id text not null,
  user_id uuid not null,
  seen_at timestamptz not null default clock_timestamp(),
  constraint thread_reads_are_kept_once primary key (thread_id, user_id),
  constraint thread_reads_are_of_experts foreign key (coach_id, user_id)
    references public.coach_experts (coach_id, user_id) on update cascade on delete cascade
);
comment on table private.thread_reads is 'When each expert last looked at a thread.';
comment on column private.thread_reads.user_id is 'The expert.';
comment on column private.thread_reads.seen_at is 'When the expert last read its messages at the desk.';

-- An expert who leaves.
create index thread_reads_by_expert on private.thread_reads (coach_id, user_id);

-- Conversations

-- Keeps what is known of the person who asks in a thread. about: some of {name, email, language, page_url}; what is left
-- out stays as it is. Name and address are those of a login: if they have changed, the other threads of the person follow.
create function private.meet_person(thread public.threads, about jsonb) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  known private.thread_facts;
  told private.thread_facts;
begin
  select * into known from private.thread_facts as facts where facts.thread_id = thread.id;
  told := jsonb_populate_record(known, about);
  if (told.name, told.email, told.language, told.page_url) is not distinct from
    (known.name, known.email, known.language, known.page_url) then return; end if;
  insert into private.thread_facts as facts (thread_id, coach_id, name, email, language, page_url)
  values (thread.id, thread.coach_id, told.name, told.email, told.language, told.page_url)
  on conflict (thread_id) do update
  set name = excluded.name, email = excluded.email, language = excluded.language, page_url = excluded.page_url;
  if (told.name, told.email) is not distinct from (known.name, known.email) then return; end if;
  update private.thread_facts as facts set name = told.name, email = told.email
  where facts.thread_id = any (array(
    select other.thread_id
    from (
      select own.id from public.threads as own
      where own.account_id = thread.account_id and own.user_id = thread.user_id and own.is_standalone = thread.is_standalone
      order by own.updated_at desc, own.id desc limit 100
    ) as own
    join private.thread_facts as other on other.thread_id = own.id
    where (other.name, other.email) is distinct from (told.name, told.email)
    -- One that is locked learns it from the question that has locked it.
    for no key update of other skip locked
  ));
end $$;

-- How often a person has come to a coach, up to thirty times, and when first.
create function private.describe_visits(coach_id text, user_id text) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select jsonb_build_object('threads', count(*), 'first_seen_at', private.to_wire_time(min(own.created_at)))
    from (
      select thread.created_at from public.threads as thread
      where thread.coach_id = describe_visits.coach_id and thread.user_id = describe_visits.user_id
      order by thread.created_at limit 30
    ) as own
  );
end $$;

-- A thread as the expert behind its coach sees it; reader_id null: a server. visits: see describe_visits().
create function private.describe_conversation(thread public.threads, reader_id uuid, visits jsonb default null) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare facts private.thread_facts;
begin
  select * into facts from private.thread_facts as known where known.thread_id = thread.id;
  return private.describe_thread(thread, true)::jsonb || jsonb_build_object(
    'needs_reply_at', private.to_wire_time(thread.needs_reply_at), 'has_down', thread.has_down,
    'person', jsonb_build_object('name', facts.name, 'email', facts.email, 'language', facts.language,
      'page_url', facts.page_url) || coalesce(visits, private.describe_visits(thread.coach_id, thread.user_id)),
    'taken_over_by', case when private.is_taken_over(thread.taken_over_until) then thread.taken_over_by end,
    'assigned_to', facts.assigned_to, 'is_closed', thread.is_closed, 'note', facts.note,
    'is_unread', case when reader_id is not null then not thread.is_closed and not exists (
      select from private.thread_reads as seen
      where seen.thread_id = thread.id and seen.user_id = reader_id and seen.seen_at >= thread.updated_at
    ) end,
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
  -- Only one of the four is read, each from its own index. One more than the page tells whether there is another.
  (
    select * from public.threads as thread
    where not wants_need and not wants_down and (filter.is_closed is null or wants_standalone)
      and (filter.is_closed is null or thread.is_closed = filter.is_closed) and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) < (find_conversations.first_updated_at, find_conversations.first_id)
    order by thread.updated_at desc, thread.id desc limit filter.page_size + 1
  )
  union all
  (
    select * from public.threads as thread
    where not wants_need and not wants_down and not wants_standalone
      and thread.is_closed = filter.is_closed and not thread.is_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) < (find_conversations.first_updated_at, find_conversations.first_id)
    order by thread.updated_at desc, thread.id desc limit filter.page_size + 1
  )
  union all
  (
    select * from public.threads as thread
    where wants_need and thread.needs_reply_at is not null and (not wants_down or thread.has_down)
      and (filter.is_closed is null or thread.is_closed = filter.is_closed)
      and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) < (find_conversations.first_updated_at, find_conversations.first_id)
    order by thread.updated_at desc, thread.id desc limit filter.page_size + 1
  )
  union all
  (
    select * from public.threads as thread
    where wants_down and not wants_need and thread.has_down and thread.is_standalone = wants_standalone
      and (filter.is_closed is null or thread.is_closed = filter.is_closed)
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
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if wanted.search is not null then return private.answer(client, private.list_found_threads(client, wanted)); end if;
  return private.answer(client, private.describe_entries(array(
    with found as materialized (
      select thread, thread.user_id from private.find_conversations(
        client, wanted, first_updated_at, case when after_updated_at = first_updated_at then wanted.after_id end
      ) as thread
    ), person as materialized (
      select met.user_id, private.describe_visits(wanted.coach_id, met.user_id) as visits
      from (select distinct found.user_id from found) as met
    )
    select row(private.describe_conversation(found.thread, private.to_auth_id(client.user_id), person.visits),
      private.to_microseconds((found.thread).updated_at) || '_' || (found.thread).id)::private.entry
    from found join person on person.user_id = found.user_id
    order by (found.thread).updated_at desc, (found.thread).id desc
  ), wanted.page_size));
end $$;
comment on function public.list_conversations is 'Reply of GET /coaches/{coachId}/threads: a page, or {error}; filter: see private.thread_filter.';

-- changes: some of {assigned_to: an expert of the coach, is_closed, note}; what is left out stays as it is; null: it is
-- only read. Further errors: thread_not_found, assignee_not_an_expert.
create function public.update_conversation(caller jsonb, user_id text, coach_id text, thread_id uuid,
  changes jsonb default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => changes is not null);
  refusal text := coalesce(private.refuse_unless_expert(client, coach_id),
    private.refuse_unless_expert_of_thread(client, thread_id));
  thread public.threads;
  known private.thread_facts;
begin
  if refusal is null then
    select * into thread from public.threads as found
    where found.id = update_conversation.thread_id and found.coach_id = update_conversation.coach_id for no key update;
    if thread.id is null then refusal := 'thread_not_found'; end if;
  end if;
  if refusal is null and changes->>'assigned_to' is not null then
    -- Locked: an expert who leaves just now is not named.
    perform from public.coach_experts as expert
    where expert.coach_id = thread.coach_id and expert.user_id = private.to_auth_id(changes->>'assigned_to') for key share;
    if not found then refusal := 'assignee_not_an_expert'; end if;
  end if;
  if refusal is not null then return private.refuse(client, refusal); end if;
  if changes ? 'is_closed' then
    update public.threads as changed set is_closed = (changes->>'is_closed')::boolean
    where changed.id = thread.id returning * into thread;
  end if;
  if changes ?| array['assigned_to', 'note'] then
    select * into known from private.thread_facts as facts where facts.thread_id = thread.id;
    known := jsonb_populate_record(known, changes - 'is_closed');
    insert into private.thread_facts as facts (thread_id, coach_id, assigned_to, note)
    values (thread.id, thread.coach_id, known.assigned_to, known.note)
    on conflict on constraint thread_facts_pkey do update set assigned_to = excluded.assigned_to, note = excluded.note;
  end if;
  if changes is not null then
    perform private.record_event('thread.changed', thread.account_id, thread.coach_id, thread.id);
  end if;
  return private.answer(client, private.describe_conversation(thread, private.to_auth_id(client.user_id)));
end $$;
comment on function public.update_conversation is 'Returns a conversation as list_conversations() does, after it was assigned to an expert, closed or annotated; or {error}.';

-- Saved replies

create table private.saved_replies (
  id uuid primary key default gen_random_uuid(),
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  name text not null,
  content text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint saved_replies_name_is_1_to_80_characters check (btrim(name) <> '' and char_length(name) <= 80),
  constraint saved_replies_content_is_1_to_8000_characters check (btrim(content) <> '' and char_length(content) <= 8000)
);
comment on table private.saved_replies is 'What the experts of a coach often write, to be put into a reply.';
comment on column private.saved_replies.name is 'What the experts call it. People never see it.';

-- The list of a coach. Deleting a coach looks for its replies.
create index saved_replies_by_coach on private.saved_replies (coach_id, created_at, id);

create function private.describe_reply(reply private.saved_replies) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin return json_build_object('id', reply.id, 'name', reply.name, 'content', reply.content,
  'created_at', private.to_wire_time(reply.created_at));
end $$;

create function public.list_replies(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_at bigint default null, after_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  after_time constant timestamptz := timestamptz 'epoch' + after_at * interval '1 microsecond';
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_reply(reply), private.to_microseconds(reply.created_at) || '_' || reply.id)::private.entry
    from private.saved_replies as reply
    where reply.coach_id = list_replies.coach_id
      and (after_at is null or (reply.created_at, reply.id) > (after_time, after_id))
    order by reply.created_at, reply.id limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_replies is 'Reply of GET /coaches/{coachId}/replies: in the order in which they were saved, whole or one page.';

-- reply_id null: a new one. fields: some of {name, content}; null: the reply is deleted. Further errors: reply_not_found,
-- too_many_replies.
create function public.save_reply(caller jsonb, user_id text, coach_id text, reply_id uuid, fields jsonb default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  saved private.saved_replies;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if reply_id is null then
    -- One after the other: they are counted.
    perform private.lock_coach(coach_id);
    if (select count(*) from private.saved_replies as reply where reply.coach_id = save_reply.coach_id) >= 200 then
      return private.refuse(client, 'too_many_replies');
    end if;
    insert into private.saved_replies as reply (coach_id, name, content)
    values (save_reply.coach_id, fields->>'name', fields->>'content') returning * into saved;
  elsif fields is null then
    delete from private.saved_replies as reply
    where reply.id = reply_id and reply.coach_id = save_reply.coach_id returning * into saved;
  else
    update private.saved_replies as reply
    set name = coalesce(fields->>'name', reply.name), content = coalesce(fields->>'content', reply.content)
    where reply.id = reply_id and reply.coach_id = save_reply.coach_id returning * into saved;
  end if;
  if saved.id is null then return private.refuse(client, 'reply_not_found'); end if;
  return private.answer(client, private.describe_reply(saved));
end $$;
comment on function public.save_reply is 'Saves, changes or deletes a reply of the experts of a coach, and returns it, or {error}.';

-- Usage by day

-- The result is {data: the days, from, to, totals}, or {"error": …} (see refuse_unless_expert). midnights: when each day
-- of the expert's time zone begins, and the last one ends: the caller knows names of zones that Postgres may not know.
-- A person who asks on several days counts once in the totals. Turns and tokens are counted when they happen, and stay;
-- deleted feedback, questions and people no longer count.
create function public.read_coach_usage(caller jsonb, coach_id text, from_day date, midnights timestamptz[],
  user_id text default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  days constant integer := cardinality(midnights) - 1;
  from_time constant timestamptz := midnights[1];
  before_time constant timestamptz := midnights[days + 1];
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.fold_ledger();

  return private.answer(client, (
    with used as (
      select width_bucket(counts.at, midnights) as place, sum(counts.turns) as turns,
        sum(counts.input_tokens) as input_tokens, sum(counts.cached_tokens) as cached_tokens,
        sum(counts.output_tokens) as output_tokens, sum(counts.reasoning_tokens) as reasoning_tokens,
        sum(counts.estimated_turns) as estimated_turns, sum(counts.cost_micro_usd) as cost_micro_usd,
        sum(counts.unpriced_turns) as unpriced_turns
      from private.usage_counts as counts
      where counts.coach_id = read_coach_usage.coach_id and counts.account_id = client.account_id
        and counts.at >= from_time and counts.at < before_time
      group by 1
    ), asked as materialized (
      select distinct width_bucket(person.at, midnights) as place, person.user_id
      from private.askers as person
      where person.coach_id = read_coach_usage.coach_id and person.at >= from_time and person.at < before_time
    ), met as (select asked.place, count(*) as people from asked group by asked.place), opened as (
      select width_bucket(question.first_asked_at, midnights) as place, count(*) as questions
      from public.open_questions as question
      where question.coach_id = read_coach_usage.coach_id
        and question.first_asked_at >= from_time and question.first_asked_at < before_time
      group by 1
    ), rated as (
      select width_bucket(given.updated_at, midnights) as place,
        count(*) filter (where given.rating = 'up') as up, count(*) filter (where given.rating = 'down') as down
      from public.feedback as given
      where given.coach_id = read_coach_usage.coach_id
        and given.updated_at >= from_time and given.updated_at < before_time
      group by 1
    ), listed as (
      select
        from_day + each.place - 1 as day, coalesce(used.turns, 0) as turns, coalesce(used.input_tokens, 0) as input_tokens,
        coalesce(used.cached_tokens, 0) as cached_tokens, coalesce(used.output_tokens, 0) as output_tokens,
        coalesce(used.reasoning_tokens, 0) as reasoning_tokens, coalesce(used.estimated_turns, 0) as estimated_turns,
        coalesce(used.cost_micro_usd, 0) as cost_micro_usd, coalesce(used.unpriced_turns, 0) as unpriced_turns, coalesce(met.people, 0) as people,
        coalesce(opened.questions, 0) as questions_opened, coalesce(rated.up, 0) as feedback_up,
        coalesce(rated.down, 0) as feedback_down
      from generate_series(1, days) as each (place)
      left join used on used.place = each.place
      left join met on met.place = each.place
      left join opened on opened.place = each.place
      left join rated on rated.place = each.place
    )
    select json_build_object(
      'data', json_agg(listed order by listed.day), 'from', from_day, 'to', from_day + days - 1,
      'totals', json_build_object(
        'turns', sum(listed.turns), 'input_tokens', sum(listed.input_tokens),
        'cached_tokens', sum(listed.cached_tokens), 'output_tokens', sum(listed.output_tokens),
        'reasoning_tokens', sum(listed.reasoning_tokens), 'estimated_turns', sum(listed.estimated_turns),
        'cost_micro_usd', sum(listed.cost_micro_usd), 'unpriced_turns', sum(listed.unpriced_turns),
        'people', (select count(distinct asked.user_id) from asked),
        'questions_opened', sum(listed.questions_opened), 'feedback_up', sum(listed.feedback_up),
        'feedback_down', sum(listed.feedback_down)
      )
    )
    from listed
  ));
end $$;
comment on function public.read_coach_usage is 'Reply of GET /coaches/{coachId}/usage, or {error}.';
