import { assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { createUser, operator } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf, whole } from "./texts.ts";

Deno.test("a takeover, live", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const person = clientOf(service, { ...tenant, accessToken: (await createUser()).accessToken });
  const ask = async (message: string, thread_id?: string) => {
    const answer = await person.chat(
      thread_id ? { message, thread_id } : { message, context: { coachId: tenant.coachId } },
    );
    const text = (await Array.fromAsync(answer)).join("");
    return { text, threadId: answer.threadId, status: answer.ending!.status };
  };
  const asked = () => service.model.requestsOf(tenant.modelName).length;

  service.model.script(tenant.modelName, { steps: [{ text: "I am **the model**." }] });
  const { threadId } = await ask("Who is there? *Me.*");
  await using visited = await sitDown(site, { place: "#conversations" });
  const { page } = visited;
  const log = page.getByRole("log", { name: en.desk.conversations.messages });
  const field = page.getByRole("textbox", { name: en.desk.conversations.yourMessage });

  await t.step("what a person and what the AI has said look different", async () => {
    await page.getByRole("link", { name: /Who is there\?/ }).click();
    await log.getByRole("article", { name: en.desk.conversations.authorAi }).locator("strong").getByText("the model")
      .waitFor();
    await log.getByRole("article", { name: en.desk.conversations.authorPerson }).getByText("Who is there? *Me.*")
      .waitFor();
    assertEquals(new URL(page.url()).hash, `#conversations/${threadId}`);
  });

  await t.step("the expert takes over, and sees until when", async () => {
    await page.getByRole("button", { name: en.desk.conversations.takeOver }).dblclick();
    await page.getByText(startOf(en.desk.conversations.youAnswerUntil, { time: /.*\d:\d\d.*/ })).waitFor();
    assertEquals((await person.getThread(threadId)).handled_by, "expert");
  });

  await t.step("a question comes in while the expert looks at it, and the model is not asked", async () => {
    const before = asked();
    assertEquals((await ask("Is somebody here?", threadId)).status, "waiting");
    await log.getByText("Is somebody here?").waitFor();
    await page.getByText(plural(en.desk.conversations.waiting, 1)).waitFor();
    await page.getByRole("link", { name: startOf(en.desk.frame.conversations) }).getByText(
      plural(en.desk.frame.waiting, 1, { number: 1 }),
    ).waitFor();
    assertEquals(asked(), before);
  });

  await t.step("the expert's words answer it, once, and are shown as theirs", async () => {
    await field.fill("Yes, it is really <b>me</b>.");
    await page.getByRole("button", { name: en.desk.conversations.send }).dblclick();
    await log.getByRole("article", { name: en.desk.conversations.authorExpert }).getByText(
      "Yes, it is really <b>me</b>.",
    ).waitFor();
    assertEquals(await field.inputValue(), "");
    const { data } = await person.listMessages(threadId, { include: "author" });
    assertEquals(data.map(({ author, content }) => [author, content]), [
      ["user", "Who is there? *Me.*"],
      ["ai", "I am **the model**."],
      ["user", "Is somebody here?"],
      ["expert", "Yes, it is really <b>me</b>."],
    ]);
    await page.getByText(plural(en.desk.conversations.waiting, 1)).waitFor({ state: "detached" });
  });

  await t.step("words that were not sent outlive a reload", async () => {
    await field.fill("One more thing");
    await page.reload();
    assertEquals(await field.inputValue(), "One more thing");
    await field.press("Enter");
    await log.getByText("One more thing").waitFor();
  });

  await t.step("released, the model answers again, as it is written", async () => {
    await page.getByRole("button", { name: en.desk.conversations.handBack }).click();
    await page.getByText(fill(en.desk.conversations.aiAnswers, { ai: en.desk.parts.ai })).waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, {
      steps: [{ text: "Me again" }, { waitFor: promise }, { text: ", the model." }],
    });
    const answered = ask("And now?", threadId);
    await log.getByText(en.desk.conversations.statusStreaming).waitFor();
    resolve();
    assertEquals((await answered).text, "Me again, the model.");
    await log.getByText("Me again, the model.").waitFor();
    await log.getByText(en.desk.conversations.statusStreaming).waitFor({ state: "detached" });
  });

  await t.step("a conversation that its person deletes is gone here too", async () => {
    await person.deleteThread(threadId);
    await page.reload();
    await page.getByText(en.desk.conversations.gone).waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("an answer is looked into, and corrected", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const passage = { content: "Feedback may be a week old.", page: 3, heading: "Timing" };
  await addFile(tenant, "Feedback.pdf", passage);
  const person = await createUser();
  const credentials = { ...tenant, accessToken: person.accessToken };
  service.model.script(tenant.modelName, { steps: [{ text: "Feedback may be a week old, as I said." }] });
  const message = "How old may feedback be, asks Ann?";
  const { threadId, messageId } = await chat(service, credentials, { message, context: { coachId: tenant.coachId } });
  await clientOf(service, credentials).rateAnswer(threadId, messageId, { rating: "down", comment: "Too <i>old</i>" });

  await using visited = await sitDown(site, { place: `#conversations/${threadId}` });
  const { page } = visited;
  const answer = page.getByRole("article", { name: en.desk.conversations.authorAi });

  await t.step("with what the person thinks of it, and what it was based on", async () => {
    await answer.getByText("Too <i>old</i>").waitFor();
    await answer.getByText(fill(en.desk.conversations.basedOn, { sources: plural(en.desk.conversations.passages, 1) }))
      .click();
    await answer.getByText("Feedback.pdf").waitFor();
    await answer.getByText(`${fill(en.shared.page, { page: 3 })} · Timing`).waitFor();
    await answer.getByRole("blockquote").getByText("Feedback may be a week old.").waitFor();
    await answer.getByText(whole(`${en.desk.parts.model} · ${en.desk.parts.instructionsVersion}`, { version: /\d+/ }))
      .waitFor();
  });

  await t.step("the correction shows what goes and what comes", async () => {
    await answer.getByRole("button", { name: en.desk.conversations.correct }).click();
    await page.getByRole("textbox", { name: en.desk.conversations.after }).fill("Feedback may be a day old.");
    assertEquals(await answer.locator("del").allTextContents(), ["week", ", as I said"]);
    assertEquals(await answer.locator("ins").allTextContents(), ["day"]);
  });

  await t.step("without a question it is refused, and nothing is lost", async () => {
    await answer.getByRole("checkbox", { name: fill(en.desk.parts.inFile, { file: "Feedback.pdf", page: 3 }) }).check();
    await page.locator("form").getByRole("button", { name: en.desk.conversations.correct }).click();
    await answer.getByRole("alert").waitFor();
    assertEquals(
      await page.getByRole("textbox", { name: en.desk.conversations.after }).inputValue(),
      "Feedback may be a day old.",
    );
  });

  await t.step("it is pinned, the passage barred, and the person told, once", async () => {
    await answer.getByRole("button", { name: en.desk.conversations.useWording }).click();
    const question = page.getByRole("textbox", { name: startOf(en.desk.conversations.question) });
    assertEquals(await question.inputValue(), message);
    await question.fill("How old may feedback be?");
    await page.locator("form").getByRole("button", { name: en.desk.conversations.correct }).dblclick();
    await page.getByRole("status").getByText(en.desk.conversations.corrected).waitFor();
    await answer.getByText(en.desk.conversations.correctedByYou).waitFor();
    await page.getByRole("article", { name: en.desk.conversations.authorPinned }).getByText(
      "Feedback may be a day old.",
    ).first()
      .waitFor();
    const { data: pinned } = await operator.from("pinned_answers").select("question, answer, version")
      .eq("coach_id", tenant.coachId).throwOnError();
    assertEquals(pinned, [{ question: "How old may feedback be?", answer: "Feedback may be a day old.", version: 1 }]);
    const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
    const barred = await expert.listBarredPassages(tenant.coachId);
    assertEquals(barred.data.map(({ content }) => content), [passage.content]);
    const { data } = await clientOf(service, credentials).listMessages(threadId, { include: "author" });
    assertEquals(data.map(({ author }) => author), ["user", "ai", "expert"]);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("conversations are found", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  for (let number = 1; number <= 22; number++) {
    const { threadId } = await storeAnswer(tenant, { content: `Answer ${number}`, status: "complete", user_id: "ann" });
    const updated_at = `2026-01-${String(number).padStart(2, "0")}T12:00:00Z`;
    await operator.from("threads").update({ title: `Talk ${number}`, updated_at }).eq("id", threadId).throwOnError();
  }
  const person = await createUser();
  const credentials = { ...tenant, accessToken: person.accessToken };
  service.model.script(tenant.modelName, { steps: [{ text: "Pelicans eat fish." }] });
  const rated = await chat(service, credentials, {
    message: "What do pelicans eat?",
    context: { coachId: tenant.coachId },
  });
  await clientOf(service, credentials).rateAnswer(rated.threadId, rated.messageId, { rating: "down" });

  await using visited = await sitDown(site, { place: "#conversations" });
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.conversations.title });
  const titles = () =>
    list.getByRole("link").evaluateAll((links) => links.map((link) => link.querySelector(".title")!.textContent));

  await t.step("newest first, page by page", async () => {
    await list.getByText("Talk 22").waitFor();
    assertEquals((await titles()).slice(0, 3), ["What do pelicans eat?", "Talk 22", "Talk 21"]);
    assertEquals((await titles()).length, 20);
    await page.getByRole("button", { name: en.desk.parts.showMore }).click();
    await list.getByText("Talk 1", { exact: true }).waitFor();
    assertEquals((await titles()).length, 23);
  });

  await t.step("by what was said, by thumbs down, and by who waits", async () => {
    await page.getByRole("searchbox").fill("fish");
    await page.keyboard.press("Enter");
    await list.getByText("Talk 22").waitFor({ state: "detached" });
    await list.getByText("What do pelicans eat?").waitFor();
    assertEquals(await titles(), ["What do pelicans eat?"]);
    assertEquals((await list.locator(".excerpt mark").allInnerTexts()).map((word) => word.toLowerCase()), ["fish"]);
    await page.goto(`${site.url}desk/#conversations`);
    await list.getByText("Talk 22").waitFor();
    await page.getByRole("button", { name: en.desk.conversations.thumbsDown }).click();
    await list.getByText("Talk 22").waitFor({ state: "detached" });
    await list.getByText("What do pelicans eat?").waitFor();
    assertEquals(await titles(), ["What do pelicans eat?"]);
    await page.getByRole("button", { name: en.desk.conversations.needsReply }).click();
    await page.getByText(en.desk.conversations.noneFound).waitFor();
    assertEquals(new URL(page.url()).hash, "#conversations?down=1&waiting=1");
  });

  await t.step("by days, which a reload keeps, and with a conversation open beside them", async () => {
    await page.goto(`${site.url}desk/#conversations`);
    await list.getByText("Talk 22").waitFor();
    await page.getByText(en.desk.conversations.dates).click();
    await page.getByLabel(en.desk.conversations.from).fill("2026-01-03");
    await page.getByLabel(en.desk.conversations.to, { exact: true }).fill("2026-01-05");
    await list.getByText("Talk 22").waitFor({ state: "detached" });
    await page.reload();
    await list.getByText("Talk 4").waitFor();
    assertEquals(await titles(), ["Talk 5", "Talk 4", "Talk 3"]);
    await list.getByText("Talk 4").click();
    await page.getByRole("log").getByText("Answer 4").waitFor();
    assertEquals(await titles(), ["Talk 5", "Talk 4", "Talk 3"]);
    await page.getByRole("textbox", { name: en.desk.conversations.yourMessage }).fill("For the fourth alone");
    await list.getByText("Talk 3").click();
    await page.getByRole("log").getByText("Answer 3").waitFor();
    assertEquals(await page.getByRole("textbox", { name: en.desk.conversations.yourMessage }).inputValue(), "");
    await page.goBack();
    await page.getByRole("log").getByText("Answer 4").waitFor();
    assertEquals(
      await page.getByRole("textbox", { name: en.desk.conversations.yourMessage }).inputValue(),
      "For the fourth alone",
    );
    await page.goBack();
    await page.getByText(en.desk.conversations.select).waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("a long conversation", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const person = clientOf(service, { ...tenant, accessToken: (await createUser()).accessToken }, {
    backOff: { retries: 4 },
  });
  let thread_id: string | undefined;
  const ask = async (message: string) => {
    service.model.script(tenant.modelName, { steps: [{ text: `Well, ${message}` }] });
    const body = thread_id ? { message, thread_id } : { message, context: { coachId: tenant.coachId } };
    const answer = await person.chat(body);
    await Array.fromAsync(answer);
    thread_id = answer.threadId;
  };
  for (let number = 1; number <= 14; number++) await ask(`what about ${number}?`);
  await using visited = await sitDown(site, { place: `#conversations/${thread_id}` });
  const { page } = visited;
  const log = page.getByRole("log");
  const isSeen = (text: string) =>
    log.getByText(text, { exact: true }).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

  await t.step("begins with what was said last, and stays there when more is said", async () => {
    await log.getByText("Well, what about 14?").waitFor();
    assertEquals(await isSeen("Well, what about 14?"), true);
    await ask("what about 15?");
    await log.getByText("Well, what about 15?").waitFor();
    assertEquals(await isSeen("Well, what about 15?"), true);
  });

  await t.step("shows what was said before, and does not move while it is read", async () => {
    assertEquals(await log.getByText("Well, what about 1?").count(), 0);
    await page.getByRole("button", { name: en.desk.conversations.showEarlier }).click();
    await log.getByText("Well, what about 1?").scrollIntoViewIfNeeded();
    await ask("what about 16?");
    await log.getByText("Well, what about 16?").waitFor();
    assertEquals([await isSeen("Well, what about 1?"), await isSeen("Well, what about 16?")], [true, false]);
  });
});
