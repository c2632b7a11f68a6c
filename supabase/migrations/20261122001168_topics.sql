-- Topics: what conversations with a coach were about, for its experts.
-- Tables, in private: topic_work (how far the sweep is with each coach), topics, topic_threads (the topic of each
-- conversation). The sweep does the work in steps, each a transaction: it reads conversations and puts them into the topics
-- that there are, makes new topics of those that fit nowhere, and names topics. A conversation keeps its topic, and a topic
-- its ID. How the words of conversations are compared is TypeScript.
-- Surprises: nothing is counted in advance, so that who is erased no longer counts. A name and examples are shown only as
-- long as all conversations that they are made of are there (witnesses); then the sweep makes others. Threads are locked
-- with `skip locked` alone: an erasure that waits for this file's rows is never waited for.

create table private.topic_work (
  coach_id text primary key references public.coach_profiles (id) on update cascade on delete cascade,
  due_at timestamptz,
  claim uuid,
  read_at timestamptz not null default '-infinity',
  read_id uuid not null default '00000000-0000-0000-0000-000000000000',
  ungrouped integer not null default 0,
  ended_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.topic_work is 'How far the sweep is with the topics of each coach that somebody has asked.';
comment on column private.topic_work.due_at is 'When the sweep takes the next step; while it takes one: when its claim runs out. Null: there is nothing to do.';
comment on column private.topic_work.read_at is 'threads.updated_at of the last thread that was read.';
comment on column private.topic_work.read_id is 'The ID of that thread.';
comment on column private.topic_work.ungrouped is 'How many conversations were read since topics were last made, and fit into none.';
comment on column private.topic_work.ended_at is 'When there was nothing left to do; null: not yet.';

-- The sweep takes what is due.
create index topic_work_by_due_time on private.topic_work (due_at) where due_at is not null;

create table private.topics (
  id uuid primary key,
  coach_id text not null references private.topic_work (coach_id) on update cascade on delete cascade,
  name text,
  examples text[] not null default '{}',
  witnesses uuid[] not null default '{}',
  is_by_model boolean not null default false,
  named_at timestamptz
);
comment on table private.topics is 'What several people have talked about with a coach.';
comment on column private.topics.id is 'The topicId of the API.';
comment on column private.topics.name is 'The name, of a model or of words that at least three people used; null: none yet.';
comment on column private.topics.examples is 'Up to three questions without personal details, from the same.';
comment on column private.topics.witnesses is 'The threads that name and examples are made of.';
comment on column private.topics.is_by_model is 'Whether a model has named it.';
comment on column private.topics.named_at is 'When it was last named, or no name was found; null: never.';

-- The topics of a coach.
create index topics_by_coach on private.topics (coach_id);

create table private.topic_threads (
  thread_id uuid primary key references public.threads (id) on delete cascade,
  coach_id text not null references private.topic_work (coach_id) on update cascade on delete cascade,
  topic_id uuid references private.topics (id) on delete set null,
  user_id text not null,
  began_at timestamptz not null,
  words text[] not null,
  meaning text
);
comment on table private.topic_threads is 'The conversations of the last 400 days, each with its topic.';
comment on column private.topic_threads.topic_id is 'Its topic; null: it fits into none yet.';
comment on column private.topic_threads.began_at is 'When it began.';
comment on column private.topic_threads.words is 'What its user said, as lexemes of the coach''s language.';
comment on column private.topic_threads.meaning is 'The same as a short vector of bytes in base64, after the name of the embedding model; null: there is none.';

-- A period of a coach, and the oldest.
create index topic_threads_by_time on private.topic_threads (coach_id, began_at);
-- Those that fit into no topic.
create index topic_threads_by_lack on private.topic_threads (coach_id, began_at) where topic_id is null;
-- The conversations of a topic, newest first.
create index topic_threads_by_topic on private.topic_threads (topic_id, began_at desc, thread_id desc);

-- Called when answers of a coach are counted: the first topics are made immediately, further ones an hour after the last.
-- Definer: it is called with the rights of whoever reads usage.
create function private.call_topics() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.topic_work as work (coach_id, due_at)
  select coach.id, now() from public.coach_profiles as coach where coach.id = new.coach_id for key share
  on conflict (coach_id) do update set due_at = case
    when exists (select from private.topics as topic where topic.coach_id = work.coach_id)
      or (select count(*) from (
        select from private.topic_threads as held where held.coach_id = work.coach_id limit 100
      ) as first) = 100 then greatest(work.ended_at + interval '1 hour', now()) else now() end
  -- What is due already is not written again.
  where work.due_at is null;
  return null;
end $$;
create trigger usage_counts_call_topics after insert or update of answers on private.usage_counts
  for each row when (new.coach_id is not null and new.answers > 0) execute function private.call_topics();

-- For the sweeps

-- What the person of a thread asked, oldest first, as far as it tells what the conversation is about.
create function private.list_asked(thread_id uuid) returns text[]
language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(
    select left(message.content, 500) from public.messages as message
    where message.thread_id = list_asked.thread_id and message.role = 'user'
    order by message.created_at, message.sequence limit 6
  );
end $$;

-- Whether the conversations that name and examples are made of are all there.
create function private.is_named(topic private.topics) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return topic.name is not null and cardinality(topic.witnesses) = (
    select count(*) from unnest(topic.witnesses) as witness (id)
    cross join lateral (select from private.topic_threads as held where held.thread_id = witness.id offset 0) as held
  );
end $$;

-- The next step of a coach: {kind: read, group or name, …}; null for none. Read are conversations that changed since
-- the last were read, the longest unchanged first. Those of the last seconds may still be followed by one that says it
-- is older.
create function private.plan_topics(work private.topic_work) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  coach public.coach_profiles;
  unread json;
begin
  select * into coach from public.coach_profiles as known where known.id = work.coach_id;
  select json_agg(json_build_object('id', next.id, 'updated_at', next.updated_at, 'person', next.user_id,
    'questions', said.questions,
    'words', tsvector_to_array(private.to_lexemes(coach.language, array_to_string(said.questions, ' '))),
    'topic_id', (select held.topic_id from private.topic_threads as held where held.thread_id = next.id)
  ) order by next.updated_at, next.id) into unread
  from (
    select * from public.threads as thread
    where work.ungrouped < 500
      and thread.account_id = coach.account_id and thread.coach_id = coach.id and not thread.is_standalone
      and (thread.updated_at, thread.id) > (work.read_at, work.read_id)
      and thread.updated_at < now() - interval '2 seconds'
    order by thread.updated_at, thread.id limit 200
  ) as next
  cross join lateral (select private.list_asked(next.id) as questions offset 0) as said;
  if unread is not null then
    return jsonb_build_object('kind', 'read', 'conversations', unread);
  elsif work.ungrouped > 0 then
    return jsonb_build_object('kind', 'group', 'conversations', (
      select coalesce(json_agg(json_build_object('id', left_over.thread_id, 'person', left_over.user_id,
        'words', left_over.words, 'meaning', left_over.meaning)), '[]')
      from (
        select * from private.topic_threads as held where held.coach_id = work.coach_id and held.topic_id is null
        order by held.began_at desc limit 1000
      ) as left_over
    ));
  end if;
  return (
    select jsonb_build_object('kind', 'name', 'topics', jsonb_agg(jsonb_build_object('id', due.id, 'name', due.name,
      'is_by_model', due.is_by_model, 'conversations', (
        select json_agg(json_build_object('id', held.thread_id, 'person', held.user_id, 'words', held.words,
          'questions', private.list_asked(held.thread_id)))
        from (
          select newest.* from private.topic_threads as newest
          cross join lateral (
            select from public.threads as thread where thread.id = newest.thread_id and not thread.is_archived offset 0
          ) as thread
          where newest.topic_id = due.id order by newest.began_at desc, newest.thread_id desc limit 40
        ) as held
      ))))
    from (
      select topic.* from private.topics as topic
      where topic.coach_id = work.coach_id and (topic.named_at is null or topic.named_at < work.ended_at)
        and not (topic.is_by_model and private.is_named(topic))
      order by topic.named_at nulls first, topic.id limit 5
    ) as due
    having count(*) > 0
  );
end $$;

create function public.take_topics() returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  work private.topic_work;
  step jsonb;
begin
  loop
    select * into work from private.topic_work as due where due.due_at <= now()
    order by due.due_at limit 1 for update skip locked;
    if not found then return null; end if;
    step := private.plan_topics(work);
    exit when step is not null;
    delete from private.topic_threads as held where held.thread_id = any (array(
      select old.thread_id from private.topic_threads as old
      where old.coach_id = work.coach_id and old.began_at < now() - interval '400 days' limit 500
    ));
    delete from private.topics as topic where topic.coach_id = work.coach_id and not exists (
      select from private.topic_threads as held where held.topic_id = topic.id
    );
    update private.topic_work as done set claim = null, ended_at = now(), due_at = case when exists (
      select from public.threads as thread
      where thread.account_id = (select coach.account_id from public.coach_profiles as coach where coach.id = work.coach_id)
        and thread.coach_id = work.coach_id and not thread.is_standalone
        and (thread.updated_at, thread.id) > (work.read_at, work.read_id)
    ) then now() + interval '3 seconds' end
    where done.coach_id = work.coach_id;
  end loop;
  update private.topic_work as taken set claim = gen_random_uuid(), due_at = now() + interval '3 minutes'
  where taken.coach_id = work.coach_id returning * into work;
  return step || (
    select jsonb_build_object('coach_id', coach.id, 'claim', work.claim, 'model', coach.model,
      'known', (
        select coalesce(json_agg(json_build_object('topic_id', topic.id, 'words', held.words, 'meaning', held.meaning)), '[]')
        from private.topics as topic
        cross join lateral (
          select newest.words, newest.meaning from private.topic_threads as newest where newest.topic_id = topic.id
          order by newest.began_at desc, newest.thread_id desc limit 20
        ) as held
        where topic.coach_id = coach.id
      ))
    from public.coach_profiles as coach where coach.id = work.coach_id
  );
end $$;
comment on function public.take_topics is 'Claims the next step of making topics: {coach_id, claim, model, known, kind, …}; null when none is due.';

create function public.find_lexemes(coach_id text, words text[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare language text;
begin
  select coach.language into language from public.coach_profiles as coach where coach.id = find_lexemes.coach_id;
  return (
    select coalesce(jsonb_object_agg(said.word, lexemes.list), '{}') from unnest(words) as said (word)
    cross join lateral (select tsvector_to_array(private.to_lexemes(language, said.word)) as list) as lexemes
    where cardinality(lexemes.list) > 0
  );
end $$;
comment on function public.find_lexemes is 'The lexemes of each word in the language of a coach: {word: [lexeme]}, without stop words.';

-- result: {topics: [id], conversations: [{id, topic_id, words, meaning}], names: [{id, name, examples, witnesses,
-- is_by_model}], read: {at, id}}. Returns whether the step was still claimed.
create function public.save_topics(coach_id text, claim uuid, result jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare fresh integer;
begin
  perform from private.topic_work as work
  where work.coach_id = save_topics.coach_id and work.claim = save_topics.claim for update;
  if not found then return false; end if;
  insert into private.topics (id, coach_id)
  select made.id::uuid, save_topics.coach_id from jsonb_array_elements_text(coalesce(result->'topics', '[]')) as made (id);
  insert into private.topic_threads as held (thread_id, coach_id, topic_id, user_id, began_at, words, meaning)
  select thread.id, thread.coach_id, found.topic_id, thread.user_id, thread.created_at, coalesce(found.words, '{}'), found.meaning
  from jsonb_to_recordset(coalesce(result->'conversations', '[]'))
    as found (id uuid, topic_id uuid, words text[], meaning text)
  cross join lateral (
    select * from public.threads as known where known.id = found.id and known.coach_id = save_topics.coach_id
    for key share skip locked
  ) as thread
  on conflict (thread_id) do update set topic_id = coalesce(held.topic_id, excluded.topic_id),
    words = case when result ? 'read' then excluded.words else held.words end,
    meaning = case when result ? 'read' then excluded.meaning else held.meaning end;
  update private.topics as topic
  set name = named.name, examples = named.examples, is_by_model = named.is_by_model, named_at = now(),
    witnesses = named.witnesses
  from jsonb_to_recordset(coalesce(result->'names', '[]'))
    as named (id uuid, name text, examples text[], witnesses uuid[], is_by_model boolean)
  where topic.id = any (array[named.id]) and topic.coach_id = save_topics.coach_id;
  select count(*) into fresh from jsonb_array_elements(coalesce(result->'conversations', '[]')) as found (it)
  where found.it->>'topic_id' is null and result ? 'read';
  update private.topic_work as work
  set claim = null, due_at = now(),
    read_at = coalesce((result#>>'{read,at}')::timestamptz, work.read_at),
    read_id = coalesce((result#>>'{read,id}')::uuid, work.read_id),
    ungrouped = case when result ? 'read' then work.ungrouped + fresh when result ? 'topics' then 0 else work.ungrouped end
  where work.coach_id = save_topics.coach_id;
  return true;
end $$;
comment on function public.save_topics is 'Saves a step of making topics, and returns whether it was still claimed.';

-- For experts

-- The conversations of a coach in a period, without those that are archived. answered_at: when the expert last answered a
-- question that the coach could not.
create function private.read_topic_threads(coach_id text, from_time timestamptz, before_time timestamptz)
returns table (topic_id uuid, user_id text, began_at timestamptz, not_known boolean, has_down boolean, answered_at timestamptz)
language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
  select held.topic_id, held.user_id, held.began_at, asked.not_known, thread.has_down, asked.answered_at
  from private.topic_threads as held
  cross join lateral (
    select known.has_down from public.threads as known where known.id = held.thread_id and not known.is_archived offset 0
  ) as thread
  cross join lateral (
    select coalesce(bool_or(asking.reason = 'unknown' or exists (
        select from private.requests as request
        where request.answer_id = asking.message_id and request.former_reason = 'unknown'
      )), false) as not_known,
      max(question.decided_at) filter (where question.status = 'answered') as answered_at
    from private.askings as asking
    cross join lateral (
      select asked.status, asked.decided_at from public.open_questions as asked where asked.id = asking.question_id offset 0
    ) as question
    where asking.thread_id = held.thread_id
  ) as asked
  where held.coach_id = read_topic_threads.coach_id and held.began_at >= read_topic_threads.from_time
    and held.began_at < read_topic_threads.before_time;
end $$;

-- The topics of a period, the largest first: those of at least three people in it.
create function private.list_topics(coach_id text, from_time timestamptz, before_time timestamptz) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare least_people constant integer := 3;
begin
  return (
    with held as materialized (
      select *, held.began_at >= from_time as is_now
      from private.read_topic_threads(coach_id, from_time - (before_time - from_time), before_time) as held
    ), topic as (
      select held.topic_id, count(*) filter (where held.is_now) as conversations, count(*) as of_both,
        count(*) filter (where held.is_now and held.not_known) as not_known,
        count(*) filter (where held.is_now and held.has_down) as rated_down, max(held.answered_at) as answered_at
      from held where held.topic_id is not null group by held.topic_id
      having count(distinct held.user_id) filter (where held.is_now) >= least_people
    ), listed as (
      select named.id, named.name,
        round(topic.conversations / (select count(*) from held where held.is_now)::numeric, 4) as share,
        topic.conversations, 2 * topic.conversations - topic.of_both as trend, topic.not_known, topic.rated_down,
        named.examples, case when topic.answered_at is not null then (
          select json_build_object('at', private.to_wire_time(topic.answered_at),
            'before', json_build_object('conversations', count(*) filter (where not met.is_later),
              'not_known', count(*) filter (where not met.is_later and met.not_known)),
            'since', json_build_object('conversations', count(*) filter (where met.is_later),
              'not_known', count(*) filter (where met.is_later and met.not_known)))
          from (
            select held.not_known, held.began_at >= topic.answered_at as is_later from held where held.topic_id = topic.topic_id
          ) as met
        ) end as answered
      from topic
      cross join lateral (
        select * from private.topics as known where known.id = topic.topic_id and private.is_named(known) offset 0
      ) as named
      order by topic.conversations desc, named.id limit 30
    )
    select coalesce(json_agg(listed), '[]') from listed
  );
end $$;

create function public.read_topics(caller jsonb, coach_id text, user_id text, from_time timestamptz, before_time timestamptz)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.fold_ledger();
  update private.topic_work as work set due_at = now()
  where work.coach_id = read_topics.coach_id and work.due_at is null and exists (
    select from private.topics as topic
    where topic.coach_id = work.coach_id and topic.name is not null and not private.is_named(topic)
  );
  return private.answer(client, json_build_object('data', private.list_topics(coach_id, from_time, before_time),
    'is_partial', exists (
      select from private.topic_work as work where work.coach_id = read_topics.coach_id and work.due_at is not null
    )));
end $$;
comment on function public.read_topics is 'Reply of GET /coaches/{coachId}/topics, or {error}.';

create function public.list_topic_threads(caller jsonb, coach_id text, user_id text, topic_id uuid,
  from_time timestamptz, before_time timestamptz, page_size integer, after_at bigint default null, after_id uuid default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  first_at constant timestamptz := least(before_time, timestamptz 'epoch' + after_at * interval '1 microsecond');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  if not exists (select from private.topics as topic
    where topic.id = list_topic_threads.topic_id and topic.coach_id = list_topic_threads.coach_id)
  then
    return private.refuse(client, 'topic_not_found');
  end if;
  return private.answer(client, private.describe_entries(array(
    with found as materialized (
      select thread.whole, (thread.whole).user_id, held.began_at, held.thread_id
      from private.topic_threads as held
      cross join lateral (
        select known as whole from public.threads as known where known.id = held.thread_id and not known.is_archived offset 0
      ) as thread
      where held.topic_id = list_topic_threads.topic_id and held.began_at >= from_time
        and (held.began_at, held.thread_id) < (first_at, case when after_at is not null then after_id end)
      order by held.began_at desc, held.thread_id desc limit page_size + 1
    ), person as materialized (
      select met.user_id, private.describe_visits(list_topic_threads.coach_id, met.user_id) as visits
      from (select distinct found.user_id from found) as met
    )
    select row(private.describe_conversation(found.whole, private.to_auth_id(client.user_id), person.visits),
      private.to_microseconds(found.began_at) || '_' || found.thread_id)::private.entry
    from found join person on person.user_id = found.user_id
    order by found.began_at desc, found.thread_id desc
  ), page_size));
end $$;
comment on function public.list_topic_threads is 'Reply of GET /coaches/{coachId}/topics/{topicId}/threads: a page, newest first, or {error}.';
