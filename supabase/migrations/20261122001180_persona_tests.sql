-- Tests of a persona: questions with what is expected of the answer, and runs that ask them.
-- Tables: test_cases. In private: test_runs, test_results (each case of a run, from the beginning of the run on).
-- A case is answered from what a turn would find, and leaves nothing but its result: no thread, no open question, no hit.
-- Surprises: a worker claims one case at a time. It renews its claims every two seconds; a claim that was not renewed for
-- 30 seconds is of a worker that was killed, and the case is due again. Runs of a coach go one after another, each with
-- at most four cases at once. A case that holds words of a conversation is deleted with it.

-- In public, since checks are made with the rights of whoever writes the row.
create function public.are_test_texts(texts jsonb) returns boolean
language sql immutable security invoker set search_path = ''
return case when texts is null then true when jsonb_typeof(texts) <> 'array' then false else
  jsonb_array_length(texts) <= 20 and not exists (
    select from jsonb_array_elements(texts) as text
    where jsonb_typeof(text) <> 'string' or btrim(text #>> '{}') = '' or char_length(text #>> '{}') > 1000
  ) end;
comment on function public.are_test_texts is 'Whether these can be texts that a test expects: at most 20, each of 1 to 1000 characters; null: none.';

create function public.is_test_expectation(expect jsonb) returns boolean
language sql immutable security invoker set search_path = ''
return case when jsonb_typeof(expect) <> 'object' then false else
  expect - array['outcome', 'contains', 'contains_any', 'icontains', 'not_contains', 'sources', 'rubric'] = '{}'
  and coalesce(expect->>'outcome', 'pinned') in ('answered', 'not_known', 'pinned')
  and public.are_test_texts(expect->'contains') and public.are_test_texts(expect->'contains_any')
  and public.are_test_texts(expect->'icontains') and public.are_test_texts(expect->'not_contains')
  and coalesce(jsonb_typeof(expect->'sources'), 'object') = 'object'
  and case jsonb_typeof(expect->'sources') when 'object' then (expect->'sources') - array['all', 'any'] = '{}' else true end
  and public.are_test_texts(expect->'sources'->'all') and public.are_test_texts(expect->'sources'->'any')
  and coalesce(jsonb_typeof(expect->'rubric'), 'string') = 'string'
  and btrim(coalesce(expect->>'rubric', '-')) <> '' and char_length(coalesce(expect->>'rubric', '')) <= 4000 end;
comment on function public.is_test_expectation is 'Whether this can be what a test expects of an answer (see TestExpectation in the API).';

create function public.is_test_history(history jsonb) returns boolean
language sql immutable security invoker set search_path = ''
return case when jsonb_typeof(history) <> 'array' then false else
  jsonb_array_length(history) <= 20 and char_length(history::text) <= 300000 and not exists (
    select from jsonb_array_elements(history) as said
    where (said->>'role' in ('user', 'assistant') and jsonb_typeof(said->'content') = 'string'
      and btrim(said->>'content') <> '') is not true
  ) end;
comment on function public.is_test_history is 'Whether these can be the messages before the question of a test: at most 20, [{role: user or assistant, content}].';

create table public.test_cases (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  account_id uuid not null,
  coach_id text not null,
  thread_id uuid references public.threads (id) on delete cascade,
  question text not null,
  history jsonb not null default '[]',
  expect jsonb not null default '{}',
  reference text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint test_cases_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint test_cases_question_is_1_to_32000_characters check (btrim(question) <> '' and char_length(question) <= 32000),
  constraint test_cases_history_is_messages check (public.is_test_history(history)),
  constraint test_cases_expect_is_known check (public.is_test_expectation(expect)),
  constraint test_cases_reference_is_1_to_10000_characters check (btrim(reference) <> '' and char_length(reference) <= 10000)
);
comment on table public.test_cases is 'Questions with what is expected of the answer. At most 500 of a coach.';
comment on column public.test_cases.thread_id is 'The thread whose words the case holds: it is deleted with it; null: it was written for the test.';
comment on column public.test_cases.question is 'The question, 1 to 32000 characters.';
comment on column public.test_cases.history is 'The messages before it, oldest first: [{role: user or assistant, content}].';
comment on column public.test_cases.expect is 'What is expected: {outcome, contains, contains_any, icontains, not_contains, sources: {all, any}, rubric}, each of which may be left out.';
comment on column public.test_cases.reference is 'The answer that the expert would give, with which a judge compares, 1 to 10000 characters; null: none.';
comment on column public.test_cases.updated_at is 'When it was last changed through the API.';

-- The list of a coach's cases, newest first.
create index test_cases_by_number on public.test_cases (coach_id, number desc);
-- Renaming or deleting a coach.
create index test_cases_by_coach on public.test_cases (account_id, coach_id);
-- Deleting a thread.
create index test_cases_by_thread on public.test_cases (thread_id) where thread_id is not null;

create table private.test_runs (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  account_id uuid not null,
  coach_id text not null,
  status text not null default 'queued',
  has_judge boolean not null,
  coach_version integer not null,
  draft jsonb,
  taken_at timestamptz not null default clock_timestamp(),
  put_off_until timestamptz,
  waits_for_budget boolean not null default false,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint test_runs_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint test_runs_status_is_known check (status in ('queued', 'running', 'done', 'stopped'))
);
comment on table private.test_runs is 'Runs of the tests of a coach. The newest 50 of a coach are kept.';
comment on column private.test_runs.status is 'queued until its first case begins, then running, until it is done or stopped.';
comment on column private.test_runs.has_judge is 'Whether a model judges the answers by rubrics and references.';
comment on column private.test_runs.coach_version is 'As in coach_profiles, when the run was started.';
comment on column private.test_runs.draft is 'What the draft of the coach was when the run was started; null: it is a run of what is published.';
comment on column private.test_runs.taken_at is 'When a case of it was last taken: the run that has waited longest comes first.';
comment on column private.test_runs.put_off_until is 'No case is taken until then, because a budget has refused one, or the model was busy; null: not put off.';
comment on column private.test_runs.waits_for_budget is 'Whether it was a budget.';
comment on column private.test_runs.ended_at is 'When it was done or stopped; null: it goes on.';

-- The list of a coach's runs, newest first.
create index test_runs_by_number on private.test_runs (coach_id, number desc);
-- Renaming or deleting a coach.
create index test_runs_by_coach on private.test_runs (account_id, coach_id);
-- The run from which a worker takes a case.
create index test_runs_by_turn on private.test_runs (taken_at) where ended_at is null;

create table private.test_results (
  run_id uuid not null references private.test_runs (id) on delete cascade,
  test_id uuid not null references public.test_cases (id) on delete cascade,
  due_at timestamptz default now(),
  claim uuid,
  attempts integer not null default 0,
  verdict text,
  reasons text[] not null default '{}',
  outcome text,
  text text not null default '',
  sources jsonb not null default '[]',
  passage_ids text[] not null default '{}',
  judge jsonb,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  time_ms integer not null default 0,
  compared_run_id uuid,
  constraint test_results_are_kept_once primary key (run_id, test_id),
  constraint test_results_verdict_is_known check (verdict in ('passed', 'failed', 'not_judged')),
  constraint test_results_outcome_is_known check (outcome in ('answered', 'not_known', 'pinned')),
  constraint test_results_are_due_or_ended check ((due_at is null) = (verdict is not null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.test_results is 'The cases of a run, and what became of each.';
comment on column private.test_results.run_id is 'The run.';
comment on column private.test_results.test_id is 'The case; its results are deleted with it.';
comment on column private.test_results.due_at is 'When a worker may take it; of a claimed one, when its claim runs out; null: it has ended.';
comment on column private.test_results.attempts is 'How often a worker has taken it: at most three times.';
comment on column private.test_results.verdict is 'passed, failed or not_judged; null: it has not ended.';
comment on column private.test_results.reasons is 'What is not as expected, or was not checked, in sentences.';
comment on column private.test_results.outcome is 'answered, not_known or pinned; null: there was no answer.';
comment on column private.test_results.text is 'The answer: its first 10000 characters.';
comment on column private.test_results.sources is 'The sources that the answer draws on, as in messages.';
comment on column private.test_results.passage_ids is 'The passages that the model was given, as sources name them.';
comment on column private.test_results.judge is '{verdict, reason, model, prompt_version} of the judge; null: it was not asked.';
comment on column private.test_results.input_tokens is 'What the models have read for it, the judge included.';
comment on column private.test_results.output_tokens is 'What they have written.';
comment on column private.test_results.time_ms is 'How long the answer took, in milliseconds.';
comment on column private.test_results.compared_run_id is 'The latest earlier run that was done and in which the case passed or failed; it may be deleted.';

-- Deleting a case, and the results that another is compared with.
create index test_results_by_case on private.test_results (test_id);
-- The case that a worker takes next.
create index test_results_by_due_time on private.test_results (run_id, due_at) where due_at is not null;
-- The case that a worker has taken.
create index test_results_by_claim on private.test_results (claim) where claim is not null;

-- Describing

-- A case in the JSON of the API.
create function private.describe_test(test public.test_cases) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return json_build_object('id', test.id, 'question', test.question, 'history', test.history, 'expect', test.expect,
    'reference', test.reference, 'thread_id', test.thread_id, 'last_verdict', (
      select result.verdict from private.test_results as result join private.test_runs as run on run.id = result.run_id
      where result.test_id = test.id and result.verdict is not null and run.draft is null
      order by run.number desc limit 1
    ), 'created_at', private.to_wire_time(test.created_at), 'updated_at', private.to_wire_time(test.updated_at));
end $$;

-- A run in the JSON of the API, without its results.
create function private.describe_test_run(run private.test_runs) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', run.id, 'status', run.status,
      'waits_for_budget', run.waits_for_budget and run.ended_at is null and run.put_off_until > now(),
      'waits_for_model', run.ended_at is null and not run.waits_for_budget and coalesce(run.put_off_until > now(), false),
      'judge', run.has_judge, 'is_draft', run.draft is not null, 'total', count(*), 'done', count(result.verdict),
      'passed', count(*) filter (where result.verdict = 'passed'),
      'failed', count(*) filter (where result.verdict = 'failed'),
      'not_judged', count(*) filter (where result.verdict = 'not_judged'), 'coach_version', run.coach_version,
      'created_at', private.to_wire_time(run.created_at), 'ended_at', private.to_wire_time(run.ended_at))
    from private.test_results as result where result.run_id = run.id
  );
end $$;

-- The same with its results. with_contexts: for operators, also the texts of the passages that the model was given.
create function private.describe_test_results(run private.test_runs, with_contexts boolean default false) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare
  results jsonb;
  changed jsonb;
begin
  with listed as (
    select test.number, result.test_id, result.verdict, before.verdict as verdict_before,
      jsonb_build_object('test_id', result.test_id, 'question', test.question, 'reference', test.reference,
        'verdict', result.verdict,
        'reasons', result.reasons, 'outcome', result.outcome, 'text', result.text, 'sources', result.sources,
        'judge', result.judge, 'tokens', jsonb_build_object('input', result.input_tokens, 'output', result.output_tokens),
        'time_ms', result.time_ms,
        'compared', case when before.run_id is not null then jsonb_build_object('run_id', before.run_id,
          'verdict', before.verdict, 'outcome', before.outcome, 'text', before.text, 'sources', before.sources) end
      ) || case when with_contexts then jsonb_build_object('expect', test.expect, 'contexts', (
        select coalesce(jsonb_agg(passage.content order by given.place), '[]')
        from unnest(result.passage_ids) with ordinality as given (id, place)
        cross join lateral (
          select known.content from public.passages as known
          where md5(known.content) = given.id and known.coach_id = run.coach_id limit 1
        ) as passage
      )) else '{}' end as described
    from private.test_results as result
    cross join lateral (select * from public.test_cases as test where test.id = result.test_id offset 0) as test
    left join private.test_results as before
      on before.run_id = result.compared_run_id and before.test_id = result.test_id
    where result.run_id = run.id and result.verdict is not null
  )
  select coalesce(jsonb_agg(listed.described order by listed.number desc), '[]'), jsonb_build_object(
    'newly_failing', coalesce(jsonb_agg(listed.test_id order by listed.number desc)
      filter (where listed.verdict = 'failed' and listed.verdict_before = 'passed'), '[]'),
    'newly_passing', coalesce(jsonb_agg(listed.test_id order by listed.number desc)
      filter (where listed.verdict = 'passed' and listed.verdict_before = 'failed'), '[]'))
  into results, changed from listed;
  return (private.describe_test_run(run) || jsonb_build_object('results', results) || changed)::json;
end $$;

-- Cases
--
-- In all functions for clients the result is {"error": …} if the caller is no editor of the coach (see
-- refuse_unless_expert), or if there is no such case, run or thread: test_not_found, test_run_not_found,
-- thread_not_found.

-- search: words that the question must hold, as parts of words too; null: all. A cursor is the number of the last row of
-- a page. page_size null: the whole list.
create function public.list_tests(caller jsonb, user_id text, coach_id text, search text default null,
  page_size integer default null, after_number bigint default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  patterns constant text[] := private.to_patterns(search);
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_test(test), test.number::text)::private.entry from public.test_cases as test
    where test.coach_id = list_tests.coach_id and test.number < coalesce(after_number, 9223372036854775807)
      and (patterns = '{}' or test.question ilike all (patterns))
    order by test.number desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_tests is 'Reply of GET /coaches/{coachId}/tests: newest first, whole or one page.';

-- test_id null: a new one. fields: {question, history, expect, reference, thread_id: see test_cases, of the coach}; of a
-- test that there is, what is left out stays, and so does its thread; null: it is deleted with its results.
create function public.save_test(caller jsonb, user_id text, coach_id text, test_id uuid, fields jsonb default null)
returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal text := private.refuse_unless_expert(client, coach_id, 'editor');
  wanted constant public.test_cases := jsonb_populate_record(null::public.test_cases, fields);
  saved public.test_cases;
begin
  if refusal is null and wanted.thread_id is not null
    and (private.find_thread(client, wanted.thread_id, with_expert => true)).coach_id is distinct from coach_id then
    refusal := 'thread_not_found';
  end if;
  if refusal is not null then return private.refuse(client, refusal); end if;
  if test_id is null then
    -- One after the other: they are counted.
    perform private.lock_coach(coach_id);
    if (select count(*) from public.test_cases as test where test.coach_id = save_test.coach_id) >= 500 then
      return private.refuse(client, 'too_many_tests');
    end if;
    insert into public.test_cases (account_id, coach_id, thread_id, question, history, expect, reference)
    values (client.account_id, coach_id, wanted.thread_id, wanted.question, wanted.history, wanted.expect,
      wanted.reference) returning * into saved;
  elsif fields is null then
    delete from public.test_cases as test
    where test.id = test_id and test.coach_id = save_test.coach_id returning * into saved;
  else
    update public.test_cases as test
    set (question, history, expect, reference) = (
      select changed.question, changed.history, changed.expect, changed.reference
      from jsonb_populate_record(test, fields) as changed
    ), updated_at = now()
    where test.id = test_id and test.coach_id = save_test.coach_id returning * into saved;
  end if;
  if saved.id is null then return private.refuse(client, 'test_not_found'); end if;
  return private.answer(client, private.describe_test(saved));
end $$;
comment on function public.save_test is 'Adds, changes or deletes a test of a coach and returns it, or {"error": "too_many_tests" | "test_not_found" | …}.';

-- For operators: adds cases [{question, history, expect, reference}], all or none, and skips those that the coach has already.
create function public.import_tests(coach text, tests jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  owner_id constant uuid := (select profile.account_id from public.coach_profiles as profile where profile.id = coach);
  added integer;
begin
  if owner_id is null then raise exception using errcode = 'PT404', message = 'Coach not found'; end if;
  if jsonb_typeof(tests) is distinct from 'array' then
    raise exception using errcode = '22023', message = 'tests must be a list';
  end if;
  perform private.lock_coach(coach);
  insert into public.test_cases (account_id, coach_id, question, history, expect, reference)
  select owner_id, coach, wanted.question, wanted.history, wanted.expect, wanted.reference
  from (
    select entry.test->>'question' as question, coalesce(entry.test->'history', '[]') as history,
      coalesce(entry.test->'expect', '{}') as expect, entry.test->>'reference' as reference, min(entry.place) as place
    from jsonb_array_elements(tests) with ordinality as entry (test, place) group by 1, 2, 3, 4
  ) as wanted
  where not exists (
    select from public.test_cases as test where test.coach_id = coach
      and (test.question, test.history, test.expect) = (wanted.question, wanted.history, wanted.expect)
      and test.reference is not distinct from wanted.reference
  )
  order by wanted.place;
  get diagnostics added = row_count;
  if (select count(*) from public.test_cases as test where test.coach_id = coach) > 500 then
    raise exception using errcode = 'PT409', message = 'A coach can have at most 500 tests';
  end if;
  return json_build_object('added', added, 'skipped', jsonb_array_length(tests) - added);
end $$;
comment on function public.import_tests is 'Adds tests [{question, history, expect, reference}] to a coach, all of them or none, without those that it has already: {added, skipped}.';

-- Runs

-- Starts a run; tests null: all of the coach. is_draft: of its draft, as it is now. The result is {run} or {error}.
create function private.create_test_run(coach public.coach_profiles, judge boolean, tests uuid[], is_draft boolean)
returns json language plpgsql volatile security invoker set search_path = '' as $$
declare
  wanted uuid[];
  waiting integer;
  refusal text;
  run private.test_runs;
begin
  perform private.lock_coach(coach.id);
  wanted := array(
    select test.id from public.test_cases as test
    where test.coach_id = coach.id and (tests is null or test.id = any (tests))
  );
  select count(*) into waiting from private.test_runs as other where other.coach_id = coach.id and other.ended_at is null;
  refusal := case when not tests <@ wanted then 'test_not_found' when wanted = '{}' then 'no_tests'
    when waiting >= 10 then 'too_many_test_runs' end;
  if refusal is not null then return json_build_object('error', refusal); end if;
  insert into private.test_runs (account_id, coach_id, has_judge, coach_version, draft)
  values (coach.account_id, coach.id, judge, coach.version,
    case when is_draft then private.read_persona(to_jsonb(private.apply_draft(coach))) end) returning * into run;
  insert into private.test_results (run_id, test_id) select run.id, unnest(wanted);
  delete from private.test_runs as old
  where old.coach_id = coach.id and old.ended_at is not null and old.number <= (
    select kept.number from private.test_runs as kept where kept.coach_id = coach.id
    order by kept.number desc offset 50 limit 1
  );
  return private.describe_test_results(run);
end $$;

create function public.start_test_run(caller jsonb, user_id text, coach_id text, judge boolean, tests uuid[],
  is_draft boolean default false) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.create_test_run(private.find_coach(client, coach_id), judge, tests, is_draft));
end $$;
comment on function public.start_test_run is 'Starts a run of the tests of a coach and returns it, or {"error": "test_not_found" | "no_tests" | "too_many_test_runs"}; tests null: all.';

create function public.list_test_runs(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_number bigint default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  return private.answer(client, private.describe_entries(array(
    select row(private.describe_test_run(run)::json, run.number::text)::private.entry from private.test_runs as run
    where run.coach_id = list_test_runs.coach_id and run.number < coalesce(after_number, 9223372036854775807)
    order by run.number desc limit page_size + 1
  ), page_size));
end $$;
comment on function public.list_test_runs is 'Reply of GET /coaches/{coachId}/test-runs: newest first, whole or one page.';

-- Locks claimed cases, in one order everywhere.
create function private.lock_results(claims uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform from private.test_results as result
  where result.claim = any (claims) order by result.run_id, result.test_id for update;
end $$;

-- Stops a run that has not ended. Workers lose their claims, and give up the cases under way.
create function private.stop_test_run(run private.test_runs) returns private.test_runs
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.test_runs as known set status = 'stopped', ended_at = now()
  where known.id = run.id and known.ended_at is null;
  if found then
    perform private.lock_results(array(
      select result.claim from private.test_results as result where result.run_id = run.id and result.claim is not null
    ));
    update private.test_results as result set claim = null where result.run_id = run.id and result.claim is not null;
  end if;
  select * into run from private.test_runs as known where known.id = run.id;
  return run;
end $$;

-- stops: stops the run before.
create function public.get_test_run(caller jsonb, user_id text, coach_id text, run_id uuid, stops boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => stops);
  refusal constant text := private.refuse_unless_expert(client, coach_id, 'editor');
  run private.test_runs;
begin
  if refusal is not null then return private.refuse(client, refusal); end if;
  select * into run from private.test_runs as known
  where known.id = get_test_run.run_id and known.coach_id = get_test_run.coach_id;
  if not found then return private.refuse(client, 'test_run_not_found'); end if;
  if stops then run := private.stop_test_run(run); end if;
  return private.answer(client, private.describe_test_results(run));
end $$;
comment on function public.get_test_run is 'Reply of GET /coaches/{coachId}/test-runs/{runId} and, with stops, of POST …/stop; or an error.';

-- For operators: starts a run as start_test_run() does.
create function public.run_tests(coach text, judge boolean default false, tests uuid[] default null,
  is_draft boolean default false) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  profile public.coach_profiles;
  started json;
  refusal text;
begin
  select * into profile from public.coach_profiles as known where known.id = run_tests.coach;
  if not found then raise exception using errcode = 'PT404', message = 'Coach not found'; end if;
  started := private.create_test_run(profile, coalesce(judge, false), tests, coalesce(is_draft, false));
  refusal := case started->>'error' when 'test_not_found' then 'There is no such test' when 'no_tests' then 'The coach has no tests'
    when 'too_many_test_runs' then 'Too many runs of the coach have not ended' end;
  if refusal is not null then raise exception using errcode = 'PT409', message = refusal; end if;
  return started;
end $$;
comment on function public.run_tests is 'Starts a run of the tests of a coach and returns it; call the indexer then. tests null: all.';

-- For operators: the runs of a coach without their results, newest first; run: that one alone.
create function public.summarize_test_runs(coach text, run uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(private.describe_test_run(known) order by known.number desc), '[]')
    from private.test_runs as known
    where known.coach_id = coach and (summarize_test_runs.run is null or known.id = summarize_test_runs.run)
  );
end $$;
comment on function public.summarize_test_runs is 'The runs of a coach without their results, newest first; run: that one alone.';

-- For operators: a run with its results, each also with expect, and with the passages that the model was given, contexts.
create function public.read_test_run(run uuid, stops boolean default false) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare found_run private.test_runs;
begin
  select * into found_run from private.test_runs as known where known.id = run;
  if not found then raise exception using errcode = 'PT404', message = 'Test run not found'; end if;
  if stops then found_run := private.stop_test_run(found_run); end if;
  return private.describe_test_results(found_run, with_contexts => true);
end $$;
comment on function public.read_test_run is 'A run of tests with its results so far, each also with expect and contexts: the passages that the model was given; stops: it is stopped before.';

-- For workers

-- The run from which a worker may take a case, the one that has waited longest; or one whose cases have all ended or
-- were deleted. Null for none.
create function private.find_due_run() returns uuid language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select run.id from private.test_runs as run
    where run.ended_at is null and (run.put_off_until is null or run.put_off_until <= now())
      and not exists (
        select from private.test_runs as earlier
        where earlier.coach_id = run.coach_id and earlier.number < run.number and earlier.ended_at is null
      )
      and (
        not exists (select from private.test_results as result where result.run_id = run.id and result.due_at is not null)
        or exists (select from private.test_results as result where result.run_id = run.id and result.due_at <= now())
          and 4 > (
            select count(*) from private.test_results as result
            where result.run_id = run.id and result.due_at > now() and result.claim is not null
          )
      )
    order by run.taken_at limit 1
  );
end $$;

-- Ends a locked run if none of its cases is left.
create function private.end_test_run(run_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.test_runs as run set status = 'done', ended_at = now()
  where run.id = end_test_run.run_id and run.ended_at is null and not exists (
    select from private.test_results as result where result.run_id = run.id and result.due_at is not null
  );
end $$;

-- Claims a case for 30 seconds, and finds what its question is answered from. claim: a case that is claimed already, for
-- what fits the query_vector, too. The result is {claim, test: {question, history, expect, reference}, has_judge} with
-- that of try_question(), or null if there is nothing to do. A case that three workers have lost is given up on the way.
create function public.take_test(claim uuid default null, query_vector text default null, asked jsonb default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  due_run uuid;
  taken private.test_results;
  run private.test_runs;
  test public.test_cases;
  found jsonb;
begin
  select * into taken from private.test_results as result where result.claim = take_test.claim;
  if take_test.claim is not null and taken.run_id is null then return null; end if;
  while take_test.claim is null loop
    due_run := private.find_due_run();
    if due_run is null then return null; end if;
    perform from private.test_runs as each where each.id = due_run for no key update;
    perform private.end_test_run(due_run);
    -- Another worker may have come first.
    continue when due_run is distinct from private.find_due_run();
    update private.test_results as result
    set claim = gen_random_uuid(), due_at = now() + interval '30 seconds', attempts = result.attempts + 1
    where result.run_id = due_run and result.test_id = any (array(
      select due.test_id from private.test_results as due
      where due.run_id = due_run and due.due_at <= now() order by due.due_at, due.test_id limit 1
    ))
    returning * into taken;
    update private.test_runs as each set status = 'running', taken_at = clock_timestamp() where each.id = due_run;
    exit when taken.attempts <= 3;
    update private.test_results as result
    set claim = null, due_at = null, verdict = 'not_judged',
      reasons = array['The answer takes more time or memory than a function has.']
    where result.run_id = due_run and result.test_id = taken.test_id;
    perform private.end_test_run(due_run);
  end loop;
  select * into run from private.test_runs as known where known.id = taken.run_id;
  select * into test from public.test_cases as known where known.id = taken.test_id;
  found := private.find_for_question(
    (select jsonb_populate_record(coach, coalesce(run.draft, '{}')) from public.coach_profiles as coach
      where coach.id = run.coach_id), '', test.question, array(
      select left(said->>'role', 1) || (said->>'content')
      from jsonb_array_elements(test.history) with ordinality as entry (said, place) order by place
    ), query_vector, asked
  );
  return (jsonb_build_object('claim', taken.claim, 'has_judge', run.has_judge, 'test', jsonb_build_object(
    'question', test.question, 'history', test.history, 'expect', test.expect,
    'reference', test.reference)) || found)::json;
end $$;
comment on function public.take_test is 'Claims a test for a worker, with what its question is answered from; null if none is due.';

-- Renews claims, and returns those that still stand: those of runs that were stopped, and of cases that were deleted, do
-- not.
create function public.keep_tests(claims uuid[]) returns json
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_results(claims);
  update private.test_results as result set due_at = now() + interval '30 seconds' where result.claim = any (claims);
  return (
    select coalesce(json_agg(result.claim), '[]') from private.test_results as result where result.claim = any (claims)
  );
end $$;
comment on function public.keep_tests is 'Renews the claims of a worker, and returns those that still stand.';

-- Stores the result of a claimed case, {verdict, reasons, outcome, text, sources, passage_ids, judge, input_tokens,
-- output_tokens, time_ms}; null: a failure, and the case is due again after put_off_seconds, {reason} at its third
-- attempt. gives_back: no model was asked, and this was no attempt. waits_for_budget, put_off_seconds: the whole run
-- waits. usage: what models have used, [{model, input_tokens, cached_tokens, output_tokens, reasoning_tokens,
-- is_estimated}], the first for the answer: counted as for answers, also where the claim is lost. Returns whether it was
-- not.
create function public.end_test(coach_id text, claim uuid, result jsonb, usage jsonb, reason text default null,
  put_off_seconds integer default 0, waits_for_budget boolean default false, gives_back boolean default false)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed private.test_results;
  ended private.test_results;
begin
  perform from private.test_runs as run where run.id = (
    select known.run_id from private.test_results as known where known.claim = end_test.claim
  ) for update;
  select * into claimed from private.test_results as known where known.claim = end_test.claim;
  if found then
    ended := jsonb_populate_record(claimed, coalesce(end_test.result,
      jsonb_build_object('verdict', 'not_judged', 'reasons', jsonb_build_array(coalesce(end_test.reason, '')))));
    if end_test.result is null and claimed.attempts - gives_back::integer < 3 then
      update private.test_results as known
      set claim = null, due_at = now(), attempts = known.attempts - gives_back::integer
      where known.claim = end_test.claim;
    else
      update private.test_results as known
      set claim = null, due_at = null, verdict = ended.verdict, reasons = ended.reasons, outcome = ended.outcome,
        text = left(ended.text, 10000), sources = ended.sources, passage_ids = ended.passage_ids, judge = ended.judge,
        input_tokens = ended.input_tokens, output_tokens = ended.output_tokens, time_ms = ended.time_ms,
        compared_run_id = private.find_compared_run(known.run_id, known.test_id)
      where known.claim = end_test.claim;
    end if;
    update private.test_runs as run
    set put_off_until = now() + make_interval(secs => put_off_seconds), waits_for_budget = end_test.waits_for_budget
    where run.id = claimed.run_id and put_off_seconds > 0;
    perform private.end_test_run(claimed.run_id);
  end if;
  insert into private.ledger (account_id, coach_id, turns, input_tokens, output_tokens, cached_tokens, reasoning_tokens,
    estimated_turns, cost_micro_usd, unpriced_turns)
  select coach.account_id, coach.id, 1, sum(used.input_tokens), sum(used.output_tokens), sum(used.cached_tokens),
    sum(used.reasoning_tokens), bool_or(used.is_estimated)::integer, coalesce(sum(cost.amount), 0),
    bool_or(cost.amount is null)::integer
  from jsonb_to_recordset(usage) as used (model text, input_tokens integer, cached_tokens integer,
    output_tokens integer, reasoning_tokens integer, is_estimated boolean)
  cross join public.coach_profiles as coach
  cross join lateral (select private.cost_of(used.model, used.input_tokens - used.cached_tokens, used.cached_tokens,
    used.output_tokens - used.reasoning_tokens, used.reasoning_tokens) as amount) as cost
  where coach.id = end_test.coach_id
  group by coach.account_id, coach.id;
  return claimed.run_id is not null;
end $$;
comment on function public.end_test is 'Stores the result of a claimed test, or that it has failed and is due again; returns whether the claim still stood.';

-- The latest run of what was published, before this one, that was done and in which the case passed or failed; null for
-- none.
create function private.find_compared_run(run_id uuid, test_id uuid) returns uuid
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select earlier.id from private.test_results as result
    cross join lateral (select * from private.test_runs as known where known.id = result.run_id offset 0) as earlier
    where result.test_id = find_compared_run.test_id and result.verdict in ('passed', 'failed') and earlier.status = 'done'
      and earlier.draft is null and earlier.number < (select run.number from private.test_runs as run where run.id = find_compared_run.run_id)
    order by earlier.number desc limit 1
  );
end $$;

-- The sources of an answer to a test, among those that the model was given (see choose_given).
create function public.choose_test_sources(coach text, content text, sources jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin return coalesce(private.choose_given(coach, content, sources), '[]'); end $$;
comment on function public.choose_test_sources is 'The sources that an answer draws on, among those that the model was given.';
