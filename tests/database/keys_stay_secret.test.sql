-- An API key is shown once, when it is issued. Only its digest is stored, and the digest is never shown.
begin;
select plan(17);

insert into public.accounts (id, name) values
  ('00000000-0000-4000-8000-0000000000b1', 'Account'), ('00000000-0000-4000-8000-0000000000b2', 'Another account');
create temp table issued as
select public.issue_api_key('00000000-0000-4000-8000-0000000000b1', 'key')::jsonb as reply;
create temp table kept as
select to_jsonb(api_key) as row, api_key.digest, api_key.id from private.api_keys as api_key
where account_id = '00000000-0000-4000-8000-0000000000b1';
grant select on issued, kept to public;

select is(digest, encode(sha256(convert_to(reply ->> 'api_key', 'UTF8')), 'hex'), 'the digest of the key is stored')
from issued, kept;
select unalike(kept.row::text, '%' || (reply ->> 'api_key') || '%', 'the key itself is not stored') from issued, kept;
select unalike(kept.row::text, '%' || substr(reply ->> 'api_key', 15) || '%', 'the part of the key after its prefix is not stored')
from issued, kept;

set local role anon;
select throws_ok('select digest from private.api_keys', '42501', null, 'anon may not read digests');
select throws_ok($$ select public.issue_api_key('00000000-0000-4000-8000-0000000000b1', 'mine') $$, '42501', null, 'anon may not issue a key');
select throws_ok('select public.revoke_api_key(id) from pg_temp.kept', '42501', null, 'anon may not revoke a key');
select throws_ok($$ select public.admit_request(jsonb_build_object('key_digest', digest)) from pg_temp.kept $$, '42501', null, 'anon may not admit a request');

set local role authenticated;
set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-0000000000a1", "role": "authenticated"}';
select throws_ok('select digest from private.api_keys', '42501', null, 'a signed-in user may not read digests');
select throws_ok($$ select public.issue_api_key('00000000-0000-4000-8000-0000000000b1', 'mine') $$, '42501', null, 'a signed-in user may not issue a key');
select throws_ok('select public.revoke_api_key(id) from pg_temp.kept', '42501', null, 'a signed-in user may not revoke a key');
select throws_ok($$ select public.admit_request(jsonb_build_object('key_digest', digest)) from pg_temp.kept $$, '42501', null, 'a signed-in user may not admit a request');

set local role service_role;
select throws_ok('select digest from private.api_keys', '42501', null, 'the service may not read digests');
select throws_ok('update private.api_keys set revoked_at = null', '42501', null, 'the service may not undo a revocation');
select unalike(reply::text, '%' || digest || '%', 'issuing a key does not show its digest') from issued, kept;
select unalike(public.admit_request(jsonb_build_object('key_digest', digest, 'is_counted', true))::text, '%' || digest || '%', 'admitting a request does not show the digest') from kept;
select unalike(public.revoke_api_key(id)::text, '%' || digest || '%', 'revoking a key does not show its digest') from kept;
select is(public.admit_request(jsonb_build_object('key_digest', digest, 'is_counted', false))::text, null, 'a revoked key is not admitted') from kept;

reset role;
select * from finish();
rollback;
