import { css, html, type TemplateResult } from "lit";
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

/** The styles of the dialog. */
export const shortcutStyles = css`
  dialog {
    inline-size: min(24rem, calc(100vw - 2rem));
    padding: 1.25rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: inherit;
  }
  .keys {
    display: grid;
    gap: 0.375rem;
    margin: 0;
  }
  .keys > div {
    display: grid;
    grid-template-columns: 2.5rem 1fr;
    align-items: baseline;
  }
  .keys dd {
    margin: 0;
  }
  kbd {
    padding: 0.125rem 0.4rem;
    border: 1px solid var(--line);
    border-radius: 0.25rem;
    background: var(--raised);
  }
`;
