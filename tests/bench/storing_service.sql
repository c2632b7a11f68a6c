-- The tables of storing_service.ts: what a service needs that only stores what was said.
create schema plain;

create table plain.api_keys (
  digest text primary key,
  account_id uuid not null
);

create table plain.coaches (
  id text primary key,
  account_id uuid not null,
  name text not null,
  title text not null,
  instructions text not null,
  model text not null
);

create table plain.threads (
  id uuid primary key default gen_random_uuid(),
  coach_id text not null references plain.coaches (id),
  user_id text not null,
  title text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index threads_by_user on plain.threads (user_id, updated_at desc);

create table plain.messages (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid not null references plain.threads (id),
  role text not null,
  content text not null,
  created_at timestamptz not null default clock_timestamp()
);

create index messages_by_thread on plain.messages (thread_id, created_at);
