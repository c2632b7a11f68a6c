import type { Operator } from "./smoke_account.ts";

/** A user of the project's Auth that is made to try a deployment. */
export type SmokeUser = { id: string; email: string; password: string };

/** Creates a user who can sign in. @throws {Error} with the address when that fails. */
export async function createSmokeUser(operator: Operator): Promise<SmokeUser> {
  const credentials = { email: `smoke-test-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const { data: { user }, error } = await operator.auth.admin.createUser({ ...credentials, email_confirm: true });
  if (user === null) throw new Error(`the user ${credentials.email} cannot be created: ${error?.message}`);
  return { id: user.id, ...credentials };
}

/** Removes a user. @throws {Error} when that is refused. */
export async function removeSmokeUser(operator: Operator, id: string): Promise<void> {
  const { error } = await operator.auth.admin.deleteUser(id);
  if (error !== null) throw error;
}
