import { assertEquals } from "../support/assert.ts";
import { chat } from "../support/client.ts";
import { startBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { openSite } from "./site.ts";

Deno.test("usage at the desk", async (t) => {
  await using browser = await startBrowser();
  await using site = await openSite();
  const { tenant, service } = site;
  await using visited = await sitDown(browser, site, { place: "#usage" });
  const { page } = visited;
  const picture = (name: string) => page.getByRole("img", { name });

  await t.step("nothing has happened yet: thirty empty days, and it says so", async () => {
    await picture("Answers by day: 0 answers, 0 people").waitFor();
    await page.getByText("Nobody has asked anything in this period.").waitFor();
    assertEquals(await page.locator("rect.day").count(), 30);
    assertEquals(new Set(await heights("rect.first, rect.second")), new Set(["0"]));
  });

  const context = { coachId: tenant.coachId, userId: "ann" };
  for (const message of ["One?", "Two?", "Three?"]) {
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }] });
    await chat(service, tenant, { message, context });
  }

  await t.step("what has happened, as a picture and as totals", async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await picture("Answers by day: 3 answers, 1 person").waitFor();
    await page.getByRole("button", { name: /Answers\s+3\s+answers, 1 person/ }).waitFor();
    // The last day is today: three of at most four, and one.
    assertEquals([(await heights("rect.first")).at(-1), (await heights("rect.second")).at(-1)], ["75", "25"]);
  });

  await t.step("the tokens by kind, and that their cost is not known", async () => {
    const read = "Tokens read: 33, of which 0 from the cache.";
    await page.getByText(`${read} Tokens written: 21, of which 0 for thinking.`).waitFor();
    await page.getByText("Cost: not known.").waitFor();
  });

  await t.step("a total chooses what the picture shows", async () => {
    await page.getByRole("button", { name: /^Thumbs/ }).click();
    await picture("Thumbs by day: 0 up, 0 down").waitFor();
    await page.getByRole("button", { name: /^Tokens/ }).click();
    await picture("Tokens by day").waitFor();
    assertEquals((await heights("rect.first")).filter((height) => height !== "0").length, 1);
  });

  await t.step("the same as a table", async () => {
    await page.getByText("Show as a table").click();
    const rows = page.getByRole("row");
    assertEquals(await rows.count(), 31);
    assertEquals((await rows.last().getByRole("cell").allTextContents()).slice(0, 3), ["3", "1", "0"]);
  });

  await t.step("nothing went wrong on the way", () => assertEquals(visited.errors, []));

  async function heights(selector: string): Promise<string[]> {
    return await page.locator(selector).evaluateAll((bars) => bars.map((bar) => bar.getAttribute("height")!));
  }
});
