import type { Browser, BrowserContextOptions } from "playwright-core";
import { operator } from "../support/project.ts";
import { storeAnswer } from "../support/turns.ts";
import { type Site, type Visit, visit } from "./site.ts";

/** The expert at their desk, by default at the open questions: signed in with the form, which is filled in. */
export async function sitDown(
  browser: Browser,
  site: Site,
  { place = "#questions", ...options }: BrowserContextOptions & { place?: string } = {},
): Promise<Visit> {
  const visited = await visit(browser, `${site.url}desk/${place}`, options);
  await visited.page.getByRole("button", { name: "Sign in" }).click();
  await visited.page.getByRole("navigation", { name: "Desk" }).waitFor();
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
