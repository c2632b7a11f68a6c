-- Phrases: questions as they are compared and found, those of pinned answers and those of open questions.
-- Tables, in private: question_languages (what is known of a language), phrases (each question or variant), phrase_words
-- (an index of their words), phrase_embeddings (what they mean, as vectors).
-- Two questions are the same only if they have the same words in the same order. No score decides that, since none can
-- tell "allowed" from "not allowed".
-- Surprises: the tables refer to a pinned answer or an open question by subject_id without a foreign key; the trigger
-- drop_phrases() of both tables deletes the phrases. Keys are made of the stems of this Postgres. After an upgrade that
-- changes the stems, run: select private.index_pinned_answers(coach) from public.coach_profiles as coach;

-- Language data

create table private.question_languages (
  language text primary key,
  articles text[] not null default '{}',
  manners text[],
  ending text,
  clitics text
);
comment on table private.question_languages is 'The languages in which questions are compared: those that this Postgres has stems for.';
comment on column private.question_languages.language is 'The language, as its stemmer is called.';
comment on column private.question_languages.articles is 'Its articles, in lower case and with their accents: "él" is none, and "één" is a number.';
comment on column private.question_languages.manners is 'Its words of politeness, without accents, at most four each; null: not known. Words that may also be the subject of a question are left out: "per dag", "son buenas".';
comment on column private.question_languages.ending is 'The endings that a stem leaves out although they change the meaning, as a regular expression; null: not known.';
comment on column private.question_languages.clitics is 'The words that point back in it, although they mean something else in another language, or before other words; null: none.';

-- Endings: "hijo" and "hija" have the same stem, and so have "organ" and "organic", "imported" and "important". In English
-- and German the ending is all that makes one word of another, without what a plural or a tense adds. Arabic stems leave
-- out who does something and whose it is, so there the whole word counts, without its article.
-- Clitics: a regular expression for a word without accents, a space, the next word and a space. In Spanish and Arabic
-- they are also at the ends of words. See back_pointers() for those of all languages.
insert into private.question_languages (language, articles, manners, ending, clitics) values
  ('english', '{a,an,the}',
    '{please,pls,plz,kindly,thanks,thank you,thx,thanks a lot,many thanks,thanks so much,thank you very much,thank you so much,thanks in advance,thank you in advance,cheers,hi,hello,hey,hi there,hello there,hey there,greetings,good morning,good afternoon,good evening,good day,sorry,excuse me,pardon,pardon me}',
    '(?:al|anc|enc|ator|er|ic|abl|ibl|ant|ent|ment|ism|ist|at|ion|it|ous|iv|iz|ful|ness|less|l)+$',
    '^(?:he|her|former|e[rs]|dort|quelle) '),
  ('german', '{der,die,das,den,dem,des,ein,eine,einen,einem,einer,eines}',
    '{bitte,bitte schon,bitteschon,danke,danke schon,dankeschon,danke sehr,vielen dank,besten dank,herzlichen dank,lieben dank,danke im voraus,vielen dank im voraus,hallo,hi,hey,guten tag,guten morgen,guten abend,gruss gott,gruss dich,servus,moin,liebe grusse,viele grusse,entschuldigung,entschuldigen sie,entschuldige,verzeihung,sorry}',
    '((?:ung|heit|keit|isch|lich|ig|ik|end)+)(?:e|en|em|er|es|s)?$',
    '^(?:(?:he|e[rs]|dies|dort) |d(?:as|ie|er|en|em) (?:am|an|auf|aus|auch|bei|beim|da|denn|doch|eigentlich|fur|gegen|genau|'
    'im|immer|in|ist|mit|nach|nicht|noch|normalerweise|nur|oder|oft|ohne|pro|schon|sind|so|und|vor|wahrend|wie|'
    'wirklich|zu|zum|zur|) )'),
  ('french', '{le,la,les,l,un,une,des}',
    '{s il vous plait,s il te plait,svp,stp,merci,merci beaucoup,merci bien,merci d avance,bonjour,bonsoir,salut,coucou,hello,pardon,excusez moi,excuse moi,desole,desolee,je vous prie,cordialement}',
    '(e)s?$',
    '^y (?!a |avait |aura )'),
  ('spanish', '{el,la,los,las,un,una,unos,unas}',
    '{por favor,porfavor,porfa,gracias,muchas gracias,mil gracias,gracias de antemano,hola,buenos dias,buenas tardes,buenas noches,buen dia,perdon,perdone,perdona,disculpe,disculpa,saludos}',
    '([ao])s?$',
    '^(?:lo (?!que |mejor |mas |menos |antes |peor )'
    '|(?!(?:charl|perl)as? ).+(?:[aei]r|ndo)(?:me|te|se|nos)?l[oa]s? )'),
  ('italian', '{il,lo,la,i,gli,le,l,un,uno,una}',
    '{per favore,per piacere,per cortesia,grazie,mille grazie,molte grazie,tante grazie,grazie mille,grazie in anticipo,ciao,salve,buon giorno,buongiorno,buona sera,buonasera,scusi,scusa,mi scusi,mi scusa,scusate,saluti}',
    '[aeio]$',
    '^quelle '),
  ('portuguese', '{o,a,os,as,um,uma,uns,umas}',
    '{por favor,por gentileza,obrigado,obrigada,muito obrigado,muito obrigada,obrigado desde ja,obrigada desde ja,oi,ola,bom dia,boa tarde,boa noite,desculpe,desculpa,com licenca,se faz favor}',
    '([ao])s?$',
    '^l[oa]s? '),
  ('dutch', '{de,het,een}',
    '{alstublieft,alsjeblieft,aub,dank u,dank je,dank u wel,dank je wel,dankjewel,dankuwel,bedankt,alvast bedankt,hartelijk dank,hallo,hoi,hey,hi,goedemorgen,goedemiddag,goedenavond,sorry,pardon,excuseer,groetjes}',
    null,
    '^(?:he[mn]|er) '),
  ('arabic', '{}',
    '{من فضلك,من فضلكم,لو سمحت,لو سمحتم,رجاء,شكرا,شكرا لك,شكرا لكم,شكرا جزيلا,جزيل الشكر,مرحبا,اهلا,اهلا وسهلا,سلام,السلام عليكم,السلام عليكم ورحمة الله,السلام عليكم ورحمة الله وبركاته,صباح الخير,مساء الخير,عفوا,عذرا,معذرة,اسف,تحياتي}',
    '^(?:ال(?=\S{3}))?(.+)$',
    '^\S*(?:ه|ها|هم|هن|هما|هو|هي|هذا|ذلك|تلك|ذاك|هؤلاء|اولئك) ');

-- The configurations of Postgres leave stop words out, and with them "not", "why" and "before". So there is a stemmer
-- for each of its languages that keeps them.
do $$
declare language text;
begin
  for language in
    select distinct substring(dictionary.dictinitoption from 'language = ''(\w+)''')
    from pg_catalog.pg_ts_dict as dictionary
    join pg_catalog.pg_ts_template as template on template.oid = dictionary.dicttemplate and template.tmplname = 'snowball'
    where dictionary.dictnamespace = 'pg_catalog'::regnamespace
  loop
    execute format('create text search dictionary private.%I (template = pg_catalog.snowball, language = %L)',
      'stem_' || language, language);
    insert into private.question_languages (language) values (language) on conflict do nothing;
  end loop;
end $$;

-- The language whose stems a text search configuration makes; nulls for a configuration without stems.
create function private.find_question_language(config text) returns private.question_languages
language plpgsql stable security invoker set search_path = '' as $$
declare found_language private.question_languages;
begin
  -- The configurations of Postgres itself are named after their language.
  select * into found_language from private.question_languages as known where known.language = config;
  if found then return found_language; end if;
  select known.* into found_language from private.question_languages as known
  where known.language = (
    -- The last dictionary that a configuration asks about a word of letters.
    select substring(dictionary.dictinitoption from 'language = ''(\w+)''') from pg_catalog.pg_ts_config_map as map
    join pg_catalog.pg_ts_dict as dictionary on dictionary.oid = map.mapdict
    where map.mapcfg = config::regconfig and map.maptokentype = 2 order by map.mapseqno desc limit 1
  );
  return found_language;
end $$;

-- Words that point back at what was said before, in all languages with manners together: so without those that mean
-- something else in another of them, such as "on", "die", "la", "le", "lo", "en", "se", "il", "son", "das".
create function private.back_pointers() returns text[]
language plpgsql immutable security invoker set search_path = '' as $$
begin
  return (
    '{it,its,they,them,their,theirs,this,that,these,those,him,his,she,hers,ones,latter,then,instead,'
    'otherwise,himself,herself,itself,themselves,'
    'sie,ihn,ihm,ihr,ihnen,ihre,ihren,ihrem,diese,dieser,dieses,diesem,diesen,damit,dafür,dafur,davon,daran,'
    'dabei,dazu,dagegen,darauf,danach,davor,darin,daraus,darüber,daruber,darunter,dadurch,hierfür,hierfur,hierbei,hierzu,'
    'ihrer,ihres,seine,seiner,seinen,seinem,seines,beide,beiden,beides,derselbe,dieselbe,dasselbe,denselben,demselben,'
    'derselben,sowas,deren,dessen,jene,jener,jenes,jenen,jenem,dann,stattdessen,'
    'elle,elles,ils,lui,leur,leurs,ça,ca,cela,ceci,celui,celle,ceux,celles,ce,cet,cette,ces,ses,lequel,laquelle,lesquels,'
    'lesquelles,'
    'eso,esto,esos,estos,ese,esa,esas,este,estas,aquello,aquel,aquella,aquellos,aquellas,él,ello,ellos,ella,ellas,sus,entonces,'
    'esso,essa,essi,esse,egli,loro,questo,questa,questi,queste,quello,quella,quelli,ciò,allora,'
    'ele,ela,eles,elas,isso,isto,aquilo,esses,essas,estes,dele,dela,deles,delas,nisso,disso,disto,nele,nela,neles,nelas,nesse,nessa,'
    'nesses,nessas,neste,nesta,nestes,nestas,desse,dessa,desses,dessas,deste,desta,destes,destas,aquele,aquela,aqueles,'
    'aquelas,naquele,naquela,daquele,daquela,então,'
    'hij,zij,ze,haar,hun,dat,deze,daar,daarmee,daarvan,daarvoor,ervan,ermee,ervoor,daarna,dus}'
  )::text[];
end $$;

-- When two questions are the same

create type private.normal_question as (
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

-- A question with one spelling for characters that look alike, and for numbers with their signs.
create function private.clean_question(question text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
declare
  -- A minus that belongs to the number after it, or to the letter before it.
  minus constant text := U&'\207B';
  content text := clean_question.question;
begin
  if content !~ '^[\u0001-\u007f]*$' then
    -- 5² is not 52, and 1½ is not 11/2.
    content := regexp_replace(content, '([0-9])(?=[¹²³¼-¾⁰-⁹⅐-⅞])', '\1 ', 'g');
    content := normalize(translate(content, '´˗', '''-'), nfkc);
    -- Invisible characters: soft hyphens, marks of direction, variation selectors. And the short vowels of Arabic.
    content := regexp_replace(content, '[\u0640\u064b-\u0652\u0670\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g');
    content := translate(replace(content, '—', ' - '),
      U&'\2010\2011\2012\2013\2212\2018\2019\02BC\2044\207B' || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
      '-----''''''/-' || '01234567890123456789');
  end if;
  if content ~ '[0-9]' then
    content := regexp_replace(content, '(^|[\s(<>=$€£-])\.(?=[0-9])', '\10.', 'g');
    content := regexp_replace(content, '([0-9]) +([-/]) +(?=[0-9])', '\1\2', 'g');
    content := regexp_replace(content, '(^|[\s(<>=:;,"$€£])- *(?=[$€£]?[0-9])', '\1' || minus, 'g');
  end if;
  if strpos(content, '-') > 0 then
    -- "A-" is another blood group than "A".
    content := regexp_replace(content, '(?<=[[:alnum:]])-(?![[:alnum:]-])', minus, 'g');
  end if;
  return content;
end $$;

-- The words and signs of a cleaned question, with a space between them, and a point before each that begins a further
-- sentence; empty for none. A wrong match is the worst that can happen here. So whatever might mean something is a
-- word: numbers with all that is within them ("1.5" is neither "15" nor "1 5"), signs such as % and <, pictures.
-- Everything that is neither white space nor known punctuation counts as a letter, in any script. Faces and hands are
-- no more than punctuation.
create function private.tokenize_question(question text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
declare tokens text := tokenize_question.question;
begin
  -- Each sign is a word.
  tokens := regexp_replace(tokens,
    '[%+<>=#&@^|~$\u00a2-\u00a5\u00b0\u00b1\u00d7\u00f7\u20a0-\u20cf\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001f440\U0001f451-\U0001f5ff\U0001f680-\U0001f90b\U0001f940-\U0001f970\U0001f980-\U0001f9cf\U0001f9e0-\U0001faff]',
    ' \& ', 'g');
  tokens := regexp_replace(tokens,
    '(?:[\s\u0001-\u0020"()*;\u005b-\u005d_`{}\u007f-\u00a1\u00a6-\u00a9\u00ab-\u00af\u00b2-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u02b0-\u02ff\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u3000-\u3003\u3008-\u3020\u30fb\uff00-\uff0f\U0001f3fb-\U0001f3ff\U0001f441-\U0001f450\U0001f600-\U0001f67f\U0001f90c-\U0001f93f\U0001f971-\U0001f97f\U0001f9d0-\U0001f9df]'
    || '|(?<![0-9])[,/''-]|[,/''-](?![0-9]))+',
    ' ', 'g');
  tokens := regexp_replace(tokens, ' *(?:[!?]|(?<![0-9])[.:]|[.:](?![0-9]))[ .!?:]*', ' .', 'g');
  return btrim(tokens, ' .');
end $$;

-- Words in lower case without the accents of Latin and Greek letters, and the hamza of an Arabic alif.
create function private.strip_accents(words text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin
  if words ~ '^[\u0001-\u007f]*$' then return words; end if;
  return replace(replace(replace(translate(
    -- Accents of other letters may make them another letter, such as й.
    normalize(regexp_replace(normalize(words, nfd), '([a-zα-ωе])[\u0300-\u036f]+|(ا)[\u0653-\u0655]', '\1\2', 'g'), nfc),
    'øł', 'ol'), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae');
end $$;

-- How many words of politeness a question begins or ends with.
create function private.count_manners(manners text[], words text[], at_end boolean) returns integer
language plpgsql immutable security invoker set search_path = '' as $$
declare
  longest constant integer := 4;
  total constant integer := cardinality(words);
  counted integer := 0;
begin
  <<next>>
  loop
    for length in reverse least(longest, total - counted)..1 loop
      if array_to_string(case when at_end then words[total - counted - length + 1:total - counted]
        else words[counted + 1:counted + length] end, ' ') = any (manners)
      then
        counted := counted + length;
        continue next;
      end if;
    end loop;
    return counted;
  end loop;
end $$;

-- Words without what a plural or a tense adds, where the ending of a language looks for what is before that.
create function private.drop_inflections(language text, words text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
begin
  if language is distinct from 'english' then return words; end if;
  -- And without the letter that a tense doubles: "controlled".
  return left(regexp_replace(regexp_replace(words || ' ', '(e|es|s|ed|ings?|y|ies|ied) ', ' ', 'g'),
    '([b-df-hj-np-tv-z])\1 ', '\1 ', 'g'), -1);
end $$;

-- A question as questions are compared; null if nothing is left of it.
create function private.normalize_question(language text, question text) returns private.normal_question
language plpgsql stable security invoker set search_path = '' as $$
declare
  longest constant integer := 2000;
  most_content_words constant integer := 200;
  -- "A" is no article in "vitamin A", nor in "vitamin a".
  labeled constant text := '^(pro)?vitamin[as]?$|^hepatit[ie]s?$|^(influenza|gripe|type|tipo|plano?|option|opcao|group|'
    'grupo|grade|class|classe|part|parte|step|team|level|stage|phase|fase)$';
  config constant regconfig := language;
  spoken constant private.question_languages := private.find_question_language(language);
  stemmer constant regdictionary := coalesce('private.stem_' || spoken.language, 'pg_catalog.simple');
  back_pointers constant text[] := private.back_pointers();
  cleaned constant text := private.clean_question(left(question, longest));
  tokens constant text := private.tokenize_question(left(cleaned, longest));
  -- Of a text all in capitals, none can be told.
  has_names constant boolean := tokens <> upper(tokens);
  lowered constant text := lower(replace(tokens, ' .', ' '));
  bare constant text := private.strip_accents(lowered);
  words constant text[] := string_to_array(bare, ' ');
  total constant integer := cardinality(words);
  first constant integer := 1 + private.count_manners(spoken.manners, words, at_end => false);
  last constant integer := total - private.count_manners(spoken.manners, words, at_end => true);
  normal private.normal_question;
begin
  if tokens = '' then return null; end if;
  select
    md5(string_agg(word.key, ' ') filter (where word.place = total or not word.is_article)),
    md5(string_agg(word.key, ' ') filter (where word.is_plain)),
    string_to_array(string_agg(word.stem, ' ') filter (where word.is_plain), ' '),
    array(select distinct listed.word from unnest(string_to_array(string_agg(word.stem, ' ') filter (
      where word.is_plain and not word.is_article and word.place < first + most_content_words
        and (word.bare ~ '[0-9]' or to_tsvector(config, left(word.lowered, 200)) <> '')
    ), ' ')) as listed (word)),
    bool_or(not word.is_name and (word.lowered = any (back_pointers)
      or (word.bare || ' ' || coalesce(words[word.place + 1], '') || ' ' ~ spoken.clitics) is true))
  into normal.key, normal.plain_key, normal.words, normal.content_words, normal.points_back
  from (
    select told.*, concat_ws('|', told.stem, told.ending) as key,
      told.place between first and last and (told.place = last or not told.is_article) as is_plain
    from (
      select said.*,
        coalesce(said.lowered = any (spoken.articles), false) and (char_length(said.lowered) > 1
          or not said.is_name and (said.place = 1 or words[said.place - 1] !~ labeled)) as is_article,
        -- A number stays as it is. A unit may stand apart from it or not.
        case when said.bare ~ '[0-9]' then regexp_replace(said.bare, '^([^[:alpha:]]*[0-9])([[:alpha:]]+)$', '\1 \2')
          else coalesce((ts_lexize(stemmer, said.bare))[1], said.bare) end as stem,
        case spoken.language when 'italian' then translate(substring(said.shortened from spoken.ending), 'ei', 'ao')
          else substring(said.shortened from spoken.ending) end as ending
      from (
        select listed.*,
          -- Its capital letter makes a word a name, unless it begins a sentence.
          has_names and listed.place > 1 and listed.token <> listed.lowered and left(listed.token, 1) <> '.' as is_name
        from unnest(string_to_array(tokens, ' '), string_to_array(lowered, ' '), words,
          string_to_array(private.drop_inflections(spoken.language, bare), ' '))
          with ordinality as listed (token, lowered, bare, shortened, place)
      ) as said
      offset 0
    ) as told
    offset 0
  ) as word;
  if greatest(char_length(question), char_length(cleaned)) > longest then normal.key := null; end if;
  normal.points_back := case when spoken.manners is not null then normal.points_back end;
  return normal;
end $$;

-- A key that two questions share when they are the same but for case, accents, punctuation, articles and endings of
-- words; null if nothing is left.
create function private.key_of_question(language text, question text) returns uuid
language plpgsql stable security invoker set search_path = '' as $$
begin return (private.normalize_question(language, question)).key; end $$;

-- Tables

create table private.phrases (
  id bigint primary key generated always as identity,
  coach_id text not null references public.coach_profiles (id) on update cascade on delete cascade,
  is_pinned boolean not null,
  subject_id uuid not null,
  is_active boolean not null,
  content text not null,
  key uuid,
  polite_key uuid,
  words text[] not null,
  stop_words text[] not null,
  due_at timestamptz,
  -- With a usual length of seven words, k1 = 1.2 and b = 0.75.
  weight double precision not null generated always as (
    1 / (1 + 1.2 * (0.25 + 0.75 * (cardinality(words) + cardinality(stop_words))::double precision / 7))
  ) stored,
  constraint phrases_key_is_of_one_subject unique (coach_id, is_pinned, key)
);
comment on table private.phrases is 'Questions as they are compared: those of pinned answers, and those that open questions were asked in. Written by store_phrases().';
comment on column private.phrases.id is 'Names the phrase.';
comment on column private.phrases.coach_id is 'The coach of its subject.';
comment on column private.phrases.is_pinned is 'Whether the subject is a pinned answer; otherwise it is an open question.';
comment on column private.phrases.subject_id is 'The pinned answer or the open question.';
comment on column private.phrases.is_active is 'Whether its subject is to be found: a pinned answer that is active, an open question that is not answered.';
comment on column private.phrases.content is 'The text.';
comment on column private.phrases.key is 'key_of_question(); null if nothing is left of the text, or if another subject has the key since the coach got another language.';
comment on column private.phrases.polite_key is 'The key without words of politeness at its ends; null if there are none.';
comment on column private.phrases.words is 'Its content words, as normalize_question() writes them.';
comment on column private.phrases.stop_words is 'Its other words, each once.';
comment on column private.phrases.due_at is 'When a sweep is to ask for its embedding; null: it was asked for.';
comment on column private.phrases.weight is 'The weight of a match in it, as BM25 has it: the more words it has, the less each says.';

-- A message that is the same as a phrase but for its politeness.
create index phrases_by_polite_key on private.phrases (coach_id, is_pinned, polite_key) where polite_key is not null;
-- The phrases of a subject: to write them, and to rank the best candidates.
create index phrases_by_subject on private.phrases (subject_id);
-- The sweep takes those that have been due the longest.
create index phrases_by_due on private.phrases (due_at) where due_at is not null;

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
comment on column private.phrase_words.coach_id is 'The coach.';
comment on column private.phrase_words.is_pinned is 'As in phrases.';
comment on column private.phrase_words.word is 'The word, as normalize_question() writes it.';
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
comment on column private.phrase_embeddings.coach_id is 'The coach of the phrase.';
comment on column private.phrase_embeddings.is_pinned is 'As in phrases.';
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

-- Writes the phrases of a pinned answer or an open question, and their words. A phrase whose text stays keeps its row,
-- and with it its embedding. yields: leaves keys to the subjects that have them; otherwise a key that another subject
-- has violates phrases_key_is_of_one_subject.
create function private.store_phrases(coach_id text, is_pinned boolean, subject_id uuid, contents text[],
  is_active boolean default true, yields boolean default false) returns void
language plpgsql volatile security invoker set search_path = '' as $$
declare
  language constant text := (
    select coach.language from public.coach_profiles as coach where coach.id = store_phrases.coach_id
  );
begin
  -- So that a phrase can take the key of one that is deleted.
  update private.phrases as phrase set key = null where phrase.subject_id = store_phrases.subject_id;
  with wanted as materialized (
    -- Of phrases that are the same, the first is enough.
    select distinct on (coalesce(normal.key::text, entry.content)) entry.content,
      case when not yields or not exists (
        select from private.phrases as other
        where other.coach_id = store_phrases.coach_id and other.is_pinned = store_phrases.is_pinned
          and other.key = normal.key and other.subject_id <> store_phrases.subject_id
      ) then normal.key end as key,
      case when normal.plain_key <> normal.key then normal.plain_key end as polite_key,
      coalesce(normal.content_words, '{}') as words,
      array(select distinct word from unnest(normal.words) as word where word <> all (normal.content_words)) as stop_words
    from unnest(store_phrases.contents) with ordinality as entry (content, place)
    cross join lateral private.normalize_question(language, entry.content) as normal
    order by coalesce(normal.key::text, entry.content), entry.place
  ), dropped as (
    delete from private.phrases as phrase
    where phrase.subject_id = store_phrases.subject_id
      and (phrase.coach_id <> store_phrases.coach_id or phrase.content not in (select wanted.content from wanted))
  ), kept as (
    update private.phrases as phrase
    set is_active = store_phrases.is_active, key = wanted.key, polite_key = wanted.polite_key, words = wanted.words,
      stop_words = wanted.stop_words
    from wanted
    -- Found by its subject, not among all of the coach.
    where phrase.subject_id = store_phrases.subject_id and phrase.coach_id is not distinct from store_phrases.coach_id
      and phrase.content = wanted.content
    returning phrase.content
  )
  insert into private.phrases
    (coach_id, is_pinned, subject_id, is_active, content, key, polite_key, words, stop_words, due_at)
  select store_phrases.coach_id, store_phrases.is_pinned, store_phrases.subject_id, store_phrases.is_active,
    wanted.content, wanted.key, wanted.polite_key, wanted.words, wanted.stop_words,
    case when store_phrases.is_pinned then now() end
  from wanted where wanted.content not in (select kept.content from kept);
  perform private.index_phrases(store_phrases.subject_id);
end $$;

-- Deletes the phrases of a pinned answer or an open question that was deleted.
-- Definer: operators delete rows by hand, and service_role has no rights on the private schema.
create function private.drop_phrases() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.phrases as phrase where phrase.subject_id = old.id;
  delete from private.phrase_words as phrase_word where phrase_word.subject_id = old.id;
  return null;
end $$;

-- Phrases whose embeddings are due: [{id, coach_id, content}]. What is taken is due again in five minutes, unless it is saved
-- before. At most 50, the longest due first.
create function private.take_phrases() returns json
language plpgsql volatile security invoker set search_path = '' as $$
declare phrases json;
begin
  with due as (
    select phrase.id from private.phrases as phrase where phrase.due_at <= now() order by phrase.due_at limit 50
    for update skip locked
  ), taken as (
    update private.phrases as phrase set due_at = now() + interval '5 minutes' from due
    where phrase.id = any (array[due.id]) returning phrase.id, phrase.coach_id, phrase.content
  )
  select json_agg(json_build_object('id', taken.id, 'coach_id', taken.coach_id, 'content', taken.content)) into phrases from taken;
  return coalesce(phrases, '[]');
end $$;

-- phrases: [{id, embedding: {model, vector}}]; without an embedding where the deployment has none. A phrase that was
-- deleted meanwhile is skipped. The result is {phrases, has_more}: with takes_next the next ones, and whether any are
-- due.
create function public.save_phrases(phrases jsonb, takes_next boolean) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare next_phrases json := '[]';
begin
  with saved as (
    update private.phrases as phrase set due_at = null from jsonb_array_elements(save_phrases.phrases) as entry
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
comment on function public.save_phrases is 'Saves the embeddings of phrases: {phrases: the next ones, [{id, coach_id, content}], has_more}.';

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
  -- As stems, in the languages that say so in words of their own.
  filler constant text := '^([a-z]{1,3}|much|many|long|often|viel|lang|combien|beaucoup|cuant|quant|muit|molt)$';
  by_words uuid[];
begin
  by_words := array(
    with known as materialized (
      select said.word, case when found.rows_read < most_counted then found.subjects
        -- The first four bytes of the last ID, as a part of all that there can be.
        else found.subjects * 4294967296 / (1 + ('x' || left(found.last_id, 8))::bit(32)::bigint) end as subjects
      from (
        -- Long words are usually rare. The empty word stands for all subjects.
        (select word from unnest(asked.content_words) as word order by char_length(word) desc, word limit most_words)
        union all
        select ''
      ) as said
      cross join lateral (
        select count(*) as rows_read, count(distinct first.subject_id) as subjects, max(first.subject_id::text) as last_id
        from (
          select phrase_word.subject_id from private.phrase_words as phrase_word
          where phrase_word.coach_id = find_near_phrases.coach_id and phrase_word.is_pinned = find_near_phrases.is_pinned
            and phrase_word.word = said.word collate "C"
          order by phrase_word.subject_id limit most_counted
        ) as first
      ) as found
      where found.rows_read > 0
    ), term as (
      select known.word, known.subjects,
        least_weight + private.rarity(total.subjects, least(known.subjects, total.subjects)) as weight,
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
        select count(*) from unnest(phrase.stop_words) as word where word = any (asked.words)
      ) as score
      from private.phrases as phrase where phrase.id = best.phrase_id and (
        not find_near_phrases.is_pinned or (
          select 2 * count(*) >= least(cardinality(phrase.words), cardinality(asked.content_words))
            or bool_or(word !~ filler)
          from unnest(phrase.words) as word where word = any (asked.content_words)
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
