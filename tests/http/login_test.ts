import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { ask, assertReply, gatewayOf } from "../support/client.ts";
import { createTenant, createUser, publishableKey } from "../support/project.ts";
import { projectVariable, startService } from "../support/service.ts";

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
