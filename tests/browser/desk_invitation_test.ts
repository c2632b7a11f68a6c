import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { createUser, type User } from "../support/project.ts";
import { sitDown } from "./desk.ts";
import { openSite, type Visit, visit } from "./site.ts";
import { en, fill } from "./texts.ts";

const settings = "**/auth/v1/settings";

Deno.test("an invitation", async (t) => {
  await using site = await openSite();
  const { tenant, service, expert } = site;
  const owner = clientOf(service, { ...tenant, accessToken: expert.accessToken });
  const invite = async () => {
    const { id, token } = await owner.createInvitation(tenant.coachId, { role: "editor" });
    return { id, link: `${site.url}desk/#invitation=${token}` };
  };
  const signIn = async ({ page }: Visit, { email, password }: User) => {
    await page.getByLabel(en.shared.email).fill(email);
    await page.getByLabel(en.shared.password).fill(password);
    await page.getByRole("button", { name: en.shared.signIn }).click();
  };
  const expectInvitation = async ({ page }: Visit) =>
    await Promise.all([
      page.getByText(fill(en.desk.invitation.by, { email: expert.email })).waitFor(),
      page.getByText(fill(en.desk.invitation.toTeam, { name: "Ada Byron" })).waitFor(),
    ]);

  await t.step("has the user sign in where the project lets nobody sign up", async () => {
    await using visited = await visit("about:blank");
    const { page } = visited;
    await page.route(settings, (route) => route.fulfill({ json: { disable_signup: true, external: { email: true } } }));
    await page.goto((await invite()).link);
    await page.getByText(en.desk.invitation.signInOnly).waitFor();
    // The desk's own form is filled in with the demo's expert.
    assertEquals(await page.getByLabel(en.shared.email).inputValue(), "");
    assertEquals(await page.getByLabel(en.shared.password).inputValue(), "");
    await page.getByRole("button", { name: en.shared.forgotPassword }).waitFor();
    assertEquals(await page.getByRole("button", { name: en.desk.invitation.createAccount }).count(), 0);
  });

  await t.step(
    "is not lost while an email address is confirmed, and who sends such a link signs nobody in",
    async () => {
      const user = await createUser();
      await using visited = await visit((await invite()).link);
      const { page, context } = visited;
      // The project wants addresses to be confirmed.
      await page.route("**/auth/v1/signup*", (route) => route.fulfill({ json: { id: user.id, email: user.email } }));
      const request = page.waitForRequest("**/auth/v1/signup*");
      await page.getByRole("button", { name: en.desk.invitation.createAccount }).click();
      await page.getByLabel(en.shared.email).fill(user.email);
      await page.getByLabel(en.shared.password).fill(user.password);
      await page.getByRole("button", { name: en.desk.invitation.createAccount }).click();
      assertEquals(new URL((await request).url()).searchParams.get("redirect_to"), `${site.url}desk/`);
      await page.getByText(en.desk.invitation.confirmEmail).waitFor();

      const { accessToken, refreshToken } = await createUser();
      const mailed = await context.newPage();
      const tokens = `access_token=${accessToken}&refresh_token=${refreshToken}&expires_in=3600&type=signup`;
      await mailed.goto(`${site.url}desk/#${tokens}`);
      await mailed.getByText(en.desk.invitation.confirmed).waitFor();
      assertEquals(mailed.url(), `${site.url}desk/`);
      await signIn({ ...visited, page: mailed }, user);
      await expectInvitation({ ...visited, page: mailed });
      await mailed.getByText(fill(en.desk.invitation.signedInAs, { email: user.email })).waitFor();
      // The first tab goes on, too.
      await expectInvitation(visited);
      await mailed.getByRole("button", { name: en.desk.invitation.accept }).click();
      await mailed.getByRole("heading", { name: en.desk.overview.title }).waitFor();
      const { data } = await owner.listExperts(tenant.coachId);
      assertEquals(data.map(({ email, role }) => [email, role]), [[expert.email, "owner"], [user.email, "editor"]]);
    },
  );

  await t.step("can be accepted as somebody else than whoever is signed in", async () => {
    const user = await createUser();
    await using visited = await sitDown(site);
    const { page } = visited;
    const { link } = await invite();
    // In the tab in which the desk is open already.
    await page.evaluate((hash) => location.hash = hash, new URL(link).hash);
    await page.getByText(fill(en.desk.invitation.signedInAs, { email: expert.email })).waitFor();
    assertEquals(page.url(), `${site.url}desk/`);
    await page.getByRole("button", { name: en.desk.invitation.useAnother }).click();
    await signIn(visited, user);
    await expectInvitation(visited);
    await page.getByRole("button", { name: en.desk.invitation.accept }).click();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
    assert((await owner.listExperts(tenant.coachId)).data.some(({ email }) => email === user.email));
  });

  await t.step("that is declined is not asked about again", async () => {
    await using visited = await visit((await invite()).link);
    const { page } = visited;
    await signIn(visited, expert);
    await page.getByRole("button", { name: en.desk.invitation.keepOut }).click();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Ada Byron" }).waitFor();
    assertEquals(await page.evaluate(() => localStorage.getItem("human-desk invitation")), null);
  });

  await t.step("that was taken back says so, also while it is shown", async () => {
    const { id, link } = await invite();
    await using visited = await visit(link);
    const { page } = visited;
    await signIn(visited, await createUser());
    await expectInvitation(visited);
    await owner.deleteInvitation(tenant.coachId, id);
    await page.getByRole("button", { name: en.desk.invitation.accept }).click();
    await page.getByText(en.desk.errors.invitation_not_found).waitFor();
    await page.reload();
    await page.getByText(en.desk.errors.invitation_not_found).waitFor();
    await page.getByRole("button", { name: en.desk.invitation.goOn }).click();
    await page.getByRole("heading", { name: en.desk.frame.nobody }).waitFor();
  });
});
