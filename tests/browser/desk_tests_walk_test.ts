/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import { createOfflineModel } from "../../supabase/platform/offline_model.ts";
import { assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { createUser } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf, whole } from "./texts.ts";

/** A file about feedback; `age` is how old it may be. */
const feedback = (age: string) => ({
  name: "Feedback.md",
  mimeType: "",
  buffer: Buffer.from(`# Feedback\n\nFeedback may be ${age} old. After that, let it go.\n`),
});

Deno.test("from a wrong answer to a saved test, a run that fails, a mended file, and a run that passes", async (t) => {
  // It quotes the files, so that the answer changes with them.
  await using model = serve(createOfflineModel());
  await using site = await openSite({}, undefined, { env: { OPENAI_BASE_URL: `${model.url}/v1` } });
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const person = { ...tenant, accessToken: (await createUser()).accessToken };
  await using visited = await sitDown(site, { place: "#files" });
  const { page } = visited;
  const upload = async (age: string) => {
    await page.locator("input[type=file]").setInputFiles([feedback(age)]);
    const added = page.getByRole("article", { name: "Feedback.md" });
    await added.waitFor();
    await finishIndexing(service, tenant.coachId);
    await added.getByText(en.desk.files.readyTag).waitFor();
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
    await page.getByRole("button", { name: en.desk.tests.saveAsTest }).click();
    assertEquals(
      await page.getByRole("textbox", { name: en.desk.parts.question, exact: true }).inputValue(),
      "How old may feedback be?",
    );
    const reference = page.getByRole("textbox", { name: startOf(en.desk.tests.reference) });
    assertEquals((await reference.inputValue()).includes("Feedback may be a week old."), true);
    await reference.fill("");
    await page.getByText(en.desk.tests.moreHint).click();
    await page.getByRole("textbox", { name: `${en.desk.tests.contains} ${en.desk.tests.textPerLine}` }).fill("a day");
    await page.getByLabel(en.desk.tests.outcome).selectOption(en.desk.tests.outcomeAnswered);
    const files = page.getByRole("group", { name: en.desk.tests.filesAll }).getByRole("combobox");
    await files.fill("Feedback.md");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: en.desk.tests.save }).dblclick();
    await page.getByRole("status").getByText(en.desk.tests.savedHere).waitFor();
    const { data } = await expert.listTests(tenant.coachId);
    assertEquals(data.map(({ question, expect }) => [question, expect]), [
      ["How old may feedback be?", { outcome: "answered", icontains: ["a day"], sources: { all: ["Feedback.md"] } }],
    ]);
  });

  await t.step("the run fails, says why, and shows the answer", async () => {
    await page.getByRole("link", { name: en.desk.frame.tests }).click();
    await page.getByRole("list", { name: en.desk.tests.title }).getByText(
      fill(en.desk.tests.expectsContains, { text: "a day" }),
    ).waitFor();
    await page.getByRole("button", { name: en.desk.tests.runAll }).dblclick();
    await page.getByRole("status").getByText(
      plural(en.desk.tests.sum, 1, {
        results: `${plural(en.desk.tests.passed, 0)}, ${plural(en.desk.tests.failed, 1)}`,
      }),
    )
      .waitFor();
    const failed = page.getByRole("list", { name: en.desk.tests.failedTitle });
    await failed.getByText("How old may feedback be?").click();
    await failed.locator("summary").getByText(/a day/).waitFor();
    await failed.getByRole("region", { name: en.desk.tests.answer }).getByText("Feedback may be a week old.").waitFor();
    assertEquals((await expert.listTestRuns(tenant.coachId)).data.map(({ failed }) => failed), [1]);
  });

  await t.step("the file is mended", async () => {
    await page.getByRole("link", { name: en.desk.frame.files }).click();
    await page.getByRole("button", { name: en.desk.parts.delete }).click();
    await page.getByRole("group", { name: en.desk.files.deleteFile }).getByRole("button", {
      name: en.desk.parts.delete,
    }).click();
    await page.getByText(en.desk.files.empty).waitFor();
    await upload("a day");
  });

  await t.step("the run passes, with both answers side by side", async () => {
    await page.getByRole("link", { name: en.desk.frame.tests }).click();
    await page.getByRole("list", { name: en.desk.tests.title }).getByText(en.desk.tests.verdictFailed).waitFor();
    await page.getByRole("button", { name: en.desk.tests.runAll }).click();
    await page.getByRole("status").getByText(plural(en.desk.tests.sum, 1, { results: plural(en.desk.tests.passed, 1) }))
      .waitFor();
    const passing = page.getByRole("list", { name: en.desk.tests.newlyPassing });
    await passing.getByText("How old may feedback be?").click();
    const [now, before] = [
      page.getByRole("region", { name: en.desk.tests.now }),
      page.getByRole("region", { name: whole(en.desk.tests.before) }),
    ];
    await now.getByText("Feedback may be a day old.").waitFor();
    await before.getByText("Feedback may be a week old.").waitFor();
    for (const answer of [now, before]) {
      await answer.getByRole("list", { name: en.desk.tests.sources }).getByText("Feedback.md").waitFor();
    }
    const [left, right] = [await now.boundingBox(), await before.boundingBox()];
    assertEquals([left!.y === right!.y, left!.x < right!.x], [true, true]);
  });

  await t.step("both runs are kept; no run has left a conversation or a question", async () => {
    await page.getByRole("link", { name: en.desk.tests.runs }).click();
    await page.getByRole("list", { name: en.desk.tests.runs }).getByText(plural(en.desk.tests.passed, 1)).waitFor();
    await page.getByRole("list", { name: en.desk.tests.runs }).getByText(plural(en.desk.tests.failed, 1)).waitFor();
    assertEquals((await expert.listConversations(tenant.coachId)).count, 1);
    assertEquals((await expert.listQuestions(tenant.coachId)).count, 0);
  });

  await t.step("people are given the new answer, too", async () => {
    const { answer } = await ask("How old may feedback be?");
    assertEquals(answer.includes("Feedback may be a day old."), true, answer);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});
