-- Coaches (personas): what a conversation talks to. Inserting one needs an account, a name, a title and
-- instructions; everything else has a default.

create table public.coach_profiles (
  id text primary key default gen_random_uuid()::text,
  account_id uuid not null references public.accounts (id) on delete restrict,
  owner_id uuid references auth.users (id) on delete set null,
  name text not null,
  title text not null,
  instructions text not null,
  greeting text,
  model text,
  temperature double precision,
  history_limit integer not null default 20,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint coach_profiles_id_is_not_blank check (btrim(id) <> ''),
  constraint coach_profiles_name_is_not_blank check (btrim(name) <> ''),
  constraint coach_profiles_temperature_is_0_to_2 check (temperature between 0 and 2),
  constraint coach_profiles_history_limit_is_0_to_200 check (history_limit between 0 and 200),
  constraint coach_profiles_account_is_unique_per_id unique (account_id, id)
);

comment on table public.coach_profiles is 'A persona that conversations are held with. A coach that has threads cannot be deleted: set is_active to false instead.';
comment on column public.coach_profiles.id is 'The coachId of the API. A UUID by default; any text will do.';
comment on column public.coach_profiles.owner_id is 'The signed-in user who is this coach, or null. Only this user may take expert actions with a bearer token.';
comment on column public.coach_profiles.title is 'Professional title, shown beside the name.';
comment on column public.coach_profiles.instructions is 'How the persona thinks and speaks: the heart of the prompt.';
comment on column public.coach_profiles.greeting is 'An opening line that applications may show before the first message.';
comment on column public.coach_profiles.model is 'Language model of this coach; null means the default of the deployment (OPENAI_MODEL).';
comment on column public.coach_profiles.temperature is 'Sampling temperature, 0 to 2; null means the default of the model.';
comment on column public.coach_profiles.history_limit is 'How many of the newest messages of a thread are given to the model.';
comment on column public.coach_profiles.is_active is 'An inactive coach answers nobody; its threads stay readable.';

-- Deleting a user looks for the coaches to set free.
create index coach_profiles_by_owner on public.coach_profiles (owner_id);

alter table public.coach_profiles enable row level security;

create policy "Only the service reaches coaches" on public.coach_profiles
  for all to anon, authenticated using (false) with check (false);

revoke all on public.coach_profiles from anon, authenticated;
grant select, insert, update, delete on public.coach_profiles to service_role;
