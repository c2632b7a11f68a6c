import { html, LitElement, nothing, type PropertyValues } from "lit";
import { connect } from "../connection.ts";
import { Countdown } from "../ui/countdown.ts";
import { modal, modalStyles } from "../ui/dialog.ts";
import { Observer } from "../ui/observable.ts";
import { theme } from "../ui/theme.ts";
import "../ui/sign_in.ts";
import { Chat } from "./chat.ts";
import "./composer.ts";
import type { Composer } from "./composer.ts";
import { pieceStyles } from "./pieces.ts";
import { layout } from "./layout.ts";
import "./message_list.ts";
import type { MessageList } from "./message_list.ts";
import { addressPlace, tabPlace } from "./place.ts";
import { choiceScreen, header, isScreenFilling, screen, troubleBanner, troubleScreen } from "./screens.ts";
import "./side_bar.ts";
import type { SideBar } from "./side_bar.ts";
import { english, type Texts } from "./texts.ts";
import { describeTrouble, passes, type Trouble } from "./trouble.ts";

/**
 * `<human-chat base-url coach key supabase-key>`: a conversation with a persona, as a page or as a part of one.
 *
 * It is as large as the site makes it, and puts its chats into a drawer where it is narrow. Several can stand on one page.
 *
 * @slot links - Stands below the chats.
 * @csspart side - The chats.
 * @csspart header - Whom one talks to.
 * @csspart question @csspart answer @csspart person - What was said; an answer of the real person is also a `person`.
 * @csspart source @csspart composer @csspart send @csspart stop @csspart starter @csspart thread @csspart dialog
 * @cssprop --human-chat-accent - The colour of what can be pressed; `--human-chat-on-accent` is what stands on it.
 * @cssprop --human-chat-surface - The background; `--human-chat-raised` that of what stands out from it.
 * @cssprop --human-chat-text - The text; `--human-chat-muted` what is less important.
 * @cssprop --human-chat-person - What the real person has said.
 * @cssprop --human-chat-danger - What went wrong.
 * @cssprop --human-chat-line - Borders.
 * @cssprop --human-chat-radius - How round corners are.
 * @cssprop --human-chat-font - The font; `--human-chat-font-size` its size, in rem.
 * @cssprop --human-chat-color-scheme - `light` or `dark`; by default the reader's own setting.
 */
export class HumanChat extends LitElement {
  static override styles = [theme, modalStyles, pieceStyles, layout];

  static override properties = {
    baseUrl: { attribute: "base-url" },
    coach: {},
    key: {},
    supabaseKey: { attribute: "supabase-key" },
    links: { type: Boolean },
    email: {},
    password: {},
    accessToken: { attribute: false },
    texts: { attribute: false },
    chat: { state: true },
    mistake: { state: true },
    isMenuOpen: { state: true },
    isSigningIn: { state: true },
    isOffline: { state: true },
  };

  /** The address of the project; empty for the page's own. */
  declare baseUrl: string;
  /** Whom to talk to; empty for a choice. */
  declare coach: string;
  /** The publishable key, `hi_pub_…`. */
  declare key: string;
  /** The Supabase project's publishable or anon key, to sign visitors in. A site that signs them in itself leaves it out. */
  declare supabaseKey: string;
  /** Keeps the open chat in the address, so that links to it and going back work. For pages that have nothing else there. */
  declare links: boolean;
  /** What the form to sign in is filled with. For a demo on one machine only. */
  declare email: string;
  declare password: string;
  /** The token of a user whom the site has signed in itself. */
  declare accessToken: (() => Promise<string | null>) | null;
  /** Other words for what the element says. */
  declare texts: Partial<Texts>;

  declare private chat: Chat | null;
  /** Why nothing can be connected to. */
  declare private mistake: string | null;
  declare private isMenuOpen: boolean;
  declare private isSigningIn: boolean;
  declare private isOffline: boolean;
  get #composer(): Composer | null {
    return this.renderRoot.querySelector("human-chat-composer");
  }
  get #side(): SideBar | null {
    return this.renderRoot.querySelector("human-chat-side");
  }
  get #messages(): MessageList | null {
    return this.renderRoot.querySelector("human-chat-messages");
  }
  #countdown = new Countdown(this);
  #listening = new AbortController();

  constructor() {
    super();
    this.baseUrl = "";
    this.coach = "";
    this.key = "";
    this.supabaseKey = "";
    this.links = false;
    this.email = "";
    this.password = "";
    this.accessToken = null;
    this.texts = {};
    this.chat = null;
    this.mistake = null;
    this.isMenuOpen = false;
    this.isSigningIn = false;
    this.isOffline = false;
    new Observer(this, () => this.chat);
    new Observer(this, () => this.chat?.conversation ?? null);
  }

  override connectedCallback() {
    super.connectedCallback();
    const { signal } = this.#listening = new AbortController();
    const onOnline = () => {
      this.isOffline = !navigator.onLine;
      if (!this.isOffline) this.chat?.recover(true);
    };
    onOnline();
    addEventListener("online", onOnline, { signal });
    addEventListener("offline", onOnline, { signal });
    addEventListener("popstate", () => this.links && this.chat?.followPlace(), { signal });
    // The connection of somebody else would go on with their session.
    addEventListener("storage", () => this.chat?.checkAccount() && this.#restart(), { signal });
    addEventListener("pagehide", () => this.chat?.keepUnsent(), { signal });
    addEventListener("focus", () => this.chat?.recover(), { signal });
    document.addEventListener("visibilitychange", () => this.chat?.see(!document.hidden), { signal });
    if (this.hasUpdated) this.#restart();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#listening.abort();
    this.chat?.stop();
    this.chat = null;
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    const settings = ["baseUrl", "coach", "key", "supabaseKey", "links", "accessToken"] as const;
    if (!this.hasUpdated || settings.some((name) => changed.has(name))) this.#restart();
  }

  protected override updated() {
    // A page that is nothing else is called after whom one talks to.
    if (this.links && this.chat?.coach) document.title = this.chat.coach.name;
  }

  override render() {
    const texts = { ...english, ...this.texts };
    const { chat, isMenuOpen, isOffline } = this;
    const { coach, conversation } = chat ?? {};
    const banner: Trouble | null | undefined = isOffline ? { kind: "offline" } : conversation?.trouble;
    return html`
      <div class="frame" @sign-in=${() => this.isSigningIn = true}>
        ${chat
          ? html`
            <aside id="side" class=${isMenuOpen ? "open" : ""} part="side" @keydown=${this.#onMenuKey}
              @focusout=${this.#onMenuFocusOut}>
              <human-chat-side exportparts="thread, dialog" .chat=${chat} .texts=${texts} @opened=${this
                .#onOpened}>
                <slot name="links"></slot>
              </human-chat-side>
            </aside>
            <div class="scrim" @click=${this.#closeMenu}></div>
          `
          : nothing}
        <section class="main" @asked=${this.#onAsked} @take-back=${this.#onTakeBack}>
          ${header(chat, { texts, isMenuOpen, onMenu: () => this.#openMenu(), onNew: () => this.#startNew() })}
          ${banner && coach && !isScreenFilling(banner)
            ? troubleBanner(banner, this.#describe(banner, texts), texts, () => conversation?.dismiss())
            : nothing}
          ${this.#renderMain(texts)}
        </section>
        ${this.isSigningIn ? this.#renderSignIn(texts) : nothing}
      </div>
    `;
  }

  #renderMain(texts: Texts) {
    const { chat, mistake } = this;
    if (mistake !== null) return screen(html`<p class="error" role="alert">${mistake}</p>`);
    if (!chat) return nothing;
    const { coach, coaches, conversation } = chat;
    const trouble = chat.trouble ?? conversation?.trouble;
    if (trouble && (chat.trouble || isScreenFilling(trouble))) return this.#renderTrouble(trouble, chat, texts);
    if (!coach || !conversation) {
      return coaches.length > 0
        ? choiceScreen(coaches, texts, (coach) => (chat.choose(coach), this.#onOpened()))
        : screen(html`<p class="muted" role="status">${texts.loading}</p>`);
    }
    return html`
      <human-chat-messages
        exportparts="question, answer, person, source, dialog, starter"
        .conversation=${conversation} .coach=${coach} .texts=${texts}
      ></human-chat-messages>
      <human-chat-composer
        exportparts="composer, send, stop"
        .chat=${chat} .conversation=${conversation} .name=${coach.name} .texts=${texts}
      ></human-chat-composer>
    `;
  }

  #renderTrouble(trouble: Trouble, chat: Chat, texts: Texts) {
    return troubleScreen(trouble, {
      chat,
      texts,
      sentence: this.#describe(trouble, texts),
      onRetry: () => this.#restart(),
      onNew: () => this.#startNew(),
      onSignIn: () => this.isSigningIn = true,
    });
  }

  #renderSignIn(texts: Texts) {
    return modal({
      title: texts.signIn,
      onClose: () => this.isSigningIn = false,
      content: html`
        <h2>${texts.signIn}</h2>
        <p class="muted">${texts.signInHint}</p>
        <human-sign-in .words=${texts} .email=${this.email} .password=${this.password} .signIn=${this
          .#signIn}></human-sign-in>
      `,
    });
  }

  #describe(trouble: Trouble, texts: Texts) {
    const left = trouble.kind === "limited" ? this.#countdown.secondsTo(trouble.until) : 0;
    return `${describeTrouble(trouble, texts, left)} ${passes(trouble) ? texts.goesOn : ""}`;
  }

  /** Connects anew, with the settings of the moment. */
  #restart() {
    this.chat?.stop();
    this.chat = null;
    this.mistake = null;
    if (!this.isConnected) return;
    const { baseUrl, key: publishableKey, supabaseKey, accessToken, coach: coachId, links } = this;
    try {
      const connection = connect({ baseUrl, publishableKey, supabaseKey, role: "visitor", accessToken });
      const name = this.id || String([...document.querySelectorAll(this.localName)].indexOf(this));
      const place = links ? addressPlace : tabPlace(`${name} ${coachId}`);
      this.chat = new Chat({
        connection,
        coachId,
        isSignedInBySite: accessToken !== null || supabaseKey === "",
        place,
        name,
      });
      this.chat.see(!document.hidden);
      void this.chat.start();
    } catch (error) {
      this.mistake = error instanceof Error ? error.message : String(error);
    }
  }

  #signIn = async (email: string, password: string) => {
    await this.chat?.signIn(email, password);
    this.isSigningIn = false;
  };

  #startNew() {
    this.chat?.open(null);
    this.#onOpened();
  }

  async #onOpened() {
    this.isMenuOpen = false;
    await this.updateComplete;
    this.#composer?.focusField();
  }

  #onAsked() {
    this.#messages?.showEnd();
    this.#composer?.focusField();
  }

  #onTakeBack() {
    const { conversation } = this.chat ?? {};
    if (conversation) this.#composer?.put(conversation.takeBack());
  }

  async #openMenu() {
    this.isMenuOpen = true;
    await this.updateComplete;
    this.#side?.focusFirst();
  }

  #closeMenu() {
    if (!this.isMenuOpen) return;
    this.isMenuOpen = false;
    this.renderRoot.querySelector<HTMLElement>(".menu")?.focus();
  }

  #onMenuKey(event: KeyboardEvent) {
    if (event.key === "Escape") this.#closeMenu();
  }

  /** Who leaves the drawer with the keyboard is done with it. */
  #onMenuFocusOut({ relatedTarget, currentTarget }: FocusEvent) {
    if (!this.isSigningIn && relatedTarget && !(currentTarget as Element).contains(relatedTarget as Node)) {
      this.isMenuOpen = false;
    }
  }
}

customElements.define("human-chat", HumanChat);
