import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { startBrowser } from "./browser.ts";
import { keepQuestion, sessionOf, sitDown } from "./desk.ts";
import { openSite, visit } from "./site.ts";

const file = { name: "Dogs.md", mimeType: "", buffer: Buffer.from("# Dogs\n\nDogs are welcome.\n") };

Deno.test("a colleague is invited, answers a question, becomes an editor, and is removed", async (t) => {
  await using browser = await startBrowser();
  await using site = await openSite();
  const { tenant, service } = site;
  const { threadId } = await keepQuestion(site, "ann", "May I bring my dog?");
  await using seated = await sitDown(browser, site, { place: "#team" });
  const owner = seated.page;
  const [email, password] = [`${crypto.randomUUID()}@example.com`, crypto.randomUUID()];
  const colleagueOf = (page: Page) => page.getByRole("article", { name: email });
  const ofOwner = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  let link = "";

  await t.step("the owner invites a colleague who answers, by a link, once", async () => {
    await owner.getByRole("radio", { name: /^Answerer/ }).check();
    await owner.getByRole("button", { name: "Create an invitation" }).dblclick();
    link = await owner.getByLabel("Link of the invitation").inputValue();
    assert(link.startsWith(`${site.url}desk/#invitation=hi_inv_`), link);
    await owner.getByRole("list", { name: "Open invitations" }).getByText("By link").waitFor();
    assertEquals((await ofOwner.listInvitations(tenant.coachId)).count, 1);
  });

  await using arrived = await visit(browser, link);
  const { page } = arrived;
  const status = page.getByRole("status");

  await t.step("whoever opens it is asked to sign in, and the token is not in the address any more", async () => {
    await page.getByRole("heading", { name: "You are invited" }).waitFor();
    await page.getByText("Please sign in to accept it, or create an account.").waitFor();
    assertEquals(page.url(), `${site.url}desk/`);
  });

  await t.step("creates an account, reads to what they are invited, and accepts", async () => {
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByText("You are invited to join the team of Ada Byron.").waitFor();
    await page.getByText("Your role: Answerer.").waitFor();
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    await page.getByRole("button", { name: "Accept" }).dblclick();
    await status.getByText("Welcome to the team of Ada Byron.").waitFor();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  });

  await t.step("reloading asks nothing again, and the link opens nothing for anybody else", async () => {
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await using late = await visit(browser, link);
    await late.page.getByLabel("Email").fill(site.visitor.email);
    await late.page.getByLabel("Password").fill(site.visitor.password);
    await late.page.getByRole("button", { name: "Sign in" }).click();
    await late.page.getByText("This invitation is not valid any more.").waitFor();
    await late.page.getByRole("button", { name: "Go to the desk" }).click();
    await late.page.getByRole("heading", { name: "You have no desk here" }).waitFor();
  });

  await t.step("the colleague answers a question, and the person gets the answer", async () => {
    await page.getByRole("list", { name: "Waiting for you" }).getByText("1 open question").click();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByLabel("Your answer").fill("Yes, do.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("No open questions").waitFor();
    const { data } = await ofOwner.listMessages(threadId, { include: "author" });
    assertEquals(data.at(-1)!.content, "Yes, do.");
  });

  await t.step("the owner reads there who has answered; the colleague is told that it was they", async () => {
    await page.goto(`${site.url}desk/#conversations/${threadId}`);
    await page.getByRole("article", { name: "Your pinned answer" }).getByText("Yes, do.").first().waitFor();
    await owner.goto(`${site.url}desk/#conversations/${threadId}`);
    await owner.getByRole("article", { name: `Pinned answer by ${email}` }).getByText("Yes, do.").first().waitFor();
    await owner.goto(`${site.url}desk/#team`);
  });

  await t.step(
    "cannot upload, publish, write other answers, or invite: the desk says why, the service refuses",
    async () => {
      await page.goto(`${site.url}desk/#files`);
      await page.getByText("An editor or an owner can add and delete files and websites.").waitFor();
      assertEquals(await page.getByRole("button", { name: "Choose files" }).count(), 0);
      await page.goto(`${site.url}desk/#answers`);
      await page.getByText("An editor or an owner can write, change and import all others.").waitFor();
      assertEquals(await page.getByRole("link", { name: "New answer" }).count(), 0);
      await page.goto(`${site.url}desk/#persona`);
      await page.getByRole("heading", { level: 2 }).waitFor();
      assertEquals(await page.getByRole("button", { name: /Publish/ }).count(), 0);
      await page.goto(`${site.url}desk/#team`);
      await page.getByText("Owners can invite colleagues and change roles.").waitFor();
      assertEquals(await page.getByRole("button", { name: "Create an invitation" }).count(), 0);
      assertEquals(await page.getByRole("combobox").count(), 0);

      const colleague = clientOf(service, { ...tenant, accessToken: (await sessionOf(page)).accessToken });
      const upload = () => colleague.uploadFiles(tenant.coachId, [new File([file.buffer], file.name)]);
      await assertRejects(upload, Error);
      await assertRejects(() => colleague.createInvitation(tenant.coachId, { role: "owner" }), Error);
    },
  );

  await t.step("is made an editor, and adds a file", async () => {
    await owner.reload();
    await colleagueOf(owner).getByRole("combobox", { name: `Role of ${email}` }).selectOption("editor");
    await owner.getByRole("status").getByText("The role was changed.").waitFor();
    await page.goto(`${site.url}desk/#files`);
    await page.reload();
    await page.locator("input[type=file]").setInputFiles([file]);
    const added = page.getByRole("article", { name: "Dogs.md" });
    await added.waitFor();
    await finishIndexing(service, tenant.coachId);
    await added.getByText("ready").waitFor();
    await page.goto(`${site.url}desk/#team`);
    await colleagueOf(page).getByText("Editor").first().waitFor();
    assertEquals(await page.getByRole("button", { name: "Create an invitation" }).count(), 0);
  });

  await t.step("the only owner can neither leave nor give up the role", async () => {
    const own = owner.getByRole("article", { name: site.expert.email });
    await own.getByText("You are the only owner.").waitFor();
    assertEquals([await own.getByRole("button").count(), await own.getByRole("combobox").count()], [0, 0]);
  });

  await t.step("is removed, and the desk says so at the next thing they do", async () => {
    await colleagueOf(owner).getByRole("button", { name: "Remove" }).click();
    await colleagueOf(owner).getByRole("group").getByRole("button", { name: "Remove" }).click();
    await owner.getByRole("status").getByText(`${email} is no longer on the team.`).waitFor();
    await colleagueOf(owner).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Questions/ }).click();
    await page.getByRole("heading", { name: "You are no longer on the team of Ada Byron." }).waitFor();
    await page.getByRole("button", { name: "Go to the desk" }).click();
    await page.getByRole("heading", { name: "You have no desk here" }).waitFor();
  });

  await t.step("nothing went wrong on the way", () => assertEquals([seated.errors, arrived.errors], [[], []]));
});
