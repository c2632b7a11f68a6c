import { assertEquals } from "../support/assert.ts";
import { chat } from "../support/client.ts";
import { sharedBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";

Deno.test("usage at the desk", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant, service } = site;
  await using visited = await sitDown(browser, site, { place: "#usage" });
  const { page } = visited;
  const picture = (title: string, ...counts: string[]) =>
    page.getByRole("img", { name: fill(en.desk.usage.picture, { title, counts: counts.join(", ") }) });
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

  await t.step("that the cost is not known, and nothing of tokens", async () => {
    assertEquals(await page.getByText(/token/i).count(), 0);
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

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));

  async function heights(selector: string): Promise<string[]> {
    return await page.locator(selector).evaluateAll((bars) => bars.map((bar) => bar.getAttribute("height")!));
  }
});
