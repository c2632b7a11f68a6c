import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, type Credentials, formOf, send } from "../support/client.ts";
import { assertNotAdmitted } from "../support/mcp.ts";
import { pageOrigin } from "../support/page_origin.ts";
import {
  createCoach,
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
  publishableKey as projectKey,
  type PublishableKeyOptions,
  type User,
} from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { type Service, startService } from "../support/service.ts";

/** An account with a page, its users, and requests of theirs to the list of their own threads. */
async function setUp(service: Service, options: PublishableKeyOptions = {}) {
  const tenant = await createTenant();
  const key = await issuePublishableKey(tenant.accountId, options);
  const [one, other] = [await createUser(), await createUser()];
  const as = ({ accessToken }: User): Credentials => ({ ...key, accessToken });
  const listOwn = (user: User, credentials: Credentials = {}, init: RequestInit = {}) =>
    ask(service, "GET", `/users/${user.id}/threads`, { ...as(user), ...credentials }, undefined, init);
  return { tenant, ...key, one, other, as, listOwn };
}

/** The promises are the same whether Postgres or Upstash counts. */
async function judgeLimits(t: Deno.TestContext, service: Service) {
  await t.step("each user has limits of their own", async () => {
    const { one, other, listOwn } = await setUp(service, { requests_per_minute: 2 });
    const statuses = [];
    for (const user of [one, one, one, other]) statuses.push((await listOwn(user)).status);
    assertEquals(statuses, [200, 200, 429, 200]);
    const { headers } = await listOwn(other);
    assertEquals([headers.get("X-RateLimit-Limit"), headers.get("X-RateLimit-Remaining")], ["2", "0"]);
  });

  await t.step("a user at the limit who is erased is still refused", async () => {
    const { tenant, one, as, listOwn } = await setUp(service, { requests_per_minute: 3 });
    await listOwn(one);
    for (const remaining of ["1", "0"]) {
      const reply = await ask(service, "DELETE", "/users/me", as(one));
      assertReply(reply, 200, { message: "User deleted successfully", userId: one.id });
      assertEquals(reply.headers.get("X-RateLimit-Remaining"), remaining);
    }
    assertReply(await listOwn(one), 429);
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: one.id }).throwOnError();
    assertReply(await listOwn(one), 429);
    assertReply(await ask(service, "DELETE", "/users/me", as(one)), 429);
  });

  await t.step("all together have a wider limit, which costs no other key anything", async () => {
    const { tenant, one, other, listOwn } = await setUp(service, { requests_per_minute: 2, total_per_minute: 3 });
    const statuses = [];
    for (const user of [one, one, other, other]) statuses.push((await listOwn(user)).status);
    assertEquals(statuses, [200, 200, 200, 429]);
    const refusal = await listOwn(await createUser());
    assertRefused(refusal, "rate_limit_exceeded");
    assertEquals(refusal.headers.get("X-RateLimit-Limit"), "3");
    assertReply(await ask(service, "GET", "/users/u/threads", tenant), 200);
    const second = await issuePublishableKey(tenant.accountId);
    assertReply(await listOwn(one, second), 200);
  });

  await t.step("a user beyond the own limit takes nothing from the others", async () => {
    const { one, other, listOwn } = await setUp(service, { requests_per_minute: 1, total_per_minute: 2 });
    for (let count = 0; count < 5; count++) await listOwn(one);
    assertReply(await listOwn(other), 200);
  });

  await t.step("not even for a moment, by many requests at once", async () => {
    const { one, other, listOwn } = await setUp(service, { requests_per_minute: 1, total_per_minute: 5 });
    await listOwn(one);
    const flood = Array.from({ length: 30 }, () => listOwn(one));
    assertReply(await listOwn(other), 200);
    for (const reply of await Promise.all(flood)) {
      assertEquals([reply.status, reply.headers.get("X-RateLimit-Limit")], [429, "1"]);
    }
  });

  await t.step("nor does a stranger, or a page elsewhere", async () => {
    const { one, listOwn } = await setUp(service, { total_per_minute: 1 });
    for (let count = 0; count < 3; count++) {
      assertRefused(await listOwn(one, { accessToken: undefined }), "sign_in_first");
      assertRefused(await listOwn(one, { accessToken: "x" }), "invalid_access_token");
      assertRefused(await listOwn(one, { origin: "https://evil.example" }), "origin_not_allowed");
    }
    assertReply(await listOwn(one), 200);
  });

  await t.step("refusals come in this order: key, origin, wide limit, token, own limit, scope", async () => {
    const { one, other, listOwn, as, keyId } = await setUp(service, { requests_per_minute: 1, total_per_minute: 2 });
    const elsewhere = { origin: "https://evil.example", accessToken: "x" };
    const search = (credentials: Credentials) => ask(service, "GET", "/knowledge-handler?coachId=c", credentials);
    assertRefused(await listOwn(one, { accessToken: "x" }), "invalid_access_token");
    assertReply(await listOwn(one), 200);
    assertEquals((await search(as(one))).status, 429);
    assertRefused(await listOwn(one, { accessToken: "x" }), "invalid_access_token");
    assertReply(await listOwn(other), 200);
    assertEquals((await listOwn(one, { accessToken: "x" })).status, 429);
    assertEquals((await listOwn(one, { accessToken: undefined })).status, 429);
    assertRefused(await listOwn(one, elsewhere), "origin_not_allowed");
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    assertRefused(await listOwn(one, elsewhere), "invalid_api_key");
  });
}

Deno.test("publishable keys, counted by Postgres", async (t) => {
  await using service = await startService();
  await judgeLimits(t, service);

  await t.step("in the call that does the work", async () => {
    const { one, listOwn } = await setUp(service);
    service.supabase.requests.length = 0;
    assertReply(await listOwn(one), 200);
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });
});

Deno.test("publishable keys, counted by Upstash", async (t) => {
  await using redis = await startRedisServer();
  await using service = await startService({
    env: { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token },
    stoppedAt: Date.now(),
  });
  await judgeLimits(t, service);

  await t.step("in two requests to it, the user's own limits first, after which Postgres is asked once", async () => {
    const { one, listOwn } = await setUp(service);
    await listOwn(one);
    const before = redis.requests;
    service.supabase.requests.length = 0;
    assertReply(await listOwn(one), 200);
    assertEquals(redis.requests - before, 2);
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });
});

Deno.test("a publishable key admits signed-in users from its own pages", async (t) => {
  await using service = await startService();
  const page = await setUp(service);
  const { publishableKey, one, listOwn } = page;

  await t.step("nobody is signed in → 401, whatever Supabase clients send then", async () => {
    for (const accessToken of [undefined, projectKey, publishableKey]) {
      const reply = await listOwn(one, { accessToken });
      assertRefused(reply, "sign_in_first");
      assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    }
  });

  await t.step("another origin → 403, also where it only looks alike", async () => {
    const others = [
      "https://evil.example",
      "http://app.example.com",
      "https://app.example.com:8443",
      "https://app.example.com.evil.example",
      "https://sub.app.example.com",
      "https://APP.example.com",
      "null",
      "*",
      "",
    ];
    for (const origin of others) assertRefused(await listOwn(one, { origin }), "origin_not_allowed");
  });

  await t.step("without an origin → 403, unless it is a page of the service, or the key allows it", async () => {
    assertRefused(await listOwn(one, { origin: null }), "origin_not_allowed");
    const from = (site: string) => listOwn(one, { origin: null }, { headers: { "Sec-Fetch-Site": site } });
    assertReply(await from("same-origin"), 200);
    for (const site of ["same-site", "cross-site", "none"]) assertRefused(await from(site), "origin_not_allowed");
    const native = await issuePublishableKey(page.tenant.accountId, { origins: [], allows_no_origin: true });
    assertReply(await listOwn(one, { ...native, origin: null }), 200);
    assertRefused(await listOwn(one, native), "origin_not_allowed");
  });

  await t.step("one of several origins, a port and a native scheme too", async () => {
    const origins = ["http://localhost:3000", "capacitor://localhost", "http://[::1]:8080"];
    const key = await issuePublishableKey(page.tenant.accountId, { origins });
    for (const origin of origins) assertReply(await listOwn(one, { ...key, origin }), 200);
  });

  await t.step("a key in the header of the other kind → 401 with a sentence, and no backend is called", async () => {
    const { apiKey } = page.tenant;
    service.supabase.requests.length = 0;
    const secret = await listOwn(one, { publishableKey: apiKey });
    assertRefused(secret, "misplaced_api_key/secret");
    const publishable = await listOwn(one, { apiKey: publishableKey, publishableKey: undefined });
    assertRefused(publishable, "misplaced_api_key/publishable");
    assertEquals(service.supabase.requests, []);
  });

  await t.step("X-API-Key wins; what is not ours in apikey is ignored", async () => {
    const { apiKey } = page.tenant;
    assertReply(await listOwn(one, { apiKey, origin: "https://evil.example" }), 200);
    assertRefused(await listOwn(one, { publishableKey: projectKey }), "missing_api_key");
    assertRefused(await listOwn(one, { publishableKey: "hi_pub_x" }), "invalid_api_key");
    const typo = publishableKey.replace(/.$/, (last) => last === "0" ? "1" : "0");
    assertRefused(await listOwn(one, { publishableKey: typo }), "invalid_api_key");
  });

  await t.step("no MCP: that is for servers", async () => {
    const reply = await ask(service, "POST", "/mcp", page.as(one), { jsonrpc: "2.0", id: 1, method: "tools/list" });
    assertNotAdmitted(reply, "missing_api_key");
  });

  await t.step("log lines name the key that was refused, and none holds it", async () => {
    await service.clearLogs();
    await listOwn(one);
    await listOwn(one, { origin: "https://evil.example" });
    const refusal = (await service.logs()).find(({ code }) => code === "origin_not_allowed");
    assertEquals([refusal?.key_id, refusal?.reason], [page.keyId, "ApiError origin_not_allowed 403"]);
    const lines = JSON.stringify(await service.logs());
    assert(lines.includes("list_threads") || lines.includes("/threads"), lines);
    assert(!lines.includes(publishableKey));
  });
});

Deno.test("a publishable key shows a user nothing but what is theirs", async (t) => {
  await using service = await startService();
  const { tenant, one, other, as } = await setUp(service);
  const foreign = await createTenant();
  const say = (user: User) =>
    chat(service, { ...tenant, accessToken: user.accessToken }, {
      message: "Hi",
      context: { coachId: tenant.coachId },
    });
  const [ofOne, ofOther] = [await say(one), await say(other)];
  const atRandom = await chat(service, tenant, { message: "Hi", context: { coachId: tenant.coachId } });

  await t.step("chat, as the user, whoever the body names", async () => {
    const ask = (context: object, thread_id?: string) =>
      send(service, "POST", "/chat", as(one), { message: "Hi", thread_id, context });
    const reply = await ask({ coachId: tenant.coachId });
    await reply.body?.cancel();
    assertEquals(reply.status, 200);
    const threadId = reply.headers.get("X-Thread-Id")!;
    const { data } = await operator.from("threads").select("user_id").eq("id", threadId).single().throwOnError();
    assertEquals(data.user_id, one.id);
    for (
      const [context, thread, status] of [
        [{ coachId: tenant.coachId, userId: other.id }, undefined, 403],
        [{ coachId: foreign.coachId }, undefined, 404],
        [{}, ofOther.threadId, 404],
        [{}, atRandom.threadId, 404],
      ] as const
    ) {
      const refused = await ask(context, thread);
      await refused.body?.cancel();
      assertEquals(refused.status, status);
    }
  });

  await t.step("threads, messages and answers", async () => {
    const statusOf = async (method: string, path: string) => (await ask(service, method, path, as(one))).status;
    assertEquals(await statusOf("GET", `/users/${one.id}/threads`), 200);
    assertEquals(await statusOf("GET", `/users/${other.id}/threads`), 403);
    const own = await ask(service, "GET", `/users/${one.id}/threads`, as(one));
    assertEquals((await ask(service, "GET", "/users/me/threads", as(one))).json, own.json);
    assertEquals(own.json.data.every(({ user_id }: { user_id: string }) => user_id === one.id), true);
    // To a server that acts alone, it is an id like any other.
    assertReply(await ask(service, "GET", "/users/me/threads", tenant), 200, { data: [], count: 0 });
    for (const [{ threadId, messageId }, status] of [[ofOne, 200], [ofOther, 404], [atRandom, 404]] as const) {
      assertEquals(await statusOf("GET", `/threads/${threadId}/messages`), status);
      assertEquals(await statusOf("POST", `/chat/${messageId}/stop`), status);
      assertEquals(await statusOf("GET", `/chat/${messageId}/stream`), status === 200 ? 200 : 404);
    }
  });

  await t.step("no files, unless it is the coach who asks", async () => {
    const owner = await createUser();
    await operator.from("coach_profiles").update({ owner_id: owner.id }).eq("id", tenant.coachId).throwOnError();
    const second = await createCoach(tenant.accountId);
    const path = (coachId: string) => `/knowledge-handler?coachId=${coachId}`;
    const upload = (user: User, coachId: string) =>
      ask(service, "POST", path(coachId), as(user), formOf(["a.md", "Ships rest in the harbour."]));
    const search = (user: User, coachId: string) => ask(service, "GET", path(coachId), as(user));

    assertRefused(await upload(one, tenant.coachId), "not_the_coach");
    assertRefused(await search(one, tenant.coachId), "missing_scope", "knowledge:read");
    const uploaded = await upload(owner, tenant.coachId);
    assertEquals(uploaded.json.totalUploaded, 1, uploaded.text);
    assertEquals((await search(owner, tenant.coachId)).json.total, 1);
    for (const reply of [await upload(owner, second.id), await search(owner, second.id)]) {
      assertEquals(reply.status, 403);
    }
    for (const reply of [await upload(owner, foreign.coachId), await search(owner, foreign.coachId)]) {
      assertRefused(reply, "coach_not_found");
    }
    const remove = (user: User) =>
      ask(
        service,
        "DELETE",
        `/knowledge-handler/${uploaded.json.uploadedFiles[0].fileId}?coachId=${tenant.coachId}`,
        as(user),
      );
    assertRefused(await remove(one), "not_the_coach");
    assertEquals((await remove(owner)).status, 200);
    await service.turns();
  });

  await t.step("fewer scopes, where it was issued with fewer", async () => {
    const key = await issuePublishableKey(tenant.accountId, { scopes: ["chat"] });
    assertRefused(
      await ask(service, "GET", `/threads/${ofOne.threadId}/messages`, { ...as(one), ...key }),
      "missing_scope",
      "threads:read",
    );
  });
});

Deno.test("issue_publishable_key refuses what no page could use, or what nobody should", async () => {
  const { accountId } = await createTenant();
  const elsewhere = await createTenant();
  const refused: [PublishableKeyOptions, RegExp][] = [
    [{ origins: [] }, /needs origins/],
    [{ origins: ["https://app.example.com/"] }, /is not an origin/],
    [{ origins: ["https://App.example.com"] }, /is not an origin/],
    [{ origins: ["https://app.example.com:443"] }, /is not an origin/],
    [{ origins: ["app.example.com"] }, /is not an origin/],
    [{ origins: [pageOrigin, "*"] }, /is not an origin/],
    [{ scopes: ["knowledge:write"] }, /scopes of a publishable key must be among chat, threads:read, threads:write/],
    [{ scopes: ["expert"] }, /scopes of a publishable key/],
    [{ total_per_minute: 0 }, /api_keys_limits_are_positive/],
    [{ anonymous_per_hour: 0 }, /api_keys_limits_are_positive/],
    [{ anonymous_total_per_day: 0 }, /api_keys_limits_are_positive/],
    [{ coach_ids: [elsewhere.coachId] }, /coach_ids must be coaches of the account/],
    [{ coach_ids: [] }, /coach_ids must be coaches of the account/],
  ];
  for (const [options, message] of refused) {
    const { error } = await operator.rpc("issue_publishable_key", {
      account_id: accountId,
      name: "page",
      origins: [pageOrigin],
      ...options,
    });
    assertMatch(error?.message ?? "issued", message, JSON.stringify(options));
  }
});
