import { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import type { Project } from "./open_project.ts";

const pageSize = 1_000;

/** A query of the client library that has not been sent yet. */
type Query<Row> = {
  order(column: string): Query<Row>;
  limit(count: number): Query<Row>;
  range(from: number, to: number): Query<Row>;
  gt(column: string, value: unknown): Query<Row>;
  eq(column: string, value: unknown): Query<Row>;
  throwOnError(): PromiseLike<{ data: Row[] | null }>;
};

/**
 * Reads all rows of an account or, without one, of all, and returns the oldest first. A page starts after the last ID of
 * the one before, because a project may cut a reply at any length without reporting it.
 *
 * @param query makes the query without an order
 */
export async function readAll<Row extends { id: string; created_at: string }>(
  query: () => Query<Row>,
  accountId?: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (true) {
    let page = query().order("id").limit(pageSize);
    if (accountId !== undefined) page = page.eq("account_id", accountId);
    if (rows.length > 0) page = page.gt("id", rows.at(-1)!.id);
    const { data } = await page.throwOnError();
    if (!data?.length) return rows.sort(oldestFirst);
    rows.push(...data);
  }
}

/** The same in the order of the query. A row that a new one moves to the next page is returned once. */
export async function readAllByOffset<Row>(
  query: () => Query<Row>,
  identify: (row: Row) => string,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let from = 0;;) {
    const { data } = await query().range(from, from + pageSize - 1).throwOnError();
    if (!data?.length) return [...rows.values()];
    from += data.length;
    for (const row of data) rows.set(identify(row), row);
  }
}

type Made = { id: string; created_at: string };

function oldestFirst(one: Made, other: Made): number {
  return Date.parse(one.created_at) - Date.parse(other.created_at) || (one.id < other.id ? -1 : 1);
}

type Opened = Pick<Project, "client">;

/** The only row of a query. @throws {CommandError} if there is none, such as "Coach not found" */
export async function requireRow<Row>(
  what: string,
  query: { throwOnError(): PromiseLike<{ data: Row[] | null }> },
): Promise<Row> {
  const { data } = await query.throwOnError();
  if (data?.[0] === undefined) throw new CommandError(`${what} not found`);
  return data[0];
}

/** Fails for an account that is named and does not exist: an empty list would look like an answer. */
export async function requireAccount({ client }: Opened, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined) await requireRow("Account", client.from("accounts").select("id").eq("id", accountId));
}

/** The account of a coach. Fails for a coach that does not exist, too. */
export async function requireCoach(client: Project["client"], coachId: string): Promise<string> {
  const query = client.from("coach_profiles").select("account_id").eq("id", coachId);
  return (await requireRow("Coach", query)).account_id;
}

/** The API keys of an account or, without one, of all accounts, in the order of their IDs. */
export function readKeys({ client }: Opened, accountId?: string) {
  return readAll(() => client.rpc("list_api_keys"), accountId);
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
