-- Search of threads: which conversations hold the words that somebody looks for.
-- Table: private.thread_words, the words of titles and messages. Functions: index_threads, called by the sweeps of the
-- indexer; search_threads, the list of a user's threads with a search, and for the expert of those with a coach.
-- Turns write none of this. What was said comes into the table once, when its thread has rested for some minutes: up to
-- threads.searchable_until all of a thread is in there. A search reads what is newer from the messages themselves, so
-- that nothing has to wait for a sweep to be found.
-- Each row also holds a word for its user and one for its coach. No text can contain these, and with them one index
-- finds what a user has said, or what was said with a coach, however much others have said.
-- Surprise: words are those of the coach's language; positions are not kept, since threads are ranked by how many of
-- their messages hold a word.

create table private.thread_words (
  id bigint generated always as identity primary key,
  thread_id uuid not null references public.threads (id) on delete cascade,
  message_id uuid references public.messages (id) on delete cascade,
  words tsvector not null,
  constraint thread_words_are_kept_once unique nulls not distinct (message_id, thread_id)
);

comment on table private.thread_words is 'The words of titles and messages, as lexemes of the coach''s language, for the search of threads.';
comment on column private.thread_words.id is 'Names the row.';
comment on column private.thread_words.thread_id is 'The thread.';
comment on column private.thread_words.message_id is 'The message; null: the title of the thread.';
comment on column private.thread_words.words is 'The words, and the names of user and coach in the form of scope_of().';

-- Searches. Every search reads the list of pending entries, which makes writing three times as fast: it stays short.
create index thread_words_by_word on private.thread_words using gin (words) with (gin_pending_list_limit = 256);
-- Deleting a thread looks for its words.
create index thread_words_by_thread on private.thread_words (thread_id);
-- The sweep takes the threads that have rested the longest.
create index threads_by_unsearchable on public.threads (updated_at) where updated_at > searchable_until;

alter table private.thread_words enable row level security;

-- The parser makes no word with a space. Short, since each row has two; a search compares the threads themselves too.
create function private.scope_of(kind text, name text) returns text
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return ' ' || scope_of.kind || left(md5(scope_of.name), 16);
end;
$$;

comment on function private.scope_of is 'The word that stands for a user (u, "<account> <user>") or a coach (c, its id) in the index.';

-- Some 100,000 characters are far more than is ever said, and never more than a tsvector can hold.
create function private.words_of(thread public.threads, language text, content text) returns tsvector
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return strip(private.to_lexemes(words_of.language, left(words_of.content, 100000))) || array_to_tsvector(array[
    private.scope_of('u', thread.account_id || ' ' || thread.user_id), private.scope_of('c', thread.coach_id)
  ]);
end;
$$;

comment on function private.words_of is 'The words of a text said in a thread, as the index has them.';

-- Indexing

-- The thread is locked by the caller.
create function private.index_title(thread public.threads) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  insert into private.thread_words as held (thread_id, words)
  select thread.id, private.words_of(thread, coach.language, thread.title)
  from public.coach_profiles as coach where coach.id = thread.coach_id
  on conflict on constraint thread_words_are_kept_once do update set words = excluded.words;
end;
$$;

comment on function private.index_title is 'Writes the words of the title of a thread.';

-- A batch: some 100 messages of threads that have rested for five minutes. Each thread is locked meanwhile, for a
-- tenth of a second: that waits for no one (threads in use are left for later), and no message can be written, taken
-- back or moved between being read and being called searchable.
-- An answer that is being written ends what can be searched in its thread. One that is abandoned does not: if it goes
-- on after all, that is a change (see unindex_message).
create function public.index_threads() returns boolean
language plpgsql volatile security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  thread public.threads;
  language text;
  room integer := 100;
  has_more boolean := false;
  first_open timestamptz;
  upto timestamptz;
  written integer;
begin
  for thread in
    select * from public.threads as candidate
    where candidate.updated_at > candidate.searchable_until
      and candidate.updated_at < now() - interval '5 minutes'
      and private.find_active_answer(candidate.id, greatest(candidate.searchable_until, candidate.settled_until)) is null
    order by candidate.updated_at
    limit 100
    for update skip locked
  loop
    has_more := room <= 0;
    exit when has_more;
    select coach.language into language from public.coach_profiles as coach where coach.id = thread.coach_id;
    -- Once more, now that the thread is locked.
    select min(message.created_at) into first_open from public.messages as message
    where message.thread_id = thread.id
      and message.created_at > greatest(thread.searchable_until, thread.settled_until)
      and message.status = 'streaming' and not private.is_silent(message);
    select max(batch.created_at), count(*) into upto, written
    from (
      select message.created_at from public.messages as message
      where message.thread_id = thread.id and message.created_at > thread.searchable_until
        and message.created_at < coalesce(first_open, 'infinity')
      order by message.created_at, message.sequence
      limit room
    ) as batch;

    -- Deletions lock messages first and then their thread. Whoever has one of these may be waiting for the thread.
    begin
      perform from public.messages as message
      where message.thread_id = thread.id and message.created_at > thread.searchable_until and message.created_at <= upto
      for key share nowait;
    exception when lock_not_available then
      continue;
    end;
    if thread.searchable_until = '-infinity' then
      perform private.index_title(thread);
    end if;
    insert into private.thread_words as held (thread_id, message_id, words)
    select thread.id, message.id, private.words_of(thread, language, message.content)
    from public.messages as message
    where message.thread_id = thread.id and message.created_at > thread.searchable_until and message.created_at <= upto
      and message.is_listed
    on conflict on constraint thread_words_are_kept_once do update set words = excluded.words;
    update public.threads as indexed
    set searchable_until = case when written < room and first_open is null
      then greatest(thread.updated_at, upto) else coalesce(upto, thread.searchable_until) end
    where indexed.id = thread.id;
    -- A thread costs something too, however little was said in it.
    room := room - written - 2;
  end loop;
  return has_more or room <= 0;
end;
$$;

comment on function public.index_threads is 'Makes a batch of what was said in threads at rest quick to search, and says whether there may be more.';

create function private.has_unsearchable_threads() returns boolean
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off set enable_bitmapscan = off
as $$
begin
  return exists (
    select from public.threads as thread
    where thread.updated_at > thread.searchable_until and thread.updated_at < now() - interval '5 minutes'
  );
end;
$$;

comment on function private.has_unsearchable_threads is 'Whether index_threads() has something to do.';

-- What changes later
--
-- Deleting takes the words along. Messages that are dated back are seen to by touch_threads(). Everything else that
-- changes takes back what was searchable: the search reads the messages again, and the next sweep writes their words anew.

-- First the thread: a sweep that is just writing the old words has it.
-- Definer: operators change messages too, and service_role has no rights on the private schema.
create function private.unindex_message() returns trigger
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
begin
  perform from public.threads as thread where thread.id in (old.thread_id, new.thread_id) order by thread.id for no key update;
  delete from private.thread_words as held where held.message_id = old.id;
  update public.threads as thread
  set searchable_until = least(old.created_at, new.created_at) - interval '1 microsecond'
  where thread.id = any (array[new.thread_id]) and thread.searchable_until >= least(old.created_at, new.created_at);
  return null;
end;
$$;

comment on function private.unindex_message is 'Takes the words of a message that changes out of the index.';

-- While an answer is written and when it ends, this does nothing: a run writes at least every ten seconds (see
-- save_turns). Only one that was silent for longer may have words in the index.
create trigger messages_unindex_changed after update on public.messages
  for each row when (
    (old.status <> 'streaming' or old.updated_at < now() - interval '20 seconds')
      and (new.content <> old.content or new.status = 'streaming' or new.role <> old.role)
    or new.thread_id <> old.thread_id or new.created_at <> old.created_at
  )
  execute function private.unindex_message();

-- Definer: operators change threads too, and service_role has no rights on the private schema.
create function private.reindex_title() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.index_title(new);
  return null;
end;
$$;

comment on function private.reindex_title is 'Writes the words of a new title.';

create trigger threads_reindex_title after update of title on public.threads
  for each row when (new.title <> old.title and new.searchable_until > '-infinity') execute function private.reindex_title();

create function private.unindex_thread() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  new.searchable_until := '-infinity';
  return new;
end;
$$;

comment on function private.unindex_thread is 'Has a thread indexed again that gets another user, or whose coach gets another id.';

create trigger threads_unindex before update of account_id, coach_id, user_id on public.threads
  for each row when ((new.account_id, new.coach_id, new.user_id) is distinct from (old.account_id, old.coach_id, old.user_id))
  execute function private.unindex_thread();

create function private.unindex_threads_of_coach() returns trigger
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  update public.threads as thread set searchable_until = '-infinity'
  where thread.account_id = new.account_id and thread.coach_id = new.id and thread.searchable_until > '-infinity';
  return null;
end;
$$;

comment on function private.unindex_threads_of_coach is 'Has the threads of a coach indexed again when its language changes.';

create trigger coach_profiles_unindex_threads after update of language on public.coach_profiles
  for each row when (old.language <> new.language) execute function private.unindex_threads_of_coach();

-- Searching

-- user_id null: the threads of all users with the coach, as list_conversations() describes them.
-- Any of the words may match. A word counts the more the fewer of these threads hold it (see rarity), more in a title
-- than in any number of messages, and with each message that holds it a little less than with the one before. What more
-- than 20,000 messages hold says little, and would take seconds to rank: it counts in the newest 1,000 of the threads.
-- The last word may go on, since people search while they type; half of its weight is for the word as it is.
-- The score is a whole number, so that a cursor can name it: <score>_<microseconds since 1970>_<id> of the last thread.
-- What is not in the index yet is read from the messages: of threads that a sweep has to do, and of the newest 100, which
-- a question may have reached without moving them (see touch_threads). At most 1,000 messages, the newest threads first:
-- only where no sweep ever runs are there more.
create function private.search_threads(
  account_id uuid,
  coach_ids text[],
  user_id text,
  search text,
  coach_id text,
  is_archived boolean,
  has_state boolean,
  has_down boolean,
  needs_reply boolean,
  from_time timestamptz,
  before_time timestamptz,
  page_size integer,
  after_score bigint,
  after_at bigint,
  after_id uuid
) returns json
-- Compiling would take longer than the whole search.
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = on set jit = off
-- What is sorted of a coach with many threads stays in memory.
set work_mem = '32MB'
as $$
declare
  scope constant tsquery := quote_literal(case when search_threads.user_id is null
    then private.scope_of('c', search_threads.coach_id)
    else private.scope_of('u', search_threads.account_id || ' ' || search_threads.user_id)
  end)::tsquery;
  after_updated_at constant timestamptz :=
    coalesce(timestamptz 'epoch' + search_threads.after_at * interval '1 microsecond', 'infinity');
  terms tsquery[];
  shares double precision[];
  threads json;
  total bigint;
  next_cursor text;
begin
  -- The words in each language that the coaches of these threads speak.
  with language as (
    select distinct coach.language as name
    from (
      select distinct mine.coach_id
      from (
        -- The offset keeps Postgres from reading all threads in the order of their coaches.
        select thread.coach_id from public.threads as thread
        where thread.account_id = search_threads.account_id and thread.user_id = search_threads.user_id offset 0
      ) as mine
      union all
      select search_threads.coach_id where search_threads.user_id is null
    ) as met
    cross join lateral (
      select held.language from public.coach_profiles as held where held.id = met.coach_id offset 0
    ) as coach
  ), word as (
    select '''' || regexp_replace(entry.lexeme, '([\\''])', '\1\1', 'g') || '''' as quoted, entry.positions[1] as place,
      entry.positions[cardinality(entry.positions)] = max(entry.positions[cardinality(entry.positions)]) over (partition by language.name)
        and search_threads.search !~ '\s$' and char_length(entry.lexeme) >= 3 as is_unfinished
    from language
    cross join lateral unnest(private.to_lexemes(language.name, left(search_threads.search, 1000))) as entry
  ), known as (
    select word.quoted, min(word.place) as place, bool_or(word.is_unfinished) as is_unfinished
    from word group by word.quoted order by 2, 1 limit 16
  )
  select array_agg(term.query::tsquery order by known.place, term.query),
    array_agg(case when known.is_unfinished then 0.5 else 1 end order by known.place, term.query)
  into terms, shares
  from known
  cross join lateral (
    select known.quoted as query union all select known.quoted || ':*' where known.is_unfinished
  ) as term;

  with mine as materialized (
    select thread.id, thread.title, thread.coach_id, thread.updated_at, thread.searchable_until,
      row_number() over (order by thread.updated_at desc, thread.id desc) as place
    from (
      -- Only one of the two is read.
      select * from public.threads as own
      where own.account_id = search_threads.account_id and own.user_id = search_threads.user_id
        and (search_threads.coach_id is null or own.coach_id = search_threads.coach_id)
      union all
      select * from public.threads as held
      where search_threads.user_id is null
        and held.account_id = search_threads.account_id and held.coach_id = search_threads.coach_id
    ) as thread
    where terms is not null
      and (search_threads.coach_ids is null or thread.coach_id = any (search_threads.coach_ids))
      and (search_threads.is_archived is null or thread.is_archived = search_threads.is_archived)
      and (not search_threads.has_down or thread.has_down)
      and (not search_threads.needs_reply or thread.needs_reply_at is not null)
      and (search_threads.from_time is null or thread.updated_at >= search_threads.from_time)
      and (search_threads.before_time is null or thread.updated_at < search_threads.before_time)
  ), term as materialized (
    select asked.* from unnest(terms, shares) with ordinality as asked (query, share, place)
  ), unread as (
    select mine.id as thread_id, said.id as message_id, mine.coach_id, said.content
    from mine
    cross join lateral (
      select message.id, message.content from public.messages as message
      where message.thread_id = mine.id and message.created_at > mine.searchable_until and message.is_listed
      order by message.created_at desc, message.sequence desc
      limit 1000
    ) as said
    where mine.updated_at > mine.searchable_until or mine.place <= 100
    order by mine.place
    limit 1000
  ), fresh as materialized (
    select text.thread_id, text.message_id,
      private.to_lexemes(
        (select coach.language from public.coach_profiles as coach where coach.id = text.coach_id),
        left(text.content, 100000)
      ) as words
    from (
      select unread.thread_id, unread.message_id, unread.coach_id, unread.content from unread
      union all
      (
        select mine.id, null, mine.coach_id, mine.title from mine where mine.searchable_until = '-infinity'
        order by mine.place limit 1000
      )
    ) as text
  ), found as materialized (
    select term.place, held.thread_id, held.message_id
    from term
    cross join lateral (
      select known.thread_id, known.message_id from private.thread_words as known
      where known.words @@ (scope && term.query)
      limit 20001
    ) as held
  ), common as materialized (
    select term.* from term
    where term.place in (select found.place from found group by found.place having count(*) > 20000)
  ), hit as (
    select found.place, found.thread_id, found.message_id from found
    where found.place not in (select common.place from common)
    union
    select common.place, held.thread_id, held.message_id
    from mine
    cross join lateral (
      select known.thread_id, known.message_id, known.words from private.thread_words as known
      where known.thread_id = mine.id offset 0
    ) as held
    join common on held.words @@ common.query
    where mine.place <= 1000 and (select count(*) from common) > 0
    union
    select term.place, fresh.thread_id, fresh.message_id from term join fresh on fresh.words @@ term.query
  ), held as (
    select hit.place, hit.thread_id, count(hit.message_id) as messages, bool_or(hit.message_id is null) as is_in_title
    from hit join mine on mine.id = hit.thread_id
    group by hit.place, hit.thread_id
  ), weight as (
    select term.place, term.share * private.rarity(
      case when term.place in (select common.place from common) then least(searched.count, 1000) else searched.count end,
      seen.count
    ) as value
    from term
    join (select held.place, count(*) as count from held group by held.place) as seen on seen.place = term.place
    cross join (select count(*) from mine) as searched
  ), scored as (
    select held.thread_id as id, round(1000000 * sum(weight.value * (
      held.messages / (held.messages + 1::double precision) + case when held.is_in_title then 2 else 0 end
    )))::bigint as score
    from held join weight on weight.place = held.place
    group by held.thread_id
  ), page as (
    select scored.id, scored.score, mine.updated_at,
      row_number() over (order by scored.score desc, mine.updated_at desc, scored.id desc) as place
    from scored join mine on mine.id = scored.id
    where search_threads.after_score is null
      or (scored.score, mine.updated_at, scored.id) < (search_threads.after_score, after_updated_at, search_threads.after_id)
    order by scored.score desc, mine.updated_at desc, scored.id desc
    -- One more than the page tells whether there is another.
    limit search_threads.page_size + 1
  )
  select
    json_agg(
      case when search_threads.user_id is null then private.describe_conversation(found.thread)
        else private.describe_thread(found.thread, search_threads.has_state) end
      order by page.place
    )
      filter (where (page.place > search_threads.page_size) is not true),
    least(count(*), search_threads.page_size),
    case when count(*) > search_threads.page_size then
      max(page.score || '_' || (extract(epoch from page.updated_at) * 1000000)::bigint || '_' || page.id)
        filter (where page.place = search_threads.page_size)
    end
  into threads, total, next_cursor
  from page
  cross join lateral (
    select listed as thread from public.threads as listed where listed.id = page.id offset 0
  ) as found;

  if search_threads.page_size is null then
    return json_build_object('data', coalesce(threads, '[]'), 'count', total);
  end if;
  return json_build_object('data', coalesce(threads, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function private.search_threads is 'What public.search_threads() and, with a search, public.list_conversations() do for an account.';

create function public.search_threads(caller jsonb, user_id text, search text, coach_id text default null,
  is_archived boolean default null, has_state boolean default false, page_size integer default null,
  after_score bigint default null, after_at bigint default null, after_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.search_threads(client.account_id, client.coach_ids, coalesce(user_id, ''), search, coach_id, is_archived,
      has_state, false, false, null, null, page_size, after_score, after_at, after_id) end);
end;
$$;

comment on function public.search_threads is 'Reply of GET /users/{userId}/threads with a search: best match first, whole or one page.';
