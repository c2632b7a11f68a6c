import { assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, type Credentials } from "../support/client.ts";
import {
  createAppClient,
  createTenant,
  createUser,
  issuePublishableKey,
  type PublishableKeyOptions,
} from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { type Service, startService } from "../support/service.ts";

/** Signs a visitor in, who is a new user each time. */
async function createVisitor() {
  const app = createAppClient();
  const { data, error } = await app.auth.signInAnonymously();
  if (data.session === null) throw new Error(`Cannot sign in: ${error?.message}`);
  return { app, accessToken: data.session.access_token };
}

/** A page with a publishable key, and requests of its users to the list of their own threads. */
async function setUp(service: Service, options: PublishableKeyOptions = {}) {
  const tenant = await createTenant();
  const key = await issuePublishableKey(tenant.accountId, options);
  const as = ({ accessToken }: { accessToken: string }): Credentials => ({ ...key, accessToken });
  const list = (user: { accessToken: string }) => ask(service, "GET", "/users/me/threads", as(user));
  const statuses = async (user: { accessToken: string }, count: number) => {
    const found = [];
    for (let request = 0; request < count; request++) found.push((await list(user)).status);
    return found;
  };
  return { as, list, statuses };
}

/** Promises that are the same whether Postgres or Upstash counts. */
async function judgeLimits(t: Deno.TestContext, service: Service) {
  await t.step("by default, an anonymous user has half of what other users have", async () => {
    const { list } = await setUp(service);
    const limitOf = async (user: { accessToken: string }) => (await list(user)).headers.get("X-RateLimit-Limit");
    assertEquals([await limitOf(await createVisitor()), await limitOf(await createUser())], ["30", "60"]);
  });

  await t.step("each anonymous user has limits of their own, other users have theirs", async () => {
    const { list, statuses } = await setUp(service, { requests_per_hour: 4, anonymous_per_hour: 1 });
    const [one, other] = [await createVisitor(), await createVisitor()];
    assertEquals([await statuses(one, 2), await statuses(other, 2)], [[200, 429], [200, 429]]);
    assertEquals((await list(one)).headers.get("X-RateLimit-Limit"), "1");
    assertEquals(await statuses(await createUser(), 5), [200, 200, 200, 200, 429]);
  });

  await t.step("a visitor who becomes a permanent user goes on with the higher limit", async () => {
    const { statuses } = await setUp(service, { requests_per_hour: 3, anonymous_per_hour: 1 });
    const visitor = await createVisitor();
    assertEquals(await statuses(visitor, 2), [200, 429]);
    await visitor.app.auth.updateUser({ email: `${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() });
    const { data: { session } } = await visitor.app.auth.refreshSession();
    assertEquals(await statuses({ accessToken: session!.access_token }, 3), [200, 200, 429]);
  });

  await t.step("a hundred anonymous users at their limit do not keep a permanent user out", async () => {
    const { list } = await setUp(service, { requests_per_hour: 2, total_per_hour: 100 });
    const visitors = await Promise.all(Array.from({ length: 100 }, createVisitor));
    const user = await createUser();
    const flood = visitors.map(list);
    assertReply(await list(user), 200);
    const replies = await Promise.all(flood);
    assertEquals(replies.filter(({ status }) => status === 200).length, 50);
    for (const reply of await Promise.all(visitors.map(list))) assertReply(reply, 429);
    assertReply(await list(user), 200);
    assertReply(await list(await createUser()), 200);
    const refusal = await list(await createVisitor());
    assertRefused(refusal, "rate_limit_exceeded");
    const { headers } = refusal;
    assertEquals([headers.get("X-RateLimit-Limit"), headers.get("X-RateLimit-Remaining")], ["50", "0"]);
  });

  await t.step("nor does the total of anonymous users grow by erasing oneself and signing in again", async () => {
    const { as, list } = await setUp(service, { anonymous_total_per_hour: 3 });
    for (const visitor of [await createVisitor(), await createVisitor()]) {
      const reply = await ask(service, "DELETE", "/users/me", as(visitor));
      assertEquals(reply.status, 200, reply.text);
    }
    assertReply(await list(await createVisitor()), 200);
    const again = await createVisitor();
    assertReply(await list(again), 429);
    assertReply(await ask(service, "DELETE", "/users/me", as(again)), 429);
    assertReply(await list(await createUser()), 200);
  });

  await t.step("the limit of all together is above both", async () => {
    const { list } = await setUp(service, { total_per_hour: 2 });
    assertReply(await list(await createVisitor()), 200);
    assertReply(await list(await createVisitor()), 429);
    assertReply(await list(await createUser()), 200);
    const refusal = await list(await createVisitor());
    assertEquals([refusal.status, refusal.headers.get("X-RateLimit-Limit")], [429, "2"]);
    assertReply(await list({ accessToken: "x" }), 429);
  });

  await t.step("where only anonymous users have used up theirs, a bad token is still a 401", async () => {
    const { list } = await setUp(service, { anonymous_total_per_hour: 1 });
    const visitor = await createVisitor();
    assertReply(await list(visitor), 200);
    assertReply(await list(visitor), 429);
    assertRefused(await list({ accessToken: "x" }), "invalid_access_token");
  });
}

Deno.test("limits of anonymous users, counted by Postgres", async (t) => {
  await using service = await startService();
  await judgeLimits(t, service);

  await t.step("in the call that does the work", async () => {
    const { list } = await setUp(service);
    service.supabase.requests.length = 0;
    assertReply(await list(await createVisitor()), 200);
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });
});

Deno.test("limits of anonymous users, counted by Upstash", async (t) => {
  await using redis = await startRedisServer();
  await using service = await startService({
    env: { UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token },
    stoppedAt: Date.now(),
  });
  await judgeLimits(t, service);

  await t.step("in two requests to it, as for other users, after which Postgres is asked once", async () => {
    const { list } = await setUp(service);
    const visitor = await createVisitor();
    await list(visitor);
    const before = redis.requests;
    service.supabase.requests.length = 0;
    assertReply(await list(visitor), 200);
    assertEquals(redis.requests - before, 2);
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });
});
