import { assertEquals } from "../support/assert.ts";
import { chat, clientOf } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { sweep, zoneOfAnotherDay } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { storeQuestion } from "../support/questions.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";

Deno.test("usage at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const timezoneId = zoneOfAnotherDay();
  await using visited = await sitDown(site, { place: "#usage", timezoneId, bypassCSP: true });
  const { page } = visited;
  const picture = (title: string, ...counts: string[]) =>
    page.getByRole("img", { name: fill(en.desk.usage.picture, { title, counts: counts.join(", ") }) });
  const toTopics = async () => {
    await page.getByRole("link", { name: en.desk.topics.back }).click();
    await page.getByRole("button", { name: en.desk.topics.save }).waitFor();
  };
  const answers = (number: number) => plural(en.desk.usage.answersCount, number, { number });
  const people = (number: number) => plural(en.desk.usage.peopleCount, number, { number });

  await t.step("nothing has happened yet: thirty empty days, and it says so", async () => {
    await picture(en.desk.usage.answersName, answers(0), people(0)).waitFor();
    await page.getByText(en.desk.usage.empty).waitFor();
    assertEquals(await page.locator("rect.day").count(), 30);
    assertEquals(new Set(await heights("rect.first, rect.second")), new Set(["0"]));
  });

  const context = { coachId: tenant.coachId, userId: "ann" };
  for (const message of ["One?", "Two?", "Three?"]) {
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
    await chat(service, tenant, { message, context });
  }

  await t.step("what has happened, as a picture and as totals", async () => {
    await page.getByRole("button", { name: en.desk.usage.refresh }).click();
    await picture(en.desk.usage.answersName, answers(3), people(1)).waitFor();
    await page.getByRole("button", {
      name: `${en.desk.usage.answers} 3 ${en.desk.usage.answersUnit.other}, ${people(1)}`,
    }).waitFor();
    // The last day is today: three of at most four, and one.
    assertEquals([(await heights("rect.first")).at(-1), (await heights("rect.second")).at(-1)], ["75", "25"]);
  });

  await t.step("nothing of tokens, and that the cost is not known to an owner who looks for it", async () => {
    assertEquals(await page.getByText(/token/i).count(), 0);
    assertEquals(await page.getByText(en.desk.usage.costUnknown).isVisible(), false);
    await page.getByText(en.desk.topics.costs).click();
    await page.getByText(en.desk.usage.costUnknown).waitFor();
  });

  await t.step("a total chooses what the picture shows", async () => {
    await page.getByRole("button", { name: startOf(en.desk.usage.thumbs) }).click();
    await picture(
      en.desk.usage.thumbs,
      fill(en.desk.usage.upCount.other, { number: 0 }),
      fill(en.desk.usage.downCount.other, { number: 0 }),
    ).waitFor();
  });

  await t.step("the same as a table", async () => {
    await page.getByText(en.desk.usage.showTable).click();
    const rows = page.getByRole("row");
    assertEquals(await rows.count(), 31);
    assertEquals((await rows.last().getByRole("cell").allTextContents()).slice(0, 3), ["3", "1", "0"]);
  });

  await t.step("what people ask: a topic, what is behind it, and its conversations", async () => {
    await page.getByText(en.desk.topics.empty).waitFor();
    // The model answers people so, and names topics so.
    service.model.script(tenant.modelName, { steps: [{ text: "Of coffee" }] });
    const asked = [
      "Is coffee allowed while fasting?",
      "Fasting: is coffee allowed?",
      "Is coffee allowed when fasting?",
    ];
    const { visitor } = site;
    for (const [index, message] of asked.slice(1).entries()) {
      await chat(service, tenant, { message, context: { ...context, userId: `person ${index}` } });
    }
    const signedIn = { ...tenant, accessToken: visitor.accessToken };
    await chat(service, signedIn, { message: asked[0]!, context: { coachId: tenant.coachId } });
    const topic = page.getByRole("article").filter({ hasText: "coffee" });
    await eventually(async () => {
      await sweep(service);
      await page.getByRole("button", { name: en.desk.usage.refresh }).click();
      return await topic.count() === 1;
    }, "there is a topic");
    await topic.getByText(plural(en.desk.topics.conversations, 3)).waitFor();
    await topic.getByText(plural(en.desk.topics.more, 3)).waitFor();
    await topic.getByRole("link").click();
    await page.getByText(visitor.email).waitFor();
    assertEquals(await page.getByRole("list", { name: en.desk.topics.toAnswer }).count(), 0);
    await page.getByRole("link", { name: asked[1]! }).click();
    await page.getByRole("heading", { name: en.desk.conversations.title }).waitFor();
    await page.goBack();
    await toTopics();
  });

  await t.step(
    "a topic is answered where it is shown, also by a colleague, and says what that has changed",
    async () => {
      const { data: asked } = await operator.from("messages").select("id, thread_id, threads!inner(title)")
        .eq("threads.coach_id", tenant.coachId).ilike("threads.title", "%coffee%").eq("role", "assistant")
        .throwOnError();
      for (const { id } of asked) await operator.from("messages").update({ run_id: id }).eq("id", id).throwOnError();
      await storeQuestion(asked[0]!.id, "Is coffee allowed?");
      await page.getByRole("article").getByRole("link", { name: /coffee/i }).click();
      const list = page.getByRole("list", { name: en.desk.topics.toAnswer });
      const card = (question: string) => list.getByRole("article", { name: question });
      await card("Is coffee allowed?").waitFor();
      const byColleague = await storeQuestion(asked[1]!.id, "Is tea allowed?");
      await card("Is tea allowed?").waitFor();
      const colleague = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
      await colleague.answerQuestion(tenant.coachId, byColleague, { answer: "It is." });
      await card("Is tea allowed?").waitFor({ state: "detached" });
      await card("Is coffee allowed?").getByRole("button", { name: en.desk.questions.answer }).click();
      await page.getByLabel(en.desk.parts.yourAnswer).fill("Without milk.");
      assertEquals(await findBarriers(page), []);
      await card("Is coffee allowed?").getByRole("button", { name: en.desk.questions.answer, exact: true }).click();
      await list.waitFor({ state: "detached" });
      const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: timezoneId }).format();
      const before = fill(en.desk.topics.ofAll, { number: 2, all: 3 });
      await page.getByText(fill(en.desk.topics.answeredLast, { day, before })).waitFor();
      await toTopics();
    },
  );

  await t.step("a period by choice, and the same as a sheet", async () => {
    await page.getByRole("button", { name: plural(en.desk.topics.days, 7) }).click();
    await page.waitForURL(/days=7/);
    // The chart is empty between the two periods.
    await page.locator("rect.day").nth(7).waitFor({ state: "detached" });
    await page.locator("rect.day").nth(6).waitFor({ state: "attached" });
    assertEquals(await page.locator("rect.day").count(), 7);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: en.desk.topics.save }).click(),
    ]);
    assertEquals((await Deno.readTextFile((await file.path())!)).split("\r\n").length, 3);
    await page.getByLabel(en.desk.conversations.to).fill("2026-01-31");
    await page.getByText(en.desk.topics.empty).waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));

  async function heights(selector: string): Promise<string[]> {
    return await page.locator(selector).evaluateAll((bars) => bars.map((bar) => bar.getAttribute("height")!));
  }
});
