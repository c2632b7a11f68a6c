-- Search of threads by the words of their titles and messages.
-- Table: private.thread_words.
-- Turns write none of this. The sweep indexes a thread once it has rested for five minutes, up to
-- threads.searchable_until. A search reads newer messages themselves, so they are found immediately. Each row also has
-- a word for its user and one for its coach, which no text can contain. With them, one index finds the words of one
-- user or coach, however many others have said them.
-- Surprises: words are those of the coach's language. Positions are not stored: a thread is ranked by how many of its
-- messages have a word.

create table private.thread_words (
  id bigint generated always as identity primary key,
  thread_id uuid not null references public.threads (id) on delete cascade,
  message_id uuid references public.messages (id) on delete cascade,
  words tsvector not null,
  constraint thread_words_are_kept_once unique nulls not distinct (message_id, thread_id)
);
comment on table private.thread_words is 'The words of titles and messages, as lexemes of the coach''s language, for the search of threads.';
comment on column private.thread_words.message_id is 'The message; null: the title of the thread.';
comment on column private.thread_words.words is 'The words, and the names of user and coach in the form of scope_of().';

-- Searches. Each reads the whole list of pending entries, so that list stays short.
create index thread_words_by_word on private.thread_words using gin (words) with (gin_pending_list_limit = 256);
-- Deleting a thread deletes its words.
create index thread_words_by_thread on private.thread_words (thread_id);
-- The sweep indexes the threads that have rested longest.
create index threads_by_unsearchable on public.threads (updated_at) where updated_at > searchable_until;

-- The word for a user (u, "<account> <user>") or a coach (c, its ID) in the index. The parser makes no word with a
-- space. The hash is short, because each row has two; a search compares the threads, too.
create function private.scope_of(kind text, name text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin return ' ' || scope_of.kind || left(md5(scope_of.name), 16); end $$;

-- The words of a text of a thread, as the index has them. Longer texts are cut: a tsvector holds no more than 1 MB.
create function private.words_of(thread public.threads, language text, content text) returns tsvector
language plpgsql stable security invoker set search_path = '' as $$
begin
  return strip(private.to_lexemes(words_of.language, left(words_of.content, 100000))) || array_to_tsvector(array[
    private.scope_of('u', thread.account_id || ' ' || thread.user_id), private.scope_of('c', thread.coach_id)
  ]);
end $$;

-- Indexing

-- A batch of about 100 messages, in threads that have rested for five minutes. Each thread is locked for about a tenth of a second. Nobody waits for that, because
-- threads in use are skipped, and no message changes between being read and being called searchable. An answer that is
-- being written ends what is searchable in its thread. An abandoned one does not: if it continues after all, that is a
-- change (see unindex_message).
create function public.index_threads() returns boolean language plpgsql volatile security definer set search_path = '' as $$
declare
  rested public.threads;
  language text;
  room integer := 100;
  first_open timestamptz;
  upto timestamptz;
  written integer;
begin
  for rested in
    select * from public.threads as thread
    where thread.updated_at > thread.searchable_until and thread.updated_at < now() - interval '5 minutes'
      and private.find_active_answer(thread.id, greatest(thread.searchable_until, thread.settled_until)) is null
    order by thread.updated_at limit 100 for update skip locked
  loop
    exit when room <= 0;
    select coach.language into language from public.coach_profiles as coach where coach.id = rested.coach_id;
    -- Asked again, now that the thread is locked.
    select min(message.created_at) into first_open from public.messages as message
    where message.thread_id = rested.id and message.created_at > greatest(rested.searchable_until, rested.settled_until)
      and message.status = 'streaming' and not private.is_silent(message);
    select max(batch.created_at), count(*) into upto, written
    from (
      select message.created_at from public.messages as message
      where message.thread_id = rested.id and message.created_at > rested.searchable_until
        and message.created_at < coalesce(first_open, 'infinity')
      order by message.created_at, message.sequence limit room
    ) as batch;

    -- Deletions lock messages before their thread. One that has locked some of these may be waiting for the thread.
    begin
      perform from public.messages as message
      where message.thread_id = rested.id and message.created_at > rested.searchable_until and message.created_at <= upto
      for key share nowait;
    exception when lock_not_available then
      continue;
    end;
    begin
      insert into private.thread_words (thread_id, message_id, words)
      select rested.id, text.message_id, private.words_of(rested, language, text.content)
      from (
        select null::uuid, rested.title where rested.searchable_until = '-infinity'
        union all
        select message.id, message.content from public.messages as message
        where message.thread_id = rested.id and message.created_at > rested.searchable_until
          and message.created_at <= upto and message.is_listed
      ) as text (message_id, content)
      on conflict on constraint thread_words_are_kept_once do update set words = excluded.words;
    exception when others or query_canceled then
      -- It would be the first again in the next sweep, and no other thread would be indexed.
      raise warning 'Messages of the thread % are not indexed: %', rested.id, sqlerrm;
    end;
    update public.threads as thread
    set searchable_until = case when written < room and first_open is null
      then greatest(rested.updated_at, upto) else coalesce(upto, rested.searchable_until) end
    where thread.id = rested.id;
    -- A thread costs about as much as two messages, even if little was said in it.
    room := room - written - 2;
  end loop;
  return room <= 0;
end $$;
comment on function public.index_threads is 'Indexes a batch of messages of threads at rest; returns whether there may be more.';

-- True if index_threads() has something to do.
create function private.has_unsearchable_threads() returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from public.threads as thread
    where thread.updated_at > thread.searchable_until and thread.updated_at < now() - interval '5 minutes');
end $$;

-- What changes later
--
-- Words are deleted with their messages. touch_threads() handles messages that are dated back. Every other change makes
-- the thread unsearchable from there on: searches read its messages again, and the next sweep indexes them again.

-- Removes the words of a changed message from the index.
-- The thread is locked first, because a sweep may be writing the old words.
-- Definer: operators change messages too, and service_role has no rights on the private schema.
create function private.unindex_message() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.threads as thread where thread.id in (old.thread_id, new.thread_id) order by thread.id for no key update;
  delete from private.thread_words as words where words.message_id = old.id;
  update public.threads as thread
  set searchable_until = least(old.created_at, new.created_at) - interval '1 microsecond'
  where thread.id = any (array[new.thread_id]) and thread.searchable_until >= least(old.created_at, new.created_at);
  return null;
end $$;

-- This skips answers while they are written and when they end: a run writes at least every ten seconds (see
-- answer_save), and only an answer that was silent for longer may have words in the index.
create trigger messages_unindex_changed after update on public.messages
  for each row when (
    (old.status <> 'streaming' or old.updated_at < now() - interval '20 seconds')
      and (new.content <> old.content or new.status = 'streaming' or new.role <> old.role)
    or new.thread_id <> old.thread_id or new.created_at <> old.created_at
  )
  execute function private.unindex_message();

-- Indexes a new title.
-- Definer: operators change threads too, and service_role has no rights on the private schema.
create function private.reindex_title() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.thread_words (thread_id, words)
  select new.id, private.words_of(new, coach.language, new.title)
  from public.coach_profiles as coach where coach.id = new.coach_id
  on conflict on constraint thread_words_are_kept_once do update set words = excluded.words;
  return null;
end $$;
create trigger threads_reindex_title after update of title on public.threads
  for each row when (new.title <> old.title and new.searchable_until > '-infinity') execute function private.reindex_title();

-- Has a thread indexed again when it gets another user, or its coach another ID.
create trigger threads_unindex before update of account_id, coach_id, user_id on public.threads
  for each row when ((new.account_id, new.coach_id, new.user_id) is distinct from (old.account_id, old.coach_id, old.user_id))
  execute function private.set_column('searchable_until', '-infinity');

-- Searching

-- A client sends it as one JSON object; fields that are left out are null, and do not filter.
create type private.thread_filter as (
  -- Null: of all users, with the coach.
  user_id text,
  coach_id text,
  search text,
  is_archived boolean,
  is_standalone boolean,
  has_down boolean,
  needs_reply boolean,
  -- Null: both those that an expert has closed, and the others.
  is_closed boolean,
  -- The first instant of updated_at, and the one that is too late.
  from_time timestamptz,
  before_time timestamptz,
  -- Whether threads of a user are shown with their state.
  has_state boolean,
  -- Null: the whole list.
  page_size integer,
  -- The last thread of the page before, from its cursor: <score>_<microseconds since 1970>_<ID>.
  after_score bigint,
  after_at bigint,
  after_id uuid
);
comment on type private.thread_filter is 'The threads that a list or a search shows, and its page.';

create type private.search_term as (
  word tsquery,
  -- The word, in the threads of the user or the coach.
  query tsquery,
  -- Of the weight of a whole word.
  share double precision
);
comment on type private.search_term is 'A word of a search.';

-- The words of a search, at most 16, in each language that the coaches of these threads speak; null for none. People
-- search while they type, so the last word may continue: half of its weight is for the word as it is.
create function private.read_terms(account_id uuid, filter private.thread_filter) returns private.search_term[]
language plpgsql stable security invoker set search_path = '' as $$
declare
  scope constant text := quote_literal(case when filter.user_id is null then private.scope_of('c', filter.coach_id)
    else private.scope_of('u', read_terms.account_id || ' ' || filter.user_id) end);
begin
  return (
    with language as (
      select distinct coach.language as name
      from (
        select distinct own.coach_id
        from (
          -- The offset keeps Postgres from reading all threads in the order of their coaches.
          select thread.coach_id from public.threads as thread
          where thread.account_id = read_terms.account_id and thread.user_id = filter.user_id offset 0
        ) as own
        union all
        select filter.coach_id where filter.user_id is null
      ) as met
      cross join lateral (
        select profile.language from public.coach_profiles as profile where profile.id = met.coach_id offset 0
      ) as coach
    ), word as (
      select '''' || regexp_replace(entry.lexeme, '([\\''])', '\1\1', 'g') || '''' as quoted, entry.positions[1] as place,
        entry.positions[cardinality(entry.positions)] = max(entry.positions[cardinality(entry.positions)]) over (partition by language.name)
          and filter.search !~ '\s$' and char_length(entry.lexeme) >= 3 as is_unfinished
      from language
      cross join lateral unnest(private.to_lexemes(language.name, left(filter.search, 1000))) as entry
    ), known as (
      select word.quoted, min(word.place) as place, bool_or(word.is_unfinished) as is_unfinished
      from word group by word.quoted order by 2, 1 limit 16
    )
    select array_agg(
      row(term.query::tsquery, (scope || ' & ' || term.query)::tsquery, case when known.is_unfinished then 0.5 else 1 end)::private.search_term
      order by known.place, term.query
    )
    from known
    cross join lateral (select known.quoted as query union all select known.quoted || ':*' where known.is_unfinished) as term
  );
end $$;

-- The words of messages and titles that are not in the index yet.
-- thread_ids, title_ids: the threads whose messages and titles are read, the newest first. At most 1,000 messages, and
-- a quarter of a megabyte: of whoever sends the longest messages without a pause, the next sweep indexes the older ones.
create function private.read_fresh_words(thread_ids uuid[], title_ids uuid[])
returns table (thread_id uuid, message_id uuid, words tsvector)
language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
  select text.thread_id, text.message_id, private.to_lexemes(
    (select coach.language from public.coach_profiles as coach where coach.id = text.coach_id), left(text.content, 100000)
  )
  from (
    select listed.thread_id, listed.message_id, listed.coach_id, listed.content
    from (
      select thread.id as thread_id, said.id as message_id, thread.coach_id, said.content,
        sum(octet_length(said.content)) over (order by wanted.place, said.created_at desc, said.sequence desc) as bytes_so_far
      from unnest(read_fresh_words.thread_ids) with ordinality as wanted (id, place)
      cross join lateral (select * from public.threads as held where held.id = wanted.id offset 0) as thread
      cross join lateral (
        select message.id, message.content, message.created_at, message.sequence from public.messages as message
        where message.thread_id = wanted.id and message.created_at > thread.searchable_until and message.is_listed
        order by message.created_at desc, message.sequence desc limit 1000
      ) as said
      order by wanted.place limit 1000
    ) as listed
    where listed.bytes_so_far - octet_length(listed.content) < 250000
    union all
    select thread.id, null, thread.coach_id, thread.title
    from public.threads as thread where thread.id = any (read_fresh_words.title_ids)
  ) as text;
end $$;

-- The threads that match a search, with their scores: whole numbers, so that a cursor can name them.
-- Any of the words may match. A word counts more the fewer of the threads have it (see rarity), more in a title than in
-- any number of messages, and with each message that has it a little less than with the one before. Words of more than
-- 20,000 messages say little and would take seconds to rank: they count in the newest 1,000 of the threads. Text that
-- is not in the index yet is read from the messages: of threads that a sweep has to index, and of the newest 100, which
-- a question may have reached without moving them (see touch_threads).
create function private.rank_threads(caller private.caller, filter private.thread_filter, terms private.search_term[])
returns table (id uuid, score bigint, updated_at timestamptz)
language plpgsql stable security invoker set search_path = ''
-- All threads of a coach are sorted in memory; an index of words is read as a bitmap alone.
set work_mem = '32MB' set enable_bitmapscan = on as $$
begin
  return query
  with searched as materialized (
    select thread.id, thread.updated_at, thread.searchable_until,
      row_number() over (order by thread.updated_at desc, thread.id desc) as place
    from (
      -- Only one of the two is read.
      select * from public.threads as own
      where own.account_id = caller.account_id and own.user_id = filter.user_id
        and (filter.coach_id is null or own.coach_id = filter.coach_id)
      union all
      select * from public.threads as conversation
      where filter.user_id is null
        and conversation.account_id = caller.account_id and conversation.coach_id = filter.coach_id
    ) as thread
    where terms is not null and (caller.coach_ids is null or thread.coach_id = any (caller.coach_ids))
      and thread.is_standalone = coalesce(filter.is_standalone, false)
      and (filter.is_archived is null or thread.is_archived = filter.is_archived)
      and (filter.has_down is not true or thread.has_down)
      and (filter.needs_reply is not true or thread.needs_reply_at is not null)
      and (filter.is_closed is null or thread.is_closed = filter.is_closed)
      and thread.updated_at >= coalesce(filter.from_time, '-infinity')
      and thread.updated_at < coalesce(filter.before_time, 'infinity')
  ), term as materialized (
    select asked.* from unnest(terms) with ordinality as asked (word, query, share, place)
  ), fresh as materialized (
    select * from private.read_fresh_words(array(
      select searched.id from searched where searched.updated_at > searched.searchable_until or searched.place <= 100
      order by searched.place
    ), array(select searched.id from searched where searched.searchable_until = '-infinity' order by searched.place limit 1000))
  ), indexed as materialized (
    select term.place, entry.thread_id, entry.message_id
    from term
    cross join lateral (
      select words.thread_id, words.message_id from private.thread_words as words
      where words.words @@ term.query limit 20001
    ) as entry
  ), common as materialized (
    select * from term where term.place in (select indexed.place from indexed group by indexed.place having count(*) > 20000)
  ), hit as (
    select indexed.place, indexed.thread_id, indexed.message_id from indexed
    where indexed.place not in (select common.place from common)
    union
    select common.place, entry.thread_id, entry.message_id
    from searched
    cross join lateral (
      select words.thread_id, words.message_id, words.words from private.thread_words as words
      where words.thread_id = searched.id offset 0
    ) as entry
    join common on entry.words @@ common.word
    where searched.place <= 1000 and (select count(*) from common) > 0
    union
    select term.place, fresh.thread_id, fresh.message_id from term join fresh on fresh.words @@ term.word
  ), held as (
    select hit.place, hit.thread_id, max(searched.updated_at) as updated_at, count(hit.message_id) as messages,
      bool_or(hit.message_id is null) as is_in_title
    from hit join searched on searched.id = hit.thread_id group by hit.place, hit.thread_id
  ), weight as (
    select term.place, term.share * private.rarity(
      case when term.place in (select common.place from common) then least(total.count, 1000) else total.count end,
      seen.count
    ) as value
    from term
    join (select held.place, count(*) as count from held group by held.place) as seen on seen.place = term.place
    cross join (select count(*) from searched) as total
  )
  select held.thread_id, round(1000000 * sum(weight.value * (
    held.messages / (held.messages + 1::double precision) + case when held.is_in_title then 2 else 0 end
  )))::bigint, max(held.updated_at)
  from held join weight on weight.place = held.place group by held.thread_id;
end $$;

-- The part of a long text that begins a little before the first of some words. The last letter of a word may differ from
-- that of its lexeme, as in happy and happi.
create function private.part_with(content text, terms private.search_term[]) returns text
language plpgsql immutable security invoker set search_path = '' as $$
declare most constant integer := 10000;
begin
  if char_length(content) <= most then return content; end if;
  return substr(content, greatest(1, coalesce((
    select min(nullif(strpos(lower(content), left(known.lexeme, greatest(char_length(known.lexeme) - 1, 1))), 0))
    from unnest(terms) as term
    cross join lateral (select replace(btrim(term.word::text, ''':*'), '''''', '''') as lexeme) as known
  ), 1) - 1000), most);
end $$;

-- The words around what was searched for, in the message of a thread that has most of it, or in its title: text and
-- matches by turns.
create function private.excerpt_thread(thread public.threads, terms private.search_term[]) returns text[]
language plpgsql stable security invoker set search_path = '' as $$
declare mark constant text := chr(1);
begin
  return (
    select string_to_array(private.excerpt(
      coach.language, translate(private.part_with(coalesce(message.content, thread.title), terms), mark, ''),
      string_agg(term.word::text, ' | ')::tsquery, words => 14, mark => mark
    ), mark)
    from (
      select entry.message_id, entry.words from private.thread_words as entry where entry.thread_id = thread.id
      union all
      select fresh.message_id, fresh.words from private.read_fresh_words(array[thread.id], array[thread.id]) as fresh
    ) as said
    join unnest(excerpt_thread.terms) as term on said.words @@ term.word
    join public.coach_profiles as coach on coach.id = thread.coach_id
    left join public.messages as message on message.id = said.message_id
    group by message.id, coach.id
    order by count(distinct term.word) desc, message.created_at desc nulls last limit 1
  );
end $$;

-- A page of the threads of a user, or of the conversations with a coach, best match first. The first hundred have
-- excerpts: nobody reads more, and a whole list may have thousands.
create function private.list_found_threads(caller private.caller, filter private.thread_filter) returns json
language plpgsql stable security invoker set search_path = ''
set work_mem = '32MB' as $$
declare
  after_updated_at constant timestamptz :=
    coalesce(timestamptz 'epoch' + filter.after_at * interval '1 microsecond', 'infinity');
  terms constant private.search_term[] := private.read_terms(caller.account_id, filter);
begin
  return private.describe_entries(array(
    select row(
      (case when filter.user_id is null then private.describe_conversation(found.thread, private.to_auth_id(caller.user_id))
        else private.describe_thread(found.thread, coalesce(filter.has_state, false)) end)::jsonb
        || case when best.place <= 100 then jsonb_build_object('excerpt', private.excerpt_thread(found.thread, terms)) else '{}' end,
      best.score || '_' || private.to_microseconds(best.updated_at) || '_' || best.id
    )::private.entry
    from (
      select ranked.*, row_number() over (order by ranked.score desc, ranked.updated_at desc, ranked.id desc) as place
      from private.rank_threads(caller, filter, terms) as ranked
      where filter.after_score is null
        or (ranked.score, ranked.updated_at, ranked.id) < (filter.after_score, after_updated_at, filter.after_id)
      order by ranked.score desc, ranked.updated_at desc, ranked.id desc limit filter.page_size + 1
    ) as best
    cross join lateral (select thread from public.threads as thread where thread.id = best.id offset 0) as found
    order by best.score desc, best.updated_at desc, best.id desc
  ), filter.page_size);
end $$;

create function public.search_threads(caller jsonb, user_id text, filter jsonb) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, coalesce(user_id, ''));
begin
  return private.answer(client, case when client.is_admitted then private.list_found_threads(client,
    jsonb_populate_record(null::private.thread_filter, filter || jsonb_build_object('user_id', client.user_id))) end);
end $$;
comment on function public.search_threads is 'Reply of GET /users/{userId}/threads with a search: best match first, whole or one page; filter: see private.thread_filter.';
