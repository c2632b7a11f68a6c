import { html } from "lit";
import { DeskPart } from "../desk_part.ts";
import "./browser_switch.ts";
import "./mail_form.ts";

/** The choices of what the expert is told by email and in this browser. */
export class NoticesView extends DeskPart {
  override render() {
    return html`
      <div class="stack">
        <human-desk-mail .desk=${this.desk}></human-desk-mail>
        <human-desk-browser-switch .desk=${this.desk}></human-desk-browser-switch>
      </div>
    `;
  }
}

customElements.define("human-desk-notices", NoticesView);
