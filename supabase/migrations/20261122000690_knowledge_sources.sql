-- Knowledge sources: addresses of the web that a coach knows. Their pages are knowledge files, so this table comes first;
-- all else is in sources.
-- Table: knowledge_sources.

create table public.knowledge_sources (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  account_id uuid not null,
  coach_id text not null,
  url text not null,
  host text not null generated always as (lower(substring(url from '^https?://([^/?#]+)'))) stored,
  kind text not null,
  refresh text not null,
  page_limit integer not null default 500,
  status text not null default 'queued',
  reason text,
  follows_links boolean not null default false,
  round_started_at timestamptz,
  fetched_at timestamptz,
  next_refresh_at timestamptz,
  suspicious_since timestamptz,
  attempts integer not null default 0,
  claim uuid,
  due_at timestamptz default now(),
  taken_at timestamptz,
  request_id text,
  created_at timestamptz not null default now(),
  constraint knowledge_sources_coach_is_of_the_account foreign key (account_id, coach_id)
    references public.coach_profiles (account_id, id) on update cascade on delete cascade,
  constraint knowledge_sources_address_is_added_once unique (coach_id, url),
  constraint knowledge_sources_url_is_an_address check (url ~ '^https?://[^/?#]' and char_length(url) <= 2000),
  constraint knowledge_sources_kind_is_known check (kind in ('page', 'site', 'feed')),
  constraint knowledge_sources_refresh_is_known check (refresh in ('never', 'daily', 'weekly')),
  constraint knowledge_sources_page_limit_is_1_to_500 check (page_limit between 1 and 500),
  constraint knowledge_sources_status_is_known check (status in ('queued', 'reading', 'ready', 'failed'))
);
comment on table public.knowledge_sources is 'A web address whose pages a coach knows. Deleting it deletes their files.';
comment on column public.knowledge_sources.id is 'The sourceId of the API.';
comment on column public.knowledge_sources.url is 'The address, in its normal form.';
comment on column public.knowledge_sources.host is 'Host and port of the address.';
comment on column public.knowledge_sources.kind is 'page (this address alone), site (all pages below it) or feed (the pages of its entries).';
comment on column public.knowledge_sources.refresh is 'When it is read again: never, daily or weekly.';
comment on column public.knowledge_sources.page_limit is 'The most pages that are kept.';
comment on column public.knowledge_sources.status is 'queued, reading, ready, or failed (no page could be read in the last round).';
comment on column public.knowledge_sources.reason is 'Why it failed, or why its list could not be read; otherwise null.';
comment on column public.knowledge_sources.follows_links is 'Whether its pages are found by following links, since there is no sitemap.';
comment on column public.knowledge_sources.round_started_at is 'When the current or last round began.';
comment on column public.knowledge_sources.fetched_at is 'When the last round ended.';
comment on column public.knowledge_sources.next_refresh_at is 'When the next round begins; null: never, or during a round.';
comment on column public.knowledge_sources.suspicious_since is 'Since when its list is cut, or lacks more than half of the pages: such a list deletes nothing for a day.';
comment on column public.knowledge_sources.attempts is 'How often its list was begun to be read in this round.';
comment on column public.knowledge_sources.claim is 'The worker that reads its list until due_at.';
comment on column public.knowledge_sources.due_at is 'When there is something to do; null: never, unless it is queued again.';
comment on column public.knowledge_sources.taken_at is 'When a worker last took something of it: the one that has waited longest comes first.';

-- The list of a coach's sources, newest first.
create index knowledge_sources_by_number on public.knowledge_sources (coach_id, number desc);
-- Renaming or deleting a coach.
create index knowledge_sources_by_account on public.knowledge_sources (account_id, coach_id);
-- What a worker takes.
create index knowledge_sources_by_due_time on public.knowledge_sources (due_at) where due_at is not null;
