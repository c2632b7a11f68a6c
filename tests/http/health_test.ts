import { assertEquals } from "../support/assert.ts";
import { ask, assertReply } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { clearQueue, sweep } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { type ServiceOptions, startService } from "../support/service.ts";

/** A service that works: the clock has run, the model's server answers, and nothing waits. */
async function startHealthy(options: ServiceOptions = {}) {
  const service = await startService(options);
  await clearQueue();
  await setModel(null);
  await sweep(service);
  service.supabase.requests.length = 0;
  const health = () => ask(service, "GET", "/docs/health", {});
  return { service, health, calls: service.supabase.requests };
}

async function setModel(failed_at: Date | null) {
  await operator.from("model_checks").update({ failed_at: failed_at?.toISOString() ?? null }).eq("is_only", true)
    .throwOnError();
}

/** It says nothing but that. */
const unhealthy = { error: "The service is temporarily unavailable", details: "A part of the service does not work" };

const call = "/rest/v1/rpc/read_status";

Deno.test("GET /docs/health", async (t) => {
  await t.step("needs no key; a hundred requests at once, and those after them, are one call of Postgres", async () => {
    const { service, health, calls } = await startHealthy();
    await using _ = service;
    const replies = await Promise.all(Array.from({ length: 100 }, health));
    for (const reply of [...replies, await health()]) {
      assertReply(reply, 200, { status: "ok" });
      assertEquals(reply.headers.get("Cache-Control"), "no-store");
    }
    assertEquals((await fetch(`${service.url}/docs/health`, { method: "HEAD" })).status, 200);
    assertEquals(calls, [call]);
  });

  await t.step("503 while the model's server does not answer, without saying so; the log says it", async () => {
    const { service, health } = await startHealthy({ timeouts: { healthKept: 0 } });
    await using _ = service;
    await setModel(new Date());
    const reply = await health();
    assertReply(reply, 503, unhealthy);
    assertEquals(reply.headers.get("Cache-Control"), "no-store");
    const warnings = (await service.logs()).filter(({ event }) => event === "unhealthy");
    assertEquals(warnings.map(({ troubles }) => troubles), ["model"]);
    await setModel(null);
    assertReply(await health(), 200);
  });

  await t.step("503 while Postgres is down", async () => {
    const { service, health } = await startHealthy({ timeouts: { healthKept: 0 } });
    await using _ = service;
    service.supabase.fault = "refuse";
    assertReply(await health(), 503, unhealthy);
    service.supabase.recover();
    assertReply(await health(), 200);
  });

  await t.step("while Postgres does not answer, 503 after a time, and nobody makes a second call", async () => {
    const { service, health, calls } = await startHealthy({ timeouts: { health: 50, healthKept: 0 } });
    await using _ = service;
    service.supabase.fault = "hang";
    for (const reply of await Promise.all(Array.from({ length: 20 }, health))) assertReply(reply, 503, unhealthy);
    assertReply(await health(), 503, unhealthy);
    assertEquals(calls, [call]);
    service.supabase.recover();
    await eventually(async () => (await health()).status === 200, "it is well again");
  });
});
