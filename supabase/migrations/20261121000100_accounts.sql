-- Accounts: who pays and who owns. Every API key and every coach belongs to one account, and nothing
-- of one account can be reached with the key of another.

-- Internals that the REST API must never show (key digests, rate-limit counters) live in this schema.
create schema if not exists private;
comment on schema private is 'Internals of the service: not exposed over REST, reached only through functions.';
revoke all on schema private from public;

create table public.accounts (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now(),
  constraint accounts_name_is_not_blank check (btrim(name) <> '')
);

comment on table public.accounts is 'A customer of the service. API keys and coaches belong to exactly one account.';
comment on column public.accounts.name is 'Shown to operators only.';

alter table public.accounts enable row level security;

create policy "Only the service reaches accounts" on public.accounts
  for all to anon, authenticated using (false) with check (false);

revoke all on public.accounts from anon, authenticated;
grant select, insert, update, delete on public.accounts to service_role;
