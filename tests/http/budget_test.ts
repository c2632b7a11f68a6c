import { assert, assertEquals } from "deno-std/assert/mod.js";
import { ask, send } from "../support/client.ts";
import type { Step } from "../support/model_server.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storedAnswer } from "../support/turns.ts";

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

Deno.test("a long answer is sent to the backend once, in pieces, whatever gets lost on the way", async () => {
  await using service = await startService({ timeouts: { flush: 10 } });
  const tenant = await createTenant();
  // 50,000 bytes each; as many characters would be cut wrongly where units were counted for them.
  const pieces = Array.from({ length: 10 }, (_, index) => `${index}😀é文`.repeat(5_000));
  const text = pieces.join("");
  const bytes = new TextEncoder().encode(text).length;
  const saves = pieces.map(() => Promise.withResolvers<void>());
  const steps = pieces.flatMap((text, index): Step[] => [{ text }, { waitFor: saves[index]!.promise }]);
  service.model.script(tenant.modelName, { steps: [...steps, { end: true }] });
  let sent = 0;
  let pieceSaves = 0;
  service.supabase.fault = (path, size) => {
    if (!path.endsWith("/save_turns")) return "pass";
    sent += size;
    if (size < 50_000) return "pass";
    // The next piece comes while this one is being saved, or after that has failed.
    saves[pieceSaves++]?.resolve();
    return pieceSaves === 3 ? "lose" : pieceSaves === 6 ? "refuse" : "pass";
  };
  const response = await send(service, "POST", "/chat", tenant, {
    message: "Hi",
    context: { coachId: tenant.coachId, userId: "u" },
  });
  await response.text();
  service.supabase.fault = "pass";
  const { content, status } = await storedAnswer(response.headers.get("X-Message-Id")!);
  assert(content === text, `${content.length} units are stored, not ${text.length}`);
  assertEquals(status, "complete");
  assert(pieceSaves >= 10, `only ${pieceSaves} saves had a piece`);
  assert(sent < 1.5 * bytes, `${sent} bytes were sent for an answer of ${bytes}`);
});
