import * as z from "zod/mini";
import type { FunctionName } from "../../infra/db/database.ts";
import { readRefusal } from "../../infra/db/read_refusal.ts";
import { errors } from "../../base/errors.ts";

const Refusal = z.object({ error: z.enum(["coach_not_found", "not_the_expert"]) });
const refusals = { coach_not_found: errors.coachNotFound, not_the_expert: errors.notTheExpert };

/** @throws 404 or 403 if Postgres has refused a caller who is not the expert behind the coach. */
export function refuseExpert(name: FunctionName, reply: Uint8Array): void {
  const refusal = readRefusal(name, reply, Refusal);
  if (refusal !== null) throw refusals[refusal.error]();
}
