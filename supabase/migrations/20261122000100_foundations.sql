-- Foundations: the two schemas, the extensions, and the helpers that every other file uses.
--
-- How the schema is kept: until the release is tagged v1.0.0, these files are a baseline, and a change of the schema
-- edits them in place. From that tag on, a file that was released is never edited again: each change is a new file.
-- Each function is defined once. The files can be read in their order, like a book.
--
-- Who may do what: only the service reaches the tables, with the project's secret key (the role service_role). The
-- roles of a browser, anon and authenticated, reach nothing. Two things guard each table: these roles have no grants,
-- and row-level security returns none of its rows, even if someone grants too much by mistake (closed_tables.sql).
-- Functions in public are REST endpoints that only service_role may call. Those that use the schema private are
-- security definer, because service_role has no rights there; all others run with the rights of the caller. The default
-- privileges below apply to every function and table of these files, and tests/database checks each of them.
--
-- How statements stay quick: a connection keeps the plan of each statement, and may have made it while tables were
-- small or had no statistics. So the functions of a request are in plpgsql, which plans once, and the service's role has
-- settings of its own (see below). Where a function has further ones, a plan of tests/database/plans_test.ts needs them:
-- with enable_sort = off, the newest of many rows are read from the end of an index; the rest is said beside them.
-- Rows at hand are joined to a table by `lateral (… where id = … offset 0)` or, in an update, by `id = any (array[…])`:
-- both force Postgres to look up each id; a plain `id = …` could also be answered by a sequential scan.
-- Lists of work, whose rows come and go, start a vacuum after a fixed number of rows, not a share of them.
--
-- Surprises: projects made before May 2026 grant everything in public to all three roles by default, newer ones
-- nothing. The default privileges make them equal, up to closed_tables.sql: it brings back those that were there, since
-- other applications in this database may rely on them. Later files say for each function who may call it.

-- Internals that REST must never show, such as the digests of API keys.
create schema if not exists private;
comment on schema private is 'Internals of the service: not exposed over REST, reached only through functions.';
revoke all on schema private from public;

-- REST begins each request with the settings of its role. No table is read from end to end, however small it was when a
-- statement was planned; a plan is made once, not for each value; a list is read from its place in an index on, row by
-- row; and compiling would take longer than any statement of the service.
-- (Roles belong to the whole server: another database may have set them.)
do $$
declare setting text;
begin
  foreach setting in array '{enable_seqscan=off,plan_cache_mode=force_generic_plan,enable_bitmapscan=off,jit=off}'::text[] loop
    continue when (select rolconfig from pg_roles where rolname = 'service_role') @> array[setting];
    execute 'alter role service_role set ' || setting;
  end loop;
end $$;

-- Both as a hosted project has them. pg_trgm finds parts of file names, vector (pgvector) compares embeddings.
create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists vector with schema extensions;

-- The default privileges as they were: closed_tables.sql brings them back and drops this.
create table private.default_privileges as
select scope.name as scope, kind.name as kind, lower(acl.privilege_type) as privilege,
  case acl.grantee when 0 then 'public' else acl.grantee::regrole::text end as role
from (values ('', 0::oid), ('in schema public', 'public'::regnamespace::oid)) as scope (name, oid),
  (values ('f'::"char", 'functions'), ('r', 'tables'), ('S', 'sequences')) as kind (code, name),
  aclexplode(coalesce(
    (
      select defaclacl from pg_catalog.pg_default_acl
      where defaclrole = current_user::regrole and defaclnamespace = scope.oid and defaclobjtype = kind.code
    ),
    case when scope.oid = 0 then acldefault(case kind.code when 'S' then 's' else kind.code end, current_user::regrole) end
  )) as acl
where acl.grantee = any (array[0, 'anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole]::oid[]);

-- After the extensions, whose functions everybody may call.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public grant execute on functions to service_role;

-- A text for a parser of Postgres: no more than 200 characters without white space. Those parsers look at a run such as
-- a-b-1.a-b-1. once for each of its parts, so that 32,000 characters took ten seconds. Every text that a client sends
-- goes through here first; tests/database/hostile_texts_test.ts looks for others.
-- A regular expression with such a count takes longer than the parser itself. Where a run is broken, all white space is
-- made of spaces.
create function private.break_runs(content text) returns text
language plpgsql immutable security invoker set search_path = '' as $$
declare
  most constant integer := 200;
  spaced text;
begin
  if char_length(content) <= most then return content; end if;
  spaced := translate(content, E'\n\r\t', '   ');
  if (select max(char_length(run)) from string_to_table(spaced, ' ') as run) <= most then return content; end if;
  return (
    select string_agg(case when char_length(run.text) <= most then run.text else (
      select string_agg(substr(run.text, place, most), ' ' order by place)
      from generate_series(1, char_length(run.text), most) as place
    ) end, ' ' order by run.place)
    from string_to_table(spaced, ' ') with ordinality as run (text, place)
  );
end $$;

-- Times as replies show them: ISO 8601 with milliseconds, for to_char() of a time in UTC. The lists use the
-- format directly: with a call for each time, a list of a thousand threads would take half as long again. Helpers that
-- are called for each row, like to_wire_time(), are in plpgsql: Postgres keeps those ready, but plans one in SQL again
-- for each row, when a function in SQL calls it.
create function private.wire_time_format() returns text language sql immutable security invoker set search_path = ''
return 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

-- A time as replies show it: UTC, ISO 8601, with milliseconds.
create function private.to_wire_time(at timestamptz) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin return to_char(to_wire_time.at at time zone 'utc', private.wire_time_format()); end $$;

-- A cursor is <sort key>_<tie-breaker> of the last row of a page.
create type private.page as (data json, total bigint, next_cursor text);
comment on type private.page is 'A page of a list: its rows, or null for none; how many there are; null for no next page.';

-- A page as replies show it. A whole list has no cursor.
create function private.describe_page(page private.page, is_whole boolean) returns json
language plpgsql immutable security invoker set search_path = '' as $$
begin
  if is_whole then return json_build_object('data', coalesce(page.data, '[]'), 'count', page.total); end if;
  return json_build_object('data', coalesce(page.data, '[]'), 'count', page.total, 'next_cursor', page.next_cursor);
end $$;

create type private.entry as (data json, cursor text);
comment on type private.entry is 'A row of a list as replies show it, and the cursor of a page that ends with it.';

-- The page that entries begin with: one more than page_size tells that there is another. page_size null: a whole list.
create function private.describe_entries(entries private.entry[], page_size integer) returns json
language plpgsql immutable security invoker set search_path = '' as $$
declare shown constant private.entry[] := entries[:coalesce(page_size, cardinality(entries))];
begin
  return private.describe_page(row(
    (select json_agg(entry.data) from unnest(shown) as entry), cardinality(shown),
    case when cardinality(entries) > page_size then entries[page_size].cursor end
  )::private.page, is_whole => page_size is null);
end $$;
