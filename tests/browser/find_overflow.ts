/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from "playwright-core";

/** What a page has besides its window: elements that are cut off, and a window that scrolls sideways. */
export async function findOverflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide`);
    const look = (root: ShadowRoot | Document) => {
      for (const element of root.querySelectorAll<HTMLElement>("*")) {
        if (element.shadowRoot) look(element.shadowRoot);
        const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        if (!isSeen || element.classList.contains("visually-hidden") || element.closest("head")) continue;
        const { left, right, width } = element.getBoundingClientRect();
        if (width > 0 && (left < -1 || right > clientWidth + 1)) {
          found.push(`${element.localName}.${element.className} from ${left} to ${right}`);
        }
      }
    };
    look(document);
    return found;
  });
}
