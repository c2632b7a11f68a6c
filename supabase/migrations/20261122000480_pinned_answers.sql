-- Pinned answers: to come. Until then there are none.

create function private.find_pinned_answers(coach_id text, has_history boolean, message text, query_vector text) returns json
language sql stable security invoker set search_path = ''
return '{"exact": null, "near": []}'::json;

comment on function private.find_pinned_answers is 'None yet.';
revoke execute on function private.find_pinned_answers from public;

create function private.count_hits(exact uuid, near uuid[]) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  return;
end;
$$;

comment on function private.count_hits is 'None yet.';
revoke execute on function private.count_hits from public;
