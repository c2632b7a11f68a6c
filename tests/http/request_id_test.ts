import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertReply, formOf } from "../support/client.ts";
import { deleteRows, finishIndexing } from "../support/knowledge.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { startService } from "../support/service.ts";

/** A request id of a client that no other test uses. */
const newId = () => `trace-${crypto.randomUUID()}`;

async function messagesOf(requestId: string) {
  const { data } = await operator.from("messages").select("id, role, status").eq("request_id", requestId)
    .order("sequence").throwOnError();
  return data;
}

async function filesOf(requestId: string) {
  const { data } = await operator.from("knowledge_files").select("id, name").eq("request_id", requestId)
    .order("number").throwOnError();
  return data;
}

Deno.test("X-Request-Id leads from a reply to its log lines and its rows", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: owner.id });
  const context = { coachId: tenant.coachId, userId: "u" };
  const linesOf = async (requestId: string) =>
    (await service.logs()).filter(({ request_id }) => request_id === requestId);

  await t.step("of a chat: question, answer, and how its turn went", async () => {
    const headers = { "X-Request-Id": newId() };
    const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context }, { headers });
    const requestId = reply.headers.get("X-Request-Id")!;
    assertEquals(requestId, headers["X-Request-Id"]);
    const [question, answer, ...others] = await messagesOf(requestId);
    assertEquals([question?.role, answer?.role, others], ["user", "assistant", []]);
    assertEquals(answer?.id, reply.headers.get("X-Message-Id"));
    assertEquals((await linesOf(requestId)).map(({ event }) => event).toSorted(), ["request", "turn"]);
    assertEquals((await linesOf(requestId)).find(({ event }) => event === "turn")?.message_id, answer?.id);
  });

  await t.step("of a failed turn: what recent_errors shows", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] });
    const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context });
    assertReply(reply, 502);
    const requestId = reply.headers.get("X-Request-Id")!;
    const { data } = await operator.from("recent_errors").select("*").eq("request_id", requestId).throwOnError();
    const [{ kind, message_id, account_id, coach_id, error } = {}, ...others] = data as Record<string, unknown>[];
    assertEquals(others, []);
    assertEquals([kind, account_id, coach_id], ["answer", tenant.accountId, tenant.coachId]);
    assertEquals(message_id, (await messagesOf(requestId)).at(-1)?.id);
    assert(String(error).startsWith(sentenceOf("model_unavailable")), String(error));
    assert((await linesOf(requestId)).some(({ level, reason }) => level === "error" && reason === error));
  });

  await t.step("of an upload: its files", async () => {
    const headers = { "X-Request-Id": newId() };
    const form = formOf(["a.txt", "Owls hunt."], ["b.txt", "Gulls sleep."]);
    const path = `/knowledge-handler?coachId=${tenant.coachId}`;
    assertReply(await ask(service, "POST", path, tenant, form, { headers }), 200);
    assertEquals((await filesOf(headers["X-Request-Id"])).map(({ name }) => name), ["a.txt", "b.txt"]);
    await finishIndexing(service, tenant.coachId);
  });

  await t.step("of a file that failed and is sent again: the later request", async () => {
    const path = `/knowledge-handler?coachId=${tenant.coachId}`;
    const send = async () => {
      const headers = { "X-Request-Id": newId() };
      assertReply(await ask(service, "POST", path, tenant, formOf(["c.txt", "Larks sing."]), { headers }), 200);
      await finishIndexing(service, tenant.coachId);
      return headers["X-Request-Id"];
    };
    const first = await send();
    assertEquals((await filesOf(await send())).length, 0);
    await operator.from("knowledge_files").update({ status: "failed" }).eq("request_id", first).throwOnError();
    const third = await send();
    assertEquals([(await filesOf(first)).length, (await filesOf(third)).length], [0, 1]);
  });

  await t.step("of a note: its messages and its file", async () => {
    const headers = { "X-Request-Id": newId() };
    const reply = await ask(
      service,
      "POST",
      "/chat",
      { ...tenant, accessToken: owner.accessToken },
      { message: "Swifts never land.", context: { coachId: tenant.coachId, mode: "create_knowledge" } },
      { headers },
    );
    assertReply(reply, 200);
    assertEquals((await messagesOf(headers["X-Request-Id"])).length, 2);
    assertEquals((await filesOf(headers["X-Request-Id"])).length, 1);
  });

  await service.turns();
  await deleteRows(tenant.coachId);
});
