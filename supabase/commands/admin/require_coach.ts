import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { CommandError } from "../command_error.ts";

/** The account of a coach. Fails for a coach that does not exist: an empty list would look like an answer. */
export async function requireCoach(client: SupabaseClient<Database>, coachId: string): Promise<string> {
  const { data: [coach] } = await client.from("coach_profiles").select("account_id").eq("id", coachId).throwOnError();
  if (coach === undefined) throw new CommandError("Coach not found");
  return coach.account_id;
}
