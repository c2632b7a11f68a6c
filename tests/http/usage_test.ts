import type { Database } from "../../shared/infra/db/database_types.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertReply, chat } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { createCoach, createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { startService } from "../support/service.ts";
import { startTurn, storeAnswer } from "../support/turns.ts";

type UsageFilter = Database["public"]["Functions"]["read_usage"]["Args"];

/** Usage of an account, added up by key and coach. */
async function usageOf({ accountId }: Pick<Tenant, "accountId">, more: UsageFilter = {}) {
  const { data } = await operator.rpc("read_usage", {
    account: accountId,
    grouped_by: ["api_key", "coach"],
    ...more,
  }).throwOnError();
  return data;
}

/** The total usage of an account. */
async function totalOf(tenant: Pick<Tenant, "accountId">) {
  const [total] = await usageOf(tenant, { grouped_by: [] });
  const { requests = 0, refusals = 0, turns = 0, input_tokens = 0, output_tokens = 0 } = total ?? {};
  return { requests, refusals, turns, input_tokens, output_tokens };
}

const usage = (input_tokens: number, output_tokens: number) => ({
  end: true as const,
  usage: { input_tokens, output_tokens },
});

Deno.test("requests and refusals of a key", async (t) => {
  await using service = await startService();

  await t.step("every request with a valid key counts, whether it succeeds or not", async () => {
    const tenant = await createTenant();
    await ask(service, "GET", "/users/u/threads", tenant);
    await ask(service, "POST", "/chat", tenant, "{");
    await ask(service, "GET", "/users/nowhere", tenant);
    await ask(service, "GET", "/users/u/threads", { ...tenant, accessToken: "bad" });
    const [row, ...others] = await usageOf(tenant);
    assertEquals(others, []);
    assertEquals([row?.api_key_id, row?.api_key_name, row?.coach_id], [tenant.keyId, "test", null]);
    assertEquals(await totalOf(tenant), { requests: 4, refusals: 0, turns: 0, input_tokens: 0, output_tokens: 0 });
  });

  await t.step("a request counts once whose work Postgres has not done", async () => {
    const tenant = await createTenant();
    service.supabase.fault = (path) => path.endsWith("/list_threads") ? "refuse" : "pass";
    assertEquals((await ask(service, "GET", "/users/u/threads", tenant)).status, 500);
    service.supabase.fault = "pass";
    assertEquals((await totalOf(tenant)).requests, 1);
  });

  await t.step("a request that a limit refuses counts as a request and as a refusal", async () => {
    const tenant = await createTenant({ requests_per_minute: 2 });
    const statuses = [];
    for (let count = 0; count < 5; count++) {
      statuses.push((await ask(service, "GET", "/users/u/threads", tenant)).status);
    }
    assertEquals(statuses, [200, 200, 429, 429, 429]);
    const { requests, refusals } = await totalOf(tenant);
    assertEquals({ requests, refusals }, { requests: 5, refusals: 3 });
  });

  await t.step("a revoked key, an invalid key and a preflight are not counted", async () => {
    const tenant = await createTenant();
    await operator.rpc("revoke_api_key", { id: tenant.keyId }).throwOnError();
    assertReply(await ask(service, "GET", "/users/u/threads", tenant), 401);
    assertReply(await ask(service, "OPTIONS", "/users/u/threads", {}), 204);
    assertEquals(await usageOf(tenant), []);
  });

  await t.step("keys that are used at the same time are counted separately and exactly", async () => {
    const tenant = await createTenant();
    const other = { ...tenant, ...await issueKey(tenant.accountId) };
    await Promise.all(
      Array.from(
        { length: 40 },
        (_, index) => ask(service, "GET", "/users/u/threads", index % 4 === 0 ? other : tenant),
      ),
    );
    const rows = await usageOf(tenant);
    assertEquals(Object.fromEntries(rows.map(({ api_key_id, requests }) => [api_key_id, requests])), {
      [tenant.keyId]: 30,
      [other.keyId]: 10,
    });
  });
});

Deno.test("requests and refusals, when Upstash counts the limits", async (t) => {
  await using redis = await startRedisServer();
  const env = { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token };

  await t.step("are counted the same", async () => {
    await using service = await startService({ env, stoppedAt: Date.now() });
    const tenant = await createTenant({ requests_per_day: 2 });
    for (let count = 0; count < 5; count++) await ask(service, "GET", "/users/u/threads", tenant);
    await service.turns();
    const { requests, refusals } = await totalOf(tenant);
    assertEquals({ requests, refusals }, { requests: 5, refusals: 3 });
  });

  await t.step("a request that Postgres counts because Upstash failed still counts once", async () => {
    await using alone = await startService({
      env: { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1", UPSTASH_REDIS_REST_TOKEN: "x" },
    });
    const tenant = await createTenant({ requests_per_minute: 1 });
    for (let count = 0; count < 3; count++) await ask(alone, "GET", "/users/u/threads", tenant);
    await alone.turns();
    const { requests, refusals } = await totalOf(tenant);
    assertEquals({ requests, refusals }, { requests: 3, refusals: 2 });
  });

  await t.step("when a refusal cannot be recorded, the request is still refused, and a log line says so", async () => {
    await using service = await startService({ env, stoppedAt: Date.now() });
    const tenant = await createTenant({ requests_per_day: 1 });
    await ask(service, "GET", "/users/u/threads", tenant);
    service.supabase.fault = (path) => path.endsWith("/count_refusal") ? "refuse" : "pass";
    assertReply(await ask(service, "GET", "/users/u/threads", tenant), 429);
    await service.turns();
    assert(
      (await service.logs()).some(({ event, key_id }) => event === "refusal_not_counted" && key_id === tenant.keyId),
    );
  });
});

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService({ losesReplies: true, timeouts: { flush: 20 } }));
  const other = await createTenant();
  return handOver(stack, { service, other });
}

Deno.test("turns and tokens", async (t) => {
  await using prepared = await prepare();
  const { service } = prepared;

  await t.step("by key and coach", async () => {
    const tenant = await createTenant();
    const second = { ...tenant, ...await issueKey(tenant.accountId) };
    const { id: coachId } = await createCoach(tenant.accountId, { model: tenant.modelName });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, usage(100, 10)] });
    const say = (key: Tenant, coach: string) => chat(service, key, { message: "Hi", context: { coachId: coach } });
    await say(tenant, tenant.coachId);
    await say(tenant, tenant.coachId);
    await say(tenant, coachId);
    await say(second, coachId);
    const rows = (await usageOf(tenant)).filter(({ coach_id }) => coach_id !== null)
      .map((row) => [row.api_key_id, row.coach_id, row.turns, row.input_tokens, row.output_tokens].join(" "));
    assertEquals(
      rows.toSorted(),
      [
        `${tenant.keyId} ${tenant.coachId} 2 200 20`,
        `${tenant.keyId} ${coachId} 1 100 10`,
        `${second.keyId} ${coachId} 1 100 10`,
      ].toSorted(),
    );
    assertEquals(await totalOf(tenant), { requests: 4, refusals: 0, turns: 4, input_tokens: 400, output_tokens: 40 });
  });

  await t.step("narrowed to a key, to a coach, and to days", async () => {
    const tenant = await createTenant();
    await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId } });
    const second = await issueKey(tenant.accountId);
    assertEquals((await usageOf(tenant, { api_key: tenant.keyId })).length, 2);
    assertEquals(await usageOf(tenant, { api_key: second.keyId }), []);
    assertEquals((await usageOf(tenant, { coach: tenant.coachId })).map(({ turns }) => turns), [1]);
    assertEquals(await usageOf(tenant, { from_day: "2999-01-01" }), []);
    assertEquals(await usageOf(tenant, { to_day: "1999-01-01" }), []);
    assertEquals((await usageOf(tenant, { from_day: "1999-01-01", to_day: "2999-01-01" })).length, 2);
    // Two days when midnight was in between.
    const days = await usageOf(tenant, { grouped_by: ["day"] });
    assertEquals(days.reduce((sum, { requests, turns }) => sum + requests + turns, 0), 2);
    for (const row of days) {
      assertEquals([row.api_key_id, row.coach_id], [null, null]);
      assertEquals(await usageOf(tenant, { grouped_by: ["day"], from_day: row.day, to_day: row.day }), [row]);
    }
  });

  await t.step("a running answer is not counted yet", async () => {
    const tenant = await createTenant();
    const turn = await startTurn(service, tenant, { said: ["Well"] });
    assertEquals((await totalOf(tenant)).turns, 0);
    turn.goOn();
    await turn.reply;
    assertEquals((await totalOf(tenant)).turns, 1);
  });

  await t.step("a stopped answer counts as one turn", async () => {
    const tenant = await createTenant();
    const turn = await startTurn(service, tenant, { said: ["Well"] });
    assertReply(await ask(service, "POST", `/chat/${turn.messageId}/stop`, tenant), 200);
    await turn.reply;
    await service.turns();
    assertEquals((await totalOf(tenant)).turns, 1);
  });

  await t.step("a failed answer counts as a turn; its retry as another, with the tokens of both", async () => {
    const tenant = await createTenant();
    // A call of a tool that was not offered: the response has ended, and its tokens are spent.
    const call = { call: { id: "call_1", name: "nothing", arguments: {} } };
    service.model.script(
      tenant.modelName,
      { steps: [call, usage(50, 5)] },
      { steps: [{ status: 400 }] },
      { steps: [{ text: "Well." }, usage(100, 10)] },
    );
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { message: "Hi", context: { coachId: tenant.coachId } };
    assertReply(await ask(service, "POST", "/chat", tenant, body, { headers }), 502);
    assertEquals(await totalOf(tenant), { requests: 1, refusals: 0, turns: 1, input_tokens: 50, output_tokens: 5 });
    assertReply(await ask(service, "POST", "/chat", tenant, body, { headers }), 200);
    assertEquals(await totalOf(tenant), { requests: 2, refusals: 0, turns: 2, input_tokens: 150, output_tokens: 15 });
    // The stored answer is read again, which counts as a request only.
    assertReply(await ask(service, "POST", "/chat", tenant, body, { headers }), 200);
    assertEquals(await totalOf(tenant), { requests: 3, refusals: 0, turns: 2, input_tokens: 150, output_tokens: 15 });
  });

  await t.step("a retry with another key of the account counts for that key", async () => {
    const tenant = await createTenant();
    const second = { ...tenant, ...await issueKey(tenant.accountId) };
    service.model.script(tenant.modelName, { steps: [{ status: 400 }] }, { steps: [{ text: "Well." }, usage(7, 3)] });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { message: "Hi", context: { coachId: tenant.coachId } };
    await ask(service, "POST", "/chat", tenant, body, { headers });
    await ask(service, "POST", "/chat", second, body, { headers });
    const rows = await usageOf(tenant, { coach: tenant.coachId });
    assertEquals(Object.fromEntries(rows.map((row) => [row.api_key_id, [row.turns, row.input_tokens]])), {
      [tenant.keyId]: [1, 0],
      [second.keyId]: [1, 7],
    });
  });
});

Deno.test("turns and tokens are counted once", async (t) => {
  await using prepared = await prepare();
  const { service, other } = prepared;

  await t.step("an end that is sent twice because the first reply got lost is counted once", async () => {
    const tenant = await createTenant();
    const turn = await startTurn(service, tenant, { said: ["Well"], rest: [usage(100, 10)] });
    let lost = 0;
    service.supabase.fault = (path) => path.endsWith("/save_turns") && lost++ === 0 ? "lose" : "pass";
    turn.goOn();
    await turn.reply;
    service.supabase.fault = "pass";
    assert(lost > 1, "nothing was sent again");
    const { turns, input_tokens } = await totalOf(tenant);
    assertEquals({ turns, input_tokens }, { turns: 1, input_tokens: 100 });
  });

  await t.step("an abandoned answer is counted when a reader completes it", async () => {
    const tenant = await createTenant();
    const responseId = `resp_${crypto.randomUUID()}`;
    const { threadId } = await storeAnswer(tenant, { content: "", status: "streaming", response_id: responseId }, 60);
    service.model.keep(responseId, {
      status: "completed",
      text: "Whole",
      usage: { input_tokens: 30, output_tokens: 4 },
    });
    await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
    const { turns, input_tokens, output_tokens } = await totalOf(tenant);
    assertEquals({ turns, input_tokens, output_tokens }, { turns: 1, input_tokens: 30, output_tokens: 4 });
  });

  await t.step("correcting a message by hand changes no usage", async () => {
    const tenant = await createTenant();
    const { messageId } = await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId } });
    const before = await totalOf(tenant);
    await operator.from("messages").update({ content: "Corrected" }).eq("id", messageId).throwOnError();
    assertEquals(await totalOf(tenant), before);
  });

  await t.step("a note of the coach is a turn without tokens", async () => {
    const owner = await createUser();
    const tenant = await createTenant({}, { owner_id: owner.id });
    await chat(service, { ...tenant, accessToken: owner.accessToken }, {
      message: "Owls hunt at night.",
      context: { coachId: tenant.coachId, mode: "create_knowledge" },
    });
    const { turns, input_tokens } = await totalOf(tenant);
    assertEquals({ turns, input_tokens }, { turns: 1, input_tokens: 0 });
  });

  await t.step("another account's usage stays empty", async () => {
    assertEquals(await usageOf(other), []);
  });

  await t.step("an unknown grouping is refused with a sentence", async () => {
    const { error } = await operator.rpc("read_usage", { grouped_by: ["week"] });
    assertEquals(error?.message, "grouped_by must be among day, account, api_key, coach");
  });
});
