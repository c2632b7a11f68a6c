import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { CommandError } from "../command_error.ts";
import { formatFields, formatTime } from "./format_table.ts";

/** A source as its table has it, without what only the fetcher needs. */
export const sourceColumns =
  "id, coach_id, url, kind, refresh, page_limit, status, reason, fetched_at, next_refresh_at" as const;

type SourceRow = Pick<
  Database["public"]["Tables"]["knowledge_sources"]["Row"],
  | "id"
  | "coach_id"
  | "url"
  | "kind"
  | "refresh"
  | "page_limit"
  | "status"
  | "reason"
  | "fetched_at"
  | "next_refresh_at"
>;

/** The fields of a source, one a line. */
export function formatSource(source: SourceRow): string {
  return formatFields({
    id: source.id,
    url: source.url,
    kind: source.kind,
    status: source.status,
    reason: source.reason,
    refresh: source.refresh,
    limit: source.page_limit,
    fetched: source.fetched_at && formatTime(source.fetched_at),
    next: source.next_refresh_at && formatTime(source.next_refresh_at),
  });
}

/** Returns a source. @throws {CommandError} if there is none with this ID. */
export async function requireSource(client: SupabaseClient<Database>, id: string): Promise<SourceRow> {
  const { data: [source] } = await client.from("knowledge_sources").select(sourceColumns).eq("id", id).throwOnError();
  if (source === undefined) throw new CommandError("Source not found");
  return source;
}
