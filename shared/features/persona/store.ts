import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { type Page, pageSizeOf } from "../../core/wire/paging.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The coach, and the caller. */
export type ExpertAccess = {
  coachId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

/** The state that the caller has seen. Left out: none. */
export type Seen = { version?: number; revision?: number };

/** Those fields of a persona that a draft has. */
export type PersonaFields = Record<string, string | string[] | null>;

/** A picture, by the digest of its bytes. */
export type StoredPicture = { digest: string; extension: string };

const columnsOf = ({ coachId, userId }: ExpertAccess) => ({ coach_id: coachId, user_id: userId });

/** The draft of a coach, or what is published. */
export async function getDraft(database: AccountDatabase, access: ExpertAccess, picturesUrl: string): Promise<Json> {
  return await database.callForBytes("get_draft", { ...columnsOf(access), pictures_url: picturesUrl });
}

/** Replaces all fields of the draft but its picture, and returns it. Null: deletes the draft. */
export async function saveDraft(
  database: AccountDatabase,
  access: ExpertAccess,
  { fields, seen, picturesUrl }: { fields: PersonaFields | null; seen: Seen; picturesUrl: string },
): Promise<Json> {
  return await database.callForBytes("save_draft", {
    ...columnsOf(access),
    fields,
    pictures_url: picturesUrl,
    if_version: seen.version ?? null,
    if_revision: seen.revision ?? null,
  });
}

const AnnouncedPicture = replyObject({ path: z.string() });

/** Announces a picture that is about to be stored. Returns its path in the bucket. */
export async function beginPicture(
  database: AccountDatabase,
  access: ExpertAccess,
  picture: StoredPicture,
): Promise<z.infer<typeof AnnouncedPicture>> {
  return await database.call("begin_picture", { ...columnsOf(access), ...picture }, AnnouncedPicture);
}

/** Gives the draft a stored picture, null for none, and returns it. */
export async function setPicture(
  database: AccountDatabase,
  access: ExpertAccess,
  picture: StoredPicture | null,
  picturesUrl: string,
): Promise<Json> {
  return await database.callForBytes("set_picture", {
    ...columnsOf(access),
    pictures_url: picturesUrl,
    digest: picture?.digest ?? null,
    extension: picture?.extension ?? null,
  });
}

/** Publishes the draft, and returns the version. */
export async function publishDraft(
  database: AccountDatabase,
  access: ExpertAccess,
  { version, revision }: Seen & { version: number },
  picturesUrl: string,
): Promise<Json> {
  return await database.callForBytes("publish_draft", {
    ...columnsOf(access),
    pictures_url: picturesUrl,
    if_version: version,
    if_revision: revision ?? null,
  });
}

/** The versions of a coach, newest first. */
export async function listVersions(database: AccountDatabase, access: ExpertAccess, page: Page): Promise<Json> {
  return await database.callForBytes("list_versions", {
    ...columnsOf(access),
    page_size: pageSizeOf(page),
    after_version: page.cursor === undefined ? null : Number(page.cursor),
  });
}

/** A version of a coach. */
export async function getVersion(
  database: AccountDatabase,
  access: ExpertAccess,
  version: number,
  picturesUrl: string,
): Promise<Json> {
  return await database.callForBytes("get_version", { ...columnsOf(access), version, pictures_url: picturesUrl });
}

/** Publishes an earlier version once more, and returns the new one. */
export async function restoreVersion(
  database: AccountDatabase,
  access: ExpertAccess,
  { version, seen, picturesUrl }: { version: number; seen: Seen; picturesUrl: string },
): Promise<Json> {
  return await database.callForBytes("restore_version", {
    ...columnsOf(access),
    version,
    pictures_url: picturesUrl,
    if_version: seen.version ?? null,
  });
}
