import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { isNullReply } from "../../infra/db/database.ts";
import { type Page, pageSizeOf } from "../../core/wire/paging.ts";
import { readCursor } from "./cursor.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

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

/** A coach in the JSON of the API; null if the caller may not talk to such a coach. */
export async function getCoach(database: AccountDatabase, coachId: string, picturesUrl: string): Promise<Json | null> {
  const reply = await database.callForBytes("get_coach", { coach_id: coachId, pictures_url: picturesUrl });
  return isNullReply(reply) ? null : reply;
}
