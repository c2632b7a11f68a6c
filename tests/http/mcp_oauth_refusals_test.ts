import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { letIn } from "../support/ai_client.ts";
import { ask, assertRefused, assertReply, type Credentials, send } from "../support/client.ts";
import { inventKey } from "../support/invent_key.ts";
import { startLogin } from "../support/login.ts";
import { assertNotAdmitted, envelope, revisions } from "../support/mcp.ts";
import {
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
  publishableKey as projectKey,
  type PublishableKeyOptions,
} from "../support/project.ts";
import { startRedisServer } from "../support/redis_server.ts";
import { projectVariable, type Service, startService, tokenIssuer } from "../support/service.ts";

const [revision] = revisions;
const { message, headers: ofProtocol } = envelope(revision, "tools/list");
const wellKnown = "/.well-known/oauth-protected-resource";
const elsewhere = "https://evil.example";

/** A key for AI clients, and requests to its address. */
async function setUp(service: Service, options: PublishableKeyOptions = {}) {
  const tenant = await createTenant();
  const { publishableKey: key, keyId } = await issuePublishableKey(tenant.accountId, {
    origins: [],
    allows_mcp: true,
    ...options,
  });
  const list = (credentials: Credentials, { path = `/mcp/${key}`, method = "POST", headers = {} } = {}) =>
    ask(service, method, path, credentials, method === "POST" ? message : undefined, {
      headers: { ...ofProtocol, ...headers },
    });
  const challenge = `Bearer resource_metadata="${service.supabase.url}/functions/v1/mcp/${key}${wellKnown}"`;
  return { tenant, key, keyId, list, challenge };
}

/** Signs tokens with a key that the service takes for that of the project. */
async function createSigner() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...await exportJWK(publicKey), alg: "ES256", kid: "of the test", use: "sig" };
  const claims = {
    iss: tokenIssuer(),
    sub: crypto.randomUUID(),
    role: "authenticated",
    aud: "authenticated",
    client_id: crypto.randomUUID(),
  };
  const seconds = Math.floor(Date.now() / 1_000);
  const sign = (
    changes: Record<string, unknown> = {},
    key: Parameters<SignJWT["sign"]>[0] = privateKey,
    alg = "ES256",
  ) => new SignJWT({ ...claims, exp: seconds + 3_600, ...changes }).setProtectedHeader({ alg, kid: jwk.kid }).sign(key);
  return { sign, jwk, seconds, env: { SUPABASE_JWKS: JSON.stringify({ keys: [jwk] }) } };
}

Deno.test("the address with a key, without a valid token", async (t) => {
  const { sign, jwk, seconds, env } = await createSigner();
  await using service = await startService({ env });
  await using login = await startLogin();
  const { tenant, key, list, challenge } = await setUp(service);
  await login.join(tenant);
  const good = await sign();

  await t.step("a token that Auth has issued to an AI client is accepted", async () => {
    const reply = await list({ accessToken: good });
    assertReply(reply, 200);
    assertEquals(reply.headers.get("WWW-Authenticate"), null);
    assert(reply.headers.has("X-RateLimit-Remaining"));
  });

  for (const origin of [null, elsewhere]) {
    await t.step(`without a token → 401 that says where to sign in, ${origin ?? "without an origin"}`, async () => {
      for (const method of ["POST", "GET", "DELETE", "PUT"]) {
        const reply = await list({ origin }, { method });
        assertNotAdmitted(reply, "sign_in_first/app");
        assertEquals(reply.headers.get("WWW-Authenticate"), challenge);
        assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
        assertMatch(reply.headers.get("Access-Control-Expose-Headers") ?? "", /(^|, )WWW-Authenticate(,|$)/);
      }
    });
  }

  await t.step("an empty header counts as none", async () => {
    const reply = await list({}, { headers: { Authorization: " " } });
    assertEquals(reply.headers.get("WWW-Authenticate"), challenge);
  });

  const foreign = await generateKeyPair("ES256");
  const [header = "", payload = "", signature = ""] = good.split(".");
  const encode = (value: object) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
  const refused: Record<string, string> = {
    "garbage": "garbage",
    "a token without a client, as pages have it": await sign({ client_id: undefined }),
    "an empty client": await sign({ client_id: "" }),
    "an expired token": await sign({ exp: seconds - 1 }),
    "a token that never expires": await sign({ exp: undefined }),
    "another issuer": await sign({ iss: "https://other.supabase.co/auth/v1" }),
    "no issuer": await sign({ iss: undefined }),
    "another audience": await sign({ aud: "other" }),
    "another role": await sign({ role: "service_role" }),
    "a wrong signature": `${header}.${payload}.${"A".repeat(signature.length)}`,
    "another key under the same name": await sign({}, foreign.privateKey),
    "alg none": `${encode({ alg: "none", typ: "JWT" })}.${payload}.`,
    "HS256 with the public key as secret": await sign({}, new TextEncoder().encode(JSON.stringify(jwk)), "HS256"),
    "HS256 with the public keys as secret": await sign({}, new TextEncoder().encode(env.SUPABASE_JWKS), "HS256"),
    "an application's own login, even one that names its client": await login.sign("ada", { client_id: "app" }),
    "the project's publishable key": projectKey,
    "the key of the address": key,
    "a secret key": tenant.apiKey,
  };
  for (const [what, accessToken] of Object.entries(refused)) {
    await t.step(`${what} → 401 invalid_token`, async () => {
      for (const origin of [null, elsewhere]) {
        const reply = await list({ accessToken, origin });
        assertNotAdmitted(reply, "invalid_access_token/app");
        assertEquals(reply.headers.get("WWW-Authenticate"), `${challenge}, error="invalid_token"`);
      }
    });
  }

  await t.step("another scheme than Bearer → the same", async () => {
    const reply = await list({}, { headers: { Authorization: "Basic dXNlcjpwYXNz" } });
    assertEquals(reply.headers.get("WWW-Authenticate"), `${challenge}, error="invalid_token"`);
  });

  await t.step("keys in headers do not help", async () => {
    const reply = await list({ apiKey: tenant.apiKey, publishableKey: key, origin: null });
    assertEquals([reply.status, reply.headers.get("WWW-Authenticate")], [401, challenge]);
  });

  await t.step("no log line holds the key or a token", async () => {
    await ask(service, "GET", `/mcp/${key}${wellKnown}`, {});
    await ask(service, "POST", `/mcp/${key}/nothing/${good}`, { accessToken: good });
    const logs = await service.logs();
    const routes = new Set(logs.filter(({ event }) => event === "request").map(({ route }) => route));
    for (const route of ["/mcp/:key", `/mcp/:key${wellKnown}`]) assert(routes.has(route), route);
    const text = JSON.stringify([logs, await service.printed()]);
    for (const secret of [key, key.slice(7), good, payload]) assertEquals(text.includes(secret), false);
  });
});

/** The order of refusals, whether Postgres or Upstash counts. */
async function judgeOrder(t: Deno.TestContext, service: Service, sign: (sub: string) => Promise<string>) {
  await t.step("refusals come in this order: key, wide limit, token, origin, own limit, route, method", async () => {
    const { key, keyId, list, challenge } = await setUp(service, {
      origins: ["https://app.example.com"],
      requests_per_minute: 1,
      total_per_minute: 2,
    });
    const [ada, ben] = [{ accessToken: await sign("ada") }, { accessToken: await sign("ben") }];
    const isAsked = (reply: { headers: Headers }) => reply.headers.get("WWW-Authenticate")?.startsWith(challenge);
    const nowhere = { path: `/mcp/${key}/nothing` };
    assert(isAsked(await list({ origin: elsewhere })));
    assert(isAsked(await list({ accessToken: "x", origin: elsewhere }, nowhere)));
    for (const options of [{}, nowhere, { method: "GET" }]) {
      assertRefused(await list({ ...ada, origin: elsewhere }, options), "origin_not_allowed");
    }
    assertReply(await list({ ...ada, origin: "https://app.example.com" }), 200);
    for (const options of [{}, nowhere, { method: "GET" }]) assertEquals((await list(ada, options)).status, 429);
    const nothing = await list(ben, nowhere);
    assertRefused(nothing, "not_found");
    // Both have used what all share.
    for (const credentials of [{}, { accessToken: "x" }, { origin: elsewhere }]) {
      const reply = await list(credentials);
      assertEquals([reply.status, reply.headers.get("WWW-Authenticate")], [429, null]);
    }
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    assertNotAdmitted(await list(ada), "invalid_api_key/app");
  });

  await t.step("a stranger uses nothing up", async () => {
    const { list } = await setUp(service, { total_per_minute: 1 });
    for (let count = 0; count < 3; count++) {
      assertReply(await list({}), 401);
      assertReply(await list({ accessToken: "x" }), 401);
    }
    assertReply(await list({ accessToken: await sign("ada") }), 200);
  });

  await t.step("GET and DELETE → 405: the server keeps no sessions", async () => {
    const { list } = await setUp(service);
    const credentials = { accessToken: await sign("ada") };
    for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
      const reply = await list(credentials, { method });
      assertRefused(reply, "method_not_allowed");
      assertEquals(reply.headers.get("Allow"), "POST, OPTIONS");
    }
  });

  await t.step("keys that are not for AI clients answer like unknown ones, with a token or without", async () => {
    const { tenant, keyId, key } = await setUp(service);
    const { publishableKey: ofPage } = await issuePublishableKey(tenant.accountId);
    const { publishableKey: native } = await issuePublishableKey(tenant.accountId, { allows_no_origin: true });
    const { publishableKey: expired } = await issuePublishableKey(tenant.accountId, {
      allows_mcp: true,
      expires_at: new Date(Date.now() - 1_000).toISOString(),
    });
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    const unknown = inventKey("A".repeat(32)).replace("hi_live_", "hi_pub_");
    const replies = new Set<string>();
    for (const shown of [unknown, key, expired, ofPage, native, "hi_pub_x", `${unknown}x`, "x", "hi_x"]) {
      for (const accessToken of [undefined, "x", await sign("ada")]) {
        for (const method of ["POST", "GET"]) {
          const reply = await ask(service, method, `/mcp/${shown}`, { accessToken, origin: elsewhere });
          assertNotAdmitted(reply, "invalid_api_key/app");
          assertEquals(reply.headers.get("WWW-Authenticate"), null);
          assertEquals(reply.headers.get("X-RateLimit-Limit"), null);
          replies.add(reply.text);
        }
      }
    }
    assertEquals(replies.size, 1);
  });
}

Deno.test("the address with a key, counted by Postgres", async (t) => {
  const { sign, env } = await createSigner();
  await using service = await startService({ env });
  await judgeOrder(t, service, (sub) => sign({ sub }));
});

Deno.test("the address with a key, counted by Upstash", async (t) => {
  const { sign, env } = await createSigner();
  await using redis = await startRedisServer();
  await using service = await startService({
    env: { ...env, UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: redis.token },
    stoppedAt: Date.now(),
  });
  await judgeOrder(t, service, (sub) => sign({ sub }));
});

Deno.test("the address with a key: pages, other keys and the metadata", async (t) => {
  const { sign, env } = await createSigner();
  await using service = await startService({ env });
  const { tenant, key, list } = await setUp(service);
  const path = `/mcp/${key}`;
  const getMetadata = (from: Service, ofPath = path, credentials: Credentials = {}) =>
    ask(from, "GET", ofPath + wellKnown, credentials);

  await t.step("a preflight allows the headers of the protocol, for every origin", async () => {
    for (const asked of [path, path + wellKnown]) {
      const reply = await ask(service, "OPTIONS", asked, { origin: elsewhere }, undefined, {
        headers: { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" },
      });
      assertReply(reply, 204);
      const allowed = reply.headers.get("Access-Control-Allow-Headers")?.split(", ") ?? [];
      for (
        const name of [
          "authorization",
          "content-type",
          "mcp-protocol-version",
          "mcp-session-id",
          "mcp-method",
          "mcp-name",
          "last-event-id",
        ]
      ) assert(allowed.includes(name), name);
      assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    }
  });

  await t.step("the address without a key keeps the headers of the interface", async () => {
    const reply = await ask(service, "OPTIONS", "/mcp", { origin: elsewhere });
    assertEquals(
      reply.headers.get("Access-Control-Allow-Headers"),
      "authorization, x-client-info, apikey, content-type",
    );
    assertEquals(reply.headers.get("Access-Control-Expose-Headers")?.includes("WWW-Authenticate"), false);
  });

  await t.step("a secret key in the address → 401 with a sentence, and no backend is called", async () => {
    service.supabase.requests.length = 0;
    const reply = await list({ accessToken: await sign() }, { path: `/mcp/${tenant.apiKey}` });
    assertRefused(reply, "misplaced_api_key/address");
    assertMatch(reply.json.error, /^A secret API key must not be part of an address/);
    assertEquals(reply.text.includes(tenant.apiKey), false);
    assertEquals(service.supabase.requests, []);
  });

  await t.step("a key for AI clients without origins is of no use to pages and native apps", async () => {
    const accessToken = await sign({ client_id: undefined });
    for (const origin of ["https://app.example.com", null]) {
      const reply = await ask(service, "GET", "/users/me/threads", { publishableKey: key, accessToken, origin });
      assertRefused(reply, "origin_not_allowed");
    }
  });

  await t.step("the metadata follow RFC 9728, need no key, and call no backend", async () => {
    service.supabase.requests.length = 0;
    const reply = await getMetadata(service, path, { origin: elsewhere });
    assertReply(reply, 200, {
      resource: `${service.supabase.url}/functions/v1/mcp/${key}`,
      authorization_servers: [tokenIssuer()],
      bearer_methods_supported: ["header"],
      scopes_supported: ["email"],
    });
    assertEquals(reply.headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(service.supabase.requests, []);
    assertReply(await getMetadata(service, path, { accessToken: "x", apiKey: "x" }), 200);
    assertEquals((await send(service, "HEAD", path + wellKnown, {})).status, 200);
    const posted = await ask(service, "POST", path + wellKnown, {});
    assertEquals([posted.status, posted.headers.get("Allow")], [405, "GET, OPTIONS"]);
  });

  await t.step("they do not tell which keys exist", async () => {
    const { keyId, key: revoked } = await setUp(service);
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    const unknown = inventKey("B".repeat(32)).replace("hi_live_", "hi_pub_");
    for (const shown of [revoked, unknown]) {
      const { status, json } = await getMetadata(service, `/mcp/${shown}`);
      assertEquals([status, json.resource.endsWith(shown)], [200, true]);
    }
    for (const shown of ["hi_pub_x", tenant.apiKey, `${key}x`, "hi_<script>", `${key}%0d%0aX: y`]) {
      const reply = await getMetadata(service, `/mcp/${encodeURI(shown)}`);
      assertRefused(reply, "not_found");
    }
  });

  await t.step("behind a proxy they have the address that clients know", async () => {
    await using proxied = await startService({ env: { PUBLIC_URL: "https://chat.example.com/" } });
    const { json } = await getMetadata(proxied);
    assertEquals(json.resource, `https://chat.example.com/functions/v1${path}`);
    const own = await setUp(proxied);
    assertEquals(
      (await own.list({}, { headers: { "X-Forwarded-Host": "evil.example", "Host": "evil.example" } })).headers
        .get("WWW-Authenticate"),
      `Bearer resource_metadata="https://chat.example.com/functions/v1/mcp/${own.key}${wellKnown}"`,
    );
  });

  await t.step("where functions know the project by another address, Auth is asked for its name, once", async () => {
    await using inside = await startService({ env: { JWT_ISSUER: "" } });
    for (let count = 0; count < 2; count++) {
      assertEquals((await getMetadata(inside)).json.authorization_servers, [tokenIssuer()]);
    }
    assertEquals(inside.supabase.requests, ["/auth/v1/.well-known/openid-configuration"]);
  });

  await t.step("an Auth that does not answer → 503, and is asked again", async () => {
    await using inside = await startService({ env: { JWT_ISSUER: "" } });
    inside.supabase.fault = "refuse";
    assertReply(await getMetadata(inside), 503);
    inside.supabase.fault = "pass";
    assertReply(await getMetadata(inside), 200);
  });
});

Deno.test("the token of an AI client works nowhere else", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const user = await createUser();
  const { accessToken } = await letIn(user);
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { allows_mcp: true });
  const entrances: [what: string, method: string, path: string, credentials: Credentials, body?: unknown][] = [
    ["with a secret key", "GET", "/users/me/threads", tenant],
    ["with a publishable key", "GET", "/users/me/threads", { publishableKey }],
    ["erasing oneself", "DELETE", "/users/me", { publishableKey }],
    ["chat", "POST", "/chat", { publishableKey }, { message: "Hi", context: { coachId: tenant.coachId } }],
    ["an unknown route", "GET", "/threads/no/such/route", { publishableKey }],
    ["the files of a coach", "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant],
  ];
  for (const [what, method, path, credentials, body] of entrances) {
    await t.step(`${what} → 401`, async () => {
      const reply = await ask(service, method, path, { ...credentials, accessToken }, body);
      assertRefused(reply, "invalid_access_token");
      assertEquals(reply.headers.get("WWW-Authenticate"), null);
    });
  }

  await t.step("the MCP server's address without a key → 401", async () => {
    const reply = await ask(service, "POST", "/mcp", { ...tenant, accessToken }, message, { headers: ofProtocol });
    assertNotAdmitted(reply, "invalid_access_token");
    assertEquals(reply.headers.get("WWW-Authenticate"), null);
  });

  await t.step("the API for OpenAI's clients → 401, beside a key and as a key", async () => {
    for (const credentials of [{ ...tenant, accessToken }, { accessToken }]) {
      assertEquals((await ask(service, "GET", "/openai/v1/models", credentials)).status, 401);
    }
  });

  await t.step("Supabase's own REST shows it nothing, and it can call no function of the service", async () => {
    const address = projectVariable("SUPABASE_URL");
    const headers = { "apikey": projectKey, "Authorization": `Bearer ${accessToken}` };
    for (const table of ["threads", "messages", "coach_profiles", "coach_experts", "accounts", "knowledge_files"]) {
      const response = await fetch(`${address}/rest/v1/${table}?select=*`, { headers });
      const rows = await response.json();
      if (response.ok) assertEquals(rows, [], table);
    }
    const response = await fetch(`${address}/rest/v1/rpc/list_api_keys`, { method: "POST", headers });
    await response.body?.cancel();
    assertEquals(response.ok, false);
  });

  await t.step("the person's own token works everywhere but at the address with a key", async () => {
    const own = { accessToken: user.accessToken };
    assertReply(await ask(service, "GET", "/users/me/threads", { ...tenant, ...own }), 200);
    assertReply(await ask(service, "GET", "/users/me/threads", { publishableKey, ...own }), 200);
    assertEquals(
      (await ask(service, "POST", `/mcp/${publishableKey}`, own, message, { headers: ofProtocol })).status,
      401,
    );
  });
});
