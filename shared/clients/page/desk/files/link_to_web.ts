import { html, type TemplateResult } from "lit";

/** A link to a page elsewhere. An address that no browser should open is only shown. */
export function linkToWeb(url: string): TemplateResult {
  if (!/^https?:\/\//i.test(url)) return html`<bdi class="text">${url}</bdi>`;
  return html`<a class="text" href=${url} target="_blank" rel="noopener noreferrer"><bdi>${url}</bdi></a>`;
}
