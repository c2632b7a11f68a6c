import { assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { keepQuestion, sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";

Deno.test("open questions at the desk", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  for (const person of ["ann", "ben", "ben"]) await keepQuestion(site, person, "May I bring my dog?");
  await keepQuestion(site, "ann", "Is there a car park?");
  await using visited = await sitDown(site);
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.questions.title });
  const card = (question: string) => page.getByRole("article", { name: question });
  const questions = () => list.getByRole("heading").allTextContents();
  const waiting = page.getByRole("link", { name: startOf(en.desk.frame.questions) });

  await t.step("most asked first, with how often and by how many", async () => {
    await card("Is there a car park?").waitFor();
    assertEquals(await questions(), ["May I bring my dog?", "Is there a car park?"]);
    await card("May I bring my dog?").getByText(fill(en.desk.questions.asked, {
      times: plural(en.desk.questions.times, 3),
      people: plural(en.desk.questions.people, 2),
    }))
      .waitFor();
    await waiting.getByText(plural(en.desk.frame.waiting, 2, { number: 2 })).waitFor();
  });

  await t.step("one that opens meanwhile appears by itself, and is counted", async () => {
    await keepQuestion(site, "cat", "Do you travel?");
    await card("Do you travel?").waitFor();
    await waiting.getByText(plural(en.desk.frame.waiting, 3, { number: 3 })).waitFor();
  });

  await t.step("an answer is written in place, and kept through a reload", async () => {
    await card("May I bring my dog?").getByRole("button", { name: en.desk.questions.answer }).click();
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Yes, **if it sleeps**.");
    assertEquals(
      await page.getByRole("group", { name: en.desk.parts.preview }).locator("strong").allTextContents(),
      [
        "if it sleeps",
      ],
    );
    await page.reload();
    assertEquals(await page.getByLabel(en.desk.parts.yourAnswer).inputValue(), "Yes, **if it sleeps**.");
    await page.getByLabel(en.desk.parts.otherWays).fill("Are dogs welcome?\n\n  Can my dog come along?");
    await page.getByText(plural(en.desk.questions.tellHint, 3)).waitFor();
    await page.getByRole("button", { name: en.desk.questions.answer, exact: true }).first().dblclick();
    await page.getByRole("status").getByText(plural(en.desk.questions.answeredIn, 3)).waitFor();
    await card("May I bring my dog?").waitFor({ state: "detached" });
    const { data } = await operator.from("pinned_answers").select("question, variants, answer, version")
      .eq("coach_id", tenant.coachId).throwOnError();
    assertEquals(data, [{
      question: "May I bring my dog?",
      variants: ["Are dogs welcome?", "Can my dog come along?"],
      answer: "Yes, **if it sleeps**.",
      version: 1,
    }]);
    await waiting.getByText(plural(en.desk.frame.waiting, 2, { number: 2 })).waitFor();
  });

  await t.step("the next person who asks is given it word for word", async () => {
    const context = { coachId: tenant.coachId, userId: "dan" };
    const { answer } = await chat(site.service, tenant, { message: "can my DOG come along", context });
    assertEquals(answer, "Yes, **if it sleeps**.");
  });

  await t.step("one is dismissed, found among the dismissed, and opened again", async () => {
    await card("Is there a car park?").getByRole("button", { name: en.desk.questions.dismiss, exact: true }).dblclick();
    await card("Is there a car park?").waitFor({ state: "detached" });
    await page.getByRole("link", { name: en.desk.questions.tabDismissed }).click();
    await card("Is there a car park?").getByRole("button", { name: en.desk.questions.reopen }).click();
    await page.getByText(en.desk.questions.emptyDismissed).waitFor();
    await page.goBack();
    await card("Is there a car park?").waitFor();
    await page.getByRole("link", { name: en.desk.questions.tabAnswered }).click();
    await card("May I bring my dog?").getByRole("link", { name: en.desk.parts.yourAnswer }).waitFor();
  });

  await t.step("what was dismissed comes back with Undo, also all that a person has asked", async () => {
    await page.getByRole("link", { name: en.desk.questions.tabOpen, exact: true }).click();
    const undo = page.getByRole("status").getByRole("button", { name: en.desk.frame.undo });
    await card("Do you travel?").getByRole("button", { name: en.desk.questions.dismiss, exact: true }).click();
    await card("Do you travel?").waitFor({ state: "detached" });
    // The notice leaves the links free.
    await page.getByRole("link", { name: en.desk.questions.tabDismissed }).click();
    await card("Do you travel?").waitFor();
    await undo.click();
    await page.getByRole("link", { name: en.desk.questions.tabOpen, exact: true }).click();
    await card("Do you travel?").waitFor();

    await keepQuestion(site, "cat", "Is there a lake?");
    await card("Is there a lake?").waitFor();
    await card("Do you travel?").getByRole("button", { name: en.desk.questions.dismissAll }).click();
    await page.getByRole("status").getByText(plural(en.desk.questions.dismissedAll, 2)).waitFor();
    await card("Is there a lake?").waitFor({ state: "detached" });
    assertEquals(await questions(), ["Is there a car park?"]);
    await undo.click();
    await card("Is there a lake?").waitFor();
    await card("Do you travel?").waitFor();
  });

  await t.step("the notice also comes if the list has lost the question before the reply is there", async () => {
    await keepQuestion(site, "dan", "Is there a sauna?");
    await page.route("**/dismiss", async (route) => {
      const response = await route.fetch();
      await card("Is there a sauna?").waitFor({ state: "detached" });
      await route.fulfill({ response });
    }, { times: 1 });
    await card("Is there a sauna?").getByRole("button", { name: en.desk.questions.dismiss, exact: true }).click();
    await page.getByRole("status").getByText(en.desk.questions.dismissed).waitFor();

    await page.route("**/reopen", (route) => route.abort(), { times: 1 });
    await page.getByRole("status").getByRole("button", { name: en.desk.frame.undo }).click();
    await page.getByRole("status").getByText(en.desk.parts.unreachable).waitFor();
    assertEquals(visited.errors.splice(0), ["Failed to load resource: net::ERR_FAILED"]);
  });

  await t.step("what the files do not mention is folded away", async () => {
    await addFile(tenant, "Trips.md", "We travel in a bus and park it by the lake.");
    await keepQuestion(site, "eve", "What is the capital of Mongolia?");
    await page.getByText(en.desk.questions.offTopicHint).click();
    await page.getByRole("list", { name: en.desk.questions.offTopic }).getByText("What is the capital of Mongolia?")
      .waitFor();
    assertEquals((await questions()).includes("What is the capital of Mongolia?"), false);
    await card("Do you travel?").waitFor();
  });

  await t.step("what a colleague decides meanwhile leaves the list and the count", async () => {
    const colleague = clientOf(site.service, { ...tenant, accessToken: site.expert.accessToken });
    const { data } = await colleague.listQuestions(tenant.coachId, { off_topic: "false" });
    for (const { id } of data) await colleague.dismissQuestion(tenant.coachId, id);
    await list.waitFor({ state: "detached" });
    await waiting.getByText(plural(en.desk.frame.waiting, 1, { number: 1 })).waitFor();
  });

  await t.step("where nothing else is open, what is off topic is not folded away", async () => {
    await page.reload();
    await card("What is the capital of Mongolia?").waitFor();
    assertEquals(await page.getByText(en.desk.questions.emptyOpen).count(), 0);
  });

  await t.step(
    "nothing went wrong on the way, and nobody but the service was asked",
    () => assertEquals([visited.errors, [...visited.origins]], [[], [new URL(site.url).origin]]),
  );
});

Deno.test("the expert chooses who is told an answer", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const saidIn = async ({ threadId }: { threadId: string }) => {
    const rows = operator.from("messages").select("content").eq("thread_id", threadId).eq("is_by_expert", true);
    return (await rows.throwOnError()).data.map(({ content }) => content);
  };
  const ann = await keepQuestion(site, "ann", "How long should I fast at first?");
  const { data: [older] } = await operator.from("open_questions").select("id").eq("coach_id", tenant.coachId)
    .throwOnError();
  // A model has found these to be the same.
  const [ben, cat] = [
    await keepQuestion(site, "ben", "At first, how many hours do I fast?"),
    await keepQuestion(site, "cat", "At first, how many hours do I fast?"),
  ];
  const { data: [newer] } = await operator.from("open_questions").select("id").eq("coach_id", tenant.coachId)
    .neq("id", older!.id).throwOnError();
  await operator.from("open_questions").update({ claim: newer!.id }).eq("id", newer!.id).throwOnError();
  const same = { question_id: newer!.id, claim: newer!.id, same_id: older!.id };
  await operator.rpc("end_question", same).throwOnError();
  await using visited = await sitDown(site);
  const { page } = visited;
  const open = async (question: string) => {
    await page.getByRole("article", { name: question }).getByRole("button", { name: en.desk.questions.answer }).click();
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Twelve hours.");
  };
  const answer = () => page.getByRole("button", { name: en.desk.questions.answer, exact: true }).first().click();

  await t.step("who asked in other words is shown with these, and is told if the expert ticks them", async () => {
    await open("How long should I fast at first?");
    const told = (chats: string) => page.getByText(`The answer appears in ${chats}, as a message from you.`).waitFor();
    await told("1 chat");
    const fits = page.getByRole("group", { name: startOf(en.desk.questions.merged) }).getByRole("checkbox");
    assertEquals([await fits.count(), await fits.first().isChecked()], [2, false]);
    await page.getByRole("group", { name: startOf(en.desk.questions.merged) }).getByText("Talk").first().waitFor();
    await fits.first().check();
    await told("2 chats");
    await answer();
    await page.getByRole("status").getByText(plural(en.desk.questions.answeredIn, 2)).waitFor();
    assertEquals([await saidIn(ann), await saidIn(cat), await saidIn(ben)], [["Twelve hours."], ["Twelve hours."], []]);
  });

  await t.step("nobody is told if the expert says so", async () => {
    const dan = await keepQuestion(site, "dan", "Is water fine?");
    await open("Is water fine?");
    await page.getByRole("checkbox", { name: en.desk.questions.tell }).uncheck();
    await answer();
    await page.getByRole("status").getByText(en.desk.questions.answered).waitFor();
    assertEquals(await saidIn(dan), []);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("more questions than a page", async () => {
  await using site = await openSite();
  const numbers = Array.from({ length: 23 }, (_, index) => index);
  for (const number of numbers) {
    await keepQuestion(site, `person ${number % 3}`, `What is ${"xyz"[number % 3]}${number}?`);
  }
  await using visited = await sitDown(site);
  const headings = visited.page.getByRole("list", { name: en.desk.questions.title }).getByRole("heading");
  await headings.nth(19).waitFor();
  assertEquals(await headings.count(), 20);
  await visited.page.getByRole("button", { name: en.desk.parts.showMore }).click();
  await headings.nth(22).waitFor();
  assertEquals(new Set(await headings.allTextContents()).size, 23);
  assertEquals(await visited.page.getByRole("button", { name: en.desk.parts.showMore }).count(), 0);
});
