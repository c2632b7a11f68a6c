import { css, html, LitElement, nothing } from "lit";
import { ServiceError } from "../../client/service_error.ts";
import { defineOnce } from "./define_once.ts";
import { theme } from "./theme.ts";

const english = {
  email: "E-mail",
  password: "Password",
  passwordWrong: "This e-mail address and password do not belong together.",
  signIn: "Sign in",
  signingIn: "Signing in …",
};

/**
 * `<human-sign-in email password>`: asks for an e-mail address and a password, which the attributes may fill in. Around it
 * stands whatever says what one signs in to.
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
    signIn: { attribute: false },
    email: {},
    password: {},
    words: { attribute: false },
    error: { state: true },
    isBusy: { state: true },
  };

  /** What it says. */
  declare words: typeof english;
  /** Signs the user in; the sentence of what it throws is shown. */
  declare signIn: (email: string, password: string) => Promise<unknown>;
  declare email: string;
  declare password: string;
  declare private error: string | null;
  declare private isBusy: boolean;

  constructor() {
    super();
    this.words = english;
    this.signIn = () => Promise.resolve();
    this.email = "";
    this.password = "";
    this.error = null;
    this.isBusy = false;
  }

  override render() {
    const { words } = this;
    return html`
      <form @submit=${this.submit} aria-busy=${this.isBusy}>
        <label>
          ${words.email}
          <input name="email" type="email" autocomplete="username" required .value=${this.email}>
        </label>
        <label>
          ${words.password}
          <input name="password" type="password" autocomplete="current-password" required .value=${this.password}>
        </label>
        <p class="error" role="alert" ?hidden=${this.error === null}>${this.error ?? nothing}</p>
        <button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? words.signingIn : words.signIn}</button>
      </form>
    `;
  }

  private async submit(event: SubmitEvent) {
    event.preventDefault();
    // A second click, while the first one waits.
    if (this.isBusy) return;
    const fields = new FormData(event.target as HTMLFormElement);
    this.isBusy = true;
    this.error = null;
    try {
      await this.signIn(String(fields.get("email")).trim(), String(fields.get("password")));
    } catch (error) {
      this.error = this.describe(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** Auth has one refusal for an address that it does not know and for another password. */
  private describe(error: unknown): string {
    const isRefusal = error instanceof ServiceError && (error.status === 400 || error.status === 401);
    return isRefusal ? this.words.passwordWrong : error instanceof Error ? error.message : String(error);
  }
}

defineOnce("human-sign-in", HumanSignIn);
