import type { components } from "../../shared/clients/client/api_types.ts";
import { clientOf, type Credentials } from "./client.ts";
import { eventually } from "./eventually.ts";
import { sweep } from "./knowledge.ts";
import { operator, type Tenant } from "./project.ts";
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

/** Everything that a run of tests must not leave behind. */
export async function readTraces({ accountId, coachId, keyId }: Tenant) {
  const owned = { account_id: accountId, coach_id: coachId };
  const [threads, questions, pinned, events, messages] = await Promise.all([
    operator.from("threads").select("id").eq("account_id", accountId).throwOnError(),
    operator.from("open_questions").select("id").eq("coach_id", coachId).throwOnError(),
    operator.from("pinned_answers").select("id,version,updated_at").eq("coach_id", coachId).throwOnError(),
    operator.rpc("read_events", { readers: [{ ...owned, api_key_id: keyId }], since: 0 }).throwOnError(),
    operator.from("messages").select("id,threads!inner(account_id)").eq("threads.account_id", accountId).throwOnError(),
  ]);
  return {
    threads: threads.data,
    questions: questions.data,
    pinned: pinned.data,
    events: (events.data as { events: unknown[] }).events,
    messages: messages.data,
  };
}
