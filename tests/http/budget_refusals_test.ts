import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { setBudget, stateOf } from "../support/budgets.ts";
import { ask, assertReply, type Credentials, type Reply } from "../support/client.ts";
import { callTool, connect } from "../support/mcp.ts";
import { complete, openaiOf } from "../support/openai_clients.ts";
import {
  allScopes,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  type Tenant,
} from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

const codeOf = ({ status, headers }: Reply) => `${status} ${headers.get("X-Error-Code")}`;

/** A tenant whose budget is used up. */
async function prepare(period = "day"): Promise<Tenant> {
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
  await setBudget(tenant, { amount: 1, period });
  return tenant;
}

Deno.test("a budget that is used up is the last of all refusals", async (t) => {
  await using service = await startService();
  const tenant = await prepare();
  const stranger = await createTenant();
  const visitor = { apiKey: undefined, ...await issuePublishableKey(tenant.accountId) };
  const { threadId, messageId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const chat = (body: object, credentials: Credentials = tenant) => ask(service, "POST", "/chat", credentials, body);
  const context = { coachId: tenant.coachId };
  const nobody = crypto.randomUUID();
  const key = async (options: Parameters<typeof issueKey>[1]) => await issueKey(tenant.accountId, options);
  const limited = await key({ requests_per_minute: 1 });
  await ask(service, "GET", "/coaches", limited);
  const { accessToken } = await createUser();

  const refused: Record<string, [expected: string, ask: () => Promise<Reply>]> = {
    "no key": ["401 missing_api_key", () => chat({ message: "Hi", context }, {})],
    "a page of another origin": [
      "403 origin_not_allowed",
      () => chat({ message: "Hi", context }, { ...visitor, origin: "https://elsewhere.example" }),
    ],
    "nobody signed in": ["401 sign_in_first", () => chat({ message: "Hi", context }, visitor)],
    "a rate limit": ["429 rate_limit_exceeded", () => chat({ message: "Hi", context }, limited)],
    "a wrong method": ["405 method_not_allowed", () => ask(service, "PUT", "/chat", tenant, {})],
    "a missing scope": [
      "403 missing_scope",
      async () => chat({ message: "Hi", context }, await key({ scopes: ["threads:read"] })),
    ],
    "no message": ["400 invalid_input", () => chat({ context })],
    "a message that is too long": ["400 invalid_input", () => chat({ message: "x".repeat(32_001), context })],
    "another user": [
      "403 user_mismatch",
      () => chat({ message: "Hi", context: { ...context, userId: "b" } }, { ...tenant, accessToken }),
    ],
    "an unknown coach": ["404 coach_not_found", () => chat({ message: "Hi", context: { coachId: nobody } })],
    "the coach of another account": [
      "404 coach_not_found",
      () => chat({ message: "Hi", context: { coachId: stranger.coachId } }),
    ],
    "an unknown thread": ["404 thread_not_found", () => chat({ message: "Hi", thread_id: nobody })],
    "an unknown question to replace": [
      "404 message_not_found",
      () => chat({ message: "Hi", thread_id: threadId, replaces: nobody }),
    ],
    "an unknown answer to run again": [
      "404 message_not_found",
      () => ask(service, "POST", `/chat/${nobody}/retry`, tenant),
    ],
    "an unknown model": [
      "404 coach_not_found",
      () => complete(service, { ...tenant, coachId: nobody }, [{ role: "user", content: "Hi" }]),
    ],
    "a task of an unknown model": [
      "404 coach_not_found",
      () =>
        complete(service, { ...tenant, coachId: nobody }, [{ role: "user", content: "Hi" }], {
          headers: { "X-OpenWebUI-Task": "title_generation" },
        }),
    ],
    "a question that is tried with an unknown coach": [
      "404 coach_not_found",
      () => ask(service, "POST", `/coaches/${nobody}/try`, tenant, { question: "Hi?", answer: true }),
    ],
    "a question that a stranger tries": [
      "403 not_the_expert",
      () =>
        ask(service, "POST", `/coaches/${tenant.coachId}/try`, { ...tenant, accessToken }, {
          question: "Hi?",
          answer: true,
        }),
    ],
    // Nothing else is wrong with these.
    "a message": ["429 budget_exhausted", () => chat({ message: "Hi", context })],
    "an answer to run again": ["429 budget_exhausted", () => ask(service, "POST", `/chat/${messageId}/retry`, tenant)],
  };
  for (const [name, [expected, send]] of Object.entries(refused)) {
    await t.step(`${name} → ${expected}`, async () => assertEquals(codeOf(await send()), expected));
  }

  await t.step("what asks no model is not refused", async () => {
    for (
      const path of [
        "/coaches",
        "/users/u/threads",
        `/threads/${threadId}`,
        `/threads/${threadId}/messages`,
        "/users/u/budget",
      ]
    ) {
      assertReply(await ask(service, "GET", path, tenant), 200);
    }
    assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, { question: "Hi?" }), 200);
  });

  await t.step("during a takeover the expert answers, and no budget matters", async () => {
    assertReply(await ask(service, "POST", `/threads/${threadId}/takeover`, tenant), 200);
    assertReply(await chat({ message: "Still there?", thread_id: threadId }), 200);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });
});

/** All that is stored of an account, but for usage: threads and messages, open questions and events. */
async function storedOf({ accountId, coachId }: Tenant): Promise<unknown> {
  const { data: threads } = await operator.from("threads").select("*, messages(*)").eq("account_id", accountId)
    .order("id").throwOnError();
  const { data: questions } = await operator.from("open_questions").select().eq("coach_id", coachId).throwOnError();
  return { threads, questions };
}

Deno.test("a refused turn leaves everything as it was", async (t) => {
  await using service = await startService();
  const ways: Record<
    string,
    (service: Service, tenant: Tenant, past: { threadId: string; messageId: string }) => Promise<Reply>
  > = {
    "a new thread": (service, tenant) =>
      ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId, userId: "u" } }),
    "a thread under an id of the client": (service, tenant) =>
      ask(service, "POST", "/chat", tenant, {
        message: "Hi",
        context: { coachId: tenant.coachId },
        new_thread_id: crypto.randomUUID(),
      }),
    "a thread that goes on": (service, tenant, { threadId }) =>
      ask(service, "POST", "/chat", tenant, { message: "And?", thread_id: threadId }),
    "a question that another replaces": (service, tenant, { threadId, messageId }) =>
      ask(service, "POST", "/chat", tenant, { message: "Rather?", thread_id: threadId, replaces: messageId }),
    "an answer that is run again": (service, tenant, { messageId }) =>
      ask(service, "POST", `/chat/${messageId}/retry`, tenant),
    "a conversation of a client": (service, tenant) =>
      complete(service, tenant, [{ role: "user", content: "Hi" }], { headers: { "X-Chat-Id": crypto.randomUUID() } }),
  };
  for (const [name, enter] of Object.entries(ways)) {
    await t.step(name, async () => {
      const tenant = await prepare();
      const past = await storeAnswer(tenant, { content: "Said", status: "complete" });
      const before = await storedOf(tenant);
      assertEquals(codeOf(await enter(service, tenant, past)), "429 budget_exhausted");
      await service.turns();
      assertEquals(await storedOf(tenant), before);
      assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
    });
  }
});

Deno.test("a budget that is used up, in every face", async (t) => {
  await using service = await startService();
  const question = [{ role: "user" as const, content: "Hi" }];

  for (const [period, isRenewed] of [["day", true], ["total", false]] as const) {
    await t.step(`openai, ${period}: insufficient_quota, which no client sends again`, async () => {
      const tenant = await prepare(period);
      for (const stream of [false, true]) {
        const { status, headers, json } = await complete(service, tenant, question, { stream });
        assertEquals([status, json.error.type, json.error.code], [429, "insufficient_quota", "insufficient_quota"]);
        assertEquals(headers.get("x-should-retry"), "false");
        assertEquals(headers.get("Retry-After") !== null, isRenewed);
        assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      }
      const client = openaiOf(service, tenant, { maxRetries: 3 });
      const error = await client.responses.create({ model: tenant.coachId, input: "Hi" }).catch((error) => error);
      assertEquals([error.status, error.code, error.type], [429, "insufficient_quota", "insufficient_quota"]);
    });
  }

  await t.step("MCP: a tool result with the sentence", async () => {
    const { coachId, ...tenant } = await prepare();
    await using client = await connect(service, tenant);
    const { isError, text } = await callTool(client, "chat", { message: "Hi", context: { coachId } });
    assertEquals(isError, true);
    assertMatch(text, /^Budget exhausted\. Wait for the next period/);
  });

  await t.step("the price of a model that is not known: 502 price_unknown, in each of them", async () => {
    const tenant = await createTenant({ scopes: allScopes });
    await setBudget(tenant, { amount: 1_000_000, unit: "micro_usd" });
    const context = { coachId: tenant.coachId };
    assertEquals(codeOf(await ask(service, "POST", "/chat", tenant, { message: "Hi", context })), "502 price_unknown");
    const completed = await complete(service, tenant, question);
    assertEquals([codeOf(completed), completed.headers.get("x-should-retry")], ["502 price_unknown", "false"]);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });

  await t.step("a user of a publishable key: the same body", async () => {
    const tenant = await prepare();
    const { accessToken } = await createUser();
    const as = { ...await issuePublishableKey(tenant.accountId), accessToken };
    const reply = await ask(service, "POST", "/chat", as, { message: "Hi", context: { coachId: tenant.coachId } });
    assertEquals(codeOf(reply), "429 budget_exhausted");
    assert(reply.json.retryAfter >= 1 && reply.json.error && reply.json.message, JSON.stringify(reply.json));
  });
});

Deno.test("a default price stands for models without one", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const budget = await setBudget(tenant, { amount: 10_000_000, unit: "micro_usd" });
  const price = { model: "*", input_price: 50, output_price: 500 };
  await operator.from("model_prices").insert(price).throwOnError();
  try {
    service.model.script(tenant.modelName, {
      steps: [{ text: "Well." }, { end: true, usage: { input_tokens: 100, output_tokens: 10 } }],
    });
    assertReply(
      await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId } }),
      200,
    );
    await service.turns();
    assertEquals((await stateOf(budget)).used, 100 * 50 + 10 * 500);
  } finally {
    await operator.from("model_prices").delete().eq("model", "*").throwOnError();
  }
});
