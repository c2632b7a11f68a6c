import { assertEquals, assertMatch } from "../support/assert.ts";
import { operator } from "../support/project.ts";
import { button, endedAnswers, say, script } from "./chat.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

Deno.test("a visitor who makes an account", async (t) => {
  await using site = await openSite();
  await using visitor = await visit(site.url);
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  const [email, password] = [`${crypto.randomUUID()}@example.com`, crypto.randomUUID()];
  const settings = "**/auth/v1/settings";
  const enter = async (address: string, secret: string) => {
    await dialog.getByLabel(en.shared.email).fill(address);
    await dialog.getByLabel(en.shared.password).fill(secret);
  };
  script(site, "Yes.");
  await say(page, "Do I stay?");
  await endedAnswers(page).getByText("Yes.").waitFor();

  await t.step("is offered none where the project allows none", async () => {
    await page.route(settings, (route) => route.fulfill({ json: { disable_signup: true, external: { email: true } } }));
    const answer = page.waitForResponse(settings);
    await button(page, en.shared.signIn).click();
    await answer;
    await button(dialog, en.shared.signIn).waitFor();
    assertEquals(await button(dialog, en.chat.makeAccount).count(), 0);
    await button(dialog, en.shared.close).click();
    await dialog.waitFor({ state: "detached" });
    await page.unroute(settings);
  });

  await t.step("is told why an address is not accepted, and stays a visitor", async () => {
    await button(page, en.shared.signIn).click();
    await button(dialog, en.chat.makeAccount).click();
    await dialog.getByText(en.chat.makeAccountHint).waitFor();
    await enter(site.visitor.email, password);
    await button(dialog, en.chat.makeAccount).click();
    await dialog.getByRole("alert").waitFor();
    await page.getByText(en.chat.visitor).waitFor();
  });

  await t.step("keeps their chats in it, here and wherever they sign in", async () => {
    await enter(email, password);
    await button(dialog, en.chat.makeAccount).click();
    await page.getByText(fill(en.chat.signedInAs, { email })).waitFor();
    await dialog.waitFor({ state: "detached" });
    await endedAnswers(page).getByText("Yes.").waitFor();
    script(site, "Still here.");
    await say(page, "And now?");
    await endedAnswers(page).getByText("Still here.").waitFor();

    await using other = await visit(site.url);
    await button(other.page, en.shared.signIn).click();
    await other.page.getByRole("dialog").getByLabel(en.shared.email).fill(email);
    await other.page.getByRole("dialog").getByLabel(en.shared.password).fill(password);
    await button(other.page.getByRole("dialog"), en.shared.signIn).click();
    await other.page.locator("human-chat-thread", { hasText: "Do I stay?" }).waitFor();
    const { data } = await operator.from("threads").select("title").eq("coach_id", site.tenant.coachId).throwOnError();
    assertEquals(data, [{ title: "Do I stay?" }]);
    assertEquals(visitor.errors, []);
  });

  await t.step("is asked to confirm the address where the project wants that", async () => {
    await using other = await visit(site.url);
    await other.page.getByText(en.chat.visitor).waitFor();
    await other.page.route(
      "**/auth/v1/user",
      (route) => route.fulfill({ json: { is_anonymous: true, new_email: "a" } }),
    );
    await button(other.page, en.shared.signIn).click();
    const dialog = other.page.getByRole("dialog");
    await button(dialog, en.chat.makeAccount).click();
    await dialog.getByLabel(en.shared.email).fill(`${crypto.randomUUID()}@example.com`);
    await dialog.getByLabel(en.shared.password).fill(password);
    await button(dialog, en.chat.makeAccount).click();
    await dialog.getByText(en.chat.confirmEmail).waitFor();
    await other.page.getByText(en.chat.visitor).waitFor();
  });
});

Deno.test("somebody with an account takes their chats along, and is forgotten", async (t) => {
  await using site = await openSite();
  await using visitor = await visit(site.url);
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await button(page, en.shared.signIn).click();
  await dialog.getByLabel(en.shared.email).fill(site.visitor.email);
  await dialog.getByLabel(en.shared.password).fill(site.visitor.password);
  await button(dialog, en.shared.signIn).click();
  await page.getByText(fill(en.chat.signedInAs, { email: site.visitor.email })).waitFor();
  script(site, "**Yes.**");
  await say(page, "Do I stay?");
  await endedAnswers(page).getByText("Yes.").waitFor();

  const formats = [
    ["Markdown", /^# Do I stay\?[^]*\*\*Ada Byron\*\*[^]*\*\*Yes\.\*\*/],
    ["JSON", /"title": "Do I stay\?"/],
  ] as const;
  for (const [format, expected] of formats) {
    await t.step(`as ${format}`, async () => {
      const download = page.waitForEvent("download");
      await button(page, format).click();
      assertMatch(await Deno.readTextFile(await (await download).path()), expected);
    });
  }

  await t.step("and erases all of it", async () => {
    await button(page, en.chat.leaveVisit).click();
    await button(dialog, en.chat.leaveVisit).click();
    await page.getByText(en.chat.forgotten).waitFor();
    const { count } = await operator.from("threads").select("*", { count: "exact", head: true })
      .eq("user_id", site.visitor.id).throwOnError();
    assertEquals([count, visitor.errors], [0, []]);
  });
});
