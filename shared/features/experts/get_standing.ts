import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { roles, type Standing } from "./roles.ts";

const StandingReply = z.object({
  role: z.nullable(z.enum(roles)),
  reads_files: z.boolean(),
  reads_sources: z.boolean(),
});

/** The standing of a caller with the coaches that its key gives access to. `userId` null: a server with a key. */
export async function getStanding(database: AccountDatabase, userId: string | null): Promise<Standing> {
  return await database.call("get_standing", { user_id: userId }, StandingReply);
}
