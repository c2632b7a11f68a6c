/// <reference lib="dom" />
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { elementWith, type Property, state, styleSheets } from "../ui/element.ts";
import { directionOf, followLanguage } from "../ui/language.ts";
import { type MailedLink, pageAddress, takeAuthConfirmation, takeMailedLink } from "../ui/mailed_link.ts";
import "../ui/sign_in.ts";
import { type Account, Accounts, SessionEnded } from "./accounts.ts";
import "./apps_list.ts";
import { nameOf } from "./apps_list.ts";
import { type AccessRequest, Auth } from "./auth.ts";
import styles from "./consent.css" with { type: "text" };
import { readDestination } from "./describe_app.ts";
import { fill, locale, speak, t } from "./texts.ts";
import { ServiceError } from "../../client/service_error.ts";

type Screen =
  | { at: "looking" }
  | { at: "framed" }
  | { at: "sign-in"; because?: string }
  | { at: "new-account" }
  | { at: "unconfirmed" }
  | { at: "new-password"; link: MailedLink & { kind: "password" } }
  | { at: "choice"; accounts: Account[] }
  | { at: "request"; request: AccessRequest; account: Account; isExpert: boolean }
  | { at: "other-account"; request: AccessRequest; account: Account; isExpert: boolean }
  | { at: "leaving"; address: string }
  | { at: "apps"; account: Account }
  | { at: "failure"; sentence: string; again: boolean };

/**
 * Milliseconds for which a request has to be in front of the user before it can be allowed. Another site can lay a window
 * over the page that goes away at the first click of two: the second one must not fall on the button.
 */
const settleTime = 500;

/**
 * `<human-consent>`: the page on which people decide if an app may act for them, to which Supabase Auth sends them, and on
 * which they end the access of apps. It asks Supabase Auth, and the service whether the user is an expert.
 *
 * @attr {string} base-url - The address of the project; by default the origin of the page.
 * @attr {string} key - The publishable key of the other pages, whose signed-in users are known here.
 * @attr {string} supabase-key - The Supabase project's publishable or anon key, which signs users in.
 * @attr {string} lang - The language; by default the browser's, and otherwise English.
 * @attr {string} email - The email address in the sign-in form. For a demo on one machine only.
 * @attr {string} password - The password in the sign-in form. For a demo on one machine only.
 */
export class HumanConsent extends elementWith({
  baseUrl: { type: String, attribute: "base-url", first: "" },
  key: { type: String, first: "" },
  supabaseKey: { type: String, attribute: "supabase-key", first: "" },
  email: { type: String, first: "" },
  password: { type: String, first: "" },
  /** The language that the site has set; empty for the browser's. */
  wanted: { type: String, attribute: "lang", first: "" } as Property<string>,
}) {
  static override styles = styleSheets(styles);

  #screen = state<Screen>(this, { at: "looking" });
  #isBusy = state(this, false);
  /** True once a request has been in front of the user for a moment. */
  #isSettled = state(this, false);
  #settling: ReturnType<typeof setTimeout> | undefined;
  #signUp = state(this, false);
  #newPassword = state(this, false);
  /** The screen that was shown last; null on a new page. */
  #last: Screen["at"] | null = null;
  #auth!: Auth;
  #accounts!: Accounts;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.#open);
    addEventListener("focus", this.#settle);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#open);
    removeEventListener("focus", this.#settle);
    clearTimeout(this.#settling);
  }

  override firstUpdated(): void {
    void this.#begin();
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { at } = this.#screen.value;
    if (at === "looking" || at === this.#last) return;
    // The button that led here is gone, and with it the focus.
    if (this.#last !== null) this.renderRoot.querySelector("h1")?.focus();
    this.#last = at;
  }

  override render() {
    return html`
      <main lang=${locale} dir=${directionOf(locale)}>
        <div>${this.#renderScreen(this.#screen.value)}</div>
      </main>
    `;
  }

  #renderScreen(screen: Screen): TemplateResult {
    switch (screen.at) {
      case "looking":
        return html`<p class="muted" role="status">${t.shared.loading}…</p>`;
      case "framed":
        return html`
          <p>${t.framed}</p>
          <p><a href=${location.href} target="_blank" rel="noopener">${t.openAlone}</a></p>
        `;
      case "sign-in":
        return this.#renderSignIn(screen.because);
      case "new-account":
        return html`
          ${heading(t.createAccount)}
          <p class="muted">${t.createHint}</p>
          <human-sign-in .isNew=${true} .words=${{ ...t.shared, signIn: t.createAccount }}
            .signIn=${this.#createAccount}></human-sign-in>
          <button @click=${() => this.#show({ at: "sign-in" })}>${t.haveAccount}</button>
        `;
      case "unconfirmed":
        return html`${heading(t.title)}<p role="status">${t.confirmEmail}</p>`;
      case "new-password":
        return html`
          ${heading(t.shared.newPassword)}
          <p class="muted"><bdi>${screen.link.email}</bdi></p>
          <human-sign-in .words=${t.shared} .isNew=${true} .user=${screen.link.email}
            .signIn=${(_: string, password: string) => this.#setPassword(screen.link, password)}></human-sign-in>
        `;
      case "choice":
        return html`
          ${heading(this.#isAboutApps ? t.apps : t.title)}
          <p>${t.chooseAccount}</p>
          <ul class="list">
            ${screen.accounts.map((account) =>
              html`<li><button class="wide" @click=${() =>
                this.#choose(account)}><bdi>${account.email}</bdi></button></li>`
            )}
            <li><button class="plain wide" @click=${() => this.#askToSignIn()}>${t.useAnother}</button></li>
          </ul>
        `;
      case "request":
        return this.#renderRequest(screen);
      case "other-account":
        return html`
          ${heading(t.useAnother)}
          <p>${fill(t.belongs, { email: screen.account.email, app: nameOf(screen.request.client) })}</p>
          <div class="row">
            <button @click=${() => this.#show({ ...screen, at: "request" })}>${t.shared.backToSignIn}</button>
            <button class="primary" ?disabled=${this.#isBusy.value} @click=${() => this.#answer("deny", screen)}>
              ${t.backToApp}
            </button>
          </div>
        `;
      case "leaving":
        return html`
          ${heading(t.leaving)}
          <p>${t.mayClose}</p>
          <a class="wide" href=${screen.address} rel="noreferrer">${t.goOn}</a>
        `;
      case "apps":
        return html`
          ${heading(t.apps)}
          ${this.#renderWho(screen.account)}
          <human-apps .auth=${this.#auth} .account=${screen.account}
            @failure=${(event: CustomEvent) => this.#fail(event.detail)}></human-apps>
        `;
      case "failure":
        return html`
          ${heading(this.#isAboutApps ? t.apps : t.title)}
          <p role="alert">${screen.sentence}</p>
          ${screen.again
            ? html`<div class="row"><button class="primary" @click=${this.#open}>${t.shared.retry}</button></div>`
            : nothing}
        `;
    }
  }

  #renderSignIn(because?: string) {
    return html`
      ${heading(this.#isAboutApps ? t.apps : t.title)}
      <p class="muted" role=${because ? "status" : nothing}>${because ??
        (this.#isAboutApps ? t.appsHint : t.unknown)}</p>
      <human-sign-in .email=${this.email} .password=${this.password} .words=${t.shared} .signIn=${this.#signIn}
        .sendLink=${this.#newPassword.value ? this.#sendLink : null}></human-sign-in>
      ${this.#signUp.value
        ? html`<button @click=${() => this.#show({ at: "new-account" })}>${t.createAccount}</button>`
        : nothing}
    `;
  }

  #renderRequest({ request, account, isExpert }: Screen & { at: "request" }) {
    const scopes = request.scope.split(" ");
    const destination = readDestination(request.redirect_uri);
    const app = nameOf(request.client);
    if (destination === null) {
      return html`${heading(fill(t.asks, { app }))}<p role="alert">${t.unsafe}</p>`;
    }
    const place = destination.kind === "site" ? destination.name : fill(
      destination.kind === "device" ? t.thisDevice : t.appOnDevice,
      { name: destination.name },
    );
    return html`
      ${heading(fill(t.asks, { app }))}
      <dl>
        <div>
          <dt>${t.name}</dt>
          <dd><bdi>${app}</bdi></dd>
          <dd class="hint">${t.unverified}</dd>
        </div>
        <div>
          <dt>${t.sendsTo}</dt>
          <dd><bdi>${place}</bdi></dd>
        </div>
        <div>
          <dt>${t.account}</dt>
          <dd><bdi>${account.email || account.userId}</bdi></dd>
          <dd class="hint"><button class="link" @click=${() =>
            this.#show({ at: "other-account", request, account, isExpert })}>${t.useAnother}</button></dd>
        </div>
      </dl>
      <div>
        <h2>${t.may}</h2>
        <ul class="may">
          <li>${t.mayTalk}</li>
          <li>${t.mayRead}</li>
          <li>${isExpert ? t.mayWork : t.mayWorkLater}</li>
          ${scopes.includes("email") ? html`<li>${t.mayEmail}</li>` : nothing}
          ${scopes.includes("profile") ? html`<li>${t.mayProfile}</li>` : nothing}
          ${scopes.includes("phone") ? html`<li>${t.mayPhone}</li>` : nothing}
        </ul>
      </div>
      <p>${t.trust}</p>
      <div class="row">
        <button ?disabled=${this.#isBusy.value} @click=${() => this.#answer("deny", { request, account })}>${t
          .deny}</button>
        <button class="primary" ?disabled=${this.#isBusy.value || !this.#isSettled.value}
          @click=${() => this.#answer("approve", { request, account })}>${t.allow}</button>
      </div>
      <p class="muted small">${t.takeBack} <a href="#apps">${t.apps}</a></p>
    `;
  }

  #renderWho({ email }: Account) {
    return html`
      <p class="muted">${fill(t.signedInAs, { email })}
        <button class="link" @click=${this.#useAnother}>${t.useAnother}</button></p>
    `;
  }

  #show(screen: Screen): void {
    this.#screen.value = screen;
    if (screen.at === "request") this.#settle();
  }

  /** Has the user look at a request for a moment, which begins again whenever the window comes to the front. */
  #settle = (): void => {
    clearTimeout(this.#settling);
    this.#isSettled.value = false;
    this.#settling = setTimeout(() => this.#isSettled.value = true, settleTime);
  };

  /** The request of an app that has opened the page. Null if its user has come by themselves. */
  get #requestId(): string | null {
    return location.hash === "#apps" ? null : new URLSearchParams(location.search).get("authorization_id") || null;
  }
  get #isAboutApps(): boolean {
    return this.#requestId === null;
  }

  async #begin(): Promise<void> {
    await speak(this.wanted);
    followLanguage(locale, t);
    // A policy in a page cannot forbid this, and not every host sends the header that does.
    if (top !== self) return this.#show({ at: "framed" });
    const address = new URL(this.baseUrl || "/", location.href).href.replace(/\/$/, "");
    this.#auth = new Auth(address, this.supabaseKey);
    this.#accounts = new Accounts(this.#auth, { address, publishableKey: this.key });
    const isConfirmed = takeAuthConfirmation();
    const link = takeMailedLink();
    if (link?.kind === "password") return this.#show({ at: "new-password", link });
    if (link || isConfirmed) return this.#askToSignIn(link ? t.shared.linkExpired : t.confirmed);
    this.#open();
  }

  /** Opens what the address names for the account that was chosen, or has the user choose one. */
  #open = (): void => {
    if (top !== self) return;
    const account = this.#accounts.chosen;
    const accounts = this.#accounts.list();
    if (account !== null) void this.#openFor(account);
    else if (accounts.length > 0) this.#show({ at: "choice", accounts });
    else this.#askToSignIn();
  };

  async #openFor(account: Account): Promise<void> {
    const id = this.#requestId;
    if (id === null) return this.#show({ at: "apps", account });
    this.#show({ at: "looking" });
    try {
      const reply = await this.#auth.openRequest(id, await account.accessToken());
      if (this.#requestId !== id) return;
      if ("redirect_url" in reply) this.#leave(reply.redirect_url);
      else {
        const isExpert = await this.#auth.isExpert(this.key, await account.accessToken());
        if (this.#requestId === id) this.#show({ at: "request", request: reply, account, isExpert });
      }
    } catch (error) {
      if (this.#requestId === id) this.#fail(error);
    }
  }

  async #answer(
    action: "approve" | "deny",
    { request, account }: { request: AccessRequest; account: Account },
  ): Promise<void> {
    if (this.#isBusy.value) return;
    this.#isBusy.value = true;
    const isOther = this.#screen.value.at === "other-account";
    try {
      const token = await account.accessToken();
      const { redirect_url } = await this.#auth.answerRequest(request.authorization_id, action, token);
      if (isOther) this.#accounts.leave();
      this.#leave(redirect_url);
    } catch (error) {
      this.#fail(error);
    }
    this.#isBusy.value = false;
  }

  /** Goes back to the app. Some browsers do not open a program by themselves, so there is a link, too. */
  #leave(address: string): void {
    if (readDestination(address) === null) return this.#show({ at: "failure", sentence: t.unsafe, again: false });
    this.#show({ at: "leaving", address });
    location.replace(address);
  }

  #fail(error: unknown): void {
    const failure = judgeFailure(error);
    if (failure === "signedOut") {
      this.#accounts.leave();
      return this.#askToSignIn(t.signedOut);
    }
    const sentence = failure === "unreachable" ? t.shared.unreachable : t[failure];
    this.#show({ at: "failure", sentence, again: ["unreachable", "tooMany", "trouble"].includes(failure) });
  }

  #choose(account: Account): void {
    this.#accounts.choose(account);
    void this.#openFor(account);
  }

  #useAnother = (): void => {
    this.#accounts.leave();
    const accounts = this.#accounts.list();
    if (accounts.length > 1) this.#show({ at: "choice", accounts });
    else this.#askToSignIn();
  };

  #askToSignIn(because?: string): void {
    this.#show({ at: "sign-in", because });
    this.#auth.settings().then(({ disable_signup, external: { email = false } }) => {
      this.#signUp.value = email && !disable_signup;
      this.#newPassword.value = email;
    }, () => {});
  }

  #signIn = async (email: string, password: string): Promise<void> => {
    this.#accounts.begin(await this.#auth.signIn(email, password));
    this.#open();
  };

  #createAccount = async (email: string, password: string): Promise<void> => {
    const reply = await this.#auth.signUp(email, password, pageAddress());
    if (!reply.access_token) return this.#show({ at: "unconfirmed" });
    this.#accounts.begin(reply);
    this.#open();
  };

  async #setPassword({ tokens }: MailedLink & { kind: "password" }, password: string): Promise<void> {
    await this.#auth.setPassword(password, tokens.access_token);
    this.#accounts.begin(tokens);
    this.#open();
  }

  #sendLink = (email: string): Promise<unknown> => this.#auth.sendPasswordLink(email, pageAddress());
}

function heading(text: string): TemplateResult {
  return html`<h1 tabindex="-1">${text}</h1>`;
}

customElements.define("human-consent", HumanConsent);

/** Failures that the page has something to say to. */
type Failure = "gone" | "signedOut" | "originRefused" | "notOffered" | "tooMany" | "unreachable" | "trouble";

/** Tells what an error of Supabase Auth means to somebody on the page. */
function judgeFailure(error: unknown): Failure {
  if (error instanceof SessionEnded) return "signedOut";
  if (error instanceof TypeError) return "unreachable";
  if (!(error instanceof ServiceError)) return "trouble";
  const { status, body, message } = error;
  if (body.error_code === "oauth_authorization_not_found") return "gone";
  // Auth has one code for both.
  if (body.error_code === "validation_failed") return /origin/.test(message) ? "originRefused" : "gone";
  if (status === 401 || status === 403 || body.error_code === "refresh_token_not_found") return "signedOut";
  if (status === 404) return "notOffered";
  return status === 429 ? "tooMany" : "trouble";
}
