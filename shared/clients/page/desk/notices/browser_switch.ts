import { html } from "lit";
import { state } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { t } from "../texts.ts";
import { allowNotifications, readNotificationState, stopNotifications } from "./browser_notices.ts";

/** Switches the notifications of this browser on and off. */
export class BrowserSwitch extends DeskPart {
  #state = state(this, readNotificationState());

  override render() {
    return html`
      <section class="card stack tight" aria-labelledby="browser">
        <h3 id="browser">${t.notices.browser}</h3>
        <p class="small muted">${t.notices.browserHint}</p>
        ${this.#renderSwitch()}
      </section>
    `;
  }

  #renderSwitch() {
    switch (this.#state.value) {
      case "unsupported":
        return html`<p class="small">${t.notices.unsupported}</p>`;
      case "blocked":
        return html`<p class="small" role="status">${t.notices.blocked}</p>`;
      case "off":
        return html`<div class="row"><button @click=${this.#allow}>${t.notices.allow}</button></div>`;
      case "on":
        return html`<div class="row"><button @click=${this.#stop}>${t.notices.stop}</button></div>`;
    }
  }

  #allow = async (): Promise<void> => {
    await allowNotifications();
    this.#state.value = readNotificationState();
  };
  #stop = (): void => {
    stopNotifications();
    this.#state.value = readNotificationState();
  };
}

customElements.define("human-desk-browser-switch", BrowserSwitch);
