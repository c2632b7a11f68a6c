-- Coaches are listed for one account, by name, and only those that a key is bound to, if it is bound.
begin;
select plan(13);

insert into public.accounts (id, name) values
  ('00000000-0000-4000-8000-0000000000b1', 'Account'), ('00000000-0000-4000-8000-0000000000b2', 'Another account');
insert into public.coach_profiles (id, account_id, name, title, instructions, is_active) values
  ('a', '00000000-0000-4000-8000-0000000000b1', 'Ada', 'Coach', 'Teach.', true),
  ('b', '00000000-0000-4000-8000-0000000000b1', 'Bob', 'Coach', 'Teach.', true),
  ('c', '00000000-0000-4000-8000-0000000000b1', 'Cy', 'Coach', 'Teach.', true),
  ('asleep', '00000000-0000-4000-8000-0000000000b1', 'Dan', 'Coach', 'Teach.', false),
  ('others', '00000000-0000-4000-8000-0000000000b2', 'Eve', 'Coach', 'Teach.', true);

-- The ids on a page, and whether there is another page.
create function pg_temp.ids(list json) returns text language sql as $$
  select string_agg(coach ->> 'id', ' ') || case when list ->> 'next_cursor' is null then '' else ' …' end
  from json_array_elements(list -> 'data') as coach
$$;
grant execute on function pg_temp.ids to public;
-- The caller of a further call with a key that is bound to these coaches; null: to none.
create function pg_temp.caller(coach_ids text[]) returns jsonb language sql as $$
  with key as (
    insert into private.api_keys (account_id, digest, prefix, name, coach_ids)
    values ('00000000-0000-4000-8000-0000000000b1', gen_random_uuid(), 'p', 'n', caller.coach_ids) returning account_id, id
  )
  select jsonb_build_object('account_id', key.account_id, 'api_key_id', key.id) from key
$$;
grant execute on function pg_temp.caller to public;
-- As such a key lists them.
create function pg_temp.list(coach_ids text[], page_size integer default null, after_name text default null, after_id text default null)
returns json language sql as $$
  select public.list_coaches(pg_temp.caller(list.coach_ids), page_size, after_name, after_id)
$$;
grant execute on function pg_temp.list to public;

select is(pg_temp.ids(pg_temp.list(null)), 'a b c', 'a key that is not bound sees all active coaches of its account');
select is(pg_temp.ids(pg_temp.list('{c,a}')), 'a c', 'a bound key sees the coaches that it is bound to');
select is(pg_temp.list('{c,a}') ->> 'count', '2', 'and counts only them');
select is(pg_temp.ids(pg_temp.list('{c,a}', 1)), 'a …', 'its pages have only them too');
select is(pg_temp.ids(pg_temp.list('{c,a}', 1, 'Ada', 'a')), 'c', 'and end with the last of them');
select is(pg_temp.list('{asleep,others}')::text, '{"data" : [], "count" : 0}', 'neither inactive nor other accounts'' coaches come by being bound to');
select is(pg_temp.list('{}')::text, '{"data" : [], "count" : 0}', 'bound to none, it sees none');

select is(public.get_coach(pg_temp.caller(null), 'b') ->> 'name', 'Bob', 'a key that is not bound gets a coach');
select is(public.get_coach(pg_temp.caller('{a,b}'), 'b') ->> 'name', 'Bob', 'a bound key gets its coach');
select is(public.get_coach(pg_temp.caller('{a}'), 'b') ->> 'error', 'coach_not_found', 'a bound key gets no other');
select is(public.get_coach(pg_temp.caller('{others,asleep}'), 'others') ->> 'error', 'coach_not_found', 'nor one of another account');

select throws_ok(
  $$ update public.coach_profiles set starters = '{Why?,null}' where id = 'a' $$, '23514', null,
  'starters that are none cannot be written by hand'
);
select throws_ok(
  $$ update public.coach_profiles set greeting = '' where id = 'a' $$, '23514', null,
  'nor can an empty greeting'
);

select * from finish();
rollback;
