import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { bodiesOf } from "../support/model_requests.ts";
import { sitDown } from "./desk.ts";
import { findBarriers } from "./find_barriers.ts";
import { looks } from "./looks.ts";
import { readerOf } from "./reader_window.ts";
import { openSite } from "./site.ts";
import { en, fill } from "./texts.ts";

Deno.test("the expert talks to the persona at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  await addFile(tenant, "Sleep.pdf", { content: "A cold bedroom helps you sleep.", page: 3, heading: "The bedroom" });
  await using visited = await sitDown(site, { place: "#try" });
  const { page } = visited;
  const message = page.getByRole("textbox", { name: fill(en.desk.try.message, { name: "Ada Byron" }) });
  const answers = page.getByRole("article", { name: en.desk.try.answer });
  const answer = answers.last();
  const says = (...texts: string[]) =>
    service.model.script(tenant.modelName, { steps: texts.map((text) => ({ text })) });
  const asked = () => bodiesOf(service, tenant.modelName);

  await t.step(
    "it begins as a chat does, and the model is not asked before the expert has said something",
    async () => {
      await page.getByText("Hello, I am Ada.").waitFor();
      assertEquals(await message.evaluate((it) => it.matches(":focus")), true);
      assertEquals(asked(), []);
    },
  );

  await t.step(
    "a question to begin with is asked by a press; what is being written is seen, and can be stopped",
    async () => {
      service.model.script(tenant.modelName, { steps: [{ text: "In a **cold** room" }, { hang: true }] });
      await page.getByRole("button", { name: "How do I sleep well?" }).click();
      await answer.locator("strong").getByText("cold").waitFor();
      assertEquals(await answer.getAttribute("aria-busy"), "true");
      await page.getByRole("button", { name: en.desk.try.stop }).click();
      await answer.getByText(en.desk.try.stopped).waitFor();
      await answer.locator("strong").getByText("cold").waitFor();
    },
  );

  await t.step("asked again, it is answered whole, from sources that open", async () => {
    says("In a cold room [1]", ".");
    await page.getByRole("button", { name: en.desk.try.again }).click();
    await page.getByText(en.desk.try.done).waitFor({ state: "attached" });
    assertEquals(await answers.count(), 1);
    await answer.getByRole("button", { name: fill(en.shared.source, { number: 1 }) }).click();
    await readerOf(page).waitFor();
    await page.keyboard.press("Escape");
    await readerOf(page).waitFor({ state: "detached" });
  });

  await t.step("a further question knows what was said; Enter sends it", async () => {
    says("Sixteen degrees [1].");
    await message.fill("And how cold?");
    await page.keyboard.press("Enter");
    await answer.getByText("Sixteen degrees").waitFor();
    const said = (asked().at(-1)!.input as { content: string }[]).map(({ content }) => content);
    assertEquals([said[0], said[1], said.at(-1)], ["How do I sleep well?", "In a cold room.", "And how cold?"]);
    assertEquals((await expert.listConversations(tenant.coachId)).count, 0);
  });

  await t.step(
    "good, keep it so: a test of the question, what was said, and the answer; and not, after all",
    async () => {
      await answer.getByRole("button", { name: en.desk.try.keep }).dblclick();
      await answer.getByRole("link", { name: en.desk.try.isKept }).waitFor();
      const { data: [test], count } = await expert.listTests(tenant.coachId);
      assertEquals([count, test!.question, test!.reference], [1, "And how cold?", "Sixteen degrees."]);
      assertEquals(test!.history.map(({ content }) => content), ["How do I sleep well?", "In a cold room [1]."]);
      assertEquals([test!.thread_id, test!.expect], [null, {}]);
      await page.getByRole("button", { name: en.desk.frame.undo }).click();
      await answer.getByRole("button", { name: en.desk.try.keep }).waitFor();
      assertEquals((await expert.listTests(tenant.coachId)).count, 0);
    },
  );

  await t.step("a passage misled it: what was looked up is shown without scores, and a passage is barred", async () => {
    await answer.getByRole("button", { name: en.desk.try.misled }).click();
    const passage = answer.locator("human-desk-passage");
    await passage.getByText("A cold bedroom helps you sleep.").waitFor();
    assert(!/\d\.\d/.test((await passage.textContent())!));
    await passage.getByRole("button", { name: en.desk.parts.bar }).click();
    await passage.getByText(en.desk.parts.barredTag).waitFor();
    assertEquals((await expert.listBarredPassages(tenant.coachId)).count, 1);
    await passage.getByRole("button", { name: en.desk.parts.allow }).click();
    await passage.getByRole("button", { name: en.desk.parts.bar }).waitFor();
  });

  await t.step(
    "I would say it differently: the answer is pinned without the numbers, and is given from then on",
    async () => {
      await answer.getByRole("button", { name: en.desk.try.differently }).click();
      await answer.getByText(en.desk.try.standsAlone).waitFor();
      const text = answer.getByLabel(en.desk.parts.yourAnswer);
      assertEquals(await text.inputValue(), "Sixteen degrees.");
      await answer.getByRole("textbox", { name: en.desk.parts.question, exact: true }).fill(
        "How cold is the bedroom of a child at night?",
      );
      await text.fill("Seventeen degrees.");
      await page.keyboard.press("Control+Enter");
      await answer.getByRole("link", { name: en.desk.try.yourAnswer }).waitFor();
      const before = asked().length;
      await message.fill("how cold is the BEDROOM of a child at night");
      await page.getByRole("button", { name: en.desk.try.send }).click();
      await answer.getByText("Seventeen degrees.").waitFor();
      await answer.getByText(en.desk.parts.youWordForWord).waitFor();
      assertEquals([asked().length, await answers.count()], [before, 3]);
    },
  );

  await t.step("what was said is still there after a look elsewhere, and gone after a new beginning", async () => {
    await page.getByRole("link", { name: en.desk.frame.answers, exact: true }).click();
    await page.getByRole("link", { name: "How cold is the bedroom of a child at night?" }).waitFor();
    await page.getByRole("link", { name: en.desk.frame.try, exact: true }).click();
    await answer.getByText("Seventeen degrees.").waitFor();
    assertEquals(await findBarriers(page), []);
    await page.getByRole("button", { name: en.desk.try.startOver }).click();
    await page.getByText("Hello, I am Ada.").waitFor();
    assertEquals(await answers.count(), 0);
  });

  await t.step("a model that fails: it says so, and the question is asked again", async () => {
    service.model.script(tenant.modelName, { steps: [{ status: 401 }] });
    await message.fill("What do owls eat?");
    await page.keyboard.press("Enter");
    await answer.getByRole("alert").waitFor();
    says("Mice.");
    await page.getByRole("button", { name: en.desk.try.again }).click();
    await answer.getByText("Mice.").waitFor();
    assertEquals((asked().at(-1)!.input as unknown[]).length, 1);
  });

  await t.step("nothing of it is stored, and nothing went wrong on the way", async () => {
    assertEquals((await expert.listConversations(tenant.coachId)).count, 0);
    assertEquals((await expert.listQuestions(tenant.coachId)).data.length, 0);
    assertEquals(visited.errors, []);
  });
});

Deno.test("two versions of the persona answer at the desk", async (t) => {
  await using site = await openSite();
  const { tenant, service } = site;
  const expert = clientOf(service, { ...tenant, accessToken: site.expert.accessToken });
  service.model.scriptEach(tenant.modelName, ({ instructions }) => ({
    steps: [{ text: instructions!.includes("Be brief.") ? "Sleep." : "Sleep in a cold room." }],
  }));
  await expert.saveDraft(tenant.coachId, { greeting: "Hi!", instructions: "Be brief." });

  for (const { name, options } of looks) {
    await t.step(`${name}: the draft by itself, then both, each with its own history`, async () => {
      await using visited = await sitDown(site, { place: "#try", ...options });
      const { page } = visited;
      const message = page.getByRole("textbox", { name: fill(en.desk.try.message, { name: "Ada Byron" }) });
      await page.getByText("Hi!", { exact: true }).waitFor();
      await message.fill("How do I sleep?");
      await page.keyboard.press("Enter");
      await page.getByRole("article", { name: en.desk.try.answer }).getByText("Sleep.", { exact: true }).waitFor();
      await page.getByRole("button", { name: en.desk.try.both }).click();
      await message.fill("And then?");
      await page.keyboard.press("Enter");
      const now = page.getByRole("article", { name: en.desk.persona.publishedAnswer });
      const draft = page.getByRole("article", { name: en.desk.persona.draftAnswer });
      await now.getByText("Sleep in a cold room.").waitFor();
      await draft.getByText("Sleep.", { exact: true }).waitFor();
      assertEquals(await findBarriers(page), []);
      assertEquals(visited.errors, []);
      const out = Deno.env.get("LOOK");
      if (out) await page.screenshot({ path: `${out}/try-${name}.png` });
    });
  }
});
