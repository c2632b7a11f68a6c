import { css, html, LitElement, nothing } from "lit";
import { ServiceError } from "../../client/service_error.ts";
import { type Fields, type Property, state } from "./element.ts";
import { theme } from "./theme.ts";

const english = {
  email: "Email",
  password: "Password",
  passwordWrong: "Wrong email or password.",
  signIn: "Sign in",
  signingIn: "Signing in…",
};

type Attempt = { kind: "idle" | "sending" } | { kind: "mistake"; sentence: string };

/**
 * `<human-sign-in email password>`: a form that asks for an email address and a password, which the attributes may fill
 * in. The page around it says what people sign in to.
 */
export class HumanSignIn extends LitElement {
  static override styles = [
    theme,
    css`
      form {
        display: grid;
        gap: 1rem;
      }
      label {
        display: grid;
        gap: 0.25rem;
        font-weight: 600;
      }
      input {
        min-block-size: 2.75rem;
        font-weight: 400;
      }
      button {
        min-block-size: 2.75rem;
      }
      p {
        margin: 0;
      }
    `,
  ];

  static override properties = {
    email: { type: String, first: "" },
    password: { type: String, first: "" },
    /** True if the password is a new one. */
    isNew: { attribute: false, first: false },
    /** The texts of the form. */
    words: { attribute: false, first: english },
    /** Signs the user in. The message of an error that it throws is shown. */
    signIn: { attribute: false } as Property<(email: string, password: string) => Promise<unknown>>,
  };

  #attempt = state<Attempt>(this, { kind: "idle" });

  override render() {
    const { words } = this;
    const attempt = this.#attempt.value;
    const isBusy = attempt.kind === "sending";
    return html`
      <form @submit=${this.#submit} aria-busy=${isBusy}>
        <label>
          ${words.email}
          <input name="email" type="email" autocomplete="username" required .value=${this.email}>
        </label>
        <label>
          ${words.password}
          <input name="password" type="password" autocomplete=${this.isNew
            ? "new-password"
            : "current-password"} required .value=${this.password}>
        </label>
        <p class="error" role="alert" ?hidden=${attempt.kind !== "mistake"}>${attempt.kind === "mistake"
          ? attempt.sentence
          : nothing}</p>
        <button class="primary" ?disabled=${isBusy}>${isBusy ? words.signingIn : words.signIn}</button>
      </form>
    `;
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    // The button may be clicked a second time before it is disabled.
    if (this.#attempt.value.kind === "sending") return;
    const fields = new FormData(event.target as HTMLFormElement);
    this.#attempt.value = { kind: "sending" };
    try {
      await this.signIn(String(fields.get("email")).trim(), String(fields.get("password")));
      this.#attempt.value = { kind: "idle" };
    } catch (error) {
      this.#attempt.value = { kind: "mistake", sentence: this.#describe(error) };
    }
  }

  /** Auth refuses an unknown address and a wrong password in the same way. */
  #describe(error: unknown): string {
    const isRefusal = error instanceof ServiceError && (error.status === 400 || error.status === 401);
    return isRefusal ? this.words.passwordWrong : error instanceof Error ? error.message : String(error);
  }
}

export interface HumanSignIn extends Fields<typeof HumanSignIn.properties> {}

// A page may load both the chat and the desk, which share this element.
if (!customElements.get("human-sign-in")) customElements.define("human-sign-in", HumanSignIn);
