-- Turns: a question and its answer. A turn can be sent twice and is stored once, can be stopped from anywhere, and can
-- be followed by readers who have lost its stream.
-- Table: response_removals, the responses to delete at the backend of the language model.
--
-- A run is one attempt to write an answer. The last answer of a thread, or a failed one, can be run again in its place:
-- messages.run_id then names the new run, and saves of the old one are ignored. The former text stays until the new run
-- has some, and comes back if the new run fails (see choose_answers).
-- An answer is streaming, or waiting for the expert, until it ends as complete, stopped or failed. take_save() says
-- which state may follow which.
-- Surprise: locks are taken in one order everywhere: the ID of the run, the idempotency key, the ID of the thread
-- (which may not exist yet), answers in the order of their IDs, the thread, budgets, counts of requests.
--
-- The functions stand in the order in which a usual turn runs: begin_turn(), begin_usual(), answer_turns() and
-- describe_turns(), then save_turns(), with what their rows set off. Before and after the work of each request are admit()
-- and answer() (see api_keys), and pinned answers are found by find_near_phrases() (see phrases). All other turns, and answers
-- in any other state, come after that.

-- What goes in

create type private.client_conversation as (
  -- The client's own name for the conversation.
  name text,
  -- The answer that the question follows; the thread is its.
  previous_id uuid,
  -- What the client has of the conversation, oldest first: a or u, for the assistant or the user, then the text without
  -- white space around it.
  said text[],
  -- Whether the turn stands alone: nothing but said came before it, and no list shows it.
  is_standalone boolean,
  -- Whether the turn is deleted when it has ended; null: no.
  is_unkept boolean
);
comment on type private.client_conversation is 'The conversation that a client keeps, as it sends it with a question.';

-- A client sends it as one JSON object; fields that are left out are null.
create type private.turn_request as (
  -- Made by the caller: a call that is sent twice finds the rows of the first.
  run_id uuid,
  thread_id uuid,
  -- An ID that the client has made, for the thread to create or the one it has created with it.
  new_thread_id uuid,
  -- The answer to run again. Its question is what is asked.
  retried_id uuid,
  -- The question that this one replaces, or its answer. It is deleted with everything after it.
  replaces uuid,
  -- Null: the coach of the thread.
  coach_id text,
  -- Whether the user comes from a bearer token. Only then can they be the expert behind the coach.
  is_signed_in boolean,
  -- Only the expert may do this. The model is not asked, so nothing is looked up and no takeover matters.
  is_expert_action boolean,
  content text,
  -- The title of a new thread.
  title text,
  mode text,
  -- The question as the service reads it: its content only for a run of an earlier question.
  asked private.normal_question,
  -- The embedding of the content as JSON, {"model", "vector"}.
  query_vector text,
  -- The longest history in characters; null: only the coach's history_limit counts.
  history_characters integer,
  request_id text,
  idempotency_key text,
  -- The same key with another fingerprint is refused.
  fingerprint text,
  -- How long the key stands for this request; null: 24 hours.
  key_lasts interval,
  -- What is known of the person besides their message; see meet_person().
  person jsonb,
  -- What else a client sends that keeps conversations itself; see client_conversations.
  conversation private.client_conversation,
  -- The call of the model, for budgets: the model of the deployment, what only the caller knows of the input, and the
  -- limits of the reply besides the coach's.
  plan private.model_plan
);
comment on type private.turn_request is 'What begin_turn() is asked for.';

-- Fields that do not apply are null.
create type private.turn as (
  -- The code of the error, if the turn cannot be begun.
  refusal text,
  answer public.messages,
  -- The question of an answer that is run again.
  question public.messages,
  -- The question to replace.
  replaced public.messages,
  thread public.threads,
  coach public.coach_profiles,
  asked_at timestamptz,
  -- The user to whom the idempotency key belongs; empty: the account.
  key_owner text,
  -- Whether the signed-in user may change what the coach knows, as its editors and owners may.
  is_owner boolean,
  -- Whether the same request was sent before.
  is_repeated boolean,
  -- Whether this run has not been begun by an earlier call.
  is_first boolean
);
comment on type private.turn is 'A turn while it is begun: what its request refers to, and what becomes of it.';

create type private.begun_turn as (
  request private.turn_request,
  -- Among the calls of begin_usual(), from 1.
  place integer,
  -- Null: it is only tried, and nothing of it is written.
  account_id uuid, thread_id uuid, user_id text, coach_id text, coach_version integer,
  -- As in private.turn; null: the user is not signed in.
  is_owner boolean,
  asked_at timestamptz,
  -- {message, mode} of a question that was stored before.
  question json,
  answer_id uuid, answered_at timestamptz,
  -- What was said before, if the model is given that in the place of what the thread holds.
  said text[],
  -- Whether anything is looked up for it, and whether the hits of pinned answers count.
  is_answered boolean, is_first boolean
);
comment on type private.begun_turn is 'A turn that is to be answered, with what has to be known for that.';

-- Fields that are left out are null. Without sources, phase, model or other_response_ids, the stored ones stay.
create type private.answer_save as (
  message_id uuid,
  -- Null: a reader has found the answer abandoned, and stores what could be recovered.
  run_id uuid,
  -- Null: the text has not changed. Such a save shows, every 10 seconds, that the run is alive.
  content text,
  -- The number of stored characters that come before content: the text is cut there, so that a save can be repeated.
  content_from integer,
  status text,
  error_code text,
  error text,
  response_id text,
  input_tokens integer,
  cached_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  is_estimated boolean,
  sources jsonb,
  phase text,
  model text,
  is_by_expert boolean,
  -- Whether nobody is connected to the answer any more. Null: not, unless a reader has found it abandoned.
  is_unread boolean,
  other_response_ids text[]
);
comment on type private.answer_save is 'The progress or the end of an answer.';

-- A usual turn, from its beginning to its end

create function public.begin_turn(caller jsonb, user_id text, turn jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  begun json;
begin
  -- An idempotency key would be locked between the two.
  if client.is_admitted and not client.is_budgeted and turn->>'thread_id' is not null and turn->>'idempotency_key' is null then
    perform pg_advisory_xact_lock(hashtextextended((turn->>'run_id')::uuid::text, 0)),
      pg_advisory_xact_lock(hashtextextended((turn->>'thread_id')::uuid::text, 0));
    begun := (private.begin_usual(client, jsonb_build_array(jsonb_build_object('user_id', client.user_id, 'turn', turn))))[1];
  end if;
  return private.answer(client, coalesce(begun, private.begin_one(client, turn)));
end $$;
comment on function public.begin_turn is 'Stores a question, or another run of an answer, and returns the input of the model; turn: see private.turn_request.';

-- Begins the usual turns among calls of one client, {user_id, turn} each: questions in threads that go on, for the model or
-- for a pinned answer, without budgets. Only the first in each thread is one: the next one sees it. Locks the rows of their
-- threads: who calls this has locked the IDs of runs and threads. For find_thread(), find_coach(), is_taken_over() and
-- next_time(), which this stands for, see there. most_passages: that a coach has; null: any number.
-- A result for each call; null for the others, of which nothing is written.
create function private.begin_usual(client private.caller, calls jsonb, most_passages integer default null) returns json[]
language plpgsql volatile security invoker set search_path = '' as $$
declare
  turns private.begun_turn[];
  answers json[];
  results json[] := array_fill(null::json, array[jsonb_array_length(calls)]);
begin
  turns := array(
    select row(
      request, call.place, thread.account_id, thread.id, thread.user_id, coach.id, coach.version,
      case when request.is_signed_in and client.is_anonymous is not true then
        coalesce(private.includes_role(private.find_role(coach.id, call.each->>'user_id'), 'editor'), false) end,
      known.asked_at, null, request.run_id, known.asked_at + interval '1 millisecond', null, true, true
    )::private.begun_turn
    from jsonb_array_elements(calls) with ordinality as call (each, place)
    cross join lateral jsonb_populate_record(null::private.turn_request, call.each->'turn') as request
    cross join lateral (
      select * from public.threads as each
      where each.id = request.thread_id and each.account_id = client.account_id and not each.is_standalone
        and each.user_id = coalesce(call.each->>'user_id', each.user_id) for update
    ) as thread
    cross join lateral (
      select * from public.coach_profiles as each
      where each.id = thread.coach_id and (client.coach_ids is null or each.id = any (client.coach_ids))
        and each.is_active and each.id = coalesce(request.coach_id, each.id) offset 0
    ) as coach
    cross join lateral (
      select greatest(clock_timestamp(), interval '1 millisecond' + greatest(thread.updated_at, (
          select max(message.created_at) from public.messages as message where message.thread_id = thread.id
        ))) as asked_at,
        (select total.passages from private.passage_totals as total where total.coach_id = coach.id) as passages,
        exists (select from public.messages as message where message.id = request.run_id) as is_repeated,
        exists (select from private.phrase_words as word
          where word.coach_id = coach.id and word.is_pinned and word.word = '') as has_pinned offset 0
    ) as known
    where num_nonnulls(request.conversation, request.retried_id, request.replaces, request.new_thread_id,
        request.idempotency_key, nullif(request.is_expert_action, false)) = 0 and not known.is_repeated
      and call.place = (select min(other.place) from jsonb_array_elements(calls) with ordinality as other (each, place)
        where (other.each->'turn'->>'thread_id')::uuid = request.thread_id)
      and (thread.taken_over_until > clock_timestamp()) is not true and (known.passages > most_passages) is not true
      -- Otherwise the question may have to be asked for again, which takes back what the call has done.
      and (not known.has_pinned or (request.asked).language = coach.language
        and coalesce((request.asked).content, request.content) = request.content)
    order by call.place
  );
  if cardinality(turns) = 0 then return results; end if;
  with told as (
    insert into private.events (kind, account_id, coach_id, thread_id, message_id)
    select 'message.begun', turn.account_id, turn.coach_id, turn.thread_id, turn.answer_id from unnest(turns) as turn
  )
  insert into public.messages (
    thread_id, request_id, id, role, content, status, mode, coach_version, run_id, api_key_id, created_at, updated_at
  )
  select begun.thread_id, (begun.request).request_id, message.* from unnest(turns) as begun
  cross join lateral (values
    (gen_random_uuid(), 'user', (begun.request).content, 'complete', (begun.request).mode, null, null, null,
      begun.asked_at, begun.asked_at),
    (begun.answer_id, 'assistant', '', 'streaming', null, begun.coach_version, begun.answer_id, client.api_key_id,
      begun.answered_at, now())
  ) as message;
  perform private.meet_person(thread, (begun.request).person) from unnest(turns) as begun
  cross join lateral (select * from public.threads as each where each.id = begun.thread_id offset 0) as thread
  where (begun.request).person is not null;
  answers := private.answer_turns(turns);
  for n in 1..cardinality(turns) loop results[turns[n].place] := answers[n]; end loop;
  return results;
end $$;

-- Finds the pinned answer to the very question of each turn, or those near it, and returns the input of the model, or
-- what give_exactly() does. The same question has the same words. Words of politeness may be on one side only, since on
-- both sides they may be what it is about: "How do I say please?" If two pinned answers would have them, none has. In a
-- thread with history, a message that is short or points back may mean something else than its words: none is exact.
create function private.answer_turns(turns private.begun_turn[]) returns json[]
language plpgsql volatile security invoker set search_path = '' as $$
declare exact uuid[]; near json[];
begin
  with found as materialized (
    select turn.*, form.asker, same.id as exact_id, close.ids as near_ids,
      case when turn.is_first and cardinality(close.ids) > 0 then close.ids end as hit_ids
    from unnest(turns) with ordinality as turn
    cross join lateral (
      select said.*, turn.is_answered and exists (select from private.phrase_words as word
          where word.coach_id = turn.coach_id and word.is_pinned and word.word = '') as has_pinned,
        case when turn.is_answered and turn.question is null and not exists (select from private.askers as person
          where person.coach_id = turn.coach_id and person.at = date_bin('15 minutes', now(), 'epoch')
            and person.user_id = turn.user_id) then turn.user_id end as asker
      from (select ((turn.request).asked).* offset 0) as said offset 0
    ) as form
    -- A text too long to be pinned has no key.
    cross join lateral (
      select case when form.has_pinned and form.key is not null and (
        (not form.points_back and cardinality(form.content_words) >= 3) is true
        or (cardinality(turn.said) > 0) is not true and not exists (
          select from public.messages as message
          where message.thread_id = turn.thread_id and message.created_at < turn.asked_at and message.role <> 'system'
        ))
      then coalesce((
        select phrase.subject_id from private.phrases as phrase
        where phrase.coach_id = turn.coach_id and phrase.is_pinned and phrase.is_active
          and phrase.key = any (array[form.key, form.plain_key])
        order by phrase.key <> form.key limit 1
      ), (
        select case when count(distinct phrase.subject_id) = 1 then (array_agg(phrase.subject_id))[1] end
        from private.phrases as phrase
        where phrase.coach_id = turn.coach_id and phrase.is_pinned and phrase.is_active and phrase.polite_key = form.key
      )) end as id offset 0
    ) as same
    -- With an exact one, none is near.
    cross join lateral (
      select case when form.has_pinned and same.id is null and cardinality(form.content_words) > 0 then
        private.find_near_phrases(turn.coach_id, true, (turn.request).asked, (turn.request).query_vector) end as ids offset 0
    ) as close
  ), counted as (
    insert into private.ledger (account_id, coach_id, user_id, exact, near)
    select found.account_id, found.coach_id, found.asker, found.exact_id, found.hit_ids from found
    where found.account_id is not null and num_nonnulls(found.asker, found.exact_id, found.hit_ids) > 0
  )
  select array_agg(found.exact_id order by found.ordinality), array_agg((
    -- As JSON: between rows, lines would break, and begin_turns() has a line for each turn.
    select json_agg(to_json(pinned) order by one.place) from unnest(found.near_ids) with ordinality as one (id, place)
    cross join lateral (
      select each.id, each.version, each.question, each.answer from public.pinned_answers as each
      where each.id = one.id offset 0
    ) as pinned
  ) order by found.ordinality) into exact, near from found;
  return case when num_nonnulls(variadic exact) > 0 then private.give_exactly(turns, exact, near)
    else private.describe_turns(turns, near) end;
end $$;

-- The input of the model for turns: of each, the persona, the history, pinned answers and passages.
-- near: of each turn, the pinned answers near it.
-- history: the newest messages before the question, oldest first: as many as the coach and the request want. Either limit
-- cuts between two exchanges (see cut_history). If nothing was cut, the thread itself may begin with an answer.
-- user_hash names the user for the server of the model, which is told nothing else. It is SHA-256 of the account's secret
-- key, the account and the user. HMAC would add nothing: key and account have a fixed length, so no two users share an
-- input, and the hash proves nothing, so lengthening it is of no use.
create function private.describe_turns(turns private.begun_turn[], near json[]) returns json[]
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select array_agg(json_build_object(
      'thread_id', turn.thread_id, 'message_id', turn.answer_id,
      'created_at', to_char(turn.answered_at at time zone 'utc', private.wire_time_format()),
      'is_owner', coalesce(turn.is_owner, false), 'question', turn.question, 'coach', persona,
      'user_hash', encode(sha256(uuid_send(account.hash_key) || uuid_send(account.id)
        || convert_to(turn.user_id, 'UTF8')), 'hex'),
      'history', case
        when past.length > (turn.request).history_characters
          or past.total = coach.history_limit and past.history[1]->>'role' = 'assistant'
          then private.cut_history(past.history, (turn.request).history_characters)
        when turn.said is null then coalesce(array_to_json(past.history), '[]') end,
      'history_limit', coach.history_limit, 'pinned', coalesce(near[turn.ordinality], '[]'),
      'passages', coalesce(case when turn.is_answered
        and exists (select from public.knowledge_files as file where file.coach_id = turn.coach_id)
        then private.find_passages(turn.coach_id, turn.thread_id, turn.asked_at, (turn.request).content, turn.said,
          (turn.request).query_vector) end, '[]')
    ) order by turn.ordinality)
    from unnest(turns) with ordinality as turn
    cross join lateral (select * from public.coach_profiles as known where known.id = turn.coach_id offset 0) as coach
    cross join lateral (select * from public.accounts as known where known.id = coach.account_id offset 0) as account
    cross join lateral (
      select coach.id, coach.name, coach.title, coach.instructions, coach.model, coach.temperature,
        coach.reasoning_effort, coach.verbosity, coach.max_output_tokens, coach.store_responses, coach.language,
        coach.no_answer, coach.takeover_notice offset 0
    ) as persona
    cross join lateral (
      select count(*) as total, sum(newest.length) as length,
        array_agg(newest.wire order by newest.created_at, newest.sequence) as history
      from (
        select message.created_at, message.sequence, char_length(message.content) as length,
          -- Hardly any has more than these two. Taking nulls out parses the text: 0.9 ms for 50 of 4,000 characters.
          case when message.phase is null and not message.is_by_expert
            then json_build_object('role', message.role, 'content', message.content)
            else json_strip_nulls(json_build_object('role', message.role, 'content', message.content,
              'phase', message.phase, 'is_by_expert', nullif(message.is_by_expert, false))) end as wire
        from public.messages as message
        where turn.said is null and message.thread_id = turn.thread_id and message.content <> ''
          and message.created_at < turn.asked_at
        order by message.created_at desc, message.sequence desc limit coach.history_limit
      ) as newest
    ) as past
  );
end $$;

-- Carries the time of new messages over to their threads. Messages with an earlier date reset what was settled and what
-- was searchable. A question in the thread that leads its user's list leaves the thread as it is: the end of its answer
-- updates it (see save_turns). So each turn of an ongoing conversation rewrites its thread once.
create function private.touch_threads() returns trigger language plpgsql volatile security invoker set search_path = '' as $$
begin
  update public.threads as thread
  set updated_at = greatest(thread.updated_at, newest.created_at), is_closed = thread.is_closed and not newest.is_question,
    settled_count = case when newest.first_at > thread.settled_until then thread.settled_count else 0 end,
    settled_until = case when newest.first_at > thread.settled_until then thread.settled_until else '-infinity' end,
    searchable_until = least(thread.searchable_until, newest.first_at - interval '1 microsecond')
  from (
    select written.thread_id, min(written.created_at) as first_at, max(written.created_at) as created_at,
      bool_or(written.status in ('waiting', 'streaming')) as is_asked, bool_or(written.role = 'user') as is_question
    from written group by written.thread_id
  ) as newest
  where thread.id = any (array[newest.thread_id])
    and (newest.first_at <= greatest(thread.settled_until, thread.searchable_until)
      or thread.is_closed and newest.is_question or thread.updated_at < newest.created_at
      and not (newest.is_asked and not exists (
        select from public.threads as other
        where other.account_id = thread.account_id and other.user_id = thread.user_id
          and other.is_standalone = thread.is_standalone and other.updated_at >= thread.updated_at and other.id <> thread.id
      )));
  return null;
end $$;
create trigger messages_touch_threads after insert on public.messages referencing new table as written
  for each statement execute function private.touch_threads();

-- A process with 500 streams saves them all in one call, once a second. Locks: answers in the order of their IDs, then
-- the threads of those that end, then budgets.
-- Here is the usual state: an answer is being written, and its own run continues or ends it, without budgets. All else
-- is in save_unusual().
create function public.save_turns(turns jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  usual_ids uuid[]; ended_ids uuid[]; threads uuid[]; ended_threads uuid[];
  remarks jsonb;
begin
  with given as materialized (
    select save.*, save.content is not null or save.status <> 'streaming' as has_news, coalesce(save.content_from, 0) as kept
    from jsonb_populate_recordset(null::private.answer_save, turns) as save order by save.message_id
  ), found as materialized (
    select given.*, message.thread_id, coalesce(given.sources, message.sources) as given,
      given.has_news or message.updated_at < now() - interval '10 seconds' as is_written,
      -- Not as a condition of this query: all are to be locked.
      message.run_id = given.run_id and message.status = 'streaming' and message.previous is null
        and message.stop_requested_at is null and char_length(message.content) >= given.kept
        and (given.status = 'streaming' or not exists (
          select from private.budget_reservations as reservation where reservation.run_id = given.run_id
        )) as is_usual,
      -- Text that is not final never replaces longer text.
      case when given.status in ('streaming', 'failed') and given.kept + char_length(given.content) < char_length(message.content)
        then message.content else coalesce(left(message.content, given.kept) || given.content, message.content) end as text
    from given cross join lateral (
      select * from (
        select * from public.messages as each where given.has_news and each.id = given.message_id for no key update
      ) as locked
      union all
      -- An answer without news is not locked, which would be written to its row.
      select * from public.messages as each where not given.has_news and each.id = given.message_id
    ) as message
  ), saved as (
    update public.messages as message
    set content = usual.text, status = usual.status, error_code = usual.error_code, error = usual.error,
      response_id = usual.response_id,
      other_response_ids = array_remove(coalesce(usual.other_response_ids, message.other_response_ids), usual.response_id),
      input_tokens = coalesce(usual.input_tokens, message.input_tokens),
      cached_tokens = coalesce(usual.cached_tokens, message.cached_tokens),
      output_tokens = coalesce(usual.output_tokens, message.output_tokens),
      reasoning_tokens = coalesce(usual.reasoning_tokens, message.reasoning_tokens),
      is_estimated = coalesce(usual.is_estimated, message.is_estimated),
      sources = case
        when usual.status = 'streaming' or coalesce(nullif(usual.given, 'null'), '[]') = '[]' then usual.given
        else private.choose_given((
          select thread.coach_id from public.threads as thread where thread.id = message.thread_id
        ), usual.text, usual.given) end,
      phase = coalesce(usual.phase, message.phase), model = coalesce(usual.model, message.model),
      is_by_expert = case when usual.text = '' then message.is_by_expert else coalesce(usual.is_by_expert, false) end,
      is_unread = usual.status = 'complete' and usual.text <> '' and coalesce(usual.is_unread, false), updated_at = now()
    from found as usual where message.id = any (array[usual.message_id]) and usual.is_usual and usual.is_written
    returning message.id, message.thread_id, message.status, message.sources, jsonb_typeof(usual.sources) = 'array' as is_told
  )
  select array_agg(ended.id), array_agg(ended.thread_id),
    coalesce(jsonb_agg(jsonb_build_object('message_id', ended.id, 'reason', 'ended', 'sources', ended.sources))
      filter (where ended.is_told), '[]'),
    array(select found.message_id from found where found.is_usual),
    -- Of all that end, also those of save_unusual(): in one order.
    array(select thread.id from public.threads as thread
      where thread.id = any (array(select found.thread_id from found where found.status <> 'streaming'))
      order by thread.id for update)
  into ended_ids, ended_threads, remarks, usual_ids, threads from saved as ended where ended.status <> 'streaming';

  if ended_ids is not null then
    insert into private.events (kind, account_id, coach_id, thread_id, message_id)
    select 'message.completed', thread.account_id, thread.coach_id, thread.id, ended.id
    from private.settle_threads(ended_threads) as thread
    join unnest(ended_ids, ended_threads) as ended (id, thread_id) on ended.thread_id = thread.id;
  end if;
  if cardinality(usual_ids) < jsonb_array_length(turns) then
    remarks := remarks || private.save_unusual((
      select jsonb_agg(each) from jsonb_array_elements(turns) as each where (each->>'message_id')::uuid <> all (usual_ids)
    ))::jsonb;
  end if;
  return remarks;
end $$;
comment on function public.save_turns is 'Saves progress or ends of answers, [private.answer_save]; returns [{message_id, reason}] of the runs that should end or save their whole text (see advise_run), and [{message_id, reason: ended, sources}] of ends.';

-- Counts the messages of threads in which a turn has ended, and moves them to the top of their lists.
-- Called at the end of a turn, with the threads locked for update: it sees what was written before the locks.
create function private.settle_threads(thread_ids uuid[]) returns setof public.threads
language plpgsql volatile security invoker set search_path = '' as $$
begin
  return query update public.threads as thread
  set updated_at = greatest(thread.updated_at, now()),
    -- Everything, or nothing while another answer is under way.
    (settled_count, settled_until) = (
      select
        case when bool_or(message.status in ('waiting', 'streaming')) then thread.settled_count
          else thread.settled_count + count(*) filter (where message.is_listed) end,
        case when bool_or(message.status in ('waiting', 'streaming')) then thread.settled_until
          else greatest(max(message.created_at), thread.settled_until) end
      from public.messages as message where message.thread_id = thread.id and message.created_at > thread.settled_until
    )
  where thread.id = any (settle_threads.thread_ids) returning thread.*;
end $$;

-- Counts an answer that ends, and its tokens as they become known.
-- Definer: operators change messages too, and service_role has no rights on the private schema.
create function private.count_answer() returns trigger language plpgsql volatile security definer set search_path = '' as $$
declare
  is_end constant boolean := old.status in ('waiting', 'streaming') and new.status not in ('waiting', 'streaming');
  is_given constant boolean := is_end and new.status <> 'failed' and new.content <> '';
  cost constant bigint := private.cost_of(new.model, new.input_tokens - new.cached_tokens, new.cached_tokens,
    new.output_tokens - new.reasoning_tokens, new.reasoning_tokens);
  cost_before bigint;
begin
  -- Before its end, an answer hardly ever has tokens.
  if num_nonnulls(old.input_tokens, old.output_tokens) > 0 then
    cost_before := private.cost_of(old.model, old.input_tokens - old.cached_tokens, old.cached_tokens,
      old.output_tokens - old.reasoning_tokens, old.reasoning_tokens);
  end if;
  insert into private.ledger (account_id, api_key_id, coach_id, turns, input_tokens, output_tokens, cached_tokens,
    reasoning_tokens, estimated_turns, cost_micro_usd, unpriced_turns, answers, own_words)
  select thread.account_id, new.api_key_id, thread.coach_id, is_end::integer,
    greatest(coalesce(new.input_tokens, 0) - coalesce(old.input_tokens, 0), 0),
    greatest(coalesce(new.output_tokens, 0) - coalesce(old.output_tokens, 0), 0),
    greatest(new.cached_tokens - old.cached_tokens, 0), greatest(new.reasoning_tokens - old.reasoning_tokens, 0),
    (new.is_estimated and not old.is_estimated)::integer, greatest(coalesce(cost, 0) - coalesce(cost_before, 0), 0),
    (new.input_tokens is not null and old.input_tokens is null and cost is null)::integer,
    is_given::integer, (is_given and new.is_by_expert)::integer
  from public.threads as thread where thread.id = new.thread_id;
  return null;
end $$;
-- Most updates only add text to an answer. Each run is counted when it ends: nothing is spent when another begins, or an
-- earlier one is restored.
create trigger messages_count_answer after update of status, input_tokens, output_tokens on public.messages
  for each row when (
    (new.status not in ('waiting', 'streaming') or new.input_tokens is not null or new.output_tokens is not null)
    and new.run_id is not distinct from old.run_id
    and (new.status, new.input_tokens, new.output_tokens) is distinct from (old.status, old.input_tokens, old.output_tokens)
  ) execute function private.count_answer();

-- What an answer draws on, and how it is described

-- The sources that a text draws on, among those that the model was given: the ones that it names, in the order of their
-- numbers; if it names none, those with which it shares rare words; or the pinned answer that it repeats.
-- A word is rare if at most a fifth of the coach's passages hold it. The shared ones must weigh as much as 2.5 words of
-- a single passage, so there are at least three, and half as much as those shared with the best source.
create function private.choose_given(coach_id text, content text, sources jsonb) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  if coalesce(nullif(sources, 'null'), '[]') = '[]' or sources @? '$[*] ? (@.isWordForWord == true)' then return sources; end if;
  if sources @? '$[*].number' then
    return (
      select jsonb_agg(source order by (source->>'number')::integer)
      from jsonb_array_elements(choose_given.sources) as source where source ? 'number'
    );
  end if;
  return (
    with coach as materialized (
      select profile.id, profile.language, greatest(total.passages, 1) as passages from public.coach_profiles as profile
      left join private.passage_totals as total on total.coach_id = profile.id where profile.id = choose_given.coach_id
    ), said as materialized (
      -- private.rarity(), written out: it would be called for each word.
      select word.lexeme, term.id, ln(1 + (coach.passages - coalesce(term.passages, 1) + 0.5::double precision)
        / (coalesce(term.passages, 1) + 0.5::double precision)) as rarity
      from coach cross join lateral unnest(private.to_lexemes(coach.language, left(choose_given.content, 10000))) as word
      left join lateral (
        select known.id, known.passages from private.passage_terms as known
        where known.coach_id = coach.id and known.lexeme = word.lexeme collate "C" offset 0
      ) as term on true
      where coalesce(term.passages, 1) <= greatest(coach.passages / 5, 1)
    ), weighed as (
      select given.value as source, given.ordinality as place, (
        select sum(said.rarity) from unnest(passage.terms) as term (id) join said on said.id = term.id
      ) as weight
      from jsonb_array_elements(choose_given.sources) with ordinality as given
      -- One by one: a join reads the texts of all passages of the file.
      cross join lateral (
        select known.terms from public.passages as known
        where md5(known.content) = given.value->>'passageId' and known.file_id = (given.value->>'fileId')::uuid limit 1
      ) as passage
      union all
      select given.value, given.ordinality, (
        select sum(said.rarity)
        from unnest(version.lexemes) as word (lexeme) join said on said.lexeme = word.lexeme
      )
      from jsonb_array_elements(choose_given.sources) with ordinality as given
      cross join lateral (
        select known.lexemes from private.pinned_answer_versions as known
        where known.pinned_answer_id = (given.value->>'pinnedAnswerId')::uuid and known.version = (given.value->>'version')::integer
          and cardinality(known.lexemes) > 2 offset 0
      ) as version
    )
    select coalesce(jsonb_agg(weighed.source order by weighed.place), '[]') from weighed
    where weighed.weight >= (
      select greatest(2.5 * private.rarity((select coach.passages from coach), 1), max(weighed.weight) / 2) from weighed
    )
  );
end $$;

-- A pinned answer {id, version, question, answer} as the source of the message that repeats it.
create function private.describe_pinned_source(pinned json) returns json
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return json_build_object(
    'kind', 'pinned_answer', 'pinnedAnswerId', pinned->>'id', 'version', pinned->'version',
    'question', pinned->>'question', 'quote', left(pinned->>'answer', 300), 'isWordForWord', true
  );
end $$;

-- The text that the current run of an answer has written: empty while the content is still that of an earlier run.
create function private.text_of_run(answer public.messages) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin return case when (answer.previous ? 'content') is not false then answer.content else '' end; end $$;

-- An answer as readers follow it: its state, and its text from a position on.
-- after: the number of characters that the reader has.
create function private.describe_answer(answer public.messages, after integer) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare content constant text := private.text_of_run(answer);
begin
  return json_build_object(
    'message_id', answer.id, 'run_id', answer.run_id, 'thread_id', answer.thread_id,
    'created_at', private.to_wire_time(answer.created_at), 'status', answer.status,
    'author', case when answer.is_by_expert and content <> '' then 'expert' else 'ai' end,
    'content', substr(content, describe_answer.after + 1), 'response_id', answer.response_id,
    'usage', case when answer.input_tokens + answer.output_tokens is not null then json_build_object(
      'fresh_input', answer.input_tokens - answer.cached_tokens, 'cached_input', answer.cached_tokens,
      'visible_output', answer.output_tokens - answer.reasoning_tokens, 'reasoning', answer.reasoning_tokens,
      'is_estimated', answer.is_estimated
    ) end,
    'error_code', answer.error_code,
    'sources', answer.sources, 'is_abandoned', answer.status = 'streaming' and private.is_silent(answer)
  );
end $$;

-- The reply to a question that is sent again, or asked during a takeover: {earlier, waiting}. A waiting answer comes
-- with what its notice needs: the coach's own text (null: the usual one) and language.
create function private.describe_earlier(answer public.messages) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  if answer.status <> 'waiting' then return json_build_object('earlier', private.describe_answer(answer, 0)); end if;
  return (
    select json_build_object(
      'earlier', private.describe_answer(answer, 0),
      'waiting', json_build_object('takeover_notice', coach.takeover_notice, 'language', coach.language)
    )
    from public.threads as thread
    join public.coach_profiles as coach on coach.id = thread.coach_id
    where thread.id = answer.thread_id
  );
end $$;

-- Turns of any kind

-- Gives the pinned answers that are exact, {"earlier": the answer}, and returns the input of the model for other turns.
-- Of a turn that is only tried, the result is the input of the model, with the pinned answer as exact.
create function private.give_exactly(turns private.begun_turn[], exact uuid[], near json[]) returns json[]
language plpgsql volatile security invoker set search_path = '' as $$
declare
  results json[];
  pinned json;
begin
  for n in 1..cardinality(turns) loop
    pinned := (
      select json_build_object('id', each.id, 'version', each.version, 'question', each.question, 'answer', each.answer)
      from public.pinned_answers as each where each.id = exact[n]
    );
    if pinned is null or turns[n].account_id is null then
      turns[n].is_answered := turns[n].is_answered and pinned is null;
      results[n] := (private.describe_turns(turns[n:n], near[n:n]))[1];
      if pinned is not null then results[n] := results[n]::jsonb || jsonb_build_object('exact', pinned); end if;
      continue;
    end if;
    perform public.save_turns(jsonb_build_array(jsonb_build_object(
      'message_id', turns[n].answer_id, 'run_id', (turns[n].request).run_id, 'status', 'complete',
      'content', pinned->>'answer', 'is_by_expert', true,
      'sources', json_build_array(private.describe_pinned_source(pinned)),
      -- Nobody is connected to an answer that has waited (see take_waiting_turn).
      'is_unread', turns[n].question is not null and (turns[n].request).retried_id is null
    )));
    results[n] := json_build_object('earlier', (
      select private.describe_answer(message, 0) from public.messages as message where message.id = turns[n].answer_id
    ));
  end loop;
  return results;
end $$;

-- The end of a history that has room, so that no answer is given without its question.
create function private.cut_history(history json[], room integer) returns json
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return coalesce(array_to_json(history[(
    select min(cut.place) from (
      select each.message->>'role' as role, each.place,
        sum(char_length(each.message->>'content')) over (rows between current row and unbounded following) as length
      from unnest(history) with ordinality as each (message, place)
    ) as cut where (cut.length > room) is not true and cut.role <> 'assistant'
  ):]), '[]');
end $$;

-- Begins a turn of any kind, in the thread of place_turn(). The result, also that of begin_usual(), is one of
--   the turn, as describe_turns() returns it;
--   {"earlier": …}: the model is not asked, because the question was answered before or word for word, its answer is
--     being written, or it waits for the expert;
--   {"error": …}, and nothing is written: thread_not_found, message_not_found, coach_not_found, coach_mismatch,
--     coach_required, not_the_coach, not_the_last_answer, answer_not_retryable, taken_over, response_not_found,
--     idempotency_key_reused.
-- With the idempotency key of an earlier turn the result is its answer, unless that has failed: then it is run again.
create function private.begin_unusual(caller private.caller, request private.turn_request) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  turn private.turn;
  is_new boolean;
  coach_id text;
  is_taken_over boolean;
begin
  turn := private.find_turn(caller, request);
  is_new := (turn.answer).id is null;
  if (request.conversation).previous_id is not null and request.thread_id is null then turn.refusal := 'response_not_found'; end if;
  if turn.refusal is null and request.retried_id is not null then
    turn.question := private.find_question_of_answer(turn.answer);
    turn.refusal := case
      -- A call that arrives for the second time has begun the run already, and the thread may have gone on.
      when turn.is_first and exists (
        select from public.messages as message
        where message.thread_id = (turn.thread).id and message.role <> 'system'
          and (message.created_at, message.sequence) > ((turn.answer).created_at, (turn.answer).sequence)
      ) then 'not_the_last_answer'
      -- The expert's own words, given in person without a run, are not run again. Nor is a note, which would be stored twice.
      when (turn.question).role is distinct from 'user' or (turn.question).mode = 'create_knowledge'
        or (turn.answer).is_by_expert and (turn.answer).run_id is null then 'answer_not_retryable'
    end;
  end if;
  if turn.refusal is null and not is_new and (case
    when turn.is_first then (turn.answer).status in ('streaming', 'waiting')
      or (turn.answer).status <> 'failed' and (request.retried_id is null or turn.is_repeated)
    -- This very call has been answered already, or its answer was stopped.
    else (turn.answer).status <> 'streaming'
  end) then
    perform private.hear_answer(turn.answer);
    return private.describe_earlier(turn.answer);
  end if;
  if turn.refusal is null then
    coach_id := coalesce((turn.thread).coach_id, request.coach_id);
    turn.coach := private.find_coach(caller, coach_id);
    -- Most who ask are not signed in, or only as visitors.
    turn.is_owner := case when request.is_signed_in and caller.is_anonymous is not true then
      coalesce(private.includes_role(private.find_role((turn.coach).id, caller.user_id), 'editor'), false) end;
    is_taken_over := request.is_expert_action is not true and private.is_taken_over((turn.thread).taken_over_until);
    turn.refusal := case
      when coach_id is null then 'coach_required'
      when request.coach_id <> coach_id then 'coach_mismatch'
      when private.refuse_inactive(turn.coach) is not null then private.refuse_inactive(turn.coach)
      when request.is_expert_action and turn.is_owner is not true then 'not_the_coach'
      when is_taken_over and not is_new then 'taken_over'
    end;
  end if;
  if turn.refusal is not null then return json_build_object('error', turn.refusal); end if;

  turn := private.store_turn(caller, request, turn, is_taken_over);
  return case when is_taken_over then private.describe_earlier(turn.answer)
    else private.answer_any(request, turn, is_answered => request.is_expert_action is not true) end;
end $$;

-- The message before an answer; nulls where there is none.
create function private.find_question_of_answer(answer public.messages) returns public.messages
language plpgsql stable security invoker set search_path = '' as $$
declare question public.messages;
begin
  select * into question from public.messages as message
  where message.thread_id = answer.thread_id and message.role <> 'system'
    and (message.created_at, message.sequence) < (answer.created_at, answer.sequence)
  order by message.created_at desc, message.sequence desc limit 1;
  return question;
end $$;

-- The question that another replaces; null for none.
-- A page knows the answer of a question, but not always its ID: either names it.
create function private.find_replaced(replaces uuid, thread_id uuid) returns public.messages
language plpgsql stable security invoker set search_path = '' as $$
declare replaced public.messages;
begin
  select * into replaced from public.messages as message
  where message.id = find_replaced.replaces and message.role <> 'system';
  if replaced.role = 'assistant' then
    select * into replaced from public.messages as message
    where message.thread_id = replaced.thread_id and message.role = 'user'
      and (message.created_at, message.sequence) < (replaced.created_at, replaced.sequence)
    order by message.created_at desc, message.sequence desc limit 1;
  end if;
  if replaced.thread_id <> find_replaced.thread_id then return null; end if;
  return replaced;
end $$;

-- The rows that a request for a turn refers to, or the reason to refuse it: the answer of a turn that was begun before,
-- by this very call or with its idempotency key; the answer to run again; or the question to replace. All are locked
-- with their thread.
create function private.find_turn(caller private.caller, request private.turn_request) returns private.turn
language plpgsql volatile security invoker set search_path = '' as $$
declare
  turn private.turn;
  earlier private.idempotency_keys;
  thread_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(request.run_id::text, 0));
  if request.idempotency_key is not null then
    turn.key_owner := case when request.is_signed_in then caller.user_id else '' end;
    earlier := private.recall_request(caller.account_id, turn.key_owner, 'chat', request.idempotency_key, request.key_lasts);
    if earlier.fingerprint <> request.fingerprint then
      turn.refusal := 'idempotency_key_reused';
      return turn;
    end if;
    turn.is_repeated := earlier.message_id is not null;
    update private.idempotency_keys as known set run_id = request.run_id
    where known.message_id = earlier.message_id and known.run_id is distinct from request.run_id;
  end if;
  select message into turn.answer from public.messages as message
  where message.id = coalesce(earlier.message_id, request.retried_id, request.run_id) and message.role = 'assistant';
  -- A turn that was begun before has replaced its question already.
  if request.replaces is not null and (turn.answer).id is null then
    turn.replaced := private.find_replaced(request.replaces, request.thread_id);
  end if;
  thread_id := coalesce((turn.answer).thread_id, (turn.replaced).thread_id, request.thread_id, request.new_thread_id);
  if thread_id is not null then perform pg_advisory_xact_lock(hashtextextended(thread_id::text, 0)); end if;

  -- Answers are locked before their thread, as in save_turns(). Both may have changed or gone until the lock was got.
  if (turn.answer).id is not null then
    select message into turn.answer from public.messages as message where message.id = (turn.answer).id for update;
  end if;
  if (turn.replaced).id is not null then
    select message into turn.replaced from public.messages as message where message.id = (turn.replaced).id;
    perform from public.messages as message
    where message.thread_id = (turn.replaced).thread_id and message.role = 'assistant'
      and (message.created_at, message.sequence) > ((turn.replaced).created_at, (turn.replaced).sequence)
    order by message.id for update;
  end if;
  turn.is_first := (turn.answer).run_id is distinct from request.run_id;
  if coalesce(request.retried_id, request.replaces) is not null and num_nonnulls((turn.answer).id, (turn.replaced).id) = 0 then
    turn.refusal := 'message_not_found';
    return turn;
  end if;
  if thread_id is not null then
    turn.thread := private.find_thread(caller, thread_id, is_locked => true);
    -- Only an unused ID starts a thread. To continue the thread of somebody else would show what they say.
    if (turn.thread).id is null
      and (thread_id is distinct from request.new_thread_id
        or exists (select from public.threads as thread where thread.id = request.new_thread_id)) then
      turn.refusal := case when num_nonnulls(request.retried_id, (turn.replaced).id) = 0 then 'thread_not_found'
        else 'message_not_found' end;
    end if;
  end if;
  return turn;
end $$;

-- Storing question and answer

-- Writes a question and then its empty answer, which gets the ID of its first run. Tells that they have begun.
create function private.write_turn(caller private.caller, request private.turn_request, turn private.turn, status text)
returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  with told as (
    insert into private.events (kind, account_id, coach_id, thread_id, message_id)
    values ('message.begun', (turn.thread).account_id, (turn.coach).id, (turn.thread).id, request.run_id)
  )
  insert into public.messages (
    id, thread_id, role, content, status, mode, coach_version, run_id, request_id, api_key_id, created_at, updated_at
  )
  values
    (gen_random_uuid(), (turn.thread).id, 'user', request.content, 'complete', request.mode, null, null,
      request.request_id, null, turn.asked_at, turn.asked_at),
    (request.run_id, (turn.thread).id, 'assistant', '', write_turn.status, null, (turn.coach).version, request.run_id,
      request.request_id, caller.api_key_id, turn.asked_at + interval '1 millisecond', now());
  if request.person is not null then perform private.meet_person(turn.thread, request.person); end if;
end $$;

-- Prepares an answer for another run, and stores its former state. An answer without text, because it has failed or
-- waited, is not kept: its responses are of no use. The author belongs to the content, and changes with it.
create function private.restart_answer(
  answer public.messages, run_id uuid, request_id text, api_key_id uuid, coach_version integer
) returns void language plpgsql volatile security invoker set search_path = '' as $$
declare is_kept constant boolean := answer.status not in ('failed', 'waiting') or answer.content <> '';
begin
  if not is_kept then perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id)); end if;
  update public.messages as message
  set previous = case when is_kept then
      -- Without the content, which stays where it is.
      to_jsonb(answer) - array['id', 'thread_id', 'sequence', 'role', 'content', 'mode', 'created_at', 'is_listed']
    end,
    status = 'streaming', error_code = null, error = null, response_id = null, other_response_ids = null,
    input_tokens = null, cached_tokens = 0, output_tokens = null, reasoning_tokens = 0, is_estimated = false,
    sources = null, phase = null, stop_requested_at = null, model = null,
    coach_version = restart_answer.coach_version, revised_at = null, revision_id = null, is_unread = false,
    run_id = restart_answer.run_id, request_id = restart_answer.request_id, api_key_id = restart_answer.api_key_id,
    updated_at = clock_timestamp()
  where message.id = answer.id;
end $$;

-- Of ended answers that were run again, keeps what the new run has written, or restores the former state if that run
-- failed or wrote nothing. The responses of the other run are deleted.
create function private.choose_answers(message_ids uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  answer public.messages;
  former public.messages;
begin
  for answer in
    select * from public.messages as message
    where message.id = any (choose_answers.message_ids) and message.previous is not null and message.status <> 'streaming'
    order by message.id for no key update
  loop
    former := jsonb_populate_record(null::public.messages, answer.previous);
    if answer.status = 'failed' or private.text_of_run(answer) = '' then
      perform private.remove_responses(array_append(answer.other_response_ids, answer.response_id));
      update public.messages as message
      set previous = null, content = coalesce(former.content, answer.content), status = former.status,
        error_code = former.error_code, error = former.error, response_id = former.response_id,
        other_response_ids = former.other_response_ids,
        input_tokens = former.input_tokens, cached_tokens = former.cached_tokens, output_tokens = former.output_tokens,
        reasoning_tokens = former.reasoning_tokens, is_estimated = former.is_estimated,
        sources = former.sources, phase = former.phase, model = former.model, is_by_expert = former.is_by_expert, coach_version = former.coach_version, revised_at = former.revised_at,
        revision_id = former.revision_id, stop_requested_at = former.stop_requested_at, run_id = former.run_id,
        request_id = former.request_id, api_key_id = former.api_key_id
      where message.id = answer.id;
    else
      perform private.remove_responses(array_append(former.other_response_ids, former.response_id));
      update public.messages as message set previous = null where message.id = answer.id;
    end if;
  end loop;
end $$;

-- Deletes the question that a turn replaces, with everything after it.
create function private.delete_replaced(turn private.turn, title text) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.lock_questions(array[(turn.thread).id]);
  delete from public.messages as message
  where message.thread_id = (turn.thread).id
    and (message.created_at, message.sequence) >= ((turn.replaced).created_at, (turn.replaced).sequence);
  -- A title that was made from the replaced question is made from the new one.
  update public.threads as thread set title = delete_replaced.title
  where thread.id = (turn.thread).id
    and starts_with(btrim(regexp_replace((turn.replaced).content, '\s+', ' ', 'g')), rtrim(thread.title, '…'))
    and not exists (select from public.messages as message where message.thread_id = thread.id);
end $$;

-- The time of the next message in a thread.
-- Times are shown in milliseconds: with strictly later ones, clients that sort by them see the order of messages.
create function private.next_time(thread public.threads) returns timestamptz
language plpgsql volatile security invoker set search_path = '' as $$
begin
  return greatest(clock_timestamp(), interval '1 millisecond' + greatest(thread.updated_at, (
    select max(message.created_at) from public.messages as message where message.thread_id = thread.id
  )));
end $$;

-- Makes a thread of a caller; nulls if somebody else has its id. A key that acts alone talks for somebody without a name.
create function private.begin_thread(caller private.caller, id uuid, coach public.coach_profiles, title text,
  is_standalone boolean default false) returns public.threads
language plpgsql volatile security invoker set search_path = '' as $$
declare thread public.threads;
begin
  insert into public.threads as begun (id, account_id, coach_id, user_id, title, is_standalone)
  values (begin_thread.id, caller.account_id, coach.id, coalesce(caller.user_id, 'anonymous-' || gen_random_uuid()),
    begin_thread.title, begin_thread.is_standalone)
  on conflict do nothing returning * into thread;
  return thread;
end $$;

-- Stores a turn: its question with an empty answer, or another run of an answer.
create function private.store_turn(
  caller private.caller, request private.turn_request, turn private.turn, is_taken_over boolean
) returns private.turn language plpgsql volatile security invoker set search_path = '' as $$
begin
  if (turn.replaced).id is not null then perform private.delete_replaced(turn, request.title); end if;
  if (turn.thread).id is null then
    turn.thread := private.begin_thread(caller, coalesce(request.new_thread_id, gen_random_uuid()), turn.coach,
      request.title, coalesce((request.conversation).is_standalone, false));
    turn.asked_at := (turn.thread).created_at;
  else
    -- A turn that stood alone is the first of a conversation now.
    if (turn.thread).is_standalone and turn.is_first then
      update public.threads as thread set is_standalone = false where thread.id = (turn.thread).id;
    end if;
    turn.asked_at := coalesce((turn.question).created_at, (turn.answer).created_at - interval '1 millisecond',
      private.next_time(turn.thread));
  end if;
  if (turn.answer).id is null then
    perform private.write_turn(caller, request, turn, case when store_turn.is_taken_over then 'waiting' else 'streaming' end);
    select message into turn.answer from public.messages as message where message.id = request.run_id;
  elsif turn.is_first then
    perform private.restart_answer(turn.answer, request.run_id, request.request_id, caller.api_key_id, (turn.coach).version);
    perform private.record_event('message.begun', (turn.thread).account_id, (turn.coach).id, (turn.thread).id, (turn.answer).id);
  end if;
  if request.idempotency_key is not null and turn.is_repeated is not true then
    perform private.remember_request(caller.account_id, turn.key_owner, 'chat', request.idempotency_key,
      request.fingerprint, message_id => (turn.answer).id, run_id => request.run_id);
  end if;
  if (request.conversation).is_unkept and store_turn.is_taken_over is not true then
    insert into private.unkept_answers as unkept (message_id, run_id, due_at)
    values ((turn.answer).id, request.run_id, now() + interval '15 minutes')
    on conflict (message_id) do update set run_id = excluded.run_id, due_at = excluded.due_at;
  end if;
  if store_turn.is_taken_over then
    insert into private.ledger (account_id, coach_id, user_id)
    values ((turn.thread).account_id, (turn.thread).coach_id, (turn.thread).user_id);
    if (turn.thread).needs_reply_at is null then
      perform private.record_event(
        'thread.needs_expert', (turn.thread).account_id, (turn.coach).id, (turn.thread).id, (turn.answer).id
      );
    end if;
  end if;
  return turn;
end $$;

-- Answers a turn of any kind, as answer_turns() does. is_answered: whether anything is to be looked up for it.
create function private.answer_any(request private.turn_request, turn private.turn, is_answered boolean) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare begun private.begun_turn;
begin
  begun.said := case when (request.conversation is null or not (request.conversation).is_standalone
      and private.has_said((turn.thread).id, turn.asked_at, (request.conversation).said, is_whole => false)) is not true
    then coalesce((request.conversation).said, '{}') end;
  begun.question := case when (turn.question).id is not null then
    json_build_object('message', (turn.question).content, 'mode', (turn.question).mode) end;
  request.content := coalesce((turn.question).content, request.content);
  if answer_any.is_answered then perform private.require_form(turn.coach, request.asked, request.content); end if;
  begun.request := request;
  begun.account_id := (turn.thread).account_id;
  begun.thread_id := (turn.thread).id;
  begun.user_id := (turn.thread).user_id;
  begun.coach_id := (turn.coach).id;
  begun.is_owner := turn.is_owner;
  begun.asked_at := turn.asked_at;
  begun.answer_id := (turn.answer).id;
  begun.answered_at := (turn.answer).created_at;
  begun.is_answered := answer_any.is_answered;
  begun.is_first := turn.is_first;
  return (private.answer_turns(array[begun]))[1];
end $$;

-- Reserves the call of the model that a turn begins with: it reads what begin_turn() has returned. A token has three bytes
-- at least.
create function private.reserve_turn(
  caller private.caller, request private.turn_request, begun json, is_joint boolean default false
) returns private.allowance language plpgsql volatile security invoker set search_path = '' as $$
declare
  plan private.model_plan := request.plan;
  given constant jsonb := begun;
  coach constant jsonb := given->'coach';
  question constant text := coalesce(given->'question'->>'message', request.content);
  -- The client's own history, where the model is given that: no more than the newest messages of it.
  said text[] := case when given->>'history' is null then (request.conversation).said end;
  thread public.threads;
begin
  said := said[greatest(cardinality(said) - (given->>'history_limit')::integer, 0) + 1:];
  select * into thread from public.threads as known where known.id = (given->>'thread_id')::uuid;
  plan.model := coalesce(coach->>'model', plan.model, '');
  plan.output_limit := coach->>'max_output_tokens';
  if plan.embedding_model is not null and plan.embedding_tokens is null then
    plan.embedding_tokens := ceil(octet_length(coalesce(question, '')) / 3.0);
  end if;
  plan.input_tokens := coalesce(plan.input_tokens, 0) + ceil(octet_length(concat(
    coach->>'name', coach->>'title', coach->>'instructions', coach->>'no_answer', question, given->'question'->>'mode',
    given->>'history', given->>'pinned', given->>'passages', array_to_string(said, ' ')
  )) / 3.0) + case when given @> '{"pinned": [{}]}' or given @> '{"passages": [{}]}' then coalesce(plan.quoted_tokens, 0) else 0 end;
  return private.reserve(
    request.run_id, caller.account_id,
    private.budget_entries(private.payer_of(caller, thread.coach_id, coalesce(caller.user_id, thread.user_id))),
    plan, message_id => (given->>'message_id')::uuid, is_joint => is_joint
  );
end $$;

-- Begins a turn of any kind of a client that may be admitted. Within budgets, it has allowance, {output_tokens: the most of
-- the reply, or null}, or the result is {error, retry_after}: budget_exhausted or price_unknown. Nothing is stored then.
-- is_joint: others are begun in the same transaction, and lock_turns() has come first. HB410 for a turn that has further locks.
create function private.begin_one(client private.caller, turn jsonb, is_joint boolean default false) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  request private.turn_request := jsonb_populate_record(null::private.turn_request, turn);
  begun json;
  allowed private.allowance;
begin
  if not client.is_admitted then return null; end if;
  request := private.place_turn(client, request);
  if is_joint and (
    request.retried_id is not null or (private.find_keyed_request(
      client.account_id, case when request.is_signed_in then client.user_id else '' end, 'chat', request.idempotency_key
    )).key is not null
    or client.is_budgeted and not exists (
      select from public.threads as thread where thread.id = coalesce(request.thread_id, request.new_thread_id)
    )
  ) then
    raise exception using errcode = 'HB410';
  end if;
  if not client.is_budgeted then return private.begin_unusual(client, request); end if;
  begin
    begun := private.begin_unusual(client, request);
    -- Nothing but a turn for the model has a coach.
    if begun->'coach' is null or request.is_expert_action then return begun; end if;
    allowed := private.reserve_turn(client, request, begun, is_joint);
    if allowed.refusal is not null then raise exception using errcode = 'HB429'; end if;
    -- As text: what begin_turn() returns can be long.
    return (left(begun::text, -1) || format(',"allowance":%s}', json_build_object('output_tokens', allowed.output_tokens)))::json;
  exception when sqlstate 'HB429' then
    -- All that the turn has written is taken back.
    return private.describe_allowance(allowed);
  end;
end $$;

-- The turns of one process

create type private.turn_locks as (account_id uuid, run_id uuid, key text, thread_id uuid);
comment on type private.turn_locks is 'What a turn locks, besides what budgets count. key: the text of an idempotency key, as recall_request() locks it; thread_id: of the thread to continue or to create.';

-- What a call of begin_turns() locks that has an idempotency key, or means its thread by a client's own name for it.
create function private.locks_of(call jsonb) returns private.turn_locks
language plpgsql stable security invoker set search_path = '' as $$
declare
  client constant private.caller := private.admit(call->'caller', call->>'user_id', is_change => true);
  request constant private.turn_request :=
    private.find_place(client, jsonb_populate_record(null::private.turn_request, call->'turn'));
begin
  return row(client.account_id, request.run_id, private.name_lock(client.account_id,
    case when request.is_signed_in then client.user_id else '' end, 'chat', request.idempotency_key
  ), coalesce(request.thread_id, request.new_thread_id))::private.turn_locks;
end $$;

-- Takes the locks of the turns of several calls, in the usual order.
create function private.lock_turns(calls jsonb) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  locks constant private.turn_locks[] := array(
    select case when jsonb_typeof(turn.body->'conversation') = 'object' or turn.body->>'idempotency_key' is not null
      then private.locks_of(each)
      else row(coalesce((each->'caller'->>'account_id')::uuid, (
        select api_key.account_id from private.api_keys as api_key where api_key.digest = each->'caller'->>'key_digest'
      )), turn.body->>'run_id', null, coalesce(turn.body->>'thread_id', turn.body->>'new_thread_id'))::private.turn_locks end
    from jsonb_array_elements(calls) as each cross join lateral (select each->'turn' as body) as turn
  );
begin
  perform pg_advisory_xact_lock(lock.key) from (
    select distinct named.place, hashtextextended(named.lock, 0) as key from unnest(locks) as each
    cross join lateral (values (1, each.run_id::text), (2, each.key), (3, each.thread_id::text)) as named (place, lock)
    where named.lock is not null order by 1, 2
  ) as lock;
  perform from public.threads as thread
  where thread.id = any (array(select each.thread_id from unnest(locks) as each))
    and thread.account_id = any (array(select each.account_id from unnest(locks) as each))
  order by thread.id for update;
  if not exists (
    select from public.budgets as budget where budget.account_id = any (array(select each.account_id from unnest(locks) as each))
  ) then return; end if;
  perform private.lock_uses(array(
    select entry from jsonb_array_elements(calls) with ordinality as given (each, place)
    cross join lateral (select private.admit(each->'caller', each->>'user_id', is_change => true) as client offset 0) as caller
    cross join lateral (
      select * from public.threads as known where known.id = (locks[given.place]).thread_id and known.account_id = (client).account_id
    ) as thread
    cross join lateral unnest(private.budget_entries(
      private.payer_of(client, thread.coach_id, coalesce((client).user_id, thread.user_id))
    )) as entry
    where (client).is_budgeted
  ));
end $$;

-- The turns of one process, each as if it came by itself: what is refused takes back its own work only.
-- calls: the arguments of begin_turn(). The result has a line for each with what that returns, or {error_code, message}, or
-- {"is_alone": true} if nothing was done: a turn goes by itself if it would lock rows in another order among others
-- (with the windows of a user, near the end of a budget, begun before), or hold them up (it searches many passages).
-- {"is_alone": "once"} tells the same of this turn, and nothing of others like it.
-- Locks first what all of them lock, in the usual order, and counts the requests of one key after the other: no two calls
-- wait for each other. The usual turns of a key that has room are begun, and counted, in one go.
create function public.begin_turns(calls jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  most_passages constant integer := 500;
  asker record;
  call jsonb;
  client private.caller;
  usual json[]; counted json;
  -- Whether a lane of the key may be locked. All lanes are only locked by who has none.
  is_counted boolean;
  replies json[] := array_fill(null::json, array[jsonb_array_length(calls)]);
begin
  perform private.lock_turns(calls);
  for asker in
    select each->'caller' as caller, api_key.is_publishable, jsonb_agg(each order by ordinality) as calls,
      array_agg(ordinality::integer order by ordinality) as places
    from jsonb_array_elements(begin_turns.calls) with ordinality as given (each, ordinality)
    -- Row by row: a join, or a subquery that is hashed, reads the whole table.
    left join lateral (
      select known.id, known.is_publishable from private.api_keys as known
      where known.id = coalesce((each->'caller'->>'api_key_id')::uuid,
        (select named.id from private.api_keys as named where named.digest = each->'caller'->>'key_digest'))
      offset 0
    ) as api_key on true
    group by api_key.id, 2, 1 order by api_key.id, 1
  loop
    client := private.admit(asker.caller, is_change => true);
    usual := null;
    if client.is_admitted and not (client.is_budgeted or asker.is_publishable or coalesce(client.is_tight, false)) then
      begin
        usual := private.begin_usual(client, asker.calls, most_passages);
        client.requests := num_nonnulls(variadic usual);
        counted := case when client.requests > 0 then private.answer(client) end;
      -- The limit has come near meanwhile: each is counted by itself then.
      exception when sqlstate 'PT429' then usual := null;
      end;
    end if;
    is_counted := num_nonnulls(variadic usual) > 0;
    for n in 1..cardinality(asker.places) loop
      call := asker.calls->(n - 1);
      if usual[n] is not null then
        replies[asker.places[n]] := case when counted is null then usual[n]
          else json_build_object('admission', counted->'admission', 'result', usual[n]) end;
        continue;
      end if;
      client := private.admit(call->'caller', call->>'user_id', is_change => true);
      if asker.is_publishable or client.is_tight and is_counted or exists (
        select from public.messages as message where message.id = (call->'turn'->>'run_id')::uuid
        union all
        select from private.passage_totals as total
        where total.passages > most_passages and total.coach_id = coalesce((
          select thread.coach_id from public.threads as thread where thread.id = (call->'turn'->>'thread_id')::uuid
        ), call->'turn'->>'coach_id')
      ) then
        replies[asker.places[n]] := '{"is_alone": true}';
        continue;
      end if;
      begin
        replies[asker.places[n]] := private.answer(client, private.begin_one(client, call->'turn', is_joint => true));
      exception
        when sqlstate 'PT429' or sqlstate 'PT412' then
          replies[asker.places[n]] := json_build_object('error_code', sqlstate, 'message', sqlerrm);
        when sqlstate 'HB409' then replies[asker.places[n]] := '{"is_alone": true}';
        when sqlstate 'HB410' then replies[asker.places[n]] := '{"is_alone": "once"}';
      end;
      is_counted := is_counted or client.is_tight is false;
    end loop;
  end loop;
  return array_to_json(replies, true);
end $$;
comment on function public.begin_turns is 'Begins several turns as begin_turn() does; calls: its arguments. One line for each, in their order.';

-- Waiting turns
--
-- After a takeover, the model answers the questions that still wait: one thread at a time, its oldest question first.
-- The sweep of the indexer asks for them (see answer_waiting.ts).

-- True if take_waiting_turn() has something to do.
create function private.has_waiting_turns() returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from public.threads as thread
    where thread.is_waiting and (thread.taken_over_until is null or thread.taken_over_until <= now())
      and (thread.put_off_until is null or thread.put_off_until <= now())
  );
end $$;

-- The oldest waiting answer of a thread that the expert has left; null for none.
-- Locks the ID of the thread. A thread in which somebody is asking just now is skipped.
create function private.find_waiting_answer() returns uuid
language plpgsql volatile security invoker set search_path = '' as $$
declare
  released public.threads;
  answer_id uuid;
begin
  for released in
    select * from public.threads as thread
    where thread.is_waiting and (thread.taken_over_until is null or thread.taken_over_until <= now())
      and (thread.put_off_until is null or thread.put_off_until <= now())
    limit 100
  loop
    continue when not pg_try_advisory_xact_lock(hashtextextended(released.id::text, 0))
      or private.find_active_answer(released.id, released.settled_until) is not null;
    select message.id into answer_id from public.messages as message
    where message.thread_id = released.id and message.created_at > released.settled_until and message.status = 'waiting'
      and not private.is_held(message.id)
    order by message.created_at, message.sequence limit 1;
    exit when found;
    -- The answer was deleted.
    perform private.refresh_waiting(released.id);
  end loop;
  return answer_id;
end $$;

-- Begins the run of an answer that waits. is_first: false for passages that fit the query_vector, too.
-- The result is null if there is nothing to do, otherwise the result of begin_turn(), or {} if nothing is left to do: a
-- pinned answer has said it all, or nobody was there.
create function private.begin_waiting_turn(answer_id uuid, request private.turn_request, is_first boolean) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  turn private.turn;
  answer public.messages;
  described json;
begin
  turn.is_first := begin_waiting_turn.is_first;
  select * into answer from public.messages as message where message.id = answer_id for update;
  select thread into turn.thread from public.threads as thread where thread.id = answer.thread_id for update;
  if (turn.thread).id is null or private.is_taken_over((turn.thread).taken_over_until) or (case
    when turn.is_first then answer.status <> 'waiting'
    else answer.status <> 'streaming' or answer.run_id is distinct from request.run_id
  end) then
    return null;
  end if;

  turn.answer := answer;
  select coach into turn.coach from public.coach_profiles as coach where coach.id = (turn.thread).coach_id;
  turn.question := private.find_question_of_answer(answer);
  turn.asked_at := (turn.question).created_at;
  if not (turn.coach).is_active or (turn.question).role is distinct from 'user' then
    update public.messages as message
    set status = 'failed', error_code = 'coach_not_found', error = 'Nobody was there to answer it after the takeover'
    where message.id = answer.id;
    perform private.record_event('message.completed', (turn.thread).account_id, (turn.coach).id, answer.thread_id, answer.id);
    return '{}';
  end if;
  if turn.is_first then
    perform private.restart_answer(answer, request.run_id, answer.request_id, answer.api_key_id, (turn.coach).version);
    perform private.record_event('message.begun', (turn.thread).account_id, (turn.coach).id, answer.thread_id, answer.id);
  end if;
  described := private.answer_any(request, turn, is_answered => true);
  return case when described->'earlier' is null then described else '{}' end;
end $$;

-- run_id: made by the caller. With the message_id of the result, it is called once more for passages that fit the
-- query_vector, too. plan: see private.turn_request.
-- The result is null if there is nothing to do, otherwise {"turn": the result of begin_turn(), or null if the model has
-- nothing to do for this one}. A turn that budgets refuse waits; its thread is looked at again after 15 minutes at most.
create function public.take_waiting_turn(
  run_id uuid, message_id uuid default null, query_vector text default null, history_characters integer default null,
  plan jsonb default null, asked jsonb default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  answer_id constant uuid := coalesce(take_waiting_turn.message_id, private.find_waiting_answer());
  request private.turn_request;
  asker private.caller;
  thread public.threads;
  begun json;
  allowed private.allowance;
begin
  request.run_id := take_waiting_turn.run_id;
  request.query_vector := take_waiting_turn.query_vector;
  request.history_characters := take_waiting_turn.history_characters;
  request.plan := jsonb_populate_record(null::private.model_plan, take_waiting_turn.plan);
  request.asked := jsonb_populate_record(null::private.normal_question, take_waiting_turn.asked);
  begin
    begun := private.begin_waiting_turn(answer_id, request, is_first => take_waiting_turn.message_id is null);
    if begun is null then return null; end if;
    if begun->'coach' is null then return json_build_object('turn', null); end if;
    select known.* into thread from public.threads as known where known.id = (begun->>'thread_id')::uuid;
    if not private.has_budgets(thread.account_id) then return json_build_object('turn', begun); end if;
    asker := private.caller_of(thread.account_id, thread.user_id);
    asker.api_key_id := (select message.api_key_id from public.messages as message where message.id = answer_id);
    -- Nobody is signed in now, so Auth is asked whether the user is a visitor. An older one has none.
    asker.is_anonymous := (
      select (to_jsonb(known)->>'is_anonymous')::boolean from auth.users as known
      where known.id = private.to_auth_id(thread.user_id)
    );
    allowed := private.reserve_turn(asker, request, begun);
    if allowed.refusal is not null then raise exception using errcode = 'HB429'; end if;
    return json_build_object('turn', begun::jsonb
      || jsonb_build_object('allowance', jsonb_build_object('output_tokens', allowed.output_tokens)));
  exception when sqlstate 'HB429' then
    perform private.describe_allowance(allowed);
    update public.threads as known set put_off_until = least(allowed.renewed_at, now() + interval '15 minutes')
    where known.id = thread.id;
    return json_build_object('turn', null);
  end;
end $$;
comment on function public.take_waiting_turn is 'Begins the run of an answer that has waited for the expert: {turn}, or null for none.';

-- Saving answers in any state

-- Saves answers that are not in the usual state of save_turns(), whatever their state. The responses of an end that is not
-- stored are deleted. Answers and the threads of those that end are locked.
create function private.save_unusual(turns jsonb) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare
  save private.answer_save;
  answer public.messages;
  taken public.messages;
  reason text;
  saved public.messages[] := '{}';
  ended_threads uuid[] := '{}';
  rerun uuid[] := '{}';
  remarks json[] := '{}';
  spent private.settlement[] := '{}';
begin
  for save in
    select * from jsonb_populate_recordset(null::private.answer_save, save_unusual.turns) as entry order by entry.message_id
  loop
    select * into answer from public.messages as message
    where message.id = save.message_id
      and (save.content is not null or save.status <> 'streaming' or message.updated_at < now() - interval '10 seconds')
    for no key update;
    if found then
      taken := private.take_save(answer, save);
      taken.sources := case when taken.status = 'streaming' then taken.sources else private.choose_given(
        (select thread.coach_id from public.threads as thread where thread.id = taken.thread_id), taken.content, taken.sources) end;
    else
      taken := null;
      select * into answer from public.messages as message where message.id = save.message_id;
    end if;
    reason := case when save.status = 'streaming' or taken.id is null then
      private.advise_run(answer, save, taken.id is not null) end;
    if reason is not null then
      remarks := remarks || json_build_object('message_id', save.message_id, 'reason', reason);
    elsif save.status <> 'streaming' and jsonb_typeof(save.sources) = 'array' then
      remarks := remarks || json_build_object('message_id', save.message_id, 'reason', 'ended',
        'sources', case when taken.id is null then answer.sources else taken.sources end);
    end if;
    if save.status <> 'streaming' and reason is distinct from 'gap' then
      -- A reader that gives a run up settles it, too, and may know no counts; a run that reports none has asked no model.
      spent := spent || case when taken.id is null then row(save.run_id, save.model, coalesce(save.input_tokens, 0),
          save.cached_tokens, save.output_tokens, save.reasoning_tokens, save.content)::private.settlement
        else row(taken.run_id, taken.model, coalesce(taken.input_tokens, case when save.run_id is not null then 0 end),
          taken.cached_tokens, taken.output_tokens, taken.reasoning_tokens,
          case when taken.input_tokens is null then private.text_of_run(taken) end)::private.settlement end;
    end if;
    if taken.id is not null then
      saved := saved || taken;
      if taken.status <> 'streaming' then
        ended_threads := ended_threads || taken.thread_id;
        rerun := case when taken.previous is not null then rerun || taken.id else rerun end;
      end if;
    elsif save.status <> 'streaming' and save.run_id is not null and reason is distinct from 'gap' then
      perform private.remove_responses(array(
        select response.id from unnest(array_append(save.other_response_ids, save.response_id)) as response (id)
        where response.id is distinct from answer.response_id
          and (response.id = any (answer.other_response_ids)) is not true
      ));
    end if;
  end loop;

  if cardinality(saved) > 0 then
    update public.messages as message
    set content = changed.content, status = changed.status, error_code = changed.error_code, error = changed.error,
      response_id = changed.response_id, other_response_ids = changed.other_response_ids,
      input_tokens = changed.input_tokens, cached_tokens = changed.cached_tokens, output_tokens = changed.output_tokens,
      reasoning_tokens = changed.reasoning_tokens, is_estimated = changed.is_estimated, sources = changed.sources,
      phase = changed.phase, model = changed.model, is_by_expert = changed.is_by_expert,
      is_unread = changed.is_unread, previous = changed.previous, updated_at = now()
    from unnest(saved) as changed where message.id = any (array[changed.id]);
  end if;
  if cardinality(rerun) > 0 then perform private.choose_answers(rerun); end if;
  if cardinality(ended_threads) > 0 then
    perform private.settle_threads(ended_threads);
    perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, ended.id)
    from unnest(saved) as ended
    cross join lateral (select * from public.threads as thread where thread.id = ended.thread_id offset 0) as thread
    where ended.status <> 'streaming';
  end if;
  if cardinality(spent) > 0 then perform private.settle(spent); end if;
  return array_to_json(remarks);
end $$;

-- The reason for which the run of a save should end, or save its whole text (gap); null for none.
-- gap: the text to continue is not there; the run should save again from the first character. The run should end in the
-- other cases. stopped: the user wants that. taken_over: the expert gives the answer. lost: the answer is deleted,
-- complete without this run, or written by another.
create function private.advise_run(answer public.messages, save private.answer_save, is_saved boolean) returns text
language plpgsql stable security invoker set search_path = '' as $$
declare
  is_own constant boolean := answer.id is not null and answer.run_id is not distinct from save.run_id;
  kept constant integer := coalesce(save.content_from, 0);
begin
  if is_own and not advise_run.is_saved and kept > 0
    and (case when save.status = 'streaming' then answer.status = 'streaming' else answer.status <> 'complete' end) then
    return 'gap';
  end if;
  if save.status = 'streaming' then
    if is_own and answer.status not in ('waiting', 'complete', 'stopped') and answer.stop_requested_at is null then
      return null;
    end if;
  -- An end that arrives twice finds itself stored.
  elsif advise_run.is_saved or is_own and answer.status = save.status
    and char_length(private.text_of_run(answer)) >= kept
    and substr(private.text_of_run(answer), kept + 1) = save.content then
    return null;
  end if;
  return case
    when answer.status = 'waiting' and not advise_run.is_saved or answer.status = 'complete' and answer.run_id is null
      then 'taken_over'
    when is_own and (answer.status in ('waiting', 'stopped') or answer.stop_requested_at is not null) then 'stopped'
    else 'lost'
  end;
end $$;

-- An answer with the content of a save; null if its state or its run does not allow that.
-- A reader may only save once the run has been silent for 30 seconds. The states that may follow each:
--   streaming  any, from its run or a reader.
--   waiting    stopped, from its run, if it had text when the expert took over.
--   failed     complete or stopped, from its run or a reader: a reader had called it failed too early, because the run
--              was slow or the backend out of reach. Its run may also fail again, with more text.
--   stopped    stopped: its run may still add the text and the tokens it had.
--   complete   none.
-- A save that continues a text needs that text to be there, and still streaming. Of an answer that is run again, the
-- former content stays until the new run has text.
create function private.take_save(answer public.messages, save private.answer_save) returns public.messages
language plpgsql stable security invoker set search_path = '' as $$
declare
  is_own constant boolean := answer.run_id is not distinct from save.run_id;
  kept constant integer := coalesce(save.content_from, 0);
  text text := private.text_of_run(answer);
begin
  if not (is_own or save.run_id is null and private.is_silent(answer))
    or kept > 0 and (answer.status <> 'streaming' or char_length(text) < kept)
    or (case answer.status
      when 'streaming' then true
      when 'failed' then save.status in ('complete', 'stopped') or save.status = 'failed' and save.run_id is not null
      when 'stopped' then save.status in ('complete', 'stopped') and save.run_id is not null
      when 'waiting' then is_own and kept = 0 and save.content <> ''
    end) is not true then
    return null;
  end if;

  -- As in save_turns().
  if not (save.status in ('streaming', 'failed') and kept + char_length(save.content) < char_length(text)) then
    text := coalesce(left(text, kept) || save.content, text);
  end if;
  if (answer.previous ? 'content') is not false then
    answer.content := text;
  elsif text <> '' then
    answer.previous := answer.previous || jsonb_build_object('content', answer.content);
    answer.content := text;
  end if;
  if text <> '' then answer.is_by_expert := coalesce(save.is_by_expert, false); end if;
  answer.status := case when answer.status in ('stopped', 'waiting') then 'stopped' else save.status end;
  answer.is_unread := answer.status = 'complete' and answer.content <> '' and coalesce(save.is_unread, save.run_id is null);
  answer.error_code := save.error_code;
  answer.error := save.error;
  answer.response_id := save.response_id;
  answer.other_response_ids :=
    array_remove(coalesce(save.other_response_ids, answer.other_response_ids), save.response_id);
  -- A reader that gives an answer up knows less than its run has stored.
  if save.input_tokens is not null then
    answer.input_tokens := save.input_tokens;
    answer.cached_tokens := coalesce(save.cached_tokens, 0);
    answer.output_tokens := save.output_tokens;
    answer.reasoning_tokens := coalesce(save.reasoning_tokens, 0);
    answer.is_estimated := coalesce(save.is_estimated, false);
  end if;
  answer.sources := coalesce(save.sources, answer.sources);
  answer.phase := coalesce(save.phase, answer.phase);
  answer.model := coalesce(save.model, answer.model);
  return answer;
end $$;

-- Following and stopping

-- Marks an answer as read when somebody receives its end. What the expert has said in person stays unread until
-- mark_read(). Never waits for a lock, since readers of many answers come in any order.
create function private.hear_answer(answer public.messages) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  if answer.is_unread and (not answer.is_by_expert or answer.run_id is not null) then
    update public.messages as message set is_unread = false
    where message.id = any (array(
      select heard.id from public.messages as heard where heard.id = answer.id for no key update skip locked
    ));
  end if;
end $$;

-- An answer of a caller; null for none.
create function private.show_answer(caller private.caller, message_id uuid, after integer) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare answer public.messages;
begin
  select * into answer from public.messages as message
  where message.id = show_answer.message_id and message.role = 'assistant';
  if (private.find_thread(caller, answer.thread_id)).id is null then return null; end if;
  perform private.hear_answer(answer);
  return private.describe_answer(answer, show_answer.after);
end $$;

-- asked: [{account_id, coach_ids, user_id, message_id, after}], for all readers of a process in one call. coach_ids
-- null: every coach of the account; user_id null: the key reads alone.
create function public.read_answers(asked jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(private.show_answer(
      private.caller_of(reader.account_id, reader.user_id, reader.coach_ids), reader.message_id, reader.after
    ) order by reader.ordinality), '[]')
    from rows from (
      jsonb_to_recordset(read_answers.asked)
        as (account_id uuid, coach_ids text[], user_id text, message_id uuid, after integer)
    ) with ordinality as reader
  );
end $$;
comment on function public.read_answers is 'The states of answers and their texts from a position on, in the order of asked; null for each that the caller does not have.';

create function public.read_answer(caller jsonb, user_id text, message_id uuid, after integer) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin return private.answer(client, private.show_answer(client, message_id, after)); end $$;
comment on function public.read_answer is 'The state of an answer and its text from a position on; null if the caller does not have it.';

-- Asks the run of an answer to end, or ends the answer. Whoever stops one that waits for the expert alone takes their
-- request back.
-- is_forced: the run has not reacted; the stored text becomes the answer.
-- run_id: of the request whose client has left. If another request has asked for the answer since, it goes on.
create function public.stop_turn(
  caller jsonb, user_id text, message_id uuid, is_forced boolean, run_id uuid default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  answer public.messages;
  thread public.threads;
  is_end boolean;
begin
  select * into answer from public.messages as message
  where message.id = stop_turn.message_id and not exists (
    select from private.idempotency_keys as known
    where known.message_id = stop_turn.message_id and known.run_id <> stop_turn.run_id
  )
  for no key update;
  if answer.role = 'assistant' and answer.status in ('waiting', 'streaming') then
    thread := private.find_thread(client, answer.thread_id, is_locked => true);
  end if;
  if thread.id is not null then
    -- No run writes an answer that waits.
    is_end := stop_turn.is_forced or answer.status = 'waiting';
    update public.messages as message
    set stop_requested_at = coalesce(message.stop_requested_at, now()),
      status = case when is_end then 'stopped' else message.status end,
      sources = case when is_end then private.choose_given(thread.coach_id, message.content, message.sources)
        else message.sources end
    where message.id = answer.id;
    if is_end then
      perform private.record_event('message.completed', thread.account_id, thread.coach_id, thread.id, answer.id);
    end if;
    if answer.previous is not null then perform private.choose_answers(array[answer.id]); end if;
    if answer.status = 'waiting' then
      perform private.take_back(request) from private.requests as request
      where request.answer_id = answer.id and request.is_open;
    end if;
  end if;
  return private.answer(client, private.show_answer(client, stop_turn.message_id, 0));
end $$;
comment on function public.stop_turn is 'Asks for the end of an answer and returns it with its state; null if the caller does not have it.';

-- Responses at the model's backend

-- The backend stores each request with its response. When a message is deleted, in whatever way, its responses are
-- added to this list. The sweep of the indexer deletes them: it has the model's key and retries what has failed.
create table private.response_removals (
  response_id text primary key,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.response_removals is 'Responses to delete at the backend of the language model, tried for 30 days: OpenAI stores none for longer.';
comment on column private.response_removals.response_id is 'ID of the response at the backend: opaque text. The index takes about 2,700 bytes; event_reader.ts accepts fewer.';
comment on column private.response_removals.created_at is 'When its message was deleted or its answer was given up.';

-- The sweep takes those that are due.
create index response_removals_by_due_time on private.response_removals (due_at);
-- The sweep drops those older than 30 days.
create index response_removals_by_age on private.response_removals (created_at);

-- Adds responses to the list of those to delete; nulls are skipped.
create function private.remove_responses(response_ids text[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.response_removals (response_id)
  select response.id from unnest(remove_responses.response_ids) as response (id) where response.id is not null
  on conflict do nothing;
end $$;

-- Definer: service_role may delete messages, but has no rights on the private schema.
create function private.remove_responses_of_messages() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.remove_responses(array(
    select unnest(array_append(deleted.other_response_ids, deleted.response_id)) from deleted
    union all
    select unnest(array_append(former.other_response_ids, former.response_id))
    from deleted
    cross join lateral jsonb_populate_record(null::public.messages, deleted.previous) as former
    where deleted.previous is not null
  ));
  return null;
end $$;
create trigger messages_remove_responses after delete on public.messages referencing old table as deleted
  for each statement execute function private.remove_responses_of_messages();

create function public.end_response_removals(response_ids text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.response_removals as removal where removal.response_id = any (end_response_removals.response_ids);
end $$;
comment on function public.end_response_removals is 'Takes responses that are deleted off the list.';
