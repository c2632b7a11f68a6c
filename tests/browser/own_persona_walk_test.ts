/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import { createOfflineModel } from "../../supabase/platform/offline_model.ts";
import { runAdmin } from "../commands/admin/run_admin.ts";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { serve } from "../support/serve.ts";
import { sharedBrowser } from "./browser.ts";
import { answers, say } from "./chat.ts";
import { sessionOf } from "./desk.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, startOf, whole } from "./texts.ts";

const file = {
  name: "Sleep.md",
  mimeType: "",
  buffer: Buffer.from("# Bedrooms\n\nA bedroom should have sixteen degrees at night.\n"),
};

Deno.test("from an invitation to a persona of one's own, at the desk alone", async (t) => {
  const browser = await sharedBrowser();
  await using model = serve(createOfflineModel());
  await using site = await openSite({}, undefined, { env: { OPENAI_BASE_URL: `${model.url}/v1` } });
  const { tenant, service } = site;
  const { token } = (await runAdmin(["expert", "invite", "--account", tenant.accountId, "--json"])).json();
  await using visited = await visit(browser, `${site.url}desk/#invitation=${token}`);
  const { page } = visited;
  const step = (name: string) =>
    page.getByRole("region", { name: en.desk.overview.steps }).getByRole("listitem").filter({ hasText: name });
  const toOverview = () => page.getByRole("link", { name: en.desk.frame.overview }).click();
  let coachId = "";

  await t.step("signs up, and says who the persona is", async () => {
    await page.getByRole("button", { name: en.desk.invitation.createAccount }).click();
    await page.getByLabel(en.shared.email).fill(`${crypto.randomUUID()}@example.com`);
    await page.getByLabel(en.shared.password).fill(crypto.randomUUID());
    await page.getByRole("button", { name: en.desk.invitation.createAccount }).click();
    await page.getByText(en.desk.invitation.toOwn).waitFor();
    await page.getByLabel(en.desk.invitation.name).fill("Nora Holm");
    await page.getByLabel(en.desk.invitation.profession).fill("Sleep coach");
    await page.getByRole("button", { name: en.desk.invitation.make }).dblclick();
    await page.getByRole("heading", { name: "Nora Holm" }).waitFor();
    await page.getByText(fill(en.desk.overview.stepsDone, { done: 0, all: 6 })).waitFor();
    await page.getByRole("banner").getByText(en.desk.team.notPublished).waitFor();
  });

  const desk = clientOf(service, { ...tenant, accessToken: (await sessionOf(page)).accessToken });

  await t.step("nobody can talk to it yet", async () => {
    const { data } = await desk.listOwnCoaches("me");
    coachId = data[0]!.id;
    assertEquals(data.map(({ name, title, role, is_active }) => [name, title, role, is_active]), [
      ["Nora Holm", "Sleep coach", "owner", false],
    ]);
    const visitor = clientOf(service, { apiKey: tenant.apiKey });
    assertEquals((await visitor.listCoaches()).data.filter(({ id }) => id === coachId), []);
  });

  await t.step("writes how it greets people, and how it talks", async () => {
    await step("Describe the persona").getByRole("link").click();
    await page.getByRole("textbox", { name: startOf(en.desk.persona.greeting) }).fill(
      "Hello, I am Nora. How do you sleep?",
    );
    await page.getByRole("textbox", { name: startOf(en.desk.persona.instructions) }).fill(
      "You are Nora Holm. Talk calmly.",
    );
    await page.getByRole("group", { name: en.desk.persona.draft, exact: true }).getByText(
      whole(en.desk.persona.savedAt),
    ).waitFor();
    await toOverview();
    await page.getByText(fill(en.desk.overview.stepsDone, { done: 1, all: 6 })).waitFor();
  });

  await t.step("adds a file", async () => {
    await step("Add what it should know").getByRole("link").click();
    await page.locator("input[type=file]").setInputFiles([file]);
    const added = page.getByRole("article", { name: file.name });
    await added.waitFor();
    await finishIndexing(service, coachId);
    await added.getByText(en.desk.files.readyTag).waitFor();
  });

  await t.step("tries a question", async () => {
    await toOverview();
    await step("Try a question").getByRole("link").click();
    await page.getByRole("textbox", { name: en.desk.parts.question }).fill("How many degrees should a bedroom have?");
    await page.getByRole("button", { name: en.desk.try.submit }).click();
    await page.getByText("A bedroom should have sixteen degrees at night.").first().waitFor();
  });

  await t.step("saves a test", async () => {
    await toOverview();
    await step("Save a question as a test").getByRole("link").click();
    await page.getByRole("textbox", { name: en.desk.parts.question, exact: true }).fill(
      "How many degrees should a bedroom have?",
    );
    await page.getByRole("textbox", { name: `${en.desk.tests.contains} ${en.desk.tests.textPerLine}` }).fill(
      "sixteen degrees",
    );
    await page.getByRole("button", { name: en.desk.tests.save }).click();
    await page.getByRole("list", { name: en.desk.tests.title }).waitFor();
  });

  await t.step("publishes it", async () => {
    await toOverview();
    await page.getByText(fill(en.desk.overview.stepsDone, { done: 4, all: 6 })).waitFor();
    await step("Publish it").getByRole("link").click();
    await page.getByRole("group", { name: en.desk.persona.draft, exact: true }).getByRole("link", {
      name: en.desk.persona.check,
    })
      .click();
    await page.getByRole("button", { name: en.desk.persona.publish, exact: true }).click();
    await page.getByRole("status").getByText(startOf(en.desk.persona.publishedNow)).waitFor();
    await page.getByRole("banner").getByText(en.desk.team.notPublished).waitFor({ state: "detached" });
  });

  await t.step("has the first conversation on the chat page, which the list of steps leads to", async () => {
    await toOverview();
    await page.getByText(fill(en.desk.overview.stepsDone, { done: 5, all: 6 })).waitFor();
    const link = step("Have the first conversation").getByRole("link");
    assertEquals(await link.evaluate((link: HTMLAnchorElement) => link.href), `${site.url}?coach=nora-holm`);
    await using person = await visit(browser, site.url);
    // The page of this test has another persona.
    await person.page.locator("human-chat").evaluate((chat) => chat.removeAttribute("coach"));
    await person.page.getByRole("button", { name: /Nora Holm/ }).click();
    await person.page.getByText("Hello, I am Nora. How do you sleep?").waitFor();
    await say(person.page, "How many degrees should a bedroom have?");
    await answers(person.page).getByText("A bedroom should have sixteen degrees at night.").waitFor();
    assertEquals(person.errors, []);
  });

  await t.step("then the first steps are gone, and the week has begun", async () => {
    await page.getByRole("link", { name: startOf(en.desk.frame.conversations) }).click();
    await page.getByRole("link", { name: /How many degrees should a bedroom have/ }).waitFor();
    await toOverview();
    await page.getByText(fill(en.desk.overview.weekBefore, { number: 0 })).first().waitFor();
    assertEquals(await page.getByRole("region", { name: en.desk.overview.steps }).count(), 0);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});
