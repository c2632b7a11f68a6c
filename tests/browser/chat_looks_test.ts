/// <reference lib="dom" />
import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertReply } from "../support/client.ts";
import { createCoach, operator } from "../support/project.ts";
import { answers, button, endedAnswers, questions, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, plural } from "./texts.ts";

Deno.test("how the chat page looks", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  await using visitor = await visit(site.url);
  const { page } = visitor;

  await t.step("a page of its own has one main heading, a part of another page none", async () => {
    const main = page.getByRole("heading", { level: 1 });
    await main.getByText("Ada Byron").waitFor();
    assertEquals(await main.count(), 1);
    await using other = await embed(site, "<human-chat {{settings}}></human-chat>");
    await using guest = await visit(other.url);
    await guest.page.getByText("Hello, I am Ada.").waitFor();
    assertEquals(await guest.page.getByRole("heading", { level: 1 }).count(), 0);
  });

  await t.step("many sources are folded, until the reader asks for all", async () => {
    script(site, "Six sources.", "Four sources.");
    await say(page, "Six?");
    await endedAnswers(page).getByText("Six sources.").waitFor();
    const source = (number: number) => ({
      ...{ kind: "passage", passageId: `p${number}`, fileId: "f", file_id: "f", page: number, heading: null },
      ...{
        filename: `A file with quite a long name, number ${number}.pdf`,
        source_url: null,
        position: 0,
        quote: "Said.",
        score: 1,
      },
    });
    const sources = [1, 2, 3, 4, 5, 6].map(source);
    const threadId = new URL(page.url()).hash.slice(1);
    await operator.from("messages").update({ sources }).eq("thread_id", threadId).eq("role", "assistant")
      .throwOnError();
    await page.reload();
    const chips = answers(page).locator(".chip:not(.all)");
    await button(answers(page), plural(en.chat.showAllSources, 6)).waitFor();
    assertEquals(await chips.count(), 3);
    // A name is only cut where it would leave the row.
    const file = chips.first().locator(".file").first();
    assertEquals(await file.evaluate((it) => it.scrollWidth > it.clientWidth), false);
    await button(answers(page), plural(en.chat.showAllSources, 6)).click();
    await chips.nth(5).waitFor();
    assertEquals(await button(answers(page), plural(en.chat.showAllSources, 6)).count(), 0);
    await operator.from("messages").update({ sources: sources.slice(2) }).eq("thread_id", threadId)
      .eq("role", "assistant").throwOnError();
    await page.reload();
    await chips.nth(3).waitFor();
    assertEquals(await chips.count(), 4);
  });

  await t.step("only a source that the text names has a number", async () => {
    assertEquals(await answers(page).locator(".chip .number").count(), 0);
  });

  await t.step("the field that edits a question has a whole outline", async () => {
    await questions(page).hover();
    await button(page, en.chat.edit).click();
    const field = page.locator(".editor textarea");
    await field.and(page.locator(":focus")).waitFor();
    assertEquals(await field.evaluate((it) => getComputedStyle(it).outlineStyle), "none");
    assertEquals(await page.locator(".editor .growing").evaluate((it) => getComputedStyle(it).outlineStyle), "solid");
    await button(page, en.shared.cancel).click();
  });

  await t.step("the line that the expert has joined stays where they have", async () => {
    const { expert: { accessToken } } = site;
    const threadId = new URL(page.url()).hash.slice(1);
    const expert = { apiKey: tenant.apiKey, accessToken };
    assertReply(await ask(service, "POST", `/threads/${threadId}/takeover`, expert), 200);
    const joined = page.getByText(fill(en.chat.expertAnswers, { name: "Ada Byron" }));
    await joined.waitFor();
    assertReply(await ask(service, "POST", `/threads/${threadId}/messages`, expert, { content: "It is me." }), 200);
    const message = endedAnswers(page).getByText("It is me.");
    await message.waitFor();
    const top = async (place: typeof joined) => (await place.boundingBox())!.y;
    assert(await top(endedAnswers(page).getByText("Six sources.")) < await top(joined));
    assert(await top(joined) < await top(message));
  });

  await t.step("on a phone, the way to another coach takes one line", async () => {
    await createCoach(tenant.accountId, { name: "Grace Hopper" });
    await using other = await embed(site, "<human-chat {{settings}}></human-chat>");
    await using phone = await visit(other.url, { viewport: { width: 390, height: 844 } });
    await phone.page.getByRole("button", { name: /Ada Byron/ }).click();
    const change = button(phone.page, en.chat.changeCoach);
    const { height, width } = (await change.boundingBox())!;
    assert(height <= 40 && width <= 60, `${width} by ${height}`);
    await change.click();
    await phone.page.getByRole("button", { name: /Grace Hopper/ }).waitFor();
  });
});
