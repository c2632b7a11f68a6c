/// <reference lib="dom" />
import { Buffer } from "node:buffer";
import jsQR from "jsqr";
import type { Locator } from "playwright-core";
import { createOfflineModel } from "../../supabase/platform/offline_model.ts";
import { runAdmin } from "../commands/admin/run_admin.ts";
import { assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { finishIndexing } from "../support/knowledge.ts";
import { serve } from "../support/serve.ts";
import { onceARun } from "../support/slow.ts";
import { endedAnswers, watchRequests } from "./chat.ts";
import { sessionOf } from "./desk.ts";
import { assertSound } from "./find_barriers.ts";
import { openSite, visit } from "./site.ts";
import { fill, languagesOfWalks, startOf, whole } from "./texts.ts";

const name = "Nora Holm";
const greeting = "Hello, I am Nora. How do you sleep?";
const question = "How many degrees should a bedroom have?";
const known = "A bedroom should have sixteen degrees at night.";
const file = { name: "Sleep.md", mimeType: "", buffer: Buffer.from(`# Bedrooms\n\n${known}\n`) };

/** Reads a QR code from its picture, as a camera does. */
async function scan(code: Locator): Promise<string | undefined> {
  const picture = (await code.screenshot()).toString("base64");
  // The desk shows no pictures of other places.
  const camera = await code.page().context().newPage();
  const { data, width, height } = await camera.evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
    return { data: [...data], width, height };
  }, picture);
  await camera.close();
  return (jsQR as unknown as typeof import("jsqr").default)(new Uint8ClampedArray(data), width, height)?.data;
}

for (const { locale, texts: { desk: words, shared, chat } } of onceARun(languagesOfWalks, { salt: "own persona" })) {
  Deno.test(`from an invitation to a persona of one's own that a phone talks to, in ${locale}`, async (t) => {
    await using model = serve(createOfflineModel());
    await using site = await openSite({}, undefined, {
      ...{ hasCards: true, isChosen: true },
      env: { OPENAI_BASE_URL: `${model.url}/v1` },
    });
    const { tenant, service } = site;
    const { token } = (await runAdmin(["expert", "invite", "--account", tenant.accountId, "--json"])).json();
    await using visited = await visit(`${site.url}desk/#invitation=${token}`, { locale });
    await using phone = await visit("about:blank", { locale, viewport: { width: 390, height: 844 } });
    const { page } = visited;
    const requests = watchRequests(phone.page);
    const step = (name: string) =>
      page.getByRole("region", { name: words.overview.steps }).getByRole("link", { name, exact: true });
    const draft = page.getByRole("group", { name: words.persona.draft, exact: true });
    const stepsDone = (done: number) =>
      page.getByText(fill(words.overview.stepsDone, { done, all: 6 }, locale)).waitFor();
    const toOverview = async (done: number) => {
      await page.getByRole("link", { name: words.frame.overview }).click();
      await stepsDone(done);
    };
    let [coachId, slug] = ["", ""];

    await t.step("signs up, and says who the persona is", async () => {
      const createAccount = page.getByRole("button", { name: words.invitation.createAccount });
      await createAccount.click();
      await page.getByLabel(shared.email).fill(`${crypto.randomUUID()}@example.com`);
      await page.getByLabel(shared.password).fill(crypto.randomUUID());
      await assertSound(page, "account");
      await createAccount.click();
      await page.getByText(words.invitation.toOwn).waitFor();
      await page.getByLabel(words.invitation.name).fill(name);
      await page.getByLabel(words.invitation.profession).fill("Sleep coach");
      await assertSound(page, "invitation");
      await page.getByRole("button", { name: words.invitation.make }).dblclick();
      await page.getByRole("heading", { name }).waitFor();
      await stepsDone(0);
      await page.getByRole("banner").getByText(words.team.notPublished).waitFor();
      await assertSound(page, "first steps");
    });

    const desk = clientOf(service, { ...tenant, accessToken: (await sessionOf(page)).accessToken });

    await t.step("nobody can talk to it yet", async () => {
      const { data } = await desk.listOwnCoaches("me");
      coachId = data[0]!.id;
      assertEquals(data.map(({ name, title, role, is_active }) => [name, title, role, is_active]), [
        [name, "Sleep coach", "owner", false],
      ]);
      const visitor = clientOf(service, { apiKey: tenant.apiKey });
      assertEquals((await visitor.listCoaches()).data.filter(({ id }) => id === coachId), []);
      await page.getByRole("link", { name: words.share.title, exact: true }).click();
      await page.getByText(fill(words.share.unpublished, { name })).waitFor();
      assertEquals(await page.getByRole("img").count(), 0);
      await assertSound(page, "nothing to share");
      await toOverview(0);
    });

    await t.step("writes how it greets people, and how it talks", async () => {
      await step(words.overview.stepPersona).click();
      await page.getByRole("textbox", { name: startOf(words.persona.greeting) }).fill(greeting);
      await page.getByRole("textbox", { name: startOf(words.persona.instructions) })
        .fill("You are Nora Holm. Talk calmly.");
      await draft.getByText(whole(words.persona.savedAt)).waitFor();
      await assertSound(page, "persona");
      await toOverview(1);
    });

    await t.step("adds a file", async () => {
      await step(words.overview.stepFiles).click();
      await page.locator("input[type=file]").setInputFiles([file]);
      const added = page.getByRole("article", { name: file.name });
      await added.waitFor();
      await finishIndexing(service, coachId);
      await added.getByText(words.files.readyTag).waitFor();
      await assertSound(page, "files");
      await toOverview(2);
    });

    await t.step("tries a question", async () => {
      await step(words.overview.stepTry).click();
      await page.getByPlaceholder(words.try.example).fill(question);
      await page.getByRole("button", { name: words.try.send, exact: true }).click();
      await page.getByText(words.try.lookedUp).click();
      await page.getByText(known).first().waitFor();
      // Nothing was published: there is no other version to ask, and nothing says that there was.
      assertEquals(await page.getByRole("group", { name: words.try.whoAnswers }).count(), 0);
      assertEquals(await page.getByText(words.persona.publishedAnswer).count(), 0);
      await assertSound(page, "try");
      await toOverview(3);
    });

    await t.step("saves a test", async () => {
      await step(words.overview.stepTests).click();
      await page.getByRole("textbox", { name: words.parts.question, exact: true }).fill(question);
      await page.getByRole("textbox", { name: `${words.tests.reference} ${words.tests.referenceHint}`, exact: true })
        .fill("sixteen degrees");
      await assertSound(page, "new test");
      await page.getByRole("button", { name: words.tests.save }).click();
      await page.getByRole("list", { name: words.tests.title }).waitFor();
      await assertSound(page, "tests");
      await toOverview(4);
    });

    await t.step("publishes it", async () => {
      await step(words.overview.stepPublish).click();
      await draft.getByRole("link", { name: words.persona.check }).click();
      const publish = page.getByRole("button", { name: words.persona.publish, exact: true });
      await publish.waitFor();
      await assertSound(page, "check and publish");
      await publish.click();
      await page.getByRole("status").getByText(startOf(words.persona.publishedNow)).waitFor();
      assertEquals(await page.getByRole("button", { name: words.frame.undo }).count(), 0);
      await page.getByRole("banner").getByText(words.team.notPublished).waitFor({ state: "detached" });
      await toOverview(5);
      slug = (await desk.getSettings(coachId)).slug!;
      const link = step(words.overview.stepConversation);
      assertEquals(await link.evaluate((link: HTMLAnchorElement) => link.href), `${site.url}?coach=${slug}`);
      await assertSound(page, "published");
    });

    await t.step("a phone scans the code, which opens the persona's own page, and talks", async () => {
      await page.getByRole("link", { name: words.share.title, exact: true }).click();
      const own = `${site.url}${slug}/`;
      await page.getByRole("link", { name: own }).waitFor();
      assertEquals(await scan(page.getByRole("img", { name: fill(words.share.qrOf, { name }) })), own);
      await assertSound(page, "share");
      await phone.page.goto(own);
      await phone.page.getByText(greeting).waitFor();
      assertEquals(await phone.page.title(), name);
      await assertSound(phone.page, "own page");
      await phone.page.getByRole("textbox", { name: whole(chat.messageLabel) }).fill(question);
      await phone.page.keyboard.press("Enter");
      await endedAnswers(phone.page).getByText(known).waitFor();
      await assertSound(phone.page, "answered");
    });

    await t.step("then the first steps are gone, and the week has begun", async () => {
      await page.getByRole("link", { name: startOf(words.frame.conversations) }).click();
      await page.getByRole("link", { name: new RegExp(question.slice(0, -1)) }).click();
      await page.getByText(known).first().waitFor();
      await assertSound(page, "conversation");
      await page.getByRole("link", { name: words.frame.overview }).click();
      await page.getByText(fill(words.overview.weekBefore, { number: 0 }, locale)).first().waitFor();
      assertEquals(await page.getByRole("region", { name: words.overview.steps }).count(), 0);
      await assertSound(page, "overview");
    });

    await t.step("nothing went wrong on the way, and the phone has asked four times", () => {
      assertEquals(requests.taken(), ["GET threads/*/events", "GET users/me/threads", "POST chat", "POST signup"]);
      assertEquals([...visited.errors, ...phone.errors], []);
    });
  });
}
