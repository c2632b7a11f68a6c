import { z } from "zod";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";

/** A project, opened with its secret key. */
export type Operator = SupabaseClient<Database>;

/** An account that is made to try a deployment, with a coach and a key. */
export type SmokeAccount = { accountId: string; coachId: string; apiKey: string };

const created = z.object({ id: z.string() });
const issued = z.object({ api_key: z.string() });

/** Makes an account, and nothing else in it. */
export async function createSmokeAccount(operator: Operator): Promise<string> {
  const { data } = await operator.rpc("create_account", { name: "Smoke test" }).throwOnError();
  return created.parse(data).id;
}

/** Gives an account a coach and a key. */
export async function fillSmokeAccount(operator: Operator, accountId: string): Promise<SmokeAccount> {
  const coach = await operator.rpc("create_coach", {
    account_id: accountId,
    name: "Smoke test",
    title: "Deployment test",
    instructions: "Answer with one short sentence.",
  }).throwOnError();
  const key = await operator.rpc("issue_api_key", { account_id: accountId, name: "Smoke test" }).throwOnError();
  return {
    accountId,
    coachId: created.parse(coach.data).id,
    apiKey: issued.parse(key.data).api_key,
  };
}

/** The tables with an account's rows, in the order in which they can be deleted. */
const tables = ["threads", "knowledge_files", "coach_profiles"] as const;

/** Removes an account and its rows. What they leave behind elsewhere is removed by the next run of the indexer. */
export async function removeSmokeAccount(operator: Operator, accountId: string): Promise<void> {
  for (const table of tables) await operator.from(table).delete().eq("account_id", accountId).throwOnError();
  await operator.from("accounts").delete().eq("id", accountId).throwOnError();
}

/** Says how to remove an account in the dashboard. */
export function removalByHand(accountId: string): string {
  const statements = tables.map((table) => `delete from ${table} where account_id = '${accountId}'`);
  return `Remove it in the SQL editor: ${
    [...statements, `delete from accounts where id = '${accountId}'`].join("; ")
  };`;
}
