-- Overview: the first screen of the expert's desk, in one call.
-- Function: read_overview. It reads indexes only, and no more of threads and messages than the last weeks have.

-- What has happened with a coach since a moment. reader_id: the expert who asks; null: a server. Messages are counted in
-- the 10,000 conversations that are newest.
create function private.count_changes(coach public.coach_profiles, reader_id text, since timestamptz) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  thread_ids constant uuid[] := array(
    select thread.id from public.threads as thread
    where thread.account_id = coach.account_id and thread.coach_id = coach.id and not thread.is_standalone
      and thread.updated_at >= since order by thread.updated_at desc, thread.id desc limit 10000
  );
begin
  return jsonb_build_object('conversations', cardinality(thread_ids), 'messages_of_people', (
    select coalesce(sum(said.messages), 0) from unnest(thread_ids) as changed (id)
    cross join lateral (
      select count(*) as messages from public.messages as message
      where message.thread_id = changed.id and message.created_at >= since and message.role = 'user' offset 0
    ) as said
  ), 'questions', (
    select count(*) from public.open_questions as question
    where question.coach_id = coach.id and question.first_asked_at >= since
  ), 'ratings_down', (
    select count(*) from public.feedback as given
    where given.coach_id = coach.id and given.updated_at >= since and given.rating = 'down'
  ), 'versions', (
    select coalesce(jsonb_agg(jsonb_build_object('version', kept.version,
      'published_at', private.to_wire_time(kept.published_at), 'by', private.name_expert(kept.published_by, kept.coach_id)
    ) order by kept.version desc), '[]')
    from (
      select * from public.coach_versions as version
      where version.coach_id = coach.id and version.version > 0 and version.published_at >= since order by version.version desc limit 20
    ) as kept
  ), 'files', (
    select count(*) from public.knowledge_files as file where file.coach_id = coach.id and file.replaces is null and file.uploaded_at >= since
  ), 'answers_by_others', (
    select count(*) from public.pinned_answers as pinned
    where pinned.coach_id = coach.id and pinned.updated_at >= since and pinned.written_by is distinct from reader_id
  ));
end $$;

-- How a coach did in seven days, from a day on. from_time, before_time: when they begin and end where the expert is.
-- conversations: those that began. not_known: how often it did not know.
create function private.describe_week(coach public.coach_profiles, from_day date, from_time timestamptz,
  before_time timestamptz) returns jsonb language plpgsql stable security invoker set search_path = '' as $$
begin
  return jsonb_build_object('from', from_day, 'conversations', (
    select count(*) from public.threads as thread
    where thread.account_id = coach.account_id and thread.coach_id = coach.id and not thread.is_standalone
      and thread.updated_at >= from_time and thread.created_at >= from_time and thread.created_at < before_time
  ), 'people', (
    select count(distinct person.user_id) from private.askers as person
    where person.coach_id = coach.id and person.at >= from_time and person.at < before_time
  ), 'not_known', (
    select coalesce(sum(found.times), 0) from public.open_questions as question
    cross join lateral (
      select count(*) as times from private.askings as asking
      where asking.question_id = question.id and asking.reason = 'unknown' and asking.asked_at >= from_time
        and asking.asked_at < before_time offset 0
    ) as found
    where question.coach_id = coach.id and question.last_asked_at >= from_time and question.first_asked_at < before_time
  ) + (
    -- The person has then asked the expert, which took the place of the reason.
    select count(*) from private.requests as request
    cross join lateral (
      select from private.askings as asking
      where asking.message_id = request.answer_id and asking.reason = 'human' and asking.asked_at >= from_time
        and asking.asked_at < before_time offset 0
    ) as asking
    where request.account_id = coach.account_id and request.coach_id = coach.id and request.former_reason = 'unknown'
      and (request.is_open or request.answered_at >= from_time)
  )) || (
    select jsonb_build_object('answers', coalesce(sum(counts.answers), 0), 'own_words', coalesce(sum(counts.own_words), 0))
    from private.usage_counts as counts
    where counts.coach_id = coach.id and counts.account_id = coach.account_id
      and counts.at >= from_time and counts.at < before_time
  ) || (
    select jsonb_build_object('good', count(*) filter (where given.rating = 'up'),
      'bad', count(*) filter (where given.rating = 'down'))
    from public.feedback as given
    where given.coach_id = coach.id and given.updated_at >= from_time and given.updated_at < before_time
  );
end $$;

-- from_day: the first of the last seven days. weeks: when the week before began, when these began, and when they end.
-- since: at most 30 days ago; null: the beginning of the week.
create function public.read_overview(caller jsonb, user_id text, coach_id text, from_day date, weeks timestamptz[],
  since timestamptz default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id);
  coach constant public.coach_profiles := private.find_coach(client, coach_id);
  from_time constant timestamptz := greatest(coalesce(since, weeks[2]), now() - interval '30 days');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  perform private.fold_ledger();
  return private.answer(client, json_build_object('waiting', json_build_object('questions', (
    select count(*) from public.open_questions as question where question.coach_id = coach.id and question.status = 'open'
  ), 'people', (
    select count(*) from public.threads as thread
    where thread.account_id = coach.account_id and thread.coach_id = coach.id and thread.needs_reply_at is not null
  )), 'since', private.to_wire_time(from_time),
  'changed', private.count_changes(coach, client.user_id, from_time),
  'week', private.describe_week(coach, from_day, weeks[2], weeks[3]),
  'week_before', private.describe_week(coach, from_day - 7, weeks[1], weeks[2]),
  'trouble', json_build_object('files_failed', (
    select count(*) from public.knowledge_files as file where file.coach_id = coach.id and file.status = 'failed'
  ), 'sources_failed', (
    select count(*) from public.knowledge_sources as source where source.coach_id = coach.id and source.status = 'failed'
  ), 'tests_failing', (
    select count(*) from private.test_results as result
    where result.verdict = 'failed' and result.run_id = (
      select run.id from private.test_runs as run
      where run.coach_id = coach.id and run.status = 'done' order by run.number desc limit 1
    )
  ))));
end $$;
comment on function public.read_overview is 'Reply of GET /coaches/{coachId}/overview, or {"error"}.';
