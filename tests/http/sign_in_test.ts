import { Buffer } from "node:buffer";
import * as jose from "jose";
import { decodeJwt } from "jose";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, type Credentials, gatewayOf } from "../support/client.ts";
import {
  createAppClient,
  createTenant,
  createUser,
  issueKey,
  operator,
  publishableKey,
  type Tenant,
} from "../support/project.ts";
import { startLogin } from "../support/login.ts";
import { projectVariable, type Service, startService } from "../support/service.ts";

const listThreads = (service: Service, credentials: Credentials, userId: string) =>
  ask(service, "GET", `/users/${encodeURIComponent(userId)}/threads`, credentials);

async function say(service: Service, tenant: Tenant, accessToken: string): Promise<string> {
  service.model.script(tenant.modelName, { steps: [{ text: "Hello" }] });
  const { threadId } = await chat(service, { ...tenant, accessToken }, {
    message: "Hi",
    context: { coachId: tenant.coachId },
  });
  return threadId;
}

async function userOf(threadId: string): Promise<string> {
  const { data } = await operator.from("threads").select("user_id").eq("id", threadId).single().throwOnError();
  return data.user_id;
}

Deno.test("users of an application's own login", async (t) => {
  await using service = await startService();
  await using login = await startLogin();
  const [one, other, without] = [await createTenant(), await createTenant(), await createTenant()];
  await login.join(one);
  await login.join(other);
  const ada = await login.sign("auth0|ada");
  const threadId = await say(service, one, ada);

  await t.step("chat, and their threads are kept under the name of the issuer", async () => {
    assertEquals(await userOf(threadId), "acme:auth0|ada");
    const reply = await listThreads(service, { ...one, accessToken: ada }, "acme:auth0|ada");
    assertReply(reply, 200);
    assertEquals(reply.json.data.map(({ id }: { id: string }) => id), [threadId]);
    assertReply(await ask(service, "GET", `/threads/${threadId}/messages`, { ...one, accessToken: ada }), 200);
  });

  await t.step("do not see what belongs to another user, of whichever login", async () => {
    const others = {
      "another user of the login": await login.sign("auth0|eve"),
      "a user whose id only looks the same": await login.sign("acme:auth0|ada"),
      "a user of the project": (await createUser()).accessToken,
    };
    for (const [who, accessToken] of Object.entries(others)) {
      const reply = await ask(service, "GET", `/threads/${threadId}/messages`, { ...one, accessToken });
      assertEquals([who, reply.status], [who, 404]);
      assertReply(await listThreads(service, { ...one, accessToken }, "acme:auth0|ada"), 403);
    }
  });

  await t.step("are other users in another account with the same login and name", async () => {
    const theirs = await say(service, other, ada);
    assertEquals(await userOf(theirs), "acme:auth0|ada");
    assertReply(await ask(service, "GET", `/threads/${threadId}/messages`, { ...other, accessToken: ada }), 404);
    const reply = await listThreads(service, { ...other, accessToken: ada }, "acme:auth0|ada");
    assertEquals(reply.json.data.map(({ id }: { id: string }) => id), [theirs]);
  });

  const foreign = await jose.generateKeyPair("RS256");
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const payload = { iss: login.issuer, aud: "coach-app", sub: "auth0|ada", exp: 4_000_000_000 };
  const wrong: Record<string, { tenant?: Tenant; token: string }> = {
    "with the key of an account that has no issuers": { tenant: without, token: ada },
    "signed with a foreign key": { token: await login.sign("auth0|ada", {}, foreign.privateKey) },
    "that has expired": { token: await login.sign("auth0|ada", { exp: 1_000_000_000 }) },
    "for another audience": { token: await login.sign("auth0|ada", { aud: "authenticated" }) },
    "of an issuer that nobody knows": { token: await login.sign("auth0|ada", { iss: "https://nobody.example" }) },
    "without a user": { token: await login.sign(" ") },
    "of a user whose id is too long": { token: await login.sign("a".repeat(251)) },
    "that is not signed": { token: `${encode({ alg: "none" })}.${encode(payload)}.` },
    "signed with the public key as a secret": {
      token: await login.sign("auth0|ada", {}, new TextEncoder().encode(login.publicPem)),
    },
  };
  for (const [what, { tenant = one, token }] of Object.entries(wrong)) {
    await t.step(`a token ${what} is 401`, async () => {
      const credentials = { ...tenant, accessToken: token };
      assertRefused(await listThreads(service, credentials, "acme:auth0|ada"), "invalid_access_token");
      const message = { message: "Hi", context: { coachId: tenant.coachId } };
      assertRefused(await ask(service, "POST", "/chat", credentials, message), "invalid_access_token");
    });
  }

  await t.step("a key that is none is refused before the token", async () => {
    const { apiKey, keyId } = await issueKey(one.accountId);
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    for (const accessToken of [ada, "garbage"]) {
      assertRefused(await listThreads(service, { apiKey, accessToken }, "acme:auth0|ada"), "invalid_api_key");
    }
  });

  await t.step("the issuers are looked up once for each key, the published keys once for all", async () => {
    const { apiKey } = await issueKey(one.accountId);
    service.supabase.requests.length = login.state.requests = 0;
    for (let more = 0; more < 3; more++) {
      assertReply(await listThreads(service, { apiKey, accessToken: ada }, "acme:auth0|ada"), 200);
    }
    assertEquals(
      service.supabase.requests.map((path) => path.replace("/rest/v1/rpc/", "")),
      ["find_token_issuers", "list_threads", "list_threads", "list_threads"],
    );
    assertEquals(login.state.requests, 0);
  });

  await t.step("users of the project cost no look-up", async () => {
    const user = await createUser();
    service.supabase.requests.length = 0;
    assertReply(await listThreads(service, { ...one, accessToken: user.accessToken }, user.id), 200);
    assertEquals(service.supabase.requests, ["/rest/v1/rpc/list_threads"]);
  });

  await t.step("their data can be exported and erased", async () => {
    const named = { account_id: one.accountId, user_id: "acme:auth0|ada" };
    const { data: exported } = await operator.rpc("export_user", named).throwOnError();
    assertEquals((exported as { threads: { id: string }[] }).threads.map(({ id }) => id), [threadId]);
    await operator.rpc("erase_user", named).throwOnError();
    assertReply(await ask(service, "GET", `/threads/${threadId}/messages`, { ...one, accessToken: ada }), 404);
    const kept = await listThreads(service, { ...other, accessToken: ada }, "acme:auth0|ada");
    assertEquals(kept.json.data.length, 1);
  });
});

Deno.test("an application's own login that changes or fails", async (t) => {
  await using login = await startLogin();
  const tenant = await createTenant();
  await login.join(tenant);
  const credentials = { ...tenant, accessToken: await login.sign("ada") };

  await t.step("a login that does not answer is 503", async () => {
    await using service = await startService();
    login.state.isDown = true;
    const reply = await listThreads(service, credentials, "acme:ada");
    assertReply(reply, 503);
    assertEquals(reply.headers.get("Retry-After"), "5");
    login.state.isDown = false;
  });

  await t.step("issuers that Postgres does not tell are 503, and asked for again", async () => {
    await using service = await startService();
    service.supabase.fault = (path) => path.endsWith("/find_token_issuers") ? "refuse" : "pass";
    assertReply(await listThreads(service, credentials, "acme:ada"), 503);
    service.supabase.fault = "pass";
    assertReply(await listThreads(service, credentials, "acme:ada"), 200);
  });

  await t.step("an issuer that was removed signs nobody in", async () => {
    await operator.rpc("remove_token_issuer", { account_id: tenant.accountId, name: "acme" }).throwOnError();
    await using service = await startService();
    assertRefused(await listThreads(service, credentials, "acme:ada"), "invalid_access_token");
  });
});

Deno.test("POST /auth/v1/token", async (t) => {
  const user = await createUser();
  const post = async (grant: string, body: unknown) => {
    const project = { url: projectVariable("SUPABASE_URL") };
    const path = `/auth/v1/token?grant_type=${grant}`;
    const { status, json } = await ask(project, "POST", path, {}, body, { headers: { apikey: publishableKey } });
    return { status, session: json };
  };

  await t.step("password: a session of an hour with the user", async () => {
    const { status, session } = await post("password", { email: user.email, password: user.password });
    assertEquals(status, 200);
    assertEquals([session.token_type, session.expires_in], ["bearer", 3600]);
    assertEquals([session.user.id, session.user.email], [user.id, user.email]);
    // Supabase's clients in Python and Dart read no other form.
    const [{ created_at: ofIdentity }] = session.user.identities;
    for (const time of [session.user.last_sign_in_at, ofIdentity]) assertMatch(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert(session.refresh_token);
    const [header] = session.access_token.split(".");
    assertEquals(JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/"))).alg, "ES256");
  });

  await t.step("refresh_token: a new access token that works, and a new refresh token each time", async () => {
    const { session: first } = await post("password", { email: user.email, password: user.password });
    const { status, session: second } = await post("refresh_token", { refresh_token: first.refresh_token });
    assertEquals(status, 200);
    assertEquals([second.token_type, second.expires_in], ["bearer", 3600]);
    assertNotEquals(second.refresh_token, first.refresh_token);
    const { session: third } = await post("refresh_token", { refresh_token: second.refresh_token });
    assertNotEquals(third.refresh_token, second.refresh_token);
    await using service = await startService();
    const tenant = await createTenant();
    const reply = await ask(service, "GET", `/users/${user.id}/threads`, {
      ...tenant,
      accessToken: third.access_token,
    });
    assertReply(reply, 200, { data: [], count: 0 });
  });

  await t.step("every reply of the local stack, a refusal too, carries the CORS line of the interface", async () => {
    const gateway = gatewayOf("http://127.0.0.1:9");
    const send = (method: string, headers: HeadersInit, body?: string) =>
      gateway(new Request("http://127.0.0.1/auth/v1/token?grant_type=password", { method, headers, body }));
    const credentials = JSON.stringify({ email: user.email, password: user.password });
    const replies = [
      await send("POST", { apikey: publishableKey }, credentials),
      await send("POST", { apikey: publishableKey }, JSON.stringify({ email: user.email, password: "wrong" })),
      await send("POST", {}, credentials),
      await send("OPTIONS", { "Access-Control-Request-Headers": "apikey, content-type" }),
    ];
    assertEquals(replies.map(({ status }) => status), [200, 400, 401, 204]);
    for (const { headers } of replies) {
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      assertEquals(headers.get("Access-Control-Allow-Headers"), "authorization, x-client-info, apikey, content-type");
    }
    await Promise.all(replies.map(({ body }) => body?.cancel()));
  });

  await t.step("a wrong password and an invented refresh token are refused", async () => {
    assertEquals((await post("password", { email: user.email, password: "wrong-password" })).status, 400);
    const { status } = await post("refresh_token", { refresh_token: crypto.randomUUID() });
    assert(status === 400 || status === 401, String(status));
  });
});

const auth = (path: string) => `${projectVariable("SUPABASE_URL")}/auth/v1/${path}`;
const page = "http://127.0.0.1:3999/desk/";

/** Opens the link of a mail, as a browser does: without any key. Returns what is after the `#` of the page. */
async function open(link: string): Promise<URLSearchParams> {
  const response = await fetch(link, { redirect: "manual" });
  await response.body?.cancel();
  const [address, fragment] = response.headers.get("Location")?.split("#") ?? [];
  assertEquals([response.status, address], [303, page]);
  return new URLSearchParams(fragment);
}

Deno.test("a forgotten password", async (t) => {
  const { id, email } = await createUser();
  const password = crypto.randomUUID();
  async function generateLink(): Promise<string> {
    const { data } = await operator.auth.admin.generateLink({
      type: "recovery",
      email,
      options: { redirectTo: page },
    });
    return data.properties!.action_link;
  }
  const link = await generateLink();

  await t.step("asking for a link has the same reply whether or not there is such a user", async () => {
    for (const address of [email, `${crypto.randomUUID()}@example.com`]) {
      const response = await fetch(auth(`recover?redirect_to=${encodeURIComponent(page)}`), {
        method: "POST",
        headers: { "apikey": publishableKey, "Content-Type": "application/json" },
        body: JSON.stringify({ email: address }),
      });
      assertEquals([response.status, await response.text()], [200, "{}"]);
    }
  });

  await t.step("an older link, and one with another token, lead to the page with an error", async () => {
    for (const wrong of [link, link.replace(/token=[^&]*/, "token=0123456789")]) {
      const fragment = await open(wrong);
      assertEquals([fragment.get("error_code"), fragment.has("access_token")], ["otp_expired", false]);
    }
  });

  await t.step("the link leads to the page with a session, which may set the password", async () => {
    const link = await generateLink();
    const fragment = await open(link);
    assertEquals(fragment.get("type"), "recovery");
    assertMatch(fragment.get("refresh_token")!, /./);
    const token = fragment.get("access_token")!;
    const { sub, email: claimed, is_anonymous } = decodeJwt(token);
    assertEquals([sub, claimed, is_anonymous], [id, email, false]);
    const response = await fetch(auth("user"), {
      method: "PUT",
      headers: { "apikey": publishableKey, "Authorization": `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ password }),
    });
    assertEquals([response.status, (await response.json()).id], [200, id]);
    const { data } = await createAppClient().auth.signInWithPassword({ email, password });
    assertEquals(data.user?.id, id);
    assertEquals((await open(link)).get("error_code"), "otp_expired", "a link works once");
  });

  await t.step("leads to no other site", async () => {
    const { data } = await operator.auth.admin.generateLink({
      type: "recovery",
      email,
      options: { redirectTo: "https://evil.example/" },
    });
    const response = await fetch(data.properties!.action_link, { redirect: "manual" });
    await response.body?.cancel();
    assert(!response.headers.get("Location")!.includes("evil"), response.headers.get("Location")!);
  });

  await t.step("only operators generate links", async () => {
    const { data, error } = await createAppClient().auth.admin.generateLink({ type: "recovery", email });
    assert(error !== null && !data.properties, JSON.stringify(data));
  });
});

/** Signs a new anonymous user in, as a page does. */
async function signIn(data?: Record<string, unknown>) {
  const app = createAppClient();
  const { data: { session }, error } = await app.auth.signInAnonymously(data && { options: { data } });
  if (session === null) throw new Error(`Cannot sign in: ${error?.message}`);
  return { app, user: session.user, session };
}

Deno.test("anonymous sign-in", async (t) => {
  await t.step("a session of a user without an address, of whom nothing made up is shown", async () => {
    // A time in the form of Postgres, which Auth's own times have in another one.
    const said = { nickname: "Ada", born_at: "1815-12-10 12:00:00+00" };
    const { app, user, session } = await signIn(said);
    assertMatch(user.created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assertEquals([session.token_type, session.expires_in], ["bearer", 3600]);
    const { id, email, phone, is_anonymous, identities, app_metadata, user_metadata, email_confirmed_at } = user;
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertEquals(
      { email, phone, is_anonymous, identities, app_metadata, user_metadata, email_confirmed_at },
      {
        email: "",
        phone: "",
        is_anonymous: true,
        identities: [],
        app_metadata: {},
        user_metadata: said,
        email_confirmed_at: undefined,
      },
    );
    const claims = decodeJwt(session.access_token);
    assertEquals([claims.sub, claims.role, claims.aud], [id, "authenticated", "authenticated"]);
    assertEquals([claims.is_anonymous, claims.email], [true, ""]);

    const { data: { user: again } } = await app.auth.getUser();
    assertEquals([again?.id, again?.is_anonymous, again?.email, again?.identities], [id, true, "", []]);
    assertEquals(again?.user_metadata, said);
    assert(!JSON.stringify([session, claims, again]).includes("invalid"));
  });

  await t.step("a refresh keeps the user, who stays anonymous", async () => {
    const { app, user, session } = await signIn();
    const { data } = await app.auth.refreshSession();
    assertEquals([data.user?.id, data.user?.is_anonymous, data.user?.email], [user.id, true, ""]);
    assertNotEquals(data.session!.refresh_token, session.refresh_token);
    assertEquals(decodeJwt(data.session!.access_token).is_anonymous, true);
  });

  await t.step("with an address and a password the same user is no longer anonymous", async () => {
    const { app, user } = await signIn({ nickname: "Ada" });
    const [email, password] = [`${crypto.randomUUID()}@example.com`, crypto.randomUUID()];
    const taken = await app.auth.updateUser({ email: (await createUser()).email });
    assertNotEquals(taken.error, null);
    const { data: { user: kept } } = await app.auth.getUser();
    assertEquals([kept?.is_anonymous, kept?.email], [true, ""]);

    const { data: { user: changed } } = await app.auth.updateUser({ email, password });
    assertEquals([changed?.id, changed?.email, changed?.is_anonymous], [user.id, email, false]);
    assertEquals(changed?.new_email, undefined);
    const { data } = await createAppClient().auth.signInWithPassword({ email, password });
    assertEquals([data.user?.id, data.user?.user_metadata.nickname], [user.id, "Ada"]);
    assertEquals(data.user?.identities?.map(({ identity_data }) => identity_data?.email), [email]);
    assertEquals(decodeJwt(data.session!.access_token).is_anonymous, false);
    assert(!JSON.stringify([changed, data]).includes("invalid"));
  });

  await t.step("each sign-in is another user", async () => {
    const [one, other] = [await signIn(), await signIn()];
    assertNotEquals(one.user.id, other.user.id);
  });

  await t.step("other users are not anonymous, and a sign-up with half of it is still refused", async () => {
    const user = await createUser();
    const { is_anonymous, email } = decodeJwt(user.accessToken);
    assertEquals([is_anonymous, email], [false, user.email]);
    for (const body of [{ email: "ada@example.com" }, { email: "not an address", password: "long enough" }]) {
      const url = `${projectVariable("SUPABASE_URL")}/auth/v1/signup`;
      const headers = { apikey: publishableKey, "Content-Type": "application/json" };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      await response.body?.cancel();
      assert(response.status >= 400, `${response.status} ${JSON.stringify(body)}`);
    }
  });

  await t.step("anonymous users chat, and have their own threads", async () => {
    await using service = await startService();
    const tenant = await createTenant();
    const [one, other] = [await signIn(), await signIn()];
    const credentials = { ...tenant, accessToken: one.session.access_token };
    service.model.script(tenant.modelName, { steps: [{ text: "Hello" }] });
    const { threadId } = await chat(service, credentials, { message: "Hi", context: { coachId: tenant.coachId } });
    const { data } = await operator.from("threads").select("user_id").eq("id", threadId).single().throwOnError();
    assertEquals(data.user_id, one.user.id);
    const stranger = { ...tenant, accessToken: other.session.access_token };
    assertReply(await ask(service, "GET", `/threads/${threadId}/messages`, stranger), 404);
    assertReply(await ask(service, "GET", `/users/${one.user.id}/threads`, stranger), 403);
    assertReply(await ask(service, "GET", `/users/${other.user.id}/threads`, stranger), 200, { data: [], count: 0 });
  });

  await t.step("a page of another origin may send what supabase-js sends", async () => {
    const sent = new Map<string, Set<string>>();
    const recorded: typeof fetch = async (input, init) => {
      const { method, headers } = new Request(input, init);
      sent.set(method, new Set([...sent.get(method) ?? [], ...headers.keys()]));
      return await fetch(input, init);
    };
    const app = createAppClient(recorded);
    await app.auth.signInAnonymously();
    await app.auth.getUser();
    await app.auth.updateUser({ data: { nickname: "Ada" } });
    assertEquals([...sent.keys()], ["POST", "GET", "PUT"]);

    const gateway = gatewayOf("http://127.0.0.1:9");
    for (const [method, headers] of sent) {
      const asked = { "Access-Control-Request-Method": method, "Access-Control-Request-Headers": [...headers].join() };
      const url = "http://127.0.0.1/auth/v1/user";
      const reply = await gateway(
        new Request(url, { method: "OPTIONS", headers: { Origin: "https://app.example", ...asked } }),
      );
      assertEquals([reply.status, reply.headers.get("Access-Control-Allow-Origin")], [204, "*"]);
      const listOf = (name: string) => reply.headers.get(name)!.split(", ");
      assert(listOf("Access-Control-Allow-Methods").includes(method), method);
      const safe = ["accept"];
      const allowed = [...listOf("Access-Control-Allow-Headers"), ...safe];
      assertEquals([...headers].filter((name) => !allowed.includes(name)), []);
    }
  });
});
