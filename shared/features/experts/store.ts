import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Page, pageSizeOf, readPage } from "../../core/wire/paging.ts";
import { readCursor } from "../coaches/cursor.ts";
import { Invitation } from "./replies.ts";
import { type Role, roles, type Standing } from "./roles.ts";

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The coach, and the caller. */
export type ExpertAccess = {
  coachId: string;
  /** Null: a server with a key. */
  userId: string | null;
};

const columnsOf = ({ coachId, userId }: ExpertAccess) => ({ coach_id: coachId, user_id: userId });

function pageColumns(page: Page) {
  const { pageSize, afterAt, afterKey } = readPage(page);
  return { page_size: pageSize, after_at: afterAt, after_id: afterKey };
}

/** The experts of a coach, those who have been experts for longest first. */
export async function listExperts(database: AccountDatabase, access: ExpertAccess, page: Page): Promise<Json> {
  return await database.callForBytes("list_experts", { ...columnsOf(access), ...pageColumns(page) });
}

/** Gives an expert another role, and returns the expert. `expertId` null: no user can have such an ID. */
export async function setRole(
  database: AccountDatabase,
  access: ExpertAccess,
  { expertId, role }: { expertId: string | null; role: Role },
): Promise<Json> {
  return await database.callForBytes("set_expert_role", { ...columnsOf(access), expert_id: expertId, role });
}

/** Ends that a user is an expert of a coach. `expertId` null: no user can have such an ID. */
export async function removeExpert(
  database: AccountDatabase,
  access: ExpertAccess,
  expertId: string | null,
): Promise<void> {
  await database.callForBytes("set_expert_role", { ...columnsOf(access), expert_id: expertId });
}

const InvitationWithToken = z.object({ ...Invitation.shape, token: z.string() });

/** Invites somebody to become an expert of a coach, and returns the invitation with its token. */
export async function createInvitation(
  database: AccountDatabase,
  access: ExpertAccess,
  { role, email }: { role: Role; email: string | null },
): Promise<z.infer<typeof InvitationWithToken>> {
  return await database.call("create_invitation", { ...columnsOf(access), role, email }, InvitationWithToken);
}

/** The open invitations of a coach, newest first. */
export async function listInvitations(database: AccountDatabase, access: ExpertAccess, page: Page): Promise<Json> {
  return await database.callForBytes("list_invitations", { ...columnsOf(access), ...pageColumns(page) });
}

/** Takes an invitation back. `invitationId` null: no invitation can have such an ID. */
export async function deleteInvitation(
  database: AccountDatabase,
  access: ExpertAccess,
  invitationId: string | null,
): Promise<void> {
  await database.callForBytes("delete_invitation", { ...columnsOf(access), invitation_id: invitationId });
}

/** What an invitation is for. */
export async function previewInvitation(
  database: AccountDatabase,
  { userId, digest }: { userId: string | null; digest: string },
): Promise<Json> {
  return await database.callForBytes("preview_invitation", { user_id: userId, digest });
}

/** The user who accepts an invitation, its digest, and the coach to be made if it has none. */
export type Acceptance = { userId: string; digest: string; name: string | null; title: string | null };

/** Makes a user an expert, and uses the invitation up. */
export async function acceptInvitation(
  database: AccountDatabase,
  { userId, digest, name, title }: Acceptance,
): Promise<Json> {
  return await database.callForBytes("accept_invitation", { user_id: userId, digest, name, title });
}

/** Acts on a coach and its experts, newest first. */
export async function listActs(database: AccountDatabase, access: ExpertAccess, page: Page): Promise<Json> {
  return await database.callForBytes("list_acts", {
    ...columnsOf(access),
    page_size: pageSizeOf(page),
    after_number: page.cursor === undefined ? null : Number(page.cursor),
  });
}

/** The coaches whose expert a user is, by name. */
export async function listOwnCoaches(
  database: AccountDatabase,
  userId: string,
  page: Page,
  picturesUrl: string,
): Promise<Json> {
  const after = page.cursor === undefined ? null : readCursor(page.cursor);
  return await database.callForBytes("list_own_coaches", {
    user_id: userId,
    page_size: pageSizeOf(page),
    after_name: after?.name ?? null,
    after_id: after?.id ?? null,
    pictures_url: picturesUrl,
  });
}

const StandingReply = z.object({
  role: z.nullable(z.enum(roles)),
  reads_files: z.boolean(),
  reads_sources: z.boolean(),
});

/** The standing of a caller with the coaches that its key gives access to. `userId` null: a server with a key. */
export async function getStanding(database: AccountDatabase, userId: string | null): Promise<Standing> {
  return await database.call("get_standing", { user_id: userId }, StandingReply);
}
