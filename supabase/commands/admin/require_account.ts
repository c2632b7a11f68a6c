import { CommandError } from "../command_error.ts";
import type { Project } from "./open_project.ts";

/** Fails for an account that does not exist: an empty list would look like an answer. */
export async function requireAccount({ client }: Project, accountId: string): Promise<void> {
  const { data } = await client.from("accounts").select("id").eq("id", accountId).throwOnError();
  if (data.length === 0) throw new CommandError("Account not found");
}
