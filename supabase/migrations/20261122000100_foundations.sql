-- Foundations: the two schemas, the extensions, and the helpers that every other file uses.
--
-- How the schema is kept: until the release is tagged v1.0.0, these files are a baseline, and a change of the schema
-- edits them in place. From that tag on, a file that was released is never edited again: each change is a new file.
-- Each function is defined once. The files can be read in their order, like a book:
--   accounts and coaches, API keys with limits and usage, token issuers, coaches for clients, conversations, feedback,
--   events, webhooks, pinned answers, open questions, idempotency keys, turns, takeover, knowledge files and uploads,
--   passages, ranking by words, ranking by meaning, search, search of threads, conversations with a coach, trying a
--   question, indexing, operators, data of a user, dashboard views.
--
-- Who may do what: the service alone reaches the tables, with the project's secret key (the role service_role). The
-- roles of a browser, anon and authenticated, reach nothing. Two things guard each table: they have no grants, and
-- row-level security lets none of their rows through, should someone grant too much by mistake.
-- Functions in public are REST endpoints, and only service_role may call them. Those that use the schema private are
-- security definer, since service_role has no rights there; all others run with the rights of the caller.
--
-- How statements stay quick: Postgres keeps the plan of each statement of a connection, and may have made it while
-- tables were small or without statistics. So what a request calls is in plpgsql, which plans once, with sequential
-- scans off. Rows at hand are joined to a table by `lateral (… where id = … offset 0)` or, in an update, by `id = any
-- (array[…])`: both leave Postgres no other way than to look up each id, where `id = …` may also be met by reading all.
--
-- Surprises: projects made before May 2026 grant everything in public to all three roles by default, newer ones
-- nothing. So every file revokes first and then grants.

-- Internals that REST must never show, such as the digests of API keys.
create schema if not exists private;
comment on schema private is 'Internals of the service: not exposed over REST, reached only through functions.';
revoke all on schema private from public;

-- Both as a hosted project has them. pg_trgm finds parts of file names, vector (pgvector) compares embeddings.
create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists vector with schema extensions;

-- Times as replies show them. The lists use the format directly: with a call for each time, a list of a thousand
-- threads would take half as long again. Helpers that are called for each row, like to_wire_time(), are in plpgsql:
-- Postgres keeps those ready, but plans one in SQL again for each row, when a function in SQL calls it.
create function private.wire_time_format() returns text
language sql immutable security invoker set search_path = ''
return 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

comment on function private.wire_time_format is 'ISO 8601 with milliseconds, for to_char() of a time in UTC.';
revoke execute on function private.wire_time_format from public;

create function private.to_wire_time(at timestamptz) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return to_char(to_wire_time.at at time zone 'utc', private.wire_time_format());
end;
$$;

comment on function private.to_wire_time is 'A time as replies show it: UTC, ISO 8601, with milliseconds.';
revoke execute on function private.to_wire_time from public;
