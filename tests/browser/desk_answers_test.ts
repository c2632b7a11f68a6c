import { assertEquals, assertMatch } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf, whole } from "./texts.ts";

Deno.test("pinned answers at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const stored = async () => (await expert.listPinnedAnswers(tenant.coachId)).data;
  await using visited = await sitDown(site, { place: "#answers" });
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.answers.title });

  await t.step(
    "none yet: it says where they come from",
    () => page.getByText(en.desk.answers.empty).waitFor(),
  );

  await t.step("one is written, once", async () => {
    await page.getByRole("link", { name: en.desk.answers.new }).click();
    const question = page.getByRole("textbox", { name: en.desk.parts.question, exact: true });
    await question.fill("What does it cost?");
    const answer = page.getByLabel(en.desk.parts.yourAnswer);
    const areEquallyWide = async () => {
      const [one, other] = await Promise.all([question, answer].map((field) => field.boundingBox()));
      assertEquals(one!.width, other!.width);
    };
    await areEquallyWide();
    await page.getByRole("button", { name: en.desk.answers.pin }).click();
    await page.getByRole("alert").getByText(en.desk.parts.answerMissing).waitFor();
    await answer.fill("Nothing, **today**.");
    await page.getByRole("group", { name: en.desk.parts.preview }).waitFor();
    await areEquallyWide();
    await page.getByRole("button", { name: en.desk.answers.pin }).dblclick();
    await page.getByRole("heading", { name: "What does it cost?" }).waitFor();
    await page.locator("strong").getByText("today").waitFor();
    assertEquals((await stored()).length, 1);
  });

  await t.step("the same question again leads to it, and nothing is lost", async () => {
    await page.getByRole("link", { name: en.desk.answers.title }).click();
    await list.getByText("Nothing, today.").waitFor();
    await page.getByRole("link", { name: en.desk.answers.new }).click();
    await page.getByRole("textbox", { name: en.desk.parts.question, exact: true }).fill("what does it COST");
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Something.");
    await page.keyboard.press("Control+Enter");
    const alert = page.getByRole("alert");
    await alert.getByText(startOf(en.desk.parts.alreadyPinned)).waitFor();
    assertEquals(await page.getByLabel(en.desk.parts.yourAnswer).inputValue(), "Something.");
    await alert.getByRole("link", { name: en.desk.parts.alreadyPinnedLink }).click();
    await page.getByRole("heading", { name: "What does it cost?" }).waitFor();
  });

  await t.step("it is changed, and what it said before is kept", async () => {
    await page.getByRole("button", { name: en.desk.parts.edit }).click();
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Ten euros.");
    await page.getByRole("button", { name: en.desk.parts.save }).click();
    await page.getByText(plural(en.desk.answers.earlier, 1)).click();
    await page.getByRole("listitem").getByText("Nothing, today.").waitFor();
    assertEquals((await stored()).map(({ answer, version }) => [answer, version]), [["Ten euros.", 2]]);
  });

  await t.step("how often it was given", async () => {
    const context = { coachId: tenant.coachId, userId: "ann" };
    assertEquals((await chat(service, tenant, { message: "What does it cost?", context })).answer, "Ten euros.");
    await page.getByRole("link", { name: en.desk.answers.title }).click();
    await list.getByText(whole(en.desk.answers.givenLast.one)).waitFor();
    await page.getByRole("link", { name: startOf(en.desk.frame.conversations) }).click();
    const conversations = page.getByRole("list", { name: en.desk.conversations.title });
    await conversations.getByRole("link", { name: /What does it cost/ }).click();
    const given = page.getByRole("article", { name: en.desk.conversations.authorPinned });
    await given.getByText("Ten euros.").first().waitFor();
    await given.getByText(
      fill(en.desk.conversations.basedOn, { sources: plural(en.desk.conversations.pinnedAnswers, 1) }),
    ).click();
    await given.getByText(fill(en.desk.parts.versionWordForWord, { version: 2 })).waitFor();
    assertEquals(await given.getByRole("button", { name: en.desk.conversations.correct }).count(), 0);
    await given.getByRole("link", { name: "What does it cost?" }).click();
    await page.getByRole("button", { name: en.desk.parts.edit }).waitFor();
    await page.getByRole("link", { name: en.desk.answers.title }).click();
  });

  await t.step("switched off, nobody is given it, and the filter finds it", async () => {
    await list.getByRole("link", { name: "What does it cost?" }).click();
    await page.getByRole("button", { name: en.desk.answers.switchOff }).dblclick();
    await page.getByRole("button", { name: en.desk.answers.switchOn }).waitFor();
    assertEquals((await stored()).map(({ is_active }) => is_active), [false]);
    await page.goto(`${site.url}desk/#answers`);
    await page.getByRole("button", { name: en.desk.answers.toggleOff }).click();
    await page.waitForURL(/#answers\?off=1$/);
    await list.getByRole("link", { name: "What does it cost?" }).waitFor();
    await page.getByRole("searchbox").fill("owl");
    await page.keyboard.press("Enter");
    await page.getByText(en.desk.answers.noneFound).waitFor();
    assertMatch(page.url(), /#answers\?off=1&search=owl$/);
    await page.goBack();
    await list.getByRole("link", { name: "What does it cost?" }).click();
  });

  await t.step("deleted only by who means it", async () => {
    await page.getByRole("button", { name: en.desk.parts.delete }).click();
    await page.keyboard.press("Enter");
    assertEquals((await stored()).length, 1);
    await page.getByRole("button", { name: en.desk.parts.delete }).click();
    await page.getByRole("group", { name: en.desk.answers.allVersions }).getByRole("button", {
      name: en.desk.parts.delete,
    }).click();
    await page.getByText(en.desk.answers.empty).waitFor();
    assertEquals(await stored(), []);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});
