/// <reference lib="dom" />
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { askAuth } from "../support/ai_client.ts";
import { createUser, operator } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { button } from "./chat.ts";
import { askForAccess, consentPage, registerApp, signIn } from "./consent.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, startOf } from "./texts.ts";

const asks = (page: Page, name: string) => page.getByRole("heading", { name: fill(en.consent.asks, { app: name }) });

Deno.test("the consent page", async (t) => {
  await using site = await openSite();

  await t.step("its script has less than 20 KB compressed", async () => {
    const file = new Uint8Array(await (await fetch(`${site.url}human-consent.js`)).arrayBuffer());
    const { byteLength } = gzipSync(file, { level: 9 });
    assert(byteLength < 20 * 1024, `${byteLength}`);
  });

  await t.step("is found without the last slash, and keeps the request", async () => {
    const response = await fetch(`${site.url}oauth/consent?authorization_id=a`, { redirect: "manual" });
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("Location")], [308, "/oauth/consent/?authorization_id=a"]);
    const page = await fetch(consentPage(site));
    await page.body?.cancel();
    assertMatch(page.headers.get("Content-Security-Policy") ?? "", /script-src 'self';.*frame-ancestors 'none'/);
    assertEquals(page.headers.get("Referrer-Policy"), "no-referrer");
  });

  await t.step("says who asks, where that leads, as whom and for what, once somebody has signed in", async () => {
    await using app = await registerApp();
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    const { page } = visitor;
    await page.getByText(en.consent.unknown).waitFor();
    assertEquals(await page.getByText("Claude").count(), 0);
    await signIn(page);
    await asks(page, "Claude").waitFor();
    assertEquals(await page.locator("dd").allTextContents().then((texts) => texts.map((text) => text.trim())), [
      "Claude",
      en.consent.unverified,
      fill(en.consent.thisDevice, { name: new URL(app.callback).host }),
      site.visitor.email,
      en.consent.useAnother,
    ]);
    assertEquals(await page.locator("ul.may > li").allTextContents(), [
      en.consent.mayTalk,
      en.consent.mayRead,
      en.consent.mayWorkLater,
      en.consent.mayEmail,
    ]);
    const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName);
    assertEquals(await focused(), "h1");
    assertEquals(app.arrivals, []);

    await button(page, en.consent.allow).click();
    await page.waitForURL(`${app.callback}*`);
    const [arrival] = app.arrivals;
    assertEquals([...arrival!.searchParams.keys()].toSorted(), ["code", "state"]);
    assertEquals(arrival!.searchParams.get("state"), "the state");
    assertEquals(visitor.errors, []);
    const { json } = await askAuth(site.visitor, "GET", "/user/oauth/grants");
    assertEquals(json.map(({ client }: { client: { id: string } }) => client.id), [app.clientId]);
  });

  await t.step("what an expert may do is listed for experts, and where nobody can tell who is one", async () => {
    await using app = await registerApp();
    for (const [user, isAnswered] of [[site.expert, true], [await createUser(), false]] as const) {
      await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
      const { page } = visitor;
      if (!isAnswered) await page.route("**/users/me/coaches*", (route) => route.abort());
      await signIn(page, user);
      await page.getByText(en.consent.mayWork).waitFor();
    }
  });

  await t.step("a click for a window that was in front of it a moment ago allows nothing", async () => {
    await using app = await registerApp();
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    const { page } = visitor;
    await signIn(page, await createUser());
    const allow = button(page, en.consent.allow);
    // Waits until it could be clicked.
    await allow.click({ trial: true });
    const answers: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/consent")) answers.push(request.postData() ?? "");
    });
    await allow.evaluate(async (element: HTMLElement) => {
      dispatchEvent(new Event("focus"));
      const { host } = element.getRootNode() as ShadowRoot;
      await (host as HTMLElement & { updateComplete: Promise<unknown> }).updateComplete;
      element.click();
    });
    assertEquals(answers, []);
    await allow.click();
    await page.waitForURL(`${app.callback}*`);
    assertEquals([answers, visitor.errors], [['{"action":"approve"}'], []]);
  });

  await t.step("whoever has agreed before is sent on at once, and may go back no further than the app", async () => {
    await using app = await registerApp();
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    const { page } = visitor;
    await signIn(page);
    await button(page, en.consent.allow).click();
    await page.waitForURL(`${app.callback}*`);
    await page.goto(consentPage(site, await askForAccess(site, app)));
    await page.waitForURL(`${app.callback}*`);
    assertEquals(app.arrivals.length, 2);
    // More than was agreed to is asked again.
    await page.goto(consentPage(site, await askForAccess(site, app, "openid email profile phone")));
    await page.getByText(en.consent.mayProfile).waitFor();
    await page.getByText(en.consent.mayPhone).waitFor();
    assertEquals(app.arrivals.length, 2);
  });

  await t.step("Don’t allow tells the app, and gives it nothing", async () => {
    await using app = await registerApp({ client_name: "Nosy" });
    const user = await createUser();
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    await signIn(visitor.page, user);
    await button(visitor.page, en.consent.deny).click();
    await visitor.page.waitForURL(`${app.callback}*`);
    assertEquals(app.arrivals[0]!.searchParams.get("error"), "access_denied");
    assertEquals((await askAuth(user, "GET", "/user/oauth/grants")).json, []);
  });
});

Deno.test("the consent page explains what it cannot show", async (t) => {
  await using site = await openSite();

  await t.step("a request that is used, unknown or somebody else’s is explained, and leads nowhere", async () => {
    await using app = await registerApp();
    const id = await askForAccess(site, app);
    const other = await createUser();
    await askAuth(other, "GET", `/oauth/authorizations/${id}`);
    await using visitor = await visit(consentPage(site, id));
    const { page } = visitor;
    await signIn(page);
    const gone = page.getByRole("alert").filter({ hasText: en.consent.gone });
    await gone.waitFor();
    await askAuth(other, "POST", `/oauth/authorizations/${id}/consent`, { action: "deny" });
    for (const bad of [id, "nothing", "a/../../x", "<script>"]) {
      await page.goto(consentPage(site, encodeURIComponent(bad)));
      await gone.waitFor();
    }
    assertEquals(await page.getByRole("button").count(), 0);
    assertEquals([app.arrivals, visitor.errors], [[], []]);
  });

  await t.step("an error of Auth is a calm sentence, and can be tried again", async () => {
    await using app = await registerApp();
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    const { page } = visitor;
    const path = "**/auth/v1/oauth/authorizations/**";
    const replies: [fulfill: Parameters<Page["route"]>[1], sentence: string | RegExp][] = [
      [(route) => route.fulfill({ status: 500, json: { msg: "pq: secret" } }), en.consent.trouble],
      [(route) => route.fulfill({ status: 429, json: { error_code: "over_request_rate_limit" } }), en.consent.tooMany],
      [(route) => route.abort(), en.shared.unreachable],
      [(route) => route.fulfill({ status: 404, json: { error_code: "feature_disabled" } }), en.consent.notOffered],
      [
        (route) =>
          route.fulfill({ status: 400, json: { error_code: "validation_failed", msg: "unauthorized request origin" } }),
        en.consent.originRefused,
      ],
    ];
    let isFirst = true;
    for (const [fulfill, sentence] of replies) {
      await page.route(path, fulfill);
      if (isFirst) await signIn(page);
      else await page.reload();
      isFirst = false;
      await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
      assertEquals(await page.getByText("secret").count(), 0);
      await page.unroute(path);
    }
    await page.route(path, replies[0]![0]);
    await page.reload();
    await page.getByRole("alert").waitFor();
    await page.unroute(path);
    await button(page, en.shared.retry).click();
    await asks(page, "Claude").waitFor();
  });

  await t.step("does not work in another page", async () => {
    await using app = await registerApp();
    const address = consentPage(site, await askForAccess(site, app));
    await using other = serve(() =>
      new Response(`<!doctype html><iframe src="${address}"></iframe>`, { headers: { "Content-Type": "text/html" } })
    );
    // A host that does not send the header is played by taking it away.
    await using visitor = await visit("about:blank");
    const { page } = visitor;
    await page.route("**/oauth/consent/**", async (route) => {
      const response = await route.fetch();
      const { "content-security-policy": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.goto(other.url);
    const frame = page.frameLocator("iframe");
    await frame.getByText(en.consent.framed).waitFor();
    assertEquals(await frame.getByRole("button").count(), 0);
    assertEquals(await frame.getByRole("link").getAttribute("href"), address);
  });
});

Deno.test("the account that an app is given access to", async (t) => {
  await using site = await openSite();

  await t.step("whoever is signed in at the chat need not sign in again, and may choose another account", async () => {
    await using app = await registerApp();
    await using visitor = await visit(site.url);
    const { page } = visitor;
    await button(page, en.shared.signIn).click();
    await signIn(page.locator("human-sign-in") as unknown as Page);
    await page.getByText(fill(en.chat.signedInAs, { email: site.visitor.email })).waitFor();
    const id = await askForAccess(site, app);
    await page.goto(consentPage(site, id));
    await button(page, site.visitor.email).waitFor();
    // Auth gives a request to whoever opens it first, so nobody does before the choice.
    await button(page, en.consent.useAnother).click();
    const other = await createUser();
    await signIn(page, other);
    await asks(page, "Claude").waitFor();
    await page.getByText(other.email).waitFor();

    // The chat goes on as before.
    await page.goto(site.url);
    await page.getByText(fill(en.chat.signedInAs, { email: site.visitor.email })).waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("once it is opened, another account means to go back to the app", async () => {
    await using app = await registerApp();
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    const { page } = visitor;
    await signIn(page);
    await button(page, en.consent.useAnother).click();
    await page.getByText(startOf(fill(en.consent.belongs, { email: site.visitor.email }))).waitFor();
    await button(page, en.shared.backToSignIn).click();
    await button(page, en.consent.useAnother).click();
    await button(page, en.consent.backToApp).click();
    await page.waitForURL(`${app.callback}*`);
    assertEquals(app.arrivals[0]!.searchParams.get("error"), "access_denied");
    await page.goto(consentPage(site, await askForAccess(site, app)));
    await page.getByLabel(en.shared.password).waitFor();
  });

  await t.step("a visitor of the chat without an account creates one, and keeps visiting", async () => {
    await using app = await registerApp();
    await using visitor = await visit(site.url);
    const { page } = visitor;
    await page.getByText(en.chat.visitor).waitFor();
    await page.goto(consentPage(site, await askForAccess(site, app)));
    await button(page, en.consent.createAccount).click();
    const email = `${crypto.randomUUID()}@example.com`;
    await page.getByLabel(en.shared.email).fill(email);
    await page.getByLabel(en.shared.password).fill(crypto.randomUUID());
    await button(page, en.consent.createAccount).click();
    await asks(page, "Claude").waitFor();
    await page.getByText(email).waitFor();
    await page.goto(site.url);
    await page.getByText(en.chat.visitor).waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("nobody can sign up where the project does not allow it", async () => {
    await using app = await registerApp();
    await using visitor = await visit("about:blank");
    const { page } = visitor;
    const settings = "**/auth/v1/settings";
    await page.route(settings, (route) => route.fulfill({ json: { disable_signup: true, external: { email: true } } }));
    const answer = page.waitForResponse(settings);
    await page.goto(consentPage(site, await askForAccess(site, app)));
    await answer;
    await button(page, en.shared.forgotPassword).waitFor();
    assertEquals(await button(page, en.consent.createAccount).count(), 0);
  });

  await t.step("the session of a link that somebody has sent is not used", async () => {
    const attacker = await createUser();
    await using app = await registerApp();
    const address = consentPage(site, await askForAccess(site, app));
    const fragment = `#access_token=${attacker.accessToken}&refresh_token=${attacker.refreshToken}&type=signup`;
    await using visitor = await visit(address + fragment);
    const { page } = visitor;
    await page.getByText(en.consent.confirmed).waitFor();
    assertEquals(page.url(), address);
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assertEquals(stored.includes(attacker.id), false);
  });

  await t.step("a forgotten password is replaced on the way, and the request is still there", async () => {
    const user = await createUser();
    await using app = await registerApp();
    const address = consentPage(site, await askForAccess(site, app));
    const options = { redirectTo: address };
    const { data } = await operator.auth.admin.generateLink({ type: "recovery", email: user.email, options });
    await using visitor = await visit(data.properties!.action_link);
    const { page } = visitor;
    const field = page.getByRole("textbox", { name: en.shared.newPassword });
    await field.waitFor();
    assertEquals(page.url(), address);
    await field.fill(crypto.randomUUID());
    await button(page, en.shared.setPassword).click();
    await asks(page, "Claude").waitFor();
    await page.getByText(user.email).waitFor();
    assertEquals(visitor.errors, []);
  });

  await t.step("a session that has ended asks to sign in again", async () => {
    await using visitor = await visit(consentPage(site));
    const { page } = visitor;
    await signIn(page);
    await page.getByText(en.consent.noApps).waitFor();
    await page.route(
      "**/user/oauth/grants",
      (route) => route.fulfill({ status: 403, json: { error_code: "session_not_found", msg: "Session" } }),
    );
    await page.reload();
    await page.getByText(en.consent.signedOut).waitFor();
  });
});

Deno.test("apps with access are listed, and lose it", async () => {
  await using site = await openSite();
  await using app = await registerApp({ client_name: "First app" });
  await using second = await registerApp({ client_name: "Second app" });
  await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
  const { page } = visitor;
  await signIn(page);
  await button(page, en.consent.allow).click();
  await page.waitForURL(`${app.callback}*`);
  await page.goto(consentPage(site, await askForAccess(site, second)));
  await button(page, en.consent.allow).click();
  await page.waitForURL(`${second.callback}*`);

  // The list opens beside a request, too, and going back returns to it.
  await using third = await registerApp({ client_name: "Third app" });
  await page.goto(consentPage(site, await askForAccess(site, third)));
  await page.getByRole("link", { name: en.consent.apps }).click();
  const rows = page.locator("li.app");
  await rows.nth(1).waitFor();
  assertMatch((await rows.allTextContents()).join(), /Second app\s+since [^]*First app\s+since /);
  await page.goBack();
  await asks(page, "Third app").waitFor();

  await page.goto(consentPage(site));
  await page.getByText(fill(en.consent.signedInAs, { email: site.visitor.email })).waitFor();
  await button(rows.filter({ hasText: "First app" }), en.consent.end).click();
  await page.getByText(fill(en.consent.endQuestion, { app: "First app" })).waitFor();
  await page.keyboard.press("Escape");
  assertEquals(await rows.count(), 2);
  await button(rows.filter({ hasText: "First app" }), en.consent.end).click();
  await rows.filter({ hasText: "First app" }).locator(".sure").click();
  await page.getByRole("status").filter({ hasText: fill(en.consent.ended, { app: "First app" }) }).waitFor();
  await rows.filter({ hasText: "First app" }).waitFor({ state: "detached" });
  const { json } = await askAuth(site.visitor, "GET", "/user/oauth/grants");
  assertEquals(json.map(({ client }: { client: { name: string } }) => client.name), ["Second app"]);
  assertEquals(visitor.errors, []);
});
