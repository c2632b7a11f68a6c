-- Conversations: threads, the messages said in them, and the lists of both that clients read.
-- Tables: threads, messages. A turn writes two messages at once, the question and the answer to come; the answer is
-- filled in while the model speaks and completed when it ends (see turns).
-- Surprises: any insert into messages, by hand included, moves its thread to the top of the list, and any update of an
-- answer is counted as usage where it ends the answer or tells its tokens. Triggers see to that (see turns), and to what
-- threads know about the number of their messages (see threads.settled_until).

-- The account of a thread is that of its coach. It is repeated here, held equal by the foreign key, so that a list can
-- be read from one index; a row inserted without it gets it from its coach.
create table public.threads (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  coach_id text not null,
  user_id text not null,
  title text not null default 'New conversation',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_pinned boolean not null default false,
  is_archived boolean not null default false,
  is_standalone boolean not null default false,
  settled_count integer not null default 0,
  settled_until timestamptz not null default '-infinity',
  searchable_until timestamptz not null default '-infinity',
  taken_over_until timestamptz,
  -- No reference: it ends with the takeover.
  taken_over_by uuid,
  is_waiting boolean not null default false,
  put_off_until timestamptz,
  needs_reply_at timestamptz,
  has_down boolean not null default false,
  is_closed boolean not null default false,
  constraint threads_user_id_is_1_to_255_characters check (btrim(user_id) <> '' and char_length(user_id) <= 255),
  constraint threads_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete restrict
) with (
  -- Each turn moves its thread within threads_by_user and leaves a dead entry there: lists stay short to read.
  autovacuum_vacuum_scale_factor = 0.05
);
comment on table public.threads is 'A conversation. It belongs to one user and one coach for good.';
comment on column public.threads.id is 'The thread_id of the API.';
comment on column public.threads.account_id is 'The account of the coach; filled in from the coach when left out.';
comment on column public.threads.coach_id is 'The coach whom the user talks to.';
comment on column public.threads.user_id is 'The id of an auth user, an id that an application with an API key has given its user, or anonymous-<uuid>.';
comment on column public.threads.title is 'The first message, shortened, until somebody renames the thread.';
comment on column public.threads.created_at is 'When the first message was written.';
comment on column public.threads.updated_at is 'When the newest message was written or completed. Lists are ordered by it. A question in the thread that is first already leaves it to its answer.';
comment on column public.threads.is_pinned is 'Whether its user keeps it at hand. Lists are ordered as without.';
comment on column public.threads.is_archived is 'Whether its user has put it away. Lists leave it out only when they are asked to.';
comment on column public.threads.is_standalone is 'Whether it holds a single turn of a client that keeps its conversations itself (function openai). No list shows it unless asked to, and the sweep deletes it after 30 days.';
comment on column public.threads.settled_count is 'How many messages up to settled_until lists show.';
comment on column public.threads.settled_until is 'No answer up to this time is still being written. The end of a turn moves it on; -infinity: all is to be counted again.';
comment on column public.threads.searchable_until is 'All that was said up to this time is in private.thread_words (see thread_search); -infinity: nothing is, nor the title.';

comment on column public.threads.taken_over_until is 'Until when the expert answers in person, and the model is silent; null or past: the model answers (see is_taken_over).';
comment on column public.threads.taken_over_by is 'The expert who has taken it over, or written in it last since; null: nobody, or a server.';
comment on column public.threads.is_waiting is 'Whether a question waits for an answer of the expert (see messages.status), or after a takeover for one of the model.';
comment on column public.threads.put_off_until is 'When the model may answer what waits, at the earliest, because a budget was used up; null: now.';
comment on column public.threads.needs_reply_at is 'Since when a person waits for the expert: a question waits for an answer, or somebody has asked for a human; null: nobody does.';
comment on column public.threads.has_down is 'Whether an answer of the thread has a thumbs-down.';
comment on column public.threads.is_closed is 'Whether an expert has put it away at the desk. A question in it, and a request to the expert, open it again.';

-- Lists of a user, newest first.
create index threads_by_user on public.threads (account_id, user_id, is_standalone, updated_at desc, id desc);
-- Conversations with a coach, newest first. Deleting or moving a coach checks for its threads, too.
create index threads_by_coach on public.threads (account_id, coach_id, is_standalone, updated_at desc, id desc);
-- The sweep deletes the oldest.
create index threads_by_age on public.threads (updated_at) where is_standalone;
-- The same, of those in which somebody waits for the expert.
create index threads_by_need on public.threads (account_id, coach_id, updated_at desc, id desc) where needs_reply_at is not null;
-- The same, of those in which somebody was not content.
create index threads_by_down on public.threads (account_id, coach_id, updated_at desc, id desc) where has_down;
-- The same, of those that an expert has closed, or of the others.
create index threads_by_closure on public.threads (account_id, coach_id, is_closed, updated_at desc, id desc)
  where not is_standalone;
-- When a person first came to a coach, and how often since.
create index threads_by_person on public.threads (coach_id, user_id, created_at);
-- The sweep has the model answer what waits after a takeover.
create index threads_by_waiting on public.threads (taken_over_until) where is_waiting;
-- The sweep ends takeovers whose time is over.
create index threads_by_takeover on public.threads (taken_over_until) where taken_over_until is not null;

-- Whether the expert answers a thread in person: the only place that decides whether a takeover is on.
create function private.is_taken_over(taken_over_until timestamptz) returns boolean
language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Not now(): that is when the transaction began, before it waited for the lock of the thread.
  return coalesce(is_taken_over.taken_over_until > clock_timestamp(), false);
end $$;
create trigger threads_set_account before insert on public.threads
  for each row when (new.account_id is null) execute function private.set_account_of_coach();

-- Sets a column of the row that is written. Arguments: its name, and the value.
create function private.set_column() returns trigger language plpgsql volatile security invoker set search_path = '' as $$
begin return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], tg_argv[1])); end $$;

-- A thread in which somebody begins to wait for the expert is open again.
create trigger threads_reopen before update of needs_reply_at on public.threads
  for each row when (new.is_closed and old.needs_reply_at is null and new.needs_reply_at is not null)
  execute function private.set_column('is_closed', 'false');

-- Messages

-- Domains: Postgres reads the checks of a table with each insert and update. In public, since REST names the type of a column.
create domain public.message_role as text constraint message_role_is_known check (value in ('user', 'assistant', 'system'));
create domain public.message_status as text
  constraint message_status_is_known check (value in ('waiting', 'streaming', 'complete', 'stopped', 'failed'));
create domain public.message_phase as text constraint message_phase_is_known check (value in ('commentary', 'final_answer'));

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid not null references public.threads (id) on delete cascade,
  sequence bigint generated always as identity,
  role public.message_role not null,
  content text not null default '',
  status public.message_status not null default 'complete',
  error_code text,
  error text,
  mode text,
  sources jsonb,
  is_by_expert boolean not null default false,
  expert_id uuid references auth.users (id) on delete set null,
  is_unread boolean not null default false,
  model text,
  coach_version integer,
  revised_at timestamptz,
  revision_id uuid,
  in_reply_to uuid,
  corrects uuid,
  phase public.message_phase,
  run_id uuid,
  previous jsonb,
  stop_requested_at timestamptz,
  response_id text,
  other_response_ids text[],
  input_tokens integer,
  cached_tokens integer not null default 0,
  output_tokens integer,
  reasoning_tokens integer not null default 0,
  is_estimated boolean not null default false,
  request_id text,
  -- No reference: deleting a key would have to look through all messages.
  api_key_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_listed boolean not null generated always as (role = 'user' or role = 'assistant' and content <> '') stored,
  constraint messages_cached_tokens_are_of_the_input check (cached_tokens between 0 and coalesce(input_tokens, 0)),
  constraint messages_reasoning_tokens_are_of_the_output check (reasoning_tokens between 0 and coalesce(output_tokens, 0)),
  constraint messages_only_answers_stream check (role = 'assistant' or status = 'complete'),
  constraint messages_only_answers_are_by_the_expert check (role = 'assistant' or not is_by_expert)
) with (
  -- An answer is rewritten each second while it grows: room on its page spares the indexes.
  fillfactor = 85,
  -- Most rows never change again: vacuum must not wait until a fifth of them has, as it usually does.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
comment on table public.messages is 'Everything said in a thread, oldest first by created_at, then sequence.';
comment on column public.messages.id is 'The message_id of the API.';
comment on column public.messages.sequence is 'Order of writing; decides between rows of the same instant.';
comment on column public.messages.role is 'user, assistant, or system. System messages reach the model and are never returned to clients.';
comment on column public.messages.content is 'The text; of an answer that is being written, the text so far.';
comment on column public.messages.status is 'waiting while the expert has taken over and has not answered; streaming while the answer is being written; complete, stopped and failed are final.';
comment on column public.messages.error_code is 'The code of the error that the reader of a failed answer was shown.';
comment on column public.messages.error is 'Why an answer failed, for operators.';
comment on column public.messages.mode is 'context.mode of the request.';
comment on column public.messages.sources is 'What this answer draws on: pinned answers, [{kind: pinned_answer, number, pinnedAnswerId, version, question, quote, isWordForWord}], and passages, [{kind: passage, number, passageId, fileId, file_id, filename, source_url, position, page, heading, quote, score}], in the order of their numbers in the text (see private.choose_given). While it is written, all that the model was given, in the order of the prompt. Null: it was given nothing. They stay when the file or the pinned answer is deleted.';
comment on column public.messages.is_by_expert is 'Whether the expert has written it: in person, or as a pinned answer that is given word for word. All other answers are of the model.';
comment on column public.messages.expert_id is 'The expert who has said it in person; null: nobody has, or it is not known who. Of a pinned answer, its version tells.';
comment on column public.messages.is_unread is 'Whether threads count it as unread: a message of the expert, or an answer that was completed when nobody was connected to it any more.';
comment on column public.messages.model is 'The model that wrote the answer; null where none did.';
comment on column public.messages.coach_version is 'coach_profiles.version when the answer was begun.';
comment on column public.messages.revised_at is 'When the expert has corrected this answer; null: never.';
comment on column public.messages.revision_id is 'The pinned answer that corrects it.';
comment on column public.messages.in_reply_to is 'The question that a message of the expert answers, if other messages stand between them; null: the one before it, if any. Whatever deletes the question deletes all that was said after it.';
comment on column public.messages.corrects is 'The answer that a message of the expert corrects; null: none.';
comment on column public.messages.phase is 'What the model server called this message of its response, commentary or final_answer; null where it named nothing. Sent back with the message in later turns.';
comment on column public.messages.run_id is 'The run that writes the answer. What an earlier run of the same turn still sends is not stored.';
comment on column public.messages.previous is 'While an answer is run again: what it was, to be put back if the new run fails. Its text is here once the new run has some; until then it is the content.';
comment on column public.messages.stop_requested_at is 'When the user asked to stop the answer; its run sees it within about a second.';
comment on column public.messages.response_id is 'Id of the response at the language-model backend; null where there is none.';
comment on column public.messages.other_response_ids is 'Responses of this answer besides response_id: those in which the model called tools.';
comment on column public.messages.input_tokens is 'Tokens the model read for this answer, in all its requests.';
comment on column public.messages.cached_tokens is 'Those of input_tokens that its server had in its cache.';
comment on column public.messages.output_tokens is 'Tokens the model wrote for this answer, its thoughts included.';
comment on column public.messages.reasoning_tokens is 'Those of output_tokens that were its thoughts.';
comment on column public.messages.is_estimated is 'Whether some of these tokens are estimated, because the server did not report them: it never does, or the answer was stopped or cut.';
comment on column public.messages.api_key_id is 'The API key of the request for the answer.';
comment on column public.messages.created_at is 'When it was said. Within a thread, answers come after their questions.';
comment on column public.messages.updated_at is 'Last sign of life of the run; an answer that still streams after 30 seconds without one is abandoned.';
comment on column public.messages.is_listed is 'Whether lists show the message: a question, or an answer that has text.';

-- No index knows what changes while an answer is written and when it ends well: such updates leave all of them alone.
-- A thread in order, its newest messages, what is not settled in it, and where a page begins.
create index messages_by_thread on public.messages (thread_id, created_at, sequence);
-- How many messages of a thread are unread.
create index messages_by_unread on public.messages (thread_id) where is_unread;
-- What an expert has said, when the user is deleted or erased.
create index messages_by_expert on public.messages (expert_id) where expert_id is not null;
-- Messages of a request, for operators who follow a log line.
create index messages_by_request on public.messages (request_id) where request_id is not null;
-- The newest failures, for the view recent_errors.
create index messages_by_failure on public.messages (created_at desc) where error is not null;

-- What is settled
--
-- Each page of messages shows the number of all messages. Counting them takes longer than reading the page, so a thread
-- stores how many there are up to settled_until, and only the few after it are counted. Answers under way are never
-- settled, which is also how they are found.
--
-- The end of a turn settles its thread, in the update that it makes anyway. If another answer of the thread is still
-- being written, the end of that one does. Any other change of a settled message (by operators, or a failed answer that
-- is run again) only resets the count, and the next end counts the whole thread: so the number cannot drift.
-- Settling (see settle_threads) locks the thread for update. It waits for inserts under way, which hold a key lock on
-- their thread, and for resets; later ones wait for it, and then see what was settled.

-- Resets the counts of threads whose settled messages change or are deleted: the next turn that ends in them counts
-- their messages again.
-- Definer: operators change messages too, and service_role has no rights on the private schema.
create function private.unsettle_threads() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare thread_ids uuid[];
begin
  if tg_op = 'DELETE' then thread_ids := array(select distinct deleted.thread_id from deleted);
  else thread_ids := array[old.thread_id, new.thread_id];
  end if;
  update public.threads as thread set settled_count = 0, settled_until = '-infinity'
  from (
    select thread.id from public.threads as thread
    where thread.id = any (thread_ids) order by thread.id for no key update
  ) as locked
  where thread.id = any (array[locked.id]);
  return null;
end $$;

-- An answer under way is not settled: it only matters if it is moved or gets another date.
create trigger messages_unsettle_changed after update on public.messages
  for each row when (
    old.status not in ('waiting', 'streaming')
      and (new.status in ('waiting', 'streaming') or new.is_listed <> old.is_listed)
      or new.thread_id <> old.thread_id or new.created_at <> old.created_at
  )
  execute function private.unsettle_threads();
create trigger messages_unsettle_deleted after delete on public.messages referencing old table as deleted
  for each statement execute function private.unsettle_threads();

-- Waiting answers

-- Sets whether a question of the thread waits (see requests).
-- Definer: operators change messages too, and service_role has no rights on the private schema.
create function private.watch_waiting() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.refresh_waiting(new.thread_id);
  return null;
end $$;
create trigger messages_watch_waiting after update of status on public.messages
  for each row when (old.status <> new.status and 'waiting' in (old.status, new.status))
  execute function private.watch_waiting();

create trigger messages_watch_new_waiting after insert on public.messages
  for each row when (new.status = 'waiting') execute function private.watch_waiting();

-- Abandoned answers

-- Whether the run of an answer has shown no sign of life for 30 seconds.
-- The only place that names the 30 seconds. A run writes at least every 10 seconds (see save_turns).
create function private.is_silent(answer public.messages) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin return answer.updated_at < now() - interval '30 seconds'; end $$;

-- The threads of a caller

-- The thread with this id, if it exists for the caller as its user or a key that acts alone; otherwise nulls.
-- Every function that takes the id of a thread or a message from a client finds the thread here, or asks
-- refuse_unless_expert_of_thread(). with_expert: for the expert of its coach, too. is_locked: for update, if it is of the
-- account; whose it is there is looked at under the lock.
create function private.find_thread(
  caller private.caller, thread_id uuid, with_expert boolean default false, is_locked boolean default false
) returns public.threads language plpgsql volatile security invoker set search_path = '' as $$
declare found_thread public.threads;
begin
  if is_locked then
    select * into found_thread from public.threads as thread
    where thread.id = find_thread.thread_id and thread.account_id = caller.account_id for update;
  else
    select * into found_thread from public.threads as thread where thread.id = find_thread.thread_id;
  end if;
  if (found_thread.account_id = caller.account_id
    and (caller.coach_ids is null or found_thread.coach_id = any (caller.coach_ids))
    and (caller.user_id is null or found_thread.user_id = caller.user_id
      or with_expert and private.refuse_unless_expert(caller, found_thread.coach_id) is null)) is not true
  then
    return null;
  end if;
  return found_thread;
end $$;

-- Lists: the replies of the two list endpoints, built here as the JSON that clients receive. REST cuts rows at
-- max_rows, but never a single JSON value, so that a list is whole however long it is.
-- Rows are read in the order of their index and aggregated as they come. A row of columns (wire) becomes JSON in half
-- the time of json_build_object(), and without a second sort nothing is copied once more.
-- A cursor is <microseconds since 1970>_<tie-breaker> of the last row of a page. page_size null: the whole list.

-- The answer that is being written in a thread; null for none. One that is abandoned does not count.
-- The newest, if there are several: a key that acts alone can ask twice in a thread.
create function private.find_active_answer(thread_id uuid, settled_until timestamptz) returns uuid
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select message.id from public.messages as message
    where message.thread_id = find_active_answer.thread_id and message.created_at > find_active_answer.settled_until
      and message.status = 'streaming' and not private.is_silent(message)
    order by message.created_at desc, message.sequence desc limit 1
  );
end $$;

-- What a page that begins with a list needs besides: the coaches whom the caller may talk to, and of how many of the
-- user's hundred newest threads with each of them something is unread. coach_id: only this coach.
create function private.describe_company(client private.caller, coach_id text, pictures_url text) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
  return jsonb_build_object(
    'coaches', coalesce((
      select json_agg(private.describe_coach(coach, pictures_url, private.retention_of(client.account_id)) order by coach.name, coach.id)
      from public.coach_profiles as coach
      where coach.account_id = client.account_id and coach.is_active
        and (client.coach_ids is null or coach.id = any (client.coach_ids))
        and (describe_company.coach_id is null or coach.id = describe_company.coach_id)
    ), '[]'),
    'unread_by_coach', coalesce((
      select json_object_agg(unread.coach_id, unread.threads) from (
        select newest.coach_id, count(*) as threads from (
          select thread.id, thread.coach_id from public.threads as thread
          where thread.account_id = client.account_id and thread.user_id = client.user_id
            and not thread.is_standalone and not thread.is_archived
            and (client.coach_ids is null or thread.coach_id = any (client.coach_ids))
          order by thread.updated_at desc, thread.id desc limit 100
        ) as newest
        where exists (select from public.messages as message where message.thread_id = newest.id and message.is_unread)
        group by newest.coach_id
      ) as unread
    ), '{}')
  );
end $$;

-- coach_id null: with all coaches. is_archived: only threads that are, or are not; null for both. has_state: with what
-- a thread is besides its list entry. company: with the coaches, "all" or only the "one" with coach_id.
create function public.list_threads(
  caller jsonb, user_id text, coach_id text default null, is_archived boolean default null,
  is_standalone boolean default false, has_state boolean default false, page_size integer default null,
  after_at bigint default null, after_id uuid default null, company text default null, pictures_url text default null
) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, list_threads.user_id);
  time_format constant text := private.wire_time_format();
  after_updated_at constant timestamptz :=
    coalesce(timestamptz 'epoch' + list_threads.after_at * interval '1 microsecond', 'infinity');
  entries private.entry[];
  reply json;
begin
  if not client.is_admitted then return private.answer(client); end if;
  entries := array(
    select row(
      case when list_threads.has_state then private.describe_thread(thread.whole, true) else row_to_json(wire) end,
      case when list_threads.page_size is not null then private.to_microseconds(thread.updated_at) || '_' || thread.id end
    )::private.entry
    from (
      select thread as whole, thread.* from public.threads as thread
      where thread.account_id = client.account_id and thread.user_id = client.user_id
        and thread.is_standalone = list_threads.is_standalone
        and (list_threads.coach_id is null or thread.coach_id = list_threads.coach_id)
        and (client.coach_ids is null or thread.coach_id = any (client.coach_ids))
        and (list_threads.is_archived is null or thread.is_archived = list_threads.is_archived)
        and (thread.updated_at, thread.id) < (after_updated_at, list_threads.after_id)
      order by thread.updated_at desc, thread.id desc limit list_threads.page_size + 1
    ) as thread
    cross join lateral (
      select
        thread.id, thread.title, to_char(thread.created_at at time zone 'utc', time_format) as created_at,
        to_char(thread.updated_at at time zone 'utc', time_format) as updated_at, thread.coach_id, thread.user_id,
        json_build_object('name', coach.name, 'title', coach.title) as coach_profiles
      from public.coach_profiles as coach where coach.id = thread.coach_id offset 0
    ) as wire
  );
  reply := private.describe_entries(entries, list_threads.page_size);
  if list_threads.company is not null then
    reply := reply::jsonb || private.describe_company(
      client, case when list_threads.company = 'one' then list_threads.coach_id end, list_threads.pictures_url
    );
  end if;
  return private.answer(client, reply);
end $$;
comment on function public.list_threads is 'Reply of GET /users/{userId}/threads: newest first, whole or one page.';

-- One thread

-- A thread as replies show it, with or without its state.
create function private.describe_thread(thread public.threads, has_state boolean) returns json
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select case when describe_thread.has_state then row_to_json(stated) else row_to_json(wire) end
    from (
      select
        thread.id, thread.title, private.to_wire_time(thread.created_at) as created_at,
        private.to_wire_time(thread.updated_at) as updated_at, thread.coach_id, thread.user_id,
        json_build_object('name', coach.name, 'title', coach.title) as coach_profiles
      from public.coach_profiles as coach where coach.id = thread.coach_id
    ) as wire
    left join lateral (
      select
        wire.*, private.find_active_answer(thread.id, thread.settled_until) as active_message_id,
        case when private.is_taken_over(thread.taken_over_until) then 'expert' else 'ai' end as handled_by,
        case when private.is_taken_over(thread.taken_over_until) then private.to_wire_time(thread.taken_over_until) end
          as taken_over_until,
        thread.is_pinned, thread.is_archived,
        (select count(*) from public.messages as message where message.thread_id = thread.id and message.is_unread) as unread,
        case when thread.needs_reply_at is not null then
          (private.describe_request(private.find_open_request(thread.id)))->>'status' end as request_status
      where describe_thread.has_state
    ) as stated on true
  );
end $$;

create function public.read_thread(caller jsonb, thread_id uuid, user_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  thread constant public.threads := private.find_thread(client, thread_id, with_expert => true);
begin
  if thread.id is null then return private.answer(client); end if;
  return private.answer(client, private.describe_thread(thread, has_state => true));
end $$;
comment on function public.read_thread is 'Reply of GET /threads/{threadId}; null for an unknown thread.';

-- Null leaves a value as it is. No other row is locked, so that this never takes part in a deadlock.
create function public.update_thread(caller jsonb, thread_id uuid, user_id text default null, title text default null,
  is_pinned boolean default null, is_archived boolean default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  found_id constant uuid := (private.find_thread(client, update_thread.thread_id)).id;
  updated public.threads;
begin
  update public.threads as thread
  set title = coalesce(update_thread.title, thread.title),
    is_pinned = coalesce(update_thread.is_pinned, thread.is_pinned),
    is_archived = coalesce(update_thread.is_archived, thread.is_archived)
  where thread.id = found_id returning thread.* into updated;
  if updated.id is null then return private.answer(client); end if;
  return private.answer(client, private.describe_thread(updated, has_state => true));
end $$;
comment on function public.update_thread is 'Renames, pins or archives a thread without moving it in the list, and returns it as public.read_thread() does.';

-- Locks as everywhere (see turns): messages in the order of their ids.
create function public.mark_read(caller jsonb, thread_id uuid, user_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  thread constant public.threads := private.find_thread(client, mark_read.thread_id);
begin
  if thread.id is null then return private.answer(client); end if;
  update public.messages as message set is_unread = false
  where message.id = any (array(
    select unread.id from public.messages as unread
    where unread.thread_id = thread.id and unread.is_unread order by unread.id for no key update
  ));
  return private.answer(client, private.describe_thread(thread, has_state => true));
end $$;
comment on function public.mark_read is 'Sets the unread messages of a thread to none, and returns it as public.read_thread() does; null for an unknown thread.';

-- Deletes threads with all that hangs on them, and returns how many were there.
-- Locks as everywhere (see turns): first the answers in the order of their ids, then their threads, then what was asked
-- in them. The messages go first and together, as in erase_user(), and with them all that hangs on them. A turn that
-- begins meanwhile has the thread until it is begun; its messages go with the thread.
create function private.remove_threads(thread_ids uuid[]) returns integer
language plpgsql volatile security invoker set search_path = '' as $$
declare removed integer;
begin
  -- No turn begins in them meanwhile (see begin_turn), so that no answer is missed here.
  perform pg_advisory_xact_lock(place.key) from (
    select hashtextextended(thread.id::text, 0) as key from unnest(remove_threads.thread_ids) as thread (id) order by 1
  ) as place;
  perform from public.messages as message
  where message.thread_id = any (remove_threads.thread_ids) and message.role = 'assistant' order by message.id for update;
  perform from public.threads as thread where thread.id = any (remove_threads.thread_ids) order by thread.id for update;
  perform private.lock_questions(remove_threads.thread_ids);
  delete from public.messages as message where message.thread_id = any (remove_threads.thread_ids);
  perform private.delete_events(remove_threads.thread_ids);
  delete from public.threads as thread where thread.id = any (remove_threads.thread_ids);
  -- Of two that delete one at once, the second waits for the first, and then finds nothing.
  get diagnostics removed = row_count;
  return removed;
end $$;

create function public.delete_thread(caller jsonb, thread_id uuid, user_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id, is_change => true);
  found_id constant uuid := (private.find_thread(client, delete_thread.thread_id)).id;
begin
  if found_id is null or private.remove_threads(array[found_id]) = 0 then return private.answer(client); end if;
  return private.answer(client, to_json(found_id));
end $$;
comment on function public.delete_thread is 'Deletes a thread with its messages, and has their responses deleted at the model''s backend: its id; null for an unknown thread.';

-- Messages of a thread

-- What an answer was made with, for the expert; null for a question.
-- Of the text that is shown: while an answer is run again, that is the former one until the new run has some.
create function private.describe_basis(answer public.messages) returns json
language plpgsql stable security invoker set search_path = '' as $$
declare
  shown constant jsonb := case when answer.previous is null or answer.previous ? 'content' then to_jsonb(answer) else answer.previous end;
begin
  if answer.role <> 'assistant' then return null; end if;
  return json_build_object(
    'model', shown->'model', 'coach_version', shown->'coach_version',
    'mode', (
      select question.mode from public.messages as question
      where question.thread_id = answer.thread_id and question.role = 'user'
        and (question.created_at, question.sequence) < (answer.created_at, answer.sequence)
      order by question.created_at desc, question.sequence desc limit 1
    ),
    'pinned_answers', jsonb_path_query_array(shown->'sources', '$[*] ? (@.kind == "pinned_answer")'),
    'revised_at', private.to_wire_time((shown->>'revised_at')::timestamptz), 'revision_id', shown->'revision_id'
  );
end $$;

-- The list without options, which is asked for most: its rows are neither numbered nor copied on their way into the
-- JSON. Called with the settings of list_messages().
create function private.list_usual_messages(thread_id uuid, page_size integer, after_at timestamptz, after_sequence bigint)
returns private.page language plpgsql stable security invoker set search_path = '' as $$
declare
  time_format constant text := private.wire_time_format();
  page private.page;
  -- The last message of a full page.
  last_created_at timestamptz;
  last_sequence bigint;
begin
  select json_agg(wire), count(*), max(message.created_at), (array_agg(message.sequence))[list_usual_messages.page_size]
  into page.data, page.total, last_created_at, last_sequence
  from (
    select * from public.messages as message
    where message.thread_id = list_usual_messages.thread_id and message.is_listed
      and (message.created_at, message.sequence) > (list_usual_messages.after_at, list_usual_messages.after_sequence)
    order by message.created_at, message.sequence limit list_usual_messages.page_size
  ) as message
  cross join lateral (
    select
      message.id, message.thread_id, message.content, message.role,
      -- Of the text that is shown.
      case when message.previous is null or message.previous ? 'content' then message.response_id
        else message.previous ->> 'response_id' end as response_id,
      to_char(message.created_at at time zone 'utc', time_format) as created_at
  ) as wire;
  if last_sequence is not null and exists (
    select from public.messages as message
    where message.thread_id = list_usual_messages.thread_id and message.is_listed
      and (message.created_at, message.sequence) > (last_created_at, last_sequence)
  ) then
    page.next_cursor := (extract(epoch from last_created_at) * 1000000)::bigint || '_' || last_sequence;
  end if;
  return page;
end $$;

-- Who has written a message, and what a message of the expert answers and corrects. People see the name and face of an
-- expert who said it to them, and otherwise those of the coach. for_expert: also which expert it was, in person or as the
-- version of a pinned answer.
create function private.describe_author(message public.messages, coach public.coach_profiles, pictures_url text,
  for_expert boolean) returns jsonb language plpgsql stable security invoker set search_path = '' as $$
declare
  asked public.messages;
  writer_id uuid := message.expert_id;
  writer jsonb;
begin
  if not message.is_by_expert then
    return jsonb_build_object('author', case when message.role = 'user' then 'user' else 'ai' end)
      || case when for_expert then '{"expert": null}'::jsonb else '{}' end;
  end if;
  if message.in_reply_to is null then asked := private.find_question_of_answer(message); end if;
  if writer_id is null then
    select private.to_auth_id(version.written_by) into writer_id from private.pinned_answer_versions as version
    where version.pinned_answer_id = (message.sources->0->>'pinnedAnswerId')::uuid
      and version.version = (message.sources->0->>'version')::integer;
  end if;
  if for_expert then
    writer := private.name_expert(writer_id, coach.id);
    writer := jsonb_build_object('user_id', writer->'user_id', 'own_name', writer->'name', 'email', writer->'email');
  end if;
  return jsonb_build_object('author', 'expert', 'expert', private.describe_face(coach,
      -- Nobody in person says a pinned answer that a turn gives word for word.
      case when message.expert_id is not null or exists (
        select from private.notices as notice where notice.message_id = message.id
      ) then writer_id end, pictures_url
    ) || coalesce(writer, '{}'))
    || jsonb_strip_nulls(jsonb_build_object('corrects', message.corrects,
      'in_reply_to', coalesce(message.in_reply_to, case when asked.role = 'user' then asked.id end)));
end $$;

-- Messages of a thread in either order, with more about each; called with the settings of list_messages(). for_expert:
-- which expert has written each is for experts only.
create function private.list_messages_with(
  include text[], for_expert boolean, pictures_url text, thread_id uuid, page_size integer, after_at timestamptz, after_sequence bigint, is_newest_first boolean
) returns private.page language plpgsql stable security invoker set search_path = '' as $$
declare
  has_status constant boolean := 'status' = any (include);
  has_requests constant boolean := has_status and exists (
    select from private.requests as request where request.thread_id = list_messages_with.thread_id
  );
  time_format constant text := private.wire_time_format();
  coach public.coach_profiles;
  page private.page;
begin
  if 'author' = any (include) then
    select known.* into coach from public.threads as thread join public.coach_profiles as known on known.id = thread.coach_id
    where thread.id = list_messages_with.thread_id;
  end if;
  select
    json_agg(
      jsonb_build_object(
        'id', message.id, 'thread_id', message.thread_id, 'content', message.content, 'role', message.role,
        'response_id', case when shown.is_former then message.previous ->> 'response_id' else message.response_id end,
        'created_at', to_char(message.created_at at time zone 'utc', time_format)
      )
      || case when has_status then jsonb_build_object('status', message.status, 'error_code', message.error_code)
        else '{}' end
      -- Whether it has passed its question on to the expert, who has not answered it yet: a thumbs-down does not.
      || case when has_status and exists (
          select from private.askings as asking join public.open_questions as asked on asked.id = asking.question_id
          where asking.message_id = message.id and asking.reason <> 'feedback' and asked.status = 'open'
        ) then '{"is_passed_on": true}'::jsonb else '{}' end
      || case when has_requests and message.role = 'user' then coalesce((
          select jsonb_build_object('request', private.describe_request(request)) from private.requests as request
          where request.message_id = message.id
        ), '{}') else '{}' end
      || case when 'sources' = any (include) then jsonb_build_object('sources', coalesce(
          case when shown.is_former then nullif(message.previous -> 'sources', 'null')
            when message.status = 'streaming' then jsonb_path_query_array(message.sources, '$[*] ? (exists (@.number))')
            else nullif(message.sources, 'null') end, '[]'
        )) else '{}' end
      || case when 'feedback' = any (include) then jsonb_build_object('feedback', (
          select jsonb_build_object('rating', feedback.rating, 'comment', feedback.comment)
          from public.feedback as feedback where feedback.message_id = message.id
        )) else '{}' end
      || case when 'author' = any (include) then private.describe_author(message.whole, coach, pictures_url, for_expert)
          else '{}' end
      || case when 'basis' = any (include) then jsonb_build_object('basis', private.describe_basis(message.whole)) else '{}' end
    ) filter (where (message.place > list_messages_with.page_size) is not true),
    count(*) filter (where message.is_listed),
    case when count(*) > list_messages_with.page_size then
      max((extract(epoch from message.created_at) * 1000000)::bigint || '_' || message.sequence)
        filter (where message.place = list_messages_with.page_size)
    end
  into page
  from (
    select (ordered.whole).*, ordered.whole, row_number() over () as place
    from (
      -- Only one of the two is read.
      (
        select message as whole from public.messages as message
        where not list_messages_with.is_newest_first and message.thread_id = list_messages_with.thread_id
          and (message.is_listed or has_status and message.role = 'assistant')
          and (message.created_at, message.sequence) > (list_messages_with.after_at, list_messages_with.after_sequence)
        order by message.created_at, message.sequence
        -- One more than the page tells whether there is another.
        limit list_messages_with.page_size + 1
      )
      union all
      (
        select message as whole from public.messages as message
        where list_messages_with.is_newest_first and message.thread_id = list_messages_with.thread_id
          and (message.is_listed or has_status and message.role = 'assistant')
          and (message.created_at, message.sequence) < (list_messages_with.after_at, list_messages_with.after_sequence)
        order by message.created_at desc, message.sequence desc limit list_messages_with.page_size + 1
      )
    ) as ordered
  ) as message
  -- While an answer is run again, the former one is shown until the new run has some text.
  cross join lateral (select message.previous is not null and not message.previous ? 'content' as is_former) as shown;
  return page;
end $$;

-- Messages of a thread for its user or its expert. Null if the caller has no such thread. If answers are abandoned, the
-- reply is {"abandoned": [{message_id, response_id, sources}]} instead, unless skip_abandoned is true.
-- include: what each message shows besides the usual fields, among status, sources, feedback, author, basis. With
-- status, answers without text are listed too; the count never includes them. The basis is for the expert alone: a user
-- who is not gets {"error": "not_the_expert"}, a key without the scope {"error": "missing_scope"}.
create function public.list_messages(caller jsonb, thread_id uuid, user_id text default null,
  page_size integer default null, after_at bigint default null, after_sequence bigint default null,
  skip_abandoned boolean default false, is_newest_first boolean default false, include text[] default '{}',
  pictures_url text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  client constant private.caller := private.admit(caller, user_id);
  thread constant public.threads := private.find_thread(client, list_messages.thread_id, with_expert => true);
  after_created_at constant timestamptz := coalesce(
    timestamptz 'epoch' + list_messages.after_at * interval '1 microsecond',
    case when list_messages.is_newest_first then timestamptz 'infinity' else '-infinity' end
  );
  abandoned json;
  count_of_all bigint;
  page private.page;
begin
  if thread.id is null then return private.answer(client); end if;
  if 'basis' = any (list_messages.include) then
    if private.refuse_unless_expert(client, thread.coach_id) is not null then
      return private.refuse(client, 'not_the_expert');
    end if;
    if client.user_id is null and not 'expert' = any (client.scopes) then return private.refuse(client, 'missing_scope'); end if;
    -- What an expert asks for who opens a thread at the desk.
    if thread.needs_reply_at is not null then perform private.see_requests(thread.id); end if;
    insert into private.thread_reads as seen (thread_id, coach_id, user_id)
    select thread.id, thread.coach_id, expert.id from private.to_auth_id(client.user_id) as expert (id)
    where expert.id is not null
    on conflict on constraint thread_reads_are_kept_once do update set seen_at = excluded.seen_at;
  end if;

  select
    json_agg(json_build_object('message_id', message.id, 'response_id', message.response_id, 'sources', message.sources))
      filter (where message.status = 'streaming' and private.is_silent(message)),
    thread.settled_count + count(*) filter (where message.is_listed)
  into abandoned, count_of_all
  from public.messages as message
  where message.thread_id = thread.id and message.created_at > thread.settled_until
    -- A list without pages is its own count.
    and (list_messages.page_size is not null or message.status = 'streaming');
  if abandoned is not null and not list_messages.skip_abandoned then
    return private.answer(client, json_build_object('abandoned', abandoned));
  end if;

  if cardinality(list_messages.include) = 0 and not list_messages.is_newest_first then
    page := private.list_usual_messages(thread.id, list_messages.page_size, after_created_at, list_messages.after_sequence);
  else
    page := private.list_messages_with(list_messages.include, 'author' = any (list_messages.include) and (
      client.user_id is not null or 'expert' = any (client.scopes)
    ) and private.refuse_unless_expert(client, thread.coach_id) is null, pictures_url, thread.id, list_messages.page_size, after_created_at,
      list_messages.after_sequence, list_messages.is_newest_first);
  end if;
  if list_messages.page_size is not null then page.total := count_of_all; end if;
  return private.answer(client, private.describe_page(page, is_whole => list_messages.page_size is null));
end $$;
comment on function public.list_messages is 'Reply of GET /threads/{threadId}/messages: oldest or newest first, whole or one page; null for an unknown thread.';
