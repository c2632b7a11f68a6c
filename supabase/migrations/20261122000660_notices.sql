-- Notices: the expert's answer, put into the threads of those who have asked.
-- Table: private.notices. Each is a message of the expert at the end of a thread. It starts no takeover and ends no
-- waiting but that of a request (see requests). Answering an open question sends notices, and so does a correction that notifies (see takeover).
-- A thread gets an answer once, and once more whenever its text has changed.
-- Surprises: a notice names the person's own question, never that of the pinned answer, which may be worded as somebody
-- else has asked. No thread is locked by its ID, since there are not so many advisory locks: the lock of its row is
-- enough, because a turn begins with that, too.

create table private.notices (
  message_id uuid primary key references public.messages (id) on delete cascade,
  thread_id uuid not null,
  pinned_answer_id uuid references public.pinned_answers (id) on delete set null,
  version integer not null,
  constraint notices_are_sent_once unique (pinned_answer_id, version, thread_id)
);
comment on table private.notices is 'Answers of the expert that were put into the threads of those who have asked. Deleted with the message.';
comment on column private.notices.message_id is 'The message of the expert.';
comment on column private.notices.pinned_answer_id is 'The pinned answer; null: it is deleted.';
comment on column private.notices.version is 'The first version of the pinned answer with this text.';

-- The first version of a pinned answer since which its text has been the same.
create function private.find_text_version(pinned public.pinned_answers) returns integer
language plpgsql stable security invoker set search_path = '' as $$
begin
  return coalesce((
    select max(earlier.version) + 1 from private.pinned_answer_versions as earlier
    where earlier.pinned_answer_id = pinned.id and earlier.answer <> pinned.answer
  ), 1);
end $$;

-- Puts a pinned answer into the threads of answers, which are locked, unless they have it already. Of several answers
-- in a thread, the newest counts; one that waits for the expert before all others, since it becomes the message.
create function private.send_notices(
  pinned public.pinned_answers, answer_ids uuid[], request_id text, api_key_id uuid, corrects uuid default null
) returns void language plpgsql volatile security invoker set search_path = '' as $$
declare
  text_version constant integer := private.find_text_version(pinned);
  sent private.notices[];
begin
  with held as materialized (
    -- They are locked already (see lock_askers), or left to another call.
    select message.id from public.messages as message
    where message.id = any (answer_ids) and message.status = 'waiting' and private.is_held(message.id)
    for no key update skip locked
  ), asked as (
    select distinct on (answer.thread_id) answer.thread_id, answer.created_at, answer.sequence, held.id as held_id
    from unnest(answer_ids) as wanted (id)
    cross join lateral (select * from public.messages as message where message.id = wanted.id offset 0) as answer
    left join held on held.id = answer.id
    where not exists (
      select from private.notices as notice
      where notice.pinned_answer_id = pinned.id and notice.version = text_version and notice.thread_id = answer.thread_id
    ) and (held.id is not null or answer.status <> 'waiting' or not private.is_held(answer.id))
    order by answer.thread_id, held.id is null, answer.created_at desc, answer.sequence desc
  ), composed as materialized (
    select coalesce(asked.held_id, gen_random_uuid()) as id, asked.held_id, thread.id as thread_id,
      question.id as in_reply_to, private.next_time(thread) as said_at,
      private.describe_pinned_source(json_build_object('id', pinned.id, 'version', pinned.version,
        'question', left(coalesce(question.content, pinned.question), 1000), 'answer', pinned.answer)) as source
    from asked
    cross join lateral (select * from public.threads as thread where thread.id = asked.thread_id offset 0) as thread
    left join lateral (
      select message.id, message.content from public.messages as message
      where message.thread_id = asked.thread_id and message.role = 'user'
        and (message.created_at, message.sequence) < (asked.created_at, asked.sequence)
      order by message.created_at desc, message.sequence desc limit 1
    ) as question on true
  ), said as (
    insert into public.messages (
      id, thread_id, role, content, is_by_expert, is_unread, sources, request_id, api_key_id, created_at, updated_at,
      in_reply_to, corrects
    )
    select composed.id, composed.thread_id, 'assistant', pinned.answer, true, true, jsonb_build_array(composed.source),
      send_notices.request_id, send_notices.api_key_id, composed.said_at, composed.said_at, composed.in_reply_to,
      send_notices.corrects
    from composed where composed.held_id is null
  ), filled as (
    update public.messages as message
    set content = pinned.answer, status = 'complete', is_by_expert = true, is_unread = true, run_id = null,
      sources = jsonb_build_array(composed.source), request_id = send_notices.request_id,
      api_key_id = send_notices.api_key_id, updated_at = clock_timestamp()
    from composed where message.id = any (array[composed.held_id])
  ), noted as (
    insert into private.notices as notice (message_id, thread_id, pinned_answer_id, version)
    select composed.id, composed.thread_id, pinned.id, text_version from composed
    returning notice
  )
  select array_agg(noted.notice) into sent from noted;
  perform private.settle_threads(array(select notice.thread_id from unnest(sent) as notice));
  perform private.record_event('message.completed', pinned.account_id, pinned.coach_id, notice.thread_id, notice.message_id)
  from unnest(sent) as notice;
  perform private.end_request(request, notice.message_id)
  from unnest(sent) as notice
  join private.requests as request on request.thread_id = notice.thread_id and request.is_open
  where request.answer_id = any (answer_ids);
  perform private.mail_asker(notice.thread_id, notice.message_id) from unnest(sent) as notice;
end $$;

-- The messages of a pinned answer with its present text, by their threads; thread_id null: all of them.
create function private.find_notices(pinned public.pinned_answers, thread_id uuid default null) returns setof uuid
language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
  select notice.message_id from private.notices as notice
  where notice.pinned_answer_id = pinned.id and notice.version = private.find_text_version(pinned)
    and (find_notices.thread_id is null or notice.thread_id = find_notices.thread_id);
end $$;

-- The answers that led to an open question and whose threads an answer to it goes to: the newest that are not archived,
-- or whose person waits for the expert, and that do not have the pinned answer yet (null: there is none). Of those that a model has found to ask the same, only the
-- ticked ones, which come first.
create function private.find_askers(question_id uuid, ticked uuid[], pinned public.pinned_answers, most integer)
returns uuid[] language plpgsql stable security invoker set search_path = '' as $$
declare text_version constant integer := case when pinned.id is not null then private.find_text_version(pinned) end;
begin
  return array(
    select asking.message_id from private.askings as asking
    cross join lateral (
      select thread.is_archived from public.threads as thread where thread.id = asking.thread_id offset 0
    ) as thread
    where asking.question_id = find_askers.question_id and (not thread.is_archived or private.is_held(asking.message_id))
      and (not asking.is_merged or asking.message_id = any (ticked))
      and (text_version is null or not exists (
        select from private.notices as notice
        where notice.pinned_answer_id = pinned.id and notice.version = text_version
          and notice.thread_id = asking.thread_id
      ))
    order by asking.message_id = any (ticked) desc, asking.asked_at desc limit find_askers.most
  );
end $$;

-- Locks the threads of answers that led to an open question, in the order of their ids, and returns these answers.
-- Called before anything else is locked.
create function private.lock_askers(question_id uuid, answer_ids uuid[]) returns uuid[]
language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Answers come before threads, as everywhere. Of these, only those that wait are changed.
  perform from public.messages as message
  where message.id = any (answer_ids) and message.status = 'waiting' order by message.id for no key update;
  perform from public.threads as thread
  where thread.id = any (array(
    select asking.thread_id from unnest(answer_ids) as asker (id)
    cross join lateral (
      select * from private.askings as asking
      where asking.message_id = asker.id and asking.question_id = lock_askers.question_id offset 0
    ) as asking
  ))
  order by thread.id for update;
  return answer_ids;
end $$;

-- A question that was answered, in the JSON of the API. notified: how many threads have the answer now. is_more: whether
-- send_answer() has more to do. If somebody waits for the expert whom the answer does not go to, it is open again.
create function private.settle_answered(question_id uuid, notify boolean, ticked uuid[]) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  question public.open_questions;
  pinned public.pinned_answers;
  is_more boolean;
begin
  select * into question from public.open_questions as answered where answered.id = settle_answered.question_id;
  select * into pinned from public.pinned_answers as answer where answer.id = question.pinned_answer_id;
  is_more := notify and pinned.id is not null and private.find_askers(question.id, ticked, pinned, 1) <> '{}';
  if question.is_requested and not is_more then
    update public.open_questions as answered set status = 'open' where answered.id = question.id returning * into question;
  end if;
  return private.describe_question(question)::jsonb || jsonb_build_object(
    'notified', (select count(*) from private.find_notices(pinned)), 'is_more', is_more
  );
end $$;

-- Sends the answer of a question to a thousand more of those who have asked it. A transaction for each thousand keeps
-- their threads locked for a moment only.
create function public.send_answer(caller jsonb, coach_id text, user_id text, question_id uuid, askings uuid[],
  request_id text) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_question(client, coach_id, question_id);
  question public.open_questions;
  pinned public.pinned_answers;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into question from public.open_questions as answered where answered.id = question_id;
  select * into pinned from public.pinned_answers as answer where answer.id = question.pinned_answer_id;
  if pinned.id is not null then
    perform private.send_notices(pinned, private.lock_askers(
      question_id, private.find_askers(question_id, askings, pinned, 1000)
    ), request_id, client.api_key_id);
  end if;
  return private.answer(client, private.settle_answered(question_id, true, askings));
end $$;
comment on function public.send_answer is 'Goes on putting the answer to a question into the threads of those who have asked, and returns the question as answer_question() does, or {error}.';

-- Who has asked an open question, for its expert: {chats: to how many threads an answer goes, merged_askings: the newest
-- 100 that a model has found to ask the same}. shows_words: whether the expert may read what the people have written.
create function private.describe_askings(question_id uuid, shows_words boolean) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  return jsonb_build_object(
    'chats', (
      select count(distinct answer.thread_id)
      from unnest(private.find_askers(describe_askings.question_id, '{}', null, 10000)) as asker (id)
      cross join lateral (select * from public.messages as message where message.id = asker.id offset 0) as answer
    ),
    'merged_askings', (
      select coalesce(jsonb_agg(jsonb_build_object('id', merged.message_id, 'thread_id', merged.thread_id,
        'asked_at', private.to_wire_time(merged.asked_at), 'words', case when shows_words then merged.words end
      ) order by merged.asked_at desc), '[]')
      from (
        select asking.message_id, asking.thread_id, asking.asked_at,
          left((private.find_question_of_answer(answer.whole)).content, 500) as words
        from private.askings as asking
        cross join lateral (
          select message as whole from public.messages as message where message.id = asking.message_id offset 0
        ) as answer
        cross join lateral (
          select thread.is_archived from public.threads as thread where thread.id = asking.thread_id offset 0
        ) as thread
        where asking.question_id = describe_askings.question_id and asking.is_merged and not thread.is_archived
        order by asking.asked_at desc limit 100
      ) as merged
    )
  );
end $$;
