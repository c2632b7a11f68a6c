/// <reference lib="dom" />
import { t } from "./texts.ts";

/** The title of a page of the desk's own. On any other page there is nothing to change. */
function ownTitle(): HTMLTitleElement | null {
  return document.querySelector<HTMLTitleElement>("title[data-text]");
}

/** Shows in the name of the browser's tab how many people wait for a reply. */
export const titleOfPage = {
  /** @param waiting their number as it is shown; empty for none */
  show(name: string, waiting: string): void {
    const title = ownTitle();
    if (title) title.textContent = waiting ? `(${waiting}) ${name}` : name;
  },
  reset(): void {
    const title = ownTitle();
    if (title) title.textContent = t.frame.title;
  },
};
