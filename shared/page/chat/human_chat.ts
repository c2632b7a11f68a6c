import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { theme } from "../ui/theme.ts";

/** `<human-chat base-url coach key supabase-key>`: a conversation with a persona. */
@customElement("human-chat")
export class HumanChat extends LitElement {
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
