import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";

/** The roles of experts. Each may do what the one before it may. */
export const roles = ["answerer", "editor", "owner"] as const;
export type Role = typeof roles[number];

const Standing = z.object({
  /** The highest role that the caller has with any of them; null if it has none. A key alone counts as an owner. */
  role: z.nullable(z.enum(roles)),
  /** True if the caller may search the files of any of them. */
  reads_files: z.boolean(),
  /** True if the caller may look up what answers of any of them draw on. */
  reads_sources: z.boolean(),
});
/** The standing of a caller with the coaches that its key gives access to, whichever of them. */
export type Standing = z.output<typeof Standing>;

/** Asks for the standing of a caller. `userId` null: a server with a key. */
export async function getStanding(database: AccountDatabase, userId: string | null): Promise<Standing> {
  return await database.call("get_standing", { user_id: userId }, Standing);
}
