import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { type Page, pageSizeOf } from "../../core/wire/paging.ts";
import { readCursor } from "./cursor.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

const DeletedCoach = replyObject({ id: z.string() });

/** The coaches that the caller may talk to, by name, in the JSON of the API. */
export async function listCoaches(database: AccountDatabase, page: Page, picturesUrl: string): Promise<Json> {
  const after = page.cursor === undefined ? null : readCursor(page.cursor);
  return await database.callForBytes("list_coaches", {
    page_size: pageSizeOf(page),
    after_name: after?.name ?? null,
    after_id: after?.id ?? null,
    pictures_url: picturesUrl,
  });
}

/** A coach in the JSON of the API. */
export async function getCoach(
  database: AccountDatabase,
  coachId: string,
  { picturesUrl, tellsByMail }: { picturesUrl: string; tellsByMail: boolean },
): Promise<Json> {
  const args = { coach_id: coachId, pictures_url: picturesUrl, tells_by_mail: tellsByMail };
  return await database.callForBytes("get_coach", args);
}

/** The coach, and the caller; null: a server with a key. */
type OwnerAccess = { coachId: string; userId: string | null };

const columnsOf = ({ coachId, userId }: OwnerAccess) => ({ coach_id: coachId, user_id: userId });

/** The settings of a coach, in the JSON of the API. */
export async function getSettings(database: AccountDatabase, access: OwnerAccess): Promise<Json> {
  return await database.callForBytes("get_settings", columnsOf(access));
}

/** Changes settings of a coach, and returns all. */
export async function saveSettings(
  database: AccountDatabase,
  access: OwnerAccess,
  changes: Record<string, string | boolean | null | undefined>,
): Promise<Json> {
  return await database.callForBytes("save_settings", { ...columnsOf(access), changes });
}

/** Deletes a coach, and returns its ID. */
export async function deleteCoach(database: AccountDatabase, access: OwnerAccess, confirm: string): Promise<string> {
  return (await database.call("delete_coach", { ...columnsOf(access), confirm }, DeletedCoach)).id;
}
