import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Page, pageSizeOf } from "../../core/wire/paging.ts";
import { maxPages } from "./limits.ts";
import type { AddSourceInput, UpdateSourceInput } from "./schemas.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** A source of a coach. Null: no source can have such an ID. */
export type SourcePlace = { coachId: string; sourceId: string | null };

/** The user who changes a source. Null: the key acts alone. */
type Writer = { userId: string | null };

/** The sources of a coach, newest first. */
export async function listSources(database: AccountDatabase, coachId: string, page: Page): Promise<Json> {
  return await database.callForBytes("list_sources", {
    coach_id: coachId,
    page_size: pageSizeOf(page),
    after_number: page.cursor === undefined ? null : Number(page.cursor),
  });
}

/** A source, with the pages that could not be read. */
export async function getSource(database: AccountDatabase, { coachId, sourceId }: SourcePlace): Promise<Json> {
  return await database.callForBytes("get_source", { coach_id: coachId, source_id: sourceId });
}

/** Adds a source, and returns it, or the one with the same address. */
export async function addSource(
  database: AccountDatabase,
  { userId, requestId, coachId, url, kind, refresh, limit }: AddSourceInput & Writer & { requestId: string },
): Promise<Json> {
  return await database.callForBytes("add_source", {
    user_id: userId,
    coach_id: coachId,
    url,
    kind,
    refresh,
    page_limit: limit ?? maxPages,
    request_id: requestId,
  });
}

/** Changes the fields that are passed, and returns the source. `isQueued`: it is also read again now. */
export async function updateSource(
  database: AccountDatabase,
  { coachId, sourceId, userId }: SourcePlace & Writer,
  { refresh, limit, isQueued }: Pick<UpdateSourceInput, "refresh" | "limit"> & { isQueued: boolean },
): Promise<Json> {
  return await database.callForBytes("update_source", {
    user_id: userId,
    coach_id: coachId,
    source_id: sourceId,
    refresh: refresh ?? null,
    page_limit: limit ?? null,
    is_queued: isQueued,
  });
}

/** Deletes a source with the files of its pages. */
export async function deleteSource(
  database: AccountDatabase,
  { coachId, sourceId, userId }: SourcePlace & Writer,
): Promise<Json> {
  return await database.callForBytes("delete_source", { user_id: userId, coach_id: coachId, source_id: sourceId });
}
