-- Pinned answers: the expert's own answers to questions, which outrank whatever the model would say; and barred
-- passages, which answers must not draw on.
-- Tables: pinned_answers, with private.pinned_answer_versions (what each of them said before), pinned_answer_hits (how
-- often they were given), pinned_phrases (their questions and variants, as they are matched), phrase_embeddings, and
-- three for the ranking by words: pinned_totals, pinned_terms, pinned_postings. private.barred_passages.
-- Functions: normalize_question and key_of_question (when two questions are the same), find_pinned_answers (what a turn
-- uses), count_hits, pin_answer, bar_passages, and those of the endpoints.
-- A message is answered word for word only where it is the same question: the same words in the same order. No score
-- decides that, since none can tell "allowed" from "not allowed". What is merely near goes to the model.
-- Surprises: rows may be edited by hand; triggers count the version, keep it and write the phrases anew. Everything that
-- changes the phrases of a coach locks its row in pinned_totals first, before the pinned answer itself. Keys are made of
-- the stems of this Postgres: after an upgrade that changes them, write them anew with
-- update public.pinned_answers set question = question.

-- In public, since checks are made with the rights of whoever writes the row.
create function public.are_variants(variants text[]) returns boolean
language sql immutable security invoker set search_path = ''
return cardinality(variants) <= 20 and not exists (
  select from unnest(variants) as variant
  where variant is null or btrim(variant) = '' or char_length(variant) > 1000
);

comment on function public.are_variants is 'Whether these can be the variants of a question: at most 20, each of 1 to 1000 characters.';

create table public.pinned_answers (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  coach_id text not null,
  question text not null,
  variants text[] not null default '{}',
  answer text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  written_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint pinned_answers_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint pinned_answers_question_is_1_to_1000_characters check (btrim(question) <> '' and char_length(question) <= 1000),
  constraint pinned_answers_variants_are_at_most_20 check (public.are_variants(variants)),
  constraint pinned_answers_answer_is_1_to_20000_characters check (btrim(answer) <> '' and char_length(answer) <= 20000),
  constraint pinned_answers_coach_is_unique_per_id unique (id, coach_id)
);

comment on table public.pinned_answers is 'The expert''s own answers. A message that asks the same question gets one word for word; near ones go to the model.';
comment on column public.pinned_answers.id is 'Names the pinned answer; sources of answers refer to it.';
comment on column public.pinned_answers.account_id is 'The account of the coach.';
comment on column public.pinned_answers.coach_id is 'The coach whose expert says this.';
comment on column public.pinned_answers.question is 'The question, 1 to 1000 characters. No two pinned answers of a coach have the same question or variant.';
comment on column public.pinned_answers.variants is 'Other ways to ask it: at most 20, each of 1 to 1000 characters.';
comment on column public.pinned_answers.answer is 'What the expert says, 1 to 20000 characters.';
comment on column public.pinned_answers.is_active is 'One that is not active is never given, nor shown to the model.';
comment on column public.pinned_answers.version is 'Counted up with every change, by a trigger.';
comment on column public.pinned_answers.written_by is 'The user who wrote this version; null: a server with a key, or an operator by hand.';
comment on column public.pinned_answers.created_at is 'When it was pinned.';
comment on column public.pinned_answers.updated_at is 'When it last changed.';

-- The list of a coach's pinned answers, the newest change first.
create index pinned_answers_by_change on public.pinned_answers (coach_id, updated_at desc, id desc);
-- Renaming or deleting a coach.
create index pinned_answers_by_coach on public.pinned_answers (account_id, coach_id);

alter table public.pinned_answers enable row level security;

grant select, insert, update, delete on public.pinned_answers to service_role;

create table private.pinned_answer_versions (
  pinned_answer_id uuid not null references public.pinned_answers (id) on delete cascade,
  version integer not null,
  question text not null,
  variants text[] not null,
  answer text not null,
  is_active boolean not null,
  written_by text,
  written_at timestamptz not null,
  primary key (pinned_answer_id, version)
);

comment on table private.pinned_answer_versions is 'What each pinned answer has said, the current version included.';
comment on column private.pinned_answer_versions.pinned_answer_id is 'The pinned answer; its versions are deleted with it.';
comment on column private.pinned_answer_versions.version is 'As in pinned_answers.';
comment on column private.pinned_answer_versions.question is 'As in pinned_answers.';
comment on column private.pinned_answer_versions.variants is 'As in pinned_answers.';
comment on column private.pinned_answer_versions.answer is 'As in pinned_answers.';
comment on column private.pinned_answer_versions.is_active is 'As in pinned_answers.';
comment on column private.pinned_answer_versions.written_by is 'As in pinned_answers.';
comment on column private.pinned_answer_versions.written_at is 'When this version was written.';

create table private.pinned_answer_hits (
  pinned_answer_id uuid primary key references public.pinned_answers (id) on delete cascade,
  hits bigint not null default 0,
  near_hits bigint not null default 0,
  last_hit_at timestamptz
) with (
  -- Each turn may rewrite a row: half a page stays free for that.
  fillfactor = 50
);

comment on table private.pinned_answer_hits is 'How often pinned answers were used. Apart from them, so that turns never wait for an edit.';
comment on column private.pinned_answer_hits.pinned_answer_id is 'The pinned answer.';
comment on column private.pinned_answer_hits.hits is 'How often it was given word for word.';
comment on column private.pinned_answer_hits.near_hits is 'How often the model was given it.';
comment on column private.pinned_answer_hits.last_hit_at is 'When it was last used, one way or the other; null: never.';

create table private.pinned_phrases (
  id bigint primary key generated always as identity,
  pinned_answer_id uuid not null,
  coach_id text not null,
  content text not null,
  key uuid,
  polite_key uuid,
  terms bigint[] not null,
  due_at timestamptz default now(),
  constraint pinned_phrases_answer_is_of_the_coach foreign key (pinned_answer_id, coach_id)
    references public.pinned_answers (id, coach_id) on update cascade on delete cascade,
  constraint pinned_phrases_question_is_pinned_once unique (coach_id, key)
);

comment on table private.pinned_phrases is 'The questions and variants of pinned answers, as they are matched. Written by the triggers of pinned_answers.';
comment on column private.pinned_phrases.id is 'Names the phrase.';
comment on column private.pinned_phrases.pinned_answer_id is 'The pinned answer.';
comment on column private.pinned_phrases.coach_id is 'Its coach.';
comment on column private.pinned_phrases.content is 'The question or variant.';
comment on column private.pinned_phrases.key is 'key_of_question(); null where nothing is left of it, or another pinned answer came to have the same when the coach got another language.';
comment on column private.pinned_phrases.polite_key is 'The key without words of politeness at its ends; null where it has none.';
comment on column private.pinned_phrases.terms is 'Its words: ids of private.pinned_terms. Empty while the pinned answer is not active.';
comment on column private.pinned_phrases.due_at is 'When a sweep is to ask for its embedding; null: it was asked for.';

-- A message that is what a polite phrase says.
create index pinned_phrases_by_polite_key on private.pinned_phrases (coach_id, polite_key) where polite_key is not null;
-- The phrases of a pinned answer: to write them anew, and to rank the best candidates.
create index pinned_phrases_by_answer on private.pinned_phrases (pinned_answer_id, coach_id);
-- The sweep takes those that have been due the longest.
create index pinned_phrases_by_due on private.pinned_phrases (due_at) where due_at is not null;

create table private.phrase_embeddings (
  phrase_id bigint primary key references private.pinned_phrases (id) on delete cascade,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  model text not null,
  embedding extensions.halfvec(1536) not null
);

-- Within the row, as in passage_embeddings.
alter table private.phrase_embeddings alter column embedding set storage plain;

comment on table private.phrase_embeddings is 'What the phrases mean, as vectors. Written by save_phrases(); deleted with the phrase.';
comment on column private.phrase_embeddings.phrase_id is 'The phrase.';
comment on column private.phrase_embeddings.coach_id is 'The coach of the phrase.';
comment on column private.phrase_embeddings.model is 'Model that made the vector.';
comment on column private.phrase_embeddings.embedding is 'The vector; shorter ones end in zeros.';

-- The vectors of a coach, all of which are compared as long as they are few.
create index phrase_embeddings_by_coach on private.phrase_embeddings (coach_id, model);
-- The closest vectors among many; see passage_embeddings.
create index phrase_embeddings_by_angle on private.phrase_embeddings
  using hnsw (embedding extensions.halfvec_cosine_ops) with (m = 12, ef_construction = 40);

create table private.pinned_totals (
  coach_id text primary key references public.coach_profiles (id) on update cascade on delete cascade,
  answers integer not null default 0
);

comment on table private.pinned_totals is 'How many active pinned answers each coach has. Changing them begins with locking its row.';
comment on column private.pinned_totals.coach_id is 'The coach.';
comment on column private.pinned_totals.answers is 'Number of its active pinned answers.';

create table private.pinned_terms (
  id bigint primary key generated always as identity,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  word text collate "C" not null,
  answers integer not null,
  constraint pinned_terms_word_is_unique_per_coach unique (coach_id, word)
) with (
  fillfactor = 85
);

comment on table private.pinned_terms is 'Words of the phrases of each coach, as stems of its language.';
comment on column private.pinned_terms.id is 'Names the word in pinned_phrases.terms and pinned_postings.';
comment on column private.pinned_terms.coach_id is 'The coach.';
comment on column private.pinned_terms.word is 'The word, as normalize_question() writes it.';
comment on column private.pinned_terms.answers is 'How many active pinned answers have the word in their phrases.';

create table private.pinned_postings (
  term_id bigint not null references private.pinned_terms (id) on delete cascade,
  pinned_answer_id uuid not null references public.pinned_answers (id) on delete cascade,
  best real not null,
  primary key (term_id, pinned_answer_id) include (best)
);

comment on table private.pinned_postings is 'The active pinned answers of each word, stop words left out.';
comment on column private.pinned_postings.term_id is 'The word.';
comment on column private.pinned_postings.pinned_answer_id is 'A pinned answer that has the word in one of its phrases.';
comment on column private.pinned_postings.best is 'What a match is worth in the shortest of these phrases.';

-- Deleting a pinned answer.
create index pinned_postings_by_answer on private.pinned_postings (pinned_answer_id);

create table private.barred_passages (
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  passage_id text not null,
  barred_by text,
  created_at timestamptz not null default now(),
  primary key (coach_id, passage_id),
  constraint barred_passages_passage_id_is_an_md5 check (passage_id ~ '^[0-9a-f]{32}$')
);

comment on table private.barred_passages is 'Passages that answers must not draw on. They stay barred when their file is read again.';
comment on column private.barred_passages.coach_id is 'The coach.';
comment on column private.barred_passages.passage_id is 'md5 of the passage''s text, as sources name it.';
comment on column private.barred_passages.barred_by is 'The user who barred it; null: a server with a key.';
comment on column private.barred_passages.created_at is 'When it was barred.';

-- The list of a coach's barred passages, the newest first.
create index barred_passages_by_time on private.barred_passages (coach_id, created_at desc, passage_id desc);

alter table private.pinned_answer_versions enable row level security;
alter table private.pinned_answer_hits enable row level security;
alter table private.pinned_phrases enable row level security;
alter table private.phrase_embeddings enable row level security;
alter table private.pinned_totals enable row level security;
alter table private.pinned_terms enable row level security;
alter table private.pinned_postings enable row level security;
alter table private.barred_passages enable row level security;

-- When two questions are the same
--
-- The configurations of Postgres leave stop words out, and with them "not", "why" and "before". So there is a stemmer
-- for each of its languages that keeps them.
do $$
declare
  language text;
begin
  for language in
    select distinct substring(dictionary.dictinitoption from 'language = ''(\w+)''')
    from pg_catalog.pg_ts_dict as dictionary
    join pg_catalog.pg_ts_template as template on template.oid = dictionary.dicttemplate and template.tmplname = 'snowball'
    where dictionary.dictnamespace = 'pg_catalog'::regnamespace
  loop
    execute format('create text search dictionary private.%I (template = pg_catalog.snowball, language = %L)',
      'stem_' || language, language);
  end loop;
end;
$$;

create function private.stemmed_language(language text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return (
    -- What the configuration does last with a word of letters.
    select substring(dictionary.dictinitoption from 'language = ''(\w+)''')
    from pg_catalog.pg_ts_config_map as map
    join pg_catalog.pg_ts_dict as dictionary on dictionary.oid = map.mapdict
    where map.mapcfg = stemmed_language.language::regconfig and map.maptokentype = 2
    order by map.mapseqno desc
    limit 1
  );
end;
$$;

comment on function private.stemmed_language is 'The language whose stems a text search configuration makes; null where it makes none.';

-- By language, in lower case and with their accents: "él" is no article, and "één" is a number.
create function private.articles_of(language text) returns text[]
language sql immutable security invoker set search_path = ''
return case language
  when 'english' then '{a,an,the}'::text[]
  when 'german' then '{der,die,das,den,dem,des,ein,eine,einen,einem,einer,eines}'::text[]
  when 'french' then '{le,la,les,l,un,une,des}'::text[]
  when 'spanish' then '{el,la,los,las,un,una,unos,unas}'::text[]
  when 'italian' then '{il,lo,la,i,gli,le,l,un,uno,una}'::text[]
  when 'portuguese' then '{o,a,os,as,um,uma,uns,umas}'::text[]
  when 'dutch' then '{de,het,een}'::text[]
  else '{}'::text[]
end;

comment on function private.articles_of is 'The articles of a language; none for a language that is not listed.';

-- By language, without accents. What may also be the subject of a question is left out: "per dag", "son buenas".
create function private.manners_of(language text) returns text
language sql immutable security invoker set search_path = ''
return case language
  when 'english' then 'please|pls|plz|kindly|thanks|thank you|thx|thanks a lot|many thanks|thanks so much|thank you (very|so) much|(thanks|thank you) in advance|cheers|(hi|hello|hey)( there)?|greetings|good (morning|afternoon|evening|day)|sorry|excuse me|pardon( me)?'
  when 'german' then 'bitte|bitte ?schon|danke|danke ?schon|danke sehr|(vielen|besten|herzlichen|lieben) dank|(danke|vielen dank) im voraus|hallo|hi|hey|guten (tag|morgen|abend)|gruss (gott|dich)|servus|moin|(liebe|viele) grusse|entschuldigung|entschuldigen sie|entschuldige|verzeihung|sorry'
  when 'french' then 's il (vous|te) plait|svp|stp|merci( beaucoup| bien| d avance)?|bonjour|bonsoir|salut|coucou|hello|pardon|excusez moi|excuse moi|desolee?|je vous prie|cordialement'
  when 'spanish' then 'por ?favor|porfa|(muchas |mil )?gracias|gracias de antemano|hola|buenos dias|buenas (tardes|noches)|buen dia|perdon|perdone|perdona|disculpe|disculpa|saludos'
  when 'italian' then 'per (favore|piacere|cortesia)|(mille |molte |tante )?grazie|grazie (mille|in anticipo)|ciao|salve|buon ?giorno|buona ?sera|(mi )?scus[ia]|scusate|saluti'
  when 'portuguese' then 'por (favor|gentileza)|(muito )?obrigad[oa]|obrigad[oa] desde ja|oi|ola|bom dia|boa (tarde|noite)|desculpe|desculpa|com licenca|se faz favor'
  when 'dutch' then 'alstublieft|alsjeblieft|aub|dank (u|je)( wel)?|dankjewel|dankuwel|(alvast )?bedankt|hartelijk dank|hallo|hoi|hey|hi|goede(morgen|middag|navond)|sorry|pardon|excuseer|groetjes'
end;

comment on function private.manners_of is 'Words of politeness in a language, as a regular expression; null for a language that is not listed.';

-- In all languages of manners_of() at once, so without words that mean something else in another of them, such as "on",
-- "die", "la", "le", "lo", "en", "se", "il", "son", "das".
create function private.back_pointers() returns text[]
language sql immutable security invoker set search_path = ''
return array[
  'it', 'its', 'they', 'them', 'their', 'theirs', 'this', 'that', 'these', 'those', 'he', 'him', 'his', 'she', 'her',
  'hers', 'ones', 'former', 'latter', 'then', 'instead', 'otherwise',
  'es', 'er', 'sie', 'ihn', 'ihm', 'ihr', 'ihnen', 'ihre', 'ihren', 'ihrem', 'dies', 'diese', 'dieser', 'dieses',
  'diesem', 'diesen', 'damit', 'dafür', 'dafur', 'davon', 'daran', 'dabei', 'dazu', 'dagegen', 'darauf', 'danach', 'davor',
  'deren', 'dessen', 'dort', 'jene', 'jener', 'jenes', 'dann', 'stattdessen',
  'elle', 'elles', 'ils', 'lui', 'leur', 'leurs', 'ça', 'ca', 'cela', 'ceci', 'celui', 'celle', 'ceux', 'celles', 'ce',
  'cet', 'cette', 'ces', 'ses',
  'eso', 'esto', 'esos', 'estos', 'ese', 'esa', 'esas', 'este', 'estas', 'aquello', 'aquel', 'aquella', 'él', 'ello',
  'ellos', 'ella', 'ellas', 'sus', 'entonces',
  'esso', 'essa', 'essi', 'esse', 'egli', 'loro', 'questo', 'questa', 'questi', 'queste', 'quello', 'quella', 'quelli',
  'quelle', 'ciò', 'allora',
  'ele', 'ela', 'eles', 'elas', 'isso', 'isto', 'aquilo', 'esses', 'essas', 'estes', 'dele', 'dela', 'deles', 'delas',
  'nisso', 'disso', 'disto', 'aquele', 'então',
  'hij', 'zij', 'ze', 'hem', 'haar', 'hen', 'hun', 'dat', 'deze', 'daar', 'daarmee', 'daarvan', 'daarvoor', 'ervan',
  'ermee', 'ervoor', 'daarna', 'dus'
];

comment on function private.back_pointers is 'Words that point back at what was said before.';

create type private.normal_question as (
  -- Of all its words but articles, in their order; null where there are none, or too many for a question that anyone
  -- could have pinned.
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

-- A wrong match is the worst that can happen here. So whatever might mean something is a word: numbers with all that is
-- within them ("1.5" is neither "15" nor "1 5"), the minus before them, signs such as % and <, pictures. Everything
-- that is neither white space nor known punctuation counts as a letter, in any script.
create function private.normalize_question(language text, question text) returns private.normal_question
language plpgsql stable security invoker set search_path = ''
as $$
declare
  longest constant integer := 2000;
  -- A minus that belongs to the number after it.
  minus constant text := U&'\207B';
  stemmed constant text := private.stemmed_language(normalize_question.language);
  articles constant text[] := private.articles_of(stemmed);
  manners constant text := private.manners_of(stemmed);
  stemmer regdictionary := 'pg_catalog.simple';
  content text := left(normalize_question.question, longest);
  is_whole boolean := char_length(normalize_question.question) <= longest;
  has_lower boolean;
  joined text;
  skipped text;
  first integer;
  last integer;
  written text[];
  lowered text[];
  bare text[];
  stems text[];
  -- What a stem leaves out although it says something: "hijo" and "hija" have the same one, and so have "organ" and
  -- "organic", "imported" and "important".
  endings text[];
  -- Whether the capital letter of a word says something: it neither begins a sentence, nor is all in capitals.
  is_name boolean[];
  is_article boolean[];
  result private.normal_question;
begin
  select dictionary.oid into stemmer from pg_catalog.pg_ts_dict as dictionary
  where dictionary.dictname = 'stem_' || stemmed and dictionary.dictnamespace = 'private'::regnamespace;
  stemmer := coalesce(stemmer, 'pg_catalog.simple');

  if content !~ '^[\u0001-\u007f]*$' then
    -- 5² is not 52, and 1½ is not 11/2.
    content := regexp_replace(content, '([0-9])(?=[¹²³¼-¾⁰-⁹⅐-⅞])', '\1 ', 'g');
    content := normalize(translate(content, '´˗', '''-'), nfkc);
    -- One character may have become eighteen.
    is_whole := is_whole and char_length(content) <= longest;
    content := left(content, longest);
    -- What is not seen: soft hyphens, marks of direction, variation selectors.
    content := regexp_replace(content, '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g');
    content := translate(replace(content, '—', ' - '),
      U&'\2010\2011\2012\2013\2212\2018\2019\02BC\2044\207B' || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
      '-----''''''/-' || '01234567890123456789');
  end if;
  content := regexp_replace(content, '(^|[\s(<>=$€£-])\.(?=[0-9])', '\10.', 'g');
  content := regexp_replace(content, '([0-9]) +([-/]) +(?=[0-9])', '\1\2', 'g');
  content := regexp_replace(content, '(^|[\s(<>=:;,"$€£])- *(?=[$€£]?[0-9])', '\1' || minus, 'g');
  -- "A-" is another blood group than "A".
  content := regexp_replace(content, '(?<=[[:alnum:]])-(?![[:alnum:]-])', minus, 'g');
  has_lower := content <> upper(content);

  -- Words, single signs, and the ends of sentences.
  select array_agg(token.text order by token.place), array_agg(lower(token.text) order by token.place),
    array_agg(has_lower and not token.begins and token.text <> lower(token.text) order by token.place)
  into written, lowered, is_name
  from (
    select found.match[1] as text, found.ordinality as place,
      coalesce(lag(found.match[1]) over (order by found.ordinality) ~ '^[.!?:]', true) as begins
    from regexp_matches(content,
      -- A word is made of numbers and of what is neither a digit, nor white space, nor punctuation, nor a sign.
      '((?:[0-9]+(?:[.,:/''-][0-9]+)*|[^0-9\s\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02b0-\u02ff\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3003\u3008-\u3020\u30fb\uff00-\uff0f\U0001f000-\U0001faff])+'
      -- Faces and hands are no more than punctuation.
      || '|[%+<>=#&@^|~$\u00a2-\u00a5\u00b0\u00b1\u00d7\u00f7\u20a0-\u20cf\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001f440\U0001f451-\U0001f5ff\U0001f680-\U0001f90b\U0001f940-\U0001f970\U0001f980-\U0001f9cf\U0001f9e0-\U0001faff]'
      || '|[.!?:]+)', 'g'
    ) with ordinality as found (match, ordinality)
  ) as token
  where token.text !~ '^[.!?:]';
  if written is null then
    return null;
  end if;

  joined := array_to_string(lowered, ' ');
  if joined !~ '^[\u0001-\u007f]*$' then
    -- Accents of other letters may make them another letter, such as й.
    joined := normalize(regexp_replace(normalize(joined, nfd), '([a-zα-ωе])[\u0300-\u036f]+', '\1', 'g'), nfc);
    joined := replace(replace(replace(translate(joined, 'øł', 'ol'), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae');
  end if;
  bare := string_to_array(joined, ' ');

  -- What is left between the words of politeness.
  skipped := substring(joined from '^((?:(?:' || manners || ')(?: |$))*)');
  first := 1 + coalesce(cardinality(string_to_array(btrim(skipped), ' ')), 0);
  skipped := substring(joined from '((?:(?:^| )(?:' || manners || '))*)$');
  last := cardinality(bare) - coalesce(cardinality(string_to_array(btrim(skipped), ' ')), 0);

  select array_agg(
      lowered[place] = any (articles)
      -- "vitamin A", and "vitamin a" where all is in small letters.
      and not (is_name[place] and char_length(written[place]) = 1)
      and not coalesce(char_length(written[place]) = 1 and bare[place - 1] ~
        '^(pro)?vitamin[as]?$|^hepatit[ie]s?$|^(influenza|gripe|type|tipo|plano?|option|opcao|group|grupo|grade|class|classe|part|parte|step|team|level|stage|phase|fase)$', false)
      order by place
    ),
    array_agg(
      case when bare[place] ~ '[0-9]' then bare[place] else coalesce((ts_lexize(stemmer, bare[place]))[1], bare[place]) end
      order by place
    )
  into is_article, stems
  from generate_subscripts(bare, 1) as place;

  -- A unit may stand apart from its number or not.
  select array_agg(regexp_replace(stems[place], '^([^[:alpha:]]*[0-9])([[:alpha:]]+)$', '\1 \2') order by place),
    array_agg(case
      when stemmed in ('spanish', 'portuguese') then substring(bare[place] from '([ao])s?$')
      when stemmed = 'italian' then translate(substring(bare[place] from '[aeio]$'), 'ei', 'ao')
      when stemmed = 'french' then substring(bare[place] from '(e)s?$')
      -- All that makes one word of another, without what a plural or a tense adds.
      when stemmed = 'english' then substring(
        regexp_replace(regexp_replace(bare[place], '(e|es|s|ed|ings?|y|ies|ied)$', ''), '([b-df-hj-np-tv-z])\1$', '\1')
        from '((al|anc|enc|ator|er|ic|abl|ibl|ant|ent|ment|ism|ist|at|ion|it|ous|iv|iz|ful|ness|less|l)+)$'
      )
      when stemmed = 'german' then substring(bare[place] from '((ung|heit|keit|isch|lich|ig|ik|end)+)(e|en|em|er|es|s)?$')
    end order by place)
  into stems, endings
  from generate_subscripts(stems, 1) as place;

  -- The last word is no article.
  select
    case when is_whole then
      md5(string_agg(concat_ws('|', stems[place], endings[place]), ' ' order by place)
        filter (where not is_article[place] or place = cardinality(stems)))::uuid
    end,
    md5(string_agg(concat_ws('|', stems[place], endings[place]), ' ' order by place)
      filter (where place between first and last and (not is_article[place] or place = last)))::uuid,
    string_to_array(string_agg(stems[place], ' ' order by place)
      filter (where place between first and last and (not is_article[place] or place = last)), ' '),
    string_to_array(string_agg(stems[place], ' ') filter (
      where place between first and least(last, first + 199) and not is_article[place]
      and (bare[place] ~ '[0-9]' or to_tsvector(normalize_question.language::regconfig, lowered[place]) <> '')
    ), ' ')
  into result.key, result.plain_key, result.words, result.content_words
  from generate_subscripts(stems, 1) as place;
  result.content_words := array(select distinct word from unnest(result.content_words) as word);

  if manners is not null then
    result.points_back := exists (
      select from generate_subscripts(lowered, 1) as place
      where not is_name[place] and lowered[place] = any (private.back_pointers())
    );
  end if;
  return result;
end;
$$;

comment on function private.normalize_question is 'A question as questions are compared; null where nothing is left of it.';

create function private.key_of_question(language text, question text) returns uuid
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return (private.normalize_question(key_of_question.language, key_of_question.question)).key;
end;
$$;

comment on function private.key_of_question is 'A key that two questions share when they are the same but for case, accents, punctuation, articles and endings of words; null where nothing is left.';

-- Writing phrases

create function private.lock_pinned_answers(coach_id text) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  insert into private.pinned_totals (coach_id)
  select coach.id from public.coach_profiles as coach where coach.id = lock_pinned_answers.coach_id
  on conflict do nothing;
  perform from private.pinned_totals as total where total.coach_id = lock_pinned_answers.coach_id for update;
end;
$$;

comment on function private.lock_pinned_answers is 'Lets one transaction at a time change the pinned answers of a coach.';

-- A phrase whose text stays keeps its row, and with it its embedding. yields: leave keys to the pinned answers that have
-- them; otherwise a question that is pinned already violates pinned_phrases_question_is_pinned_once.
create function private.index_pinned_answer(pinned public.pinned_answers, yields boolean default false) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  -- As in private.rank_pinned_answers().
  constant_part constant double precision := 1 + 1.2 * 0.25;
  per_word constant double precision := 1.2 * 0.75 / 7;
  language text;
begin
  select coach.language into language from public.coach_profiles as coach where coach.id = pinned.coach_id;
  -- So that a phrase can take the key of one that goes.
  update private.pinned_phrases as phrase set key = null where phrase.pinned_answer_id = pinned.id;

  with wanted as materialized (
    select distinct on (coalesce(normal.key::text, entry.content)) entry.content, normal.key,
      case when normal.plain_key <> normal.key then normal.plain_key end as polite_key,
      case when pinned.is_active then normal.words else '{}' end as words,
      case when pinned.is_active then normal.content_words else '{}' end as content_words
    from unnest(pinned.question || pinned.variants) with ordinality as entry (content, place)
    cross join lateral private.normalize_question(language, entry.content) as normal
    order by coalesce(normal.key::text, entry.content), entry.place
  ), term as (
    insert into private.pinned_terms (coach_id, word, answers)
    select distinct pinned.coach_id, word, 1 from wanted cross join unnest(wanted.words) as word order by word
    on conflict (coach_id, word) do update set answers = pinned_terms.answers + 1
    returning id, word
  ), posting as (
    insert into private.pinned_postings (term_id, pinned_answer_id, best)
    select term.id, pinned.id, max(1 / (constant_part + per_word * cardinality(wanted.words)))
    from wanted cross join unnest(wanted.content_words) as asked (word) join term on term.word = asked.word collate "C"
    group by term.id
  ), ready as materialized (
    select wanted.content, wanted.polite_key,
      case when not yields or not exists (
        select from private.pinned_phrases as other
        where other.coach_id = pinned.coach_id and other.key = wanted.key and other.pinned_answer_id <> pinned.id
      ) then wanted.key end as key,
      coalesce((
        select array_agg(distinct term.id) from unnest(wanted.words) as asked (word)
        join term on term.word = asked.word collate "C"
      ), '{}') as terms
    from wanted
  ), dropped as (
    -- Of phrases that are the same, the first is enough.
    delete from private.pinned_phrases as phrase
    where phrase.pinned_answer_id = pinned.id and phrase.content <> all (select wanted.content from wanted)
  ), kept as (
    update private.pinned_phrases as phrase
    set key = ready.key, polite_key = ready.polite_key, terms = ready.terms
    from ready
    where phrase.pinned_answer_id = pinned.id and phrase.content = ready.content
    returning phrase.content
  )
  insert into private.pinned_phrases (pinned_answer_id, coach_id, content, key, polite_key, terms)
  select pinned.id, pinned.coach_id, ready.content, ready.key, ready.polite_key, ready.terms
  from ready where not exists (select from kept where kept.content = ready.content);

  if pinned.is_active then
    update private.pinned_totals as total set answers = total.answers + 1 where total.coach_id = pinned.coach_id;
  end if;
end;
$$;

comment on function private.index_pinned_answer is 'Writes the phrases of a pinned answer and their words. The coach is locked.';

create function private.unindex_pinned_answer(pinned public.pinned_answers) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  ids bigint[];
begin
  if not pinned.is_active then
    return;
  end if;
  select array_agg(distinct term_id) into ids
  from private.pinned_phrases as phrase cross join unnest(phrase.terms) as term_id
  where phrase.pinned_answer_id = pinned.id;
  delete from private.pinned_postings as posting where posting.pinned_answer_id = pinned.id;
  update private.pinned_terms as term set answers = term.answers - 1 where term.id = any (ids);
  delete from private.pinned_terms as term where term.id = any (ids) and term.answers <= 0;
  update private.pinned_totals as total set answers = total.answers - 1 where total.coach_id = pinned.coach_id;
end;
$$;

comment on function private.unindex_pinned_answer is 'Takes the words of a pinned answer out of the ranking. The coach is locked.';

-- Who names a writer marks the row; a change without a name, by hand, must not be taken for the last writer's.
create function private.note_writer() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  new.version := -1;
  return new;
end;
$$;

comment on function private.note_writer is 'Marks an update that says who wrote it; count_answer_version() follows.';

create trigger pinned_answers_1_note_writer before update of written_by on public.pinned_answers
  for each row execute function private.note_writer();

create function private.count_answer_version() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
  elsif (new.question, new.variants, new.answer, new.is_active) is distinct from
    (old.question, old.variants, old.answer, old.is_active)
  then
    new.written_by := case when new.version = -1 then new.written_by end;
    new.version := old.version + 1;
  else
    new.version := old.version;
    new.written_by := old.written_by;
    new.updated_at := old.updated_at;
    return new;
  end if;
  new.updated_at := clock_timestamp();
  return new;
end;
$$;

comment on function private.count_answer_version is 'Counts the changes of a pinned answer, and forgets the last writer where a change names none.';

create trigger pinned_answers_2_count_version before insert or update on public.pinned_answers
  for each row execute function private.count_answer_version();

-- Definer: operators edit pinned answers by hand, and service_role has no rights on the private schema.
create function private.keep_pinned_answer() returns trigger
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
begin
  -- A coach that is renamed or deleted takes its words along.
  if tg_op <> 'INSERT' and not exists (select from public.coach_profiles as coach where coach.id = old.coach_id) then
    return coalesce(new, old);
  end if;
  if tg_op <> 'INSERT' then
    perform private.lock_pinned_answers(old.coach_id);
    perform private.unindex_pinned_answer(old);
  end if;
  if tg_op <> 'DELETE' then
    perform private.lock_pinned_answers(new.coach_id);
    perform private.index_pinned_answer(new);
    insert into private.pinned_answer_hits (pinned_answer_id) values (new.id) on conflict do nothing;
  end if;
  return coalesce(new, old);
end;
$$;

comment on function private.keep_pinned_answer is 'Writes the phrases of a pinned answer anew.';

create trigger pinned_answers_index_new after insert on public.pinned_answers
  for each row execute function private.keep_pinned_answer();
create trigger pinned_answers_index_changed after update of question, variants, is_active, coach_id on public.pinned_answers
  for each row execute function private.keep_pinned_answer();
-- Before: the phrases, which know the words, are deleted with the row.
create trigger pinned_answers_unindex before delete on public.pinned_answers
  for each row execute function private.keep_pinned_answer();

-- Definer: as keep_pinned_answer().
create function private.keep_answer_version() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.pinned_answer_versions (
    pinned_answer_id, version, question, variants, answer, is_active, written_by, written_at
  )
  values (new.id, new.version, new.question, new.variants, new.answer, new.is_active, new.written_by, new.updated_at);
  return null;
end;
$$;

comment on function private.keep_answer_version is 'Keeps a version of a pinned answer.';

create trigger pinned_answers_keep_first_version after insert on public.pinned_answers
  for each row execute function private.keep_answer_version();
create trigger pinned_answers_keep_version after update on public.pinned_answers
  for each row when (new.version <> old.version) execute function private.keep_answer_version();

-- In another language other questions are the same: of two that come to be, the older keeps the key, and the other is
-- only near from then on.
-- Definer: as keep_pinned_answer().
create function private.index_pinned_answers_of_coach() returns trigger
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
declare
  pinned public.pinned_answers;
begin
  perform private.lock_pinned_answers(new.id);
  update private.pinned_phrases as phrase set key = null where phrase.coach_id = new.id;
  for pinned in
    select * from public.pinned_answers as candidate
    where candidate.account_id = new.account_id and candidate.coach_id = new.id
    order by candidate.created_at, candidate.id
  loop
    perform private.unindex_pinned_answer(pinned);
    perform private.index_pinned_answer(pinned, yields => true);
  end loop;
  return null;
end;
$$;

comment on function private.index_pinned_answers_of_coach is 'Writes the phrases of a coach anew when its language changes.';

create trigger coach_profiles_index_pinned_answers after update of language on public.coach_profiles
  for each row when (old.language <> new.language) execute function private.index_pinned_answers_of_coach();

-- Finding

-- BM25 over the phrases, of which the best counts; a word is in a phrase or it is not. As for passages, the rarest words
-- choose the candidates, within a budget, and all words together order the best of them. A candidate shares a word that
-- is no stop word; stop words only add to its score, a quarter of what their rarity says: they tell "why" from "when".
create function private.rank_pinned_answers(coach_id text, words text[], content_words text[])
returns table (pinned_answer_id uuid, place bigint)
-- Compiling would take longer than the whole ranking.
language plpgsql stable rows 20 security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  -- Postings read to find candidates.
  budget constant integer := 2000;
  most_words constant integer := 32;
  candidate_count constant integer := 20;
  -- BM25 with k1 = 1.2, b = 0.75 and a usual length of seven words: of its weight a word has
  -- 1 / (1 + k1 * (1 - b + b * length / usual length)).
  constant_part constant double precision := 1 + 1.2 * 0.25;
  per_word constant double precision := 1.2 * 0.75 / 7;
  total bigint;
  ids bigint[];
  weights double precision[];
  counts integer[];
  content_ids bigint[];
  content_weights double precision[];
  complete_terms integer := 0;
  read_postings integer := 0;
  candidates uuid[];
begin
  select held.answers into total from private.pinned_totals as held where held.coach_id = rank_pinned_answers.coach_id;
  select array_agg(word.id order by word.answers, word.id), array_agg(word.weight order by word.answers, word.id),
    array_agg(word.id order by word.answers, word.id) filter (where word.is_content),
    array_agg(word.weight order by word.answers, word.id) filter (where word.is_content),
    array_agg(word.answers order by word.answers, word.id) filter (where word.is_content)
  into ids, weights, content_ids, content_weights, counts
  from (
    select term.id, term.answers, asked.is_content,
      -- Among few pinned answers, a word that all of them have still says something.
      (0.5::double precision + private.rarity(total, term.answers)) * case when asked.is_content then 1 else 0.25::double precision end as weight
    from (
      select entry.word, entry.word = any (rank_pinned_answers.content_words) as is_content
      from (select distinct word from unnest(rank_pinned_answers.words[:200]) as word) as entry
    ) as asked
    cross join lateral (
      select held.id, held.answers from private.pinned_terms as held
      where held.coach_id = rank_pinned_answers.coach_id and held.word = asked.word collate "C" offset 0
    ) as term
    order by asked.is_content desc, weight desc, term.id
    limit most_words
  ) as word;
  if content_ids is null then
    return;
  end if;

  while complete_terms < cardinality(content_ids) and read_postings + counts[complete_terms + 1] <= budget loop
    complete_terms := complete_terms + 1;
    read_postings := read_postings + counts[complete_terms];
  end loop;
  -- A word that is too frequent to be read whole chooses only where rarer ones have chosen nearly nothing.
  select array_agg(best.id) into candidates
  from (
    select posting.pinned_answer_id as id
    from unnest(
      content_ids[:case when read_postings < candidate_count then complete_terms + 1 else complete_terms end], content_weights
    ) with ordinality as term (id, weight, place)
    cross join lateral (
      select posting.pinned_answer_id, posting.best * term.weight as score
      from private.pinned_postings as posting
      where posting.term_id = term.id
      limit case when term.place > complete_terms then budget end
    ) as posting
    where term.id is not null
    group by posting.pinned_answer_id
    order by sum(posting.score) desc, posting.pinned_answer_id
    limit candidate_count
  ) as best;

  return query
  select best.pinned_answer_id, row_number() over (order by best.score desc, best.pinned_answer_id)
  from (
    select scored.pinned_answer_id, max(scored.score) as score
    from (
      select phrase.pinned_answer_id, sum(asked.weight) / (constant_part + per_word * cardinality(phrase.terms)) as score
      from unnest(candidates) as candidate (id)
      cross join lateral (
        select held.id, held.pinned_answer_id, held.terms from private.pinned_phrases as held
        where held.pinned_answer_id = candidate.id offset 0
      ) as phrase
      cross join unnest(phrase.terms) as held (term_id)
      join unnest(ids, weights) as asked (id, weight) on asked.id = held.term_id
      group by phrase.id, phrase.pinned_answer_id, phrase.terms
    ) as scored
    group by scored.pinned_answer_id
  ) as best;
end;
$$;

comment on function private.rank_pinned_answers is 'Ranks the active pinned answers of a coach by the words that they share with a question, at most 20.';

-- query_vector is JSON, {"model", "vector"}; where it is null, nothing is found. The floor keeps "hi" from bringing
-- anything: with usual models the cosine of questions that have nothing in common is far below it.
create function private.rank_phrases_by_meaning(coach_id text, query_vector text)
returns table (pinned_answer_id uuid, place bigint)
-- See private.rank_by_meaning().
language plpgsql stable rows 20 security invoker set search_path = '' set enable_seqscan = off set enable_sort = off set jit = off
as $$
declare
  floor constant double precision := 0.4;
  compared_at_most constant integer := 2000;
  -- An answer may have 21 phrases.
  phrase_count constant integer := 60;
  wanted_model constant text := rank_phrases_by_meaning.query_vector::json ->> 'model';
  wanted constant extensions.halfvec(1536) := (rank_phrases_by_meaning.query_vector::json ->> 'vector')::extensions.halfvec(1536);
  candidates bigint;
  ids bigint[];
  distances double precision[];
begin
  if rank_phrases_by_meaning.query_vector is null then
    return;
  end if;
  select count(*) into candidates
  from (
    select from private.phrase_embeddings as entry
    where entry.coach_id = rank_phrases_by_meaning.coach_id and entry.model = wanted_model
    limit compared_at_most + 1
  ) as counted;

  if candidates <= compared_at_most then
    select array_agg(compared.phrase_id), array_agg(compared.distance) into ids, distances
    from (
      select entry.phrase_id, entry.embedding operator(extensions.<=>) wanted as distance
      from private.phrase_embeddings as entry
      where entry.coach_id = rank_phrases_by_meaning.coach_id and entry.model = wanted_model
    ) as compared
    where compared.distance <= 1 - floor;
  else
    select array_agg(closest.phrase_id), array_agg(closest.distance) into ids, distances
    from (
      select entry.phrase_id, entry.embedding operator(extensions.<=>) wanted as distance
      from private.phrase_embeddings as entry
      where entry.coach_id = rank_phrases_by_meaning.coach_id and entry.model = wanted_model
      order by entry.embedding operator(extensions.<=>) wanted
      limit phrase_count
    ) as closest
    where closest.distance <= 1 - floor;
  end if;

  return query
  select ranked.id, row_number() over (order by ranked.distance, ranked.id)
  from (
    select phrase.pinned_answer_id as id, min(close.distance) as distance
    from unnest(ids, distances) as close (id, distance)
    cross join lateral (
      select held.pinned_answer_id from private.pinned_phrases as held where held.id = close.id offset 0
    ) as phrase
    cross join lateral (
      select from public.pinned_answers as pinned where pinned.id = phrase.pinned_answer_id and pinned.is_active offset 0
    ) as active
    group by phrase.pinned_answer_id
  ) as ranked
  order by 2
  limit 20;
end;
$$;

comment on function private.rank_phrases_by_meaning is 'Ranks the active pinned answers of a coach by the angle between the vectors of their phrases and that of a question, at most 20.';

do $$
begin
  perform '[1]'::extensions.vector;
  alter function private.rank_phrases_by_meaning set hnsw.ef_search = 100;
  if exists (select from pg_catalog.pg_settings where name = 'hnsw.iterative_scan') then
    alter function private.rank_phrases_by_meaning set hnsw.iterative_scan = 'relaxed_order';
  end if;
end;
$$;

-- The same question has the same words. Words of politeness may be on one side only, since on both sides they may be
-- what it is about: "How do I say please?"
create function private.find_pinned_question(coach_id text, asked private.normal_question) returns uuid
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  wanted_key uuid;
  found_id uuid;
  others bigint;
begin
  foreach wanted_key in array array[asked.key, asked.plain_key] loop
    select pinned.id into found_id
    from private.pinned_phrases as phrase
    cross join lateral (
      select held.id from public.pinned_answers as held where held.id = phrase.pinned_answer_id and held.is_active offset 0
    ) as pinned
    -- A text too long to be pinned has no key.
    where phrase.coach_id = find_pinned_question.coach_id and phrase.key = wanted_key and asked.key is not null;
    if found then
      return found_id;
    end if;
  end loop;
  select (array_agg(distinct pinned.id))[1], count(distinct pinned.id) into found_id, others
  from private.pinned_phrases as phrase
  cross join lateral (
    select held.id from public.pinned_answers as held where held.id = phrase.pinned_answer_id and held.is_active offset 0
  ) as pinned
  where phrase.coach_id = find_pinned_question.coach_id and phrase.polite_key = asked.key;
  return case when others = 1 then found_id end;
end;
$$;

comment on function private.find_pinned_question is 'The active pinned answer that has this very question; null for none, or where two would have it.';

create function private.describe_found_answer(pinned_answer_id uuid) returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  return (
    select json_build_object('id', pinned.id, 'version', pinned.version, 'question', pinned.question, 'answer', pinned.answer)
    from public.pinned_answers as pinned where pinned.id = describe_found_answer.pinned_answer_id
  );
end;
$$;

comment on function private.describe_found_answer is 'A pinned answer as a turn uses it: {id, version, question, answer}.';

-- {"exact": {id, version, question, answer} | null, "near": [up to three of the same]}. Where one is exact, none is near:
-- the model is not asked. In a thread with history, what is short or points back may mean something else than its words:
-- it is never exact.
create function private.find_pinned_answers(coach_id text, has_history boolean, message text, query_vector text) returns json
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  near_count constant integer := 3;
  language text;
  asked private.normal_question;
  exact uuid;
begin
  select coach.language into language from public.coach_profiles as coach where coach.id = find_pinned_answers.coach_id;
  asked := private.normalize_question(language, find_pinned_answers.message);
  if not find_pinned_answers.has_history or (not asked.points_back and cardinality(asked.content_words) >= 3) is true then
    exact := private.find_pinned_question(find_pinned_answers.coach_id, asked);
  end if;
  if exact is not null then
    return json_build_object('exact', private.describe_found_answer(exact), 'near', json_build_array());
  end if;
  if (cardinality(asked.content_words) > 0) is not true then
    return json_build_object('exact', null, 'near', json_build_array());
  end if;
  return json_build_object('exact', null, 'near', (
    select coalesce(json_agg(private.describe_found_answer(best.id) order by best.points desc, best.id), '[]')
    from (
      select coalesce(by_words.pinned_answer_id, by_meaning.pinned_answer_id) as id,
        private.fuse(by_words.place, by_meaning.place) as points
      from private.rank_pinned_answers(find_pinned_answers.coach_id, asked.words, asked.content_words) as by_words
      full join private.rank_phrases_by_meaning(find_pinned_answers.coach_id, find_pinned_answers.query_vector) as by_meaning
        on by_meaning.pinned_answer_id = by_words.pinned_answer_id
      order by points desc, id
      limit near_count
    ) as best
  ));
end;
$$;

comment on function private.find_pinned_answers is 'What the expert has said about a question: {exact, near}.';

create function private.count_hits(exact uuid, near uuid[]) returns void
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  -- Always locked in this order: turns that use the same pinned answers wait for each other, and never end in a deadlock.
  perform from private.pinned_answer_hits as counted
  where counted.pinned_answer_id = any (count_hits.near || count_hits.exact)
  order by counted.pinned_answer_id
  for no key update;
  update private.pinned_answer_hits as counted
  set hits = counted.hits + (counted.pinned_answer_id = count_hits.exact is true)::integer,
    near_hits = counted.near_hits + (counted.pinned_answer_id = any (count_hits.near) is true)::integer,
    last_hit_at = now()
  where counted.pinned_answer_id = any (count_hits.near || count_hits.exact);
end;
$$;

comment on function private.count_hits is 'Counts a pinned answer that was given word for word, and those that the model was given. Either may be null.';

-- Writing answers

-- {"id", "version"}, or {"error": "already_pinned", "answer_id"} where another pinned answer has the question or a variant.
-- replaces_same: a pinned answer that has the question gets the new text instead and becomes active; variants that are
-- pinned elsewhere are left out. The caller has checked that the coach is the account's.
create function private.pin_answer(
  account_id uuid, coach_id text, question text, variants text[], answer text, written_by text, replaces_same boolean,
  is_active boolean default true
) returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  language constant text := (select coach.language from public.coach_profiles as coach where coach.id = pin_answer.coach_id);
  taken private.pinned_phrases;
  wanted text[] := coalesce(pin_answer.variants, '{}');
  pinned public.pinned_answers;
begin
  perform private.lock_pinned_answers(pin_answer.coach_id);
  taken := private.find_taken_question(pin_answer.coach_id, array[pin_answer.question], null);
  if taken.id is not null and pin_answer.replaces_same then
    update public.pinned_answers as held
    set answer = pin_answer.answer, is_active = true, written_by = pin_answer.written_by
    where held.id = taken.pinned_answer_id
    returning * into pinned;
    return json_build_object('id', pinned.id, 'version', pinned.version);
  end if;
  if pin_answer.replaces_same then
    select coalesce(array_agg(variant order by place), '{}') into wanted
    from unnest(wanted) with ordinality as entry (variant, place)
    where (private.find_taken_question(pin_answer.coach_id, array[variant], null)).id is null;
  elsif taken.id is null then
    taken := private.find_taken_question(pin_answer.coach_id, wanted, null);
  end if;
  if taken.id is not null then
    return json_build_object('error', 'already_pinned', 'answer_id', taken.pinned_answer_id);
  end if;
  insert into public.pinned_answers (account_id, coach_id, question, variants, answer, written_by, is_active)
  values (pin_answer.account_id, pin_answer.coach_id, pin_answer.question, wanted, pin_answer.answer, pin_answer.written_by,
    pin_answer.is_active)
  returning * into pinned;
  return json_build_object('id', pinned.id, 'version', pinned.version);
end;
$$;

comment on function private.pin_answer is 'Pins an answer of the expert to a question.';

create function private.find_taken_question(coach_id text, questions text[], except_id uuid) returns private.pinned_phrases
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  taken private.pinned_phrases;
begin
  select phrase.* into taken
  from public.coach_profiles as coach
  cross join unnest(find_taken_question.questions) as asked (question)
  cross join lateral (select private.key_of_question(coach.language, asked.question) as key offset 0) as wanted
  cross join lateral (
    select held.* from private.pinned_phrases as held
    where held.coach_id = find_taken_question.coach_id and held.key = wanted.key
      and held.pinned_answer_id is distinct from find_taken_question.except_id
    offset 0
  ) as phrase
  where coach.id = find_taken_question.coach_id
  limit 1;
  return taken;
end;
$$;

comment on function private.find_taken_question is 'A phrase of the coach, but not of this pinned answer, that is the same as one of these questions.';

-- Barred passages

create function private.bar_passages(coach_id text, passage_ids text[], barred_by text) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into private.barred_passages (coach_id, passage_id, barred_by)
  select distinct bar_passages.coach_id, passage_id, bar_passages.barred_by
  from unnest(bar_passages.passage_ids) as passage_id
  order by passage_id
  on conflict do nothing;
end;
$$;

comment on function private.bar_passages is 'Bars passages of a coach from answers.';

-- What the expert sees and changes
--
-- In all of these the result is {"error": …} where the caller is not the expert behind the coach (see refuse_expert), or
-- there is no such pinned answer or passage: pinned_answer_not_found, passage_not_found.

create function private.describe_pinned_answer(pinned public.pinned_answers) returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  return (
    select json_build_object(
      'id', pinned.id,
      'question', pinned.question,
      'variants', pinned.variants,
      'answer', pinned.answer,
      'is_active', pinned.is_active,
      'version', pinned.version,
      'written_by', pinned.written_by,
      'hits', coalesce(counted.hits, 0),
      'near_hits', coalesce(counted.near_hits, 0),
      'last_hit_at', private.to_wire_time(counted.last_hit_at),
      'created_at', private.to_wire_time(pinned.created_at),
      'updated_at', private.to_wire_time(pinned.updated_at)
    )
    from (values (1)) as one
    left join private.pinned_answer_hits as counted on counted.pinned_answer_id = pinned.id
  );
end;
$$;

comment on function private.describe_pinned_answer is 'A pinned answer in the JSON of the API.';

-- search: words that question, variants and answer together must hold, as parts of words too; null: all. A cursor is
-- <microseconds since 1970>_<id> of the last row of a page. page_size null: the whole list.
create function private.list_pinned_answers(
  account_id uuid, coach_ids text[], user_id text, coach_id text, search text, is_active boolean,
  page_size integer, after_at bigint, after_id uuid
) returns json
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    list_pinned_answers.account_id, list_pinned_answers.coach_ids, list_pinned_answers.coach_id, list_pinned_answers.user_id
  );
  after_updated_at constant timestamptz :=
    coalesce(timestamptz 'epoch' + list_pinned_answers.after_at * interval '1 microsecond', 'infinity');
  patterns constant text[] := array(
    select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
    from regexp_split_to_table(left(list_pinned_answers.search, 1000), '\s+') as word
    where word <> ''
    limit 16
  );
  answers json;
  total bigint;
  next_cursor text;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  select
    json_agg(private.describe_pinned_answer(listed.pinned) order by listed.place)
      filter (where (listed.place > list_pinned_answers.page_size) is not true),
    least(count(*), list_pinned_answers.page_size),
    case when count(*) > list_pinned_answers.page_size then
      max((extract(epoch from (listed.pinned).updated_at) * 1000000)::bigint || '_' || (listed.pinned).id)
        filter (where listed.place = list_pinned_answers.page_size)
    end
  into answers, total, next_cursor
  from (
    select candidate as pinned, row_number() over (order by candidate.updated_at desc, candidate.id desc) as place
    from public.pinned_answers as candidate
    where candidate.coach_id = list_pinned_answers.coach_id
      and (list_pinned_answers.is_active is null or candidate.is_active = list_pinned_answers.is_active)
      and (candidate.updated_at, candidate.id) < (after_updated_at, list_pinned_answers.after_id)
      and (
        patterns = '{}'
        or concat_ws(' ', candidate.question, array_to_string(candidate.variants, ' '), candidate.answer) ilike all (patterns)
      )
    order by candidate.updated_at desc, candidate.id desc
    -- One more than the page tells whether there is another.
    limit list_pinned_answers.page_size + 1
  ) as listed;

  if list_pinned_answers.page_size is null then
    return json_build_object('data', coalesce(answers, '[]'), 'count', total);
  end if;
  return json_build_object('data', coalesce(answers, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function private.list_pinned_answers is 'What public.list_pinned_answers() does for an account.';

create function public.list_pinned_answers(caller jsonb, user_id text, coach_id text, search text default null,
  is_active boolean default null, page_size integer default null, after_at bigint default null,
  after_id uuid default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.list_pinned_answers(client.account_id, client.coach_ids, user_id, coach_id, search, is_active, page_size,
      after_at, after_id) end);
end;
$$;

comment on function public.list_pinned_answers is 'Reply of GET /coaches/{coachId}/answers: the newest change first, whole or one page.';

create function private.get_pinned_answer(
  account_id uuid, coach_ids text[], user_id text, coach_id text, answer_id uuid
) returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  version_count constant integer := 100;
  refusal constant text := private.refuse_expert(
    get_pinned_answer.account_id, get_pinned_answer.coach_ids, get_pinned_answer.coach_id, get_pinned_answer.user_id
  );
  pinned public.pinned_answers;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  select * into pinned from public.pinned_answers as candidate
  where candidate.id = get_pinned_answer.answer_id and candidate.coach_id = get_pinned_answer.coach_id;
  if not found then
    return json_build_object('error', 'pinned_answer_not_found');
  end if;
  return private.describe_pinned_answer(pinned)::jsonb || jsonb_build_object('versions', (
    select jsonb_agg(
      jsonb_build_object(
        'version', kept.version,
        'question', kept.question,
        'variants', kept.variants,
        'answer', kept.answer,
        'is_active', kept.is_active,
        'written_by', kept.written_by,
        'written_at', private.to_wire_time(kept.written_at)
      ) order by kept.version desc
    )
    from (
      select * from private.pinned_answer_versions as candidate
      where candidate.pinned_answer_id = pinned.id
      order by candidate.version desc
      limit version_count
    ) as kept
  ));
end;
$$;

comment on function private.get_pinned_answer is 'What public.get_pinned_answer() does for an account.';

create function public.get_pinned_answer(caller jsonb, user_id text, coach_id text, answer_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.get_pinned_answer(client.account_id, client.coach_ids, user_id, coach_id, answer_id) end);
end;
$$;

comment on function public.get_pinned_answer is 'Reply of GET /coaches/{coachId}/answers/{answerId}: with its versions, newest first.';

create function private.create_pinned_answer(
  account_id uuid, coach_ids text[], user_id text, coach_id text, question text, variants text[], answer text, is_active boolean
) returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    create_pinned_answer.account_id, create_pinned_answer.coach_ids, create_pinned_answer.coach_id,
    create_pinned_answer.user_id
  );
  created json;
  pinned public.pinned_answers;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  created := private.pin_answer(
    create_pinned_answer.account_id, create_pinned_answer.coach_id, create_pinned_answer.question,
    create_pinned_answer.variants, create_pinned_answer.answer, create_pinned_answer.user_id,
    replaces_same => false, is_active => create_pinned_answer.is_active
  );
  if created ->> 'error' is not null then
    return created;
  end if;
  select * into pinned from public.pinned_answers as candidate where candidate.id = (created ->> 'id')::uuid;
  return private.describe_pinned_answer(pinned);
end;
$$;

comment on function private.create_pinned_answer is 'What public.create_pinned_answer() does for an account.';

create function public.create_pinned_answer(caller jsonb, user_id text, coach_id text, question text, variants text[],
  answer text, is_active boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.create_pinned_answer(client.account_id, client.coach_ids, user_id, coach_id, question, variants, answer,
      is_active) end);
end;
$$;

comment on function public.create_pinned_answer is 'Pins an answer and returns it, or {"error": "already_pinned", "answer_id"}.';

-- What is null stays as it is.
create function private.update_pinned_answer(
  account_id uuid, coach_ids text[], user_id text, coach_id text, answer_id uuid,
  question text, variants text[], answer text, is_active boolean
) returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    update_pinned_answer.account_id, update_pinned_answer.coach_ids, update_pinned_answer.coach_id,
    update_pinned_answer.user_id
  );
  taken private.pinned_phrases;
  pinned public.pinned_answers;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  perform private.lock_pinned_answers(update_pinned_answer.coach_id);
  select * into pinned from public.pinned_answers as candidate
  where candidate.id = update_pinned_answer.answer_id and candidate.coach_id = update_pinned_answer.coach_id
  for no key update;
  if not found then
    return json_build_object('error', 'pinned_answer_not_found');
  end if;

  if num_nonnulls(update_pinned_answer.question, update_pinned_answer.variants) > 0 then
    taken := private.find_taken_question(
      pinned.coach_id,
      coalesce(update_pinned_answer.question, pinned.question) || coalesce(update_pinned_answer.variants, pinned.variants),
      pinned.id
    );
    if taken.id is not null then
      return json_build_object('error', 'already_pinned', 'answer_id', taken.pinned_answer_id);
    end if;
  end if;
  if num_nonnulls(update_pinned_answer.question, update_pinned_answer.variants, update_pinned_answer.is_active) > 0 then
    update public.pinned_answers as held
    set question = coalesce(update_pinned_answer.question, held.question),
      variants = coalesce(update_pinned_answer.variants, held.variants),
      answer = coalesce(update_pinned_answer.answer, held.answer),
      is_active = coalesce(update_pinned_answer.is_active, held.is_active),
      written_by = update_pinned_answer.user_id
    where held.id = pinned.id
    returning * into pinned;
  else
    -- Its phrases need not be written anew.
    update public.pinned_answers as held
    set answer = update_pinned_answer.answer, written_by = update_pinned_answer.user_id
    where held.id = pinned.id
    returning * into pinned;
  end if;
  return private.describe_pinned_answer(pinned);
end;
$$;

comment on function private.update_pinned_answer is 'What public.update_pinned_answer() does for an account.';

create function public.update_pinned_answer(caller jsonb, user_id text, coach_id text, answer_id uuid,
  question text default null, variants text[] default null, answer text default null,
  is_active boolean default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.update_pinned_answer(client.account_id, client.coach_ids, user_id, coach_id, answer_id, question, variants,
      answer, is_active) end);
end;
$$;

comment on function public.update_pinned_answer is 'Changes what is given of a pinned answer and returns it, or an error.';

create function private.delete_pinned_answer(
  account_id uuid, coach_ids text[], user_id text, coach_id text, answer_id uuid
) returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    delete_pinned_answer.account_id, delete_pinned_answer.coach_ids, delete_pinned_answer.coach_id,
    delete_pinned_answer.user_id
  );
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  perform private.lock_pinned_answers(delete_pinned_answer.coach_id);
  delete from public.pinned_answers as pinned
  where pinned.id = delete_pinned_answer.answer_id and pinned.coach_id = delete_pinned_answer.coach_id;
  return case when found then json_build_object('id', delete_pinned_answer.answer_id)
    else json_build_object('error', 'pinned_answer_not_found') end;
end;
$$;

comment on function private.delete_pinned_answer is 'What public.delete_pinned_answer() does for an account.';

create function public.delete_pinned_answer(caller jsonb, user_id text, coach_id text, answer_id uuid) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.delete_pinned_answer(client.account_id, client.coach_ids, user_id, coach_id, answer_id) end);
end;
$$;

comment on function public.delete_pinned_answer is 'Deletes a pinned answer with its versions: {"id"} or an error. Answers that were given from it stay.';

create function private.describe_barred_passage(barred private.barred_passages) returns json
language plpgsql stable security invoker set search_path = '' set enable_seqscan = off
as $$
begin
  return (
    select json_build_object(
      'passage_id', barred.passage_id,
      'content', passage.content,
      'file_id', file.id,
      'filename', file.name,
      'barred_by', barred.barred_by,
      'created_at', private.to_wire_time(barred.created_at)
    )
    from (values (1)) as one
    left join lateral (
      select held.content, held.file_id from public.passages as held
      where md5(held.content) = barred.passage_id and held.coach_id = barred.coach_id
      limit 1
    ) as passage on true
    left join public.knowledge_files as file on file.id = any (array[passage.file_id])
  );
end;
$$;

comment on function private.describe_barred_passage is 'A barred passage in the JSON of the API, with its text where a file has it.';

-- As list_pinned_answers(): the newest first.
create function private.list_barred_passages(
  account_id uuid, coach_ids text[], user_id text, coach_id text, page_size integer, after_at bigint, after_id text
) returns json
language plpgsql stable security invoker set search_path = ''
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    list_barred_passages.account_id, list_barred_passages.coach_ids, list_barred_passages.coach_id,
    list_barred_passages.user_id
  );
  after_created_at constant timestamptz :=
    coalesce(timestamptz 'epoch' + list_barred_passages.after_at * interval '1 microsecond', 'infinity');
  passages json;
  total bigint;
  next_cursor text;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  select
    json_agg(private.describe_barred_passage(listed.barred) order by listed.place)
      filter (where (listed.place > list_barred_passages.page_size) is not true),
    least(count(*), list_barred_passages.page_size),
    case when count(*) > list_barred_passages.page_size then
      max((extract(epoch from (listed.barred).created_at) * 1000000)::bigint || '_' || (listed.barred).passage_id)
        filter (where listed.place = list_barred_passages.page_size)
    end
  into passages, total, next_cursor
  from (
    select candidate as barred, row_number() over (order by candidate.created_at desc, candidate.passage_id desc) as place
    from private.barred_passages as candidate
    where candidate.coach_id = list_barred_passages.coach_id
      and (candidate.created_at, candidate.passage_id) < (after_created_at, coalesce(list_barred_passages.after_id, ''))
    order by candidate.created_at desc, candidate.passage_id desc
    limit list_barred_passages.page_size + 1
  ) as listed;

  if list_barred_passages.page_size is null then
    return json_build_object('data', coalesce(passages, '[]'), 'count', total);
  end if;
  return json_build_object('data', coalesce(passages, '[]'), 'count', total, 'next_cursor', next_cursor);
end;
$$;

comment on function private.list_barred_passages is 'What public.list_barred_passages() does for an account.';

create function public.list_barred_passages(caller jsonb, user_id text, coach_id text, page_size integer default null,
  after_at bigint default null, after_id text default null) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id);
begin
  return private.answer(client, case when client.is_admitted then
    private.list_barred_passages(client.account_id, client.coach_ids, user_id, coach_id, page_size, after_at,
      after_id) end);
end;
$$;

comment on function public.list_barred_passages is 'Reply of GET /coaches/{coachId}/barred-passages: the newest first, whole or one page.';

-- is_barred: bars the passage or lets it be used again. passage_id null: no passage can have such an id.
create function private.set_passage_barred(
  account_id uuid, coach_ids text[], user_id text, coach_id text, passage_id text, is_barred boolean
) returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  refusal constant text := private.refuse_expert(
    set_passage_barred.account_id, set_passage_barred.coach_ids, set_passage_barred.coach_id, set_passage_barred.user_id
  );
  barred private.barred_passages;
begin
  if refusal is not null then
    return json_build_object('error', refusal);
  end if;
  if set_passage_barred.is_barred and set_passage_barred.passage_id is not null then
    perform private.bar_passages(
      set_passage_barred.coach_id, array[set_passage_barred.passage_id], set_passage_barred.user_id
    );
    select * into barred from private.barred_passages as held
    where held.coach_id = set_passage_barred.coach_id and held.passage_id = set_passage_barred.passage_id;
  else
    delete from private.barred_passages as held
    where held.coach_id = set_passage_barred.coach_id and held.passage_id = set_passage_barred.passage_id
    returning * into barred;
  end if;
  return case when barred.passage_id is null then json_build_object('error', 'passage_not_found')
    else private.describe_barred_passage(barred) end;
end;
$$;

comment on function private.set_passage_barred is 'What public.set_passage_barred() does for an account.';

create function public.set_passage_barred(caller jsonb, user_id text, coach_id text, passage_id text,
  is_barred boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare client constant private.caller := private.admit(caller, user_id, is_change => true);
begin
  return private.answer(client, case when client.is_admitted then
    private.set_passage_barred(client.account_id, client.coach_ids, user_id, coach_id, passage_id, is_barred) end);
end;
$$;

comment on function public.set_passage_barred is 'Bars a passage from answers, or lets it be used again, and returns it, or an error.';

-- Embeddings of phrases

-- What is taken is due again in five minutes, unless it is saved before. At most 50, the longest due first.
create function private.take_phrases() returns json
language plpgsql volatile security invoker set search_path = '' set enable_seqscan = off
as $$
declare
  phrases json;
begin
  with due as (
    select phrase.id from private.pinned_phrases as phrase
    where phrase.due_at <= now()
    order by phrase.due_at
    limit 50
    for update skip locked
  ), taken as (
    update private.pinned_phrases as phrase
    set due_at = now() + interval '5 minutes'
    from due
    where phrase.id = any (array[due.id])
    returning phrase.id, phrase.content
  )
  select json_agg(json_build_object('id', taken.id, 'content', taken.content)) into phrases from taken;
  return coalesce(phrases, '[]');
end;
$$;

comment on function private.take_phrases is 'Phrases whose embeddings are due: [{id, content}].';

-- phrases: [{id, embedding: {model, vector}}]; without an embedding where the deployment has none. One that has gone
-- meanwhile is passed over. The result is {phrases, has_more}: with takes_next the next ones, and whether any are due.
create function public.save_phrases(phrases jsonb, takes_next boolean) returns json
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
declare
  next_phrases json := '[]';
begin
  with saved as (
    update private.pinned_phrases as phrase set due_at = null
    from jsonb_array_elements(save_phrases.phrases) as entry
    where phrase.id = any (array[(entry.value ->> 'id')::bigint])
    returning phrase.id, phrase.coach_id, entry.value -> 'embedding' as embedding
  )
  insert into private.phrase_embeddings as held (phrase_id, coach_id, model, embedding)
  select saved.id, saved.coach_id, saved.embedding ->> 'model', (saved.embedding ->> 'vector')::extensions.halfvec(1536)
  from saved
  where saved.embedding is not null
  on conflict (phrase_id) do update set model = excluded.model, embedding = excluded.embedding;
  if save_phrases.takes_next then
    next_phrases := private.take_phrases();
  end if;
  return json_build_object(
    'phrases', next_phrases,
    'has_more', exists (select from private.pinned_phrases as phrase where phrase.due_at <= now())
  );
end;
$$;

comment on function public.save_phrases is 'Saves the embeddings of phrases: {phrases: the next ones, [{id, content}], has_more}.';
