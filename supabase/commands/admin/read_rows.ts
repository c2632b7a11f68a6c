import { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import type { Project } from "./open_project.ts";

const pageSize = 1_000;

/** The reply to a query of the client library. */
type Rows<Row> = PromiseLike<{ data: Row[] | null }>;

/**
 * Reads all rows, and returns the oldest first. `readPage` must order by ID: the next page starts after the last ID,
 * because a project may cut a reply at any length without reporting it.
 */
export async function readAll<Row extends { id: string; created_at: string }>(
  readPage: (page: { after: string | null; limit: number }) => Rows<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (true) {
    const { data } = await readPage({ after: rows.at(-1)?.id ?? null, limit: pageSize });
    if (!data?.length) return rows.sort(oldestFirst);
    rows.push(...data);
  }
}

/**
 * The same for rows without an ID. If a new row moves another one to the next page, that one is read twice, but returned
 * once.
 */
export async function readAllByOffset<Row>(
  readPage: (page: { from: number; to: number }) => Rows<Row>,
  identify: (row: Row) => string,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let from = 0;;) {
    const { data } = await readPage({ from, to: from + pageSize - 1 });
    if (!data?.length) return [...rows.values()];
    from += data.length;
    for (const row of data) rows.set(identify(row), row);
  }
}

type Made = { id: string; created_at: string };

/** Orders by time of creation, then by id. */
function oldestFirst(one: Made, other: Made): number {
  return Date.parse(one.created_at) - Date.parse(other.created_at) || (one.id < other.id ? -1 : 1);
}

type Opened = Pick<Project, "client">;

/** Fails for an account that is named and does not exist: an empty list would look like an answer. */
export async function requireAccount({ client }: Opened, accountId: string | undefined): Promise<void> {
  if (accountId === undefined) return;
  const { data } = await client.from("accounts").select("id").eq("id", accountId).throwOnError();
  if (data.length === 0) throw new CommandError("Account not found");
}

/** The account of a coach. Fails for a coach that does not exist, too. */
export async function requireCoach(client: Project["client"], coachId: string): Promise<string> {
  const { data: [coach] } = await client.from("coach_profiles").select("account_id").eq("id", coachId).throwOnError();
  if (coach === undefined) throw new CommandError("Coach not found");
  return coach.account_id;
}

/** The API keys of an account or, without one, of all accounts, in the order of their IDs. */
export function readKeys({ client }: Opened, accountId?: string) {
  return readAll(({ after, limit }) => {
    let query = client.rpc("list_api_keys").order("id").limit(limit).throwOnError();
    if (accountId !== undefined) query = query.eq("account_id", accountId);
    return after === null ? query : query.gt("id", after);
  });
}

/** A user's email address; null where Auth does not know one, as of visitors and of users of an application's own. */
export async function readEmail({ client }: Opened, userId: string): Promise<string | null> {
  if (!z.guid().safeParse(userId).success) return null;
  const { data: { user } } = await client.auth.admin.getUserById(userId);
  return user?.email || null;
}

const foreignKeyViolation = "23503";

/** Explains the error of storing a user in a column who is not one of the project, with a sentence. */
export function explainUser(column: string, sentence: string) {
  return (error: unknown): never => {
    const isMissing = error instanceof PostgrestError && error.code === foreignKeyViolation &&
      error.message.includes(column);
    throw isMissing ? new CommandError(sentence) : error;
  };
}
