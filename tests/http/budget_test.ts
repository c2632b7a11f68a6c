import { assertEquals } from "deno-std/assert/mod.js";
import { ask, send } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("requests to the backend", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const requests = () => service.supabase.requests.map((path) => path.replace("/rest/v1/rpc/", "")).splice(0);
  let threadId = "";

  await t.step("chat: two before the first chunk, one at the end, none for each chunk", async () => {
    const more = Promise.withResolvers<void>();
    const words = Array.from({ length: 50 }, (_, index) => ({ text: `${index} ` }));
    service.model.script(tenant.modelName, { steps: [{ text: "first " }, { waitFor: more.promise }, ...words] });
    const response = await send(service, "POST", "/chat", tenant, {
      message: "Hi",
      context: { coachId: tenant.coachId, userId: "u" },
    });
    threadId = response.headers.get("X-Thread-Id")!;
    const reader = response.body!.getReader();
    await reader.read();
    assertEquals(requests(), ["admit_request", "begin_turn"]);
    service.supabase.requests.length = 0;
    more.resolve();
    while (!(await reader.read()).done) { /* to the end */ }
    assertEquals(requests(), ["save_turns"]);
  });

  await t.step("each list: two", async () => {
    for (
      const [path, name] of [["/users/u/threads", "list_threads"], [
        `/threads/${threadId}/messages`,
        "list_messages",
      ]] as const
    ) {
      service.supabase.requests.length = 0;
      assertEquals((await ask(service, "GET", path, tenant)).status, 200);
      assertEquals(requests(), ["admit_request", name]);
    }
  });
});
