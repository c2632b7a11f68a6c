import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { AiClient } from "../support/ai_client.ts";
import { callTool } from "../support/mcp.ts";
import { addExpert, issuePublishableKey, operator } from "../support/project.ts";
import { button, script } from "./chat.ts";
import { consentPage, signIn } from "./consent.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

Deno.test("an AI client is added by its address alone, asks a person in the browser, and loses its access", async (t) => {
  await using site = await openSite();
  const { coachId, accountId } = site.tenant;
  const { publishableKey } = await issuePublishableKey(accountId, { origins: [], allows_mcp: true });
  const address = `${site.service.supabase.url}/functions/v1/mcp/${publishableKey}`;
  await using visitor = await visit("about:blank");
  const { page } = visitor;
  let isPassword = true;

  const app = new AiClient(async (asked) => {
    // Auth leads to the site of its settings, which is not that of this test.
    const response = await fetch(asked, { redirect: "manual" });
    await response.body?.cancel();
    const location = new URL(response.headers.get("Location")!);
    assertEquals(location.pathname, "/oauth/consent/");
    const back = page.waitForRequest("http://localhost:7777/**");
    await page.route("http://localhost:7777/**", (route) => route.fulfill({ body: "You are back." }));
    await page.goto(consentPage(site) + location.search);
    if (isPassword) await signIn(page);
    await page.getByRole("heading", { name: fill(en.consent.asks, { app: "An AI client" }) }).waitFor();
    await button(page, en.consent.allow).click();
    return new URL((await back).url());
  });

  await t.step("from the bare address to an answer, in a conversation of the person", async () => {
    await using client = await app.connect(address);
    assertEquals((await client.listTools()).tools.map(({ name }) => name), [
      "list-coaches",
      "chat",
      "get-user-threads",
      "threads",
      "ask-expert",
      "list-requests",
    ]);
    script(site, "Rest well.");
    const { json } = await callTool(client, "chat", { message: "How do I sleep?", context: { coachId } });
    assertEquals(json.message.content, "Rest well.");
    const { data } = await operator.from("threads").select("user_id").eq("id", json.thread_id).single().throwOnError();
    assertEquals(data.user_id, site.visitor.id);
  });

  await t.step("the person sees the conversation in the chat, too", async () => {
    await page.goto(site.url);
    await button(page, en.shared.signIn).first().click();
    await page.locator("human-sign-in").getByRole("button", { name: en.shared.signIn }).click();
    await page.getByText("How do I sleep?").first().waitFor();
  });

  await t.step("once the person is an expert, the tools for experts are there", async () => {
    await using client = await app.connect(address);
    await addExpert(coachId, site.visitor, "answerer");
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert(names.includes("answer-question") && !names.includes("upload-knowledge"), names.join());
  });

  await t.step("its access is ended: when its token is over, it gets no other, and calls are refused", async () => {
    await using client = await app.connect(address);
    await page.goto(consentPage(site));
    // The chat has a session now, but this page was asked for its own first.
    await button(page.locator("li.app"), en.consent.end).click();
    await page.locator("li.app .sure").click();
    await page.getByText(fill(en.consent.ended, { app: "An AI client" })).waitFor();
    app.stored = { ...app.stored!, access_token: `${app.stored!.access_token.slice(0, -8)}AAAAAAAA` };
    app.requests.length = 0;
    await assertRejects(() => callTool(client, "list-coaches", {}), Error, "Unauthorized");
    assertEquals(app.requests[0], `POST ${new URL(address).pathname}`);
    assert(app.requests.includes("POST /auth/v1/oauth/token"), app.requests.join());
    assert(app.asked !== undefined, "it would have to ask the person again");
  });

  await t.step("and can be given it again, without a password", async () => {
    isPassword = false;
    await using client = await app.connect(address);
    assertEquals((await callTool(client, "list-coaches", {})).json.data.length, 1);
    assertEquals(visitor.errors, []);
  });
});
