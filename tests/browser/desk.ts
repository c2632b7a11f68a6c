/// <reference lib="dom" />
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Session } from "../../shared/clients/client/session.ts";
import { operator, type User } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { type Site, type Visit, visit } from "./site.ts";
import { en } from "./texts.ts";

/**
 * The expert at their desk, by default at the open questions: signed in with the form, which is filled in.
 *
 * @param expert somebody else to sign in
 */
export async function sitDown(
  browser: Browser,
  site: Site,
  { place = "#questions", expert, ...options }: BrowserContextOptions & { place?: string; expert?: User } = {},
): Promise<Visit> {
  const visited = await visit(browser, `${site.url}desk/${place}`, options);
  if (expert) {
    await visited.page.getByLabel(en.shared.email).fill(expert.email);
    await visited.page.getByLabel(en.shared.password).fill(expert.password);
  }
  await visited.page.getByRole("button", { name: en.shared.signIn }).click();
  await visited.page.getByRole("navigation", { name: en.desk.frame.panels }).waitFor();
  return visited;
}

/** Has a person ask something that the persona does not know. */
export async function keepQuestion({ tenant }: Site, user_id: string, question: string): Promise<{ threadId: string }> {
  const ids = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id });
  await operator.rpc("keep_question", {
    message_id: ids.messageId,
    run_id: ids.messageId,
    question,
    is_for_human: false,
  })
    .throwOnError();
  return ids;
}

/** The session of whoever has signed in at the desk of a page. */
export async function sessionOf(page: Page): Promise<Session> {
  return await page.evaluate(() => {
    const name = Object.keys(localStorage).find((name) => name.startsWith("human-chat expert "));
    return JSON.parse(localStorage.getItem(name!)!);
  });
}
