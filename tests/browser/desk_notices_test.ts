/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { operator } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { startBrowser } from "./browser.ts";
import { keepQuestion, sitDown } from "./desk.ts";
import { openSite } from "./site.ts";

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
  await using browser = await startBrowser();
  await using site = await openSite();
  const { tenant, service, expert } = site;
  const api = clientOf(service, { ...tenant, accessToken: expert.accessToken });
  await using visited = await sitDown(browser, site, { place: "#team/notices", timezoneId: "Asia/Kolkata" });
  const { page } = visited;
  const form = page.getByRole("region", { name: "By email" });

  await t.step("without a mail server, it says what is missing", async () => {
    await form.getByText("its operator needs to set SMTP_URL and MAIL_FROM").waitFor();
  });

  await t.step("the choices are saved, in the time zone of the browser", async () => {
    await form.getByText("The summary now follows the time in UTC.").waitFor();
    await form.getByRole("checkbox", { name: /asks for a human/ }).uncheck();
    await form.getByRole("checkbox", { name: /cannot be read/ }).uncheck();
    await form.getByRole("combobox", { name: "Summary" }).selectOption("Once a week");
    await form.getByLabel(/^On/).selectOption("Friday");
    await form.getByLabel(/^At/).selectOption("17");
    await form.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved.").waitFor();
    await form.getByText("Times are in Asia/Calcutta, the time zone of this browser.").or(
      form.getByText("Times are in Asia/Kolkata, the time zone of this browser."),
    ).waitFor();
    const { time_zone: _, address: __, ...saved } = await api.getExpertMail(tenant.coachId);
    assertEquals(saved, {
      is_available: false,
      is_refused: false,
      asks_for_human: false,
      failures: false,
      budget: true,
      digest: "weekly",
      weekday: 5,
      hour: 17,
      language: "de",
    });
    await page.reload();
    assertEquals(await form.getByRole("checkbox", { name: /asks for a human/ }).isChecked(), false);
    assertEquals(await form.getByLabel(/^On/).inputValue(), "5");
  });

  await t.step("an address that was refused is named", async () => {
    const settings = { ...await api.getExpertMail(tenant.coachId), address: "ada@example.com", is_available: true };
    await page.route("**/experts/me/mail", (route) => route.fulfill({ json: { ...settings, is_refused: true } }));
    await page.reload();
    await form.getByText("Emails to ada@example.com came back").waitFor();
    assertEquals(await form.getByText("SMTP_URL").count(), 0);
    await page.unrouteAll();
  });

  await t.step("only owners are told about budgets", async () => {
    await form.getByRole("checkbox", { name: /budget/ }).waitFor();
    await operator.from("coach_experts").insert({
      coach_id: tenant.coachId,
      account_id: tenant.accountId,
      user_id: site.visitor.id,
      role: "answerer",
    }).throwOnError();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Email").fill(site.visitor.email);
    await page.getByLabel("Password").fill(site.visitor.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await form.getByRole("checkbox", { name: /asks for a human/ }).waitFor();
    assertEquals(await form.getByRole("checkbox", { name: /budget/ }).count(), 0);
    assertEquals(visited.errors, []);
  });
});

Deno.test("notifications of the browser", async (t) => {
  await using browser = await startBrowser();
  await using site = await openSite();
  await using visited = await sitDown(browser, site, { place: "#team/notices" });
  const { page } = visited;
  await keepNotifications(page);
  const count = async (number: number) =>
    await page.waitForFunction(
      (number) => (globalThis as unknown as { shown: Shown[] }).shown.length === number,
      number,
    );

  await t.step("none is shown before the expert has pressed the button", async () => {
    await page.getByRole("button", { name: "Show notifications" }).waitFor();
    await keepQuestion(site, "ann", "Is this a secret?");
    // The number beside the panel shows that the event has come.
    await page.getByRole("link", { name: /^Questions.*1/ }).waitFor();
    assertEquals(await readShown(page), []);
  });

  await t.step("then a new question is told, without a sound and without its words", async () => {
    await page.getByRole("button", { name: "Show notifications" }).click();
    await page.getByRole("button", { name: "Stop notifications" }).waitFor();
    await keepQuestion(site, "ben", "Is this another secret?");
    await count(1);
    const [{ title, options }] = await readShown(page) as [Omit<Shown, "click">];
    assertEquals([title, options.silent], ["There is a new question for Ada Byron.", true]);
    assertEquals(JSON.stringify(options).includes("secret"), false);
  });

  await t.step("a person who asks for a human, too; a click opens the conversation", async () => {
    const ids = await storeAnswer(site.tenant, { content: "I do not know", status: "complete", user_id: "eve" });
    await operator.rpc("keep_question", {
      message_id: ids.messageId,
      run_id: ids.messageId,
      question: "May I talk to you?",
      is_for_human: true,
    }).throwOnError();
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
    await page.getByRole("button", { name: "Stop notifications" }).click();
    await page.getByRole("button", { name: "Show notifications" }).waitFor();
    assertEquals(await page.evaluate(() => localStorage.getItem("human-desk notifications")), null);
  });

  await t.step("a browser that blocks them is named as the reason", async () => {
    await page.addInitScript(() => Object.assign(Notification, { permission: "denied" }));
    await page.reload();
    await page.getByText("This browser blocks notifications from this site.").waitFor();
    assertEquals(visited.errors, []);
  });
});
