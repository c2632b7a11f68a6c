-- Phrases: questions as they are compared and found, those of pinned answers and those of open questions.
-- Tables, in private: phrases (each question or variant), phrase_words (an index of their words), phrase_embeddings (what
-- they mean, as vectors).
-- Two questions are the same only if they have the same words in the same order. No score decides that, since none can
-- tell "allowed" from "not allowed". The service reads a question (see normal_question.ts) in the language of its coach,
-- which it may not know, or no longer: then ask_for_form() asks for the question in that language before anything is done.
-- Surprises: the tables refer to a pinned answer or an open question by subject_id without a foreign key; the trigger
-- drop_phrases() of both tables deletes the phrases. What is pinned by hand has no key before the next sweep reads it.

-- When two questions are the same

-- The service sends it as a JSON object.
create type private.normal_question as (
  content text,
  -- In which it was read; empty: the language is not known yet; null: it was not read, a sweep does that.
  language text,
  -- Of all its words but articles, in their order; null if there are none, or too many for a question that anyone could
  -- have pinned.
  key uuid,
  -- The same without words of politeness at its beginning and its end.
  plain_key uuid,
  -- The words of plain_key, as stems without accents.
  words text[],
  -- Those that are no stop words, each once; empty for none.
  content_words text[],
  -- Whether it can only be understood from what was said before; null: that cannot be told in this language.
  points_back boolean
);
comment on type private.normal_question is 'A question as questions are compared.';

-- Has the service read a question in this language, and call again: all that the call has done is taken back. content
-- null: the questions that it has sent.
create function private.ask_for_form(language text, content text default null) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin raise exception using errcode = 'PT412', message = ask_for_form.language, detail = coalesce(ask_for_form.content, ''); end $$;

-- The same for a question to a coach who has pinned answers, unless the service has read it.
create function private.require_form(coach public.coach_profiles, asked private.normal_question, content text)
returns void language plpgsql stable security invoker set search_path = '' as $$
declare is_unknown constant boolean := asked.language is null or coalesce(asked.content <> require_form.content, false);
begin
  if (is_unknown or asked.language <> coach.language) and exists (
    select from private.phrase_words as word where word.coach_id = coach.id and word.is_pinned and word.word = ''
  ) then
    -- Postgres logs the error: what the service knows anyway is not in it.
    perform private.ask_for_form(coach.language, case when is_unknown then require_form.content end);
  end if;
end $$;

-- Questions as the service sends them, a JSON array, in the language of the coach or not read at all.
create function private.read_questions(coach_id text, questions jsonb) returns private.normal_question[]
language plpgsql stable security invoker set search_path = '' as $$
declare
  language constant text := (select coach.language from public.coach_profiles as coach where coach.id = read_questions.coach_id);
  asked constant private.normal_question[] := array(
    select jsonb_populate_record(null::private.normal_question, entry.question)
    from jsonb_array_elements(questions) with ordinality as entry (question, place) order by entry.place
  );
begin
  if (asked[1]).language <> language then perform private.ask_for_form(language); end if;
  return asked;
end $$;

-- Tables

create table private.phrases (
  id bigint primary key generated always as identity,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  is_pinned boolean not null,
  subject_id uuid not null,
  is_active boolean not null,
  content text not null,
  language text,
  key uuid,
  polite_key uuid,
  words text[] not null default '{}',
  stop_words text[] not null default '{}',
  due_at timestamptz,
  -- With a usual length of seven words, k1 = 1.2 and b = 0.75.
  weight double precision not null generated always as (
    1 / (1 + 1.2 * (0.25 + 0.75 * (cardinality(words) + cardinality(stop_words))::double precision / 7))
  ) stored,
  constraint phrases_key_is_of_one_subject unique (coach_id, is_pinned, key)
);
comment on table private.phrases is 'Questions as they are compared: those of pinned answers, and those that open questions were asked in. Written by store_phrases().';
comment on column private.phrases.coach_id is 'The coach of its subject.';
comment on column private.phrases.is_pinned is 'Whether the subject is a pinned answer; otherwise it is an open question.';
comment on column private.phrases.subject_id is 'The pinned answer or the open question.';
comment on column private.phrases.is_active is 'Whether its subject is to be found: a pinned answer that is active, an open question that is not answered.';
comment on column private.phrases.language is 'The language in which it was read; null: a sweep is to read it.';
comment on column private.phrases.key is 'Of all its words but articles; null if nothing is left of the text, if another phrase has the key, or if it is not read.';
comment on column private.phrases.polite_key is 'The key without words of politeness at its ends; null if there are none.';
comment on column private.phrases.words is 'Its content words, as normal_question.ts has them.';
comment on column private.phrases.stop_words is 'Its other words, each once.';
comment on column private.phrases.due_at is 'When a sweep is to read it, or ask for its embedding; null: it has.';
comment on column private.phrases.weight is 'The weight of a match in it, as BM25 has it: the more words it has, the less each says.';

-- A message that is the same as a phrase but for its politeness.
create index phrases_by_polite_key on private.phrases (coach_id, is_pinned, polite_key) where polite_key is not null;
-- The phrases of a subject: to write them, and to rank the best candidates.
create index phrases_by_subject on private.phrases (subject_id);
-- The sweep takes those that have been due the longest.
create index phrases_by_due on private.phrases (due_at, id) where due_at is not null;

create table private.phrase_words (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  is_pinned boolean not null,
  word text collate "C" not null,
  subject_id uuid not null,
  phrase_id bigint not null,
  weight real not null,
  constraint phrase_words_are_kept_once primary key (coach_id, is_pinned, word, subject_id, phrase_id) include (weight)
);
comment on table private.phrase_words is 'The index of active phrases by their words, without stop words. The empty word stands for all phrases of a coach.';
comment on column private.phrase_words.word is 'The word, as in phrases.';
comment on column private.phrase_words.subject_id is 'The subject of the phrase.';
comment on column private.phrase_words.phrase_id is 'A phrase that has the word.';
comment on column private.phrase_words.weight is 'The weight of a match in the phrase.';

-- The words of a subject, when it changes or is deleted.
create index phrase_words_by_subject on private.phrase_words (subject_id);

create table private.phrase_embeddings (
  phrase_id bigint primary key references private.phrases (id) on delete cascade,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  is_pinned boolean not null,
  model text not null,
  embedding extensions.halfvec(1536) not null
);

-- Within the row, as in passage_embeddings.
alter table private.phrase_embeddings alter column embedding set storage plain;
comment on table private.phrase_embeddings is 'What the phrases mean, as vectors. Written by save_phrases(); deleted with the phrase.';
comment on column private.phrase_embeddings.phrase_id is 'The phrase.';
comment on column private.phrase_embeddings.model is 'Model that made the vector.';
comment on column private.phrase_embeddings.embedding is 'The vector; shorter ones end in zeros.';

-- The vectors of a coach, all of which are compared as long as they are few.
create index phrase_embeddings_by_coach on private.phrase_embeddings (coach_id, is_pinned, model);
-- The closest vectors among many; see passage_embeddings.
create index phrase_embeddings_by_angle on private.phrase_embeddings
  using hnsw (embedding extensions.halfvec_cosine_ops) with (m = 12, ef_construction = 40);

-- Writing

-- Writes the words of the phrases of a pinned answer or an open question into the index.
create function private.index_phrases(subject_id uuid) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.phrase_words as phrase_word where phrase_word.subject_id = index_phrases.subject_id;
  insert into private.phrase_words (coach_id, is_pinned, word, subject_id, phrase_id, weight)
  select phrase.coach_id, phrase.is_pinned, word, phrase.subject_id, phrase.id, phrase.weight
  from private.phrases as phrase cross join unnest(array_append(phrase.words, '')) as word
  where phrase.subject_id = index_phrases.subject_id and phrase.is_active;
end $$;

-- Writes the phrases of a pinned answer or an open question. One whose text stays keeps its row, and with it its key and
-- its embedding. See key_phrases() for those that are new.
create function private.store_phrases(coach_id text, is_pinned boolean, subject_id uuid, contents text[], is_active boolean default true)
returns void language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.phrases as phrase
  where phrase.subject_id = store_phrases.subject_id
    and (phrase.coach_id <> store_phrases.coach_id or phrase.content <> all (store_phrases.contents));
  update private.phrases as phrase set is_active = store_phrases.is_active where phrase.subject_id = store_phrases.subject_id;
  insert into private.phrases (coach_id, is_pinned, subject_id, is_active, content, due_at)
  select store_phrases.coach_id, store_phrases.is_pinned, store_phrases.subject_id, store_phrases.is_active, wanted.content,
    case when store_phrases.is_pinned then now() end
  from (
    select entry.content from unnest(store_phrases.contents) with ordinality as entry (content, place)
    group by entry.content order by min(entry.place)
  ) as wanted
  where not exists (
    select from private.phrases as kept where kept.subject_id = store_phrases.subject_id and kept.content = wanted.content
  );
  perform private.index_phrases(store_phrases.subject_id);
end $$;

-- Writes what was read of the phrases of a pinned answer or an open question, and their words. A key that another phrase
-- has stays with it.
create function private.key_phrases(subject_id uuid, asked private.normal_question[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare form private.normal_question;
begin
  foreach form in array asked loop
    update private.phrases as phrase
    set language = form.language, words = coalesce(form.content_words, '{}'), key = case when not exists (
        select from private.phrases as other
        where other.coach_id = phrase.coach_id and other.is_pinned = phrase.is_pinned and other.key = form.key
          and other.id <> phrase.id
      ) then form.key end,
      polite_key = case when form.plain_key <> form.key then form.plain_key end,
      stop_words = array(select distinct word from unnest(form.words) as word where word <> all (form.content_words))
    where phrase.subject_id = key_phrases.subject_id and phrase.content = form.content and form.language is not null;
  end loop;
  perform private.index_phrases(key_phrases.subject_id);
end $$;

-- The phrase of a pinned answer or an open question that has this text; if there is none, the text alone.
create function private.recall_phrase(subject_id uuid, content text) returns private.normal_question
language plpgsql stable security invoker set search_path = '' as $$
declare form private.normal_question;
begin
  select phrase.content, phrase.language, phrase.key, coalesce(phrase.polite_key, phrase.key), phrase.words || phrase.stop_words,
    phrase.words into form
  from private.phrases as phrase where phrase.subject_id = recall_phrase.subject_id and phrase.content = recall_phrase.content;
  form.content := recall_phrase.content;
  return form;
end $$;

-- Deletes the phrases of a pinned answer or an open question that was deleted.
-- Definer: operators delete rows by hand, and service_role has no rights on the private schema.
create function private.drop_phrases() returns trigger language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.phrases as phrase where phrase.subject_id = old.id;
  delete from private.phrase_words as phrase_word where phrase_word.subject_id = old.id;
  return null;
end $$;

-- Phrases that are due: [{id, coach_id, content, language: of the coach, is_embedded: it need only be read}]. What is
-- taken is due again in five minutes, unless it is saved before. At most 50, the longest due first.
create function private.take_phrases() returns json language plpgsql volatile security invoker set search_path = '' as $$
declare phrases json;
begin
  with due as (
    select phrase.id from private.phrases as phrase where phrase.due_at <= now() order by phrase.due_at, phrase.id limit 50
    for update skip locked
  ), taken as (
    update private.phrases as phrase set due_at = now() + interval '5 minutes' from due
    where phrase.id = any (array[due.id]) returning phrase.id, phrase.coach_id, phrase.content, phrase.language
  )
  select json_agg(json_build_object('id', taken.id, 'coach_id', taken.coach_id, 'content', taken.content, 'language', (
      select coach.language from public.coach_profiles as coach where coach.id = taken.coach_id
    ), 'is_embedded', taken.language is null and exists (
      select from private.phrase_embeddings as known where known.phrase_id = taken.id
    ))) into phrases
  from taken;
  return coalesce(phrases, '[]');
end $$;

-- phrases: [{id, form: as it was read, embedding: {model, vector}, is_done: nothing is left to do}]; what is left out stays.
-- A phrase that was deleted meanwhile is skipped, and one whose coach speaks another language by now is due again. The result is {phrases,
-- has_more}: with takes_next the next ones, and whether any are due.
create function public.save_phrases(phrases jsonb, takes_next boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant bigint[] := array(select (entry->>'id')::bigint from jsonb_array_elements(phrases) as entry);
  keyed record;
  pinned_ids uuid[] := '{}';
  next_phrases json := '[]';
begin
  perform private.lock_pinned_answers(coach.id) from (
    select distinct phrase.coach_id as id from private.phrases as phrase where phrase.id = any (due) and phrase.is_pinned order by 1
  ) as coach;
  for keyed in
    select phrase.subject_id, array_agg(jsonb_populate_record(null::private.normal_question, entry->'form') order by phrase.id) as forms
    from jsonb_array_elements(phrases) as entry
    cross join lateral (
      select known.* from private.phrases as known where known.id = (entry->>'id')::bigint and known.is_pinned offset 0
    ) as phrase
    join public.coach_profiles as coach on coach.id = phrase.coach_id and coach.language = entry->'form'->>'language'
    -- Of two that are the same, the older gets the key.
    group by phrase.subject_id order by min(phrase.id)
  loop
    perform private.key_phrases(keyed.subject_id, keyed.forms);
    pinned_ids := pinned_ids || keyed.subject_id;
  end loop;
  update private.pinned_answer_versions as version
  set lexemes = private.list_lexemes((select coach.language from public.coach_profiles as coach where coach.id = pinned.coach_id), version.answer)
  from public.pinned_answers as pinned
  where pinned.id = any (pinned_ids) and version.pinned_answer_id = pinned.id and version.version = pinned.version;
  perform private.answer_pinned_questions(pinned_ids);
  with saved as (
    update private.phrases as phrase
    set due_at = case when phrase.language is null or entry.value -> 'is_done' is distinct from 'true' then phrase.due_at end
    from jsonb_array_elements(save_phrases.phrases) as entry
    where phrase.id = any (array[(entry.value ->> 'id')::bigint])
    returning phrase.id, phrase.coach_id, phrase.is_pinned, entry.value -> 'embedding' as embedding
  )
  insert into private.phrase_embeddings (phrase_id, coach_id, is_pinned, model, embedding)
  select saved.id, saved.coach_id, saved.is_pinned, saved.embedding ->> 'model',
    (saved.embedding ->> 'vector')::extensions.halfvec(1536)
  from saved where saved.embedding is not null
  on conflict (phrase_id) do update set model = excluded.model, embedding = excluded.embedding;
  if takes_next then next_phrases := private.take_phrases(); end if;
  return json_build_object(
    'phrases', next_phrases, 'has_more', exists (select from private.phrases as phrase where phrase.due_at <= now())
  );
end $$;
comment on function public.save_phrases is 'Saves what was read of phrases, and their embeddings: {phrases: the next ones, as take_phrases() has them, has_more}.';

-- Finding

-- Ranks at most 20 active pinned answers or open questions of a coach by the angle between the vectors of their phrases
-- and that of a question. query_vector is JSON, {"model", "vector"}; if it is null, nothing is found. The floor keeps
-- "hi" from bringing anything: with usual models the cosine of questions that have nothing in common is far below it.
create function private.rank_phrases_by_meaning(coach_id text, is_pinned boolean, query_vector text, except_id uuid)
returns table (subject_id uuid, place bigint)
-- See private.rank_by_meaning(), beside which the settings of the index are.
language plpgsql stable rows 20 security invoker set search_path = ''
set enable_sort = off as $$
declare
  floor constant double precision := 0.4;
  compared_at_most constant integer := 2000;
  -- A subject may have 21 phrases.
  phrase_count constant integer := 60;
  wanted_model constant text := query_vector::json ->> 'model';
  wanted constant extensions.halfvec(1536) := (query_vector::json ->> 'vector')::extensions.halfvec(1536);
  candidates bigint;
  ids bigint[];
  distances double precision[];
begin
  if query_vector is null then return; end if;
  select count(*) into candidates
  from (
    select from private.phrase_embeddings as entry
    where entry.coach_id = rank_phrases_by_meaning.coach_id and entry.is_pinned = rank_phrases_by_meaning.is_pinned
      and entry.model = wanted_model
    limit compared_at_most + 1
  ) as counted;
  if candidates <= compared_at_most then
    select array_agg(entry.phrase_id), array_agg(entry.embedding operator(extensions.<=>) wanted) into ids, distances
    from private.phrase_embeddings as entry
    where entry.coach_id = rank_phrases_by_meaning.coach_id and entry.is_pinned = rank_phrases_by_meaning.is_pinned
      and entry.model = wanted_model;
  else
    select array_agg(closest.phrase_id), array_agg(closest.distance) into ids, distances
    from (
      select entry.phrase_id, entry.embedding operator(extensions.<=>) wanted as distance
      from private.phrase_embeddings as entry
      where entry.coach_id = rank_phrases_by_meaning.coach_id and entry.is_pinned = rank_phrases_by_meaning.is_pinned
        and entry.model = wanted_model
      order by entry.embedding operator(extensions.<=>) wanted limit phrase_count
    ) as closest;
  end if;
  return query
  select phrase.subject_id, row_number() over (order by min(close.distance), phrase.subject_id)
  from unnest(ids, distances) as close (id, distance)
  cross join lateral (
    select phrase.subject_id from private.phrases as phrase where phrase.id = close.id and phrase.is_active offset 0
  ) as phrase
  where close.distance <= 1 - floor and phrase.subject_id is distinct from except_id
  group by phrase.subject_id order by 2 limit 20;
end $$;

-- The active pinned answers or open questions of a coach that are nearest to a question, at most three, best first: by the
-- words that they share with it and, with a query_vector, by what they mean, as in private.fuse().
-- By words, the best phrase of a subject counts, by BM25 over the phrases: a word is in a phrase or it is not. The rarest
-- words choose at most 20 phrases, within a budget of rows. Stop words only add to their scores: they tell "why" from
-- "when". A pinned answer shares half of its content words, or of the question's, or one that says what it is about: "how
-- much" alone would show the model a price when somebody asks for proteins.
-- Of a word, 100 rows of the index are read first, which are in the order of subject_id, and IDs are random: how far
-- they reach tells how many subjects have a frequent word, usually to within a fifth.
-- except_id: a subject that is not to be found.
create function private.find_near_phrases(coach_id text, is_pinned boolean, asked private.normal_question,
  query_vector text, except_id uuid default null, budget integer default 1800) returns uuid[]
language plpgsql stable security invoker set search_path = '' as $$
declare
  most_words constant integer := 32;
  most_counted constant integer := 100;
  most_phrases constant integer := 20;
  -- Among few subjects, a word that all of them have still says something.
  least_weight constant double precision := 0.5;
  stop_weight constant double precision := 0.3;
  -- The words that say what the question is about: all but some stems. Taken out here, since it takes too long for each phrase.
  telling constant text[] := array(select word from unnest(asked.content_words) as word
    where word !~ '^([a-z]{1,3}|much|many|long|often|viel|lang|combien|beaucoup|cuant|quant|muit|molt)$');
  by_words uuid[];
begin
  by_words := array(
    with known as materialized (
      select said.word, case when found.last_id is null then found.subjects
        -- The first four bytes of the last ID, as a part of all that there can be.
        else found.subjects * 4294967296 / (1 + ('x' || left(found.last_id::text, 8))::bit(32)::bigint) end as subjects
      from (
        -- Long words are usually rare. The empty word stands for all subjects.
        (select word from unnest(asked.content_words) as word order by char_length(word) desc, word limit most_words)
        union all
        select ''
      ) as said
      cross join lateral (
        select count(distinct first.subject_id) as subjects, (array_agg(first.subject_id))[most_counted] as last_id
        from (
          select phrase_word.subject_id from private.phrase_words as phrase_word
          where phrase_word.coach_id = find_near_phrases.coach_id and phrase_word.is_pinned = find_near_phrases.is_pinned
            and phrase_word.word = said.word collate "C"
          order by phrase_word.subject_id limit most_counted
        ) as first
      ) as found where found.subjects > 0
    ), term as (
      select known.word, known.subjects,
        -- See private.rarity().
        least_weight + ln(1 + (total.subjects - least(known.subjects, total.subjects) + 0.5::double precision)
          / (least(known.subjects, total.subjects) + 0.5::double precision)) as weight,
        sum(known.subjects) over (order by known.subjects, known.word) as subjects_so_far
      from known join known as total on total.word = '' where known.word <> ''
    ), best as (
      select hit.phrase_id, hit.subject_id, sum(hit.weight * term.weight) as score
      from term
      cross join lateral (
        select phrase_word.phrase_id, phrase_word.subject_id, phrase_word.weight from private.phrase_words as phrase_word
        where phrase_word.coach_id = find_near_phrases.coach_id and phrase_word.is_pinned = find_near_phrases.is_pinned
          and phrase_word.word = term.word collate "C"
        limit budget
      ) as hit
      -- A word that is too frequent to be read whole chooses only where rarer ones have chosen nearly nothing.
      where (term.subjects_so_far <= budget or term.subjects_so_far - term.subjects < most_phrases)
        and hit.subject_id is distinct from except_id
      group by hit.phrase_id, hit.subject_id order by score desc, hit.subject_id limit most_phrases
    )
    select best.subject_id from best
    cross join lateral (
      select stop_weight * phrase.weight * (
        select count(*) from (select unnest(phrase.stop_words) as word) as own where own.word = any (asked.words)
      ) as score
      from private.phrases as phrase where phrase.id = best.phrase_id and (
        not find_near_phrases.is_pinned or phrase.words && telling or (
          select 2 * count(*) >= least(cardinality(phrase.words), cardinality(asked.content_words))
          from (select unnest(phrase.words) as word) as own where own.word = any (asked.content_words)
        )
      ) offset 0
    ) as stop
    group by best.subject_id order by max(best.score + stop.score) desc, best.subject_id
  );
  if query_vector is null then return by_words[:3]; end if;
  return array(
    select ranked.subject_id from (
      select named.subject_id, named.place from unnest(by_words) with ordinality as named (subject_id, place)
      union all
      select * from private.rank_phrases_by_meaning(coach_id, is_pinned, query_vector, except_id)
    ) as ranked
    group by ranked.subject_id order by sum(1 / (60::double precision + ranked.place)) desc, 1 limit 3
  );
end $$;
