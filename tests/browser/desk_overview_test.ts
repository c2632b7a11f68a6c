import { assertEquals } from "../support/assert.ts";
import { addFile } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { sharedBrowser } from "./browser.ts";
import { keepQuestion, sitDown } from "./desk.ts";
import { openSite } from "./site.ts";

/** A time so many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();

Deno.test("the overview says what waits, what is wrong, and what has changed", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant } = site;
  const { threadId } = await keepQuestion(site, "ann", "May I bring my dog?");
  await operator.from("threads").update({ needs_reply_at: new Date().toISOString() }).eq("id", threadId)
    .throwOnError();
  const fileId = await addFile(tenant, "Broken.pdf", { content: "x" });
  await operator.from("knowledge_files").update({ status: "failed", error: "No text" }).eq("id", fileId)
    .throwOnError();
  await using visited = await sitDown(browser, site, { place: "" });
  const { page } = visited;
  const waiting = page.getByRole("list", { name: "Waiting for you" });
  const changed = page.getByRole("region", { name: "Since your last visit" });

  await t.step("it is the first thing the expert sees", async () => {
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await waiting.getByText("1 person is waiting for your reply").waitFor();
    await waiting.getByText("1 open question").waitFor();
    assertEquals(await page.getByText(/token/i).count(), 0);
  });

  await t.step("the tab's title says how many people wait", async () => {
    await page.waitForFunction(() => document.title === "(1) Ada Byron");
  });

  await t.step("a first visit has no last one", async () => assertEquals(await changed.count(), 0));

  await t.step("reloading is not another visit; coming back later is", async () => {
    await page.reload();
    await waiting.waitFor();
    assertEquals(await changed.count(), 0);
    await page.evaluate(([name, seen]) => localStorage.setItem(name!, JSON.stringify({ seen, before: null })), [
      `human-desk visit ${tenant.coachId}`,
      daysAgo(2),
    ]);
    await storeAnswer(tenant, { content: "Yes", status: "complete", user_id: "ben" });
    await page.reload();
    await changed.getByText("1 new question").waitFor();
    await changed.getByText("2 conversations with new messages").waitFor();
    await page.reload();
    await changed.getByText("1 new question").waitFor();
  });

  await t.step("every sentence leads to its place", async () => {
    for (
      const [sentence, hash] of [
        ["1 person is waiting for your reply", "#conversations?waiting=1"],
        ["1 open question", "#questions"],
        ["1 file cannot be read", "#files"],
      ] as const
    ) {
      await page.getByRole("link", { name: sentence }).click();
      await page.waitForFunction((hash) => location.hash === hash, hash);
      await page.getByRole("link", { name: "Overview" }).click();
    }
  });

  await t.step("another question is there without a reload", async () => {
    await waiting.getByText("1 open question").waitFor();
    await keepQuestion(site, "eve", "Do you travel?");
    await waiting.getByText("2 open questions").waitFor();
  });

  await t.step("the week is beside the one before", async () => {
    const week = page.getByRole("region", { name: "The last 7 days" });
    await week.getByText("Did not know").waitFor();
    await week.getByText("0 the week before").first().waitFor();
  });

  await t.step("when nobody waits any more, nothing is urgent", async () => {
    await operator.from("threads").update({ needs_reply_at: null }).eq("id", threadId).throwOnError();
    await operator.from("open_questions").update({ status: "dismissed" }).eq("coach_id", tenant.coachId)
      .throwOnError();
    await page.reload();
    await page.getByText("Nothing is waiting for you.").waitFor();
    await page.waitForFunction(() => document.title === "Ada Byron");
    assertEquals(visited.errors, []);
  });
});

Deno.test("a new persona has first steps, until people talk to it", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant } = site;
  await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
  await using visited = await sitDown(browser, site, { place: "" });
  const { page } = visited;
  const steps = page.getByRole("region", { name: "First steps" });
  const step = (name: string) => steps.getByRole("listitem").filter({ hasText: name });

  await t.step("none is done yet, and the persona is marked as not public", async () => {
    await steps.getByText("0 of 6 done").waitFor();
    await page.getByRole("banner").getByText("not public").waitFor();
    assertEquals(await steps.getByText("Done", { exact: true }).count(), 0);
  });

  await t.step("a tried question and a file are ticked off", async () => {
    await addFile(tenant, "Dogs.md", { content: "Dogs are welcome." });
    await step("Try a question").getByRole("link").click();
    await page.getByRole("textbox", { name: "Question" }).fill("May I bring my dog?");
    await page.getByRole("button", { name: "Try" }).click();
    await page.getByText("Passages that the model would see").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await steps.getByText("2 of 6 done").waitFor();
    for (const name of ["Try a question", "Add what it should know"]) await step(name).getByText("Done").waitFor();
  });

  await t.step("after the first conversation they are gone", async () => {
    await operator.from("coach_profiles").update({ is_active: true }).eq("id", tenant.coachId).throwOnError();
    await page.reload();
    await steps.getByText("4 of 6 done").waitFor();
    await steps.getByRole("link", { name: "Have the first conversation" }).waitFor();
    await storeAnswer(tenant, { content: "Yes", status: "complete", user_id: "ann" });
    await page.reload();
    await page.getByRole("region", { name: "The last 7 days" }).waitFor();
    await steps.waitFor({ state: "detached" });
    assertEquals(visited.errors, []);
  });
});
