/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { createUser } from "../support/project.ts";
import { onceARun } from "../support/slow.ts";
import { button } from "./chat.ts";
import { askForAccess, consentPage, registerApp, signIn } from "./consent.ts";
import { assertSound } from "./find_barriers.ts";
import { findOverflow } from "./find_overflow.ts";
import { openSite, visit } from "./site.ts";
import { ar, de, en, es, fill, fr, pt } from "./texts.ts";

/** Has Auth describe a request in some way. */
async function describeRequest(page: Page, fields: Record<string, unknown>): Promise<void> {
  await page.route(/\/auth\/v1\/oauth\/authorizations\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, ...fields } });
  });
}

Deno.test("the consent page reads well in each language, size and scheme, and without a mouse", async (t) => {
  await using site = await openSite();
  const allow: Record<string, string> = {
    "en": en.consent.allow,
    "de-AT": de.consent.allow,
    "fr": fr.consent.allow,
    "es": es.consent.allow,
    "pt-BR": pt.consent.allow,
    "ar-EG": ar.consent.allow,
  };
  // Colors are the same at each width, and widths in each color.
  const narrow = { colorScheme: "light", viewport: { width: 360, height: 740 } } as const;
  const wide = { colorScheme: "dark", viewport: { width: 1_400, height: 900 } } as const;
  const rows = [narrow, wide].flatMap((look) =>
    onceARun(Object.keys(allow), { salt: look.colorScheme }).map((locale) => ({ ...look, locale }))
  );
  for (const options of rows) {
    const { locale } = options;
    await t.step(`${locale}, ${options.colorScheme}, ${options.viewport.width} px`, async () => {
      const language = locale.slice(0, 2);
      await using app = await registerApp({ client_name: "Claude" });
      const user = await createUser();
      const address = consentPage(site, await askForAccess(site, app, "openid email profile phone"));
      await using visitor = await visit(address, { ...options, bypassCSP: true, reducedMotion: "reduce" });
      const { page } = visitor;
      const check = (screen: string) => assertSound(page, screen);
      const password = page.locator("input[type=password]");
      await password.waitFor();
      const { lang, dir } = await page.evaluate(() => {
        const { lang, dir } = document.documentElement;
        return { lang, dir };
      });
      assertEquals([lang.slice(0, 2), dir], [language, language === "ar" ? "rtl" : "ltr"]);
      await check("the form to sign in");

      // From here on with the keyboard alone.
      await page.locator("input[type=email]").fill(user.email);
      await password.fill(user.password);
      await page.keyboard.press("Enter");
      const yes = page.getByRole("button", { name: allow[locale]!, exact: true });
      // Waits until it could be clicked.
      await yes.click({ trial: true });
      await check("the request");
      for (let presses = 0; !await yes.evaluate((it: HTMLElement) => it.matches(":focus")); presses++) {
        assert(presses < 8, "Allow is not reached with the keyboard");
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
      await page.waitForURL(`${app.callback}*`);
      assertEquals(app.arrivals.length, 1);

      await page.goto(consentPage(site));
      await page.locator("li.app").waitFor();
      await check("the list of apps");
      await page.locator("human-confirm button").click();
      await page.locator("human-confirm .sure").waitFor();
      await check("the question before access ends");
      assertEquals(visitor.errors, []);
    });
  }
});

Deno.test("the consent page and hostile apps", async (t) => {
  await using site = await openSite();
  // Half of what Auth takes, in words that no line breaks.
  const long = "verified".repeat(64);

  const names: [name: string, shown: string][] = [
    [
      "<img src=x onerror=globalThis.attacked=1><b>Claude</b>",
      "<img src=x onerror=globalThis.attacked=1><b>Claude</b>",
    ],
    ["\u202eedualC\u2066 by your bank", "edualC by your bank"],
    ["${globalThis.attacked=1}{email}", "${globalThis.attacked=1}{email}"],
    [long, `${long.slice(0, 59)}…`],
    ["\u200b", en.consent.nameless],
  ];
  for (const [name, shown] of names) {
    await t.step(`a name: ${shown.slice(0, 30)}`, async () => {
      await using app = await registerApp({
        client_name: name,
        client_uri: "https://claude.ai/",
        logo_uri: "https://claude.ai/logo.png",
      });
      const user = await createUser();
      const size = { viewport: { width: 360, height: 740 } };
      await using visitor = await visit(consentPage(site, await askForAccess(site, app)), size);
      const { page } = visitor;
      await signIn(page, user);
      await button(page, en.consent.allow).waitFor();
      assertEquals(await page.locator("dd").first().textContent(), shown);
      assertEquals(await page.locator("h1").textContent(), fill(en.consent.asks, { app: shown }));
      assertEquals(await page.evaluate(() => "attacked" in globalThis), false);
      assertEquals(await findOverflow(page), []);
      // The website and the picture that an app claims are not shown, and not asked for.
      assertEquals(await page.getByText("claude.ai").count(), 0);
      assertEquals([...visitor.origins], [new URL(site.url).origin]);
      await button(page, en.consent.allow).click();
      await page.waitForURL(`${app.callback}*`);
      await page.goto(consentPage(site));
      assertEquals(await page.locator("li.app strong").textContent(), shown);
      await button(page, en.consent.end).click();
      assertEquals(await findOverflow(page), []);
      assertEquals(visitor.errors, []);
    });
  }

  await t.step("an address that would run something is never offered", async () => {
    for (const redirect_uri of ["javascript:globalThis.attacked=1", "data:text/html,x", "http://evil.example/"]) {
      await using app = await registerApp();
      await using visitor = await visit("about:blank");
      const { page } = visitor;
      await describeRequest(page, { redirect_uri });
      await page.goto(consentPage(site, await askForAccess(site, app)));
      await signIn(page);
      await page.getByRole("alert").filter({ hasText: en.consent.unsafe }).waitFor();
      assertEquals(await button(page, en.consent.allow).count(), 0);
    }
  });

  await t.step("nor gone to, whatever Auth replies", async () => {
    await using app = await registerApp();
    await using visitor = await visit("about:blank");
    const { page } = visitor;
    await page.route("**/consent", (route) => {
      return route.request().method() === "POST"
        ? route.fulfill({ json: { redirect_url: "javascript:globalThis.attacked=1" } })
        : route.fallback();
    });
    const address = consentPage(site, await askForAccess(site, app));
    await page.goto(address);
    await signIn(page);
    await button(page, en.consent.allow).click();
    await page.getByRole("alert").filter({ hasText: en.consent.unsafe }).waitFor();
    assertEquals(await page.evaluate(() => "attacked" in globalThis), false);
    assertEquals([page.url(), await page.getByRole("link").count()], [address, 0]);
  });

  await t.step("a site is named by its host alone, and other letters do not pass for it", async () => {
    await using app = await registerApp();
    await using visitor = await visit("about:blank");
    const { page } = visitor;
    await describeRequest(page, { redirect_uri: "https://claude.ai@\u0441laude.example/claude.ai?claude.ai" });
    await page.goto(consentPage(site, await askForAccess(site, app)));
    await signIn(page);
    await page.getByText(/^xn--\S+\.example$/).waitFor();
    assertEquals(await page.getByText("claude.ai").count(), 0);
  });

  await t.step("a program with a scheme of its own is opened, with a link for browsers that do not", async () => {
    await using app = await registerApp({ redirect_uris: ["cursor://anysphere.cursor-mcp/oauth"] });
    await using visitor = await visit(consentPage(site, await askForAccess(site, app)));
    const { page } = visitor;
    await signIn(page, await createUser());
    await page.getByText(fill(en.consent.appOnDevice, { name: "cursor" })).waitFor();
    await button(page, en.consent.allow).click();
    const link = page.getByRole("link", { name: en.consent.goOn });
    assertMatch(
      await link.getAttribute("href") ?? "",
      /^cursor:\/\/anysphere\.cursor-mcp\/oauth\?code=.+state=the\+state/,
    );
    await page.getByText(en.consent.mayClose).waitFor();
    assertEquals(page.url().includes("code="), false);
  });
});
