import { html, nothing } from "lit";
import type { ServiceError } from "../../client/service_error.ts";
import { en, type Wording } from "../texts/texts.ts";
import { elementWith, type Property, state, styleSheets } from "./element.ts";
import styles from "./sign_in.css" with { type: "text" };

type Attempt = { kind: "idle" | "sending" | "sent" } | { kind: "mistake"; sentence: string };

/**
 * `<human-sign-in email password>`: a form that asks for an email address and a password, which the attributes may fill
 * in; or for the address alone, to send a link there if the password is forgotten; or for the new password, once that link
 * is open. The page around it says what people sign in to.
 */
export class HumanSignIn extends elementWith({
  email: { type: String, first: "" },
  password: { type: String, first: "" },
  isNew: { attribute: false, first: false },
  /** The address of the user who sets a new password; null if the form asks for one. */
  user: { attribute: false, first: null } as Property<string | null>,
  /** The texts of the form. */
  words: { attribute: false, first: en.shared } as Property<Wording<typeof en.shared>>,
  /** Signs the user in. The message of an error that it throws is shown. */
  signIn: { attribute: false } as Property<(email: string, password: string) => Promise<unknown>>,
  /** Sends a link for a new password to an address. Null if that is not possible here. */
  sendLink: { attribute: false, first: null } as Property<((email: string) => Promise<unknown>) | null>,
}) {
  static override styles = styleSheets(styles);

  #attempt = state<Attempt>(this, { kind: "idle" });
  #isForgotten = state(this, false);

  override render() {
    const { words, user, isNew } = this;
    const attempt = this.#attempt.value;
    const isForgotten = this.#isForgotten.value;
    const isBusy = attempt.kind === "sending";
    const action = isForgotten ? words.sendLink : user === null ? words.signIn : words.setPassword;
    return html`
      <form @submit=${this.#submit} aria-busy=${isBusy}>
        <label ?hidden=${user !== null}>
          ${words.email}
          <input name="email" type="email" autocomplete="username" ?required=${user === null} .value=${user ??
            this.email}>
        </label>
        ${isForgotten ? nothing : html`
          <label>
            ${user === null ? words.password : words.newPassword}
            <input name="password" type="password" autocomplete=${isNew
              ? "new-password"
              : "current-password"} required .value=${this.password}>
          </label>
        `}
        <p class="error" role="alert" ?hidden=${attempt.kind !== "mistake"}>${attempt.kind === "mistake"
          ? attempt.sentence
          : nothing}</p>
        <p role="status" ?hidden=${attempt.kind !== "sent"}>${attempt.kind === "sent" ? words.linkSent : nothing}</p>
        <button class="primary" ?disabled=${isBusy}>${isBusy && !isForgotten ? words.signingIn : action}</button>
        ${this.sendLink
          ? html`<button class="plain" type="button" @click=${this.#turn}>${
            isForgotten ? words.backToSignIn : words.forgotPassword
          }</button>`
          : nothing}
      </form>
    `;
  }

  /** Turns from the form to sign in to that for a link, and back. */
  #turn() {
    this.#isForgotten.value = !this.#isForgotten.value;
    this.#attempt.value = { kind: "idle" };
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    // The button may be clicked a second time before it is disabled.
    if (this.#attempt.value.kind === "sending") return;
    const fields = new FormData(event.target as HTMLFormElement);
    this.#attempt.value = { kind: "sending" };
    try {
      const email = String(fields.get("email")).trim();
      if (this.#isForgotten.value) await this.sendLink?.(email);
      else await this.signIn(email, String(fields.get("password")));
      this.#attempt.value = { kind: this.#isForgotten.value ? "sent" : "idle" };
    } catch (error) {
      this.#attempt.value = { kind: "mistake", sentence: this.#describe(error) };
    }
  }

  /** Auth refuses an unknown address and a wrong password in the same way. It has sentences for other mistakes. */
  #describe(error: unknown): string {
    const { words, user } = this;
    const { status = 0, body } = error as Partial<ServiceError>;
    if (user !== null && (status === 401 || status === 403)) return words.linkExpired;
    if (user === null && !this.#isForgotten.value && (status === 400 || status === 401)) return words.passwordWrong;
    if (error instanceof TypeError) return words.unreachable;
    const { error_code } = body ?? {};
    return words.errors[error_code ?? ""] ?? (error instanceof Error ? error.message : String(error));
  }
}

// A page may load both the chat and the desk, which share this element.
if (!customElements.get("human-sign-in")) customElements.define("human-sign-in", HumanSignIn);
