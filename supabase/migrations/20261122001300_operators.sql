-- Operators: what else they do, from the SQL editor, over REST with the secret key, or with npm run admin. (For keys
-- see api_keys, for files that are to be indexed again see indexing, for usage see the dashboard views.)
-- Refusals are sentences, or name the constraint that a value breaks, which says the rule; PT404 and PT409 become the
-- HTTP status.
-- Surprises: a user is a user of one account; "user-1" of another account is another person. What an expert uploads or
-- notes is the knowledge of the coach, not data of the user.

create function public.create_account(name text) returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare created public.accounts;
begin
  insert into public.accounts (name) values (create_account.name) returning * into created;
  -- Not the whole row: its key is never shown.
  return json_build_object('id', created.id, 'name', created.name, 'created_at', created.created_at);
end $$;
comment on function public.create_account is 'Makes an account and returns it.';

create function public.create_coach(
  account_id uuid, name text, title text, instructions text, greeting text default null, model text default null,
  id text default null, language text default 'english', temperature double precision default null,
  history_limit integer default 20, reasoning_effort text default null, verbosity text default null,
  max_output_tokens integer default null, store_responses boolean default null, starters text[] default '{}',
  no_answer text default null, takeover_notice text default null, takeover_minutes integer default 60,
  owner_id uuid default null, sources_are_open boolean default false
) returns json language plpgsql volatile security invoker set search_path = '' as $$
declare created public.coach_profiles;
begin
  if not exists (select from public.accounts as account where account.id = create_coach.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if exists (select from public.coach_profiles as coach where coach.id = create_coach.id) then
    raise exception using errcode = 'PT409', message = 'This coach id is taken';
  end if;
  insert into public.coach_profiles (
    id, account_id, name, title, instructions, greeting, model, language, temperature, history_limit, reasoning_effort,
    verbosity, max_output_tokens, store_responses, starters, no_answer, takeover_notice, takeover_minutes, owner_id,
    sources_are_open
  )
  values (
    coalesce(id, gen_random_uuid()::text), account_id, name, title, instructions, greeting, model,
    coalesce(language, 'english'), temperature, coalesce(history_limit, 20), reasoning_effort, verbosity,
    max_output_tokens, store_responses, coalesce(starters, '{}'), no_answer, takeover_notice,
    coalesce(takeover_minutes, 60), owner_id, coalesce(sources_are_open, false)
  )
  returning * into created;
  return row_to_json(created);
end $$;
comment on function public.create_coach is 'Makes a coach of an account and returns it.';

-- Data of a user
--
-- These functions may take longer than the 8 seconds that a request usually has: REST grants them the time that their
-- statement_timeout says.

-- Refuses an unknown account and a blank user.
-- A blank ID is no user: idempotency keys of requests without a user are stored under it.
create function private.require_user(account_id uuid, user_id text) returns void
language plpgsql stable security invoker set search_path = '' as $$
begin
  if not exists (select from public.accounts as account where account.id = require_user.account_id) then
    raise exception using errcode = 'PT404', message = 'Account not found';
  end if;
  if btrim(coalesce(require_user.user_id, '')) = '' then
    raise exception using errcode = '22023', message = 'user_id must not be blank';
  end if;
end $$;

-- Messages of a thread, with feedback and unanswered questions.
-- System messages are the operators' own, and are left out.
create function private.export_messages(thread_id uuid) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
      'id', message.id, 'role', message.role,
      'author', case when message.role = 'user' then 'user' when message.is_by_expert then 'expert' else 'ai' end,
      'content', message.content, 'is_unread', message.is_unread, 'status', message.status,
      'error_code', message.error_code, 'error', message.error, 'mode', message.mode, 'sources', message.sources,
      'phase', message.phase, 'response_id', message.response_id, 'other_response_ids', message.other_response_ids,
      'input_tokens', message.input_tokens, 'cached_tokens', message.cached_tokens,
      'output_tokens', message.output_tokens, 'reasoning_tokens', message.reasoning_tokens,
      'is_estimated', message.is_estimated, 'request_id', message.request_id,
      'feedback', (
        select json_build_object('rating', feedback.rating, 'comment', feedback.comment,
          'created_at', feedback.created_at, 'updated_at', feedback.updated_at)
        from public.feedback as feedback where feedback.message_id = message.id
      ),
      'unanswered_questions', (
        select coalesce(json_agg(
          json_build_object('question', question.question, 'reason', asking.reason, 'asked_at', asking.asked_at)
          order by asking.asked_at, question.id
        ), '[]')
        from private.askings as asking
        join public.open_questions as question on question.id = asking.question_id
        where asking.message_id = message.id
      ),
      'in_reply_to', message.in_reply_to, 'corrects', message.corrects, 'request', (
        select private.describe_request(request)::jsonb
          || jsonb_build_object('address', request.address, 'language', request.language)
        from private.requests as request where request.message_id = message.id
      ),
      'created_at', message.created_at, 'updated_at', message.updated_at
    ) order by message.created_at, message.sequence), '[]')
    from public.messages as message where message.thread_id = export_messages.thread_id and message.role <> 'system'
  );
end $$;

create function public.export_user(account_id uuid, user_id text) returns json
language plpgsql volatile security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_user(export_user.account_id, export_user.user_id);
  perform private.fold_ledger(is_awaited => true);
  perform private.record_act('user.exported', user_id, account_id);
  return json_build_object(
    'account_id', export_user.account_id, 'user_id', export_user.user_id, 'exported_at', now(),
    'threads', (
      select coalesce(json_agg(json_build_object(
        'id', thread.id, 'title', thread.title, 'coach_id', thread.coach_id, 'coach_name', coach.name,
        'created_at', thread.created_at, 'updated_at', thread.updated_at, 'is_pinned', thread.is_pinned,
        'is_archived', thread.is_archived, 'is_closed', thread.is_closed, 'facts', (
          select to_jsonb(facts) - array['thread_id', 'coach_id', 'assigned_to']
          from private.thread_facts as facts where facts.thread_id = thread.id
        ), 'messages', private.export_messages(thread.id), 'tests', (
          select coalesce(json_agg(private.describe_test(test) order by test.number), '[]')
          from public.test_cases as test where test.thread_id = thread.id
        )
      ) order by thread.created_at, thread.id), '[]')
      from public.threads as thread
      join public.coach_profiles as coach on coach.id = thread.coach_id
      where thread.account_id = export_user.account_id and thread.user_id = export_user.user_id
    ),
    'asked', (
      select coalesce(json_agg(
        json_build_object('coach_id', person.coach_id, 'at', person.at) order by person.at, person.coach_id
      ), '[]')
      from private.askers as person
      join public.coach_profiles as coach on coach.id = person.coach_id
      where person.user_id = export_user.user_id and coach.account_id = export_user.account_id
    ),
    'expert_of', (
      select coalesce(json_agg(json_build_object('coach_id', expert.coach_id, 'role', expert.role,
        'name', expert.name, 'picture', expert.picture, 'created_at', expert.created_at) order by expert.created_at, expert.coach_id), '[]')
      from public.coach_experts as expert
      where expert.user_id = private.to_auth_id(export_user.user_id) and expert.account_id = export_user.account_id
    ),
    'mail', json_build_object(
      'address', (
        select json_build_object('email', known.address, 'language', known.language, 'confirmed_at', known.confirmed_at,
          'created_at', known.created_at)
        from private.user_addresses as known
        where known.account_id = export_user.account_id and known.user_id = export_user.user_id
      ),
      'settings', (
        select coalesce(json_agg(to_jsonb(settings) - array['id', 'user_id', 'calls', 'calls_since'] order by settings.coach_id), '[]')
        from public.coach_experts as expert
        join private.mail_settings as settings on settings.coach_id = expert.coach_id and settings.user_id = expert.user_id
        where expert.account_id = export_user.account_id and expert.user_id = private.to_auth_id(export_user.user_id)
      )
    ),
    'acts', (
      select coalesce(json_agg(json_build_object('kind', act.kind, 'coach_id', act.coach_id, 'subject', act.subject,
        'created_at', act.created_at) order by act.number), '[]')
      from private.acts as act
      where act.account_id = export_user.account_id and act.user_id = export_user.user_id
    )
  );
end $$;
comment on function public.export_user is 'All threads and messages of a user of an account, oldest first, with the user''s feedback, what was asked in vain and the tests that hold their words, when the user has asked whom, the coaches whose expert the user is, what the user did as one, and which mails the user wants.';

-- Whether a user is the last owner of a coach. Locked before it is looked: of two owners who leave at once, one stays.
create function private.owns_alone(account_id uuid, expert_id uuid) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
declare
  coach_ids constant text[] := array(select expert.coach_id from public.coach_experts as expert
    where expert.user_id = expert_id and expert.account_id = owns_alone.account_id order by expert.coach_id);
begin
  perform private.lock_coach(coach.id) from unnest(coach_ids) as coach (id);
  return exists (select from unnest(coach_ids) as coach (id) where private.is_last_owner(coach.id, expert_id));
end $$;

-- Ends that a user is an expert, except as the last owner, and that anything names the user as one.
create function private.erase_expert(account uuid, expert_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from public.coach_experts as expert
  where expert.user_id = expert_id and expert.account_id = account and not private.is_last_owner(expert.coach_id, expert_id);
  update public.coach_experts set added_by = null where added_by = expert_id and account_id = account;
  delete from private.coach_invitations as invitation
  where invitation.invited_by = expert_id and invitation.account_id = account;
  update public.coach_versions as version set published_by = null
  from public.coach_profiles as coach
  where version.published_by = expert_id and coach.id = version.coach_id and coach.account_id = account;
  update private.coach_drafts as draft set saved_by = null
  from public.coach_profiles as coach
  where draft.saved_by = expert_id and coach.id = draft.coach_id and coach.account_id = account;
  update private.texts as written set saved_by = null
  from public.knowledge_files as file
  where written.saved_by = expert_id and file.id = written.file_id and file.account_id = account;
  perform private.forget_writer(account, expert_id::text);
  update public.threads as thread set taken_over_by = null
  where thread.id = any (array(
    select taken.id from public.threads as taken
    where taken.taken_over_until is not null and taken.taken_over_by = erase_expert.expert_id and taken.account_id = account
    order by taken.id for no key update
  ));
  update public.messages as message set expert_id = null
  where message.id = any (array(
    select said.id from public.messages as said join public.threads as thread on thread.id = said.thread_id
    where said.expert_id = erase_expert.expert_id and thread.account_id = account order by said.id for no key update of said
  ));
end $$;

-- The messages are deleted first, in one statement: row by row, with their threads, would take many times as long.
-- Their responses at the model's backend are put on the list of responses to remove. Usage stays, since it names no
-- user; only the number of people of a day no longer includes the user.
create function public.erase_user(account_id uuid, user_id text) returns json
language plpgsql volatile security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  thread_ids uuid[];
  threads integer;
  messages integer;
  responses integer;
begin
  perform private.require_user(erase_user.account_id, erase_user.user_id);
  -- Locks as everywhere (see turns): answers, threads, questions, each in the order of their ids. If an answer was begun
  -- between the first two, all locks are released: its run may wait for the thread. What begins later is not erased.
  loop
    begin
      perform from public.messages as message
      join public.threads as thread on thread.id = message.thread_id
      where thread.account_id = erase_user.account_id and thread.user_id = erase_user.user_id and message.role = 'assistant'
      order by message.id for update of message;
      thread_ids := array(
        select thread.id from public.threads as thread
        where thread.account_id = erase_user.account_id and thread.user_id = erase_user.user_id
        order by thread.id for update
      );
      perform from public.messages as message
      where message.thread_id = any (thread_ids) and message.role = 'assistant' for update nowait;
      exit;
    exception when lock_not_available then
    end;
  end loop;
  perform private.lock_questions(thread_ids);
  with deleted as (
    delete from public.messages as message where message.thread_id = any (thread_ids)
    returning message.response_id, message.other_response_ids
  )
  select count(*), count(deleted.response_id) + coalesce(sum(cardinality(deleted.other_response_ids)), 0)
  into messages, responses
  from deleted;

  perform private.delete_events(thread_ids);
  delete from public.threads as thread where thread.id = any (thread_ids);
  get diagnostics threads = row_count;

  delete from private.idempotency_keys as request
  where request.account_id = erase_user.account_id and request.user_id = erase_user.user_id;
  perform private.forget_address(erase_user.account_id, erase_user.user_id);
  perform private.fold_ledger(is_awaited => true);
  delete from private.askers as person
  using public.coach_profiles as coach
  where person.user_id = erase_user.user_id and coach.id = person.coach_id and coach.account_id = erase_user.account_id;
  perform private.erase_expert(erase_user.account_id, private.to_auth_id(erase_user.user_id));
  perform private.record_erasure(erase_user.account_id, erase_user.user_id);
  return json_build_object('threads', threads, 'messages', messages, 'responses', responses);
end $$;
comment on function public.erase_user is 'Deletes all threads and messages of a user of an account, and has their responses deleted at the model''s backend.';

-- The user is the caller, signed in. What they have said to other coaches than those of the key is theirs as well.
create function public.erase_self(caller jsonb, user_id text) returns json
language plpgsql volatile security definer set search_path = '' set statement_timeout = '60s' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  perform private.act_as(client);
  if client.is_admitted and private.owns_alone(client.account_id, private.to_auth_id(client.user_id)) then
    return private.refuse(client, 'last_owner');
  end if;
  return private.answer(client, case when client.is_admitted then
    public.erase_user(client.account_id, client.user_id) end);
end $$;
comment on function public.erase_self is 'Erases the signed-in user as erase_user() does: what was deleted. Repeatable. The last owner of a coach is refused: {"error": "last_owner"}.';
