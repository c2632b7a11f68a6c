import { decodeJwt } from "jose";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { createAppClient, createUser, operator, publishableKey } from "../support/project.ts";
import { projectVariable } from "../support/service.ts";

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
