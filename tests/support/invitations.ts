import { ask, type Credentials, type Reply } from "./client.ts";
import { operator } from "./project.ts";
import type { Service } from "./service.ts";

/** An invitation with its token. */
export type ShownInvitation = { id: string; role: string; token: string; url: string | null };

/** Invites somebody to become an expert of a coach. */
export async function invite(
  service: Pick<Service, "url">,
  credentials: Credentials,
  coachId: string,
  role: string,
): Promise<ShownInvitation> {
  return (await ask(service, "POST", `/coaches/${coachId}/invitations`, credentials, { role })).json;
}

/** Invites somebody to make a coach of their own, as an operator does. */
export async function inviteToOwnCoach(accountId: string): Promise<ShownInvitation> {
  const { data } = await operator.rpc("invite_expert", { account_id: accountId }).throwOnError();
  return data as ShownInvitation;
}

/** Accepts an invitation. */
export function accept(
  service: Pick<Service, "url">,
  credentials: Credentials,
  token: string,
  more: Record<string, unknown> = {},
): Promise<Reply> {
  return ask(service, "POST", "/coaches/invitations/accept", credentials, { token, ...more });
}

/** The roles of the experts of a coach, by their users. */
export async function rolesOf(coachId: string): Promise<Record<string, string>> {
  const { data } = await operator.from("coach_experts").select("user_id,role").eq("coach_id", coachId).throwOnError();
  return Object.fromEntries(data.map(({ user_id, role }) => [user_id, role]));
}

/** The user in `owner_id` of a coach. */
export async function ownerOf(coachId: string): Promise<string | null> {
  const { data } = await operator.from("coach_profiles").select("owner_id").eq("id", coachId).single().throwOnError();
  return data.owner_id;
}
