import { assert, assertEquals, assertRejects } from "deno-std/assert/mod.js";
import { ask, assertReply, chat, send } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

for (const fault of ["refuse", "hang"] as const) {
  Deno.test(`a database that ${fault}s lets nobody in, and answers`, async (t) => {
    await using service = await startService({ timeouts: { database: 300 } });
    const tenant = await createTenant();
    const { threadId } = await chat(service, tenant, {
      message: "before",
      context: { coachId: tenant.coachId, userId: "u" },
    });
    const paths = [["GET", "/users/u/threads"], ["GET", `/threads/${threadId}/messages`], ["POST", "/chat"]] as const;

    service.supabase.fault = fault;
    for (const [method, path] of paths) {
      await t.step(
        `${method} ${path.replace(threadId, "{threadId}")} while the key cannot be checked → 503`,
        async () => {
          const reply = await ask(service, method, path, tenant, method === "POST" ? { message: "x" } : undefined);
          assertReply(reply, 503, {
            error: "The service is temporarily unavailable",
            details: "A backend did not answer",
          });
          assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
        },
      );
    }

    service.supabase.fault = (path) => path.endsWith("/admit_request") ? "pass" : fault;
    const failures = ["Failed to fetch threads", "Failed to fetch messages", "Failed to answer the message"];
    for (const [index, [method, path]] of paths.entries()) {
      const error = failures[index]!;
      await t.step(`${error} → 500`, async () => {
        const body = method === "POST" ? { message: "x", context: { coachId: tenant.coachId } } : undefined;
        const reply = await ask(service, method, path, tenant, body);
        assertReply(reply, 500, { error, details: "A backend did not answer as expected" });
      });
    }

    await t.step("afterwards everything is as it was", async () => {
      service.supabase.fault = "pass";
      const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
      assertEquals(json.count, 2);
    });
  });
}

Deno.test("a turn whose end cannot be stored is a broken stream, and one whose end is stored late is whole", async (t) => {
  await using service = await startService({ timeouts: { database: 300 } });
  const tenant = await createTenant();
  const body = { message: "Hi", context: { coachId: tenant.coachId } };
  const isEnd = (path: string) => path.endsWith("/save_turns");

  await t.step("Postgres gone for good", async () => {
    service.supabase.fault = (path) => isEnd(path) ? "refuse" : "pass";
    const response = await send(service, "POST", "/chat", tenant, body);
    assertEquals(response.status, 200);
    await assertRejects(() => response.text());
    const line = service.logs.findLast(({ event }) => event === "turn");
    assert(String(line?.reason).includes("unavailable"), JSON.stringify(line));
  });

  await t.step("Postgres gone for a moment", async () => {
    let failures = 1;
    service.supabase.fault = (path) => isEnd(path) && failures-- > 0 ? "refuse" : "pass";
    const { answer, threadId } = await chat(service, tenant, body);
    const { json } = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    assertEquals(json.data[1].content, answer);
  });
});
