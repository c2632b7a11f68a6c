import type { Project } from "./open_project.ts";
import { readAll } from "./read_all.ts";

/** The API keys of an account or, without one, of all accounts, in the order of their IDs. */
export function readKeys({ client }: Pick<Project, "client">, accountId?: string) {
  return readAll(({ after, limit }) => {
    let query = client.rpc("list_api_keys").order("id").limit(limit).throwOnError();
    if (accountId !== undefined) query = query.eq("account_id", accountId);
    return after === null ? query : query.gt("id", after);
  });
}
