/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { operator } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { keepQuestion, sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";
import { storeQuestion } from "../support/questions.ts";

/** The notifications that the page has shown, since a browser without a screen shows none. */
type Shown = { title: string; options: NotificationOptions; click: () => void };

/** Has a browser grant notifications, and keep those that are shown. */
async function keepNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: Shown[] = [];
    class Fake {
      static permission = "default";
      static requestPermission() {
        Fake.permission = "granted";
        return Promise.resolve("granted");
      }
      onclick = () => {};
      constructor(title: string, options: NotificationOptions) {
        shown.push({ title, options, click: () => this.onclick() });
      }
      close() {}
    }
    Object.assign(globalThis, { shown, Notification: Fake });
    // The expert looks at another window.
    document.hasFocus = () => false;
  });
  await page.reload();
}

async function readShown(page: Page): Promise<Omit<Shown, "click">[]> {
  return await page.evaluate(() =>
    (globalThis as unknown as { shown: Shown[] }).shown.map(({ title, options }) => ({ title, options }))
  );
}

Deno.test("what an expert is told by email", async (t) => {
  await using site = await openSite();
  const { tenant, service, expert } = site;
  const api = clientOf(service, { ...tenant, accessToken: expert.accessToken });
  await using visited = await sitDown(site, { place: "#team/notices", timezoneId: "Asia/Kolkata" });
  const { page } = visited;
  const form = page.getByRole("region", { name: en.desk.notices.byEmail });

  await t.step("without a mail server, it says what is missing", async () => {
    await form.getByText(en.desk.notices.unavailable).waitFor();
  });

  await t.step("the choices are saved, in the time zone of the browser", async () => {
    await form.getByText(startOf(fill(en.desk.notices.otherZone, { zone: "UTC" }))).waitFor();
    await form.getByRole("checkbox", { name: startOf(en.desk.notices.asksForHuman) }).uncheck();
    await form.getByRole("checkbox", { name: startOf(en.desk.notices.failures) }).uncheck();
    await form.getByRole("checkbox", { name: en.desk.notices.topics }).check();
    await form.getByRole("combobox", { name: en.desk.notices.digest }).selectOption(en.desk.notices.digestWeekly);
    await form.getByLabel(startOf(en.desk.notices.onDay)).selectOption("Friday");
    await form.getByLabel(startOf(en.desk.notices.atHour)).selectOption("17");
    await form.getByRole("combobox", { name: en.desk.persona.language }).selectOption("Deutsch");
    await form.getByRole("button", { name: en.desk.parts.save }).click();
    await page.getByRole("status").getByText(en.desk.parts.saved).waitFor();
    await form.getByText(fill(en.desk.notices.zone, { zone: "Asia/Calcutta" })).or(
      form.getByText(fill(en.desk.notices.zone, { zone: "Asia/Kolkata" })),
    ).waitFor();
    const { time_zone: _, address: __, ...saved } = await api.getExpertMail(tenant.coachId);
    assertEquals(saved, {
      is_available: false,
      is_refused: false,
      asks_for_human: false,
      failures: false,
      budget: true,
      topics: true,
      digest: "weekly",
      weekday: 5,
      hour: 17,
      language: "de",
    });
    await page.reload();
    assertEquals(await form.getByRole("checkbox", { name: startOf(en.desk.notices.asksForHuman) }).isChecked(), false);
    assertEquals(await form.getByLabel(startOf(en.desk.notices.onDay)).inputValue(), "5");
  });

  await t.step("an address that was refused is named", async () => {
    const settings = { ...await api.getExpertMail(tenant.coachId), address: "ada@example.com", is_available: true };
    await page.route("**/experts/me/mail", (route) => route.fulfill({ json: { ...settings, is_refused: true } }));
    await page.reload();
    await form.getByText(fill(en.desk.notices.refused, { email: "ada@example.com" })).waitFor();
    assertEquals(await form.getByText(en.desk.notices.unavailable).count(), 0);
    await page.unrouteAll();
  });

  await t.step("only owners are told about budgets", async () => {
    await form.getByRole("checkbox", { name: startOf(en.desk.notices.budget) }).waitFor();
    await operator.from("coach_experts").insert({
      coach_id: tenant.coachId,
      account_id: tenant.accountId,
      user_id: site.visitor.id,
      role: "answerer",
    }).throwOnError();
    await page.getByRole("button", { name: en.desk.frame.signOut }).click();
    await page.getByLabel(en.shared.email).fill(site.visitor.email);
    await page.getByLabel(en.shared.password).fill(site.visitor.password);
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await form.getByRole("checkbox", { name: startOf(en.desk.notices.asksForHuman) }).waitFor();
    assertEquals(await form.getByRole("checkbox", { name: startOf(en.desk.notices.budget) }).count(), 0);
    assertEquals(visited.errors, []);
  });
});

Deno.test("notifications of the browser", async (t) => {
  await using site = await openSite();
  await using visited = await sitDown(site, { place: "#team/notices" });
  const { page } = visited;
  await keepNotifications(page);
  const count = async (number: number) =>
    await page.waitForFunction(
      (number) => (globalThis as unknown as { shown: Shown[] }).shown.length === number,
      number,
    );

  await t.step("none is shown before the expert has pressed the button", async () => {
    await page.getByRole("button", { name: en.desk.notices.allow }).waitFor();
    await keepQuestion(site, "ann", "Is this a secret?");
    // The number beside the panel shows that the event has come.
    await page.getByRole("link", {
      name: startOf(`${en.desk.frame.questions} ${plural(en.desk.frame.waiting, 1, { number: 1 })}`),
    }).waitFor();
    assertEquals(await readShown(page), []);
  });

  await t.step("then a new question is told, without a sound and without its words", async () => {
    await page.getByRole("button", { name: en.desk.notices.allow }).click();
    await page.getByRole("button", { name: en.desk.notices.stop }).waitFor();
    await keepQuestion(site, "ben", "Is this another secret?");
    await count(1);
    const [{ title, options }] = await readShown(page) as [Omit<Shown, "click">];
    assertEquals([title, options.silent], [fill(en.desk.notices.newQuestion, { name: "Ada Byron" }), true]);
    assertEquals(JSON.stringify(options).includes("secret"), false);
  });

  await t.step("a person who asks for a human, too; a click opens the conversation", async () => {
    const ids = await storeAnswer(site.tenant, { content: "I do not know", status: "complete", user_id: "eve" });
    await storeQuestion(ids.messageId, "May I talk to you?", { isForHuman: true });
    await page.waitForFunction(() =>
      (globalThis as unknown as { shown: Shown[] }).shown.some(({ title }) =>
        title === "Somebody would like to talk to Ada Byron in person."
      )
    );
    await page.evaluate(() =>
      (globalThis as unknown as { shown: Shown[] }).shown.find(({ title }) => title.includes("in person"))!.click()
    );
    await page.waitForFunction((hash) => location.hash === hash, `#conversations/${ids.threadId}`);
  });

  await t.step("the choice is kept, and can be taken back", async () => {
    await page.goto(`${site.url}desk/#team/notices`);
    await page.evaluate(() => Object.assign(Notification, { permission: "granted" }));
    await page.getByRole("button", { name: en.desk.notices.stop }).click();
    await page.getByRole("button", { name: en.desk.notices.allow }).waitFor();
    assertEquals(await page.evaluate(() => localStorage.getItem("human-desk notifications")), null);
  });

  await t.step("a browser that blocks them is named as the reason", async () => {
    await page.addInitScript(() => Object.assign(Notification, { permission: "denied" }));
    await page.reload();
    await page.getByText(en.desk.notices.blocked).waitFor();
    assertEquals(visited.errors, []);
  });
});
