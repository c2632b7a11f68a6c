/// <reference lib="dom" />
import type { BrowserContextOptions, Page } from "playwright-core";
import { readSession, type Session } from "../../shared/clients/client/session.ts";
import { readRoute } from "../../shared/clients/page/desk/route.ts";
import type { User } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { type Site, type Visit, visit } from "./site.ts";
import { storeQuestion } from "../support/questions.ts";
import { en } from "./texts.ts";

/**
 * The expert at their desk, by default at the open questions. They have signed in before, and their browser has kept
 * the session; tests about signing in use the form.
 *
 * @param expert somebody else
 */
export async function sitDown(
  site: Site,
  { place = "#questions", expert = site.expert, ...options }: BrowserContextOptions & {
    place?: string;
    expert?: User;
  } = {},
): Promise<Visit> {
  const { origin } = new URL(site.url);
  const tokens = { access_token: expert.accessToken, refresh_token: expert.refreshToken, expires_in: 3_600 };
  const session = JSON.stringify(readSession(tokens, expert.id, Date.now()));
  const localStorage = [{ name: `human-chat expert ${origin} ${site.publishableKey}`, value: session }];
  const storageState = { cookies: [], origins: [{ origin, localStorage }] };
  const visited = await visit(`${site.url}desk/${place}`, { ...options, storageState });
  await visited.page.locator("human-desk-frame main").waitFor();
  return visited;
}

/** Opens a place of the desk, and waits until it was read: the panel before is there until the page has heard of it. */
export async function goTo(
  page: Page,
  site: Site,
  place: string,
  { loading }: { loading: string } = en.desk.parts,
): Promise<void> {
  await page.goto(`${site.url}desk/#${place}`);
  const panel = page.locator(`main > human-desk-${readRoute(place).panel}`);
  await panel.getByRole("heading", { level: 2 }).first().waitFor();
  await page.getByText(loading).first().waitFor({ state: "detached" });
}

/** Has a person ask something that the persona does not know. */
export async function keepQuestion({ tenant }: Site, user_id: string, question: string): Promise<{ threadId: string }> {
  const ids = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id });
  await storeQuestion(ids.messageId, question);
  return ids;
}

/** The session of whoever has signed in at the desk of a page. */
export async function sessionOf(page: Page): Promise<Session> {
  return await page.evaluate(() => {
    const name = Object.keys(localStorage).find((name) => name.startsWith("human-chat expert "));
    return JSON.parse(localStorage.getItem(name!)!);
  });
}
