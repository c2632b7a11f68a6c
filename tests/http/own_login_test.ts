import { Buffer } from "node:buffer";
import * as jose from "jose";
import { assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, type Credentials } from "../support/client.ts";
import { createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { startLogin } from "../support/login.ts";
import { type Service, startService } from "../support/service.ts";

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
