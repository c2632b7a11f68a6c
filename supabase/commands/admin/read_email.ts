import { z } from "zod";
import type { Project } from "./open_project.ts";

/** A user's email address; null where Auth does not know one, as of visitors and of users of an application's own. */
export async function readEmail({ client }: Project, userId: string): Promise<string | null> {
  if (!z.guid().safeParse(userId).success) return null;
  const { data: { user } } = await client.auth.admin.getUserById(userId);
  return user?.email || null;
}
