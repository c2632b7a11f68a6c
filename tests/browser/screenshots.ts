/**
 * `npm run screenshots`: takes a picture of each screen of the pages that `npm start` serves. With `--out=FOLDER` all of
 * them are written there, those of the README, too; with `--short` the screens are taken in one look.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { delay } from "../../shared/libs/base/std/async.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { startBrowser } from "./browser.ts";
import { markedIn } from "./reader_window.ts";
import { ar, en, startOf } from "./texts.ts";

const baseUrl = Deno.env.get("BASE_URL");
if (!baseUrl) throw new Error("Start the service with npm start first.");

const { values: { out, short: isShort } } = parseArgs({
  options: { out: { type: "string" }, short: { type: "boolean" } },
});
const folder = out ?? join(projectRoot, "supabase/.temp/screenshots");
/** Those of the README and the documentation. */
const shownInDocs: Record<string, string> = {
  "chat-answer-wide": "chat.png",
  "desk-questions-wide": "desk.png",
  "desk-arabic-wide": "desk_arabic.png",
};

const looks: Record<string, BrowserContextOptions> = {
  wide: { viewport: { width: 1400, height: 900 }, colorScheme: "light" },
  "wide-dark": { viewport: { width: 1400, height: 900 }, colorScheme: "dark" },
  narrow: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
};

await Deno.mkdir(folder, { recursive: true });
await using browser = await startBrowser();
for (const [index, [look, options]] of Object.entries(looks).slice(0, isShort ? 1 : undefined).entries()) {
  // The expert may send 60 requests a minute, and a look takes most of them.
  if (index > 0) await delay(60_000);
  await visitChat(browser, look, options);
  await visitDesk(browser, look, options);
  await visitInArabic(browser, look, options);
}
console.log(folder);

async function visitChat(browser: Browser, look: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const take = (name: string) => takePicture(page, `chat-${name}-${look}`);
  await page.goto(baseUrl!);
  await page.getByRole("button", { name: /Mara Lindqvist/ }).waitFor();
  await take("choice");
  await page.getByRole("button", { name: /Mara Lindqvist/ }).click();
  await page.getByRole("button", { name: /feedback that lands/ }).waitFor();
  await take("welcome");
  await page.getByRole("button", { name: /feedback that lands/ }).click();
  await page.getByRole("button", { name: en.chat.stop }).waitFor();
  await take("streaming");
  await page.getByRole("button", { name: /^1\b.*\.(md|pdf|docx)/ }).waitFor();
  await take("answer");
  await page.getByRole("button", { name: /^1\b.*\.(md|pdf|docx)/ }).click();
  await markedIn(page).waitFor();
  await take("source");
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: /Mara/ }).fill("May I bring my dog to the workshop?");
  await page.keyboard.press("Enter");
  await page.getByText("passed your question on").first().waitFor({ state: "attached" });
  await take("not-known");
  await context.close();
}

async function visitDesk(browser: Browser, look: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const take = (name: string) => takePicture(page, `desk-${name}-${look}`);
  await page.goto(`${baseUrl}/desk/`);
  await page.getByRole("button", { name: en.shared.signIn }).waitFor();
  await take("door");
  await page.getByRole("button", { name: en.shared.signIn }).click();
  await page.getByRole("navigation", { name: en.desk.frame.panels }).waitFor();
  await page.goto(`${baseUrl}/desk/#questions`);
  await page.getByRole("button", { name: en.desk.questions.answer }).first().waitFor();
  await take("questions");
  const rows = page.getByRole("main").getByRole("listitem");
  for (
    const [panel, content] of [
      ["overview", page.getByRole("main").getByRole("link")],
      ["conversations", rows],
      ["answers", rows],
      ["files", rows],
      ["persona", page.getByRole("textbox", { name: startOf(en.desk.persona.greeting) })],
      ["try", page.getByPlaceholder(en.desk.try.example)],
      ["tests", rows],
      ["usage", page.getByRole("img")],
      ["team", page.getByRole("main").getByRole("article")],
    ] as const
  ) {
    await page.goto(`${baseUrl}/desk/#${panel}`);
    // The panel before may have such content, too.
    await page.locator(`main > human-desk-${panel}`).waitFor();
    await content.first().waitFor();
    await take(panel);
  }
  await page.goto(`${baseUrl}/desk/#conversations`);
  await page.locator("main > human-desk-conversations").waitFor();
  await rows.filter({ hasText: en.desk.conversations.waitingForYou }).getByRole("link").click();
  await page.getByRole("button", { name: en.desk.conversations.takeOver }).waitFor();
  await take("conversation");
  await page.goto(`${baseUrl}/desk/#tests`);
  await page.getByRole("button", { name: en.desk.tests.runAll }).click();
  await page.getByText(en.desk.tests.runAgain).waitFor();
  await take("test-run");
  await context.close();
}

/** Opens the desk from right to left. */
async function visitInArabic(browser: Browser, look: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext({ ...options, locale: "ar" });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/desk/`);
  await page.getByRole("button", { name: ar.shared.signIn, exact: true }).click();
  await page.getByRole("heading", { name: ar.desk.overview.title }).waitFor();
  await page.getByRole("main").getByRole("link").first().waitFor();
  await takePicture(page, `desk-arabic-${look}`);
  await context.close();
}

async function takePicture(page: Page, name: string): Promise<void> {
  const path = shownInDocs[name] && out === undefined
    ? join(projectRoot, "supabase/docs/images", shownInDocs[name])
    : join(folder, `${name}.png`);
  await page.screenshot({ path });
}
