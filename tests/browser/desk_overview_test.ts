import { assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { runTests } from "../support/persona_tests.ts";
import { operator } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { keepQuestion, sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural } from "./texts.ts";

/** A time so many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();

Deno.test("the overview says what waits, what is wrong, and what has changed", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const { threadId } = await keepQuestion(site, "ann", "May I bring my dog?");
  await operator.from("threads").update({ needs_reply_at: new Date().toISOString() }).eq("id", threadId)
    .throwOnError();
  const fileId = await addFile(tenant, "Broken.pdf", { content: "x" });
  await operator.from("knowledge_files").update({ status: "failed", error: "No text" }).eq("id", fileId)
    .throwOnError();
  await using visited = await sitDown(site, { place: "" });
  const { page } = visited;
  const waiting = page.getByRole("list", { name: en.desk.overview.next });
  const changed = page.getByRole("region", { name: en.desk.overview.changed });

  await t.step("it is the first thing the expert sees", async () => {
    await page.getByRole("heading", { name: en.desk.overview.title }).waitFor();
    await page.getByRole("region", { name: en.desk.overview.waitInPerson }).getByRole("link").waitFor();
    await waiting.getByText(plural(en.desk.overview.openQuestions, 1)).waitFor();
    assertEquals(await waiting.getByText(plural(en.desk.overview.waitingPeople, 1)).count(), 0, "they are shown once");
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
    await changed.getByText(plural(en.desk.overview.questions, 1)).waitFor();
    await changed.getByText(plural(en.desk.overview.conversations, 2)).waitFor();
    await page.reload();
    await changed.getByText(plural(en.desk.overview.questions, 1)).waitFor();
  });

  await t.step("every sentence leads to its place", async () => {
    for (
      const [sentence, hash] of [
        [plural(en.desk.overview.openQuestions, 1), "#questions"],
        [plural(en.desk.overview.filesFailed, 1), "#files"],
      ] as const
    ) {
      await page.getByRole("link", { name: sentence }).click();
      await page.waitForFunction((hash) => location.hash === hash, hash);
      await page.getByRole("link", { name: en.desk.frame.overview }).click();
    }
  });

  await t.step("three things to do at most, those first for which a person waits", async () => {
    const ofExpert = { ...tenant, accessToken: site.expert.accessToken };
    const client = clientOf(site.service, ofExpert);
    await client.createTest(tenant.coachId, { question: "Dogs?", expect: { contains: ["never said"] } });
    const { failed } = await runTests(site.service, ofExpert);
    const more = await Promise.all(
      [1, 2, 3, 4, 5].map(() => storeAnswer(tenant, { content: "Hm", status: "complete" })),
    );
    await operator.from("threads").update({ needs_reply_at: new Date().toISOString() })
      .in("id", more.map(({ threadId }) => threadId)).throwOnError();
    await page.reload();
    const sentences = [
      plural(en.desk.overview.waitingPeople, 6),
      plural(en.desk.overview.openQuestions, 1),
      plural(en.desk.overview.filesFailed, 1),
    ];
    await waiting.getByText(sentences[2]!).waitFor();
    const shown = await waiting.getByRole("listitem").allInnerTexts();
    assertEquals([failed, shown.map((text) => text.trim())], [1, sentences]);
    const people = page.getByRole("region", { name: en.desk.overview.waitInPerson }).getByRole("listitem");
    assertEquals(await people.count(), 0, "they are one of the three");
    await operator.from("threads").update({ needs_reply_at: null })
      .in("id", more.slice(1).map(({ threadId }) => threadId)).throwOnError();
    await page.reload();
    await people.nth(1).waitFor();
    await waiting.getByText(sentences[1]!).waitFor();
    assertEquals([await people.count(), await waiting.getByRole("listitem").count()], [2, 1]);
  });

  await t.step("another question is there without a reload", async () => {
    await waiting.getByText(plural(en.desk.overview.openQuestions, 1)).waitFor();
    await keepQuestion(site, "eve", "Do you travel?");
    await waiting.getByText(plural(en.desk.overview.openQuestions, 2)).waitFor();
  });

  await t.step("the week is beside the one before", async () => {
    const week = page.getByRole("region", { name: en.desk.overview.week });
    await week.getByText(en.desk.overview.weekNotKnown).waitFor();
    await week.getByText(fill(en.desk.overview.weekBefore, { number: 0 })).first().waitFor();
  });

  await t.step("when nobody waits any more, nothing is urgent", async () => {
    await operator.from("threads").update({ needs_reply_at: null }).eq("coach_id", tenant.coachId)
      .throwOnError();
    await operator.from("open_questions").update({ status: "dismissed" }).eq("coach_id", tenant.coachId)
      .throwOnError();
    await page.reload();
    await waiting.getByText(plural(en.desk.overview.filesFailed, 1)).waitFor();
    await waiting.getByText(plural(en.desk.overview.testsFailing, 1)).waitFor();
    assertEquals(await waiting.getByRole("listitem").count(), 2);
    await page.waitForFunction(() => document.title === "Ada Byron");
  });

  await t.step("whoever waits is named as in the list of conversations", async () => {
    const { visitor } = site;
    site.service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
    const signedIn = { ...tenant, accessToken: visitor.accessToken };
    const asked = await chat(site.service, signedIn, {
      message: "Is it you?",
      context: { coachId: tenant.coachId },
    });
    await operator.from("threads").update({ needs_reply_at: new Date().toISOString() }).eq("id", asked.threadId)
      .throwOnError();
    await page.reload();
    await page.getByRole("region", { name: en.desk.overview.waitInPerson }).getByText(visitor.email).waitFor();
    assertEquals(visited.errors, []);
  });
});

Deno.test("a new persona has first steps, until people talk to it", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  await operator.from("coach_profiles").update({ is_active: false, slug: null }).eq("id", tenant.coachId)
    .throwOnError();
  await using visited = await sitDown(site, { place: "" });
  const { page } = visited;
  const steps = page.getByRole("region", { name: en.desk.overview.steps });
  const step = (name: string) => steps.getByRole("listitem").filter({ hasText: name });

  await t.step("none is done yet, and the persona is marked as not public", async () => {
    await steps.getByText(fill(en.desk.overview.stepsDone, { done: 0, all: 6 })).waitFor();
    await page.getByRole("banner").getByText(en.desk.team.notPublished).waitFor();
    assertEquals(await steps.getByText(en.desk.overview.stepDone, { exact: true }).count(), 0);
  });

  await t.step("a tried question and a file are ticked off", async () => {
    await addFile(tenant, "Dogs.md", { content: "Dogs are welcome." });
    await step(en.desk.overview.stepTry).getByRole("link").click();
    await page.getByPlaceholder(en.desk.try.example).fill("May I bring my dog?");
    await page.getByRole("button", { name: en.desk.try.send }).click();
    await page.getByText(en.desk.try.lookedUp).waitFor();
    await page.getByRole("link", { name: en.desk.frame.overview }).click();
    await steps.getByText(fill(en.desk.overview.stepsDone, { done: 2, all: 6 })).waitFor();
    for (const name of [en.desk.overview.stepTry, en.desk.overview.stepFiles]) {
      await step(name).getByText(en.desk.overview.stepDone).waitFor();
    }
  });

  await t.step("after the first conversation they are gone", async () => {
    await operator.from("coach_profiles").update({ is_active: true }).eq("id", tenant.coachId).throwOnError();
    await page.reload();
    await steps.getByText(fill(en.desk.overview.stepsDone, { done: 4, all: 6 })).waitFor();
    await steps.getByRole("link", { name: en.desk.overview.stepConversation }).waitFor();
    await storeAnswer(tenant, { content: "Yes", status: "complete", user_id: "ann" });
    await page.reload();
    await page.getByRole("region", { name: en.desk.overview.week }).waitFor();
    await steps.waitFor({ state: "detached" });
    assertEquals(visited.errors, []);
  });
});
