import { roles } from "../../../shared/features/experts/roles.ts";
import { z } from "zod";
import type { Project } from "./open_project.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { readEmail } from "./read_email.ts";

/** The role of an expert, as an option. */
export const role = z.enum(roles, { error: "is not owner, editor or answerer" });

/** An expert of a coach. The email address is null where Auth does not tell it, as that of `npm start`. */
export type ListedExpert = { user_id: string; email: string | null; role: string; created_at: string };

/** The experts of a coach, those who have been experts for longest first. */
export async function readExperts(project: Project, coachId: string): Promise<ListedExpert[]> {
  const { data } = await project.client.from("coach_experts").select("user_id,role,created_at").eq("coach_id", coachId)
    .order("created_at").order("user_id").throwOnError();
  return await Promise.all(
    data.map(async (expert) => ({ ...expert, email: await readEmail(project, expert.user_id) })),
  );
}

/** Experts as a table; empty without any. */
export function formatExperts(experts: ListedExpert[]): string {
  return formatTable(
    ["role", "email", "since", "user"],
    experts.map(({ user_id, email, role, created_at }) => [role, email, formatTime(created_at), user_id]),
  );
}
