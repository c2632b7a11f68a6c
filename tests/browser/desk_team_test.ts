import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { operator } from "../support/project.ts";
import { onceARun } from "../support/slow.ts";
import { sharedBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite, type Site } from "./site.ts";

/** Makes a user an expert, as if an invitation had been accepted. */
async function addExpert({ tenant }: Site, userId: string, role: string): Promise<void> {
  const expert = { coach_id: tenant.coachId, account_id: tenant.accountId, user_id: userId, role };
  await operator.from("coach_experts").insert(expert).throwOnError();
}

Deno.test("the team", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant, service, expert, visitor } = site;
  const owner = clientOf(service, { ...tenant, accessToken: expert.accessToken });
  await using visited = await sitDown(browser, site, {
    place: "#team",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = visited;
  const status = page.getByRole("status");
  const open = page.getByRole("list", { name: "Open invitations" });

  await t.step("the link of an invitation is copied", async () => {
    await page.getByRole("radio", { name: /^Editor/ }).check();
    await page.getByRole("button", { name: "Create an invitation" }).click();
    await page.getByRole("button", { name: "Copy the link" }).click();
    await status.getByText("Copied.").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assertEquals(copied, await page.getByLabel("Link of the invitation").inputValue());
    const { data } = await owner.listInvitations(tenant.coachId);
    assertEquals(data.map(({ role }) => role), ["editor"]);
  });

  await t.step("an email address is only asked for where the service can send mail", async () => {
    await page.getByText("This service cannot send email yet. Please send the link yourself.").waitFor();
    assertEquals(await page.getByLabel("Email (optional)").count(), 0);
    const settings = { ...await owner.getExpertMail(tenant.coachId), is_available: true };
    await page.route("**/experts/me/mail", (route) => route.fulfill({ json: settings }));
    await page.reload();
    await page.getByLabel("Email (optional)").fill("ben@example.com");
    await page.getByRole("button", { name: "Create an invitation" }).click();
    await page.getByText("It is also on its way to ben@example.com.").waitFor();
    await open.getByText("For ben@example.com").waitFor();
    await page.unrouteAll();
  });

  await t.step("the link is gone after a reload; the invitation can be revoked", async () => {
    await page.reload();
    await open.getByText("By link").waitFor();
    assertEquals(await page.getByLabel("Link of the invitation").count(), 0);
    const item = open.getByRole("listitem").filter({ hasText: "For ben@example.com" });
    await item.getByRole("button", { name: "Revoke" }).click();
    await item.getByRole("group").getByRole("button", { name: "Revoke" }).click();
    await status.getByText("Revoked. The link does not work any more.").waitFor();
    await item.waitFor({ state: "detached" });
    assertEquals((await owner.listInvitations(tenant.coachId)).count, 1);
  });

  await t.step("an owner may leave once there is another one", async () => {
    const own = page.getByRole("article", { name: expert.email });
    await own.getByText("You are the only owner.").waitFor();
    await addExpert(site, visitor.id, "answerer");
    await page.reload();
    await page.getByRole("combobox", { name: `Role of ${visitor.email}` }).selectOption("Owner");
    await status.getByText("The role was changed.").waitFor();
    await own.getByRole("button", { name: "Leave the team" }).waitFor();
    assertEquals((await owner.listExperts(tenant.coachId)).data.map(({ role }) => role), ["owner", "owner"]);
  });

  await t.step("by keyboard alone: who leaves has to confirm it, and is out", async () => {
    await page.getByRole("article", { name: expert.email }).getByRole("button", { name: "Leave the team" }).focus();
    await page.keyboard.press("Enter");
    // Pressing Enter twice changes nothing.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("Leave the team of Ada Byron? Only an owner can invite you again.").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are no longer on the team of Ada Byron." }).waitFor();
    assertEquals(visited.errors, []);
  });
});

Deno.test("what each role sees", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant, visitor } = site;
  await addExpert(site, visitor.id, "answerer");
  /** The panels, and which roles are offered what in them. */
  const offers: Record<string, [button: string | null, roles: string[]]> = {
    "overview": [null, []],
    "files": ["Choose files", ["editor", "owner"]],
    "files/websites": ["Add", ["editor", "owner"]],
    "answers": ["New answer", ["editor", "owner"]],
    "tests": ["New test", ["editor", "owner"]],
    "team": ["Create an invitation", ["owner"]],
    "team/notices": [null, []],
  };
  for (const role of ["answerer", "editor", "owner"]) {
    await operator.from("coach_experts").update({ role }).eq("user_id", visitor.id).throwOnError();
    for (const { name, options } of onceARun(looks, { salt: role })) {
      await using visited = await sitDown(browser, site, { ...options, expert: visitor });
      const { page } = visited;
      for (const place of Object.keys(offers)) {
        await t.step(`${place} as ${role} at ${name}: no serious barrier, and only what the role allows`, async () => {
          await page.goto(`${site.url}desk/#${place}`);
          await page.getByRole("heading", { level: 2 }).first().waitFor();
          await page.getByText("Loading…").first().waitFor({ state: "detached" });
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
  const browser = await sharedBrowser();
  await using site = await openSite();
  await using visited = await sitDown(browser, site, { viewport: { width: 390, height: 844 }, place: "" });
  const { page } = visited;
  const more = page.getByRole("button", { name: "More" });
  const team = page.getByRole("link", { name: "Team" });

  await t.step("a button opens it, and a link in it closes it", async () => {
    assertEquals(await team.isVisible(), false);
    await more.click();
    assertEquals(await more.getAttribute("aria-expanded"), "true");
    await team.click();
    await page.getByRole("heading", { level: 2, name: "Team" }).waitFor();
    await team.waitFor({ state: "hidden" });
  });

  await t.step("Escape closes it and returns the focus; so does looking elsewhere", async () => {
    await more.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assertEquals(await page.getByRole("link", { name: "Files" }).evaluate((link) => link.matches(":focus")), true);
    await page.keyboard.press("Escape");
    await team.waitFor({ state: "hidden" });
    assertEquals(await more.evaluate((button) => button.matches(":focus")), true);
    await more.click();
    await page.getByRole("heading", { level: 2, name: "Team" }).click();
    await team.waitFor({ state: "hidden" });
  });

  await t.step("every name fits", async () => {
    await more.click();
    const cut = await page.getByRole("navigation", { name: "Desk" }).locator("span").evaluateAll((names) =>
      names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent)
    );
    assertEquals(cut, []);
  });
});
