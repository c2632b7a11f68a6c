import { assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { letIn } from "../support/ai_client.ts";
import { createAppClient, createUser, type User } from "../support/project.ts";
import { projectVariable } from "../support/service.ts";

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
