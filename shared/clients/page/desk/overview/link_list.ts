import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../icons.ts";

/** A sentence of the overview, with the place that it leads to. */
export type LinkedSentence = {
  icon: TemplateResult;
  sentence: string;
  /** Null if there is no such place. */
  to: string | null;
  /** `urgent` if a person waits, `failed` if something went wrong. */
  look?: "urgent" | "failed";
};

/** Shows sentences as a list of links. */
export function linkList(name: string, sentences: LinkedSentence[]): TemplateResult {
  return html`
    <ul class="links" aria-label=${name}>
      ${sentences.map(({ icon, sentence, to, look = "" }) =>
        html`
          <li class=${look}>${to === null
            ? html`<p>${icon}<span class="text">${sentence}</span></p>`
            : html`<a href=${to}>${icon}<span class="text">${sentence}</span>${icons.next}</a>`}</li>
        `
      )}
    </ul>
  `;
}

/** A sentence with a count, unless the count is 0. */
export function unlessNone(count: number, say: () => LinkedSentence): LinkedSentence[] {
  return count === 0 ? [] : [say()];
}

/** A heading with the sentences below it; nothing if there are none. */
export function linkSection(title: string, sentences: LinkedSentence[]): TemplateResult | typeof nothing {
  if (sentences.length === 0) return nothing;
  return html`
    <section class="stack tight" aria-label=${title}>
      <h3>${title}</h3>
      ${linkList(title, sentences)}
    </section>
  `;
}
