/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import { createOfflineModel } from "../../supabase/commands/local/offline_model.ts";
import { runAdmin } from "../commands/admin/run_admin.ts";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { serve } from "../support/serve.ts";
import { sharedBrowser } from "./browser.ts";
import { answers, say } from "./chat.ts";
import { sessionOf } from "./desk.ts";
import { openSite, visit } from "./site.ts";

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
    page.getByRole("region", { name: "First steps" }).getByRole("listitem").filter({ hasText: name });
  const toOverview = () => page.getByRole("link", { name: "Overview" }).click();
  let coachId = "";

  await t.step("signs up, and says who the persona is", async () => {
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill(`${crypto.randomUUID()}@example.com`);
    await page.getByLabel("Password").fill(crypto.randomUUID());
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByText("You are invited to create a persona of your own.").waitFor();
    await page.getByLabel("Name of the persona").fill("Nora Holm");
    await page.getByLabel("Profession").fill("Sleep coach");
    await page.getByRole("button", { name: "Create the persona" }).dblclick();
    await page.getByRole("heading", { name: "Nora Holm" }).waitFor();
    await page.getByText("0 of 6 done").waitFor();
    await page.getByRole("banner").getByText("not public").waitFor();
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
    await page.getByRole("textbox", { name: /^Greeting/ }).fill("Hello, I am Nora. How do you sleep?");
    await page.getByRole("textbox", { name: /^Instructions/ }).fill("You are Nora Holm. Talk calmly.");
    await page.getByRole("group", { name: "Draft", exact: true }).getByText(/^Saved /).waitFor();
    await toOverview();
    await page.getByText("1 of 6 done").waitFor();
  });

  await t.step("adds a file", async () => {
    await step("Add what it should know").getByRole("link").click();
    await page.locator("input[type=file]").setInputFiles([file]);
    const added = page.getByRole("article", { name: file.name });
    await added.waitFor();
    await finishIndexing(service, coachId);
    await added.getByText("ready").waitFor();
  });

  await t.step("tries a question", async () => {
    await toOverview();
    await step("Try a question").getByRole("link").click();
    await page.getByRole("textbox", { name: "Question" }).fill("How many degrees should a bedroom have?");
    await page.getByRole("button", { name: "Try" }).click();
    await page.getByText("A bedroom should have sixteen degrees at night.").first().waitFor();
  });

  await t.step("saves a test", async () => {
    await toOverview();
    await step("Save a question as a test").getByRole("link").click();
    await page.getByRole("textbox", { name: "Question", exact: true }).fill("How many degrees should a bedroom have?");
    await page.getByRole("textbox", { name: "Contains one text" }).fill("sixteen degrees");
    await page.getByRole("button", { name: "Save test" }).click();
    await page.getByRole("list", { name: "Tests" }).waitFor();
  });

  await t.step("publishes it", async () => {
    await toOverview();
    await page.getByText("4 of 6 done").waitFor();
    await step("Publish it").getByRole("link").click();
    await page.getByRole("group", { name: "Draft", exact: true }).getByRole("link", { name: "Check and publish" })
      .click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText(/^Published as version/).waitFor();
    await page.getByRole("banner").getByText("not public").waitFor({ state: "detached" });
  });

  await t.step("has the first conversation on the chat page, which the list of steps leads to", async () => {
    await toOverview();
    await page.getByText("5 of 6 done").waitFor();
    const link = step("Have the first conversation").getByRole("link");
    assertEquals(await link.evaluate((link: HTMLAnchorElement) => link.href), site.url);
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
    await page.getByRole("link", { name: /^Conversations/ }).click();
    await page.getByRole("link", { name: /How many degrees should a bedroom have/ }).waitFor();
    await toOverview();
    await page.getByText("0 the week before").first().waitFor();
    assertEquals(await page.getByRole("region", { name: "First steps" }).count(), 0);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});
