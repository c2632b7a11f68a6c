import { decodeJwt, exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { withOAuthServer } from "../../../supabase/platform/oauth/oauth_server.ts";
import { createOAuthStore, openOAuthStore } from "../../../supabase/platform/oauth/store.ts";
import { digest } from "../../../supabase/platform/oauth/register_client.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../../support/assert.ts";

const issuer = "http://127.0.0.1:54321/auth/v1";
const callback = "http://localhost:7777/callback";
const verifier = "a-verifier-that-is-long-enough-for-the-rules-of-pkce";

/** An authorization server with a clock of its own, two users, and Auth behind it. */
async function startServer() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const signingKey = { ...await exportJWK(privateKey), kid: "1", alg: "ES256" };
  const clock = { now: Date.UTC(2026, 0, 1) };
  const users = new Map(["ada", "bob"].map((id) => [id, { id, email: `${id}@example.com`, isAnonymous: false }]));
  const store = createOAuthStore();
  const fetch = await withOAuthServer(() => Promise.resolve(Response.json({ passed: true })), {
    issuer,
    siteUrl: "http://127.0.0.1:54321/",
    signingKey,
    store,
    findUser: (id) => Promise.resolve(users.get(id) ?? null),
    now: () => clock.now,
  });
  const signIn = (sub: string) =>
    new SignJWT({ sub, aud: "authenticated", exp: clock.now / 1_000 + 3_600 }).setProtectedHeader({ alg: "ES256" })
      .sign(privateKey);

  /** Sends a request, and reads the reply. */
  async function send(method: string, path: string, { body, token, form, headers = {} }: {
    body?: unknown;
    token?: string;
    form?: Record<string, string>;
    headers?: Record<string, string>;
  } = {}) {
    const response = await fetch(
      new Request(new URL(path, "http://127.0.0.1:54321"), {
        method,
        headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
        body: form ? new URLSearchParams(form) : body === undefined ? undefined : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    const location = response.headers.get("Location");
    // deno-lint-ignore no-explicit-any -- Replies of every kind.
    const json: any = text === "" ? null : JSON.parse(text);
    return { status: response.status, json, location: location === null ? null : new URL(location) };
  }

  const register = async (fields: Record<string, unknown> = {}) =>
    (await send("POST", "/auth/v1/oauth/clients/register", {
      body: { redirect_uris: [callback], token_endpoint_auth_method: "none", client_name: "Claude", ...fields },
    })).json;

  /** Asks for access, up to the consent page. */
  async function ask(clientId: string, changes: Record<string, string> = {}) {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: callback,
      response_type: "code",
      state: "xyz",
      code_challenge: await digest(verifier),
      code_challenge_method: "S256",
      ...changes,
    });
    return await send("GET", `/auth/v1/oauth/authorize?${query}`);
  }

  /** Approves as a user, and returns the code. */
  async function approve(clientId: string, user: string) {
    const { location } = await ask(clientId);
    const path = `/auth/v1/oauth/authorizations/${location!.searchParams.get("authorization_id")}`;
    const token = await signIn(user);
    const shown = await send("GET", path, { token });
    const reply = shown.json.redirect_url
      ? shown
      : await send("POST", `${path}/consent`, { token, body: { action: "approve" } });
    return new URL(reply.json.redirect_url).searchParams.get("code")!;
  }

  const exchange = (clientId: string, code: string, changes: Record<string, string> = {}) =>
    send("POST", "/auth/v1/oauth/token", {
      form: {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        redirect_uri: callback,
        code_verifier: verifier,
        ...changes,
      },
    });
  const refresh = (clientId: string, refresh_token: string) =>
    send("POST", "/auth/v1/oauth/token", { form: { grant_type: "refresh_token", client_id: clientId, refresh_token } });
  return { send, register, ask, approve, exchange, refresh, signIn, clock, users, store, publicKey };
}

Deno.test("the authorization server of the local stack registers apps and asks users", async (t) => {
  const { send, register, ask, signIn, clock } = await startServer();
  const { client_id: app } = await register();

  await t.step("its metadata stand at the address of the issuer, and where RFC 8414 has them", async () => {
    for (
      const path of [
        "/auth/v1/.well-known/oauth-authorization-server",
        "/auth/v1/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/auth/v1",
        "/.well-known/openid-configuration/auth/v1",
      ]
    ) {
      const { json } = await send("GET", path);
      assertEquals([json.issuer, json.token_endpoint], [issuer, `${issuer}/oauth/token`], path);
      assertEquals(json.code_challenge_methods_supported, ["S256", "plain"]);
    }
  });

  await t.step("all else is left to Auth", async () => {
    for (const path of ["/auth/v1/user", "/rest/v1/threads", "/auth/v1/oauth/unknown", "/.well-known/other"]) {
      assertEquals((await send("GET", path)).json, { passed: true });
    }
  });

  await t.step("an app registers itself: public ones get no secret", async () => {
    const open = await register();
    assertEquals([open.client_type, open.client_secret, open.registration_type], ["public", undefined, "dynamic"]);
    const closed = await register({ token_endpoint_auth_method: undefined });
    assertEquals([closed.client_type, closed.token_endpoint_auth_method], ["confidential", "client_secret_basic"]);
    assertMatch(closed.client_secret, /^[\w-]{43}$/);
  });

  for (
    const [wrong, reason] of [
      [{ redirect_uris: [] }, "redirect_uris is required"],
      [{ redirect_uris: ["javascript://x/alert(1)"] }, "scheme 'javascript' is not allowed"],
      [{ redirect_uris: ["http://evil.example/"] }, "HTTP scheme only allowed for localhost"],
      [{ redirect_uris: [`${callback}#x`] }, "fragment not allowed"],
      [{ grant_types: ["client_credentials"] }, "grant_types must only contain"],
      [{ client_type: "public", token_endpoint_auth_method: "client_secret_post" }, "is inconsistent"],
    ] as [Record<string, unknown>, string][]
  ) {
    await t.step(`a registration is refused: ${reason}`, async () => {
      const { error_code, msg } = await register(wrong);
      assertEquals([error_code, msg.includes(reason)], ["validation_failed", true], msg);
    });
  }

  await t.step("the browser is sent to the consent page", async () => {
    const { status, location } = await ask(app);
    assertEquals([status, location!.origin + location!.pathname], [302, "http://127.0.0.1:54321/oauth/consent/"]);
    assertMatch(location!.searchParams.get("authorization_id")!, /^[0-9A-Za-z]{32}$/);
  });

  await t.step("an unknown app, or a redirect that is not registered to the letter, is not sent anywhere", async () => {
    const unknown = await ask(crypto.randomUUID());
    assertEquals([unknown.status, unknown.json.error_code], [400, "oauth_client_not_found"]);
    for (const redirect_uri of [`${callback}/`, `${callback}?a=1`, "https://evil.example/", ""]) {
      const { status, json, location } = await ask(app, { redirect_uri });
      assertEquals([status, json.error_code, location], [400, "validation_failed", null]);
    }
  });

  for (
    const wrong of [
      { response_type: "token" },
      { scope: "email admin" },
      { code_challenge: "" },
      { code_challenge_method: "none" },
      { resource: "relative" },
    ] as Record<string, string>[]
  ) {
    await t.step(`the app learns what is wrong with its request: ${JSON.stringify(wrong)}`, async () => {
      const { location } = await ask(app, wrong);
      const { searchParams } = location!;
      assertEquals([searchParams.get("error"), searchParams.get("state")], ["invalid_request", "xyz"]);
    });
  }

  await t.step("the page learns what is asked for; a stranger and another user learn nothing", async () => {
    const { location } = await ask(app, { scope: "email profile" });
    const id = location!.searchParams.get("authorization_id");
    const path = `/auth/v1/oauth/authorizations/${id}`;
    const stranger = await send("GET", path);
    assertEquals([stranger.status, stranger.json.error_code], [401, "no_authorization"]);
    const forged = await send("GET", path, { token: "a.b.c" });
    assertEquals([forged.status, forged.json.error_code], [403, "bad_jwt"]);
    const elsewhere = await send("GET", path, {
      token: await signIn("ada"),
      headers: { Origin: "https://evil.example" },
    });
    assertEquals(elsewhere.json.msg, "unauthorized request origin");
    const early = await send("POST", `${path}/consent`, { token: await signIn("ada"), body: { action: "approve" } });
    assertEquals(early.status, 404);
    assertEquals((await send("GET", path, { token: await signIn("ada") })).json, {
      authorization_id: id,
      redirect_uri: callback,
      client: { id: app, name: "Claude" },
      user: { id: "ada", email: "ada@example.com" },
      scope: "email profile",
    });
    for (const [method, end] of [["GET", ""], ["POST", "/consent"]] as const) {
      const other = await send(method, path + end, {
        token: await signIn("bob"),
        ...(end && { body: { action: "approve" } }),
      });
      assertEquals([other.status, other.json.error_code], [404, "oauth_authorization_not_found"]);
    }
    const denied = await send("POST", `${path}/consent`, { token: await signIn("ada"), body: { action: "deny" } });
    const { searchParams } = new URL(denied.json.redirect_url);
    assertEquals([searchParams.get("error"), searchParams.get("state")], ["access_denied", "xyz"]);
    assertEquals((await send("GET", path, { token: await signIn("ada") })).status, 400);
  });

  await t.step("ten minutes later it is too late", async () => {
    const { location } = await ask(app);
    const token = await signIn("ada");
    clock.now += 600_000;
    const path = `/auth/v1/oauth/authorizations/${location!.searchParams.get("authorization_id")}`;
    assertEquals((await send("GET", path, { token })).status, 404);
  });
});

Deno.test("the authorization server of the local stack issues tokens and takes them back", async (t) => {
  const server = await startServer();
  const { send, register, ask, approve, exchange, refresh, signIn, clock } = server;
  const { client_id: app } = await register();

  await t.step("a code is exchanged for tokens that name the app", async () => {
    const { status, json } = await exchange(app, await approve(app, "ada"));
    assertEquals([status, json.token_type, json.expires_in, json.user], [200, "bearer", 3_600, undefined]);
    const { payload } = await jwtVerify(json.access_token, server.publicKey, { currentDate: new Date(clock.now) });
    assertEquals([payload.sub, payload.client_id, payload.iss, payload.aud], ["ada", app, issuer, "authenticated"]);
    assertEquals([payload.role, payload.is_anonymous, payload.email], ["authenticated", false, "ada@example.com"]);
  });

  await t.step("a user who has approved the app is not asked again", async () => {
    const { location } = await ask(app);
    const path = `/auth/v1/oauth/authorizations/${location!.searchParams.get("authorization_id")}`;
    const { json } = await send("GET", path, { token: await signIn("ada") });
    assertMatch(json.redirect_url, /^http:\/\/localhost:7777\/callback\?code=[0-9a-f-]{36}&state=xyz$/);
  });

  await t.step("a code works once, for its app, redirect and verifier", async () => {
    const code = await approve(app, "ada");
    const { client_id: other } = await register();
    for (
      const [wrong, reason, client = app] of [
        [{ code_verifier: `${verifier}x` }, "PKCE verification failed"],
        [{ code_verifier: "" }, "PKCE verification failed"],
        [{ redirect_uri: "http://localhost:7777/other" }, "Invalid redirect_uri"],
        [{ code: crypto.randomUUID() }, "Invalid authorization code"],
        [{}, "Authorization code was not issued for this client", other],
      ] as [Record<string, string>, string, string?][]
    ) {
      const { status, json } = await exchange(client, code, wrong);
      assertEquals([status, json.error, json.error_description.startsWith(reason)], [400, "invalid_grant", true]);
    }
    const both = await Promise.all([exchange(app, code), exchange(app, code)]);
    assertEquals(both.map(({ status }) => status).sort(), [200, 400]);
    assertEquals((await exchange(app, code)).json.error, "invalid_grant");
  });

  await t.step("an app with a secret has to show it, in the way that it has registered", async () => {
    const { client_id, client_secret } = await register({ token_endpoint_auth_method: "client_secret_post" });
    const code = await approve(client_id, "ada");
    for (const wrong of [{}, { client_secret: "wrong" }] as Record<string, string>[]) {
      assertEquals((await exchange(client_id, code, wrong)).json.error_code, "invalid_credentials");
    }
    assertEquals((await exchange(client_id, code, { client_secret })).status, 200);
    assertEquals((await exchange(crypto.randomUUID(), code)).json.error_code, "invalid_credentials");
  });

  await t.step("refresh tokens rotate; one that was used before ends the session", async () => {
    const { json: first } = await exchange(app, await approve(app, "ada"));
    const { json: second } = await refresh(app, first.refresh_token);
    assertNotEquals(second.refresh_token, first.refresh_token);
    assertEquals(decodeJwt(second.access_token).session_id, decodeJwt(first.access_token).session_id);
    // A lost reply: the client sends the same token again.
    clock.now += 60_000;
    assertEquals((await refresh(app, first.refresh_token)).json.refresh_token, second.refresh_token);
    const { client_id: other } = await register();
    assertEquals((await refresh(other, second.refresh_token)).json.error, "invalid_client");
    const { json: third } = await refresh(app, second.refresh_token);
    clock.now += 11_000;
    assertEquals((await refresh(app, first.refresh_token)).json.error_code, "refresh_token_already_used");
    assertEquals((await refresh(app, third.refresh_token)).json.error_code, "refresh_token_not_found");
  });

  await t.step("a revoked grant ends the sessions of that app and user, and of no others", async () => {
    const { client_id: other } = await register({ client_name: "Cursor" });
    const { json: ada } = await exchange(app, await approve(app, "ada"));
    const { json: bob } = await exchange(app, await approve(app, "bob"));
    const { json: cursor } = await exchange(other, await approve(other, "ada"));
    const token = await signIn("ada");
    const { json: grants } = await send("GET", "/auth/v1/user/oauth/grants", { token });
    assertEquals(grants.find((grant: { client: { id: string } }) => grant.client.id === other), {
      client: { id: other, name: "Cursor" },
      scopes: ["email"],
      granted_at: new Date(clock.now).toISOString(),
    });
    const path = `/auth/v1/user/oauth/grants?client_id=${app}`;
    assertEquals((await send("GET", "/auth/v1/user", { token: ada.access_token })).json.email, "ada@example.com");
    assertEquals((await send("DELETE", path, { token })).status, 204);
    assertEquals((await send("DELETE", path, { token })).json.error_code, "oauth_consent_not_found");
    assertEquals((await refresh(app, ada.refresh_token)).json.error_code, "refresh_token_not_found");
    const gone = await send("GET", "/auth/v1/user", { token: ada.access_token });
    assertEquals([gone.status, gone.json.error_code], [403, "session_not_found"]);
    assertEquals((await refresh(app, bob.refresh_token)).status, 200);
    assertEquals((await refresh(other, cursor.refresh_token)).status, 200);
    assert((await ask(app)).location!.pathname === "/oauth/consent/");
  });

  await t.step("the tokens of a deleted user are not renewed", async () => {
    const { json } = await exchange(app, await approve(app, "bob"));
    server.users.delete("bob");
    assertEquals((await refresh(app, json.refresh_token)).json.error_code, "refresh_token_not_found");
  });
});

Deno.test("the authorization server remembers apps when the stack is restarted", async () => {
  const folder = await Deno.makeTempDir();
  const store = await openOAuthStore(`${folder}/oauth.json`);
  store.consents.push({ userId: "ada", clientId: "1", scopes: ["email"], grantedAt: "2026-01-01T00:00:00.000Z" });
  await Promise.all([store.save(), store.save()]);
  assertEquals((await openOAuthStore(`${folder}/oauth.json`)).consents, store.consents);
  await Deno.remove(folder, { recursive: true });
});
