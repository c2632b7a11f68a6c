import { html, type TemplateResult } from "lit";
import { t } from "../texts.ts";

const place = "human-desk-shortcuts";

/** True unless the expert has switched the shortcuts off: whoever dictates might press them without meaning to. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(place) !== "off";
  } catch {
    // The browser keeps nothing for this page.
    return true;
  }
}

/** The list of shortcuts, in a dialog. */
export function renderShortcuts(dialog: HTMLDialogElement): TemplateResult {
  const keys: [key: string, does: string][] = [
    ["j", t.conversations.keyNext],
    ["k", t.conversations.keyPrevious],
    ["r", t.conversations.keyReply],
    ["e", t.conversations.keyClose],
    ["a", t.conversations.keyAssign],
    ["n", t.conversations.keyNote],
    ["/", t.conversations.keySearch],
    ["?", t.conversations.keyList],
  ];
  return html`
    <div class="stack">
      <h3 id="shortcuts">${t.conversations.shortcuts}</h3>
      <dl class="keys">${keys.map(([key, does]) =>
        html`
          <div>
            <dt><kbd>${key}</kbd></dt>
            <dd>${does}</dd>
          </div>
        `
      )}</dl>
      <label class="row small"><input type="checkbox" .checked=${areShortcutsOn()} @change=${(event: Event) =>
        localStorage.setItem(place, (event.target as HTMLInputElement).checked ? "on" : "off")}>
        ${t.conversations.shortcutsOn}</label>
      <div><button autofocus @click=${() => dialog.close()}>${t.shared.close}</button></div>
    </div>
  `;
}
