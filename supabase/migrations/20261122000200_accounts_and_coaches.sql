-- Accounts and coaches: who owns the conversations, and what they are held with. Each coach belongs to one account, and
-- nothing of an account can be reached with the API key of another.
-- Tables: accounts, coach_profiles. Operators fill both, by hand or with create_account() and create_coach().

create table public.accounts (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  hash_key uuid not null default gen_random_uuid(),
  retention_days integer,
  retention_due_at timestamptz not null default now(),
  experts_may_create boolean not null default false,
  created_at timestamptz not null default now(),
  constraint accounts_name_is_not_blank check (btrim(name) <> ''),
  constraint accounts_retention_days_are_1_to_3650 check (retention_days between 1 and 3650)
);
comment on table public.accounts is 'A customer of the service. API keys and coaches belong to exactly one account.';
comment on column public.accounts.id is 'The account_id of all other tables.';
comment on column public.accounts.name is 'Shown to operators only.';
comment on column public.accounts.hash_key is 'Keys the hashes that name a user to the model''s server (see begin_turn) and in the limits (see hash_user). Never shown; with another key all users are strangers there.';
comment on column public.accounts.retention_days is 'For how many days threads are kept after the last message in them, 1 to 3650; null: until somebody deletes them. See retention.';
comment on column public.accounts.retention_due_at is 'When the sweep next looks for threads that are to be erased. It matters only with retention_days.';
comment on column public.accounts.experts_may_create is 'Whether the owners of a coach of the account may make further ones, at most 20 each.';

-- The sweep erases threads of the account that has waited longest.
create index accounts_by_retention on public.accounts (retention_due_at) where retention_days is not null;

-- In public, since checks are made with the rights of whoever writes the row.
create function public.are_starters(starters text[]) returns boolean
language sql immutable security invoker set search_path = ''
return cardinality(starters) <= 6 and not exists (
  select from unnest(starters) as starter
  where starter is null or btrim(starter) = '' or char_length(starter) > 200 or starter ~ '[\u0001-\u001f\u007f-\u009f]'
);
comment on function public.are_starters is 'Whether these can be the starters of a coach: at most six, each one line of 1 to 200 characters.';

-- Inserting a coach needs an account, a name, a title and instructions; everything else has a default.
create table public.coach_profiles (
  id text primary key default gen_random_uuid()::text,
  account_id uuid not null references public.accounts (id) on delete restrict,
  owner_id uuid references auth.users (id) on delete set null,
  name text not null,
  title text not null,
  instructions text not null,
  picture text,
  greeting text,
  starters text[] not null default '{}',
  model text,
  temperature double precision,
  reasoning_effort text,
  verbosity text,
  max_output_tokens integer,
  store_responses boolean,
  history_limit integer not null default 20,
  language text not null default 'english',
  no_answer text,
  takeover_notice text,
  takeover_minutes integer not null default 60,
  sources_are_open boolean not null default false,
  version integer not null default 1,
  is_active boolean not null default true,
  slug text,
  slug_changes smallint not null default 0,
  accent_color text,
  launcher_text text,
  set_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  constraint coach_profiles_id_is_not_blank check (btrim(id) <> ''),
  -- A name is part of an index, whose entries cannot be long.
  constraint coach_profiles_name_is_1_to_200_characters check (btrim(name) <> '' and char_length(name) <= 200),
  constraint coach_profiles_title_is_not_blank check (btrim(title) <> ''),
  constraint coach_profiles_instructions_are_not_blank check (btrim(instructions) <> ''),
  constraint coach_profiles_picture_is_a_path check (picture ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}/[0-9a-f]{64}\.(png|jpg|webp)$'),
  constraint coach_profiles_greeting_is_1_to_2000_characters check (btrim(greeting) <> '' and char_length(greeting) <= 2000),
  constraint coach_profiles_starters_are_at_most_six_lines check (public.are_starters(starters)),
  constraint coach_profiles_temperature_is_0_to_2 check (temperature between 0 and 2),
  constraint coach_profiles_reasoning_effort_is_known
    check (reasoning_effort in ('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  constraint coach_profiles_verbosity_is_known check (verbosity in ('low', 'medium', 'high')),
  constraint coach_profiles_max_output_tokens_is_16_to_1000000 check (max_output_tokens between 16 and 1000000),
  constraint coach_profiles_history_limit_is_0_to_200 check (history_limit between 0 and 200),
  constraint coach_profiles_no_answer_is_1_to_1000_characters check (btrim(no_answer) <> '' and char_length(no_answer) <= 1000),
  constraint coach_profiles_takeover_notice_is_1_to_1000_characters
    check (btrim(takeover_notice) <> '' and char_length(takeover_notice) <= 1000),
  constraint coach_profiles_takeover_minutes_is_1_to_10080 check (takeover_minutes between 1 and 10080),
  constraint coach_profiles_slug_is_unique unique (slug),
  constraint coach_profiles_accent_color_is_six_digits check (accent_color ~ '^#[0-9a-f]{6}$'),
  constraint coach_profiles_launcher_text_is_a_line_of_60_characters
    check (btrim(launcher_text) <> '' and char_length(launcher_text) <= 60 and launcher_text !~ '[\u0001-\u001f\u007f-\u009f]'),
  constraint coach_profiles_deleted_is_not_active check (deleted_at is null or not is_active),
  constraint coach_profiles_account_is_unique_per_id unique (account_id, id)
);
comment on table public.coach_profiles is 'A persona that conversations are held with. A coach that has threads cannot be deleted: set is_active to false instead.';
comment on column public.coach_profiles.id is 'The coachId of the API. A UUID by default; any text will do.';
comment on column public.coach_profiles.owner_id is 'The user account of the expert behind the coach, or null. Only this user may take expert actions with a bearer token.';
comment on column public.coach_profiles.name is 'Name of the persona, shown to users: up to 200 characters.';
comment on column public.coach_profiles.title is 'Professional title, shown beside the name.';
comment on column public.coach_profiles.instructions is 'How the persona thinks and speaks: the heart of the prompt.';
comment on column public.coach_profiles.picture is 'The path of the picture in the bucket pictures, or null; set through the API.';
comment on column public.coach_profiles.greeting is 'An opening line that applications may show before the first message: 1 to 2000 characters, or null.';
comment on column public.coach_profiles.starters is 'Questions that applications may suggest before the first message: at most six, each one line of up to 200 characters.';
comment on column public.coach_profiles.model is 'Language model of this coach; null means the default of the deployment (OPENAI_MODEL).';
comment on column public.coach_profiles.temperature is 'Sampling temperature, 0 to 2; null means the default of the deployment (OPENAI_TEMPERATURE). Models that reason take none.';
comment on column public.coach_profiles.reasoning_effort is 'How long the model may think before it answers: none, minimal, low, medium, high, xhigh or max; null means the default of the deployment (OPENAI_REASONING_EFFORT).';
comment on column public.coach_profiles.verbosity is 'How much the model says: low, medium or high; null means the default of the deployment (OPENAI_VERBOSITY).';
comment on column public.coach_profiles.max_output_tokens is 'The longest answer, in tokens, reasoning included, 16 to 1000000; null means the default of the deployment (OPENAI_MAX_OUTPUT_TOKENS).';
comment on column public.coach_profiles.store_responses is 'Whether the model''s server keeps the responses, which the recovery of answers needs; null means the default of the deployment (OPENAI_STORE).';
comment on column public.coach_profiles.history_limit is 'How many of the newest messages of a thread are given to the model, at most: an answer goes with its question.';
comment on column public.coach_profiles.language is 'Language of the knowledge files: any text search configuration (select cfgname from pg_ts_config). Changing it queues the files to be indexed again.';
comment on column public.coach_profiles.no_answer is 'How the persona says that it does not know: the model puts it into its own words; where that fails, it is said as it is. 1 to 1000 characters, or null for a usual sentence.';
comment on column public.coach_profiles.takeover_notice is 'What a person reads who asks while the expert has taken over: 1 to 1000 characters, or null for a usual sentence.';
comment on column public.coach_profiles.takeover_minutes is 'How long a takeover lasts after the last message of the expert, in minutes, 1 to 10080.';
comment on column public.coach_profiles.sources_are_open is 'Whether everyone who may talk to the coach may also read its files: the passages that answers name, the text around them, and the originals.';
comment on column public.coach_profiles.version is 'Counted up with every change of what the coach is, not of its owner and settings (see count_coach_version); 0 until it is first published. Answers keep the version that they were given. See coach_versions.';
comment on column public.coach_profiles.is_active is 'An inactive coach does not answer; its threads stay readable. It was never published, or is paused: then it has a slug.';
comment on column public.coach_profiles.slug is 'The name of the coach in addresses, made when it is first active. See coach_slugs, which has the former ones.';
comment on column public.coach_profiles.slug_changes is 'How often its owners have changed the slug: ten times at most.';
comment on column public.coach_profiles.accent_color is 'The color of buttons and links of its page, such as #0a7d5c; null: the usual one.';
comment on column public.coach_profiles.launcher_text is 'What its button on other sites says: one line of up to 60 characters; null: the usual words.';
comment on column public.coach_profiles.set_at is 'When an owner has last changed the settings; null: never.';
comment on column public.coach_profiles.deleted_at is 'When it was deleted, or when the sweep erases it next; null: it was not. It exists for nobody any more.';

-- Deleting a user looks for the coaches whose owner it was.
create index coach_profiles_by_owner on public.coach_profiles (owner_id);
-- The list of coaches that clients may talk to.
create index coach_profiles_by_name on public.coach_profiles (account_id, name, id) where is_active;
-- The sweep erases deleted coaches, and nobody reaches them meanwhile.
create index coach_profiles_by_deletion on public.coach_profiles (account_id, deleted_at) where deleted_at is not null;
-- The daily check of models asks which ones are in use.
create index coach_profiles_by_model on public.coach_profiles (model) where is_active and model is not null;

-- What experts edit, in the order in which changes are told.
create function private.persona_fields() returns text[] language sql immutable security invoker set search_path = ''
return array['name', 'title', 'picture', 'greeting', 'starters', 'instructions', 'no_answer', 'takeover_notice', 'language'];

-- In public, as are_starters().
create function public.is_language(language text) returns boolean
language plpgsql stable security invoker set search_path = '' as $$
begin
  -- The cast alone takes any number for an object's id.
  return exists (select from pg_catalog.pg_ts_config where oid = language::regconfig and language !~ '^[0-9]+$');
exception when others then
  return false;
end $$;
comment on function public.is_language is 'Whether Postgres can index a language: a text search configuration of this database.';

create function private.check_coach_language() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
begin
  if not public.is_language(new.language) then
    raise exception using errcode = '22023',
      message = format('language %L is not a text search configuration of this database', new.language);
  end if;
  return new;
end $$;
create trigger coach_profiles_check_language before insert or update of language on public.coach_profiles
  for each row execute function private.check_coach_language();

-- Who the owner is, and what owners set at once, is no part of what a version is: save_settings() names the time of it.
-- The first publication is version 1: until then, it is 0, whatever changes.
create function private.count_coach_version() returns trigger
language plpgsql volatile security invoker set search_path = '' as $$
declare
  settings constant text[] :=
    array['version', 'owner_id', 'slug', 'slug_changes', 'accent_color', 'launcher_text', 'deleted_at', 'set_at']
    || case when new.set_at is distinct from old.set_at then array['is_active', 'sources_are_open'] end;
begin
  if not new.is_active and coalesce(old.version, (new.slug is not null)::integer) = 0 then
    new.version := 0;
  elsif tg_op = 'UPDATE' then
    new.version := old.version + (to_jsonb(new) - settings <> to_jsonb(old) - settings)::integer;
  end if;
  return new;
end $$;
create trigger coach_profiles_count_version before insert or update on public.coach_profiles
  for each row execute function private.count_coach_version();
