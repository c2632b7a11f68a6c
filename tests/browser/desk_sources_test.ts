import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { sharedBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite } from "./site.ts";

/** Stores the state of a source, as the fetcher does. */
async function setSource(url: string, coachId: string, fields: Record<string, string | null>) {
  await operator.from("knowledge_sources").update(fields as never).eq("coach_id", coachId).eq("url", url)
    .throwOnError();
}

Deno.test("web addresses at the desk", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const stored = async () => (await expert.listSources(tenant.coachId)).data;
  await using visited = await sitDown(browser, site, { place: "#files" });
  const { page } = visited;
  const list = page.getByRole("list", { name: "Websites", exact: true });
  const card = (url: string) => list.getByRole("article", { name: url, exact: true });
  const url = "https://docs.example/guide";
  const set = (fields: Record<string, string | null>) => setSource(url, tenant.coachId, fields);

  await t.step("none yet: it says what they are for", async () => {
    await page.getByRole("link", { name: "Websites" }).click();
    await page.getByText("The persona knows no websites yet").waitFor();
  });

  await t.step("nothing, and what is no address, is refused in a sentence", async () => {
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("alert").getByText("Please write a web address.").waitFor();
    await page.getByRole("textbox", { name: "Web address" }).fill("ftp://docs.example/");
    await page.getByRole("textbox", { name: "Web address" }).press("Enter");
    await page.getByRole("alert").getByText(/^url must be an address that begins with https/).waitFor();
    assertEquals(await stored(), []);
  });

  await t.step("one is added, with its kind, its refresh and its limit", async () => {
    await page.getByRole("textbox", { name: "Web address" }).fill("docs.example/guide");
    assertEquals(await page.getByLabel("Pages at most").count(), 0);
    await page.getByRole("radio", { name: /^A website/ }).check();
    await page.getByLabel("Pages at most").fill("0");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("alert").getByText("Please write a number of pages from 1 to 500.").waitFor();
    await page.getByLabel("Pages at most").fill("40");
    await page.getByLabel("Read again").selectOption("daily");
    await page.getByRole("button", { name: "Add" }).dblclick();
    await page.getByText("Added. Its pages are being read.").waitFor();
    await card(url).getByText("waiting").waitFor();
    assertEquals((await stored()).map(({ url, kind, refresh, limit }) => [url, kind, refresh, limit]), [
      [url, "site", "daily", 40],
    ]);
    const link = card(url).getByRole("link", { name: url });
    assertEquals([await link.getAttribute("target"), await link.getAttribute("rel")], [
      "_blank",
      "noopener noreferrer",
    ]);
  });

  await t.step("the same address again is not a second one", async () => {
    await page.getByRole("textbox", { name: "Web address" }).fill(`${url}#part`);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("The persona knows this address already.").waitFor();
    assertEquals((await stored()).length, 1);
  });

  let fileId = "";
  await t.step("its progress comes by itself", async () => {
    const [source] = await stored();
    await set({ status: "reading", due_at: null });
    await card(url).getByText("being read").waitFor();
    assertEquals(await card(url).getByRole("button", { name: "Read now" }).isDisabled(), true);
    fileId = await addFile(tenant, "Guide.md", "Owls sleep by day.");
    const place = { source_id: source!.id, source_url: `${url}/owls`, fetched_at: new Date().toISOString() };
    await operator.from("knowledge_files").update(place as never).eq("id", fileId).throwOnError();
    await operator.from("source_pages").insert([
      { source_id: source!.id, url: `${url}/owls`, file_id: fileId, state: "read" },
      { source_id: source!.id, url: `${url}/gone`, state: "failed", reason: "The page answered with status 500" },
    ]).throwOnError();
    await card(url).getByText("1 page so far of at most 40").waitFor();
    const next = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString();
    await set({ status: "ready", fetched_at: new Date().toISOString(), next_refresh_at: next });
    await card(url).getByText("ready").waitFor();
    await card(url).getByText(/^read .*[0-9]/).waitFor();
    await card(url).getByText(/^again .*[0-9]/).waitFor();
  });

  await t.step("pages that could not be used are unfolded, each with its reason", async () => {
    const failures = list.getByRole("list", { name: "Pages that could not be used" });
    assertEquals(await failures.count(), 0);
    await card(url).getByText("Pages that could not be used").focus();
    await page.keyboard.press("Enter");
    await failures.getByText("The page answered with status 500.").waitFor();
    await failures.getByRole("link", { name: `${url}/gone` }).waitFor();
  });

  await t.step("it has no barriers, and fits a phone", async () => {
    assertEquals(await findBarriers(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    assertEquals(await findBarriers(page), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert(overflow <= 0, String(overflow));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.step("its refresh and limit are changed", async () => {
    await card(url).getByRole("button", { name: "Change" }).click();
    await card(url).getByLabel("Read again").selectOption("never");
    await card(url).getByLabel("Pages at most").fill("7");
    await card(url).getByRole("button", { name: "Save" }).click();
    await card(url).getByText("not read again by itself").waitFor();
    assertEquals((await stored()).map(({ refresh, limit }) => [refresh, limit]), [["never", 7]]);
    assertEquals(
      await card(url).getByRole("button", { name: "Change" }).evaluate((one) => one.matches(":focus")),
      true,
    );
  });

  await t.step("it is read again at once", async () => {
    await card(url).getByRole("button", { name: "Read now" }).click();
    await card(url).getByText("waiting").waitFor();
    assertEquals((await stored()).map(({ status }) => status), ["queued"]);
  });

  await t.step("one that failed says why", async () => {
    await set({ status: "failed", reason: "The server did not answer within 30 seconds", due_at: null });
    await card(url).getByText("could not be read", { exact: true }).waitFor();
    await card(url).getByText("The server did not answer within 30 seconds.").waitFor();
  });

  await t.step("a page among the files links to its address, and does not come back once deleted", async () => {
    await page.getByRole("link", { name: "Files" }).first().click();
    const row = page.getByRole("list", { name: "Files" }).getByRole("listitem").filter({ hasText: "Guide.md" });
    const link = row.getByRole("link", { name: `${url}/owls` });
    assertEquals(await link.getAttribute("rel"), "noopener noreferrer");
    await row.getByText(/^read .*[0-9]/).waitFor();
    await row.getByRole("button", { name: "Delete" }).click();
    await row.getByText("It does not come back when the website is read again.").waitFor();
    await row.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.getByText("“Guide.md” was deleted.").waitFor();
    const { data } = await operator.from("source_pages").select("is_barred").eq("url", `${url}/owls`).throwOnError();
    assertEquals(data, [{ is_barred: true }]);
  });

  await t.step("removing it says what goes, and asks first", async () => {
    await page.getByRole("link", { name: "Websites" }).click();
    const remove = card(url).getByRole("button", { name: "Remove" });
    await remove.click();
    await card(url).getByText("Remove this address? Nothing was read from it.").waitFor();
    await page.keyboard.press("Escape");
    assertEquals((await stored()).length, 1);
    await remove.click();
    await card(url).getByRole("group").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed, with everything that was read from it.").waitFor();
    await page.getByText("The persona knows no websites yet").waitFor();
    assertEquals(await stored(), []);
  });
});
