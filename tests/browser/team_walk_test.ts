import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { goTo, keepQuestion, sessionOf, sitDown } from "./desk.ts";
import { openSite, visit } from "./site.ts";
import { en, fill, plural, startOf } from "./texts.ts";

const file = { name: "Dogs.md", mimeType: "", buffer: Buffer.from("# Dogs\n\nDogs are welcome.\n") };

Deno.test("a colleague is invited, answers a question, becomes an editor, and is removed", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const { threadId } = await keepQuestion(site, "ann", "May I bring my dog?");
  await using seated = await sitDown(site, { place: "#team" });
  const owner = seated.page;
  const [email, password] = [`${crypto.randomUUID()}@example.com`, crypto.randomUUID()];
  const colleagueOf = (page: Page) => page.getByRole("article", { name: email });
  const ofOwner = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  let link = "";

  await t.step("the owner invites a colleague who answers, by a link, once", async () => {
    await owner.getByRole("radio", { name: startOf(en.desk.team.answerer) }).check();
    await owner.getByRole("button", { name: en.desk.team.makeLink }).dblclick();
    link = await owner.getByLabel(en.desk.team.link).inputValue();
    assert(link.startsWith(`${site.url}desk/#invitation=hi_inv_`), link);
    await owner.getByRole("list", { name: en.desk.team.invitations }).getByText(en.desk.team.forLink).waitFor();
    assertEquals((await ofOwner.listInvitations(tenant.coachId)).count, 1);
  });

  await using arrived = await visit(link);
  const { page } = arrived;
  const status = page.getByRole("status");

  await t.step("whoever opens it is asked to sign in, and the token is not in the address any more", async () => {
    await page.getByRole("heading", { name: en.desk.invitation.title }).waitFor();
    await page.getByText(en.desk.invitation.signInFirst).waitFor();
    assertEquals(page.url(), `${site.url}desk/`);
  });

  await t.step("creates an account, reads to what they are invited, and accepts", async () => {
    await page.getByRole("button", { name: en.desk.invitation.createAccount }).click();
    await page.getByLabel(en.shared.email).fill(email);
    await page.getByLabel(en.shared.password).fill(password);
    await page.getByRole("button", { name: en.desk.invitation.createAccount }).click();
    await page.getByText(fill(en.desk.invitation.toTeam, { name: "Ada Byron" })).waitFor();
    await page.getByText(fill(en.desk.invitation.asRole, { role: en.desk.team.answerer })).waitFor();
    await page.getByText(fill(en.desk.invitation.signedInAs, { email })).waitFor();
    await page.getByRole("button", { name: en.desk.invitation.accept }).dblclick();
    await status.getByText(fill(en.desk.invitation.welcome, { name: "Ada Byron" })).waitFor();
    await page.getByRole("heading", { name: en.desk.overview.title }).waitFor();
  });

  await t.step("reloading asks nothing again, and the link opens nothing for anybody else", async () => {
    await page.reload();
    await page.getByRole("heading", { name: en.desk.overview.title }).waitFor();
    await using late = await visit(link);
    await late.page.getByLabel(en.shared.email).fill(site.visitor.email);
    await late.page.getByLabel(en.shared.password).fill(site.visitor.password);
    await late.page.getByRole("button", { name: en.shared.signIn }).click();
    await late.page.getByText(en.desk.errors.invitation_not_found).waitFor();
    await late.page.getByRole("button", { name: en.desk.invitation.goOn }).click();
    await late.page.getByRole("heading", { name: en.desk.frame.nobody }).waitFor();
  });

  await t.step("the colleague answers a question, and the person gets the answer", async () => {
    await page.getByRole("list", { name: en.desk.overview.next }).getByText(
      plural(en.desk.overview.openQuestions, 1),
    ).click();
    await page.getByRole("button", { name: en.desk.questions.answer }).click();
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Yes, do.");
    await page.keyboard.press("Control+Enter");
    await page.getByText(en.desk.questions.emptyOpen).waitFor();
    const { data } = await ofOwner.listMessages(threadId, { include: "author" });
    assertEquals(data.at(-1)!.content, "Yes, do.");
  });

  await t.step("the owner reads there who has answered; the colleague is told that it was they", async () => {
    await page.goto(`${site.url}desk/#conversations/${threadId}`);
    await page.getByRole("article", { name: en.desk.conversations.authorPinned }).getByText("Yes, do.").first()
      .waitFor();
    await owner.goto(`${site.url}desk/#conversations/${threadId}`);
    await owner.getByRole("article", { name: fill(en.desk.conversations.authorColleaguePinned, { name: email }) })
      .getByText("Yes, do.").first().waitFor();
    await owner.goto(`${site.url}desk/#team`);
  });

  await t.step(
    "cannot upload, publish, write other answers, or invite: the desk says why, the service refuses",
    async () => {
      await page.goto(`${site.url}desk/#files`);
      await page.getByText(en.desk.team.files).waitFor();
      assertEquals(await page.getByRole("button", { name: en.desk.files.choose }).count(), 0);
      await page.goto(`${site.url}desk/#answers`);
      await page.getByText(en.desk.team.answers).waitFor();
      assertEquals(await page.getByRole("link", { name: en.desk.answers.new }).count(), 0);
      await goTo(page, site, "persona");
      assertEquals(await page.getByRole("button", { name: en.desk.persona.publish }).count(), 0);
      await page.goto(`${site.url}desk/#team`);
      await page.getByText(en.desk.team.onlyOwners).waitFor();
      assertEquals(await page.getByRole("button", { name: en.desk.team.makeLink }).count(), 0);
      assertEquals(await page.getByRole("combobox").count(), 0);

      const colleague = clientOf(service, { ...tenant, accessToken: (await sessionOf(page)).accessToken });
      const upload = () => colleague.uploadFiles(tenant.coachId, [new File([file.buffer], file.name)]);
      await assertRejects(upload, Error);
      await assertRejects(() => colleague.createInvitation(tenant.coachId, { role: "owner" }), Error);
    },
  );

  await t.step("is made an editor, and adds a file", async () => {
    await owner.reload();
    await colleagueOf(owner).getByRole("combobox", { name: fill(en.desk.team.roleOf, { email }) }).selectOption(
      "editor",
    );
    await owner.getByRole("status").getByText(en.desk.team.changed).waitFor();
    await page.goto(`${site.url}desk/#files`);
    await page.reload();
    await page.locator("input[type=file]").setInputFiles([file]);
    const added = page.getByRole("article", { name: "Dogs.md" });
    await added.waitFor();
    await finishIndexing(service, tenant.coachId);
    await added.getByText(en.desk.files.readyTag).waitFor();
    await page.goto(`${site.url}desk/#team`);
    await colleagueOf(page).getByText(en.desk.team.editor).first().waitFor();
    assertEquals(await page.getByRole("button", { name: en.desk.team.makeLink }).count(), 0);
  });

  await t.step("the only owner can neither leave nor give up the role", async () => {
    const own = owner.getByRole("article", { name: site.expert.email });
    await own.getByText(en.desk.team.lastOwner).waitFor();
    assertEquals([await own.getByRole("button").count(), await own.getByRole("combobox").count()], [0, 0]);
  });

  await t.step("is removed, and the desk says so at the next thing they do", async () => {
    await colleagueOf(owner).getByRole("button", { name: en.desk.parts.remove }).click();
    await colleagueOf(owner).getByRole("group").getByRole("button", { name: en.desk.parts.remove }).click();
    await owner.getByRole("status").getByText(fill(en.desk.team.removed, { email })).waitFor();
    await colleagueOf(owner).waitFor({ state: "detached" });
    await page.getByRole("link", { name: startOf(en.desk.frame.questions) }).click();
    await page.getByRole("heading", { name: fill(en.desk.team.youAreOut, { name: "Ada Byron" }) }).waitFor();
    await page.getByRole("button", { name: en.desk.invitation.goOn }).click();
    await page.getByRole("heading", { name: en.desk.frame.nobody }).waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals([seated.errors, arrived.errors], [[], []]));
});
