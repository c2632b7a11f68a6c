import { assertEquals } from "../support/assert.ts";
import { answers, say, script } from "./chat.ts";
import { sitDown } from "./desk.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, plural } from "./texts.ts";

Deno.test("a visitor in one window, the expert in another", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const call = { id: "call_1", name: "ask_expert", arguments: { question: "May I bring my dog?", for_human: false } };
  await using visited = await visit(site.url);
  await using seated = await sitDown(site);
  const [chat, desk] = [visited.page, seated.page];

  await t.step("what the persona does not know opens at the desk", async () => {
    await desk.getByText(en.desk.questions.emptyOpen).waitFor();
    script(site, [{ call }], "I do not know that.");
    await say(chat, "May I bring my dog?");
    await answers(chat).getByText("I do not know that.").waitFor();
    await desk.getByRole("article", { name: "May I bring my dog?" }).waitFor();
  });

  await t.step("the expert answers it there, and the next visitor reads it word for word", async () => {
    await desk.getByRole("button", { name: en.desk.questions.answer }).click();
    await desk.getByLabel(en.desk.parts.yourAnswer).fill("Yes, *if it sleeps*.");
    await desk.keyboard.press("Control+Enter");
    await desk.getByText(en.desk.questions.emptyOpen).waitFor();
    await using next = await visit(site.url);
    const before = service.model.requestsOf(tenant.modelName).length;
    await say(next.page, "may I bring my DOG");
    await answers(next.page).locator("em").getByText("if it sleeps").waitFor();
    assertEquals(await answers(next.page).locator(".badge").innerText(), fill(en.chat.ownWords, { name: "Ada Byron" }));
    assertEquals(service.model.requestsOf(tenant.modelName).length, before);
  });

  await t.step("the expert takes over: both see it, and talk to each other", async () => {
    const threadId = new URL(chat.url()).hash.slice(1);
    await desk.goto(`${site.url}desk/#conversations/${threadId}`);
    await desk.getByRole("button", { name: en.desk.conversations.takeOver }).click();
    await chat.getByText(fill(en.chat.expertAnswers, { name: "Ada Byron" })).waitFor();
    await say(chat, "Is it really you?");
    const log = desk.getByRole("log");
    await log.getByText("Is it really you?").waitFor();
    await desk.getByText(plural(en.desk.conversations.waiting, 1)).waitFor();
    await desk.getByRole("textbox", { name: en.desk.conversations.yourMessage }).fill("It is.");
    await desk.keyboard.press("Enter");
    await answers(chat).locator("p", { hasText: "It is." }).waitFor();
    await log.getByRole("article", { name: en.desk.conversations.authorExpert }).getByText("It is.").waitFor();
  });

  await t.step("and hands it back: the model answers again", async () => {
    await desk.getByRole("button", { name: en.desk.conversations.handBack }).click();
    await chat.locator("header .badge").getByText(en.chat.ai, { exact: true }).waitFor();
    script(site, "The model again.");
    await say(chat, "And now?");
    await answers(chat).getByText("The model again.").waitFor();
    await desk.getByRole("log").getByText("The model again.").waitFor();
  });

  await t.step("nothing went wrong in either", () => assertEquals([visited.errors, seated.errors], [[], []]));
});
