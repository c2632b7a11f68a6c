import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { operator } from "../support/project.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";

/** Stores the state of a source, as the fetcher does. */
async function setSource(url: string, coachId: string, fields: Record<string, string | null>) {
  await operator.from("knowledge_sources").update(fields as never).eq("coach_id", coachId).eq("url", url)
    .throwOnError();
}

/** Stores a page of a source, as the fetcher does. */
async function storePage(fields: { source_id: string; url: string; state: string; file_id?: string; reason?: string }) {
  await operator.from("source_pages").insert(fields).throwOnError();
}

Deno.test("web addresses at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  const stored = async () => (await expert.listSources(tenant.coachId)).data;
  await using visited = await sitDown(site, { place: "#files" });
  const { page } = visited;
  const list = page.getByRole("list", { name: en.desk.files.websites, exact: true });
  const card = (url: string) => list.getByRole("article", { name: url, exact: true });
  const url = "https://docs.example/guide";
  const set = (fields: Record<string, string | null>) => setSource(url, tenant.coachId, fields);

  await t.step("none yet: it says what they are for", async () => {
    await page.getByRole("link", { name: en.desk.files.websites }).click();
    await page.getByText(en.desk.files.websitesEmpty).waitFor();
  });

  await t.step("nothing, and what is no address, is refused in a sentence", async () => {
    await page.getByRole("button", { name: en.desk.tests.add }).click();
    await page.getByRole("alert").getByText(en.desk.files.addressMissing).waitFor();
    await page.getByRole("textbox", { name: en.desk.files.address }).fill("ftp://docs.example/");
    await page.getByRole("textbox", { name: en.desk.files.address }).press("Enter");
    await page.getByRole("alert").getByText(/^url must be an address that begins with https/).waitFor();
    assertEquals(await stored(), []);
  });

  await t.step("one is added, with its kind, its refresh and its limit", async () => {
    await page.getByRole("textbox", { name: en.desk.files.address }).fill("docs.example/guide");
    assertEquals(await page.getByLabel(en.desk.files.pagesAtMost).count(), 0);
    await page.getByRole("radio", { name: startOf(en.desk.files.kindSite) }).check();
    await page.getByLabel(en.desk.files.pagesAtMost).fill("0");
    await page.getByRole("button", { name: en.desk.tests.add }).click();
    await page.getByRole("alert").getByText(fill(en.desk.files.pagesLimit, { limit: 500 })).waitFor();
    await page.getByLabel(en.desk.files.pagesAtMost).fill("40");
    await page.getByLabel(en.desk.files.readAgain).selectOption("daily");
    await page.getByRole("button", { name: en.desk.tests.add }).dblclick();
    await page.getByText(en.desk.files.addedAddress).waitFor();
    await card(url).getByText(en.desk.files.waitingTag).waitFor();
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
    await page.getByRole("textbox", { name: en.desk.files.address }).fill(`${url}#part`);
    await page.getByRole("button", { name: en.desk.tests.add }).click();
    await page.getByText(en.desk.files.knownAddress).waitFor();
    assertEquals((await stored()).length, 1);
  });

  let fileId = "";
  await t.step("its progress comes by itself", async () => {
    const [source] = await stored();
    await set({ status: "reading", due_at: null });
    await card(url).getByText(en.desk.files.beingRead).waitFor();
    assertEquals(await card(url).getByRole("button", { name: en.desk.files.readNow }).isDisabled(), true);
    fileId = await addFile(tenant, "Guide.md", "Owls sleep by day.");
    const place = { source_id: source!.id, source_url: `${url}/owls`, fetched_at: new Date().toISOString() };
    await operator.from("knowledge_files").update(place as never).eq("id", fileId).throwOnError();
    await storePage({ source_id: source!.id, url: `${url}/owls`, file_id: fileId, state: "read" });
    await card(url).getByText(plural(en.desk.files.pagesSoFarOf, 1, { limit: 40 })).waitFor();
    const next = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString();
    await set({ status: "ready", fetched_at: new Date().toISOString(), next_refresh_at: next });
    await card(url).getByText(en.desk.files.readyTag).waitFor();
    await card(url).getByText(startOf(en.desk.files.readAt, { time: /.*[0-9]/ })).waitFor();
    await card(url).getByText(startOf(en.desk.files.again, { time: /.*[0-9]/ })).waitFor();
  });

  await t.step("pages that could not be used are unfolded, each with its reason; without any, nothing is", async () => {
    const failures = list.getByRole("list", { name: en.desk.files.failures });
    assertEquals(await card(url).getByText(en.desk.files.failures).count(), 0);
    const [source] = await stored();
    const reason = "The page answered with status 500";
    await storePage({ source_id: source!.id, url: `${url}/gone`, state: "failed", reason });
    await page.reload();
    assertEquals(await failures.count(), 0);
    await card(url).getByText(en.desk.files.failures).focus();
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
    await card(url).getByRole("button", { name: en.desk.files.change }).click();
    await card(url).getByLabel(en.desk.files.readAgain).selectOption("never");
    await card(url).getByLabel(en.desk.files.pagesAtMost).fill("7");
    await card(url).getByRole("button", { name: en.desk.parts.save }).click();
    await card(url).getByText(en.desk.files.atNever).waitFor();
    assertEquals((await stored()).map(({ refresh, limit }) => [refresh, limit]), [["never", 7]]);
    const change = card(url).getByRole("button", { name: en.desk.files.change });
    assertEquals(await change.evaluate((one) => one.matches(":focus")), true);
  });

  await t.step("it is read again at once", async () => {
    await card(url).getByRole("button", { name: en.desk.files.readNow }).click();
    await card(url).getByText(en.desk.files.waitingTag).waitFor();
    assertEquals((await stored()).map(({ status }) => status), ["queued"]);
  });

  await t.step("one that failed says why", async () => {
    await set({ status: "failed", reason: "The server did not answer within 30 seconds", due_at: null });
    await card(url).getByText(en.desk.files.unreadable, { exact: true }).waitFor();
    await card(url).getByText("The server did not answer within 30 seconds.").waitFor();
  });

  await t.step("a page among the files links to its address, and does not come back once deleted", async () => {
    await page.getByRole("link", { name: en.desk.frame.files }).first().click();
    const row = page.getByRole("list", { name: en.desk.files.title }).getByRole("listitem").filter({
      hasText: "Guide.md",
    });
    const link = row.getByRole("link", { name: `${url}/owls` });
    assertEquals(await link.getAttribute("rel"), "noopener noreferrer");
    await row.getByText(startOf(en.desk.files.readAt, { time: /.*[0-9]/ })).waitFor();
    await row.getByRole("button", { name: en.desk.parts.delete }).click();
    await row.getByText(en.desk.files.deletePage).waitFor();
    await row.getByRole("group").getByRole("button", { name: en.desk.parts.delete }).click();
    await page.getByText(fill(en.desk.files.deleted, { name: "Guide.md" })).waitFor();
    const { data } = await operator.from("source_pages").select("is_barred").eq("url", `${url}/owls`).throwOnError();
    assertEquals(data, [{ is_barred: true }]);
  });

  await t.step("removing it says what goes, and asks first", async () => {
    await page.getByRole("link", { name: en.desk.files.websites }).click();
    const remove = card(url).getByRole("button", { name: en.desk.parts.remove });
    await remove.click();
    await card(url).getByText(en.desk.files.removeAddress).waitFor();
    assert((await card(url).locator("h3").boundingBox())!.width > 300, "the question leaves the address its room");
    await page.keyboard.press("Escape");
    assertEquals((await stored()).length, 1);
    await remove.click();
    await card(url).getByRole("group").getByRole("button", { name: en.desk.parts.remove }).click();
    await page.getByText(en.desk.files.removed).waitFor();
    await page.getByText(en.desk.files.websitesEmpty).waitFor();
    assertEquals(await stored(), []);
  });
});
