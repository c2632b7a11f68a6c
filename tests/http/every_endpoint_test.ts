import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { findEndpoints } from "../../shared/api/docs/find_endpoints.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { letIn } from "../support/ai_client.ts";
import { ask, assertRefused, assertReply, chat, type Credentials, functionOf, type Reply } from "../support/client.ts";
import { type Endpoint, endpoints, nothing, pathOf } from "../support/interface.ts";
import { inventKey } from "../support/invent_key.ts";
import { mailEnv } from "../support/mail_server.ts";
import { assertNotAdmitted } from "../support/mcp.ts";
import {
  allScopes,
  createTenant,
  createUser,
  issueKey,
  operator,
  publishableKey,
  type Tenant,
  type User,
} from "../support/project.ts";
import { told } from "../support/refusals.ts";
import { projectVariable, type Service, startService, tokenIssuer } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";

/** The MCP server, whose tools need a scope each, and which tells people how to get on. */
const mcp = { method: "POST", path: "/mcp", scope: [], refused: ["invalid_json"] } as const satisfies Endpoint;

/** Tokens that must be refused, and a user without threads and coaches, the same for all endpoints. */
let tokens: Promise<[name: string, token: string][]> | undefined;
let someone: Promise<User> | undefined;

function assertCors({ headers }: { headers: Headers }) {
  assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
  assertEquals(headers.get("Access-Control-Allow-Headers"), "authorization, x-client-info, apikey, content-type");
  assertEquals(headers.get("Cache-Control"), "no-store");
}

const allMethods: Endpoint["method"][] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The methods of a path, as `Allow` names them. */
function methodsOf({ path }: Endpoint): string[] {
  const [bare] = path.split("?");
  const alike = Object.values(endpoints).filter((other) => other.path.split("?")[0] === bare);
  const methods = alike.map(({ method }) => method);
  return path === "/mcp" ? ["POST"] : allMethods.filter((method) => methods.includes(method));
}

/** True if an endpoint has the method and the path: `import` could be the ID of an answer, and `sources` that of a file. */
function isServed(method: string, path: string): boolean {
  return [...Object.values(endpoints), mcp].some((endpoint) => {
    const pattern = new RegExp(`^${endpoint.path.replace(/\?.*/, "").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return endpoint.method === method && pattern.test(path.replace(/\?.*/, ""));
  });
}

/** An endpoint, and requests to it that get {@link Endpoint.refused} when they are admitted. */
type Subject = {
  endpoint: Endpoint;
  /** The sentence of its 500. */
  failure: string | undefined;
  service: Service;
  tenant: Tenant;
  path: string;
  request: (credentials: Credentials, init?: RequestInit) => Promise<Reply>;
  /** Checks a refusal, and that browsers may read it. */
  assertRefusal: typeof assertRefused;
};

async function checkKeys(t: Deno.TestContext, { endpoint, service, tenant, request, assertRefusal }: Subject) {
  /** Checks that a key alone was admitted. */
  const assertKnown = (reply: Reply) => {
    if (endpoint.needsUser) assertRefusal(reply, "sign_in_first");
    else assertNotEquals(reply.status, 401);
  };

  await t.step("no key → 401 without rate-limit headers, and no backend is called", async () => {
    const reply = await request({});
    assertRefusal(reply, "missing_api_key");
    assertEquals(reply.headers.has("X-RateLimit-Limit"), false);
    assertEquals(service.supabase.requests, []);
  });

  const typo = tenant.apiKey.slice(0, 12) + (tenant.apiKey[12] === "a" ? "b" : "a") + tenant.apiKey.slice(13);
  const impossible = {
    "garbage": "x",
    "a mistyped key": typo,
    "the secret key of the project": "sb_secret_x",
    "a key in quotes": `'${tenant.apiKey}'`,
  };
  for (const [name, apiKey] of Object.entries(impossible)) {
    await t.step(`${name} → 401, and no backend is called`, async () => {
      assertRefusal(await request({ apiKey }), "invalid_api_key");
      assertEquals(service.supabase.requests, []);
    });
  }

  await t.step("a well-formed key that was never issued → 401", async () => {
    assertRefusal(await request({ apiKey: inventKey("A".repeat(32)) }), "invalid_api_key");
  });

  await t.step("a revoked key → 401 from the next request on", async () => {
    const { apiKey, keyId } = await issueKey(tenant.accountId, { scopes: allScopes });
    assertKnown(await request({ apiKey }));
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    assertRefusal(await request({ apiKey }), "invalid_api_key");
  });

  await t.step("an expired key → 401, one that will expire is valid until then", async () => {
    const expiring = async (seconds: number) => {
      const expires_at = new Date(Date.now() + seconds * 1_000).toISOString();
      return request(await issueKey(tenant.accountId, { expires_at, scopes: allScopes }));
    };
    assertRefusal(await expiring(-1), "invalid_api_key");
    assertKnown(await expiring(3_600));
  });

  await t.step("beyond the limit of a key → 429", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { requests_per_minute: 1 });
    await request({ apiKey });
    assertRefused(await request({ apiKey }), "rate_limit_exceeded");
  });
}

async function checkTokens(t: Deno.TestContext, { tenant, request, assertRefusal, endpoint }: Subject) {
  await t.step("an empty Authorization header counts as no header", async () => {
    const without = (await request(tenant)).status;
    for (const Authorization of ["", " \t "]) {
      assertEquals((await request(tenant, { headers: { Authorization } })).status, without);
    }
  });

  await t.step("bad bearer tokens → 401, with rate-limit headers", async () => {
    for (const [name, accessToken] of await (tokens ??= badTokens())) {
      const reply = await request({ ...tenant, accessToken });
      assertRefusal(reply, "invalid_access_token");
      assert(reply.headers.has("X-RateLimit-Remaining"), name);
    }
    const basic = await request(tenant, { headers: { Authorization: "Basic dXNlcjpwYXNz" } });
    assertRefusal(basic, "invalid_access_token");
  });

  await t.step("a publishable key as bearer counts as no bearer", async () => {
    const reply = await request({ ...tenant, accessToken: publishableKey });
    if (endpoint.needsUser) assertRefusal(reply, "sign_in_first");
    else assertNotEquals(reply.status, 401);
  });
}

async function checkScopes(t: Deno.TestContext, { endpoint: { scope, refused }, tenant, request }: Subject) {
  const scopes = [scope].flat();
  if (scopes.length === 0) return;
  const { accessToken } = await (someone ??= createUser());

  await t.step(`a key without ${scopes.join(" and ")} → 403 that names it`, async () => {
    const without = await issueKey(tenant.accountId, { scopes: allScopes.filter((other) => !scopes.includes(other)) });
    // A signed-in user may be the expert behind the coach, who needs no scope for it.
    const reply = await request({ ...without, ...(scopes.includes("expert") ? {} : { accessToken }) });
    assertRefused(reply, "missing_scope", scopes[0]);
    assertCors(reply);
    assert(reply.headers.has("X-RateLimit-Remaining"));
  });

  await t.step("a key with no other scope is enough", async () => {
    const only = await issueKey(tenant.accountId, { scopes: scopes.slice(0, 1) });
    assertRefused(await request({ ...only, accessToken }), ...refused);
  });
}

async function checkPreflights(t: Deno.TestContext, { endpoint, service, path }: Subject) {
  const preflight = (headers: Record<string, string>) =>
    ask(service, "OPTIONS", path, {}, undefined, {
      headers: { "Origin": "https://app.example", "Access-Control-Request-Method": endpoint.method, ...headers },
    });

  await t.step("preflight needs no key, and names the methods", async () => {
    const reply = await preflight({});
    assertReply(reply, 204);
    assertCors(reply);
    assertEquals(reply.headers.get("Access-Control-Allow-Methods"), [...methodsOf(endpoint), "OPTIONS"].join(", "));
    assertEquals(reply.headers.get("Access-Control-Max-Age"), "7200");
    assertMatch(reply.headers.get("Access-Control-Expose-Headers") ?? "", /\bX-Error-Code\b/);
    assertEquals(reply.text, "");
  });

  await t.step("preflight of a client with a publishable key also allows the headers of traces", async () => {
    const allowing = (names: string) => preflight({ "Access-Control-Request-Headers": names });
    for (const names of ["apikey", "authorization,APIKEY,content-type,traceparent", "x-client-info, apikey"]) {
      assertEquals(
        (await allowing(names)).headers.get("Access-Control-Allow-Headers"),
        "authorization, x-client-info, apikey, content-type, traceparent, tracestate, baggage",
      );
    }
    for (const names of ["authorization", "traceparent", "x-apikey", "my apikey"]) assertCors(await allowing(names));
  });
}

async function checkRouting(t: Deno.TestContext, { endpoint, service, tenant, path, assertRefusal }: Subject) {
  await t.step("a wrong method → 405 with Allow", async () => {
    const methods = methodsOf(endpoint);
    for (const method of allMethods.filter((each) => !isServed(each, path))) {
      const reply = await ask(service, method, path, tenant);
      assertRefused(reply, "method_not_allowed");
      assertEquals(reply.headers.get("Allow"), [...methods, "OPTIONS"].join(", "));
      assertCors(reply);
    }
  });

  await t.step("an unknown route → 404 with a key, 401 without", async () => {
    const unknown = `/${functionOf(path)}/no/such/route`;
    const reply = await ask(service, endpoint.method, unknown, tenant);
    assertRefused(reply, "not_found");
    assertCors(reply);
    assertRefusal(await ask(service, endpoint.method, unknown, {}), "missing_api_key");
  });
}

async function checkHeaders(t: Deno.TestContext, { tenant, request }: Subject) {
  await t.step("every reply lets browsers read the headers of the service", async () => {
    const exposed = (await request(tenant)).headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
    for (
      const name of [
        "X-Thread-Id",
        "X-Message-Id",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-Error-Code",
        "Retry-After",
      ]
    ) {
      assert(exposed.includes(name), name);
    }
  });

  await t.step("the caller's request id comes back when it is acceptable, otherwise a new one", async () => {
    const echoed = await request({}, { headers: { "X-Request-Id": "order-66_a" } });
    assertEquals(echoed.headers.get("X-Request-Id"), "order-66_a");
    for (const insane of ["<script>", "a b", "x".repeat(300)]) {
      const reply = await request({}, { headers: { "X-Request-Id": insane } });
      assertMatch(reply.headers.get("X-Request-Id") ?? "", /^[0-9a-f-]{36}$/);
    }
  });
}

async function checkLogs(t: Deno.TestContext, { endpoint, service, tenant, request }: Subject) {
  const { status, code } = told(...endpoint.refused);
  const linesOf = async (id: string) =>
    (await service.logs()).filter(({ event, request_id }) => event === "request" && request_id === id);

  await t.step("each request is one log line with its id and code, and no line holds a key or a token", async () => {
    await service.clearLogs();
    await request({ ...tenant, accessToken: publishableKey }, { headers: { "X-Request-Id": "one-line" } });
    const { accessToken } = await (someone ??= createUser());
    await request({ ...tenant, accessToken }, { headers: { "X-Request-Id": "refused" } });
    await ask(service, "GET", "/users/u/threads", tenant, undefined, { headers: { "X-Request-Id": "fine" } });
    assertEquals((await linesOf("one-line")).length, 1);
    const seen = [...await linesOf("refused"), ...await linesOf("fine")];
    assertEquals(seen.map(({ status, code }) => [status, code]), [[status, code], [200, undefined]]);
    const text = JSON.stringify(await service.logs());
    for (const secret of [tenant.apiKey, publishableKey, accessToken]) assert(!text.includes(secret));
  });
}

async function checkFailures(t: Deno.TestContext, { endpoint, failure, service, tenant, request }: Subject) {
  if (failure === undefined) return;
  await t.step("when a backend is unreachable or fails", async () => {
    service.supabase.fault = "refuse";
    assertRefused(await request(tenant), "unavailable");
    service.supabase.fault = (path) => path.endsWith("/admit_request") ? "pass" : "refuse";
    const { method, needsUser, body } = endpoint;
    const thing = { ...nothing, ...(needsUser && { userId: "me" }) };
    const path = pathOf(endpoint, thing);
    const { accessToken } = await (someone ??= createUser());
    const reply = await ask(service, method, path, { ...tenant, ...(needsUser && { accessToken }) }, body?.(thing));
    assertRefused(reply, "internal_error", failure);
    service.supabase.fault = "pass";
  });
}

const { endpoints: found } = await findEndpoints();

/** The endpoints of a function share its middleware. */
const optionsOf = firstOfEachKind();

for (const [name, endpoint] of Object.entries<Endpoint>({ ...endpoints, mcp })) {
  const { method, refusedPath, body } = endpoint;
  const path = refusedPath ?? pathOf(endpoint, nothing);
  const options = optionsOf(functionOf(path));
  Deno.test(`${name}: what all endpoints share`, options, async (t) => {
    // A mail server that nobody calls: some requests need one.
    await using service = await startService({ env: mailEnv({ url: "smtp://127.0.0.1:9" }) });
    const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
    const subject: Subject = {
      ...{ endpoint, service, tenant, path },
      failure: found.find(({ endpoint }) => endpoint.name === name)?.endpoint.failure,
      request: (credentials, init) => ask(service, method, path, credentials, body?.(nothing), init),
      assertRefusal: (reply, refusal) => {
        (endpoint === mcp ? assertNotAdmitted : assertRefused)(reply, refusal);
        assertCors(reply);
      },
    };
    await checkKeys(t, subject);
    await checkTokens(t, subject);
    await checkScopes(t, subject);
    await checkPreflights(t, subject);
    await checkRouting(t, subject);
    await checkHeaders(t, subject);
    await checkLogs(t, subject);
    await checkFailures(t, subject);
  });
}

async function badTokens(): Promise<[string, string][]> {
  const { accessToken } = await createUser();
  const [header = "", payload = "", signature = ""] = accessToken.split(".");
  const claims = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(payload, { alphabet: "base64url" })));
  const encode = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
  const { kid } = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(header, { alphabet: "base64url" })));
  const foreign = await generateKeyPair("ES256", { extractable: true });
  const publicKeys = projectVariable("SUPABASE_JWKS");
  const sign = (alg: string, key: Parameters<SignJWT["sign"]>[0]) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(key);
  return [
    ["garbage", "garbage"],
    ["three dots", "..."],
    ["a token of an AI client", (await letIn({ accessToken })).accessToken],
    ["algorithm none", `${encode({ alg: "none", typ: "JWT" })}.${payload}.`],
    ["a forged signature", `${header}.${payload}.${"A".repeat(signature.length)}`],
    ["changed claims", `${header}.${encode({ ...claims, sub: crypto.randomUUID() })}.${signature}`],
    ["a foreign key under our kid", await sign("ES256", foreign.privateKey)],
    ["HS256 with the public keys as secret", await sign("HS256", new TextEncoder().encode(publicKeys))],
    [
      "HS256 with one public key as secret",
      await sign("HS256", new TextEncoder().encode(JSON.stringify(JSON.parse(publicKeys).keys[0]))),
    ],
    [
      "a key that brings itself along",
      await new SignJWT(claims).setProtectedHeader({ alg: "ES256", jwk: await exportJWK(foreign.publicKey) }).sign(
        foreign.privateKey,
      ),
    ],
  ];
}

Deno.test("access tokens sign users in", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const user = await createUser();

  const jwtSecret = "a secret of at least thirty-two bytes";
  await using symmetric = await startService({ env: { JWT_SECRET: jwtSecret } });
  const path = `/users/${user.id}/threads`;
  const claims = { iss: tokenIssuer(), aud: "authenticated", sub: user.id, role: "authenticated" };
  const sign = (secondsLeft: number, changes: JWTPayload = {}) =>
    new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + secondsLeft, ...changes })
      .setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(jwtSecret));

  await t.step("projects that sign HS256 work with JWT_SECRET, and only with it", async () => {
    const accessToken = await sign(60);
    assertReply(await ask(symmetric, "GET", path, { ...tenant, accessToken }), 200);
    assertReply(await ask(service, "GET", path, { ...tenant, accessToken }), 401);
    assertReply(await ask(symmetric, "GET", path, { ...tenant, accessToken: user.accessToken }), 200);
  });

  await t.step("an expired token → 401", async () => {
    const reply = await ask(symmetric, "GET", path, { ...tenant, accessToken: await sign(-1) });
    assertRefused(reply, "invalid_access_token");
  });

  await t.step("a token of another issuer, or for another audience → 401", async () => {
    const changes: JWTPayload[] = [
      { iss: "https://other.supabase.co/auth/v1" },
      { iss: undefined },
      { aud: "other" },
      { aud: undefined },
      // The keys of apps from before publishable keys are such tokens.
      { iss: "supabase", aud: undefined, sub: undefined, role: "anon" },
      { iss: "supabase", aud: undefined, sub: undefined, role: "service_role" },
      { role: "service_role" },
    ];
    for (const change of changes) {
      const reply = await ask(symmetric, "GET", path, { ...tenant, accessToken: await sign(60, change) });
      assertRefused(reply, "invalid_access_token");
    }
    const both = await sign(60, { aud: ["other", "authenticated"] });
    assertReply(await ask(symmetric, "GET", path, { ...tenant, accessToken: both }), 200);
  });

  await t.step("functions that know the project by another address ask it for its issuer", async () => {
    await using inside = await startService({ env: { JWT_ISSUER: "", JWT_SECRET: jwtSecret } });
    assertReply(await ask(inside, "GET", path, { ...tenant, accessToken: user.accessToken }), 200);
    assertReply(await ask(inside, "GET", path, { ...tenant, accessToken: await sign(60) }), 200);
    const foreign = await sign(60, { iss: "https://other.supabase.co/auth/v1" });
    assertReply(await ask(inside, "GET", path, { ...tenant, accessToken: foreign }), 401);
    const questions = inside.supabase.requests.filter((each) => each.endsWith("/openid-configuration"));
    assertEquals(questions.length, 1);
  });

  await t.step("a good token signs its user in", async () => {
    const { threadId } = await chat(service, { ...tenant, accessToken: user.accessToken }, {
      message: "Hi",
      context: { coachId: tenant.coachId, userId: user.id, isAuthenticated: true },
    });
    const { data } = await operator.from("threads").select("user_id").eq("id", threadId).single().throwOnError();
    assertEquals(data.user_id, user.id);
  });
});
