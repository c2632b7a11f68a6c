import { eventually } from "../support/eventually.ts";
import { assertEquals } from "../support/assert.ts";
import { button, endedAnswers, interrupted, questions, say, script } from "./chat.ts";
import { embed, openLine } from "./embed.ts";
import { openSite, visit } from "./site.ts";
import { en } from "./texts.ts";

Deno.test("the connections of the element", async (t) => {
  await using site = await openSite();
  const { service } = site;
  await using line = openLine(site);
  await using page = await embed(site, "<human-chat {{settings}}></human-chat>", { service: line.url });
  await using visitor = await visit(page.url);
  const { page: tab, context } = visitor;
  const streams = () => line.open().filter((path) => /events|stream|chat$/.test(path)).length;
  const waitForStreams = async (count: number) => {
    for (let tries = 0; tries < 200 && streams() !== count; tries++) {
      await tab.evaluate(() => new Promise((go) => setTimeout(go, 25)));
    }
    assertEquals(streams(), count, line.open().join());
  };

  await t.step("one that drops in the middle of an answer: it goes on where it was", async () => {
    const { steps, goOn } = interrupted("The first half", " and the second.");
    script(site, steps);
    await say(tab, "Both?");
    await tab.getByText("The first half").waitFor();
    await context.setOffline(true);
    line.cut();
    await waitForStreams(0);
    goOn();
    await service.turns();
    assertEquals(await tab.getByText("and the second.").count(), 0);
    await context.setOffline(false);
    await endedAnswers(tab).getByText("The first half and the second.").waitFor();
    assertEquals(await tab.locator("article.answer").count(), 1);
  });

  await t.step("one that stays away for minutes: it goes on by itself when it is back", async () => {
    await tab.clock.install();
    const { steps, goOn } = interrupted("Before the tunnel", " and after it.");
    script(site, steps);
    await say(tab, "Where?");
    await tab.getByText("Before the tunnel").waitFor();
    await context.setOffline(true);
    line.cut();
    await eventually(async () => {
      await tab.clock.runFor(2_000);
      return await tab.getByText(en.chat.connectionBroke).count() > 0;
    }, "the page says that the connection is lost");
    await tab.getByText("Before the tunnel").waitFor();
    goOn();
    await service.turns();
    await context.setOffline(false);
    await endedAnswers(tab).getByText("Before the tunnel and after it.").waitFor();
    assertEquals(await tab.getByText(en.chat.connectionBroke).count(), 0);
    await tab.clock.resume();
  });

  await t.step("a page that nobody sees watches nothing, and reads again when it is seen", async () => {
    await waitForStreams(1);
    const see = (isSeen: boolean) =>
      tab.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, !isSeen);
    await see(false);
    await waitForStreams(0);
    await see(true);
    await waitForStreams(1);
  });

  await t.step("an element that is taken out stops its connections, and goes on when it is put back", async () => {
    const { steps, goOn } = interrupted("Still", " here.");
    script(site, steps);
    await say(tab, "Are you there?");
    await tab.getByText("Still").waitFor();
    const taken = await tab.evaluateHandle(() => {
      const element = document.querySelector("human-chat")!;
      element.remove();
      return element;
    });
    await waitForStreams(0);
    goOn();
    await service.turns();
    await tab.evaluate((element) => document.body.append(element), taken);
    await endedAnswers(tab).getByText("Still here.").waitFor();
    await waitForStreams(1);
  });

  await t.step("a question that is on its way when the element is taken out arrives", async () => {
    script(site, "Arrived.");
    await tab.evaluate(() => {
      const element = document.querySelector("human-chat")!;
      addEventListener("gone", () => element.remove());
      addEventListener("back", () => document.body.append(element));
    });
    await tab.route("**/functions/v1/chat", async (route) => {
      await tab.evaluate(() => dispatchEvent(new Event("gone")));
      await route.continue();
    });
    await say(tab, "On its way?");
    await waitForStreams(0);
    await service.turns();
    await tab.unroute("**/functions/v1/chat");
    await tab.evaluate(() => dispatchEvent(new Event("back")));
    await endedAnswers(tab).getByText("Arrived.").waitFor();
    assertEquals(await questions(tab).last().textContent(), "On its way?");
    await button(tab, en.chat.newChat).first().click();
    await waitForStreams(0);
  });
});
