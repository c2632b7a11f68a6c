import type { Locator, Page } from "playwright-core";

/** The window with a source. */
export function readerOf(page: Page): Locator {
  return page.getByRole("dialog", { name: /^Source \d+$/ });
}

/** The passage that is marked there. */
export function markedIn(page: Page): Locator {
  return readerOf(page).getByRole("region", { name: "The passage of this source", exact: true });
}
