import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { gatewayOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { createTenant, issuePublishableKey, operator, publishableKey as supabaseKey } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { type Service, startService } from "../support/service.ts";
import denoJson from "../../deno.json" with { type: "json" };
import { sharedBrowser } from "./browser.ts";
import { en } from "./texts.ts";
import { pinAnswer } from "../support/questions.ts";

const root = join(import.meta.dirname!, "../..");

/** A module as one file that browsers run. */
async function bundle(specifier: string): Promise<string> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=browser", specifier],
    cwd: root,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** An account whose coach has a page, and that page at an origin that is not the service's. */
async function setUp(service: Service) {
  const tenant = await createTenant({}, {
    name: "Ada Byron",
    greeting: "Hello, I am Ada.",
    starters: ["How do I sleep well?", "What is an engine?"],
  });
  await addFile(tenant, "Sleep.pdf", { content: "A cold room helps you sleep.", page: 3, heading: "The bedroom" });
  const project = serve(gatewayOf(service.url));
  const files: Record<string, [type: string, content: string]> = {
    "/": ["text/html", await Deno.readTextFile(join(import.meta.dirname!, "chat_page/index.html"))],
    "/client.js": ["text/javascript", await bundle("shared/clients/client/client.ts")],
    "/supabase.js": ["text/javascript", await bundle(denoJson.imports["@supabase/supabase-js"])],
    // What it asks for by itself.
    "/favicon.ico": ["image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    "/blank": ["text/html", "<!doctype html><title>Nothing</title>"],
  };
  const page = serve(({ url }) => {
    const [type, content] = files[new URL(url).pathname] ?? [];
    return type === undefined
      ? new Response(null, { status: 404 })
      : new Response(content, { headers: { "Content-Type": `${type}; charset=utf-8` } });
  });
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { origins: [page.url] });
  const settings = { baseUrl: project.url, publishableKey, supabaseKey, coachId: tenant.coachId };
  files["/settings.json"] = ["application/json", JSON.stringify(settings)];
  return {
    tenant,
    settings,
    origin: page.url,
    files,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

/** A visitor in a browser profile of their own, and what has gone wrong on the pages. */
async function visit(
  browser: Browser,
  url: string,
): Promise<{ context: BrowserContext; page: Page; errors: string[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  return { context, page, errors };
}

Deno.test("a page of sixty lines on another origin, with no secret in it", async (t) => {
  await using service = await startService({ timeouts: { poll: 20, flush: 20 } });
  const browser = await sharedBrowser();
  await using site = await setUp(service);
  const { tenant, origin, files } = site;
  const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();
  const source = files["/"]![1];

  await t.step("it is short, and knows publishable keys alone", () => {
    assert(source.trimEnd().split("\n").length <= 60, source);
    for (const name of ["/", "/client.js", "/settings.json"]) {
      assert(!/hi_live_[0-9A-Za-z]|sb_secret_/.test(files[name]![1]), name);
    }
  });

  const one = await visit(browser, origin);
  await t.step("it signs a visitor in anonymously, and shows the greeting and questions to begin with", async () => {
    await one.page.getByRole("button", { name: "What is an engine?" }).waitFor();
    assertEquals(await one.page.title(), "Ada Byron");
    assertEquals(await texts(one.page, "main p"), ["Hello, I am Ada."]);
    assertEquals(await texts(one.page, "nav a"), []);
  });

  await t.step("it streams an answer, which a reload in the middle of it does not lose", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, {
      steps: [{ text: "Keep it " }, { waitFor: promise }, { text: "cold. [1]" }],
    });
    await one.page.getByRole("button", { name: "How do I sleep well?" }).click();
    await one.page.getByText("Keep it").waitFor();
    await one.page.reload();
    await one.page.getByText("Keep it").waitFor();
    assertEquals(await texts(one.page, "p.user"), ["How do I sleep well?"]);
    resolve();
    await one.page.getByText("Keep it cold.").waitFor();
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
  });

  await t.step("it shows the sources, after another reload too", async () => {
    await one.page.locator("cite").waitFor();
    await one.page.reload();
    const cite = one.page.locator("cite");
    await cite.waitFor();
    assertEquals(await cite.allTextContents(), ["Sleep.pdf"]);
    assertEquals(await cite.getAttribute("title"), "A cold room helps you sleep.");
  });

  await t.step("a second question goes on in the same thread", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Then open a window." }] });
    await one.page.getByRole("textbox").fill("And then?");
    await one.page.keyboard.press("Enter");
    await one.page.getByText("Then open a window.").waitFor();
    assertEquals(await texts(one.page, "nav a"), ["How do I sleep well?"]);
  });

  await t.step("what the expert has said is shown as such, with the question for a source", async () => {
    await pinAnswer(tenant, { question: "How cold may a bedroom get at night?", answer: "Sixteen degrees." });
    await one.page.getByRole("textbox").fill("how cold may a bedroom get at night");
    await one.page.keyboard.press("Enter");
    const last = one.page.locator("p.assistant").last();
    for (const reload of [() => Promise.resolve(null), () => one.page.reload()]) {
      await reload();
      await one.page.getByText("Sixteen degrees.").locator("cite").waitFor();
      assertEquals(await last.textContent(), "Sixteen degrees. (in person)How cold may a bedroom get at night?");
    }
    assertEquals((await texts(one.page, "p.assistant")).filter((text) => text.includes("in person")).length, 1);
  });

  await t.step("it renames and deletes threads", async () => {
    one.page.once("dialog", (dialog) => dialog.accept("Sleeping"));
    await one.page.getByRole("button", { name: en.chat.rename }).click();
    await one.page.getByRole("link", { name: "Sleeping" }).waitFor();
    const threadId = new URL(one.page.url()).hash.slice(1);
    const { data } = await operator.from("threads").select("title, coach_id").eq("id", threadId).single()
      .throwOnError();
    assertEquals(data, { title: "Sleeping", coach_id: tenant.coachId });

    // Another visitor sees nothing of it, even with the address.
    const other = await visit(browser, one.page.url());
    await other.page.getByText("Thread not found").first().waitFor();
    assertEquals(await texts(other.page, "nav a"), []);
    await other.context.close();

    await one.page.getByRole("button", { name: en.chat.delete }).click();
    await one.page.getByText("Hello, I am Ada.").waitFor();
    await one.page.locator("nav a").waitFor({ state: "detached" });
    const { count } = await operator.from("threads").select("id", { count: "exact" }).eq("id", threadId).throwOnError();
    assertEquals(count, 0);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(one.errors, []));

  await t.step("tabs that are opened at once are one visitor, who finds the session again after a reload", async () => {
    const context = await browser.newContext();
    const signUps: string[] = [];
    context.on("request", (request) => /\/auth\/v1\/signup/.test(request.url()) && signUps.push(request.method()));
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(tabs.map((tab) => tab.goto(origin)));
    for (const tab of tabs) await tab.getByText("Hello, I am Ada.").waitFor();
    await tabs[0].reload();
    await tabs[0].getByText("Hello, I am Ada.").waitFor();
    for (const tab of tabs) await tab.waitForLoadState("networkidle");
    assertEquals(signUps.filter((method) => method === "POST"), ["POST"]);
    await context.close();
  });

  await t.step("a thread that another tab has deleted does not come back with the next message", async () => {
    const tab = one.page;
    const say = async (text: string) => {
      await tab.getByRole("textbox").fill(text);
      await tab.keyboard.press("Enter");
    };
    service.model.script(tenant.modelName, { steps: [{ text: "Short." }] });
    await say("Just once");
    await tab.locator("nav a").waitFor();
    const id = new URL(tab.url()).hash.slice(1);
    await operator.from("threads").delete().eq("id", id).throwOnError();
    await say("And again");
    await tab.getByText("Thread not found").waitFor();
    assertEquals((await operator.from("threads").select("id").eq("id", id).throwOnError()).data, []);
  });

  await t.step("a copy of it on an origin that the key does not name is refused", async () => {
    await using copy = serve(({ url }) => fetch(origin + new URL(url).pathname));
    const { page, context } = await visit(browser, copy.url);
    await page.getByText("Origin not allowed").first().waitFor();
    await context.close();
  });
});

Deno.test("from another origin, without the typed client", async (t) => {
  await using service = await startService();
  const browser = await sharedBrowser();
  await using site = await setUp(service);
  const { tenant, settings, origin } = site;
  service.model.script(tenant.modelName, { steps: [{ text: "Well" }, { text: " then." }] });
  const { page, errors } = await visit(browser, `${origin}/blank`);

  await t.step("with nothing but fetch", async () => {
    const seen = await page.evaluate(async ({ baseUrl, publishableKey, supabaseKey, coachId }) => {
      const post = (path: string, headers: Record<string, string>, body: unknown, method = "POST") =>
        fetch(baseUrl + path, {
          method,
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify(body),
        });
      const session = await (await post("/auth/v1/signup", { apikey: supabaseKey }, {})).json();
      const headers = { apikey: publishableKey, Authorization: `Bearer ${session.access_token}` };
      const get = async (path: string) => await (await fetch(baseUrl + path, { headers })).json();
      const coach = await get(`/functions/v1/coaches/${coachId}`);
      const answer = await post("/functions/v1/chat", headers, { message: "Hi", context: { coachId } });
      const threadId = answer.headers.get("X-Thread-Id");
      const messageId = answer.headers.get("X-Message-Id");
      const text = await answer.text();
      const thread = `/functions/v1/threads/${threadId}`;
      const rated = await post(`${thread}/messages/${messageId}/feedback`, headers, { rating: "up" }, "PUT");
      const renamed = await post(thread, headers, { title: "Renamed" }, "PATCH");
      const listed = await get("/functions/v1/users/me/threads");
      const deleted = await fetch(baseUrl + thread, { method: "DELETE", headers });
      const gone = await fetch(baseUrl + thread, { headers });
      return {
        greeting: coach.greeting,
        text,
        remaining: answer.headers.get("X-RateLimit-Remaining"),
        titles: listed.data.map(({ title }: { title: string }) => title),
        statuses: [rated, renamed, deleted, gone].map(({ status }) => status),
        code: gone.headers.get("X-Error-Code"),
      };
    }, settings);
    assertEquals(seen.greeting, "Hello, I am Ada.");
    assertEquals(seen.text, "data: Well\n\ndata:  then.\n\n");
    assertMatch(seen.remaining ?? "", /^\d+$/);
    assertEquals(seen.titles, ["Renamed"]);
    assertEquals([seen.statuses, seen.code], [[200, 200, 200, 404], "thread_not_found"]);
  });

  await t.step("with supabase-js", async () => {
    const seen = await page.evaluate(async ({ baseUrl, publishableKey, supabaseKey, coachId }) => {
      const { createClient } = await import(new URL("/supabase.js", location.href).href);
      const supabase = createClient(baseUrl, supabaseKey);
      const headers = { apikey: publishableKey };
      const { error: stranger } = await supabase.functions.invoke("coaches", { method: "GET", headers });
      const { data: { user } } = await supabase.auth.signInAnonymously();
      const coaches = await supabase.functions.invoke("coaches", { method: "GET", headers });
      const { data } = await supabase.functions.invoke("chat", {
        headers,
        body: { message: "Hi", context: { coachId, userId: user.id, isAuthenticated: true } },
      });
      const text = typeof data === "string" ? data : await data.text();
      const threads = await supabase.functions.invoke("users/me/threads", { method: "GET", headers });
      await supabase.auth.refreshSession();
      const again = await supabase.functions.invoke("users/me/threads", { method: "GET", headers });
      return {
        stranger: (await stranger.context.json()).error,
        isAnonymous: user.is_anonymous,
        names: coaches.data.data.map(({ name }: { name: string }) => name),
        text,
        owners: threads.data.data.map(({ user_id }: { user_id: string }) => user_id === user.id),
        count: again.data.count,
      };
    }, settings);
    assertEquals(seen, {
      stranger: "Sign in first",
      isAnonymous: true,
      names: ["Ada Byron"],
      text: "data: Well\n\ndata:  then.\n\n",
      owners: [true],
      count: 1,
    });
  });

  await t.step("Chromium has complained of the two refusals alone", () => {
    assertEquals(errors.map((error) => /status of (\d+)/.exec(error)?.[1]), ["404", "401"]);
  });
});
