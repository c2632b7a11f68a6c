import { html, type TemplateResult } from "lit";
import { keep } from "../../connection.ts";
import { t } from "../texts.ts";

const wanted = keep<boolean>("human-desk shortcuts", "browser");

/** True unless the expert has switched the shortcuts off: whoever dictates might press them without meaning to. */
export const areShortcutsOn = () => wanted.load() ?? true;

/** The list of shortcuts, in a dialog. */
export function renderShortcuts(dialog: HTMLDialogElement): TemplateResult {
  const keys: [key: string, does: string][] = [
    ["j", t.conversations.keyNext],
    ["k", t.conversations.keyPrevious],
    ["r", t.conversations.keyReply],
    ["d", t.conversations.draftReply],
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
        wanted.save((event.target as HTMLInputElement).checked)}>
        ${t.conversations.shortcutsOn}</label>
      <div><button autofocus @click=${() => dialog.close()}>${t.shared.close}</button></div>
    </div>
  `;
}
