import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { createUser, type User } from "../support/project.ts";
import { sharedBrowser } from "./browser.ts";
import { sitDown } from "./desk.ts";
import { openSite, type Visit, visit } from "./site.ts";

const settings = "**/auth/v1/settings";

Deno.test("an invitation", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  const { tenant, service, expert } = site;
  const owner = clientOf(service, { ...tenant, accessToken: expert.accessToken });
  const invite = async () => {
    const { id, token } = await owner.createInvitation(tenant.coachId, { role: "editor" });
    return { id, link: `${site.url}desk/#invitation=${token}` };
  };
  const signIn = async ({ page }: Visit, { email, password }: User) => {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const expectInvitation = async ({ page }: Visit) =>
    await page.getByText("You are invited to join the team of Ada Byron.").waitFor();

  await t.step("has the user sign in where the project lets nobody sign up", async () => {
    await using visited = await visit(browser, "about:blank");
    const { page } = visited;
    await page.route(settings, (route) => route.fulfill({ json: { disable_signup: true, external: { email: true } } }));
    await page.goto((await invite()).link);
    await page.getByText("Please sign in to accept it.").waitFor();
    await page.getByRole("button", { name: "Forgot password?" }).waitFor();
    assertEquals(await page.getByRole("button", { name: "Create an account" }).count(), 0);
  });

  await t.step(
    "is not lost while an email address is confirmed, and who sends such a link signs nobody in",
    async () => {
      const user = await createUser();
      await using visited = await visit(browser, (await invite()).link);
      const { page, context } = visited;
      // The project wants addresses to be confirmed.
      await page.route("**/auth/v1/signup*", (route) => route.fulfill({ json: { id: user.id, email: user.email } }));
      const request = page.waitForRequest("**/auth/v1/signup*");
      await page.getByRole("button", { name: "Create an account" }).click();
      await page.getByLabel("Email").fill(user.email);
      await page.getByLabel("Password").fill(user.password);
      await page.getByRole("button", { name: "Create an account" }).click();
      assertEquals(new URL((await request).url()).searchParams.get("redirect_to"), `${site.url}desk/`);
      await page.getByText("Please open the link in the email that we have sent you").waitFor();

      const { accessToken, refreshToken } = await createUser();
      const mailed = await context.newPage();
      const tokens = `access_token=${accessToken}&refresh_token=${refreshToken}&expires_in=3600&type=signup`;
      await mailed.goto(`${site.url}desk/#${tokens}`);
      await mailed.getByText("Your email address is confirmed.").waitFor();
      assertEquals(mailed.url(), `${site.url}desk/`);
      await signIn({ ...visited, page: mailed }, user);
      await expectInvitation({ ...visited, page: mailed });
      await mailed.getByText(`You are signed in as ${user.email}.`).waitFor();
      // The first tab goes on, too.
      await expectInvitation(visited);
      await mailed.getByRole("button", { name: "Accept" }).click();
      await mailed.getByRole("heading", { name: "Overview" }).waitFor();
      const { data } = await owner.listExperts(tenant.coachId);
      assertEquals(data.map(({ email, role }) => [email, role]), [[expert.email, "owner"], [user.email, "editor"]]);
    },
  );

  await t.step("can be accepted as somebody else than whoever is signed in", async () => {
    const user = await createUser();
    await using visited = await sitDown(browser, site);
    const { page } = visited;
    const { link } = await invite();
    // In the tab in which the desk is open already.
    await page.evaluate((hash) => location.hash = hash, new URL(link).hash);
    await page.getByText(`You are signed in as ${expert.email}.`).waitFor();
    assertEquals(page.url(), `${site.url}desk/`);
    await page.getByRole("button", { name: "Use another account" }).click();
    await signIn(visited, user);
    await expectInvitation(visited);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
    assert((await owner.listExperts(tenant.coachId)).data.some(({ email }) => email === user.email));
  });

  await t.step("that is declined is not asked about again", async () => {
    await using visited = await visit(browser, (await invite()).link);
    const { page } = visited;
    await signIn(visited, expert);
    await page.getByRole("button", { name: "Decline" }).click();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
    assertEquals(await page.evaluate(() => localStorage.getItem("human-desk invitation")), null);
  });

  await t.step("that was taken back says so, also while it is shown", async () => {
    const { id, link } = await invite();
    await using visited = await visit(browser, link);
    const { page } = visited;
    await signIn(visited, await createUser());
    await expectInvitation(visited);
    await owner.deleteInvitation(tenant.coachId, id);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("This invitation is not valid any more.").waitFor();
    await page.reload();
    await page.getByText("This invitation is not valid any more.").waitFor();
    await page.getByRole("button", { name: "Go to the desk" }).click();
    await page.getByRole("heading", { name: "You have no desk here" }).waitFor();
  });
});
