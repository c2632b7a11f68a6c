import type { components } from "../../shared/clients/client/api_types.ts";
import { clientOf, type Credentials } from "./client.ts";
import { eventually } from "./eventually.ts";
import { sweep } from "./knowledge.ts";
import type { Tenant } from "./project.ts";
import type { Service } from "./service.ts";

type Schemas = components["schemas"];

/** A run as clients see it. */
export type TestRun = Schemas["TestRun"];

/** Runs tests of a coach, and returns the run when it has ended. */
export async function runTests(
  service: Service,
  tenant: Pick<Tenant, "coachId"> & Credentials,
  body: Schemas["StartTestRunBody"] = {},
): Promise<TestRun> {
  const { id } = await clientOf(service, tenant).startTestRun(tenant.coachId, body);
  return await finishRun(service, tenant, id);
}

/** Has the indexer called until a run has ended. */
export async function finishRun(
  service: Service,
  tenant: Pick<Tenant, "coachId"> & Credentials,
  runId: string,
): Promise<TestRun> {
  const client = clientOf(service, tenant);
  await service.turns();
  let run = await client.getTestRun(tenant.coachId, runId);
  await eventually(async () => {
    if (run.ended_at === null) await sweep(service);
    run = await client.getTestRun(tenant.coachId, runId);
    return run.ended_at !== null;
  }, "the run has ended");
  return run;
}
