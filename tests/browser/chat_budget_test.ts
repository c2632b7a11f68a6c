import { setBudget } from "../support/budgets.ts";
import { assertEquals } from "../support/assert.ts";
import { button, composer, endedAnswers, say } from "./chat.ts";
import { openSite, type Site, visit } from "./site.ts";
import { en, fill, startOf, whole } from "./texts.ts";

/** Has the model say something that uses so many tokens. */
function scriptUsing({ service, tenant }: Site, tokens: number): void {
  service.model.script(tenant.modelName, {
    steps: [{ text: "Well." }, { end: true, usage: { input_tokens: tokens, output_tokens: 0 } }],
  });
}

Deno.test("the chat page says when a budget runs low, and when it is used up", async (t) => {
  await using site = await openSite();
  const budget = { coach: site.tenant.coachId, each_user: true };
  await setBudget(site.tenant, { ...budget, amount: 50_000 });
  await using visitor = await visit(site.url);
  const { page } = visitor;
  const low = page.getByText(whole(en.chat.budgetLowUntil, { percent: /8\d/, time: /.+\d.+/ }));
  const answered = async (count: number) => await endedAnswers(page).nth(count - 1).waitFor();

  await t.step("below 80 percent, nothing", async () => {
    scriptUsing(site, 30_000);
    await say(page, "First");
    await answered(1);
    assertEquals(await low.count(), 0);
  });

  await t.step("from 80 percent on, a sentence with the date", async () => {
    scriptUsing(site, 12_000);
    await say(page, "Second");
    await answered(2);
    await low.waitFor();
    assertEquals(await low.getAttribute("role"), "status");
  });

  await t.step("used up: a calm sentence with the date, the question stays, and nothing counts down", async () => {
    await setBudget(site.tenant, { ...budget, amount: 42_001 });
    await say(page, "Third");
    await page.getByText(whole(`${en.chat.notSent} ${en.chat.usedUpUntil}`, { time: /.+\d.+/ })).waitFor();
    assertEquals(await composer(page).isEnabled(), true);
  });

  await t.step("the person can be asked then, without the model", async () => {
    const before = site.service.model.requestsOf(site.tenant.modelName).length;
    await button(page.locator("human-chat-messages"), whole(en.chat.askInPerson)).click();
    const card = page.locator("human-chat-request");
    await card.getByText(fill(en.chat.requestPassedOn, { name: "Ada Byron" })).waitFor();
    await card.getByText("Third").waitFor();
    assertEquals(await page.getByText(startOf(en.chat.notSent)).count(), 0);
    assertEquals(site.service.model.requestsOf(site.tenant.modelName).length, before);
    assertEquals(visitor.errors, []);
  });
});
