import { join } from "node:path";
import { freePort } from "../../supabase/platform/local_address.ts";
import { assertEquals } from "../support/assert.ts";
import { copyProject, npmStart } from "../support/local_stack.ts";
import { sharedBrowser } from "./browser.ts";
import { answers, endedAnswers, say } from "./chat.ts";
import { markedIn, readerOf } from "./reader_window.ts";
import { visit } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";

Deno.test("a first visit to the service of npm start, without reading anything", async (t) => {
  const folder = await copyProject();
  const stack = npmStart(folder, { PORT: String(freePort()), DATA_DIR: join(folder, "data") });
  try {
    await stack.sees(/Ctrl-C stops everything/);
    const [, url = ""] = /^Chat page {4}(\S+)$/.exec(await stack.sees(/^Chat page/)) ?? [];
    await sharedBrowser();
    await using chat = await visit(url);
    const { page, context } = chat;

    await t.step("talks to a persona", async () => {
      await page.getByRole("button", { name: "Mara Lindqvist" }).click();
      await page.getByRole("button", { name: "How do I give feedback that lands?" }).click();
      await endedAnswers(page).getByText("Feedback works when it is about something that was seen").waitFor();
    });

    await t.step("opens a source", async () => {
      await answers(page).getByRole("button", { name: /Feedback that lands\.md/ }).first().click();
      await markedIn(page).waitFor();
      await readerOf(page).getByRole("button", { name: en.shared.download }).waitFor();
      await page.keyboard.press("Escape");
    });

    const question = "May I bring my dog to the workshop?";
    await t.step("asks what no file says: the answer says so, and names no source", async () => {
      await say(page, question);
      const answer = endedAnswers(page).filter({ hasText: "I do not know that" });
      await answer.waitFor();
      assertEquals(await answer.getByRole("button", { name: /\.(md|pdf|docx)/ }).count(), 0);
    });

    await t.step("goes to the desk, signs in with the form as it is, and answers", async () => {
      await page.getByRole("link", { name: en.chat.toDesk }).click();
      await page.getByRole("button", { name: en.shared.signIn }).click();
      await page.getByRole("navigation", { name: en.desk.frame.panels }).getByRole("link", {
        name: startOf(en.desk.frame.questions),
      }).click();
      await page.getByRole("article", { name: question }).getByRole("button", { name: en.desk.questions.answer })
        .click();
      await page.getByRole("textbox", { name: en.desk.parts.yourAnswer }).fill(
        "Yes, if it sleeps through talks. Mine does.",
      );
      await page.locator("form").getByRole("button", { name: en.desk.questions.answer, exact: true }).click();
      await page.getByRole("status").getByText(plural(en.desk.questions.answeredIn, 1)).waitFor();
    });

    await t.step("asks again as somebody else: the persona knows it, in the expert's own words", async () => {
      await using other = await visit(url);
      await other.page.getByRole("button", { name: "Mara Lindqvist" }).click();
      await other.page.getByRole("button", { name: question }).click();
      const answer = endedAnswers(other.page).filter({ hasText: "Yes, if it sleeps through talks. Mine does." });
      await answer.waitFor();
      await answer.getByText(fill(en.chat.ownWords, { name: "Mara Lindqvist" })).first().waitFor();
      assertEquals([other.errors, [...other.origins]], [[], [new URL(url).origin]]);
    });

    await t.step("sets no cookie", async () => assertEquals(await context.cookies(), []));
  } finally {
    stack.signal("SIGINT");
    await stack.ended;
    await Deno.remove(folder, { recursive: true });
  }
});
