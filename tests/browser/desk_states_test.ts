import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { runTests } from "../support/persona_tests.ts";
import { createCoach, operator } from "../support/project.ts";
import { dealOut, onceARun } from "../support/slow.ts";
import { storeAnswer } from "../support/turns.ts";
import { goTo, keepQuestion, sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite, visit } from "./site.ts";
import { en, startOf, whole } from "./texts.ts";

const places = [
  ...["questions", "questions/answered", "conversations", "answers", "answers/new", "files", "try"],
  ...["persona", "persona/publish", "persona/history", "tests", "tests/new", "tests/runs", "usage"],
  ...["overview", "team", "team/notices"],
];

Deno.test("who may sit at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, expert, visitor } = site;

  await t.step("a wrong password is said plainly", async () => {
    await using visited = await visit(`${site.url}desk/`);
    const { page } = visited;
    await page.getByLabel(en.shared.password).fill("wrong");
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await page.getByText(en.shared.passwordWrong).waitFor();
  });

  await t.step("a user who is nobody's expert is told so, and may sign in as another", async () => {
    await using visited = await visit(`${site.url}desk/`);
    const { page } = visited;
    await page.getByLabel(en.shared.email).fill(visitor.email);
    await page.getByLabel(en.shared.password).fill(visitor.password);
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await page.getByRole("heading", { name: en.desk.frame.nobody }).waitFor();
    await page.getByRole("button", { name: en.desk.frame.signInAsOther }).click();
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
  });

  await t.step("a reload stays signed in; signing out in one tab signs the other out", async () => {
    await using visited = await visit(`${site.url}desk/`);
    const { page, context } = visited;
    await page.getByRole("button", { name: en.shared.signIn }).click();
    await page.getByRole("navigation", { name: en.desk.frame.panels }).waitFor();
    await page.reload();
    await page.getByRole("navigation", { name: en.desk.frame.panels }).waitFor();
    const other = await context.newPage();
    await other.goto(`${site.url}desk/#usage`);
    await other.getByRole("navigation", { name: en.desk.frame.panels }).waitFor();
    await page.getByRole("button", { name: en.desk.frame.signOut }).click();
    await page.getByRole("button", { name: en.shared.signIn }).waitFor();
    await other.getByRole("button", { name: en.shared.signIn }).waitFor();
  });

  await t.step("a session that ends asks for the password again, and what was typed is kept", async () => {
    await keepQuestion(site, "ann", "May I bring my dog?");
    await using visited = await sitDown(site);
    const { page } = visited;
    await page.getByRole("button", { name: en.desk.questions.answer }).click();
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Yes, do.");
    await page.route(
      "**/functions/v1/**",
      (route) => route.fulfill({ status: 401, json: { error: "Invalid or expired access token" } }),
    );
    await page.getByRole("button", { name: en.desk.questions.answer, exact: true }).click();
    await page.getByText(en.desk.frame.sessionEnded).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: en.shared.signIn }).click();
    assertEquals(await page.getByLabel(en.desk.parts.yourAnswer).inputValue(), "Yes, do.");
  });

  await t.step(
    "without a coach in the page, the desk is that of the user's own; of several, there is a choice",
    async () => {
      const second = await createCoach(tenant.accountId, { name: "Grace Hopper", title: "Compilers" });
      await using visited = await visit(`${site.url}desk/`);
      const { page } = visited;
      await page.locator("human-desk").evaluate((desk) => desk.removeAttribute("coach"));
      await page.getByRole("button", { name: en.shared.signIn }).click();
      await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
      await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", second.id).throwOnError();
      await page.reload();
      await page.locator("human-desk").evaluate((desk) => desk.removeAttribute("coach"));
      await page.getByRole("button", { name: /Grace Hopper/ }).click();
      await page.getByRole("heading", { name: "Grace Hopper" }).waitFor();
      await page.reload();
      await page.locator("human-desk").evaluate((desk) => desk.removeAttribute("coach"));
      await page.getByRole("heading", { name: "Grace Hopper" }).waitFor();
      await page.getByRole("button", { name: en.desk.frame.switchPersona }).click();
      await page.getByRole("button", { name: /Ada Byron/ }).click();
      await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
      assertEquals(visited.errors, []);
    },
  );
});

Deno.test("a desk whose service has trouble says so, and goes on afterwards", async (t) => {
  await using site = await openSite();
  await keepQuestion(site, "ann", "May I bring my dog?");
  await using visited = await sitDown(site);
  const { page, context } = visited;
  const card = page.getByRole("article", { name: "May I bring my dog?" });
  const alert = page.getByRole("alert");

  for (
    const [name, status, sentence] of [
      ["too many requests", 429, en.desk.parts.tooManyRequests],
      ["an error of the service", 503, en.desk.parts.trouble],
    ] as const
  ) {
    await t.step(`${name}: what was written stays, and is sent at the next try`, async () => {
      await page.route("**/questions/*/dismiss", (route) => route.fulfill({ status, json: { error: "No" } }));
      await card.getByRole("button", { name: en.desk.questions.dismiss, exact: true }).click();
      await card.getByText(sentence).waitFor();
      await page.unrouteAll();
    });
  }

  await t.step("offline, and back", async () => {
    await context.setOffline(true);
    await page.getByRole("link", { name: en.desk.frame.answers, exact: true }).click();
    await alert.getByText(en.chat.offline).waitFor();
    await context.setOffline(false);
    await alert.getByRole("button", { name: en.shared.retry }).click();
    await page.getByText(en.desk.answers.empty).waitFor();
  });

  await t.step("what happened while it was offline is there when it is back", async () => {
    await page.getByRole("link", { name: startOf(en.desk.frame.questions) }).click();
    await card.waitFor();
    await context.setOffline(true);
    await keepQuestion(site, "ben", "Do you travel?");
    await context.setOffline(false);
    await page.getByRole("article", { name: "Do you travel?" }).waitFor();
  });
});

Deno.test("hostile content at the desk stays text", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const hostile = '<img src="https://evil.example/x.png" onerror="document.title=1"><script>document.title=1</script>';
  const links = "[link](javascript:document.title=1) ![picture](https://evil.example/y.png) <b>bold</b>";
  const { threadId, messageId } = await storeAnswer(tenant, {
    content: `${hostile}\n\n${links}`,
    status: "complete",
    user_id: hostile,
  });
  await operator.from("threads").update({ title: hostile }).eq("id", threadId).throwOnError();
  await operator.from("feedback").insert({
    message_id: messageId,
    rating: "down",
    comment: hostile,
  }).throwOnError();
  await keepQuestion(site, "ann", hostile);
  await addFile(tenant, `${hostile}.md`, { content: `owl ${hostile}`, heading: hostile });
  const expert = clientOf(site.service, { ...tenant, accessToken: site.expert.accessToken });
  await expert.createPinnedAnswer(tenant.coachId, { question: `owl ${hostile}`, answer: `${hostile} ${links}` });
  await expert.createTest(tenant.coachId, {
    question: hostile,
    history: [{ role: "user", content: hostile }],
    expect: { icontains: [hostile], sources: { all: [`${hostile}.md`] }, rubric: hostile },
  });
  site.service.model.script(tenant.modelName, { steps: [{ text: `${hostile}\n\n${links}` }] });
  const run = await runTests(site.service, { ...tenant, accessToken: site.expert.accessToken });

  await using visited = await sitDown(site);
  const { page } = visited;
  const title = await page.title();
  const more = [`conversations/${threadId}`, "files?search=owl", "try?question=owl", `tests/runs?run=${run.id}`];
  for (const place of [...places, ...more]) {
    await t.step(place, async () => {
      await goTo(page, site, place);
      assertEquals(await page.locator("img, script:not([src]), iframe").count(), 0);
      // An address in a text may become a link, which nobody follows who does not want to.
      const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
      const known = links.filter((link) => !link.startsWith(`${site.url}?coach=`));
      assertEquals(known.filter((link) => !/^(#|\.\.\/$|https:\/\/evil\.example\/x)/.test(link)), []);
    });
  }
  await t.step("it was all there to be seen, nothing of it ran, and nobody but the service was asked", async () => {
    await page.goto(`${site.url}desk/#conversations/${threadId}`);
    await page.getByRole("log").getByText("<script>").first().waitFor();
    assertEquals([await page.title(), visited.errors, [...visited.origins]], [title, [], [new URL(site.url).origin]]);
  });
});

Deno.test("the desk keeps nobody out", async (t) => {
  await using site = await openSite();
  const { tenant } = site;
  const { threadId } = await keepQuestion(site, "ann", "May I bring my dog?");
  await addFile(tenant, "Sleep.pdf", { content: "A cold bedroom helps you and your dog sleep.", page: 3 });
  for (const [{ name, options }, panels] of dealOut(looks, [...places, `conversations/${threadId}`])) {
    await using visited = await sitDown(site, options);
    const { page } = visited;
    for (const place of panels) {
      await t.step(`${place} at ${name}: no serious barrier, and nothing beside the edge`, async () => {
        await goTo(page, site, place);
        assertEquals(await findBarriers(page), []);
        const overflow = await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
        assertEquals(overflow, 0);
      });
    }
  }

  for (const { name, options } of onceARun(looks, { salt: "what opens" })) {
    await t.step(`what opens in a panel at ${name}: no serious barrier either`, async () => {
      await using visited = await sitDown(site, options);
      const { page } = visited;
      await page.getByRole("button", { name: en.desk.questions.answer }).click();
      await page.getByLabel(en.desk.parts.yourAnswer).fill("*Yes*");
      assertEquals(await findBarriers(page), []);
      await page.goto(`${site.url}desk/#conversations/${threadId}`);
      await page.getByText(en.desk.conversations.noSources).click();
      await page.getByRole("button", { name: en.desk.conversations.correct }).click();
      await page.getByRole("textbox", { name: en.desk.conversations.after }).fill("I do know");
      await page.getByRole("button", { name: en.desk.conversations.takeOver }).click();
      await page.getByText(startOf(en.desk.conversations.youAnswerUntil)).waitFor();
      assertEquals(await findBarriers(page), []);
      await page.getByRole("button", { name: "Hand back" }).click();
      await page.getByText(whole(en.desk.conversations.aiAnswers)).waitFor();
      await page.goto(`${site.url}desk/#files?search=sleep`);
      await page.getByRole("button", { name: en.desk.parts.bar }).waitFor();
      await page.getByRole("button", { name: en.desk.parts.delete }).click();
      assertEquals(await findBarriers(page), []);
      await page.goto(`${site.url}desk/#usage`);
      await page.getByText(en.desk.usage.showTable).click();
      assertEquals(await findBarriers(page), []);
      const overflow = await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
      assertEquals(overflow, 0);
    });
  }

  await t.step("by keyboard alone: a question is answered", async () => {
    await using visited = await visit(`${site.url}desk/#questions`);
    const { page } = visited;
    await page.getByLabel(en.shared.password).focus();
    await page.keyboard.press("Enter");
    const answer = page.getByRole("button", { name: en.desk.questions.answer });
    await answer.waitFor();
    for (let presses = 0; presses < 30 && !await isFocused(answer); presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByLabel(en.desk.parts.yourAnswer).waitFor();
    await page.keyboard.type("Yes, do.");
    await page.keyboard.press("Control+Enter");
    await page.getByText(en.desk.questions.emptyOpen).waitFor();
  });
});

async function isFocused(locator: ReturnType<Page["getByRole"]>): Promise<boolean> {
  return await locator.evaluate((element) => element.matches(":focus"));
}
