import type { Mutation } from "./mutation.ts";

/** Limits, orders, filters, roles and locks in SQL. */
export const sql: Mutation[] = [
  {
    name: "a thread of any account is found",
    file: "supabase/migrations/20261122000400_conversations.sql",
    before: `if (found_thread.account_id = caller.account_id
`,
    after: `if (found_thread.account_id is not null
`,
    tests: ["tests/http/tenancy_test.ts", "tests/http/thread_test.ts"],
  },
  {
    name: "threads are listed with the oldest first",
    file: "supabase/migrations/20261122000400_conversations.sql",
    before: "order by thread.updated_at desc, thread.id desc limit list_threads.page_size + 1",
    after: "order by thread.updated_at, thread.id limit list_threads.page_size + 1",
    tests: ["tests/http/threads_test.ts"],
  },
  {
    name: "a page of threads begins with the last of the page before",
    file: "supabase/migrations/20261122000400_conversations.sql",
    before: "and (thread.updated_at, thread.id) < (after_updated_at",
    after: "and (thread.updated_at, thread.id) <= (after_updated_at",
    tests: ["tests/http/threads_test.ts"],
  },
  {
    name: "the role of whoever changes experts is not read again after the lock",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: "coalesce(private.refuse_unless_expert(client, coach_id, needed), case",
    after: "coalesce(null, case",
    tests: ["tests/database/experts_test.ts", "tests/http/team_test.ts", "tests/http/experts_test.ts"],
  },
  {
    name: "an owner counts as the last one only without other experts",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: "and expert.role = 'owner') = array",
    after: ") = array",
    tests: ["tests/database/experts_test.ts", "tests/http/team_test.ts"],
  },
  {
    name: "a coach has 51 invitations",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: ">= 50 then",
    after: "> 50 then",
    tests: ["tests/http/invitations_test.ts"],
  },
  {
    name: "invitations stay open when their owner is removed",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: "is not distinct from 'owner')",
    after: "is not null)",
    tests: ["tests/http/invitations_test.ts", "tests/database/experts_test.ts"],
  },
  {
    name: "accepting an invitation lowers a role",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: "then expert.role else excluded.role end",
    after: "then excluded.role else expert.role end",
    tests: ["tests/http/invitations_test.ts", "tests/http/team_test.ts"],
  },
  {
    name: "an invitation is deleted by way of another coach",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: "where invitation.id = invitation_id and invitation.coach_id = delete_invitation.coach_id;",
    after: "where invitation.id = invitation_id;",
    tests: ["tests/http/invitations_test.ts"],
  },
  {
    name: "two change the experts of a coach at the same time",
    file: "supabase/migrations/20261122000360_invitations.sql",
    before: "where known.id = lock_coach.coach_id for no key update;",
    after: "where known.id = lock_coach.coach_id;",
    tests: ["tests/database/persona_races_test.ts"],
  },
  {
    name: "a new key prolongs the one that it replaces",
    file: "supabase/migrations/20261122000300_api_keys.sql",
    before: "expires_at = least(api_key.expires_at, now() + make_interval(hours => rotate_api_key.overlap_hours))",
    after: "expires_at = now() + make_interval(hours => rotate_api_key.overlap_hours)",
    tests: ["tests/http/api_keys_test.ts"],
  },
  {
    name: "a key that replaces one is bound to no coaches",
    file: "supabase/migrations/20261122000300_api_keys.sql",
    before: "successor.coach_ids := case when old.coach_ids is not null then array(",
    after: "successor.coach_ids := case when false then array(",
    tests: ["tests/http/api_keys_test.ts"],
  },
  {
    name: "one request too many is allowed",
    file: "supabase/migrations/20261122000300_api_keys.sql",
    before: "tightest.room > 0 into windows",
    after: "tightest.room >= 0 into windows",
    tests: ["tests/http/api_keys_test.ts"],
  },
  {
    name: "the window of an hour lasts a day",
    file: "supabase/migrations/20261122000300_api_keys.sql",
    before: "at + interval '1 hour')",
    after: "at + interval '1 day')",
    tests: ["tests/http/api_keys_test.ts", "tests/http/publishable_keys_test.ts"],
  },
  {
    name: "a rating is not changed by another one",
    file: "supabase/migrations/20261122000450_feedback.sql",
    before: `on conflict on constraint feedback_pkey do update
    set rating = excluded.rating, comment = excluded.comment, updated_at = now()
    where (feedback.rating, feedback.comment) is distinct from (excluded.rating, excluded.comment);`,
    after: "on conflict on constraint feedback_pkey do nothing;",
    tests: ["tests/http/feedback_test.ts"],
  },
  {
    name: "a list of events is cut one too early",
    file: "supabase/migrations/20261122000470_events.sql",
    before: "case when listed.place <= 1000",
    after: "case when listed.place < 1000",
    tests: ["tests/database/events_test.ts"],
  },
  {
    name: "whoever watches a thread hears of open questions",
    file: "supabase/migrations/20261122000470_events.sql",
    before: "and event.created_at > after and event.question_id is null",
    after: "and event.created_at > after",
    tests: ["tests/database/events_test.ts", "tests/http/events_test.ts"],
  },
  {
    name: "a receiver that is gone takes the messages of other accounts with it",
    file: "supabase/migrations/20261122000475_webhooks.sql",
    before: "or outcome.is_gone and held.account_id = message.account_id;",
    after: "or outcome.is_gone;",
    tests: ["tests/database/webhooks_test.ts", "tests/http/webhooks_test.ts"],
  },
  {
    name: "a receiver that fails gets five messages at once",
    file: "supabase/migrations/20261122000475_webhooks.sql",
    before: "case when waiting.is_failing then 1 else 5 end",
    after: "5",
    tests: ["tests/database/webhooks_test.ts"],
  },
  {
    name: "a dismissed question reopens with two more people",
    file: "supabase/migrations/20261122000490_open_questions.sql",
    before: "greatest(question.dismissed_people, 3)",
    after: "greatest(question.dismissed_people, 2)",
    tests: ["tests/database/open_questions_test.ts", "tests/http/questions_test.ts"],
  },
  {
    name: "a user opens nine questions a day",
    file: "supabase/migrations/20261122000490_open_questions.sql",
    before: `if most <= (
    select count(distinct`,
    after: `if most <= 1 + (
    select count(distinct`,
    tests: ["tests/database/open_questions_test.ts", "tests/http/questions_test.ts"],
  },
  {
    name: "the expert answers the newest question that waits",
    file: "supabase/migrations/20261122000650_takeover.sql",
    before: "order by message.created_at, message.sequence limit 1;",
    after: "order by message.created_at desc, message.sequence desc limit 1;",
    tests: ["tests/http/takeover_test.ts", "tests/database/takeover_test.ts"],
  },
  {
    name: "the sources of an account are read by another",
    file: "supabase/migrations/20261122000750_sources.sql",
    before: "where source.id = find_source.source_id and source.coach_id = coach.id for update;",
    after: "where source.id = find_source.source_id for update;",
    tests: ["tests/http/sources_test.ts", "tests/http/tenancy_test.ts"],
  },
  {
    name: "a search of one's threads finds those of other accounts",
    file: "supabase/migrations/20261122001150_thread_search.sql",
    before: "where own.account_id = caller.account_id and own.user_id = filter.user_id",
    after: "where own.user_id = filter.user_id",
    tests: ["tests/database/thread_search_test.ts", "tests/http/thread_search_test.ts"],
  },
  {
    name: "conversations are listed up to their cursor again",
    file: "supabase/migrations/20261122001160_conversations.sql",
    before:
      `and (filter.is_closed is null or thread.is_closed = filter.is_closed) and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) <`,
    after:
      `and (filter.is_closed is null or thread.is_closed = filter.is_closed) and thread.is_standalone = wants_standalone
      and thread.account_id = caller.account_id and thread.coach_id = filter.coach_id and thread.updated_at >= earliest
      and (thread.updated_at, thread.id) <=`,
    tests: ["tests/http/conversations_test.ts"],
  },
  {
    name: "a test is given up after two workers",
    file: "supabase/migrations/20261122001180_persona_tests.sql",
    before: "exit when taken.attempts <= 3;",
    after: "exit when taken.attempts < 3;",
    tests: ["tests/database/persona_tests_test.ts", "tests/http/persona_test_runs_test.ts"],
  },
  {
    name: "a file is tried a fourth time",
    file: "supabase/migrations/20261122001200_indexing.sql",
    before: "exit when found_file.attempts < 3;",
    after: "exit when found_file.attempts <= 3;",
    tests: ["tests/database/indexing_again_test.ts", "tests/http/indexer_test.ts"],
  },
  {
    name: "a late result ends the mail of another worker",
    file: "supabase/migrations/20261122001220_mail.sql",
    before: "where held.id = outcome.id and held.claim = outcome.claim for update;",
    after: "where held.id = outcome.id for update;",
    tests: ["tests/database/mail_test.ts"],
  },
  {
    name: "the second failure of a minute is not told",
    file: "supabase/migrations/20261122001220_mail.sql",
    before: "do update set data = private.add_ids(waiting.data, excluded.data);",
    after: "do nothing;",
    tests: ["tests/http/mail_test.ts", "tests/database/mail_test.ts"],
  },
  {
    name: "answerers are told of failures, too",
    file: "supabase/migrations/20261122001220_mail.sql",
    before: `where settings.coach_id = new.coach_id and settings.failures
    and private.find_role(settings.coach_id, settings.user_id::text) <> 'answerer';`,
    after: "where settings.coach_id = new.coach_id and settings.failures;",
    tests: ["tests/http/mail_test.ts"],
  },
  {
    name: "a coach shows the acts of one that had its ID in another account",
    file: "supabase/migrations/20261122001250_acts.sql",
    before: "where act.coach_id = list_acts.coach_id and act.account_id = owner_id",
    after: "where act.coach_id = list_acts.coach_id",
    tests: ["tests/database/acts_test.ts"],
  },
  {
    name: "an export has what the same user did in another account",
    file: "supabase/migrations/20261122001300_operators.sql",
    before: "where act.account_id = export_user.account_id and act.user_id = export_user.user_id",
    after: "where act.user_id = export_user.user_id",
    tests: ["tests/http/data_of_a_user_test.ts"],
  },
  {
    name: "the usage of the last day is left out",
    file: "supabase/migrations/20261122001400_dashboard_views.sql",
    before: "usage.day <= read_usage.to_day",
    after: "usage.day < read_usage.to_day",
    tests: ["tests/commands/admin/usage_test.ts", "tests/database/dashboard_views_test.ts"],
  },
  {
    name: "the rows of a budget are not locked",
    file: "supabase/migrations/20261122000595_budgets.sql",
    before: "use.lane for no key update of use;",
    after: "use.lane;",
    tests: ["tests/database/budget_races_test.ts"],
  },
];
