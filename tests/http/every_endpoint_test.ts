import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { letIn } from "../support/ai_client.ts";
import { ask, assertReply, chat, type Credentials, functionOf, type Reply } from "../support/client.ts";
import { inventKey } from "../support/invent_key.ts";
import { allScopes, createTenant, createUser, issueKey, operator, publishableKey } from "../support/project.ts";
import { projectVariable, startService, tokenIssuer } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";

const id = crypto.randomUUID();

/**
 * An endpoint, and all methods of its path. `scopes`: what every request to it needs; `remedies`: what its 401 says in
 * addition.
 */
type Endpoint = {
  method: string;
  path: string;
  scopes: string[];
  allow: string;
  wrongMethod: string;
  /** True: a key alone is admitted, but gets 401. */
  needsUser?: boolean;
  remedies?: Record<string, string>;
};

/** All endpoints; the checks that they share run on each. */
const endpoints: Endpoint[] = [
  { method: "POST", path: "/chat", scopes: ["chat"], allow: "POST, OPTIONS", wrongMethod: "GET" },
  { method: "POST", path: `/chat/${id}/stop`, scopes: ["chat"], allow: "POST, OPTIONS", wrongMethod: "GET" },
  { method: "POST", path: `/chat/${id}/retry`, scopes: ["chat"], allow: "POST, OPTIONS", wrongMethod: "GET" },
  { method: "GET", path: `/chat/${id}/stream`, scopes: ["chat"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  { method: "GET", path: "/coaches", scopes: ["chat"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  { method: "GET", path: "/coaches/c", scopes: ["chat"], allow: "GET, OPTIONS", wrongMethod: "DELETE" },
  { method: "GET", path: "/coaches/c/events", scopes: ["expert"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  {
    method: "GET",
    path: `/threads/${id}/events`,
    scopes: ["threads:read"],
    allow: "GET, OPTIONS",
    wrongMethod: "POST",
  },
  ...["GET", "POST"].map((method) => ({
    method,
    path: "/coaches/c/answers",
    scopes: ["expert"],
    allow: "GET, POST, OPTIONS",
    wrongMethod: "PUT",
  })),
  {
    method: "POST",
    path: "/coaches/c/answers/import",
    scopes: ["expert"],
    allow: "POST, OPTIONS",
    wrongMethod: "PUT",
  },
  {
    method: "GET",
    path: "/coaches/c/answers/export",
    scopes: ["expert"],
    allow: "GET, OPTIONS",
    wrongMethod: "POST",
  },
  ...["GET", "PATCH", "DELETE"].map((method) => ({
    method,
    path: `/coaches/c/answers/${id}`,
    scopes: ["expert"],
    allow: "GET, PATCH, DELETE, OPTIONS",
    wrongMethod: "POST",
  })),
  {
    method: "GET",
    path: "/coaches/c/barred-passages",
    scopes: ["expert"],
    allow: "GET, OPTIONS",
    wrongMethod: "POST",
  },
  ...["PUT", "DELETE"].map((method) => ({
    method,
    path: `/coaches/c/barred-passages/${"0".repeat(32)}`,
    scopes: ["expert"],
    allow: "PUT, DELETE, OPTIONS",
    wrongMethod: "POST",
  })),
  { method: "GET", path: "/coaches/c/usage", scopes: ["expert"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  { method: "GET", path: "/coaches/c/questions", scopes: ["expert"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  ...["dismiss", `${id}/dismiss`, `${id}/reopen`, `${id}/answer`].map((act) => ({
    method: "POST",
    path: `/coaches/c/questions/${act}`,
    scopes: ["expert"],
    allow: "POST, OPTIONS",
    wrongMethod: "GET",
  })),
  { method: "GET", path: "/coaches/c/threads", scopes: ["expert"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  { method: "POST", path: "/coaches/c/try", scopes: ["expert"], allow: "POST, OPTIONS", wrongMethod: "GET" },
  ...["GET", "PUT"].map((method) => ({
    method,
    path: "/coaches/c/experts/me/mail",
    scopes: ["expert"],
    allow: "GET, PUT, OPTIONS",
    wrongMethod: "DELETE",
  })),
  ...["GET", "PUT", "DELETE"].map((method) => ({
    method,
    path: "/users/me/mail",
    scopes: ["threads:write"],
    allow: "GET, PUT, DELETE, OPTIONS",
    wrongMethod: "POST",
    // A body that is missing is noticed before.
    needsUser: method !== "PUT",
  })),
  { method: "GET", path: "/users/u/budget", scopes: ["chat"], allow: "GET, OPTIONS", wrongMethod: "POST" },
  { method: "GET", path: "/users/u/threads", scopes: ["threads:read"], allow: "GET, OPTIONS", wrongMethod: "DELETE" },
  {
    method: "DELETE",
    path: "/users/me",
    scopes: ["threads:write"],
    allow: "DELETE, OPTIONS",
    wrongMethod: "GET",
    needsUser: true,
  },
  ...([["GET", "threads:read"], ["PATCH", "threads:write"], ["DELETE", "threads:write"]] as const).map((
    [method, scope],
  ) => ({
    method,
    path: `/threads/${id}`,
    scopes: [scope],
    allow: "GET, PATCH, DELETE, OPTIONS",
    wrongMethod: "POST",
  })),
  ...([["GET", "threads:read"], ["POST", "expert"]] as const).map(([method, scope]) => ({
    method,
    path: `/threads/${id}/messages`,
    scopes: [scope],
    allow: "GET, POST, OPTIONS",
    wrongMethod: "DELETE",
  })),
  ...["takeover", "release", `messages/${id}/revise`].map((action) => ({
    method: "POST",
    path: `/threads/${id}/${action}`,
    scopes: ["expert"],
    allow: "POST, OPTIONS",
    wrongMethod: "GET",
  })),
  {
    method: "PUT",
    path: `/threads/${id}/messages/${id}/feedback`,
    scopes: ["threads:write"],
    allow: "PUT, OPTIONS",
    wrongMethod: "POST",
  },
  {
    method: "POST",
    path: "/knowledge-handler?coachId=c",
    scopes: ["knowledge:write"],
    allow: "POST, GET, OPTIONS",
    wrongMethod: "PUT",
  },
  {
    method: "GET",
    path: "/knowledge-handler?coachId=c&search=x",
    scopes: ["knowledge:read"],
    allow: "POST, GET, OPTIONS",
    wrongMethod: "DELETE",
  },
  {
    method: "DELETE",
    path: `/knowledge-handler/${id}?coachId=c`,
    scopes: ["knowledge:write"],
    allow: "DELETE, GET, OPTIONS",
    wrongMethod: "POST",
  },
  ...["", "/content", `/passages/${"0".repeat(32)}`].map((part) => ({
    method: "GET",
    path: `/knowledge-handler/${id}${part}?coachId=c`,
    // One of two: reading_test has the callers.
    scopes: [],
    allow: part === "" ? "DELETE, GET, OPTIONS" : "GET, OPTIONS",
    wrongMethod: "POST",
  })),
  ...([["GET", "knowledge:read"], ["POST", "knowledge:write"]] as const).map(([method, scope]) => ({
    method,
    path: "/knowledge-handler/sources?coachId=c",
    scopes: [scope],
    allow: "GET, POST, OPTIONS",
    wrongMethod: "PUT",
  })),
  ...([["GET", "knowledge:read"], ["PATCH", "knowledge:write"], ["DELETE", "knowledge:write"]] as const).map((
    [method, scope],
  ) => ({
    method,
    path: `/knowledge-handler/sources/${id}?coachId=c`,
    scopes: [scope],
    allow: "GET, PATCH, DELETE, OPTIONS",
    wrongMethod: "POST",
  })),
  {
    method: "POST",
    path: `/knowledge-handler/sources/${id}/refresh?coachId=c`,
    scopes: ["knowledge:write"],
    allow: "POST, OPTIONS",
    wrongMethod: "GET",
  },
  {
    method: "POST",
    path: "/mcp",
    // Each MCP tool needs a scope of its own.
    scopes: [],
    allow: "POST, OPTIONS",
    wrongMethod: "GET",
    remedies: {
      "Missing API key":
        "In the MCP client's configuration of this server, set the header X-API-Key to a key of this service.",
      "Invalid API key":
        "The key in the header X-API-Key is mistyped, expired or revoked. Set a valid one in the MCP client's " +
        "configuration of this server.",
      "Invalid or expired access token": "Sign in again and send the new access token in the header Authorization, " +
        "or leave that header out to act with the API key alone.",
    },
  },
];

/** Tokens that must be refused, the same for all endpoints. */
let tokens: Promise<[name: string, token: string][]> | undefined;

function assertCors({ headers }: { headers: Headers }) {
  assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
  assertEquals(headers.get("Access-Control-Allow-Headers"), "authorization, x-client-info, apikey, content-type");
}

/** The endpoints of a function share its middleware. */
const optionsOf = firstOfEachKind();

for (const { method, path, scopes, allow, wrongMethod, needsUser = false, remedies = {} } of endpoints) {
  const refusal = (error: string) => ({ error, ...(error in remedies ? { message: remedies[error] } : {}) });
  /** Checks that a key alone was admitted. */
  const assertKnown = (reply: Reply) => {
    if (needsUser) assertReply(reply, 401, { error: "Sign in first" });
    else assertNotEquals(reply.status, 401);
  };

  const name = `${method} ${path.replace(id, "{id}")}: what all endpoints share`;
  Deno.test(name, optionsOf(`${method} of ${functionOf(path)}`), async (t) => {
    await using service = await startService();
    const tenant = await createTenant({ requests_per_minute: 1_000 });
    const request = (credentials: Credentials, init?: RequestInit) =>
      ask(service, method, path, credentials, undefined, init);

    await t.step("no key → 401 without rate-limit headers, and no backend is called", async () => {
      const reply = await request({});
      assertReply(reply, 401, refusal("Missing API key"));
      assertCors(reply);
      assertEquals(reply.headers.has("X-RateLimit-Limit"), false);
      assertEquals(service.supabase.requests, []);
    });

    const typo = tenant.apiKey.slice(0, 12) + (tenant.apiKey[12] === "a" ? "b" : "a") + tenant.apiKey.slice(13);
    for (
      const [name, apiKey] of [["garbage", "x"], ["a mistyped key", typo], [
        "the secret key of the project",
        "sb_secret_x",
      ], ["a key in quotes", `'${tenant.apiKey}'`]] as const
    ) {
      await t.step(`${name} → 401, and no backend is called`, async () => {
        const reply = await request({ apiKey });
        assertReply(reply, 401, refusal("Invalid API key"));
        assertCors(reply);
        assertEquals(service.supabase.requests, []);
      });
    }

    await t.step("a well-formed key that was never issued → 401", async () => {
      assertReply(await request({ apiKey: inventKey("A".repeat(32)) }), 401, refusal("Invalid API key"));
    });

    await t.step("a revoked key → 401 from the next request on", async () => {
      const { apiKey, keyId } = await issueKey(tenant.accountId);
      assertKnown(await request({ apiKey }));
      await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
      assertReply(await request({ apiKey }), 401, refusal("Invalid API key"));
    });

    await t.step("an expired key → 401", async () => {
      const { apiKey } = await issueKey(tenant.accountId, { expires_at: new Date(Date.now() - 1_000).toISOString() });
      assertReply(await request({ apiKey }), 401, refusal("Invalid API key"));
    });

    await t.step("a key that will expire is valid until then", async () => {
      const { apiKey } = await issueKey(tenant.accountId, {
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
      assertKnown(await request({ apiKey }));
    });

    await t.step("an empty Authorization header counts as no header", async () => {
      const without = (await request(tenant)).status;
      for (const Authorization of ["", " \t "]) {
        assertEquals((await request(tenant, { headers: { Authorization } })).status, without);
      }
    });

    await t.step("bad bearer tokens → 401, with rate-limit headers", async () => {
      for (const [name, accessToken] of await (tokens ??= badTokens())) {
        const reply = await request({ ...tenant, accessToken });
        assertReply(reply, 401, refusal("Invalid or expired access token"));
        assertCors(reply);
        assert(reply.headers.has("X-RateLimit-Remaining"), name);
      }
      const basic = await request(tenant, { headers: { Authorization: "Basic dXNlcjpwYXNz" } });
      assertReply(basic, 401, refusal("Invalid or expired access token"));
    });

    await t.step("a publishable key as bearer counts as no bearer", async () => {
      assertKnown(await request({ ...tenant, accessToken: publishableKey }));
    });

    for (const scope of scopes) {
      await t.step(`a key without ${scope} → 403 that names it`, async () => {
        const { apiKey } = await issueKey(tenant.accountId, { scopes: allScopes.filter((other) => other !== scope) });
        const reply = await request({ apiKey });
        assertReply(reply, 403, { error: `This API key lacks the scope ${scope}` });
        assertCors(reply);
        assert(reply.headers.has("X-RateLimit-Remaining"));
      });

      await t.step(`a key with no other scope than ${scope} is enough`, async () => {
        const { apiKey } = await issueKey(tenant.accountId, { scopes: [scope] });
        assertNotEquals((await request({ apiKey })).status, 403);
      });
    }

    await t.step("preflight needs no key, and names the methods", async () => {
      const reply = await ask(service, "OPTIONS", path, {}, undefined, {
        headers: { "Origin": "https://app.example", "Access-Control-Request-Method": method },
      });
      assertReply(reply, 204);
      assertCors(reply);
      assertEquals(reply.headers.get("Access-Control-Allow-Methods"), allow);
      assertEquals(reply.text, "");
    });

    await t.step("preflight of a client with a publishable key also allows the headers of traces", async () => {
      const preflight = (names: string) =>
        ask(service, "OPTIONS", path, {}, undefined, {
          headers: {
            "Origin": "https://app.example",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": names,
          },
        });
      for (const names of ["apikey", "authorization,APIKEY,content-type,traceparent", "x-client-info, apikey"]) {
        assertEquals(
          (await preflight(names)).headers.get("Access-Control-Allow-Headers"),
          "authorization, x-client-info, apikey, content-type, traceparent, tracestate, baggage",
        );
      }
      for (const names of ["authorization", "traceparent", "x-apikey", "my apikey"]) assertCors(await preflight(names));
    });

    await t.step("every reply lets browsers read the headers of the service", async () => {
      const exposed = (await request(tenant)).headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
      for (
        const name of [
          "X-Thread-Id",
          "X-Message-Id",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
          "Retry-After",
        ]
      ) {
        assert(exposed.includes(name), name);
      }
    });

    await t.step("a wrong method → 405 with Allow", async () => {
      const reply = await ask(service, wrongMethod, path, tenant);
      assertReply(reply, 405, { error: "Method not allowed" });
      assertEquals(reply.headers.get("Allow"), allow);
      assertCors(reply);
    });

    await t.step("an unknown route → 404 with a key, 401 without", async () => {
      const unknown = `${/^\/[^/?]+/.exec(path)?.[0]}/no/such/route`;
      const reply = await ask(service, method, unknown, tenant);
      assertReply(reply, 404, { error: "Not found" });
      assertCors(reply);
      assertReply(await ask(service, method, unknown, {}), 401, refusal("Missing API key"));
    });

    await t.step("the caller's request id comes back when it is acceptable, otherwise a new one", async () => {
      const echoed = await request({}, { headers: { "X-Request-Id": "order-66_a" } });
      assertEquals(echoed.headers.get("X-Request-Id"), "order-66_a");
      for (const insane of ["<script>", "a b", "x".repeat(300)]) {
        const reply = await request({}, { headers: { "X-Request-Id": insane } });
        assertMatch(reply.headers.get("X-Request-Id") ?? "", /^[0-9a-f-]{36}$/);
      }
    });

    await t.step("each request is one log line with its id, and no line holds a key or a token", async () => {
      await service.clearLogs();
      await request({ ...tenant, accessToken: publishableKey }, { headers: { "X-Request-Id": "one-line" } });
      assertEquals(
        (await service.logs()).filter(({ event, request_id }) => event === "request" && request_id === "one-line")
          .length,
        1,
      );
      const text = JSON.stringify(await service.logs());
      for (const secret of [tenant.apiKey, publishableKey]) assert(!text.includes(secret));
    });
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
    assertReply(reply, 401, { error: "Invalid or expired access token" });
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
      assertReply(reply, 401, { error: "Invalid or expired access token" });
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
