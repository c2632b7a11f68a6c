import { assertEquals, assertMatch } from "../support/assert.ts";
import { setBudget } from "../support/budgets.ts";
import { chat, clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import type { ModelScript } from "../support/model_server.ts";
import { runTests } from "../support/persona_tests.ts";
import { createUser, operator } from "../support/project.ts";
import { onceARun } from "../support/slow.ts";
import { goTo, keepQuestion, sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite, type Site } from "./site.ts";
import { en, fill, part, plural, startOf, whole } from "./texts.ts";

const passed = (count: number) => plural(en.desk.tests.passed, count);
const failed = (count: number) => plural(en.desk.tests.failed, count);

/** The sentence about a run of so many tests. */
const sumOf = (count: number, ...results: string[]) =>
  plural(en.desk.tests.sum, count, { results: results.join(", ") });

/** The model says this. */
const says = (text: string): ModelScript => ({ steps: [{ text }] });

const clientOfExpert = ({ service, tenant, expert }: Site) =>
  clientOf(service, { ...tenant, accessToken: expert.accessToken });

Deno.test("tests are written at the desk", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const expert = clientOfExpert(site);
  await addFile(tenant, "Sleep.pdf", { content: "A cold bedroom helps you sleep.", page: 3 });
  await addFile(tenant, "Owls.md", "Owls sleep by day.");
  const stored = async () => (await expert.listTests(tenant.coachId)).data;
  await using visited = await sitDown(site, { place: "#tests" });
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.tests.title });
  const card = (question: string) => list.getByRole("article", { name: question });
  const question = page.getByRole("textbox", { name: en.desk.parts.question, exact: true });
  const save = page.getByRole("button", { name: en.desk.tests.save });

  await t.step("none yet: it says what they are for", async () => {
    await page.getByText(en.desk.tests.empty).waitFor();
    assertEquals(await page.getByRole("button", { name: en.desk.tests.runAll }).count(), 0);
  });

  await t.step("one that checks nothing is not saved", async () => {
    await page.getByRole("link", { name: en.desk.tests.new }).click();
    await save.click();
    await page.getByRole("alert").getByText(en.desk.tests.questionMissing).waitFor();
    await question.fill("How do I sleep well?");
    await save.click();
    await page.getByRole("alert").getByText(en.desk.tests.goodMissing).waitFor();
    assertEquals(await stored(), []);
  });

  await t.step("what was typed survives a reload; files are offered, and others can be typed", async () => {
    await page.getByText(en.desk.tests.moreHint).click();
    await page.getByText(en.desk.tests.said).click();
    await page.getByRole("button", { name: en.desk.tests.addMessage }).click();
    await page.getByRole("textbox", { name: en.desk.tests.words, exact: true }).fill("I wake up at night.");
    await page.reload();
    assertEquals(await question.inputValue(), "How do I sleep well?");
    await page.getByText(en.desk.tests.moreHint).click();
    assertEquals(
      await page.getByRole("textbox", { name: en.desk.tests.words, exact: true }).inputValue(),
      "I wake up at night.",
    );
    const files = page.getByRole("group", { name: en.desk.tests.filesAll });
    await files.getByRole("combobox").focus();
    await files.locator("option").first().waitFor({ state: "attached" });
    assertEquals(
      (await files.locator("option").evaluateAll((all) => all.map((option) => option.getAttribute("value"))))
        .toSorted(),
      ["Owls.md", "Sleep.pdf"],
    );
    await files.getByRole("combobox").fill("Sleep.pdf");
    await page.keyboard.press("Enter");
    await files.getByRole("combobox").fill("Later.md");
    await files.getByRole("button", { name: en.desk.tests.add }).click();
    await files.getByRole("button", { name: fill(en.desk.tests.removeFile, { name: "Later.md" }) }).click();
    await page.getByLabel(startOf(`${en.desk.tests.contains} ${en.desk.tests.textPerLine}`)).fill("Cold\n\n  dark ");
    await page.getByLabel(startOf(en.desk.tests.notContains)).fill("pills");
    await page.getByLabel(en.desk.tests.outcome).selectOption(en.desk.tests.outcomeAnswered);
    await page.getByLabel(startOf(en.desk.tests.judge)).fill("Advises a cold room");
    await page.getByLabel(startOf(en.desk.tests.reference)).fill("In a cold, dark room. ");
    await save.dblclick();
    await card("How do I sleep well?").waitFor();
    const [{ question: asked, reference, history, expect, thread_id }, ...others] = await stored() as [
      Awaited<ReturnType<typeof stored>>[number],
    ];
    assertEquals(others, []);
    assertEquals([asked, reference, history, thread_id], [
      "How do I sleep well?",
      "In a cold, dark room.",
      [{ role: "user", content: "I wake up at night." }],
      null,
    ]);
    assertEquals(expect, {
      outcome: "answered",
      icontains: ["Cold", "dark"],
      not_contains: ["pills"],
      sources: { all: ["Sleep.pdf"] },
      rubric: "Advises a cold room",
    });
  });

  await t.step("the list says what it expects", async () => {
    const says = en.desk.tests;
    const facts = [
      plural(says.after, 1),
      fill(says.says, { text: "In a cold, dark room." }),
      says.expectsAnswer,
      plural(says.expectsContainsSome, 2),
      fill(says.expectsNotContains, { text: "pills" }),
      fill(says.expectsFile, { text: "Sleep.pdf" }),
      fill(says.forJudge, { text: "Advises a cold room" }),
    ];
    await card("How do I sleep well?").getByText(facts.join(" · "), { exact: true }).waitFor();
  });

  await t.step("it is changed, and what the form does not touch stays as it was imported", async () => {
    const imported = { contains: [" Cold\nroom "], contains_any: ["a", "b"], icontains: [" x "] };
    await expert.createTest(tenant.coachId, { question: "Imported?", expect: imported });
    await page.reload();
    await card("Imported?").getByRole("button", { name: en.desk.parts.edit }).click();
    await page.getByLabel(startOf(en.desk.tests.notContains)).fill("never");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByText(en.desk.parts.saved).waitFor();
    await card("Imported?").getByText(fill(en.desk.tests.expectsNotContains, { text: "never" })).waitFor();
    assertEquals((await stored()).find(({ question }) => question === "Imported?")!.expect, {
      ...imported,
      not_contains: ["never"],
    });
  });

  await t.step("it is found, and deleted only by who means it", async () => {
    await page.getByRole("searchbox").fill("imported");
    await page.keyboard.press("Enter");
    await card("How do I sleep well?").waitFor({ state: "detached" });
    await card("Imported?").getByRole("button", { name: en.desk.parts.delete }).click();
    await page.keyboard.press("Enter");
    assertEquals((await stored()).length, 2);
    await card("Imported?").getByRole("button", { name: en.desk.parts.delete }).click();
    await page.getByRole("group", { name: en.desk.tests.deleteTest }).getByRole("button", {
      name: en.desk.parts.delete,
    }).click();
    await page.getByText(en.desk.tests.noneFound).waitFor();
    assertEquals((await stored()).length, 1);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("tests are run at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOfExpert(site);
  for (
    const [question, expect] of [
      ["Passes?", { icontains: ["yes"] }],
      ["Changes?", { icontains: ["yes"] }],
      ["Fails?", { icontains: ["never said"] }],
    ] as const
  ) {
    await expert.createTest(tenant.coachId, { question, expect: { icontains: [...expect.icontains] } });
  }
  service.model.script(tenant.modelName, says("Yes, **really**."));
  await using visited = await sitDown(site, { place: "#tests" });
  const { page } = visited;
  const groups = () => page.getByRole("heading", { level: 3 }).allTextContents();
  const asked = () => service.model.requestsOf(tenant.modelName).length;
  const outcome = (sentence: string | RegExp) => page.getByRole("status").getByText(sentence).waitFor();

  await t.step("all of them, once, however often the button is pressed", async () => {
    await page.getByRole("button", { name: en.desk.tests.runAll }).dblclick();
    await outcome(sumOf(3, passed(2), failed(1)));
    assertEquals([await groups(), asked()], [[`${en.desk.tests.failedTitle} 1`, `${en.desk.tests.passedTitle} 2`], 3]);
  });

  await t.step("chosen ones alone", async () => {
    await page.goto(`${site.url}desk/#tests`);
    await page.getByRole("checkbox", { name: "Fails?" }).check();
    await page.getByRole("checkbox", { name: "Passes?" }).check();
    await page.getByRole("checkbox", { name: "Passes?" }).uncheck();
    await page.getByRole("button", { name: plural(en.desk.tests.run, 1) }).click();
    await outcome(sumOf(1, passed(0), failed(1)));
    assertEquals(asked(), 4);
  });

  await t.step("what newly fails is on top and open, with both answers", async () => {
    service.model.script(tenant.modelName, says("No, **never**."));
    await page.goto(`${site.url}desk/#tests`);
    await page.getByRole("checkbox", { name: "Changes?" }).check();
    await page.getByRole("checkbox", { name: "Fails?" }).check();
    await page.getByRole("button", { name: plural(en.desk.tests.run, 2) }).click();
    await outcome(sumOf(2, passed(0), plural(en.desk.tests.failedNewly, 2, { newly: 1 })));
    assertEquals(await groups(), [`${en.desk.tests.newlyFailing} 1`, `${en.desk.tests.failedTitle} 1`]);
    await page.getByRole("region", { name: en.desk.tests.now }).locator("strong").getByText("never").waitFor();
    await page.getByRole("region", { name: fill(en.desk.tests.before, { verdict: en.desk.tests.verdictPassed }) })
      .locator("strong")
      .getByText("really").waitFor();
    await page.locator("summary").getByText(/does not contain "yes"/).waitFor();
  });

  await t.step("those that did not pass are run again, and newly pass", async () => {
    service.model.script(tenant.modelName, says("Yes again."));
    await page.getByRole("button", { name: en.desk.tests.runAgain }).click();
    await outcome(sumOf(2, passed(1), failed(1)));
    assertEquals(await groups(), [`${en.desk.tests.newlyPassing} 1`, `${en.desk.tests.failedTitle} 1`]);
    await page.getByRole("button", { name: en.desk.tests.onlyOthers }).click();
    await outcome(sumOf(1, passed(0), failed(1)));
  });

  await t.step("a run shows how far it is, and is stopped", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, says("Yes."), { steps: [{ waitFor: promise }, { text: "Yes." }] });
    await page.goto(`${site.url}desk/#tests`);
    await page.getByRole("button", { name: en.desk.tests.runAll }).click();
    await page.getByText(fill(en.desk.tests.progressOf, { done: 1, total: 3 })).waitFor();
    assertEquals(await page.getByRole("progressbar", { name: en.desk.tests.progress }).getAttribute("value"), "1");
    await page.getByRole("button", { name: en.desk.tests.stop }).dblclick();
    // Tests are asked side by side: the one that had its answer may be the one that fails.
    await outcome(
      whole(plural(en.desk.tests.sumStopped, 3), { results: new RegExp(`(${passed(1)}|${passed(0)}, ${failed(1)})`) }),
    );
    resolve();
    await service.turns();
    const { data } = await expert.listTestRuns(tenant.coachId);
    assertEquals([data[0]!.status, data[0]!.done], ["stopped", 1]);
  });

  await t.step("a model that refuses fails no test, and the result says so", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 401 }] });
    await page.goto(`${site.url}desk/#tests`);
    await page.getByRole("checkbox", { name: "Passes?" }).check();
    await page.getByRole("button", { name: plural(en.desk.tests.run, 1) }).click();
    await outcome(sumOf(1, passed(0), plural(en.desk.tests.notJudged, 1)));
    const list = page.getByRole("list", { name: en.desk.tests.notJudgedTitle });
    await list.getByText("Passes?").click();
    await list.getByText(en.desk.tests.noAnswer).waitFor();
    assertEquals(await list.locator("summary bdi").count(), 1);
  });

  await t.step("while a model is down, the run says that it waits", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 500 }] });
    await page.getByRole("button", { name: en.desk.tests.runAgain }).click();
    await outcome(en.desk.tests.waitsModel);
    await page.getByRole("button", { name: en.desk.tests.stop }).click();
    await outcome(plural(en.desk.tests.sumStopped, 1, { results: passed(0) }));
  });

  await t.step("all runs are listed, newest first", async () => {
    await page.getByRole("link", { name: en.desk.tests.runs }).click();
    const runs = page.getByRole("list", { name: en.desk.tests.runs }).getByRole("listitem");
    await runs.nth(7).waitFor();
    assertMatch(await runs.nth(0).innerText(), part(en.desk.tests.stateStopped));
    assertMatch(await runs.nth(1).innerText(), part(plural(en.desk.tests.notJudged, 1)));
    await runs.last().getByRole("link").click();
    await outcome(sumOf(3, passed(2), failed(1)));
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("answers become tests at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOfExpert(site);
  const newest = async () => (await expert.listTests(tenant.coachId)).data[0];
  await using visited = await sitDown(site);
  const { page } = visited;
  const saved = page.getByRole("status").getByText(en.desk.tests.savedHere);
  const save = async () => {
    // The notice of the save before may still be there.
    const stored = page.waitForResponse((response) =>
      response.request().method() === "POST" && new URL(response.url()).pathname.endsWith("/tests")
    );
    await page.getByRole("button", { name: en.desk.tests.save }).click();
    await stored;
    await saved.waitFor();
    await page.getByRole("button", { name: en.desk.tests.save }).waitFor({ state: "detached" });
  };

  await t.step("an answer, with what was said before it; it goes with its conversation", async () => {
    const person = { ...tenant, accessToken: (await createUser()).accessToken };
    service.model.script(tenant.modelName, says("Soon."), says("Never in writing."));
    const { threadId } = await chat(service, person, {
      message: "When do I give feedback?",
      context: { coachId: tenant.coachId },
    });
    await chat(service, person, { message: "And in writing?", thread_id: threadId });
    await page.goto(`${site.url}desk/#conversations/${threadId}`);
    const answer = page.getByRole("article", { name: en.desk.conversations.authorAi }).last();
    await answer.getByRole("button", { name: en.desk.tests.saveAsTest }).click();
    await page.getByText(en.desk.tests.moreHint).click();
    await page.getByText(fill(en.desk.tests.saidCount, { count: 2 })).waitFor();
    await page.getByLabel(startOf(en.desk.tests.notContains)).fill("never ever");
    await page.reload();
    const goes = page.getByRole("checkbox", { name: startOf(en.desk.tests.deleteWith) });
    const no = page.getByLabel(startOf(en.desk.tests.notContains));
    assertEquals([await no.inputValue(), await goes.isChecked()], ["never ever", true]);
    await save();
    const test = await newest();
    assertEquals([test!.question, test!.reference, test!.history, test!.expect, test!.thread_id], [
      "And in writing?",
      "Never in writing.",
      [
        { role: "user", content: "When do I give feedback?" },
        { role: "assistant", content: "Soon." },
      ],
      { not_contains: ["never ever"] },
      threadId,
    ]);
    await answer.getByRole("button", { name: en.desk.tests.saveAsTest }).click();
    await goes.uncheck();
    await page.getByRole("textbox", { name: en.desk.parts.question, exact: true }).fill(
      "Is feedback given in writing?",
    );
    await save();
    assertEquals([(await newest())!.question, (await newest())!.thread_id], ["Is feedback given in writing?", null]);
    await clientOf(service, person).deleteThread(threadId);
    const { data } = await expert.listTests(tenant.coachId);
    assertEquals(data.map(({ question }) => question), ["Is feedback given in writing?"]);
  });

  await t.step("an answered question, with the expert's words", async () => {
    await keepQuestion(site, "ann", "May I bring my dog?");
    const { data: [question] } = await expert.listQuestions(tenant.coachId);
    await expert.answerQuestion(tenant.coachId, question!.id, { answer: "Yes, if it sleeps." });
    await page.goto(`${site.url}desk/#questions/answered`);
    const card = page.getByRole("article", { name: "May I bring my dog?" });
    await card.getByRole("button", { name: en.desk.tests.saveAsTest }).click();
    await page.getByRole("button", { name: en.shared.cancel }).click();
    await card.getByRole("button", { name: en.desk.tests.saveAsTest }).click();
    await save();
    const { question: asked, reference, expect } = (await newest())!;
    assertEquals([asked, reference, expect], ["May I bring my dog?", "Yes, if it sleeps.", {}]);
  });

  await t.step("a pinned answer, which the run is given word for word, without the model", async () => {
    const { id } = await expert.createPinnedAnswer(tenant.coachId, { question: "What does it cost?", answer: "Ten." });
    await goTo(page, site, `answers/${id}`);
    await page.getByRole("button", { name: en.desk.tests.saveAsTest }).click();
    assertEquals(await page.getByLabel(startOf(en.desk.tests.reference)).inputValue(), "Ten.");
    await save();
    const before = service.model.requestsOf(tenant.modelName).length;
    await page.goto(`${site.url}desk/#tests`);
    await page.getByRole("checkbox", { name: "What does it cost?" }).check();
    await page.getByRole("button", { name: plural(en.desk.tests.run, 1) }).click();
    await page.getByRole("list", { name: en.desk.tests.passedTitle }).getByText("What does it cost?").first().click();
    await page.getByText(en.desk.tests.wasPinned).waitFor();
    await page.getByRole("list", { name: en.desk.tests.sources }).getByRole("link", { name: "What does it cost?" })
      .click();
    await page.getByText(en.desk.answers.notGiven).waitFor();
    assertEquals(service.model.requestsOf(tenant.modelName).length, before);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("what stands in the way of tests is said calmly", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOfExpert(site);
  await expert.createTest(tenant.coachId, { question: "Who is there?", expect: { outcome: "answered" } });
  service.model.script(tenant.modelName, says("Me."));
  await using visited = await sitDown(site, { place: "#tests" });
  const { page } = visited;
  const run = page.getByRole("button", { name: en.desk.tests.runAll });

  await t.step("a budget that is used up: the run waits, and goes on afterwards", async () => {
    const { id } = await setBudget(tenant, { amount: 1, coach: tenant.coachId });
    await run.click();
    await page.getByText(en.desk.tests.waitsBudget).waitFor();
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
    await page.getByRole("button", { name: en.desk.tests.stop }).click();
    await page.getByText(plural(en.desk.tests.sumStopped, 1, { results: passed(0) })).waitFor();
    await operator.rpc("remove_budget", { budget: id }).throwOnError();
  });

  await t.step("whoever is the expert no longer", async () => {
    await page.goto(`${site.url}desk/#tests`);
    await page.getByRole("checkbox", { name: "Who is there?" }).waitFor();
    await operator.from("coach_profiles").update({ owner_id: null }).eq("id", tenant.coachId).throwOnError();
    await run.click();
    await page.getByRole("heading", { name: fill(en.desk.team.youAreOut, { name: "Ada Byron" }) }).waitFor();
    await operator.from("coach_profiles").update({ owner_id: site.expert.id }).eq("id", tenant.coachId).throwOnError();
    await page.getByRole("button", { name: en.desk.invitation.goOn }).click();
    await page.getByRole("checkbox", { name: "Who is there?" }).waitFor();
  });

  await t.step("too many requests: it can be tried again", async () => {
    await page.route("**/test-runs", (route) => route.fulfill({ status: 429, json: { error: "No" } }));
    await run.click();
    await page.getByRole("alert").getByText(en.desk.parts.tooManyRequests).waitFor();
    await page.unrouteAll();
    await run.click();
    await page.getByRole("status").getByText(sumOf(1, passed(1))).waitFor();
  });

  await t.step("a run that is gone", async () => {
    await page.goto(`${site.url}desk/#tests/runs?run=${crypto.randomUUID()}`);
    await page.getByText(en.desk.tests.runGone).waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("tests at the desk keep nobody out", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOfExpert(site);
  await addFile(tenant, "Sleep.pdf", { content: "A cold bedroom helps you sleep.", page: 3 });
  const long = "How".concat(" very".repeat(40), " cold is a bedroom?");
  await expert.createTest(tenant.coachId, {
    question: long,
    expect: { icontains: ["cold"], sources: { all: ["Sleep.pdf"] } },
  });
  await expert.createTest(tenant.coachId, { question: "x".repeat(200), expect: { icontains: ["cold"] } });
  for (const said of ["Rather **cold**.", "Warm. ".repeat(100)]) {
    service.model.script(tenant.modelName, says(said));
    await runTests(service, { ...tenant, accessToken: site.expert.accessToken });
  }
  const { data: [last] } = await expert.listTestRuns(tenant.coachId);

  for (const { name, options } of onceARun(looks, { salt: "tests" })) {
    await using visited = await sitDown(site, options);
    const { page } = visited;
    const check = async () => {
      assertEquals(await findBarriers(page), []);
      const overflow = await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
      assertEquals(overflow, 0);
    };

    await t.step(`the list and the form at ${name}`, async () => {
      await page.goto(`${site.url}desk/#tests`);
      await page.getByRole("button", { name: en.desk.parts.edit }).last().click();
      const more = page.locator("details", { hasText: en.desk.tests.moreHint });
      if (!await more.evaluate((it: HTMLDetailsElement) => it.open)) await more.locator("summary").first().click();
      await page.getByText(en.desk.tests.said).click();
      await page.getByRole("button", { name: en.desk.tests.addMessage }).click();
      await check();
      await page.getByRole("button", { name: en.shared.cancel }).click();
    });
    await t.step(`a run with both answers, and the list of runs, at ${name}`, async () => {
      await page.goto(`${site.url}desk/#tests/runs?run=${last!.id}`);
      await page.getByRole("region", { name: fill(en.desk.tests.before, { verdict: en.desk.tests.verdictPassed }) })
        .first().waitFor();
      await check();
      await page.getByRole("link", { name: en.desk.tests.runs }).click();
      await page.getByRole("list", { name: en.desk.tests.runs }).waitFor();
      await check();
    });
  }

  await t.step("by keyboard alone: a test is written and run", async () => {
    await using visited = await sitDown(site, { place: "#tests" });
    const { page } = visited;
    const go = async (role: "link" | "button" | "textbox" | "checkbox", name: string | RegExp) => {
      const goal = page.getByRole(role, { name, exact: true }).first();
      await goal.waitFor();
      for (let presses = 0; presses < 40; presses++) {
        if (await goal.evaluate((element) => element.matches(":focus"))) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`The Tab key does not reach ${name}`);
    };
    await go("link", en.desk.tests.new);
    await page.keyboard.press("Enter");
    await go("textbox", en.desk.parts.question);
    await page.keyboard.type("Who is there?");
    await go("textbox", startOf(en.desk.tests.reference));
    await page.keyboard.type("It is warm.");
    await page.keyboard.press("Control+Enter");
    await go("checkbox", "Who is there?");
    await page.keyboard.press("Space");
    await go("button", plural(en.desk.tests.run, 1));
    await page.keyboard.press("Enter");
    // The model's words are no verdict.
    await page.getByRole("status").getByText(sumOf(1, passed(0), plural(en.desk.tests.notJudged, 1))).waitFor();
  });
});
