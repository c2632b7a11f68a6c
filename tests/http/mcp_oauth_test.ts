import type { Client } from "@modelcontextprotocol/client";
import { decodeJwt } from "jose";
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "../support/assert.ts";
import { AiClient, letIn, revoke } from "../support/ai_client.ts";
import { callTool, refusedCall } from "../support/mcp.ts";
import {
  createAppClient,
  createCoach,
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
  signInAnonymously,
  type User,
} from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { projectVariable, type Service, startService } from "../support/service.ts";

/** The server's address for an AI client. */
async function setUp(service: Service, options: Parameters<typeof issuePublishableKey>[1] = {}) {
  const tenant = await createTenant();
  const key = await issuePublishableKey(tenant.accountId, { origins: [], allows_mcp: true, ...options });
  return { tenant, ...key, address: `${service.supabase.url}/functions/v1/mcp/${key.publishableKey}` };
}

/** Calls a tool until the limit is reached. Connecting has used some of it. */
async function callUntilRefused(client: Client, limit: number) {
  const error = await assertRejects(async () => {
    for (let count = 0; count < limit; count++) await callTool(client, "list-coaches", {});
  }, Error);
  assert(error.message.includes(sentenceOf("rate_limit_exceeded")), error.message);
}

/** The access token is over, as an hour later; the refresh token is not. */
function expire(app: AiClient) {
  app.stored = { ...app.stored!, access_token: `${app.stored!.access_token.slice(0, -8)}AAAAAAAA` };
}

Deno.test("an AI client walks from the bare address to an answer", async (t) => {
  await using service = await startService();
  const { tenant: { coachId }, address, publishableKey } = await setUp(service);
  const [ada, ben] = [await createUser(), await createUser()];
  const app = new AiClient(ada);
  const path = `/functions/v1/mcp/${publishableKey}`;

  await t.step("metadata, registration, consent, code and tokens, and then it is connected", async () => {
    await using client = await app.connect(address);
    assertEquals(app.requests.slice(0, 6), [
      `POST ${path}`,
      `GET ${path}/.well-known/oauth-protected-resource`,
      "GET /.well-known/oauth-authorization-server/auth/v1",
      "POST /auth/v1/oauth/clients/register",
      // After the person has approved.
      "POST /auth/v1/oauth/token",
      `POST ${path}`,
    ]);
    assertEquals(app.asked?.searchParams.get("resource"), address);
    assertEquals(app.asked?.searchParams.get("code_challenge_method"), "S256");
    assertEquals(client.getServerVersion()?.name, "human-intelligence-chat");
  });

  await t.step("chat is a conversation of the person who has signed in", async () => {
    await using client = await app.connect(address);
    assertEquals(app.asked, undefined);
    const { json } = await callTool(client, "chat", { message: "How do I start?", context: { coachId } });
    assertMatch(json.thread_id, /^[0-9a-f-]{36}$/);
    const { data } = await operator.from("threads").select("user_id").eq("id", json.thread_id).single().throwOnError();
    assertEquals(data.user_id, ada.id);
    for (const userId of ["me", ada.id]) {
      const listed = await callTool(client, "get-user-threads", { userId });
      assertEquals(listed.json.data.map(({ id }: { id: string }) => id), [json.thread_id]);
    }
    assertEquals((await callTool(client, "threads", { threadId: json.thread_id })).json.count, 2);

    const other = new AiClient(ben);
    await using strange = await other.connect(address);
    assertEquals(await callTool(strange, "threads", { threadId: json.thread_id }), refusedCall("thread_not_found"));
    assertEquals(await callTool(strange, "get-user-threads", { userId: ada.id }), refusedCall("user_mismatch"));
    assertEquals((await callTool(strange, "get-user-threads", { userId: "me" })).json.data, []);
  });

  await t.step("a token that has expired is renewed, without asking the person", async () => {
    const { refresh_token } = app.stored!;
    expire(app);
    app.requests.length = 0;
    await using client = await app.connect(address);
    assertEquals(app.asked, undefined);
    assert(app.requests.includes("POST /auth/v1/oauth/token"));
    assertNotEquals(app.stored!.refresh_token, refresh_token);
    assertEquals((await callTool(client, "list-coaches", {})).json.data.length, 1);
  });

  await t.step("the token names the client, and is refused where it was changed", () => {
    const { client_id, sub, iss } = decodeJwt(app.stored!.access_token);
    assertEquals([client_id, sub], [app.client?.client_id, ada.id]);
    assertMatch(String(iss), /\/auth\/v1$/);
  });

  await t.step("when access was revoked, a renewal fails, and the person is asked again", async () => {
    await revoke(ada, app.client!.client_id);
    const before = app.stored!.access_token;
    expire(app);
    await using client = await app.connect(address);
    assertNotEquals(app.asked, undefined);
    assertNotEquals(decodeJwt(app.stored!.access_token).session_id, decodeJwt(before).session_id);
    assertEquals((await callTool(client, "list-coaches", {})).json.data.length, 1);
  });
});

Deno.test("the key in the address decides what AI clients reach", async (t) => {
  await using service = await startService();
  const ada = await createUser();

  await t.step("coaches: those that the key is bound to", async () => {
    const tenant = await createTenant();
    const bound = await createCoach(tenant.accountId, { name: "Bound" });
    const { publishableKey } = await issuePublishableKey(tenant.accountId, {
      origins: [],
      allows_mcp: true,
      coach_ids: [bound.id],
    });
    await using client = await new AiClient(ada).connect(`${service.supabase.url}/functions/v1/mcp/${publishableKey}`);
    assertEquals((await callTool(client, "list-coaches", {})).json.data.map(({ id }: { id: string }) => id), [
      bound.id,
    ]);
    const refused = await callTool(client, "chat", { message: "Hi", context: { coachId: tenant.coachId } });
    assertEquals(refused, refusedCall("coach_not_found"));
  });

  await t.step("scopes: those of the key", async () => {
    const { address, tenant: { coachId } } = await setUp(service, { scopes: ["threads:read"] });
    await using client = await new AiClient(ada).connect(address);
    const refused = await callTool(client, "chat", { message: "Hi", context: { coachId } });
    assertEquals(refused, refusedCall("missing_scope", "chat"));
  });

  await t.step("the expert of a coach has that coach's knowledge, nobody else has", async () => {
    const { address, tenant: { coachId } } = await setUp(service);
    await using client = await new AiClient(ada).connect(address);
    const files = [{ filename: "a.md", text: "By the coach" }];
    const refused = await callTool(client, "upload-knowledge", { coachId, files });
    assertEquals(refused, refusedCall("not_the_coach"));
    await operator.from("coach_profiles").update({ owner_id: ada.id }).eq("id", coachId).throwOnError();
    assertEquals((await callTool(client, "upload-knowledge", { coachId, files })).json.totalUploaded, 1);
    await service.turns();
  });

  await t.step("limits: each user has those of the key", async () => {
    const { address } = await setUp(service, { requests_per_minute: 5 });
    await using client = await new AiClient(ada).connect(address);
    await callUntilRefused(client, 5);
    await using other = await new AiClient(await createUser()).connect(address);
    assertEquals((await callTool(other, "list-coaches", {})).isError, false);
  });

  await t.step("a visitor is a user, with the limits of visitors", async () => {
    const visitor = await signInAnonymously();
    const { address, tenant: { coachId } } = await setUp(service, { anonymous_per_minute: 5 });
    const app = new AiClient(visitor);
    await using client = await app.connect(address);
    assertEquals(decodeJwt(app.stored!.access_token).is_anonymous, true);
    const { json } = await callTool(client, "chat", { message: "Hi", context: { coachId } });
    const { data } = await operator.from("threads").select("user_id").eq("id", json.thread_id).single().throwOnError();
    assertEquals(data.user_id, visitor.id);
    await callUntilRefused(client, 5);
  });

  await t.step("a key that is revoked ends it with the next call, whatever the token", async () => {
    const { address, keyId } = await setUp(service);
    await using client = await new AiClient(ada).connect(address);
    await callTool(client, "list-coaches", {});
    await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    await assertRejects(
      () => callTool(client, "list-coaches", {}),
      Error,
      "Server returned 401 after re-authentication",
    );
  });
});

const callback = "http://localhost:7777/callback";

/** The official client, signed in as a user. */
async function signIn({ email, password }: User) {
  const app = createAppClient();
  const { error } = await app.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return app;
}

/** An app asks for access, as its browser would. */
async function ask(clientId: string, challenge: string): Promise<string> {
  const url = new URL(`${projectVariable("SUPABASE_URL")}/auth/v1/oauth/authorize`);
  url.search = String(
    new URLSearchParams({
      client_id: clientId,
      redirect_uri: callback,
      response_type: "code",
      scope: "email",
      code_challenge: challenge,
      code_challenge_method: "S256",
    }),
  );
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  return new URL(response.headers.get("Location")!).searchParams.get("authorization_id")!;
}

Deno.test("supabase-js on the authorization server, as a consent page uses it", async (t) => {
  const user = await createUser();
  const app = await signIn(user);
  const { clientId } = await letIn(user);
  const challenge = "x".repeat(43);

  await t.step("lists the apps that have access, and takes it back", async () => {
    const { data: grants } = await app.auth.oauth.listGrants();
    assertEquals(grants?.map(({ client, scopes }) => [client.id, client.name, scopes]), [
      [clientId, "An AI client", ["email"]],
    ]);
    assertEquals((await app.auth.oauth.revokeGrant({ clientId })).error, null);
    assertEquals((await app.auth.oauth.listGrants()).data, []);
    const again = await app.auth.oauth.revokeGrant({ clientId });
    assertEquals([again.error?.status, again.error?.code], [404, "oauth_consent_not_found"]);
  });

  await t.step("shows what is asked for, and denies", async () => {
    const id = await ask(clientId, challenge);
    const { data } = await app.auth.oauth.getAuthorizationDetails(id);
    assertEquals(data as unknown, {
      authorization_id: id,
      redirect_uri: callback,
      client: { id: clientId, name: "An AI client" },
      user: { id: user.id, email: user.email },
      scope: "email",
    });
    const denied = await app.auth.oauth.denyAuthorization(id);
    assertMatch(denied.data!.redirect_url, /^http:\/\/localhost:7777\/callback\?error=access_denied&/);
  });

  await t.step("approves, and is not asked the next time", async () => {
    const first = await ask(clientId, challenge);
    await app.auth.oauth.getAuthorizationDetails(first);
    const approved = await app.auth.oauth.approveAuthorization(first);
    assertMatch(approved.data!.redirect_url, /^http:\/\/localhost:7777\/callback\?code=/);
    const { data } = await app.auth.oauth.getAuthorizationDetails(await ask(clientId, challenge));
    assertMatch((data as { redirect_url: string }).redirect_url, /\?code=/);
  });

  await t.step("another user sees nothing of it", async () => {
    const other = await signIn(await createUser());
    const id = await ask(clientId, challenge);
    await app.auth.oauth.revokeGrant({ clientId });
    const own = await ask(clientId, challenge);
    await app.auth.oauth.getAuthorizationDetails(own);
    for (const asked of [own, "x"]) {
      const { data, error } = await other.auth.oauth.getAuthorizationDetails(asked);
      assertEquals([data, error?.status, error?.code], [null, 404, "oauth_authorization_not_found"]);
    }
    assertEquals((await other.auth.oauth.listGrants()).data, []);
    assertNotEquals(id, own);
  });
});

Deno.test("Auth refuses the token of an app whose access was taken back", async () => {
  const user = await createUser();
  const { clientId, accessToken } = await letIn(user);
  const app = createAppClient();
  assertEquals((await app.auth.getUser(accessToken)).data.user?.id, user.id);
  await (await signIn(user)).auth.oauth.revokeGrant({ clientId });
  const { error } = await app.auth.getUser(accessToken);
  assertEquals(error?.name, "AuthSessionMissingError");
});
