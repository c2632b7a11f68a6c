import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { theme } from "../ui/theme.ts";

/** `<human-desk base-url coach key supabase-key>`: the desk of the expert behind a persona. */
@customElement("human-desk")
export class HumanDesk extends LitElement {
  static override styles = [
    theme,
    css`
      :host {
        display: block;
      }
    `,
  ];

  @property({ attribute: "base-url" })
  accessor baseUrl = "";
  @property()
  accessor coach = "";
  @property()
  accessor key = "";
  @property({ attribute: "supabase-key" })
  accessor supabaseKey = "";

  override render() {
    return html`<p>${this.coach}</p>`;
  }
}
