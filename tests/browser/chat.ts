/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Locator, Page } from "playwright-core";
import type { Step } from "../support/model_server.ts";
import type { Site } from "./site.ts";
import { en, whole } from "./texts.ts";

/** The field for a question. */
export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: whole(en.chat.messageLabel) });
}

/** Asks a question with the keyboard. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** The answers, the oldest first. */
export function answers(page: Page): Locator {
  return page.locator("article.answer");
}

/** The questions, the oldest first. */
export function questions(page: Page): Locator {
  return page.locator(".bubble");
}

/** The answers that have ended. */
export function endedAnswers(page: Page): Locator {
  return page.locator("article.answer[aria-busy=false]");
}

/** A button under a message. */
export function button(place: Page | Locator, name: string | RegExp): Locator {
  return place.getByRole("button", { name, exact: typeof name === "string" });
}

/** Scripts the model: each list is one answer. */
export function script({ service, tenant }: Site, ...answers: (string | Step[])[]): void {
  service.model.script(
    tenant.modelName,
    ...answers.map((answer) => ({ steps: typeof answer === "string" ? [{ text: answer }] : answer })),
  );
}

/** An answer that pauses in the middle until it is released. */
export function interrupted(said: string, rest: string): { steps: Step[]; goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { steps: [{ text: said }, { waitFor: promise }, { text: rest }], goOn: resolve };
}

/** Notes what a page asks the project for, as method and path without IDs. */
export function watchRequests(page: Page): { taken(): string[] } {
  const asked: string[] = [];
  page.on("request", (request) => {
    const path = /\/v1\/(.*)/.exec(new URL(request.url()).pathname)?.[1];
    if (path) asked.push(`${request.method()} ${path.replace(/[0-9a-f-]{36}/g, "*")}`);
  });
  return { taken: () => asked.splice(0).sort() };
}
