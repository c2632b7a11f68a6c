/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { judgeBeginning } from "../../shared/features/coach_tests/judge_answer.ts";
import { chat, clientOf } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import type { ModelBody, ModelScript } from "../support/model_server.ts";
import { finishRun } from "../support/persona_tests.ts";
import { createUser, operator, type User } from "../support/project.ts";
import { dealOut } from "../support/slow.ts";
import { storeAnswer } from "../support/turns.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite, type Site, type Visit } from "./site.ts";
import { en, fill, plural, startOf, whole } from "./texts.ts";

const { changed } = en.desk.persona;

/** The model answers as it is told: in one word or at length. */
const asTold = (body: ModelBody): ModelScript => {
  const isShort = JSON.stringify(body).includes("Answer in one word.");
  return { steps: [{ text: isShort ? "Sleep." : "Go to bed early, in a cold room." }] };
};

const clientOfUser = ({ service, tenant }: Site, { accessToken }: User) =>
  clientOf(service, { ...tenant, accessToken });

/** Adds a colleague, who sits down at the desk. */
async function sitDownAs(site: Site, role: "owner" | "editor" | "answerer"): Promise<Visit & User> {
  const user = await createUser();
  const { accountId: account_id, coachId: coach_id } = site.tenant;
  await operator.from("coach_experts").insert({ account_id, coach_id, user_id: user.id, role }).throwOnError();
  const visited = await sitDown(site, { place: "#persona", expert: user });
  await visited.page.getByRole("heading", { name: en.desk.persona.title, level: 2 }).waitFor();
  return Object.assign(visited, user);
}

const fieldsOf = (page: Page) => ({
  greeting: page.getByRole("textbox", { name: startOf(en.desk.persona.greeting) }),
  title: page.getByRole("textbox", { name: startOf(en.desk.persona.titleField) }),
  instructions: page.getByRole("textbox", { name: startOf(en.desk.persona.instructions) }),
});

/** The bar above the form. */
const stateOf = (page: Page) => page.getByRole("group", { name: en.desk.persona.draft, exact: true });

Deno.test("an expert changes the persona, compares, publishes, regrets and restores", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  service.model.scriptEach(tenant.modelName, asTold);
  const expert = clientOfUser(site, site.expert);
  await expert.createTest(tenant.coachId, { question: "How do I sleep well?", expect: { icontains: ["cold room"] } });
  await expert.createTest(tenant.coachId, { question: "What is an engine?", expect: { outcome: "answered" } });
  const { id: runId } = await expert.startTestRun(tenant.coachId, {});
  await finishRun(service, { ...tenant, accessToken: site.expert.accessToken }, runId);
  const { version: first } = await expert.getDraft(tenant.coachId);
  await using visited = await sitDown(site, { place: "#persona", bypassCSP: true });
  const { page } = visited;
  const { greeting, instructions } = fieldsOf(page);
  const state = stateOf(page);

  await t.step("what is published is in the form, and nothing is to be done", async () => {
    await state.getByText(startOf(fill(en.desk.persona.publishedSince, { version: first }))).waitFor();
    assertEquals(await greeting.inputValue(), "Hello, I am Ada.");
    assertEquals(await state.getByRole("link").count(), 0);
  });

  await t.step("greeting and instructions are changed, saved by themselves, and seen in the preview", async () => {
    await greeting.fill("Welcome to the engines.");
    await instructions.fill("Explain with engines. Answer in one word.");
    await state.getByText(
      fill(en.desk.persona.notPublished, { fields: `${changed.greeting} and ${changed.instructions}` }),
    ).waitFor();
    await state.getByText(whole(en.desk.persona.savedAt)).waitFor();
    await page.getByRole("group", { name: en.desk.persona.preview }).getByText("Welcome to the engines.").waitFor();
    const draft = await expert.getDraft(tenant.coachId);
    assertEquals([draft.greeting, draft.changes], ["Welcome to the engines.", ["greeting", "instructions"]]);
    assertEquals((await expert.getCoach(tenant.coachId)).greeting, "Hello, I am Ada.");
    assertEquals(await findBarriers(page), []);
  });

  await t.step("the draft and what is published answer the same question beside each other", async () => {
    await state.getByRole("link", { name: en.desk.persona.tryIt }).click();
    await page.getByRole("button", { name: en.desk.try.both }).click();
    await page.getByPlaceholder(en.desk.try.example).fill("How do I sleep well?");
    await page.keyboard.press("Enter");
    const [now, draft] = [
      page.getByRole("article", { name: en.desk.persona.publishedAnswer }),
      page.getByRole("article", { name: en.desk.persona.draftAnswer }),
    ];
    await now.getByText("Go to bed early, in a cold room.").waitFor();
    await draft.getByText("Sleep.", { exact: true }).waitFor();
    const [left, right] = [await now.boundingBox(), await draft.boundingBox()];
    assertEquals([left!.y === right!.y, left!.x < right!.x], [true, true]);
    assertEquals(await findBarriers(page), []);
  });

  await t.step("before publishing: what changes, word by word, and the test that would break", async () => {
    await page.getByRole("link", { name: en.desk.frame.persona, exact: true }).click();
    await state.getByRole("link", { name: en.desk.persona.check }).click();
    const change = page.getByRole("group", { name: "greeting" });
    await change.waitFor();
    assertEquals(await change.locator("ins").allTextContents(), ["Welcome to the engines"]);
    await page.getByText(plural(en.desk.persona.testsNotRun, 2)).waitFor();
    await page.getByRole("button", { name: en.desk.persona.runTests }).click();
    await eventually(async () => (await expert.listTestRuns(tenant.coachId)).count === 2, "the run has begun");
    const { data: [begun] } = await expert.listTestRuns(tenant.coachId);
    await finishRun(service, { ...tenant, accessToken: site.expert.accessToken }, begun!.id);
    await page.getByText(plural(en.desk.persona.breaks, 1)).waitFor();
    const broken = page.getByRole("list", { name: en.desk.persona.broken });
    await broken.getByText("How do I sleep well?").waitFor();
    await broken.getByRole("region", { name: en.desk.persona.draftAnswer }).getByText("Sleep.", { exact: true })
      .waitFor();
    assertEquals(await findBarriers(page), []);
  });

  await t.step("it is published all the same, once", async () => {
    await page.getByRole("button", { name: en.desk.persona.publish, exact: true }).dblclick();
    await page.getByRole("status").getByText(fill(en.desk.persona.publishedNow, { version: first + 1 })).waitFor();
    await state.getByText(startOf(fill(en.desk.persona.publishedSince, { version: first + 1 }))).waitFor();
    assertEquals((await expert.getCoach(tenant.coachId)).greeting, "Welcome to the engines.");
    assertEquals((await expert.listVersions(tenant.coachId)).data[0]!.version, first + 1);
  });

  await t.step("the history tells who has changed what, and shows the difference", async () => {
    await page.getByRole("link", { name: en.desk.persona.history }).click();
    const newest = page.getByRole("article", { name: fill(en.desk.persona.version, { version: first + 1 }) });
    await newest.getByText(
      fill(en.desk.persona.versionChanged, { fields: `${changed.greeting} and ${changed.instructions}` }),
    ).waitFor();
    await newest.getByText(site.expert.email).waitFor();
    await newest.getByRole("link").click();
    await page.getByRole("heading", { name: fill(en.desk.persona.version, { version: first + 1 }) }).waitFor();
    const marked = page.getByRole("definition").locator("ins");
    await marked.first().waitFor();
    assert((await marked.allTextContents()).join("").includes("Answer in one word."));
    assertEquals(await page.getByRole("button", { name: en.desk.persona.restore }).count(), 0);
    assertEquals(await findBarriers(page), []);
  });

  await t.step("regretted: the first version is compared with now, and restored", async () => {
    await page.goto(`${site.url}desk/#persona/history?version=${first}`);
    await page.getByRole("link", { name: en.desk.persona.againstNow }).click();
    await page.getByRole("definition").locator("del").first().waitFor();
    await page.getByRole("button", { name: en.desk.persona.restore }).click();
    await page.getByRole("group", { name: fill(en.desk.persona.restoreQuestion, { version: first }) })
      .getByRole("button", { name: en.desk.persona.restore }).click();
    await page.getByRole("status").getByText(fill(en.desk.persona.restoredNow, { from: first, version: first + 2 }))
      .waitFor();
    await page.getByRole("article", { name: fill(en.desk.persona.version, { version: first + 2 }) }).getByText(
      fill(en.desk.persona.restoredFrom, { version: first }),
    )
      .waitFor();
    assertEquals((await expert.getCoach(tenant.coachId)).greeting, "Hello, I am Ada.");
    await page.getByRole("link", { name: en.desk.parts.edit, exact: true }).click();
    await state.getByText(startOf(fill(en.desk.persona.publishedSince, { version: first + 2 }))).waitFor();
    assertEquals(await greeting.inputValue(), "Hello, I am Ada.");
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));
});

Deno.test("two experts edit at once", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const expert = clientOfUser(site, site.expert);
  await using first = await sitDown(site, { place: "#persona" });
  await using second = await sitDownAs(site, "editor");
  const { version } = await expert.getDraft(tenant.coachId);
  const [mine, theirs] = [fieldsOf(first.page), fieldsOf(second.page)];
  const notice = first.page.getByRole("region", { name: en.desk.persona.meanwhile });
  await mine.greeting.waitFor();
  await theirs.greeting.waitFor();

  await t.step("in different fields: both are saved, and the other one is told", async () => {
    await theirs.title.fill("Looms");
    await stateOf(second.page).getByText(whole(en.desk.persona.savedAt)).waitFor();
    await mine.greeting.fill("Welcome.");
    await notice.getByText(fill(en.desk.persona.changedMeanwhile, { who: second.email, fields: changed.title }))
      .waitFor();
    await stateOf(first.page).getByText(
      fill(en.desk.persona.notPublished, { fields: `${changed.title} and ${changed.greeting}` }),
    ).waitFor();
    await stateOf(first.page).getByText(whole(en.desk.persona.savedAt)).waitFor();
    assertEquals(await mine.title.inputValue(), "Looms");
    const draft = await expert.getDraft(tenant.coachId);
    assertEquals([draft.title, draft.greeting], ["Looms", "Welcome."]);
    await notice.getByRole("button", { name: en.desk.persona.understood }).click();
    await notice.waitFor({ state: "detached" });
  });

  await t.step("in the same field: the choice shows what differs, and outlives a reload", async () => {
    await second.page.reload();
    await theirs.greeting.fill("Welcome, all of you.");
    await stateOf(second.page).getByText(whole(en.desk.persona.savedAt)).waitFor();
    await eventually(
      async () => (await expert.getDraft(tenant.coachId)).greeting === "Welcome, all of you.",
      "their greeting is saved",
    );
    await mine.greeting.fill("Welcome, dear people.");
    await notice.getByText(fill(en.desk.persona.bothChanged, { fields: changed.greeting })).waitFor();
    await first.page.reload();
    await notice.getByText(fill(en.desk.persona.bothChanged, { fields: changed.greeting })).waitFor();
    assertEquals(await mine.greeting.inputValue(), "Welcome, dear people.");
    assert((await notice.locator("ins").allTextContents()).join("|").includes("dear"));
    assertEquals((await expert.getDraft(tenant.coachId)).greeting, "Welcome, all of you.");
  });

  await t.step("one is taken, and saved", async () => {
    await notice.getByRole("button", { name: en.desk.persona.keepMine }).click();
    await eventually(
      async () => (await expert.getDraft(tenant.coachId)).greeting === "Welcome, dear people.",
      "the greeting is saved",
    );
    assertEquals((await expert.getDraft(tenant.coachId)).title, "Looms");
  });

  await t.step("what a colleague has changed since is looked at before it is published", async () => {
    await stateOf(first.page).getByRole("link", { name: en.desk.persona.check }).click();
    await first.page.getByRole("heading", { name: en.desk.persona.publishTitle }).waitFor();
    await clientOfUser(site, second).saveDraft(tenant.coachId, { greeting: "Welcome, dear people.", title: "Mills" });
    await first.page.getByRole("button", { name: en.desk.persona.publish, exact: true }).click();
    await first.page.getByRole("alert").getByText(en.desk.persona.changedSince).waitFor();
    await first.page.getByRole("group", { name: en.desk.persona.changed.title }).getByText("Mills").waitFor();
    assertEquals((await expert.getCoach(tenant.coachId)).title, "Engines");
    await first.page.getByRole("button", { name: en.desk.persona.publish, exact: true }).click();
    await first.page.getByRole("status").getByText(fill(en.desk.persona.publishedNow, { version: version + 1 }))
      .waitFor();
  });

  await t.step("an expert whose draft was published by another is told, and loses nothing", async () => {
    const other = second.page.getByRole("region", { name: en.desk.persona.meanwhile });
    await theirs.title.fill("Mills and looms");
    await other.getByText(fill(en.desk.persona.publishedMeanwhile, { who: site.expert.email, version: version + 1 }))
      .waitFor();
    assertEquals(await theirs.title.inputValue(), "Mills and looms");
  });

  await t.step("an editor cannot publish, and reads why", async () => {
    await second.page.goto(`${site.url}desk/#persona/publish`);
    await second.page.getByText(en.desk.persona.mayNotPublish).waitFor();
    assertEquals(await second.page.getByRole("button", { name: en.desk.persona.publish, exact: true }).count(), 0);
    await second.page.goto(`${site.url}desk/#persona/history?version=1`);
    await second.page.getByText(en.desk.persona.mayNotRestore).waitFor();
  });

  await t.step("somebody who only answers reads, and changes nothing", async () => {
    await using third = await sitDownAs(site, "answerer");
    await third.page.getByText(en.desk.persona.onlyRead).waitFor();
    assertEquals(await fieldsOf(third.page).greeting.isEditable(), false);
    assertEquals(await third.page.getByRole("button", { name: en.desk.persona.addStarter }).count(), 0);
  });

  await t.step("nothing went wrong on the way", () => assertEquals([first.errors, second.errors], [[], []]));
});

Deno.test("what was written is not lost", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const expert = clientOfUser(site, site.expert);
  await using visited = await sitDown(site, { place: "#persona" });
  const { page, context } = visited;
  const { greeting } = fieldsOf(page);
  const state = stateOf(page);
  const isSaved = (text: string) =>
    eventually(async () => (await expert.getDraft(tenant.coachId)).greeting === text, `${text} is saved`);

  await t.step("offline it is kept, and saved when the network is back", async () => {
    await greeting.waitFor();
    await context.setOffline(true);
    await greeting.fill("Written on a train.");
    await state.getByText(en.desk.persona.keptHere).waitFor();
    await context.setOffline(false);
    await isSaved("Written on a train.");
    await state.getByText(whole(en.desk.persona.savedAt)).waitFor();
  });

  await t.step("leaving the panel saves it", async () => {
    await greeting.fill("Written in haste.");
    await page.getByRole("navigation", { name: en.desk.frame.panels }).getByRole("link", { name: en.desk.frame.files })
      .click();
    await isSaved("Written in haste.");
  });

  await t.step("when the session has ended, it is still there after signing in", async () => {
    await page.getByRole("link", { name: en.desk.frame.persona, exact: true }).click();
    await greeting.waitFor();
    await page.route(
      "**/functions/v1/coaches/**",
      (route) => route.fulfill({ status: 401, json: { error: "Invalid or expired access token" } }),
    );
    await greeting.fill("Written too late.");
    await page.getByText(en.desk.frame.sessionEnded).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await greeting.waitFor();
    assertEquals(await greeting.inputValue(), "Written too late.");
    await isSaved("Written too late.");
  });

  await t.step("what is discarded is gone on purpose", async () => {
    await state.getByRole("button", { name: en.desk.persona.discard }).click();
    await state.getByRole("group").getByRole("button", { name: en.desk.persona.discard }).click();
    await page.getByRole("status").getByText(en.desk.persona.discarded).waitFor();
    assertEquals(await greeting.inputValue(), "Hello, I am Ada.");
    assertEquals((await expert.getDraft(tenant.coachId)).revision, 0);
  });
});

Deno.test("the picture and the questions to begin with, by keyboard", async (t) => {
  await using site = await openSite({}, undefined, { hasPictures: true });
  const { tenant } = site;
  const expert = clientOfUser(site, site.expert);
  await using visited = await sitDown(site, { place: "#persona" });
  const { page } = visited;
  const picture = page.getByRole("group", { name: en.desk.persona.picture });

  await t.step("a file that is no picture is not uploaded", async () => {
    await picture.locator("input[type=file]").setInputFiles([
      { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") },
    ]);
    await picture.getByRole("alert").getByText(en.desk.persona.noPicture).waitFor();
  });

  await t.step("a wide picture is cut to a square, where the expert wants it", async () => {
    // Red on the left, blue on the right.
    const file = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(2000, 1000);
      const context = canvas.getContext("2d")!;
      context.fillStyle = "#f00";
      context.fillRect(0, 0, 1000, 1000);
      context.fillStyle = "#00f";
      context.fillRect(1000, 0, 1000, 1000);
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
    });
    await picture.locator("input[type=file]").setInputFiles([
      { name: "wide.png", mimeType: "image/png", buffer: Buffer.from(file) },
    ]);
    await picture.getByRole("application").waitFor();
    for (let presses = 0; presses < 12; presses++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await picture.getByRole("button", { name: en.desk.persona.changePicture }).waitFor();
    const { picture_url, changes } = await expert.getDraft(tenant.coachId);
    assertEquals(changes, ["picture"]);
    assertEquals(await picture.locator("img").getAttribute("src"), picture_url);
    const { width, height, colors } = await page.evaluate(async (url) => {
      const bitmap = await createImageBitmap(await (await fetch(url)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      const at = (x: number) => [...context.getImageData(x, 256, 1, 1).data].map((value) => Math.round(value / 255));
      return { width: bitmap.width, height: bitmap.height, colors: [at(10), at(500)] };
    }, picture_url!);
    assertEquals([width, height], [512, 512]);
    assertEquals(colors, [[0, 0, 1, 1], [0, 0, 1, 1]]);
  });

  await t.step("it is taken away again", async () => {
    await picture.getByRole("button", { name: en.desk.parts.remove }).click();
    await picture.getByRole("button", { name: en.desk.persona.addPicture }).waitFor();
    assertEquals((await expert.getDraft(tenant.coachId)).picture_url, null);
  });

  await t.step("questions are added, moved and removed", async () => {
    await page.getByRole("textbox", { name: fill(en.desk.persona.starter, { number: 2 }) }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Do you travel?");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    assertEquals(
      await page.getByRole("textbox", { name: fill(en.desk.persona.starter, { number: 1 }) }).inputValue(),
      "Do you travel?",
    );
    assertEquals(
      await page.evaluate(() => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        return active?.getAttribute("aria-label");
      }),
      fill(en.desk.persona.starter, { number: 1 }),
    );
    await page.getByRole("button", { name: fill(en.desk.persona.removeStarter, { number: 2 }) }).press("Enter");
    await page.getByRole("button", { name: fill(en.desk.persona.moveStarterDown, { number: 1 }) }).press("Enter");
    await eventually(
      async () => (await expert.getDraft(tenant.coachId)).starters.join("|") === "What is an engine?|Do you travel?",
      "the questions are saved",
    );
    assertEquals(visited.errors, []);
  });
});

Deno.test("the panel keeps nobody out", async (t) => {
  await using site = await openSite();
  const expert = clientOfUser(site, site.expert);
  const hostile =
    '<img src="https://evil.example/x.png" onerror="document.title=1"> [link](javascript:document.title=1)';
  await expert.saveDraft(site.tenant.coachId, {
    name: hostile,
    greeting: hostile,
    starters: [hostile],
    instructions: `Explain with looms. ${hostile}`,
  });
  const panels = ["persona", "persona/publish", "persona/history", "persona/history?version=1"];
  const looks = {
    "390 px, dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
    "1,400 px, light": { viewport: { width: 1400, height: 900 }, colorScheme: "light" },
    "1,400 px, Arabic": { viewport: { width: 1400, height: 900 }, locale: "ar" },
  } as const;
  for (const [[name, options], places] of dealOut(Object.entries(looks), panels)) {
    await using visited = await sitDown(site, { ...options, place: "#persona", bypassCSP: true });
    const { page } = visited;
    for (const place of places) {
      await t.step(`${place} at ${name}: no serious barrier, and nothing beside the edge`, async () => {
        await page.goto(`${site.url}desk/#${place}`);
        await page.locator("main :is(h3, dd)").first().waitFor();
        assertEquals(await findBarriers(page), []);
        const overflow = await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
        assertEquals(overflow, 0);
        assertEquals(await page.locator("main :is(img, script)").count(), 0);
      });
    }
    assertEquals([visited.errors, [...visited.origins]], [[], [new URL(site.url).origin]]);
  }
});

Deno.test("before publishing: what the draft would change of what people asked last", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const reason = "It does not say that the room is to be cold.";
  let isGarbled = false;
  service.model.scriptEach(tenant.modelName, (body) => {
    if (!body.instructions!.startsWith(judgeBeginning)) {
      return JSON.stringify(body.input).includes("engine") ? { steps: [{ text: "It turns." }] } : asTold(body);
    }
    const verdict = JSON.stringify(body.input).includes("cold room") ? "failed" : "passed";
    return { steps: [{ text: isGarbled ? "Well." : JSON.stringify({ reason, verdict }) }] };
  });
  const expert = clientOfUser(site, site.expert);
  for (const message of ["How do I sleep well?", "What is an engine?"]) {
    const person = { ...tenant, accessToken: (await createUser()).accessToken };
    await chat(service, person, { message, context: { coachId: tenant.coachId } });
  }
  await storeAnswer(tenant, { content: "", status: "failed", user_id: "ann" });
  await expert.saveDraft(tenant.coachId, { instructions: "Answer in one word." });
  const asked = () => service.model.requestsOf(tenant.modelName).length;
  const before = asked();
  const stored = async () => [
    (await expert.listConversations(tenant.coachId)).count,
    (await expert.listTests(tenant.coachId)).count,
  ];
  const first = await stored();
  await using visited = await sitDown(site, { place: "#persona", bypassCSP: true });
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.persona.lastQuestions });

  await t.step("only if the expert wants to see it", async () => {
    await stateOf(page).getByRole("link", { name: en.desk.persona.check }).click();
    await page.getByRole("button", { name: en.desk.persona.askLast }).waitFor();
    assertEquals(asked(), before);
  });

  await t.step("a sentence says what differs, beside both answers; an answer that failed is left out", async () => {
    await page.getByRole("button", { name: en.desk.persona.askLast }).dblclick();
    await page.getByText(plural(en.desk.persona.otherAnswers, 2, { different: 1 })).waitFor();
    assertEquals([await list.getByRole("listitem").count(), asked()], [2, before + 4]);
    const other = list.getByRole("listitem").filter({ hasText: "How do I sleep well?" });
    await other.getByText(reason).click();
    await other.getByRole("region", { name: en.desk.persona.answeredThen }).getByText("cold room").waitFor();
    await other.getByRole("region", { name: en.desk.persona.draftAnswer }).getByText("Sleep.", { exact: true })
      .waitFor();
    await list.getByText(en.desk.persona.saysSame).waitFor();
    assertEquals(await findBarriers(page), []);
  });

  await t.step("what cannot be compared is not the same", async () => {
    isGarbled = true;
    await page.getByRole("button", { name: en.desk.persona.askLastAgain }).click();
    await page.getByText(plural(en.desk.persona.notCompared, 2)).waitFor();
    assertEquals(await page.getByText(plural(en.desk.persona.sameAnswers, 2)).count(), 0);
    isGarbled = false;
  });

  await t.step("what comes too soon is asked again when the service says so", async () => {
    const json = { error: "Too many requests", retryAfter: 0 };
    // Longer than the client waits by itself.
    const headers = { "Retry-After": "3" };
    await page.route("**/try", (route) => route.fulfill({ status: 429, headers, json }), { times: 1 });
    await page.getByRole("button", { name: en.desk.persona.askLastAgain }).click();
    await page.getByText(plural(en.desk.persona.otherAnswers, 2, { different: 1 })).waitFor();
  });

  await t.step("nothing of it is stored", async () => assertEquals(await stored(), first));

  await t.step("a test that fails, and never ran before, is not called unbroken", async () => {
    await expert.createTest(tenant.coachId, { question: "What is an engine?", expect: { icontains: ["steam"] } });
    await page.reload();
    await page.getByRole("button", { name: en.desk.persona.runTests }).click();
    await eventually(async () => (await expert.listTestRuns(tenant.coachId)).count === 1, "the run has begun");
    const { data: [begun] } = await expert.listTestRuns(tenant.coachId);
    await finishRun(service, { ...tenant, accessToken: site.expert.accessToken }, begun!.id);
    await page.getByRole("status").getByText(plural(en.desk.persona.failed, 1)).waitFor();
    assertEquals(await page.getByText(en.desk.persona.breaksNothing).count(), 0);
    await page.getByRole("button", { name: en.desk.persona.askLast }).click();
    await page.getByText(plural(en.desk.persona.otherAnswers, 2, { different: 1 })).waitFor();
  });

  await t.step("it can be stopped, and fails with a sentence", async () => {
    service.model.script(tenant.modelName, { steps: [{ hang: true }] });
    const earlier = asked();
    await page.getByRole("button", { name: en.desk.persona.askLastAgain }).click();
    await eventually(() => asked() > earlier, "the draft is asked");
    await page.getByRole("button", { name: en.desk.try.stop }).click();
    await page.getByRole("button", { name: en.desk.persona.askLastAgain }).waitFor();
    assertEquals(visited.errors, []);
    service.model.script(tenant.modelName, { steps: [{ status: 401 }] });
    await page.getByRole("button", { name: en.desk.persona.askLastAgain }).click();
    await page.getByRole("alert").waitFor();
  });
});
