import { html, nothing } from "lit";
import type { components } from "../../client/api_types.ts";
import { elementWith, type Property, state, styleSheets } from "../ui/element.ts";
import { countdown } from "../ui/countdown.ts";
import { fill } from "../ui/fill.ts";
import { languages } from "../ui/language.ts";
import type { Chat } from "./chat.ts";
import type { Texts } from "./texts.ts";
import { describeTrouble, readTrouble, type Trouble } from "./trouble.ts";
import styles from "./mail_offer.css" with { type: "text" };

type Mail = components["schemas"]["UserMail"];

/** The offer to tell a signed-in person by email when the expert has answered, where the service sends mails. */
export class MailOffer extends elementWith({
  chat: {} as Property<Chat>,
  name: {} as Property<string>,
  texts: {} as Property<Texts>,
}) {
  static override styles = styleSheets(styles);

  #mail = state<Mail | null>(this, null);
  #isAsking = state(this, false);
  #trouble = state<Trouble | null>(this, null);
  #secondsTo = countdown(this);

  override connectedCallback() {
    super.connectedCallback();
    addEventListener("focus", this.#read);
    void this.#read();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("focus", this.#read);
  }

  override render() {
    const { texts, name } = this;
    const { email, is_available, is_confirmed, is_refused } = this.#mail.value ?? {};
    const trouble = this.#trouble.value;
    if (!is_available) return nothing;
    const alert = trouble
      ? html`<p class="error" role="alert">${describeTrouble(trouble, texts, this.#secondsTo)}</p>`
      : nothing;
    if (this.#isAsking.value || is_refused) {
      return html`
        <form @submit=${this.#submit}>
          <p>${is_refused ? fill(texts.mailRefused, { email: email! }) : texts.mailHint}</p>
          <input name="email" type="email" autocomplete="email" required aria-label=${texts.email} .value=${email ??
            this.chat.account?.email ?? ""}>
          <button class="primary">${texts.sendLink}</button>
          ${is_refused
            ? nothing
            : html`<button type="button" class="plain" @click=${this.#ask}>${texts.cancel}</button>`}
        </form>
        ${alert}
      `;
    }
    if (!email) return html`<button @click=${this.#ask}>${fill(texts.mailOffer, { name })}</button>`;
    return html`
      <p role="status">${fill(is_confirmed ? texts.mailOn : texts.mailUnconfirmed, { name, email })}</p>
      <button class="plain" @click=${this.#ask}>${texts.mailOther}</button>
      <button class="plain" @click=${this.#stop}>${texts.mailStop}</button>
      ${alert}
    `;
  }

  /** Reads the address, also after the link was opened in another tab. Only permanent users have one. */
  #read = async () => {
    const { account, isSignedInBySite, client } = this.chat;
    if (!account?.email && !isSignedInBySite) return;
    this.#mail.value = await client.getUserMail("me").catch(() => this.#mail.value);
  };

  async #ask() {
    this.#isAsking.value = !this.#isAsking.value;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("input, button")?.focus();
  }

  #submit(event: SubmitEvent) {
    event.preventDefault();
    const email = String(new FormData(event.target as HTMLFormElement).get("email"));
    const language = languages.find((language) => language === this.texts.locale.slice(0, 2));
    void this.#try(async () => {
      this.#mail.value = await this.chat.client.saveUserMail("me", { email, language });
      if (this.#isAsking.value) await this.#ask();
    });
  }

  #stop() {
    void this.#try(async () => {
      await this.chat.client.deleteUserMail("me");
      this.#mail.value = { ...this.#mail.value!, email: null, is_confirmed: false, is_refused: false };
    });
  }

  async #try(act: () => Promise<void>) {
    this.#trouble.value = null;
    try {
      await act();
    } catch (error) {
      this.#trouble.value = readTrouble(error);
    }
  }
}

customElements.define("human-chat-mail", MailOffer);
