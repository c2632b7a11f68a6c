-- Passages: the text of the knowledge files in pieces, and the index of words that ranks them (see ranking by words).
-- Postgres ranks without knowing how rare a word is, so the index is made of tables.
-- Tables: passages, passage_totals (how much text a coach has), passage_terms (the words of a coach, with the number of
-- passages that hold them), postings (for each word its passages, a hundred to a row), passage_removals (deleted
-- passages that are still in these tables).
-- Taking a passage out of the index touches a row for each of its words. So deleting only puts it on the list
-- passage_removals, which unindex_passages() works off in batches. Passages on the list are not found, but still
-- counted: words, totals and postings always match each other.
-- Surprises: public.passages is written by store_passages() and deleted from; any other change would leave the index
-- behind. Ids of passages are integers, since the index is made of arrays of them. Ids of words are bigint, since each
-- batch uses up an id for every word it holds, known or new.

create table public.passages (
  id integer primary key generated always as identity,
  file_id uuid not null,
  coach_id text not null,
  position integer not null,
  page integer,
  heading text,
  content text not null,
  is_recognized boolean not null default false,
  length smallint not null,
  terms bigint[] not null,
  frequencies smallint[] not null,
  written_terms smallint not null,
  constraint passages_position_is_not_negative check (position >= 0),
  constraint passages_page_is_positive check (page > 0),
  constraint passages_content_is_at_most_20000_characters check (char_length(content) <= 20000),
  constraint passages_heading_is_at_most_1000_characters check (char_length(heading) <= 1000),
  constraint passages_position_is_unique_per_file unique (file_id, position),
  constraint passages_file_is_of_the_coach foreign key (file_id, coach_id)
    references public.knowledge_files (id, coach_id) on update cascade on delete cascade
) with (
  -- A file that is indexed again deletes all its passages: room that the next file needs.
  autovacuum_vacuum_scale_factor = 0.05
);

-- Within the row, from which long texts are moved out first: a search looks for each of its words in these arrays.
alter table public.passages alter column terms set storage main, alter column frequencies set storage main;
comment on table public.passages is 'Pieces of the knowledge files, in order. Write them with store_passages(); delete them freely.';
comment on column public.passages.id is 'Grows with the time of writing, which keeps the index in order.';
comment on column public.passages.file_id is 'The file that the passage is a piece of.';
comment on column public.passages.position is 'Place within the file, from 0.';
comment on column public.passages.page is 'Page on which the passage begins, where the file has pages.';
comment on column public.passages.heading is 'Heading above the passage; counts more than the text.';
comment on column public.passages.content is 'The text, as it is quoted.';
comment on column public.passages.is_recognized is 'A model has read some of the text from a picture.';
comment on column public.passages.length is 'Number of indexed words of the text.';
comment on column public.passages.terms is 'Words of text, heading and file name: ids of private.passage_terms.';
comment on column public.passages.frequencies is 'How often each of the terms occurs, weighted.';
comment on column public.passages.written_terms is 'How many of the terms are written in the passage. The others follow: spellings by which it is also found.';

-- The text of a passage that an answer names, or that is barred.
create index passages_by_text on public.passages using hash (md5(content));

create table private.passage_totals (
  coach_id text primary key references public.coach_profiles (id) on update cascade on delete cascade,
  passages integer not null default 0,
  length bigint not null default 0
) with (
  -- Each batch rewrites a row: half a page stays free for that.
  fillfactor = 50
);
comment on table private.passage_totals is 'How much text each coach has. Changing the index of a coach begins with locking its row.';
comment on column private.passage_totals.passages is 'Number of its passages.';
comment on column private.passage_totals.length is 'Sum of the lengths of all passages.';

create table private.passage_terms (
  id bigint primary key generated always as identity,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  lexeme text collate "C" not null,
  passages integer not null,
  constraint passage_terms_lexeme_is_unique_per_coach unique (coach_id, lexeme)
) with (
  -- Each batch counts up the words it holds: room on the page spares both indexes.
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.05
);
comment on table private.passage_terms is 'Words of the passages of each coach, as lexemes of its language.';
comment on column private.passage_terms.id is 'Names the word in passages.terms and postings.';
comment on column private.passage_terms.lexeme is 'The word, as Postgres'' text search reduces it to its stem.';
comment on column private.passage_terms.passages is 'Document frequency: how many passages hold the word.';

-- Compounds by their end (see find_relatives).
create index passage_terms_by_end on private.passage_terms (coach_id, (reverse(lexeme) collate "C"))
  where char_length(lexeme) >= 7;

create table private.postings (
  term_id bigint not null references private.passage_terms (id) on delete cascade,
  first_passage integer not null,
  passages integer[] not null,
  files integer[] not null,
  frequencies smallint[] not null,
  lengths smallint[] not null,
  best real not null,
  primary key (term_id, first_passage)
) with (
  -- Room on each page lets a growing row be rewritten in place, without touching the index.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.05
);
comment on table private.postings is 'The passages of each word, up to 100 in a row, ascending: four arrays side by side. Rows of a word do not overlap.';
comment on column private.postings.term_id is 'The word.';
comment on column private.postings.first_passage is 'No passage of the row has a smaller id.';
comment on column private.postings.passages is 'Ids of the passages that hold the word.';
comment on column private.postings.files is 'Numbers of the files of the passages.';
comment on column private.postings.frequencies is 'Weighted frequency of the word in each passage.';
comment on column private.postings.lengths is 'Length of each passage.';
comment on column private.postings.best is 'The greatest weight that the word had in a passage of the row when it was written: tells which rows of a frequent word to read.';

create table private.passage_removals (
  passage_id integer primary key,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  length smallint not null,
  terms bigint[] not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table private.passage_removals is 'Deleted passages that the index still has. unindex_passages() takes them out of it.';
comment on column private.passage_removals.passage_id is 'The id that the passage had.';

-- What a search must leave out, and the next batch of a coach.
create index passage_removals_by_coach on private.passage_removals (coach_id, passage_id);

-- One spelling for characters that mean the same: compatibility forms (ligatures, full and half width, small digits),
-- digits of all scripts, apostrophes and hyphens. Invisible characters, the points of Hebrew and Arabic, the quotation mark
-- of Hebrew abbreviations and the dot below letters of Hindi go.
create function private.clean_letters(content text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
declare
  invisible constant text := '[\u00ad\u034f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u061c\u0640\u064b-\u0652\u0670\u093c'
    || '\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]|(?<=[א-ת])["״׳''](?=[א-ת])';
  cleaned text;
begin
  -- Texts in ASCII, which most of English is, need none of this.
  if octet_length(clean_letters.content) = char_length(clean_letters.content) then return clean_letters.content; end if;
  -- 50¹ is not 501.
  cleaned := regexp_replace(clean_letters.content, '([0-9])(?=[¹²³¼-¾⁰-⁹⅐-⅞])', '\1 ', 'g');
  cleaned := regexp_replace(normalize(cleaned, nfkc), invisible, '', 'g');
  cleaned := regexp_replace(regexp_replace(cleaned, '[‘’ʼ′]', '''', 'g'), '[‐‑]', '-', 'g');
  -- Of Hindi, both spellings of nasal and foreign vowels: हिन्दी, हिंदी.
  if cleaned ~ '[क-ह]' then cleaned := regexp_replace(translate(cleaned, 'ँॉऑ', 'ंाआ'), '[ङञणनम]्(?=[क-भ])', 'ं', 'g'); end if;
  -- Slow, since it looks up each letter in the whole list.
  if cleaned ~ '[٠-٩۰-۹०-९০-৯๐-๙]' then
    cleaned := translate(cleaned, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙٫٬',
      '01234567890123456789012345678901234567890123456789.,');
  end if;
  -- One character may become eighteen: of a text of such characters, the rest is not looked at.
  return left(cleaned, 3 * char_length(clean_letters.content) + 100);
end $$;

-- A word as somebody types it who has no accents, with one form for letters of Arabic that are often confused. Accents
-- of other letters may make them another letter, such as й.
create function private.fold_letters(word text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return normalize(regexp_replace(
    normalize(translate(
      replace(replace(replace(lower(fold_letters.word), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'),
      'øłđıآأإٱىةؤئیک', 'oldiاااايهوييك'
    ), nfd),
    '([a-zα-ωе])[\u0300-\u036f]+', '\1', 'g'), nfc);
end $$;

-- Further spellings of a word, by which it is found as well; null for none.
create function private.list_spellings(language text, word text) returns text[]
language plpgsql immutable security invoker set search_path = '' as $$
declare
  token constant text := rtrim(list_spellings.word, '.,:;''&*-');
  bare constant text := case when octet_length(token) > char_length(token) then private.fold_letters(token) else token end;
  joined constant text := translate(bare, '- )', '');
begin
  return array[
    nullif(bare, token),
    -- "ü" is also written "ue". German has its own rule below.
    case when bare <> token and list_spellings.language in ('english', 'danish', 'norwegian', 'swedish', 'finnish')
      and lower(token) ~ '[äöüøå]' then private.fold_letters(
        replace(replace(replace(replace(replace(lower(token), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')
      ) end,
    -- "e-mail" is "email", and a number may be grouped.
    case when joined <> bare and (joined !~ '^[0-9]+$' or char_length(joined) >= 7 or strpos(bare, ' ') > 0) then joined end,
    case
      when joined ~ '[0-9]' then case
        when joined ~ '^[0-9]{1,3}(?:[,''][0-9]{3})+(?:[.][0-9]+)?$'
          then regexp_replace(translate(joined, ',''', ''), '(.*)[.]00$', '\& \1')
        when joined ~ '^[0-9]{1,3}(?:[.][0-9]{3})+(?:,[0-9]+)?$'
          then regexp_replace(translate(joined, ',.', '.'), '(.*)[.]00$', '\& \1')
        when joined ~ '^[0-9]+[:,][0-9]{1,2}$' then translate(joined, ':,', '..')
        when joined ~ '^[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}$' then replace(joined, '.', ' ')
        when joined ~ '^[0-9]{1,2}h[0-9]{2}$' then replace(joined, 'h', '.')
        when joined ~* '^v[0-9]+[.]' then substr(joined, 2)
        when joined ~* '^(?:[[:alpha:]]{2,}[0-9]+[[:alpha:]]?|[[:alpha:]][0-9]{2,}|[0-9]+(?!st|nd|rd|th)[[:alpha:]]{1,3})$'
          then regexp_replace(joined, '(?<=[[:alpha:]])(?=[0-9])|(?<=[0-9])(?=[[:alpha:]])', ' ')
      end
      -- Also user account service and nodejs, of UserAccountService.getUser and Node.js.
      when bare ~ '^[[:alnum:]]{2,}(?:[.][[:alnum:]]{2,})+$' then concat_ws(' ', replace(bare, '.', ' '),
        case when token ~ '[.]js$' then replace(bare, '.', '') end,
        case when token ~ '[[:lower:]]{2}[[:upper:]]'
          then regexp_replace(replace(token, '.', ' '), '([[:lower:]])([[:upper:]])', '\1 \2', 'g') end)
      when bare ~ '^[[:alpha:]]{1,2}(?:[.][[:alpha:]]{1,2})+$' then replace(bare, '.', '')
      when bare ~* '^[[:alpha:]]{1,4}&[[:alpha:]]{1,4}$' then replace(bare, '&', 'and')
      when bare ~ '^[[:upper:]]''[[:upper:]]' then replace(bare, '''', '')
      when token ~ '[[:lower:]]{2}[[:upper:]]|[[:upper:]]{2}[[:lower:]]{3}'
        then regexp_replace(token, '(?<=[[:lower:]])(?=[[:upper:]])|(?<=[[:upper:]])(?=[[:upper:]][[:lower:]]{2})', ' ', 'g')
      when bare ~ '^[وف]ال[ء-ي]{3,}$' then substr(bare, 2)
      when bare ~ '^[הובכלמש][א-ת]{2,}$' then substr(bare, 2)
      -- The stemmer does not know the plurals of -ão and -l.
      when list_spellings.language = 'portuguese' and bare ~* '.(?:[ao]es|aos|[aeou]is)$'
        then regexp_replace(regexp_replace(bare, '(?:[ao]es|aos)$', 'ao', 'i'), '([aeou])is$', '\1l', 'i')
      -- American spellings: color, organize, center, catalog, license.
      when list_spellings.language = 'english' then nullif(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        bare, '^([a-z]{3,}o)u(?=r)|(og)ue(?=s?$)', '\1\2', 'i'), '^((?:lic|def|off)en)c', '\1s', 'i'),
        '([bt])re(s?)$', '\1er\2', 'i'), '([iy])s(?=(?:e[drs]?|ing|ations?|ational)$)', '\1z', 'i'), bare)
      when list_spellings.language = 'german' then case
        when bare ~ '[[:lower:]][*:]in(?:nen)?$' then translate(bare, '*:', '')
        when bare ~ '^ge[[:lower:]]{4,}t$' then regexp_replace(bare, '^ge(.+?)e?t$', '\1en')
        -- The stemmer makes u of ü.
        when bare ~* '[ao]e|(?<![aeq])ue' then regexp_replace(bare, '([ao]|(?<![aeq])u)e', '\1', 'gi')
      end
    end
  ];
end $$;

-- Words of a text as they are indexed and searched for. Slashes, underscores and hyphens become spaces: the parser takes
-- and/or for a path, some_name.txt for a host and the end of ISO-27001 for a negative number. So do angle brackets, since
-- it leaves tags out. Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer put no space between words (Korean none
-- before endings), so that a sentence would be one word: there, each two neighboring characters are a word.
-- Words that people spell in different ways have further spellings: café is also found by cafe, ISO-27001 by iso27001 and
-- 27001, e-mail by email, 1,234 by 1234, getUserName by user name. Both what is stored and what is asked has them, but a
-- word as it is written comes first. Other spellings have the weight A. Stop words in capitals are names, such as WHO, IT
-- and CAN.
-- with_names: also first names that are stop words, and contractions such as "don't": what is stored has them, and a
-- question that has no other word.
create function private.to_lexemes(language text, content text, with_names boolean default false) returns tsvector
language plpgsql stable security invoker set search_path = '' as $$
declare
  unspaced constant text :=
    '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff';
  -- Words that may have other spellings, and numbers in groups.
  special constant text :=
    '[[:alnum:]]*(?:[[:alnum:]][-.:,&*][[:alnum:]]|[[:upper:]]''[[:upper:]]|[[:alpha:]][0-9]|[0-9][[:alpha:]]|[[:lower:]]{2}[[:upper:]]|[[:upper:]]{2}[[:lower:]]{3}'
    || '|[À-ɏḀ-ỿά-ώἀ-῾Ёёא-תآأإٱىةؤئیک]'
    || case to_lexemes.language
      when 'arabic' then '|\m[وف]ال[ء-ي]{3}'
      when 'german' then '|[aouAOU][eE]|\mge[[:lower:]]{4,}t\M'
      when 'portuguese' then '|[aoAO]es|aos|[aeou]is\M'
      when 'english' then '|[a-z]{2}(?:our|[iy]s(?:[ei]|ation)|[bt]res?\M|ogues?\M)|(?:[Ll]ic|[Dd]ef|[Oo]ff)ence'
      else '' end
    || ')[[:alnum:]''&*.,:-]*';
  grouped constant text := '\m(?:[A-Z]{2}[0-9]{2}(?: [0-9A-Z]{4}){2,7}(?: [0-9A-Z]{1,4})?|[0-9]{1,3}(?: [0-9]{3})+(?:[.,][0-9]{1,2})?'
    || '|[0-9]{2,5}(?:(?:\)? |-)[0-9]{1,7}){2,7})\M';
  name constant text := '\m[[:upper:]]{2,5}\M' || case
    when to_lexemes.language <> 'english' then ''
    when with_names then '|\m(?:Will|Don)\M(?!'')|\m[[:alpha:]]+n''t\M'
    else '|(?<=[[:lower:],] )(?:Will|Don)\M(?!'')' end;
  config constant regconfig := to_lexemes.language;
  words text := private.clean_letters(private.break_runs(to_lexemes.content));
  lexemes tsvector;
  spellings text;
  names text;
begin
  if octet_length(words) > char_length(words) and words ~ format('[%s]', unspaced) then
    -- Japanese verbs are also written without their endings: 問い合わせ, 問合せ.
    select string_agg(verb.parts[1] || verb.parts[2], ' ') into spellings
    from regexp_matches(words, '([一-鿿])[いきぎしちびみりえけげせべめれ]([一-鿿])', 'g') as verb (parts);
    words := regexp_replace(
      regexp_replace(words, format('([%s]+)', unspaced), ' \1 ', 'g'),
      format('(?<=[%s])([%1$s])(?=[%1$s])', unspaced), '\1 \1', 'g'
    );
  end if;
  if to_lexemes.language = 'german' and words ~ '[/_]-?in' then
    words := regexp_replace(words, '(?<=[[:lower:]])(?:/-?|_)(in(?:nen)?\M)', '*\1', 'g');
  end if;
  lexemes := to_tsvector(config, translate(words, '/\_-<>+', '       '));
  select concat_ws(' ', spellings, string_agg(spelling, ' ')) into spellings
  from (
    select * from regexp_matches(words, special, 'g')
    union all
    select * from regexp_matches(words, grouped, 'g') where words ~ '[0-9]\)? [0-9]'
  ) as found (parts)
  cross join lateral unnest(private.list_spellings(to_lexemes.language, found.parts[1])) as spelling
  -- "für" is a stop word, "fur" is none.
  where octet_length(found.parts[1]) = char_length(found.parts[1]) or to_tsvector(config, found.parts[1]) <> '';
  -- Where all is in capitals, they say nothing.
  if with_names or words ~ '[[:upper:]]{2}|Will|Don' and words ~ '[[:lower:]]' then
    select string_agg(replace(lower(found.parts[1]), '''', ''), ' ') into names
    from regexp_matches(words, name, 'g') as found (parts) where to_tsvector(config, found.parts[1]) = '';
  end if;
  return setweight(
    coalesce(to_tsvector('simple', names), '') || coalesce(ts_delete(to_tsvector(config, spellings), tsvector_to_array(lexemes)), ''),
    'A') || lexemes;
end $$;

-- How a passage came to be: {seconds} into a recording or a video, {is_recognized} from a picture. Fields that do not apply
-- are left out.
create function private.describe_reading(category text, heading text, is_recognized boolean) returns jsonb
language sql immutable security invoker set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object(
    -- Transcripts have it as their headings.
    'seconds', case when category = 'videos' and heading ~ '^[0-9]{1,4}:[0-5][0-9]$'
      then 60 * split_part(heading, ':', 1)::integer + split_part(heading, ':', 2)::integer end,
    'is_recognized', nullif(is_recognized, false)
  ));
$$;

-- Inserts passages of a file, with the words that they hold, and counts these words.
create function private.insert_passages(file public.knowledge_files, from_position integer, passages jsonb) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  language constant text := (select coach.language from public.coach_profiles as coach where coach.id = file.coach_id);
  -- Without its extension, and in words.
  file_name constant text := translate(regexp_replace(file.name, '\.[[:alnum:]]{1,5}$', ''), '.-', '  ');
begin
  with incoming as materialized (
    select insert_passages.from_position + given.ordinality::integer - 1 as position,
      (given.value ->> 'page')::integer as page, given.value ->> 'heading' as heading, given.value ->> 'content' as content,
      coalesce((given.value ->> 'is_recognized')::boolean, false) as is_recognized
    from jsonb_array_elements(insert_passages.passages) with ordinality as given
  ), found as materialized (
    -- A word of the heading or the file's name counts as two of the text. The address of a link, which the reader of a
    -- document writes behind its words, counts as none.
    select incoming.position, word.lexeme, part.weight, cardinality(word.positions) as count, 'A' = any (word.weights) as is_other
    from incoming
    cross join lateral (values
      (1, regexp_replace(incoming.content, ' \((?:https?://|mailto:|tel:)[^\s()]+\)', '', 'g')), (2, incoming.heading)
    ) as part (weight, content)
    cross join lateral unnest(private.to_lexemes(language, part.content, with_names => true)) as word
    where part.content is not null
    union all
    select incoming.position, word.lexeme, 2, cardinality(word.positions), 'A' = any (word.weights)
    from incoming cross join unnest(private.to_lexemes(language, file_name, with_names => true)) as word
  ), word as materialized (
    select found.position, found.lexeme, least(sum(found.weight * found.count), 32767)::smallint as frequency,
      bool_and(found.is_other) as is_other
    from found group by found.position, found.lexeme
  ), extent as (
    -- With other spellings: of equal passages, the one without them comes first.
    select found.position, least(sum(found.count), 32767)::smallint as length
    from found where found.weight = 1 group by found.position
  ), term as (
    insert into private.passage_terms (coach_id, lexeme, passages)
    select file.coach_id, word.lexeme, count(*) from word group by word.lexeme order by word.lexeme
    on conflict (coach_id, lexeme) do update set passages = passage_terms.passages + excluded.passages
    returning id, lexeme
  ), forward as (
    select word.position, array_agg(term.id order by word.is_other, term.id) as terms,
      array_agg(word.frequency order by word.is_other, term.id) as frequencies, count(*) filter (where not word.is_other) as written
    from word join term on term.lexeme = word.lexeme collate "C" group by word.position
  )
  insert into public.passages (file_id, coach_id, position, page, heading, content, is_recognized, length, terms, frequencies, written_terms)
  select file.id, file.coach_id, incoming.position, incoming.page, incoming.heading, incoming.content, incoming.is_recognized,
    coalesce(extent.length, 0), coalesce(forward.terms, '{}'), coalesce(forward.frequencies, '{}'),
    coalesce(forward.written, 0)
  from incoming
  left join extent on extent.position = incoming.position
  left join forward on forward.position = incoming.position
  -- Ids ascend with the position.
  order by incoming.position;
end $$;

-- Adds the passages of a file from a position on to the rows of their words.
create function private.add_postings(file public.knowledge_files, from_position integer) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  -- As in ranking by words, but for passages of a usual length: a changing average would make the rows of a word
  -- incomparable.
  constant_part constant double precision := 1.2 * 0.25;
  per_length constant double precision := 1.2 * 0.75 / 150;
begin
  with occurrence as materialized (
    select word.term_id, passage.id as passage_id, word.frequency, passage.length,
      row_number() over (partition by word.term_id order by passage.id) - 1 as place
    from public.passages as passage
    cross join lateral unnest(passage.terms, passage.frequencies) as word (term_id, frequency)
    where passage.file_id = file.id and passage.position >= add_postings.from_position
  ), last_row as materialized (
    select term.id as term_id, posting.first_passage, coalesce(posting.size, 0) as size
    from (select distinct occurrence.term_id as id from occurrence) as term
    left join lateral (
      select posting.first_passage, cardinality(posting.passages) as size from private.postings as posting
      where posting.term_id = term.id order by posting.first_passage desc limit 1
    ) as posting on posting.size < 100
  ), piece as materialized (
    -- What the last row of a word has room for, and rows of a hundred.
    select occurrence.term_id,
      case when (last_row.size + occurrence.place) / 100 = 0 then last_row.first_passage end as first_passage,
      array_agg(occurrence.passage_id order by occurrence.passage_id) as passages,
      array_fill(file.number, array[count(*)::integer]) as files,
      array_agg(occurrence.frequency order by occurrence.passage_id) as frequencies,
      array_agg(occurrence.length order by occurrence.passage_id) as lengths,
      max(occurrence.frequency / (occurrence.frequency + constant_part + per_length * occurrence.length)) as best
    from occurrence join last_row on last_row.term_id = occurrence.term_id
    group by occurrence.term_id, (last_row.size + occurrence.place) / 100, last_row.first_passage
  ), extended as (
    update private.postings as posting
    set passages = posting.passages || piece.passages, files = posting.files || piece.files,
      frequencies = posting.frequencies || piece.frequencies, lengths = posting.lengths || piece.lengths,
      best = greatest(posting.best, piece.best)
    from piece where posting.term_id = piece.term_id and posting.first_passage = piece.first_passage
  )
  insert into private.postings (term_id, first_passage, passages, files, frequencies, lengths, best)
  select piece.term_id, piece.passages[1], piece.passages, piece.files, piece.frequencies, piece.lengths, piece.best
  from piece where piece.first_passage is null order by piece.term_id, piece.passages[1];
end $$;

-- A file is stored batch by batch; a repeated batch replaces itself, and position 0 starts over.
create function public.store_passages(file_id uuid, from_position integer, passages jsonb) returns integer
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off as $$
declare found_file public.knowledge_files;
begin
  -- Always locked in this order: file, passages, totals. So storing, deleting and unindexing wait for each other, and
  -- never end in a deadlock.
  select * into found_file from public.knowledge_files as file
  where file.id = store_passages.file_id for no key update;
  if not found then return null; end if;
  delete from public.passages as passage
  where passage.file_id = found_file.id and passage.position >= store_passages.from_position;
  insert into private.passage_totals (coach_id) values (found_file.coach_id) on conflict do nothing;
  perform from private.passage_totals as total where total.coach_id = found_file.coach_id for update;

  perform private.insert_passages(found_file, store_passages.from_position, store_passages.passages);
  perform private.add_postings(found_file, store_passages.from_position);
  update private.passage_totals as total
  set passages = total.passages + added.passages, length = total.length + added.length
  from (
    select count(*) as passages, coalesce(sum(passage.length), 0) as length from public.passages as passage
    where passage.file_id = found_file.id and passage.position >= store_passages.from_position
  ) as added
  where total.coach_id = found_file.coach_id;
  return (select count(*) from public.passages as passage where passage.file_id = found_file.id);
end $$;
comment on function public.store_passages is 'Replaces the passages of a file from a position on: [{content, heading, page, is_recognized}]. How many it has now, or null for a file that is deleted.';

-- Puts deleted passages on the list of those to take out of the index.
-- Any delete of passages: with their file, for a new version of it, by an operator.
-- Definer: service_role may delete passages, but has no rights on the private schema.
create function private.remove_passages() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.passage_removals (passage_id, coach_id, length, terms)
  select removed.id, removed.coach_id, removed.length, removed.terms from removed;
  return null;
end $$;
create trigger passages_remove_deleted after delete on public.passages referencing old table as removed
  for each statement execute function private.remove_passages();

-- Takes passages on the list out of the rows of their words, and rewrites no other rows.
create function private.remove_postings(batch integer[]) returns void
language plpgsql volatile security invoker set search_path = '' as $$
begin
  with gone as materialized (
    select term_id, count(*) as passages, min(removal.passage_id) as first_passage, max(removal.passage_id) as last_passage
    from private.passage_removals as removal cross join lateral unnest(removal.terms) as term_id
    where removal.passage_id = any (remove_postings.batch) group by term_id
  ), span as materialized (
    -- Of each row, the places between which all removed passages are.
    select posting.ctid as row_id, posting.passages, gone.term_id, gone.passages as removed_of_term,
      width_bucket(gone.first_passage - 1, posting.passages) as before,
      width_bucket(gone.last_passage, posting.passages) as upto
    from gone cross join lateral (
      select posting.ctid, posting.passages from private.postings as posting
      where posting.term_id = gone.term_id and posting.first_passage <= gone.last_passage
        and posting.first_passage >= (
          select max(before.first_passage) from private.postings as before
          where before.term_id = gone.term_id and before.first_passage <= gone.first_passage
        )
    ) as posting
  ), touched as materialized (
    -- The passages of a file stored in one go are next to each other; otherwise those of other files may lie between.
    select span.row_id, cardinality(span.passages) as size, span.before, span.upto, span.upto - span.before as width,
      case when sum(span.upto - span.before) over (partition by span.term_id) = span.removed_of_term
        then span.upto - span.before
        else (
          select count(*) filter (where passage in (select unnest(remove_postings.batch)))
          from unnest(span.passages[span.before + 1:span.upto]) as passage
        )
      end as removed
    from span
  ), emptied as (
    delete from private.postings as posting using touched
    where posting.ctid = touched.row_id and touched.removed = touched.size
  ), cut as (
    update private.postings as posting
    set passages = posting.passages[:touched.before] || posting.passages[touched.upto + 1:],
      files = posting.files[:touched.before] || posting.files[touched.upto + 1:],
      frequencies = posting.frequencies[:touched.before] || posting.frequencies[touched.upto + 1:],
      lengths = posting.lengths[:touched.before] || posting.lengths[touched.upto + 1:]
    from touched
    where posting.ctid = touched.row_id
      and touched.removed > 0 and touched.removed = touched.width and touched.removed < touched.size
  )
  update private.postings as posting
  set (passages, files, frequencies, lengths) = (
    -- In the order of the row.
    select array_agg(entry.passage_id), array_agg(entry.file), array_agg(entry.frequency), array_agg(entry.length)
    from unnest(posting.passages, posting.files, posting.frequencies, posting.lengths)
      as entry (passage_id, file, frequency, length)
    where entry.passage_id not in (select unnest(remove_postings.batch))
  )
  from touched where posting.ctid = touched.row_id and touched.removed > 0 and touched.removed < touched.width;
end $$;

create function public.unindex_passages() returns boolean language plpgsql volatile security definer set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set work_mem = '32MB' as $$
declare
  -- The fewer, the shorter others wait, and the more often the row of a frequent word is rewritten.
  batch_size constant integer := 250;
  coach text;
  batch integer[];
begin
  select removal.coach_id into coach from private.passage_removals as removal order by removal.passage_id limit 1;
  if not found then return false; end if;
  -- Not waiting for others that change the index of the coach: many waiting calls would use up the connections. Locked
  -- before anything of the list, as when the coach is deleted.
  perform from private.passage_totals as total where total.coach_id = coach for update skip locked;
  if not found then return false; end if;

  batch := array(
    select removal.passage_id from private.passage_removals as removal
    where removal.coach_id = coach order by removal.passage_id limit batch_size
  );
  perform private.remove_postings(batch);
  -- Words that are left without passages go.
  with gone as materialized (
    select term_id, count(*) as passages
    from private.passage_removals as removal cross join lateral unnest(removal.terms) as term_id
    where removal.passage_id = any (batch) group by term_id
  ), unused as (
    delete from private.passage_terms as term using gone where term.id = gone.term_id and term.passages = gone.passages
  )
  update private.passage_terms as term set passages = term.passages - gone.passages
  from gone where term.id = gone.term_id and term.passages > gone.passages;
  with removed as (
    delete from private.passage_removals as removal where removal.passage_id = any (batch) returning removal.length
  )
  update private.passage_totals as total
  set passages = total.passages - gone.passages, length = total.length - gone.length
  from (select count(*) as passages, coalesce(sum(removed.length), 0) as length from removed) as gone
  where total.coach_id = coach;
  return exists (select from private.passage_removals);
end $$;
comment on function public.unindex_passages is 'Takes a batch of deleted passages out of the index, and says whether there are more; false while the index of their coach is being changed.';
