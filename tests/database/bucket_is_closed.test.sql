-- Only the service's own key may use the objects of the knowledge files.
begin;
select plan(22);

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-0000000000a1', 'owner@example.com'),
  ('00000000-0000-4000-8000-0000000000a2', 'stranger@example.com');
insert into storage.objects (bucket_id, name, owner_id)
values ('knowledge', 'account/upload/1', '00000000-0000-4000-8000-0000000000a1');

create function pg_temp.try(statement text) returns text language plpgsql as $$
declare
  met bigint;
begin
  execute statement;
  get diagnostics met = row_count;
  return met;
exception when others then
  return sqlstate;
end;
$$;
grant execute on function pg_temp.try to public;

select results_eq(
  $$ select public, file_size_limit from storage.buckets where id = 'knowledge' $$,
  $$ values (false, 52428800::bigint) $$,
  'the bucket is private and takes files of up to 50 MiB'
);
select results_eq(
  $$ select public, file_size_limit, allowed_mime_types from storage.buckets where id = 'pictures' $$,
  $$ values (true, 1048576::bigint, array['image/png', 'image/jpeg', 'image/webp']) $$,
  'pictures can be read by everybody, and take up to 1 MiB'
);
select is_empty($$ select policyname from pg_policies where schemaname = 'storage' $$, 'no policy opens a bucket');

set local role anon;
select is(pg_temp.try('select from storage.buckets'), '0', 'anon sees no bucket');
select is(pg_temp.try('select from storage.objects'), '0', 'anon sees no object');
select is(pg_temp.try($$ insert into storage.objects (bucket_id, name) values ('knowledge', 'mine') $$), '42501', 'anon may not store an object');
select is(pg_temp.try($$ update storage.objects set name = 'mine' $$), '0', 'anon moves no object');
select isnt(pg_temp.try('delete from storage.objects'), '1', 'anon deletes no object');
select is(pg_temp.try('update storage.buckets set public = true'), '0', 'anon opens no bucket');

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
select is(pg_temp.try('select from storage.buckets'), '0', 'the owner sees no bucket');
select is(pg_temp.try('select from storage.objects'), '0', 'the owner sees no object');
select is(pg_temp.try($$ insert into storage.objects (bucket_id, name) values ('knowledge', 'mine') $$), '42501', 'the owner may not store an object');
select is(pg_temp.try($$ update storage.objects set name = 'mine' $$), '0', 'the owner moves no object');
select isnt(pg_temp.try('delete from storage.objects'), '1', 'the owner deletes no object');
select is(pg_temp.try('update storage.buckets set public = true'), '0', 'the owner opens no bucket');

set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a2", "role": "authenticated"}';
select is(pg_temp.try('select from storage.buckets'), '0', 'a stranger sees no bucket');
select is(pg_temp.try('select from storage.objects'), '0', 'a stranger sees no object');
select is(pg_temp.try($$ insert into storage.objects (bucket_id, name) values ('knowledge', 'mine') $$), '42501', 'a stranger may not store an object');
select is(pg_temp.try($$ update storage.objects set name = 'mine' $$), '0', 'a stranger moves no object');
select isnt(pg_temp.try('delete from storage.objects'), '1', 'a stranger deletes no object');
select is(pg_temp.try('update storage.buckets set public = true'), '0', 'a stranger opens no bucket');

set local role service_role;
select is(pg_temp.try($$ select from storage.objects where name = 'account/upload/1' $$), '1', 'the service finds the object, as it was');

reset role;
select * from finish();
rollback;
