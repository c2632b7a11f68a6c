import { decodeJwt } from "jose";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { ask, assertReply, chat, gatewayOf } from "../support/client.ts";
import { createAppClient, createTenant, createUser, operator, publishableKey } from "../support/project.ts";
import { projectVariable, startService } from "../support/service.ts";

/** Signs a new anonymous user in, as a page does. */
async function signIn(data?: Record<string, unknown>) {
  const app = createAppClient();
  const { data: { session }, error } = await app.auth.signInAnonymously(data && { options: { data } });
  if (session === null) throw new Error(`Cannot sign in: ${error?.message}`);
  return { app, user: session.user, session };
}

Deno.test("anonymous sign-in", async (t) => {
  await t.step("a session of a user without an address, of whom nothing made up is shown", async () => {
    const { app, user, session } = await signIn({ nickname: "Ada" });
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
        user_metadata: { nickname: "Ada" },
        email_confirmed_at: undefined,
      },
    );
    const claims = decodeJwt(session.access_token);
    assertEquals([claims.sub, claims.role, claims.aud], [id, "authenticated", "authenticated"]);
    assertEquals([claims.is_anonymous, claims.email], [true, ""]);

    const { data: { user: again } } = await app.auth.getUser();
    assertEquals([again?.id, again?.is_anonymous, again?.email, again?.identities], [id, true, "", []]);
    assertEquals(again?.user_metadata, { nickname: "Ada" });
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
