import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { operator } from "../support/project.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { openSite, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

const { share } = en.desk;

Deno.test("the expert gives the persona away", async (t) => {
  await using site = await openSite({}, undefined, { hasCards: true });
  const { tenant } = site;
  const { data: { slug } } = await operator.from("coach_profiles").select("slug").eq("id", tenant.coachId).single()
    .throwOnError();
  await using seated = await sitDown(site, { place: "#share" });
  const { page } = seated;
  const own = `${site.url}${slug}/`;

  await t.step("by a link to a page of its own, which says who it is without its script", async () => {
    await page.getByRole("link", { name: own }).waitFor();
    const html = await (await fetch(own)).text();
    assertMatch(html, /<title>Ada Byron – Engines<\/title>/);
    assertMatch(html, /<meta property="og:title" content="Ada Byron – Engines">/);
    assertMatch(html, /<meta name="description" content="Hello, I am Ada\.">/);
    assertEquals((await (await fetch(`${own}manifest.webmanifest`)).json()).name, "Ada Byron");
    assertEquals((await fetch(`${site.url}nobody-here/`)).status, 404);
  });

  await t.step("the chat of the desk is that of the persona", async () => {
    const link = page.getByRole("link", { name: en.desk.frame.toChat });
    assertEquals(await link.getAttribute("href"), `${site.url}?coach=${slug}`);
  });

  await t.step("by code for another site, and a sentence for an address that is not allowed yet", async () => {
    const code = await page.locator("pre").first().innerText();
    assertMatch(code, new RegExp(`\n\\tcoach="${slug}"`));
    assert(code.includes(site.publishableKey));
    await page.getByLabel(share.origin).fill("lena.example/about");
    await page.getByText(
      fill(share.originAsk, { origin: "https://lena.example", key: site.publishableKey, name: "Ada Byron" }),
    ).waitFor();
  });

  await t.step("color and words are checked, and visitors see them at once", async () => {
    await page.getByLabel(share.color, { exact: true }).fill("#ffee88");
    await page.getByText(share.tooLight).waitFor();
    assertEquals(await page.getByRole("button", { name: en.desk.parts.save, exact: true }).isDisabled(), true);
    await page.getByLabel(share.color, { exact: true }).fill("#7a1f5c");
    await page.getByLabel(share.launcherText).fill("Ask Ada");
    await page.getByLabel(share.slug, { exact: true }).fill(`${slug}-too`);
    await page.getByRole("button", { name: en.desk.parts.save, exact: true }).click();
    await page.getByText(share.saved).waitFor();
    await page.getByText(`label="Ask Ada"`).waitFor();
    await using visitor = await visit(`${site.url}?coach=${slug}-too`);
    await visitor.page.getByText("Hello, I am Ada.").waitFor();
    const accent = () =>
      visitor.page.locator("human-chat").evaluate((chat) =>
        (chat as HTMLElement).style.getPropertyValue("--coach-accent")
      );
    assertEquals(await accent(), "#7a1f5c");
  });

  await t.step("nothing of it is a barrier", async () => assertEquals(await findBarriers(page), []));

  await t.step("a pause is told to visitors, and ends", async () => {
    await page.getByRole("button", { name: share.pause, exact: true }).click();
    await page.getByRole("button", { name: share.resume, exact: true }).waitFor();
    await using visitor = await visit(site.url);
    await visitor.page.getByText(en.chat.coachPaused).waitFor();
    await using other = await sitDown(site, { place: "#persona/publish" });
    await other.page.getByText(en.desk.persona.nothingToPublish).waitFor();
    await page.getByRole("button", { name: share.resume, exact: true }).click();
    await page.getByRole("button", { name: share.pause, exact: true }).waitFor();
  });

  await t.step("a further persona is made where the account allows it", async () => {
    const make = async () => {
      await page.getByLabel(share.anotherName).fill("Charles");
      await page.getByRole("button", { name: share.make, exact: true }).click();
    };
    await make();
    await page.getByText(en.desk.errors.may_not_create).waitFor();
    await operator.from("accounts").update({ experts_may_create: true }).eq("id", tenant.accountId).throwOnError();
    await make();
    await page.getByRole("heading", { name: "Charles" }).first().waitFor();
    assertMatch(page.url(), /#persona$/);
    await page.getByRole("link", { name: en.desk.persona.history }).click();
    await page.getByText(en.desk.persona.noVersions).waitFor();
    assertEquals(await page.getByRole("article").count(), 0);
  });

  await t.step("it is deleted once its name is typed", async () => {
    await page.getByRole("button", { name: en.desk.frame.switchPersona }).click();
    await page.getByRole("button", { name: /Ada Byron/ }).click();
    await page.goto(`${site.url}desk/#share`);
    const remove = page.getByRole("button", { name: fill(share.delete, { name: "Ada Byron" }) });
    await remove.waitFor();
    assertEquals(await remove.isDisabled(), true);
    await page.getByLabel(fill(share.typeName, { name: "Ada Byron" })).fill("Ada Byron");
    await remove.click();
    await page.getByRole("heading", { name: "Charles" }).first().waitFor();
    const { data } = await operator.from("coach_profiles").select("deleted_at").eq("id", tenant.coachId).single()
      .throwOnError();
    assert(data.deleted_at !== null);
    assertEquals(seated.errors, []);
  });
});
