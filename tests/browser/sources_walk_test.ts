import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { sourcesOf } from "../support/sources.ts";
import { startTestSite } from "../support/test_site.ts";
import { answers, button, endedAnswers, say, script } from "./chat.ts";
import { sitDown } from "./desk.ts";
import { markedIn, readerOf } from "./reader_window.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, plural } from "./texts.ts";

Deno.test("a web address, from the desk to the source of an answer, and again after it has changed", async (t) => {
  await using web = await startTestSite({ topics: 1 });
  await using site = await openSite({ sources_are_open: true }, {}, { env: { ALLOW_PRIVATE_SOURCES: "1" } });
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const sources = sourcesOf(service, tenant);
  await using desk = await sitDown(site, { place: "#files/websites" });
  await using visitor = await visit(site.url);
  const [card, { page }] = [desk.page.getByRole("list", { name: en.desk.files.websites, exact: true }), visitor];
  const address = `${web.url}/bedroom`;
  const found = async (search: string) => (await expert.searchFiles({ coachId: tenant.coachId, search })).data.length;
  /** The last request to the model. */
  const given = () => JSON.stringify(service.model.requestsOf(tenant.modelName).at(-1)!.body);
  const text = (warmth: string) => ({
    title: "The bedroom",
    text:
      `A bedroom is a room to sleep in, and it should be dark and quiet.\n\nAt night, it is best kept at ${warmth} degrees.`,
  });
  web.write("/bedroom", text("sixteen"));

  await t.step("the expert adds it at the desk, and sees it being read", async () => {
    await desk.page.getByRole("textbox", { name: en.desk.files.address }).fill(address);
    await desk.page.getByRole("button", { name: en.desk.tests.add }).click();
    await card.getByText(en.desk.files.waitingTag).waitFor();
    const { data: [source] } = await expert.listSources(tenant.coachId);
    await sources.finish(source!.id);
    await card.getByText(en.desk.files.readyTag).waitFor();
    await card.getByText(plural(en.desk.files.pages, 1), { exact: true }).waitFor();
  });

  await t.step("an answer draws on it, and its source opens at the marked passage", async () => {
    script(site, "Rather cold [1].");
    await say(page, "How many degrees should the bedroom have at night?");
    await endedAnswers(page).getByText("Rather cold").waitFor();
    assert(given().includes("sixteen degrees"), given());
    await answers(page).locator(".text").getByRole("button", {
      name: fill(en.shared.source, { number: 1 }),
      exact: true,
    }).click();
    await markedIn(page).getByText("best kept at sixteen degrees").waitFor();
    const link = readerOf(page).getByRole("link", { name: en.reader.openWebPage });
    assertEquals(await link.getAttribute("href"), address);
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
  });

  await t.step("the page changes, and the expert has it read again", async () => {
    web.write("/bedroom", text("eighteen"));
    await desk.page.getByRole("button", { name: en.desk.files.readNow }).click();
    await card.getByText(en.desk.files.waitingTag).waitFor();
    const { data: [source] } = await expert.listSources(tenant.coachId);
    await sources.finish(source!.id);
    await card.getByText(en.desk.files.readyTag).waitFor();
    assertEquals([await found("sixteen"), await found("eighteen")], [0, 1]);
  });

  await t.step("the next answer has the new text, and none of the old", async () => {
    script(site, "A little warmer [1].");
    await say(page, "And how many degrees should the bedroom have now, at night?");
    await endedAnswers(page).getByText("A little warmer").waitFor();
    assert(given().includes("eighteen degrees") && !given().includes("sixteen"), given());
    await answers(page).last().locator(".text").getByRole("button", {
      name: fill(en.shared.source, { number: 1 }),
      exact: true,
    }).click();
    await markedIn(page).getByText("best kept at eighteen degrees").waitFor();
    assertEquals(await readerOf(page).getByText("sixteen").count(), 0);
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
  });

  await t.step("the source of the first answer is said to be gone", async () => {
    await button(answers(page).first().locator(".text"), fill(en.shared.source, { number: 1 })).click();
    await readerOf(page).getByText(en.desk.errors.passage_not_found).waitFor();
    assertEquals(await markedIn(page).count(), 0);
  });

  await t.step("no page had an error", () => assertEquals([...desk.errors, ...visitor.errors], []));
});
