import type { Locator, Page } from "playwright-core";
import { en, whole } from "./texts.ts";

/** The window with a source. */
export function readerOf(page: Page): Locator {
  return page.getByRole("dialog", { name: whole(en.shared.source, { number: /\d+/ }) });
}

/** The passage that is marked there. */
export function markedIn(page: Page): Locator {
  return readerOf(page).getByRole("region", { name: en.reader.cited, exact: true });
}
