-- Functions of public are REST endpoints: only the service's own key may call them. A new function fails here until
-- someone has decided who may call it.
begin;
select plan(11);

-- A table, not a view: with a view, Postgres could run the attempts below before these conditions, on every function.
create temp table functions as
select function.oid::regprocedure::text as name, function.proname, function.oid, namespace.nspname as schema,
  function.prorettype = 'trigger'::regtype as is_trigger,
  format(
    'select %I.%I(%s)', namespace.nspname, function.proname,
    (select string_agg(format('null::%s', type.oid::regtype), ', ' order by argument.ordinality)
     from unnest(function.proargtypes) with ordinality as argument (oid, ordinality)
     join pg_type as type on type.oid = argument.oid)
  ) as call,
  function.proconfig as settings
from pg_proc as function
join pg_namespace as namespace on namespace.oid = function.pronamespace
where namespace.nspname in ('public', 'private')
  and not exists (select from pg_depend as member where member.objid = function.oid and member.deptype = 'e');
grant select on functions to public;

create function pg_temp.try(statement text) returns text language plpgsql as $$
begin
  execute statement;
  return 'done';
exception when others then
  return sqlstate;
end;
$$;
grant execute on function pg_temp.try to public;

select bag_eq(
  $$ select proname::text from pg_temp.functions where schema = 'public' $$,
  array[
    'accept_invitation',
    'create_invitation',
    'delete_invitation',
    'invite_expert',
    'list_account_acts',
    'list_acts',
    'list_experts',
    'list_invitations',
    'get_standing',
    'list_own_coaches',
    'preview_invitation',
    'read_overview',
    'set_expert_role',
    'admit_request',
    'answer_question',
    'are_starters',
    'are_test_texts',
    'are_variants',
    'begin_turn',
    'begin_turns',
    'begin_picture',
    'find_coach_id',
    'get_draft',
    'make_own_coach',
    'save_settings',
    'get_version',
    'list_versions',
    'publish_draft',
    'restore_coach',
    'restore_version',
    'save_draft',
    'save_expert_face',
    'list_replies',
    'save_reply',
    'update_conversation',
    'set_picture',
    'end_question',
    'end_test',
    'find_near_questions',
    'postpone_question',
    'take_question',
    'find_lexemes',
    'list_topic_threads',
    'read_topics',
    'save_topics',
    'take_topics',
    'word_question',
    'begin_upload',
    'choose_test_sources',
    'compare_pinned_answers',
    'count_refusal',
    'create_account',
    'create_coach',
    'create_pinned_answer',
    'delete_coach',
    'delete_knowledge_file',
    'delete_pinned_answer',
    'delete_thread',
    'delete_turn',
    'end_upload',
    'decide_question',
    'dismiss_questions',
    'erase_self',
    'erase_untouched_threads',
    'erase_user',
    'export_user',
    'find_api_key',
    'find_original',
    'find_token_issuers',
    'finish_webhook_messages',
    'get_coach',
    'get_knowledge_file',
    'get_passage',
    'get_pinned_answer',
    'get_test_run',
    'import_pinned_answers',
    'import_tests',
    'is_language',
    'is_test_expectation',
    'is_test_history',
    'keep_tests',
    'index_threads',
    'end_object_removals',
    'end_response_removals',
    'issue_api_key',
    'issue_publishable_key',
    'keep_question',
    'extend_reservation',
    'list_budgets',
    'read_budgets',
    'remove_budget',
    'reserve_call',
    'reserve_work',
    'set_budget',
    'settle_work',
    'known_scopes',
    'usual_scopes',
    'list_api_keys',
    'list_barred_passages',
    'list_coaches',
    'list_conversations',
    'list_messages',
    'list_models',
    'list_pinned_answers',
    'list_questions',
    'list_requests',
    'read_mailed_answer',
    'ask_expert',
    'withdraw_request',
    'list_test_runs',
    'list_tests',
    'list_file_changes',
    'list_file_quotes',
    'list_sources',
    'replace_file',
    'get_text',
    'create_text',
    'save_text',
    'list_contradictions',
    'settle_contradiction',
    'take_comparison',
    'save_comparison',
    'postpone_comparison',
    'update_file',
    'get_source',
    'save_source',
    'take_fetching',
    'save_source_list',
    'begin_page',
    'save_page',
    'list_token_issuers',
    'list_threads',
    'mark_read',
    'postpone_indexing',
    'publishable_scopes',
    'rate_answer',
    'read_answer',
    'read_answers',
    'read_events',
    'read_test_run',
    'read_thread',
    'read_coach_usage',
    'read_status',
    'read_usage',
    'read_usage_of_answers',
    'read_webhook',
    'allow_address',
    'confirm_mail',
    'finish_mails',
    'hurry_mails',
    'note_mail_token',
    'save_mail_settings',
    'save_user_mail',
    'take_mails',
    'unsubscribe_mail',
    'reindex_coach',
    'reindex_file',
    'release_thread',
    'remove_token_issuer',
    'remove_webhook',
    'revise_answer',
    'revoke_api_key',
    'rotate_api_key',
    'run_tests',
    'save_indexing',
    'save_model_check',
    'save_phrases',
    'save_turns',
    'say_as_expert',
    'search_knowledge',
    'search_passages',
    'set_passage_barred',
    'send_answer',
    'set_retention',
    'set_token_issuer',
    'set_webhook',
    'search_threads',
    'start_test_run',
    'stop_turn',
    'store_passages',
    'summarize_test_runs',
    'take_indexing_work',
    'take_over',
    'take_test',
    'take_waiting_turn',
    'take_webhook_messages',
    'test_webhook',
    'try_question',
    'draft_reply',
    'tell_typing',
    'unindex_passages',
    'update_pinned_answer',
    'save_test',
    'update_thread',
    'watch_coach',
    'watch_thread'
  ],
  'these are all functions of public, each with one signature'
);
select is_empty(
  $$ select name from pg_temp.functions where settings is null or not settings @> array['search_path=""'] $$,
  'every function sets its search_path'
);
select set_eq(
  $$ select proname::text from pg_temp.functions where settings @> array['statement_timeout=60s'] $$,
  array['erase_self', 'erase_user', 'export_user', 'read_usage_of_answers'],
  'functions that may take long set a statement timeout of a minute'
);
select is_empty(
  $$
    select name, role from pg_temp.functions cross join unnest(array['anon', 'authenticated', 'service_role']) as role
    where schema = 'private' and has_function_privilege(role, oid, 'execute')
  $$,
  'no role may execute a private function, even if the schema were open'
);

set local role anon;
select is(
  (select string_agg(name, ', ') from pg_temp.functions where not is_trigger and pg_temp.try(call) <> '42501'),
  null, 'anon may call no function'
);
select throws_ok('create function public.mine() returns integer language sql return 1', '42501', null, 'anon may not make a function');

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
select is(
  (select string_agg(name, ', ') from pg_temp.functions where not is_trigger and pg_temp.try(call) <> '42501'),
  null, 'a signed-in user may call no function'
);
select throws_ok('create function public.mine() returns integer language sql return 1', '42501', null, 'a signed-in user may not make a function');

set local role service_role;
select is(
  (select string_agg(name, ', ') from pg_temp.functions where schema = 'private' and not is_trigger and pg_temp.try(call) <> '42501'),
  null, 'the service may call no private function'
);
select is_empty($$ select name from pg_temp.functions where schema = 'public' and not has_function_privilege(oid, 'execute') $$, 'the service may call every function of public');
select throws_ok('create function public.mine() returns integer language sql return 1', '42501', null, 'the service may not make a function');

reset role;
select * from finish();
rollback;
