import { Buffer } from "node:buffer";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { operator } from "../support/project.ts";
import { samplePictures } from "../support/sample_pictures.ts";
import { onceARun } from "../support/slow.ts";
import { goTo, sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite, type Site } from "./site.ts";
import { en, fill, startOf } from "./texts.ts";

/** Makes a user an expert, as if an invitation had been accepted. */
async function addExpert({ tenant }: Site, userId: string, role: string): Promise<void> {
  const expert = { coach_id: tenant.coachId, account_id: tenant.accountId, user_id: userId, role };
  await operator.from("coach_experts").insert(expert).throwOnError();
}

Deno.test("the team", async (t) => {
  await using site = await openSite({}, undefined, { hasPictures: true });
  const { tenant, service, expert, visitor } = site;
  const owner = clientOf(service, { ...tenant, accessToken: expert.accessToken });
  await using visited = await sitDown(site, {
    place: "#team",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = visited;
  const status = page.getByRole("status");
  const open = page.getByRole("list", { name: en.desk.team.invitations });

  await t.step("the link of an invitation is copied", async () => {
    await page.getByRole("radio", { name: startOf(en.desk.team.editor) }).check();
    await page.getByRole("button", { name: en.desk.team.makeLink }).click();
    await page.getByRole("button", { name: en.desk.team.copy }).click();
    await status.getByText(en.desk.team.copied).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assertEquals(copied, await page.getByLabel(en.desk.team.link).inputValue());
    const { data } = await owner.listInvitations(tenant.coachId);
    assertEquals(data.map(({ role }) => role), ["editor"]);
  });

  await t.step("an email address is only asked for where the service can send mail", async () => {
    await page.getByText(en.desk.team.noMail).waitFor();
    assertEquals(await page.getByLabel(en.desk.team.email).count(), 0);
    const settings = { ...await owner.getExpertMail(tenant.coachId), is_available: true };
    await page.route("**/experts/me/mail", (route) => route.fulfill({ json: settings }));
    await page.reload();
    await page.getByLabel(en.desk.team.email).fill("ben@example.com");
    await page.getByRole("button", { name: en.desk.team.makeLink }).click();
    await page.getByText(fill(en.desk.team.mailed, { email: "ben@example.com" })).waitFor();
    await open.getByText(fill(en.desk.team.forAddress, { email: "ben@example.com" })).waitFor();
    await page.unrouteAll();
  });

  await t.step("the link is gone after a reload; the invitation can be revoked", async () => {
    await page.reload();
    await open.getByText(en.desk.team.forLink).waitFor();
    assertEquals(await page.getByLabel(en.desk.team.link).count(), 0);
    const item = open.getByRole("listitem").filter({
      hasText: fill(en.desk.team.forAddress, { email: "ben@example.com" }),
    });
    await item.getByRole("button", { name: en.desk.team.revoke }).click();
    await item.getByRole("group").getByRole("button", { name: en.desk.team.revoke }).click();
    await status.getByText(en.desk.team.revoked).waitFor();
    await item.waitFor({ state: "detached" });
    assertEquals((await owner.listInvitations(tenant.coachId)).count, 1);
  });

  await t.step("what was done is told, with who did it", async () => {
    await page.reload();
    const acts = page.getByRole("list", { name: en.desk.team.history });
    const newest = acts.getByRole("listitem").first();
    await newest.getByText(en.desk.team.actUninvited).waitFor();
    await newest.getByText(fill(en.desk.team.by, { email: expert.email })).waitFor();
    await acts.getByText(en.desk.team.actCreated).waitFor();
    await acts.getByText(en.desk.team.byOperator).first().waitFor();
  });

  await t.step("an owner may leave once there is another one", async () => {
    const own = page.getByRole("article", { name: expert.email });
    await own.getByText(en.desk.team.lastOwner).waitFor();
    await addExpert(site, visitor.id, "answerer");
    await page.reload();
    await page.getByRole("combobox", { name: fill(en.desk.team.roleOf, { email: visitor.email }) }).selectOption(
      en.desk.team.owner,
    );
    await status.getByText(en.desk.team.changed).waitFor();
    await own.getByRole("button", { name: en.desk.team.leave }).waitFor();
    assertEquals((await owner.listExperts(tenant.coachId)).data.map(({ role }) => role), ["owner", "owner"]);
  });

  await t.step("a name and a picture of one's own, which colleagues see too", async () => {
    const form = page.getByRole("region", { name: en.desk.team.face });
    await form.getByLabel(en.desk.team.ownName).fill("Jon Ekdal");
    await form.getByRole("button", { name: en.desk.parts.save }).click();
    await status.getByText(en.desk.team.faceSaved).waitFor();
    const own = page.getByRole("article", { name: "Jon Ekdal" });
    await own.getByText(expert.email).waitFor();
    const picture = { name: "me.png", mimeType: "image/png", buffer: Buffer.from(samplePictures.png) };
    await form.locator("input[type=file]").setInputFiles(picture);
    await form.getByRole("button", { name: en.desk.persona.usePicture }).click();
    await form.getByRole("button", { name: en.desk.persona.changePicture }).waitFor();
    const { name, picture_url } = await owner.getExpertFace(tenant.coachId);
    assertEquals([name, picture_url !== null], ["Jon Ekdal", true]);
    await form.getByRole("button", { name: en.desk.parts.remove }).click();
    await form.getByRole("button", { name: en.desk.persona.addPicture }).waitFor();
    assertEquals((await owner.getExpertFace(tenant.coachId)).picture_url, null);
  });

  await t.step("by keyboard alone: who leaves has to confirm it, and is out", async () => {
    await page.getByRole("article", { name: "Jon Ekdal" }).getByRole("button", { name: en.desk.team.leave }).focus();
    await page.keyboard.press("Enter");
    // Pressing Enter twice changes nothing.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText(fill(en.desk.team.leaveQuestion, { name: "Ada Byron" })).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: fill(en.desk.team.youAreOut, { name: "Ada Byron" }) }).waitFor();
    assertEquals(visited.errors, []);
  });
});

Deno.test("what each role sees", async (t) => {
  await using site = await openSite();
  const { tenant, visitor } = site;
  await addExpert(site, visitor.id, "answerer");
  /** The panels, and which roles are offered what in them. */
  const offers: Record<string, [button: string | null, roles: string[]]> = {
    "overview": [null, []],
    "files": [en.desk.files.choose, ["editor", "owner"]],
    "files/websites": [en.desk.tests.add, ["editor", "owner"]],
    "answers": [en.desk.answers.new, ["editor", "owner"]],
    "tests": [en.desk.tests.new, ["editor", "owner"]],
    "team": [en.desk.team.makeLink, ["owner"]],
    "team/notices": [null, []],
  };
  for (const role of ["answerer", "editor", "owner"]) {
    await operator.from("coach_experts").update({ role }).eq("user_id", visitor.id).throwOnError();
    for (const { name, options } of onceARun(looks, { salt: role })) {
      await using visited = await sitDown(site, { ...options, expert: visitor });
      const { page } = visited;
      for (const place of Object.keys(offers)) {
        await t.step(`${place} as ${role} at ${name}: no serious barrier, and only what the role allows`, async () => {
          await goTo(page, site, place);
          assertEquals(await findBarriers(page), []);
          const overflow = await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
          assertEquals(overflow, 0);
          const [button, roles] = offers[place]!;
          if (button === null) return;
          const offered = page.getByRole("button", { name: button }).or(page.getByRole("link", { name: button }));
          assertEquals(await offered.count() > 0, roles.includes(role));
        });
      }
      assertEquals(visited.errors, []);
    }
  }
  await t.step("nobody has lost the role that they had", async () => {
    const { data } = await operator.from("coach_experts").select("role").eq("coach_id", tenant.coachId).throwOnError();
    assertEquals(data!.map(({ role }) => role), ["owner", "owner"]);
  });
});

Deno.test("on a phone, the panels that have no room in the bar are in its menu", async (t) => {
  await using site = await openSite();
  await using visited = await sitDown(site, { viewport: { width: 390, height: 844 }, place: "" });
  const { page } = visited;
  const more = page.getByRole("button", { name: en.desk.frame.more });
  const team = page.getByRole("link", { name: en.desk.frame.team });

  await t.step("a button opens it, and a link in it closes it", async () => {
    assertEquals(await team.isVisible(), false);
    await more.click();
    assertEquals(await more.getAttribute("aria-expanded"), "true");
    await team.click();
    await page.getByRole("heading", { level: 2, name: en.desk.team.title }).waitFor();
    await team.waitFor({ state: "hidden" });
  });

  await t.step("Escape closes it and returns the focus; so does looking elsewhere", async () => {
    await more.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assertEquals(
      await page.getByRole("link", { name: en.desk.frame.files }).evaluate((link) => link.matches(":focus")),
      true,
    );
    await page.keyboard.press("Escape");
    await team.waitFor({ state: "hidden" });
    assertEquals(await more.evaluate((button) => button.matches(":focus")), true);
    await more.click();
    await page.getByRole("heading", { level: 2, name: en.desk.team.title }).click();
    await team.waitFor({ state: "hidden" });
  });

  await t.step("every name fits", async () => {
    await more.click();
    const cut = await page.getByRole("navigation", { name: en.desk.frame.panels }).locator("span").evaluateAll((
      names,
    ) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent));
    assertEquals(cut, []);
  });
});
