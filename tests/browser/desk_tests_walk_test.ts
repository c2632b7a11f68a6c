/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import { createOfflineModel } from "../../supabase/commands/local/offline_model.ts";
import { assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { createUser } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { sharedBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";

/** A file about feedback; `age` is how old it may be. */
const feedback = (age: string) => ({
  name: "Feedback.md",
  mimeType: "",
  buffer: Buffer.from(`# Feedback\n\nFeedback may be ${age} old. After that, let it go.\n`),
});

Deno.test("from a wrong answer to a saved test, a run that fails, a mended file, and a run that passes", async (t) => {
  const browser = await sharedBrowser();
  // It quotes the files, so that the answer changes with them.
  await using model = serve(createOfflineModel());
  await using site = await openSite({}, undefined, { env: { OPENAI_BASE_URL: `${model.url}/v1` } });
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const person = { ...tenant, accessToken: (await createUser()).accessToken };
  await using visited = await sitDown(browser, site, { place: "#files" });
  const { page } = visited;
  const upload = async (age: string) => {
    await page.locator("input[type=file]").setInputFiles([feedback(age)]);
    const added = page.getByRole("article", { name: "Feedback.md" });
    await added.waitFor();
    await finishIndexing(service, tenant.coachId);
    await added.getByText("ready").waitFor();
  };
  const ask = async (message: string) => await chat(service, person, { message, context: { coachId: tenant.coachId } });

  await t.step("a file is out of date, and a person is given what it says", async () => {
    await upload("a week");
    const { answer, threadId } = await ask("How old may feedback be?");
    assertEquals(answer.includes("Feedback may be a week old."), true, answer);
    await page.goto(`${site.url}desk/#conversations/${threadId}`);
    await page.getByRole("log").getByRole("paragraph").filter({ hasText: "Feedback may be a week old." }).waitFor();
  });

  await t.step("the expert saves the answer as a test of what it should have said", async () => {
    await page.getByRole("button", { name: "Save as test" }).click();
    assertEquals(
      await page.getByRole("textbox", { name: "Question", exact: true }).inputValue(),
      "How old may feedback be?",
    );
    await page.getByRole("group", { name: "Draws on all of these files" }).getByText("Feedback.md").waitFor();
    await page.getByRole("textbox", { name: "Contains one text" }).fill("a day");
    await page.getByRole("button", { name: "Save test" }).dblclick();
    await page.getByRole("status").getByText("Saved. You can run it under Tests.").waitFor();
    const { data } = await expert.listTests(tenant.coachId);
    assertEquals(data.map(({ question, expect }) => [question, expect]), [
      ["How old may feedback be?", { outcome: "answered", icontains: ["a day"], sources: { all: ["Feedback.md"] } }],
    ]);
  });

  await t.step("the run fails, says why, and shows the answer", async () => {
    await page.getByRole("link", { name: "Tests" }).click();
    await page.getByRole("list", { name: "Tests" }).getByText("contains “a day”").waitFor();
    await page.getByRole("button", { name: "Run all tests" }).dblclick();
    await page.getByRole("status").getByText("1 test: 0 passed, 1 failed.").waitFor();
    const failed = page.getByRole("list", { name: "Failed" });
    await failed.getByText("How old may feedback be?").click();
    await failed.getByRole("list", { name: "Reasons" }).getByText(/a day/).waitFor();
    await failed.getByRole("region", { name: "The answer" }).getByText("Feedback may be a week old.").waitFor();
    assertEquals((await expert.listTestRuns(tenant.coachId)).data.map(({ failed }) => failed), [1]);
  });

  await t.step("the file is mended", async () => {
    await page.getByRole("link", { name: "Files" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("group", { name: /Delete this file/ }).getByRole("button", { name: "Delete" }).click();
    await page.getByText("The persona has no files yet").waitFor();
    await upload("a day");
  });

  await t.step("the run passes, with both answers side by side", async () => {
    await page.getByRole("link", { name: "Tests" }).click();
    await page.getByRole("list", { name: "Tests" }).getByText("failed").waitFor();
    await page.getByRole("button", { name: "Run all tests" }).click();
    await page.getByRole("status").getByText("1 test: 1 passed.").waitFor();
    const passing = page.getByRole("list", { name: "Newly passing" });
    await passing.getByText("How old may feedback be?").click();
    const [now, before] = [page.getByRole("region", { name: "Now" }), page.getByRole("region", { name: /^Before/ })];
    await now.getByText("Feedback may be a day old.").waitFor();
    await before.getByText("Feedback may be a week old.").waitFor();
    for (const answer of [now, before]) {
      await answer.getByRole("list", { name: "Sources" }).getByText("Feedback.md").waitFor();
    }
    const [left, right] = [await now.boundingBox(), await before.boundingBox()];
    assertEquals([left!.y === right!.y, left!.x < right!.x], [true, true]);
  });

  await t.step("both runs are kept; no run has left a conversation or a question", async () => {
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("list", { name: "Runs" }).getByText("1 passed").waitFor();
    await page.getByRole("list", { name: "Runs" }).getByText("1 failed").waitFor();
    assertEquals((await expert.listConversations(tenant.coachId)).count, 1);
    assertEquals((await expert.listQuestions(tenant.coachId)).count, 0);
  });

  await t.step("people are given the new answer, too", async () => {
    const { answer } = await ask("How old may feedback be?");
    assertEquals(answer.includes("Feedback may be a day old."), true, answer);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});
