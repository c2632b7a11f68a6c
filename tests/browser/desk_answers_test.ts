import { assertEquals, assertMatch } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { startBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";

Deno.test("pinned answers at the desk", async (t) => {
  await using browser = await startBrowser();
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const stored = async () => (await expert.listPinnedAnswers(tenant.coachId)).data;
  await using visited = await sitDown(browser, site, { place: "#answers" });
  const { page } = visited;
  const list = page.getByRole("list", { name: "Your answers" });

  await t.step(
    "none yet: it says where they come from",
    () => page.getByText("No pinned answers yet").waitFor(),
  );

  await t.step("one is written, once", async () => {
    await page.getByRole("link", { name: "New answer" }).click();
    const question = page.getByRole("textbox", { name: "Question", exact: true });
    await question.fill("What does it cost?");
    const answer = page.getByLabel("Your answer");
    const areEquallyWide = async () => {
      const [one, other] = await Promise.all([question, answer].map((field) => field.boundingBox()));
      assertEquals(one!.width, other!.width);
    };
    await areEquallyWide();
    await page.getByRole("button", { name: "Pin answer" }).click();
    await page.getByRole("alert").getByText("Please write an answer.").waitFor();
    await answer.fill("Nothing, *today*.");
    await page.getByRole("group", { name: "Preview" }).waitFor();
    await areEquallyWide();
    await page.getByRole("button", { name: "Pin answer" }).dblclick();
    await page.getByRole("heading", { name: "What does it cost?" }).waitFor();
    await page.locator("em").getByText("today").waitFor();
    assertEquals((await stored()).length, 1);
  });

  await t.step("the same question again leads to it, and nothing is lost", async () => {
    await page.getByRole("link", { name: "Your answers" }).click();
    await page.getByRole("link", { name: "New answer" }).click();
    await page.getByRole("textbox", { name: "Question", exact: true }).fill("what does it COST");
    await page.getByLabel("Your answer").fill("Something.");
    await page.keyboard.press("Control+Enter");
    const alert = page.getByRole("alert");
    await alert.getByText("A pinned answer has this question already").waitFor();
    assertEquals(await page.getByLabel("Your answer").inputValue(), "Something.");
    await alert.getByRole("link", { name: "see it" }).click();
    await page.getByRole("heading", { name: "What does it cost?" }).waitFor();
  });

  await t.step("it is changed, and what it said before is kept", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Your answer").fill("Ten euros.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("One earlier version").click();
    await page.getByRole("listitem").getByText("Nothing, today.").waitFor();
    assertEquals((await stored()).map(({ answer, version }) => [answer, version]), [["Ten euros.", 2]]);
  });

  await t.step("how often it was given", async () => {
    const context = { coachId: tenant.coachId, userId: "ann" };
    assertEquals((await chat(service, tenant, { message: "What does it cost?", context })).answer, "Ten euros.");
    await page.getByRole("link", { name: "Your answers" }).click();
    await list.getByText(/^given once word for word, last /).waitFor();
    await page.getByRole("link", { name: /^Conversations/ }).click();
    await page.getByRole("link", { name: /What does it cost/ }).click();
    const given = page.getByRole("article", { name: "Your pinned answer" });
    await given.getByText("Ten euros.").first().waitFor();
    await given.getByText("Based on 1 pinned answer").click();
    await given.getByText("version 2, word for word").waitFor();
    assertEquals(await given.getByRole("button", { name: "Correct it" }).count(), 0);
    await given.getByRole("link", { name: "What does it cost?" }).click();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await page.getByRole("link", { name: "Your answers" }).click();
  });

  await t.step("switched off, nobody is given it, and the filter finds it", async () => {
    await list.getByRole("link", { name: "What does it cost?" }).click();
    await page.getByRole("button", { name: "Switch off" }).dblclick();
    await page.getByRole("button", { name: "Switch on" }).waitFor();
    assertEquals((await stored()).map(({ is_active }) => is_active), [false]);
    await page.goto(`${site.url}desk/#answers`);
    await page.getByRole("button", { name: "Switched off" }).click();
    await page.waitForURL(/#answers\?off=1$/);
    await list.getByRole("link", { name: "What does it cost?" }).waitFor();
    await page.getByRole("searchbox").fill("owl");
    await page.keyboard.press("Enter");
    await page.getByText("No answers found").waitFor();
    assertMatch(page.url(), /#answers\?off=1&search=owl$/);
    await page.goBack();
    await list.getByRole("link", { name: "What does it cost?" }).click();
  });

  await t.step("deleted only by who means it", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    await page.keyboard.press("Enter");
    assertEquals((await stored()).length, 1);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("group", { name: /Delete this answer/ }).getByRole("button", { name: "Delete" }).click();
    await page.getByText("No pinned answers yet").waitFor();
    assertEquals(await stored(), []);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("a question is tried at the desk", async (t) => {
  await using browser = await startBrowser();
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  await addFile(tenant, "Sleep.pdf", { content: "A cold bedroom helps you sleep.", page: 3, heading: "The bedroom" });
  await using visited = await sitDown(browser, site, { place: "#try" });
  const { page } = visited;

  await t.step("it shows what the persona would answer from, without asking the model", async () => {
    await page.getByRole("textbox", { name: "Question" }).fill("How cold is a bedroom?");
    await page.keyboard.press("Enter");
    await page.getByText("Sleep.pdf").waitFor();
    await page.getByText("page 3 · The bedroom").waitFor();
    await page.getByText(/^score \d+\.\d\d$/).waitFor();
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });

  await t.step("with the switch also what it would say, which leaves nothing behind", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "It is **cold**." }] });
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Try" }).click();
    await page.getByRole("article", { name: "The answer" }).locator("strong").getByText("cold").waitFor();
    assertEquals((await expert.listConversations(tenant.coachId)).count, 0);
    const asked = service.model.requestsOf(tenant.modelName).length;
    await page.reload();
    await page.getByText("Sleep.pdf").waitFor();
    assertEquals(service.model.requestsOf(tenant.modelName).length, asked, "nobody has pressed the button");
  });

  await t.step("a passage is barred from there, and let in again among the barred ones", async () => {
    await page.getByRole("button", { name: "Bar from answers" }).dblclick();
    await page.getByText("barred from answers").waitFor();
    assertEquals((await expert.listBarredPassages(tenant.coachId)).count, 1);
    await page.goto(`${site.url}desk/#files/barred`);
    await page.getByText("A cold bedroom helps you sleep.").waitFor();
    await page.getByRole("button", { name: "Allow in answers" }).click();
    await page.getByText("No passages are barred").waitFor();
    assertEquals((await expert.listBarredPassages(tenant.coachId)).count, 0);
    await page.goBack();
  });

  await t.step("an answer is pinned from there, and is given word for word then", async () => {
    await page.getByRole("link", { name: "Pin an answer to this question" }).click();
    assertEquals(
      await page.getByRole("textbox", { name: "Question", exact: true }).inputValue(),
      "How cold is a bedroom?",
    );
    await page.getByLabel("Your answer").fill("Sixteen degrees.");
    await page.getByRole("button", { name: "Pin answer" }).click();
    await page.getByRole("heading", { name: "How cold is a bedroom?" }).waitFor();
    await page.goto(`${site.url}desk/#try?question=how+cold+is+a+bedroom`);
    await page.getByText("Given word for word, without the model").waitFor();
    await page.getByText("Sixteen degrees.").waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});
