import { assertEquals } from "../../support/assert.ts";
import { ask, assertReply } from "../../support/client.ts";
import { sweep } from "../../support/knowledge.ts";
import { callTool, connect } from "../../support/mcp.ts";
import { chatOf, complete, textsOf } from "../../support/openai_clients.ts";
import { allScopes, createTenant, operator } from "../../support/project.ts";
import { startService } from "../../support/service.ts";

type Listed = { data: { id: string }[] };

Deno.test("a turn that stands alone", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
  const { coachId, accountId, modelName } = tenant;
  const get = async (path: string) => {
    const reply = await ask(service, "GET", path, tenant);
    assertReply(reply, 200);
    return reply.json;
  };
  const idsOf = async (path: string) => (await get(path) as Listed).data.map(({ id }) => id);
  const lists = {
    "the user's": "/users/u/threads?limit=10",
    "a search of the user's": "/users/u/threads?search=owls",
    "the user's with this coach": `/users/u/threads?coachId=${coachId}&include=state`,
    "the expert's": `/coaches/${coachId}/threads?limit=10`,
    "a search of the expert's": `/coaches/${coachId}/threads?search=owls`,
  };
  // The question is kept for the expert.
  const call = { id: "call_1", name: "ask_expert", arguments: { question: "Where do owls sleep?" } };
  service.model.script(modelName, { steps: [{ call }] }, { steps: [{ text: "I do not know." }] });
  const said = chatOf("Hi", "Hello", "Where do owls sleep?");
  const reply = await complete(service, tenant, said, { user: "u" });
  assertReply(reply, 200);
  const alone = reply.headers.get("X-Thread-Id")!;
  const messageId = reply.headers.get("X-Message-Id")!;
  const { headers } = await complete(service, tenant, chatOf("Where do owls sleep?"), {
    user: "u",
    headers: { "X-Chat-Id": "c" },
  });
  const named = headers.get("X-Thread-Id")!;
  await sweep(service);

  for (const [name, path] of Object.entries(lists)) {
    await t.step(`is not in ${name} list unless that asks for such turns`, async () => {
      assertEquals(await idsOf(path), [named]);
      assertEquals(await idsOf(`${path}&standalone=false`), [named]);
      assertEquals(await idsOf(`${path}&standalone=true`), [alone]);
      assertReply(await ask(service, "GET", `${path}&standalone=maybe`, tenant), 400);
    });
  }

  await t.step("is in no list of a model's", async () => {
    await using client = await connect(service, tenant);
    const { json } = await callTool(client, "get-user-threads", { userId: "u" });
    assertEquals((json as Listed).data.map(({ id }) => id), [named]);
  });

  await t.step("has its question and its answer, without what the client had said before", async () => {
    assertEquals(await textsOf(service, tenant, alone), ["Where do owls sleep?", "I do not know."]);
  });

  await t.step("has its open question, whose answer comes back to it, and a rating", async () => {
    const { data: [question] } = await get(`/coaches/${coachId}/questions`);
    assertEquals(question.question, "Where do owls sleep?");
    const path = `/coaches/${coachId}/questions/${question.id}/answer`;
    assertReply(await ask(service, "POST", path, tenant, { answer: "In barns." }), 200);
    assertEquals((await textsOf(service, tenant, alone)).at(-1), "In barns.");
    const { data: [thread] } = await get("/users/u/threads?standalone=true&include=state");
    assertEquals([thread.id, thread.unread], [alone, 1]);
    const feedback = `/threads/${alone}/messages/${messageId}/feedback`;
    assertReply(await ask(service, "PUT", feedback, tenant, { rating: "down" }), 200);
    assertEquals(await idsOf(`/coaches/${coachId}/threads?has_feedback=down&standalone=true`), [alone]);
    assertEquals(await idsOf(`/coaches/${coachId}/threads?has_feedback=down`), []);
  });

  await t.step("counts as usage, and is exported with its user", async () => {
    const { totals } = await get(`/coaches/${coachId}/usage`);
    assertEquals(totals.turns, 2);
    const { data } = await operator.rpc("export_user", { account_id: accountId, user_id: "u" }).throwOnError();
    assertEquals(JSON.stringify(data).includes(alone), true);
  });

  await t.step("goes with the first sweep after 30 days", async () => {
    const age = (days: number) =>
      operator.from("threads").update({ updated_at: new Date(Date.now() - days * 86_400_000).toISOString() })
        .in("id", [alone, named]).throwOnError();
    await age(29.9);
    await sweep(service);
    assertEquals((await ask(service, "GET", `/threads/${alone}`, tenant)).status, 200);
    await age(30.1);
    await sweep(service);
    assertEquals((await ask(service, "GET", `/threads/${alone}`, tenant)).status, 404);
    assertEquals((await ask(service, "GET", `/threads/${named}`, tenant)).status, 200);
  });

  await t.step("goes with its user", async () => {
    const { headers } = await complete(service, tenant, chatOf("Hi"), { user: "u" });
    await operator.rpc("erase_user", { account_id: accountId, user_id: "u" }).throwOnError();
    assertEquals((await ask(service, "GET", `/threads/${headers.get("X-Thread-Id")}`, tenant)).status, 404);
  });
});
