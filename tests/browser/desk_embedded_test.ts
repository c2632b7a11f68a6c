/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import { bundleScripts, contentSecurityPolicy } from "../../supabase/commands/page/build_page.ts";
import { assertEquals } from "../support/assert.ts";
import { clientOf, gatewayOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { issuePublishableKey } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { keepQuestion } from "./desk.ts";
import { openSite, visit } from "./site.ts";
import { en, plural } from "./texts.ts";

Deno.test("the desk on a site that signs its users in", async (t) => {
  await using site = await openSite();
  const { tenant, expert } = site;
  await using project = serve(gatewayOf(site.service.url));
  const scripts = await bundleScripts();
  await using host = serve(({ url }) => {
    const { pathname } = new URL(url);
    const script = scripts.get(pathname.slice(1));
    if (script !== undefined) return new Response(script, { headers: { "Content-Type": "text/javascript" } });
    const names = pathname === "/both" ? ["human-chat.js", "human-desk.js"] : ["human-desk.js"];
    const tags = names.map((name) => `<script type="module" src="/${name}"></script>`).join("");
    const headers = new Headers({ "Content-Type": "text/html" });
    if (pathname === "/") headers.set("Content-Security-Policy", contentSecurityPolicy(project.url));
    return new Response(`<!doctype html><title>Mine</title>${tags}<h1>Mine</h1>`, { headers });
  });
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { origins: [host.url] });
  const { threadId } = await keepQuestion(site, "ann", "May I bring my dog?");
  await addFile(tenant, "Sleep.pdf", { content: "A cold bedroom helps you and your dog sleep.", page: 3 });
  const ofExpert = clientOf(site.service, { ...tenant, accessToken: expert.accessToken });

  await using visited = await visit(`${host.url}/#questions`);
  const { page } = visited;
  await page.evaluate(({ baseUrl, key, token }) => {
    const desk = document.createElement("human-desk");
    Object.assign(desk, { baseUrl, key, accessToken: () => Promise.resolve(token) });
    document.body.append(desk);
  }, { baseUrl: project.url, key: publishableKey, token: expert.accessToken });

  await t.step("opens without a form, and stores no session", async () => {
    await page.getByRole("article", { name: "May I bring my dog?" }).waitFor();
    assertEquals(await page.getByRole("button", { name: en.desk.frame.signOut }).count(), 0);
    assertEquals(await page.evaluate(() => localStorage.length), 0);
    assertEquals(await visited.context.cookies(), []);
  });

  await t.step("answers, changes and deletes from another origin", async () => {
    await page.getByRole("button", { name: en.desk.questions.answer }).click();
    await page.getByLabel(en.desk.parts.yourAnswer).fill("Yes.");
    await page.keyboard.press("Control+Enter");
    await page.getByText(en.desk.questions.emptyOpen).waitFor();
    await page.getByRole("link", { name: en.desk.frame.answers, exact: true }).click();
    await page.getByRole("link", { name: "May I bring my dog?" }).click();
    await page.getByRole("button", { name: en.desk.answers.switchOff }).click();
    await page.getByRole("button", { name: en.desk.answers.switchOn }).waitFor();
    await page.getByRole("button", { name: en.desk.parts.delete }).click();
    await page.getByRole("group", { name: en.desk.answers.allVersions }).getByRole("button", {
      name: en.desk.parts.delete,
    }).click();
    await page.getByText(en.desk.answers.empty).waitFor();
  });

  await t.step("bars a passage, and sends a file", async () => {
    await page.getByRole("link", { name: en.desk.frame.files, exact: true }).click();
    await page.getByRole("searchbox", { name: en.desk.files.search }).fill("cold bedroom");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: en.desk.parts.bar }).click();
    await page.getByRole("button", { name: en.desk.parts.allow }).click();
    await page.getByRole("button", { name: en.desk.parts.bar }).waitFor();
    assertEquals((await ofExpert.listBarredPassages(tenant.coachId)).count, 0);
    const buffer = Buffer.from("Owls sleep by day.");
    await page.locator("input[type=file]").setInputFiles([{ name: "owls.txt", mimeType: "", buffer }]);
    await page.getByText(plural(en.desk.files.uploaded, 1)).waitFor();
    assertEquals((await ofExpert.searchFiles({ coachId: tenant.coachId })).count, 2);
  });

  await t.step("talks in person", async () => {
    await page.evaluate((hash) => location.hash = hash, `#conversations/${threadId}`);
    await page.getByRole("textbox", { name: en.desk.conversations.yourMessage }).fill("It is me.");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: en.desk.conversations.authorExpert }).getByText("It is me.").waitFor();
  });

  await t.step("is refused to a user who is not the expert, in the same words", async () => {
    await page.evaluate((token) => {
      const desk = document.querySelector("human-desk")!;
      Object.assign(desk, { accessToken: () => Promise.resolve(token) });
    }, site.visitor.accessToken);
    await page.getByRole("heading", { name: en.desk.frame.nobody }).waitFor();
  });

  await t.step("says plainly that a secret key was put into the page", async () => {
    await page.evaluate(() => Object.assign(document.querySelector("human-desk")!, { key: "hi_live_x" }));
    await page.getByText("A page needs a publishable key").waitFor();
  });

  await t.step("stands beside the chat in one page", async () => {
    await using visited = await visit(`${host.url}/both`);
    const isDefined = await visited.page.evaluate(async () => {
      await Promise.all(["human-chat", "human-desk"].map((name) => customElements.whenDefined(name)));
      return customElements.get("human-sign-in") !== undefined;
    });
    assertEquals([isDefined, visited.errors], [true, []]);
  });

  await t.step(
    "nothing went wrong on the way, and nobody but the project was asked",
    () => assertEquals([visited.errors, [...visited.origins]], [[], [host.url, project.url]]),
  );
});
