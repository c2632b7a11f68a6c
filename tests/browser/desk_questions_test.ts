import { assertEquals } from "../support/assert.ts";
import { chat } from "../support/client.ts";
import { operator } from "../support/project.ts";
import { startBrowser } from "./browser.ts";
import { keepQuestion, sitDown } from "./desk.ts";
import { openSite } from "./site.ts";

Deno.test("open questions at the desk", async (t) => {
  await using browser = await startBrowser();
  await using site = await openSite();
  const { tenant } = site;
  for (const person of ["ann", "ben", "ben"]) await keepQuestion(site, person, "May I bring my dog?");
  await keepQuestion(site, "ann", "Is there a car park?");
  await using visited = await sitDown(browser, site);
  const { page } = visited;
  const list = page.getByRole("list", { name: "Questions" });
  const card = (question: string) => page.getByRole("article", { name: question });
  const questions = () => list.getByRole("heading").allTextContents();
  const waiting = page.getByRole("link", { name: /^Questions/ });

  await t.step("most asked first, with how often and by how many", async () => {
    await card("Is there a car park?").waitFor();
    assertEquals(await questions(), ["May I bring my dog?", "Is there a car park?"]);
    await card("May I bring my dog?").getByText("asked 3 times by 2 people").waitFor();
    await waiting.getByText("2 waiting").waitFor();
  });

  await t.step("one that opens meanwhile appears by itself, and is counted", async () => {
    await keepQuestion(site, "cat", "Do you travel?");
    await card("Do you travel?").waitFor();
    await waiting.getByText("3 waiting").waitFor();
  });

  await t.step("an answer is written in place, and kept through a reload", async () => {
    await card("May I bring my dog?").getByRole("button", { name: "Answer" }).click();
    await page.getByLabel("Your answer").fill("Yes, **if it sleeps**.");
    assertEquals(
      await page.getByRole("group", { name: "Preview" }).locator("strong").allTextContents(),
      [
        "if it sleeps",
      ],
    );
    await page.reload();
    assertEquals(await page.getByLabel("Your answer").inputValue(), "Yes, **if it sleeps**.");
    await page.getByLabel("Other ways to ask it").fill("Are dogs welcome?\n\n  Can my dog come along?");
    await page.getByRole("button", { name: "Answer", exact: true }).first().dblclick();
    await page.getByRole("status").getByText("Answered.").waitFor();
    await card("May I bring my dog?").waitFor({ state: "detached" });
    const { data } = await operator.from("pinned_answers").select("question, variants, answer, version")
      .eq("coach_id", tenant.coachId).throwOnError();
    assertEquals(data, [{
      question: "May I bring my dog?",
      variants: ["Are dogs welcome?", "Can my dog come along?"],
      answer: "Yes, **if it sleeps**.",
      version: 1,
    }]);
    await waiting.getByText("2 waiting").waitFor();
  });

  await t.step("the next person who asks is given it word for word", async () => {
    const context = { coachId: tenant.coachId, userId: "dan" };
    const { answer } = await chat(site.service, tenant, { message: "can my DOG come along", context });
    assertEquals(answer, "Yes, **if it sleeps**.");
  });

  await t.step("one is dismissed, found among the dismissed, and opened again", async () => {
    await card("Is there a car park?").getByRole("button", { name: "Dismiss" }).dblclick();
    await card("Is there a car park?").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Dismissed" }).click();
    await card("Is there a car park?").getByRole("button", { name: "Reopen" }).click();
    await page.getByText("No dismissed questions").waitFor();
    await page.goBack();
    await card("Is there a car park?").waitFor();
    await page.getByRole("link", { name: "Answered" }).click();
    await card("May I bring my dog?").getByRole("link", { name: "Your answer" }).waitFor();
  });

  await t.step(
    "nothing went wrong on the way, and nobody but the service was asked",
    () => assertEquals([visited.errors, [...visited.origins]], [[], [new URL(site.url).origin]]),
  );
});

Deno.test("more questions than a page", async () => {
  await using browser = await startBrowser();
  await using site = await openSite();
  const numbers = Array.from({ length: 23 }, (_, index) => index);
  for (const number of numbers) await keepQuestion(site, "ann", `What is ${"xyz"[number % 3]}${number}?`);
  await using visited = await sitDown(browser, site);
  const headings = visited.page.getByRole("list", { name: "Questions" }).getByRole("heading");
  await headings.nth(19).waitFor();
  assertEquals(await headings.count(), 20);
  await visited.page.getByRole("button", { name: "Show more" }).click();
  await headings.nth(22).waitFor();
  assertEquals(new Set(await headings.allTextContents()).size, 23);
  assertEquals(await visited.page.getByRole("button", { name: "Show more" }).count(), 0);
});
