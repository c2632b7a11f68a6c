import type { Page } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { addExpert, createUser } from "../support/project.ts";
import { sitDown } from "./desk.ts";
import { assertSound } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { openSite, type Site, type Visit } from "./site.ts";
import { onceARun } from "../support/slow.ts";
import { en, startOf } from "./texts.ts";

const words = en.desk.conversations;

Deno.test("two experts work one inbox down to nothing", async (t) => {
  await using site = await openSite();
  const { tenant, service, expert, visitor } = site;
  const { colleague, user, person, ask } = await prepare(site);
  const [tea, boats] = [await ask("When is tea?"), await ask("Where are boats?")];
  await using one = await sitDown(site, { place: "#conversations" });
  await using other = await sitDown(site, { place: "#conversations", expert: visitor });
  const reads: string[] = [];
  other.page.on("request", (request) => {
    if (/\/experts$/.test(new URL(request.url()).pathname)) reads.push(request.method());
  });
  const fieldOf = ({ page }: typeof one) => page.getByRole("textbox", { name: words.yourMessage });

  await t.step("who it is: address, page without what may be secret, language, earlier chats", async () => {
    const { page } = one;
    await listOf(one).getByRole("link", { name: new RegExp(`${words.unread}.*When is tea`) }).click();
    await page.getByRole("banner").or(page.locator("header")).getByText(user.email).first().waitFor();
    await page.getByText("shop.example/tea", { exact: true }).waitFor();
    await page.getByText("Brazilian Portuguese").waitFor();
    await page.getByText(/^2 chats, the first on /).waitFor();
  });

  await t.step("assigned and annotated by one, seen by the other at once", async () => {
    await one.page.getByLabel(words.assignedTo).selectOption("Jon Ekdal");
    await listOf(one).getByText(words.ofColleague).waitFor();
    await one.page.getByRole("button", { name: words.addNote }).click();
    await one.page.getByRole("textbox", { name: words.note }).fill("Call back on Monday");
    await one.page.getByRole("button", { name: words.saveNote }).click();
    await listOf(other).getByText(words.yours).waitFor();
    await listOf(other).getByRole("link", { name: /When is tea/ }).click();
    await other.page.getByText("Call back on Monday").waitFor();
    assertEquals((await colleague.getConversation(tenant.coachId, tea)).note, "Call back on Monday");
  });

  await t.step("by keys: next, close, until nothing is left", async () => {
    const { page } = other;
    await page.getByRole("log").click();
    await page.keyboard.press("e");
    await page.getByRole("status").getByText(words.closed).waitFor();
    await listOf(other).getByText("When is tea?").waitFor({ state: "detached" });
    await page.getByRole("button", { name: words.reopen }).waitFor();
    await page.getByRole("link", { name: words.keyNext }).waitFor();
    const goOn = await holdBack(page, `**/coaches/*/threads/${boats}`);
    await page.keyboard.press("j");
    await page.getByRole("log").getByText("Where are boats?").waitFor();
    assertEquals(new URL(page.url()).hash, `#conversations/${boats}`);
    await page.keyboard.press("e");
    goOn();
    await page.getByText(words.allDone).waitFor();
    assertEquals(await page.getByRole("link", { name: words.keyNext }).count(), 0);
    assertEquals(reads, ["GET"], "two conversations were opened: the experts are the same");
    await one.page.getByText(words.allDone).waitFor();
  });

  await t.step("what was closed is kept in the address, and a new question opens it again", async () => {
    const { page } = one;
    await page.getByRole("button", { name: words.closedOnes }).click();
    await listOf(one).getByText("When is tea?").waitFor();
    await page.reload();
    await listOf(one).getByText("When is tea?").waitFor();
    await ask("And on Sundays?", tea);
    await listOf(other).getByText("When is tea?").waitFor();
  });

  await t.step("who waits is listed as waiting, also after the conversation was closed", async () => {
    const harbor = await ask("Where is the harbor?");
    await person.askExpert(harbor, { question: "May I come along?" });
    await colleague.updateConversation(tenant.coachId, harbor, { is_closed: true });
    await one.page.goto(`${site.url}desk/#conversations`);
    await one.page.getByRole("button", { name: words.needsReply }).click();
    await listOf(one).getByText(words.tagClosed).waitFor();
  });

  await t.step("what one has saved, the other puts into a reply, which is not sent by itself", async () => {
    await listOf(other).getByRole("link", { name: /When is tea/ }).click();
    // The conversation before has such a field, too.
    await other.page.getByRole("log").getByText("When is tea?").waitFor();
    await fieldOf(other).fill("At four, as always.");
    await other.page.getByText(words.replies, { exact: true }).click();
    await other.page.getByRole("textbox", { name: words.replyName }).fill("Tea");
    await other.page.getByRole("button", { name: words.saveReply }).click();
    await other.page.getByRole("status").getByText(words.replySaved).waitFor();
    await one.page.goto(`${site.url}desk/#conversations/${boats}`);
    await one.page.getByText(words.replies, { exact: true }).click();
    await one.page.getByRole("button", { name: /Insert .?Tea/ }).click();
    assertEquals(await fieldOf(one).inputValue(), "At four, as always.");
    assertEquals((await person.listMessages(boats)).count, 2);
    await one.page.getByRole("button", { name: /^Rename .?Tea/ }).click();
    await one.page.keyboard.type("Tea time");
    await one.page.keyboard.press("Enter");
    await one.page.getByRole("button", { name: /Insert .?Tea time/ }).waitFor();
    assertEquals((await colleague.listReplies(tenant.coachId)).data.map(({ name }) => name), ["Tea time"]);
  });

  await t.step("a draft is put below what one has written, with its sources, to be edited and sent", async () => {
    const { page } = one;
    const field = fieldOf(one);
    service.model.script(tenant.modelName, { steps: [{ text: "They lie in the harbor [1]." }] });
    await field.fill("Hello!");
    await page.getByRole("button", { name: words.draftReply }).click();
    await page.getByRole("status").getByText(words.draftedFrom).waitFor();
    assertEquals(await field.inputValue(), "Hello!\n\nThey lie in the harbor.");
    await page.getByRole("button", { name: "Boats.md" }).click();
    await page.getByRole("dialog").getByText("The boats lie in the harbor.").first().waitFor();
    await page.keyboard.press("Escape");
    assertEquals((await person.listMessages(boats)).count, 2);
    await field.press("End");
    await field.press("Enter");
    await page.getByRole("status").getByText(words.draftedFrom).waitFor({ state: "detached" });
    const { data } = await person.listMessages(boats, { include: "author,sources" });
    const { author, content, sources = [] } = data.at(-1)!;
    assertEquals([author, content, sources], ["expert", "Hello!\n\nThey lie in the harbor.", []]);
    // By its key; a model that fails leaves what was written.
    service.model.script(tenant.modelName, { steps: [{ status: 401 }] });
    await field.fill("Well");
    await page.getByRole("log").click();
    await page.keyboard.press("d");
    await page.getByRole("alert").waitFor();
    assertEquals(await field.inputValue(), "Well");
    assertEquals(one.errors.splice(0).length, 1);
  });

  await t.step("the list of keys, also for who came by the navigation; it switches them off", async () => {
    const { page } = other;
    await page.getByRole("link", { name: startOf(en.desk.frame.conversations) }).click();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: words.shortcuts });
    await dialog.getByText(words.keyAssign).waitFor();
    await dialog.getByRole("checkbox", { name: words.shortcutsOn }).uncheck();
    await dialog.getByRole("button", { name: en.shared.close }).click();
    const { hash } = new URL(page.url());
    await page.keyboard.press("j");
    assertEquals(new URL(page.url()).hash, hash);
    assertEquals([one.errors, other.errors], [[], []]);
  });

  for (const { name, options } of onceARun(looks, { salt: "inbox" })) {
    await t.step(`nothing is cut off and nobody is shut out, at ${name}`, async () => {
      await using visited = await sitDown(site, { ...options, place: `#conversations/${tea}`, expert });
      await visited.page.getByText("Call back on Monday").waitFor();
      await assertSound(visited.page, name);
    });
  }
});

Deno.test("what the inbox says of who waits and who answers", async (t) => {
  await using site = await openSite();
  const { tenant, expert } = site;
  const { colleague, person, ask } = await prepare(site);
  const [boats, harbor] = [await ask("Where are boats?"), await ask("Where is the harbor?")];
  await using one = await sitDown(site, { place: "#conversations" });
  const { page } = one;

  await t.step("nothing is done as long as somebody waits, also in a conversation that was closed", async () => {
    await person.askExpert(harbor, { question: "May I come along?" });
    for (const id of [harbor, boats]) await colleague.updateConversation(tenant.coachId, id, { is_closed: true });
    await page.getByText(words.stillWaiting).waitFor();
    assertEquals(await page.getByText(words.allDone).count(), 0);
    await page.getByRole("link", { name: words.stillWaitingShow }).click();
    await listOf(one).getByRole("link", { name: /Where is the harbor/ }).click();
    await page.getByRole("button", { name: words.reopen }).click();
    await page.getByRole("button", { name: words.close, exact: true }).click();
    await page.getByRole("status").getByText(words.closedWaiting).waitFor();
  });

  await t.step("who answers in person is named to the others, who can take over in turn", async () => {
    const bar = page.locator("human-desk-in-person").getByRole("status").first();
    await colleague.takeOver(boats);
    await page.goto(`${site.url}desk/#conversations/${boats}`);
    await bar.getByText("Jon Ekdal").waitFor();
    await bar.getByText(startOf(words.colleagueAnswersUntil, { name: /.*/ })).waitFor();
    await page.getByRole("button", { name: words.takeOver }).click();
    await bar.getByText(words.you, { exact: true }).waitFor();
    assertEquals((await colleague.getConversation(tenant.coachId, boats)).taken_over_by, expert.id);
    await page.getByRole("button", { name: words.handBack }).click();
    await page.getByRole("button", { name: words.takeOver }).waitFor();
    assertEquals((await colleague.getConversation(tenant.coachId, boats)).taken_over_by, null);
  });

  await t.step("what one has done oneself shows at once, and the notice of it covers no control", async () => {
    await colleague.updateConversation(tenant.coachId, boats, { is_closed: false });
    const item = listOf(one).getByRole("link", { name: /Where are boats/ });
    await item.waitFor();
    await page.getByRole("button", { name: words.close, exact: true }).waitFor();
    // No pause ends any more.
    await page.clock.install();
    // Far enough ahead: the clock of the page goes on until it hears of it, and cannot go back.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("button", { name: words.close, exact: true }).click();
    const notice = page.getByRole("status").filter({ hasText: words.closed });
    await notice.waitFor();
    await item.waitFor({ state: "detached" });
    const [shown, button] = [await notice.boundingBox(), page.getByRole("button", { name: words.draftReply })];
    assert(shown!.y + shown!.height < (await button.boundingBox())!.y, "the notice is above what one writes");
    assertEquals(await notice.evaluate((element) => getComputedStyle(element).pointerEvents), "none");
    await notice.getByRole("button", { name: en.desk.frame.undo }).click();
    await item.waitFor();
    await page.clock.resume();
    assertEquals(one.errors, []);
  });
});

const listOf = ({ page }: Pick<Visit, "page">) => page.getByRole("list", { name: words.title });

/** A colleague of the expert, and a person who asks. */
async function prepare({ tenant, service, visitor }: Site) {
  await addExpert(tenant.coachId, visitor, "answerer");
  await addFile(tenant, "Boats.md", "The boats lie in the harbor.");
  const colleague = clientOf(service, { ...tenant, accessToken: visitor.accessToken });
  await colleague.saveExpertFace(tenant.coachId, { name: "Jon Ekdal" });
  const user = await createUser();
  const person = clientOf(service, { ...tenant, accessToken: user.accessToken });
  const ask = async (message: string, thread_id?: string) => {
    service.model.script(tenant.modelName, { steps: [{ text: "So it is." }] });
    const context = { page_url: "https://shop.example/tea?secret=1", language: "pt-BR" };
    const answer = await person.chat({ message, thread_id, context: { coachId: tenant.coachId, ...context } });
    await Array.fromAsync(answer);
    return answer.threadId;
  };
  return { colleague, user, person, ask };
}

/** Holds reads back until the function is called that is returned: whoever is quick presses keys meanwhile. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === "GET") await promise;
    await route.continue();
  });
  return resolve;
}
