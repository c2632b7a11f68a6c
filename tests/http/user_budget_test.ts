import { assert, assertEquals } from "../support/assert.ts";
import { setBudget } from "../support/budgets.ts";
import { ask, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import {
  createAppClient,
  createCoach,
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
} from "../support/project.ts";
import { startService } from "../support/service.ts";

const tomorrow = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
};

Deno.test("GET /users/{userId}/budget", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stranger = await createTenant();
  const other = await createCoach(tenant.accountId);
  const user = await createUser();
  const as: Credentials = { ...await issuePublishableKey(tenant.accountId), accessToken: user.accessToken };
  const read = (credentials: Credentials, userId = "me", query = "") =>
    ask(service, "GET", `/users/${userId}/budget${query}`, credentials);
  service.model.script(tenant.modelName, {
    steps: [{ text: "Well." }, { end: true, usage: { input_tokens: 100, output_tokens: 10 } }],
  });
  const chat = (credentials: Credentials, userId?: string) =>
    ask(service, "POST", "/chat", credentials, { message: "Hi", context: { coachId: tenant.coachId, userId } });

  await t.step("without a budget → an empty list", async () => {
    assertReply(await read(as), 200, { data: [] });
    assertReply(await read(tenant, "anybody"), 200, { data: [] });
  });

  await setBudget(tenant, { amount: 50_000 });
  await setBudget(tenant, { amount: 9_000, period: "total", coach: tenant.coachId, each_user: true });
  await setBudget(tenant, { amount: 5, period: "total", coach: other.id });
  await setBudget(tenant, { amount: 5, mode: "warn", period: "month" });
  await setBudget(stranger, { amount: 6 });
  assertReply(await chat(as), 200);
  assertReply(await chat(tenant, "somebody"), 200);
  await service.turns();

  const share = (used: number) => ({
    scope: "coach",
    limit: 9_000,
    used,
    reserved: 0,
    unit: "tokens",
    resets_at: null,
    is_exhausted: false,
  });
  const account = { scope: "account", resets_at: tomorrow(), is_exhausted: false };

  await t.step("a user sees the figures of their own share only, and nothing that only warns", async () => {
    assertReply(await read(as), 200, {
      data: [account, { scope: "coach", resets_at: null, is_exhausted: false }, share(110)],
    });
    assertEquals((await read(as, user.id)).json, (await read(as)).json);
  });

  await t.step("coachId, or a key for some coaches, leaves out those of others; an unknown coach → 404", async () => {
    const bound = { ...as, ...await issuePublishableKey(tenant.accountId, { coach_ids: [tenant.coachId] }) };
    for (const [credentials, query] of [[as, `?coachId=${tenant.coachId}`], [bound, ""]] as const) {
      assertReply(await read(credentials, "me", query), 200, { data: [account, share(110)] });
    }
    for (const coachId of ["nobody", stranger.coachId]) {
      assertRefused(await read(as, "me", `?coachId=${coachId}`), "coach_not_found");
    }
  });

  await t.step("a key alone sees all figures, of any user", async () => {
    const { data } = (await read(tenant, "somebody")).json;
    assertEquals(data[0], { ...account, limit: 50_000, used: 220, reserved: 0, unit: "tokens" });
    assertEquals(data.length, 4);
    assert(
      data.some((each: object) => JSON.stringify(each) === JSON.stringify({ ...share(110) })),
      JSON.stringify(data),
    );
    assertEquals((await read(tenant, "new")).json.data.find(({ limit }: { limit: number }) => limit === 9_000).used, 0);
  });

  await t.step("another user → 403; another account sees nothing of it", async () => {
    assertRefused(await read(as, "somebody"), "user_mismatch");
    assertEquals((await read(stranger, "somebody")).json.data.map(({ limit }: { limit: number }) => limit), [6]);
  });

  await t.step("a share that is used up is said, and what anonymous users share counts for each", async () => {
    await setBudget(tenant, { amount: 110, period: "total", coach: tenant.coachId, each_user: true });
    assertEquals((await read(as)).json.data[2].is_exhausted, true);
    const { data } = await createAppClient().auth.signInAnonymously();
    const visitor = { ...as, accessToken: data.session!.access_token };
    assertEquals((await read(visitor)).json.data[2].is_exhausted, false);
  });

  await t.step("the typed client reads it, and gives a refusal with its code without trying again", async () => {
    const waits: number[] = [];
    const client = clientOf(service, { apiKey: tenant.apiKey }, {
      backOff: { sleep: (ms) => Promise.resolve(void waits.push(ms)) },
    });
    assertEquals((await client.getBudget("somebody", { coachId: tenant.coachId })).data.length, 3);
    const error = await client.chat({ message: "Hi", context: { coachId: tenant.coachId, userId: "somebody" } })
      .then(() => null, (error) => error);
    assertEquals([error.code, error.status, error.body.retryAfter, waits], ["budget_exhausted", 429, undefined, []]);
  });
});

Deno.test("webhooks of budgets, once a period", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  await operator.rpc("set_webhook", { account_id: tenant.accountId, url: "https://example.com/hook" }).throwOnError();
  const waiting = async () =>
    ((await operator.rpc("read_webhook", { account_id: tenant.accountId }).throwOnError()).data as { waiting: number })
      .waiting;
  const use = async (input_tokens: number) => {
    service.model.script(tenant.modelName, {
      steps: [{ text: "Well." }, { end: true, usage: { input_tokens, output_tokens: 0 } }],
    });
    const reply = await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: tenant.coachId } });
    await service.turns();
    return reply.status;
  };

  await t.step("soft from 80 percent on, reached when it is used up or refuses", async () => {
    await setBudget(tenant, { amount: 100_000 });
    assertEquals([await use(70_000), await waiting()], [200, 0]);
    assertEquals([await use(12_000), await waiting()], [200, 1]);
    assertEquals([await use(100), await waiting()], [200, 1]);
    // More than was reserved, as a server may count that hides what it reads.
    assertEquals([await use(30_000), await waiting()], [200, 2]);
    assertEquals([await use(1), await waiting()], [429, 2]);
  });
});
