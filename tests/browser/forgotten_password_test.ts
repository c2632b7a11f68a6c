/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { createAppClient, createUser, operator } from "../support/project.ts";
import { button } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

const sent = en.shared.linkSent;
const expired = en.shared.linkExpired;

/** The field for the new password. */
const field = (page: Page) => page.getByRole("textbox", { name: en.shared.newPassword });

/** The link of the mail that Auth sends to a user. */
async function mailedLink(email: string, redirectTo: string): Promise<string> {
  const { data } = await operator.auth.admin.generateLink({ type: "recovery", email, options: { redirectTo } });
  return data.properties!.action_link;
}

Deno.test("a forgotten password", async (t) => {
  await using site = await openSite();
  const settings = "**/auth/v1/settings";

  for (const [name, path] of [["the chat page", ""], ["the desk", "desk/"]] as const) {
    const address = `${site.url}${path}`;

    await t.step(`${name} offers nothing where the project has no passwords`, async () => {
      await using visitor = await visit("about:blank");
      const { page } = visitor;
      await page.route(
        settings,
        (route) => route.fulfill({ json: { disable_signup: false, external: { email: false } } }),
      );
      const answer = page.waitForResponse(settings);
      await page.goto(address);
      if (path === "") await button(page, en.shared.signIn).click();
      await answer;
      await page.getByLabel(en.shared.email).waitFor();
      assertEquals(await button(page, en.shared.forgotPassword).count(), 0);
    });

    await t.step(`${name} sends a link to itself, and says the same of an address that nobody has`, async () => {
      await using visitor = await visit(`${address}?a=1`);
      const { page } = visitor;
      if (path === "") await button(page, en.shared.signIn).click();
      await button(page, en.shared.forgotPassword).click();
      assertEquals(await page.getByLabel(en.shared.password).count(), 0);
      const { email } = await createUser();
      for (const one of [email, `${crypto.randomUUID()}@example.com`]) {
        const request = page.waitForRequest("**/auth/v1/recover*");
        await page.getByLabel(en.shared.email).fill(one);
        await button(page, en.shared.sendLink).click();
        const asked = await request;
        assertEquals(new URL(asked.url()).searchParams.get("redirect_to"), `${address}?a=1`);
        await page.getByText(sent).waitFor();
        await button(page, en.shared.backToSignIn).click();
        await button(page, en.shared.forgotPassword).click();
        assertEquals(await page.getByText(sent).count(), 0);
      }
      await button(page, en.shared.backToSignIn).click();
      await page.getByLabel(en.shared.password).waitFor();
      assertEquals(visitor.errors, []);
    });

    await t.step(`${name} takes the tokens of the link out of its address, and asks for the password`, async () => {
      const user = path === "" ? await createUser() : site.expert;
      const password = crypto.randomUUID();
      const link = await mailedLink(user.email, address);
      await using visitor = await visit(link);
      const { page } = visitor;
      await field(page).waitFor();
      await page.getByText(user.email).waitFor();
      assertEquals(page.url(), address);
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      assertEquals(stored.includes(user.id), false, "nobody is signed in before there is a password");

      // Auth says what it has against a password.
      await field(page).fill("short");
      await button(page, en.shared.setPassword).click();
      await page.getByText(/password should/i).waitFor();
      await field(page).fill(password);
      await button(page, en.shared.setPassword).click();
      if (path === "") await page.getByText(fill(en.chat.signedInAs, { email: user.email })).waitFor();
      else await page.getByRole("navigation", { name: en.desk.frame.panels }).waitFor();
      assertEquals(page.url().startsWith(address) && !page.url().includes("token"), true, page.url());
      const { data } = await createAppClient().auth.signInWithPassword({ email: user.email, password });
      assertEquals(data.user?.id, user.id);

      // The link works once. The page goes on as for everybody else.
      await using again = await visit(link);
      await again.page.getByText(expired).waitFor();
      assertEquals(again.page.url(), address);
      assertEquals([...visitor.errors, ...again.errors], []);
    });
  }

  await t.step("tokens that are no longer valid change nothing", async () => {
    await using visitor = await visit(`${site.url}#access_token=a.b.c&refresh_token=d&type=recovery`);
    const { page } = visitor;
    await field(page).fill(crypto.randomUUID());
    await button(page, en.shared.setPassword).click();
    await page.getByText(expired).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText(en.chat.visitor).waitFor();
  });

  await t.step("other tokens in the address are not the page's, and sign nobody in", async () => {
    const { accessToken, refreshToken } = await createUser();
    const fragment = `#access_token=${accessToken}&refresh_token=${refreshToken}&type=magiclink`;
    await using visitor = await visit(site.url + fragment);
    await visitor.page.getByText(en.chat.visitor).waitFor();
    assertEquals(await visitor.page.getByRole("dialog").count(), 0);
  });
});
