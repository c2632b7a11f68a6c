import { html, LitElement, nothing, type PropertyValues } from "lit";
import { type Fields, observe, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { createVisitorClient } from "../../client/client.ts";
import { connect } from "../connection.ts";
import { chooseLanguage, directionOf, followLanguage, loadTexts } from "../ui/language.ts";
import { countdown } from "../ui/countdown.ts";
import { closeModal, modal, modalStyles } from "../ui/dialog.ts";
import {
  type MailedLink,
  type MailedPlace,
  readMailedPlace,
  takeConfirmation,
  takeMailedLink,
} from "../ui/mailed_link.ts";
import theme from "../ui/theme.css" with { type: "text" };
import { Reading } from "../reader/reading.ts";
import "../ui/sign_in.ts";
import { readSourcePlace } from "../reader/source_place.ts";
import { Chat, type Coach } from "./chat.ts";
import "./composer.ts";
import type { Composer } from "./composer.ts";
import { loadInPerson, pieceStyles } from "./pieces.ts";
import styles from "./human_chat.css" with { type: "text" };
import * as parts from "./parts.ts";
import "./message_list.ts";
import type { MessageList } from "./message_list.ts";
import { addressPlace, tabPlace } from "./place.ts";
import { banner, choiceScreen, header, isScreenFilling, screen, troubleScreen } from "./screens.ts";
import "./side_bar.ts";
import type { SideBar } from "./side_bar.ts";
import { english, type Texts } from "./texts.ts";
import { describeLow } from "./budget_watch.ts";
import { describeTrouble, passes, readTrouble, type Trouble } from "./trouble.ts";

/** A chat that is connected, or the mistake in the settings of the page that prevents it. */
type Connected = { kind: "open"; chat: Chat } | { kind: "mistake"; sentence: string };

/** The settings that need a new connection when they change. */
const settings = ["baseUrl", "coach", "key", "publishableKey", "supabaseKey", "links", "accessToken"] as const;

/**
 * A conversation with a persona, as a page of its own or as a part of one. The site decides how large it is. Where it is
 * narrow, the list of chats is in a drawer. A page can hold several.
 *
 * @attr {string} base-url - The address of the project; by default the origin of the page.
 * @attr {string} coach - The ID of the coach to talk to; without it, visitors choose.
 * @attr {string} key - The publishable key, `hi_pub_…`.
 * @attr {string} publishable-key - The same as `key`, for React and Vue, which keep attributes of that name to themselves.
 * @attr {string} supabase-key - The Supabase project's publishable or anon key, which signs visitors in. A site that signs
 * its users in itself leaves it out.
 * @attr {string} coaches - `data` of `GET /coaches` as JSON, to greet new visitors without a request. They are signed in
 * with their first message then.
 * @attr {string} privacy-url - The address of the site's own page about privacy.
 * @attr {string} lang - The language; by default the browser's, and otherwise English.
 * @attr {boolean} links - Keeps the open chat in the address of the page, so that links to it work.
 * @attr {string} email - The email address in the sign-in form. For a demo on one machine only.
 * @attr {string} password - The password in the sign-in form. For a demo on one machine only.
 *
 * @prop {(() => Promise<string | null>) | null} accessToken - Returns the access token of a user whom the site itself has
 * signed in. It is called for every request.
 * @prop {Record<string, string | Record<string, string>>} texts - Replacements for texts of the element.
 *
 * @fires {CustomEvent<number>} unread - The number of chats with something new has changed. It is the `detail`.
 *
 * @slot links - Links below the list of chats.
 *
 * @csspart side - The list of chats.
 * @csspart header - The name of the coach, above the conversation.
 * @csspart question - A question.
 * @csspart answer - An answer.
 * @csspart person - An answer that the expert has written in person.
 * @csspart source - A source of an answer.
 * @csspart composer - The field for a message.
 * @csspart send - The button that sends a message.
 * @csspart stop - The button that stops an answer.
 * @csspart starter - A question to begin with.
 * @csspart thread - A chat in the list.
 * @csspart dialog - A window above the page.
 *
 * @cssprop --human-chat-accent - The color of buttons and links.
 * @cssprop --human-chat-on-accent - The color of text on the accent color.
 * @cssprop --human-chat-surface - The color of the background.
 * @cssprop --human-chat-raised - The color of areas that stand out from the background.
 * @cssprop --human-chat-text - The color of text.
 * @cssprop --human-chat-muted - The color of less important text.
 * @cssprop --human-chat-person - The color of answers that the expert has written in person.
 * @cssprop --human-chat-danger - The color of errors.
 * @cssprop --human-chat-line - The color of borders.
 * @cssprop --human-chat-radius - The radius of corners.
 * @cssprop --human-chat-font - The font.
 * @cssprop --human-chat-font-size - The size of the font, in rem.
 * @cssprop --human-chat-color-scheme - `light` or `dark`; by default the setting of the browser.
 */
export class HumanChat extends LitElement {
  /** @internal */
  static parts = parts;

  static override styles = styleSheets(theme, modalStyles, pieceStyles, styles);

  static override properties = {
    baseUrl: { type: String, attribute: "base-url", first: "" },
    coach: { type: String, first: "" },
    key: { type: String, first: "" },
    publishableKey: { type: String, attribute: "publishable-key", first: "" },
    supabaseKey: { type: String, attribute: "supabase-key", first: "" },
    privacyUrl: { type: String, attribute: "privacy-url", first: "" },
    links: { type: Boolean, first: false },
    coaches: { type: Object, first: null } as Property<Coach[] | null>,
    email: { type: String, first: "" },
    password: { type: String, first: "" },
    /** The language; by default the browser's, and otherwise English. */
    wanted: { type: String, attribute: "lang", first: "" },
    /** Returns the access token of a user whom the site itself has signed in. */
    accessToken: { attribute: false, first: null } as Property<(() => Promise<string | null>) | null>,
    /** Replacements for texts of the element. */
    texts: { attribute: false, first: {} } as Property<Partial<Texts>>,
  };

  #connected = state<Connected | null>(this, null);
  /** The texts in the language of the element; null while they are loaded. */
  #spoken = state<Texts | null>(this, null);
  #isMenuOpen = state(this, false);
  #isSigningIn = state(this, false);
  /** Whether the visit can become an account, and how far that is. */
  #account = state<"no" | "offered" | "form" | "unconfirmed">(this, "no");
  #mayReplacePassword = state(this, false);
  /** The mailed link that has opened the page. */
  #link = state<MailedLink | null>(this, null);
  /** What became of the link that confirms the address for mails. */
  #confirmed = state<"mailConfirmed" | "linkExpired" | "unreachable" | "trouble" | null>(this, null);
  /** The link of a mail that is open in place of the chat. */
  #mailed = state<MailedPlace | null>(this, null);
  #isOffline = state(this, false);
  #hasReader = false;
  #secondsTo = countdown(this);
  #unread = 0;
  #listening = new AbortController();
  /** An element that is not shown, such as one in a closed panel, is not looked at. */
  #size = new ResizeObserver(() => this.#see());
  #reading = new Reading(this, () => this.links);

  get #chat(): Chat | null {
    const connected = this.#connected.value;
    return connected?.kind === "open" ? connected.chat : null;
  }
  get #texts(): Texts {
    return { ...this.#spoken.value ?? english, ...this.texts };
  }
  get #composer(): Composer | null {
    return this.renderRoot.querySelector("human-chat-composer");
  }
  get #side(): SideBar | null {
    return this.renderRoot.querySelector("human-chat-side");
  }
  get #messages(): MessageList | null {
    return this.renderRoot.querySelector("human-chat-messages");
  }

  /** The level of the main heading: a page of its own begins with it. */
  get #level() {
    return this.links ? 1 : 2;
  }

  constructor() {
    super();
    observe(this, () => this.#chat);
    observe(this, () => this.#chat?.conversation ?? null);
    observe(this, () => this.#chat?.threads ?? null);
  }

  override connectedCallback() {
    super.connectedCallback();
    const { signal } = this.#listening = new AbortController();
    const onOnline = () => {
      this.#isOffline.value = !navigator.onLine;
      if (navigator.onLine) this.#chat?.recover(true);
    };
    onOnline();
    addEventListener("online", onOnline, { signal });
    addEventListener("offline", onOnline, { signal });
    const isSource = () => this.links && readSourcePlace() !== null;
    addEventListener("popstate", () => this.links && !isSource() && this.#chat?.followPlace(), { signal });
    // Only users can read a source.
    addEventListener("hashchange", () => isSource() && this.#chat?.arrive().catch(() => {}), { signal });
    // A mailed link may also come to a page that is open.
    addEventListener("hashchange", () => this.#followMail(), { signal });
    // Another user needs a connection of their own.
    addEventListener("storage", () => this.#chat?.checkAccount() && this.#restart(), { signal });
    addEventListener("focus", () => this.#chat?.recover(), { signal });
    document.addEventListener("visibilitychange", () => this.#see(), { signal });
    this.#size.observe(this);
    // A site that signs its users in itself has such links of its own.
    const link = this.supabaseKey && !this.accessToken ? takeMailedLink() : null;
    if (link) void this.#openSignIn(link);
    if (this.hasUpdated) this.#restart();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#listening.abort();
    this.#size.disconnect();
    this.#disconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!this.hasUpdated || settings.some((name) => changed.has(name))) this.#restart();
    if (!this.hasUpdated || changed.has("wanted")) void this.#speak();
  }

  async #speak() {
    const { wanted } = this;
    const { language, locale } = chooseLanguage(wanted);
    const loaded = await loadTexts<Texts>("human-chat", language);
    if (wanted !== this.wanted) return;
    const isSpoken = loaded || language === "en";
    this.#spoken.value = { ...english, ...loaded, locale: isSpoken ? locale : "en" };
  }

  protected override updated() {
    const { coach, unread = 0 } = this.#chat ?? {};
    this.style.setProperty("--coach-accent", coach?.accent_color ?? null);
    if (unread !== this.#unread) tell(this, "unread", this.#unread = unread);
    if (!this.links || !this.#spoken.value) return;
    followLanguage(this.#texts.locale, this.#texts);
    // A page of its own takes the name of the coach as its title. The title and the icon show that something is new.
    if (coach) document.title = unread > 0 ? `(${unread}) ${coach.name}` : coach.name;
    const icon = document.querySelector<HTMLLinkElement>("link[data-unread]");
    if (!icon) return;
    icon.dataset.read ??= icon.href;
    icon.href = unread > 0 ? icon.dataset.unread! : icon.dataset.read;
  }

  override render() {
    // Nothing is shown in another language meanwhile.
    if (!this.#spoken.value) return nothing;
    const texts = this.#texts;
    // English, also with some texts of the site's own, has the direction of the site.
    const isEnglish = /^en\b/i.test(texts.locale);
    const chat = this.#chat;
    const isMenuOpen = this.#isMenuOpen.value;
    const { coach, conversation } = chat ?? {};
    const trouble: Trouble | null | undefined = this.#isOffline.value ? { kind: "offline" } : conversation?.trouble;
    const confirmed = this.#confirmed.value;
    return html`
      <div class="frame" lang=${texts.locale} dir=${isEnglish ? nothing : directionOf(texts.locale)} @sign-in=${() =>
        this.#openSignIn()}>
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
          ${header(chat, {
            texts,
            level: this.#level,
            isMenuOpen,
            onMenu: () => this.#openMenu(),
            onNew: () => this.#startNew(),
          })}
          ${confirmed ? banner(texts[confirmed], { texts, onClose: () => this.#confirmed.value = null }) : nothing}
          ${trouble && coach && !isScreenFilling(trouble)
            ? banner(this.#describe(trouble, texts), {
              isError: !passes(trouble),
              texts,
              onClose: passes(trouble) ? null : () => conversation?.dismiss(),
            })
            : nothing}
          ${this.#renderMain(texts)}
        </section>
        ${chat ? this.#renderReader(chat, texts) : nothing}
        ${this.#isSigningIn.value ? this.#renderSignIn(texts) : nothing}
      </div>
    `;
  }

  #renderMain(texts: Texts) {
    const connected = this.#connected.value;
    if (!connected) return nothing;
    const mailed = this.#mailed.value;
    if (mailed && connected.kind === "open") {
      loadInPerson();
      return html`<human-chat-mailed .place=${mailed} .client=${connected.chat.client} .texts=${texts} @left=${this.#leaveMailed}></human-chat-mailed>`;
    }
    if (connected.kind === "mistake") return screen(html`<p class="error" role="alert">${connected.sentence}</p>`);
    const { chat } = connected;
    const { coach, coaches, conversation } = chat;
    const trouble = chat.trouble ?? conversation?.trouble;
    if (trouble && (chat.trouble || isScreenFilling(trouble))) return this.#renderTrouble(trouble, chat, texts);
    if (!coach || !conversation) {
      return coaches.length > 0
        ? choiceScreen(chat, {
          texts,
          level: this.#level,
          onChoose: (coach) => (chat.choose(coach), this.#onOpened()),
        })
        : screen(html`<p class="muted" role="status">${texts.loading}</p>`);
    }
    return html`
      <human-chat-messages
        exportparts="question, answer, person, source, dialog, starter"
        .chat=${chat} .conversation=${conversation} .coach=${coach} .privacyUrl=${this.privacyUrl} .texts=${texts}
      ></human-chat-messages>
      <human-chat-composer
        exportparts="composer, send, stop"
        .chat=${chat} .conversation=${conversation} .name=${coach.name} .texts=${texts}
        .notice=${chat.budget?.low ? describeLow(chat.budget.low, texts) : ""}
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
      onSignIn: () => this.#openSignIn(),
    });
  }

  #renderSignIn(texts: Texts) {
    const link = this.#link.value;
    if (link?.kind === "password") return this.#renderNewPassword(link, texts);
    const account = this.#account.value;
    const isNew = account === "form" || account === "unconfirmed";
    const title = isNew ? texts.makeAccount : texts.signIn;
    const form = isNew
      ? html`
        <p class="muted">${texts.makeAccountHint}</p>
        <human-sign-in .words=${{ ...texts, signIn: title }} .isNew=${true} .signIn=${this
          .#makeAccount}></human-sign-in>
      `
      : html`
        ${link ? html`<p role="status">${texts.linkExpired}</p>` : nothing}
        <p class="muted">${account === "offered" ? texts.signInKeepHint : texts.signInHint}</p>
        <human-sign-in .words=${texts} .email=${this.email} .password=${this.password} .signIn=${this
          .#signIn}
          .sendLink=${this.#mayReplacePassword.value ? this.#sendLink : null}></human-sign-in>
        ${account === "offered"
          ? html`<p class="other"><button @click=${() =>
            this.#account.value = "form"}>${texts.makeAccount}</button></p>`
          : nothing}
      `;
    return modal({
      title,
      onClose: () => this.#isSigningIn.value = false,
      content: html`
        <h2>${title}</h2>
        ${account === "unconfirmed" ? html`<p role="status">${texts.confirmEmail}</p>` : form}
        <p class="other"><button class="plain" @click=${closeModal}>${texts.close}</button></p>
      `,
    });
  }

  #renderReader(chat: Chat, texts: Texts) {
    // Nobody can read before the coaches are known, and a new visitor is a user.
    if (chat.trouble || chat.coaches.length === 0 || chat.account?.userId === null) return nothing;
    const { opened } = this.#reading;
    // Most people open no source: the reader is a script of its own. Once it is there, it stays: it watches what is open.
    if (opened && !this.#hasReader) import(new URL("human-reader.js", import.meta.url).href).catch(() => {});
    this.#hasReader ||= opened !== null;
    if (!this.#hasReader) return nothing;
    const coach = chat.coaches.find(({ id }) => id === opened?.coachId);
    return html`
      <human-reader exportparts="dialog" .reading=${this.#reading} .client=${chat.client} .name=${coach?.name}
        .texts=${texts} .describe=${this.#describeError}></human-reader>
    `;
  }

  #describeError = (error: unknown) => describeTrouble(readTrouble(error), this.#texts, this.#secondsTo);

  #renderNewPassword({ email, tokens }: MailedLink & { kind: "password" }, texts: Texts) {
    const setPassword = async (_: string, password: string) => {
      await this.#chat?.setPassword(password, tokens);
      this.#isSigningIn.value = false;
    };
    return modal({
      title: texts.newPassword,
      onClose: () => this.#isSigningIn.value = false,
      content: html`
        <h2>${texts.newPassword}</h2>
        <p class="muted"><bdi>${email}</bdi></p>
        <human-sign-in .words=${texts} .isNew=${true} .user=${email} .signIn=${setPassword}></human-sign-in>
      `,
    });
  }

  #describe(trouble: Trouble, texts: Texts) {
    return `${describeTrouble(trouble, texts, this.#secondsTo)} ${passes(trouble) ? texts.goesOn : ""}`;
  }

  #disconnect() {
    this.#chat?.stop();
    this.#connected.value = null;
  }

  #restart() {
    this.#disconnect();
    if (!this.isConnected) return;
    this.#reading.follow();
    const { baseUrl, supabaseKey, accessToken, coach: coachId, links } = this;
    const publishableKey = this.key || this.publishableKey;
    try {
      const connection = connect(
        { baseUrl, publishableKey, supabaseKey, role: "visitor", accessToken },
        createVisitorClient,
      );
      const name = this.id || String([...document.querySelectorAll(this.localName)].indexOf(this));
      const place = links ? addressPlace : tabPlace(`${name} ${coachId}`);
      const isSignedInBySite = accessToken !== null || supabaseKey === "";
      const chat = new Chat({ connection, coachId, isSignedInBySite, place, cards: this.coaches ?? [], name });
      this.#connected.value = { kind: "open", chat };
      this.#see();
      this.#followMail(true);
    } catch (error) {
      this.#connected.value = { kind: "mistake", sentence: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Confirms the address for mails, if a link in a mail has opened the page. */
  async #confirm({ client }: Chat) {
    const token = takeConfirmation();
    if (!token) return;
    this.#confirmed.value = await client.confirmMail(token).then(
      () => "mailConfirmed",
      (error) => error instanceof TypeError ? "unreachable" : error?.status === 403 ? "linkExpired" : "trouble",
    );
  }

  /** Follows a link of a mail, if there is one in the address of the page; otherwise a chat that waits is started. */
  #followMail(isWaiting = this.#mailed.value !== null) {
    const chat = this.#chat;
    if (!chat) return;
    void this.#confirm(chat);
    this.#mailed.value = this.links ? readMailedPlace() : null;
    // Nobody has to be signed in for what a mail links to.
    if (isWaiting && !this.#mailed.value && !chat.account) void chat.start();
  }

  #leaveMailed() {
    history.replaceState(null, "", location.pathname + location.search);
    this.#followMail();
  }

  #see() {
    this.#chat?.see(!document.hidden && this.checkVisibility());
  }

  #signIn = async (email: string, password: string) => {
    await this.#chat?.signIn(email, password);
    this.#isSigningIn.value = false;
  };

  #sendLink = async (email: string) => await this.#chat?.sendPasswordLink(email);

  /** @param link the mailed link that has opened the page */
  async #openSignIn(link: MailedLink | null = null) {
    this.#link.value = link;
    this.#account.value = "no";
    this.#isSigningIn.value = true;
    await this.updateComplete;
    const options = await this.#chat?.readSignInOptions();
    if (options?.signUp) this.#account.value = "offered";
    this.#mayReplacePassword.value = options?.newPassword ?? false;
  }

  #makeAccount = async (email: string, password: string) => {
    const isMade = await this.#chat?.makeAccount(email, password);
    if (isMade) this.#isSigningIn.value = false;
    else this.#account.value = "unconfirmed";
  };

  #startNew() {
    this.#chat?.open(null);
    this.#onOpened();
  }

  async #onOpened() {
    this.#isMenuOpen.value = false;
    await this.updateComplete;
    this.#composer?.focusField();
  }

  #onAsked() {
    this.#messages?.showEnd();
    this.#composer?.focusField();
  }

  #onTakeBack({ detail: key }: CustomEvent<string>) {
    const { conversation } = this.#chat ?? {};
    if (conversation) this.#composer?.put(conversation.takeBack(key));
  }

  async #openMenu() {
    this.#isMenuOpen.value = true;
    await this.updateComplete;
    this.#side?.focusFirst();
  }

  #closeMenu() {
    if (!this.#isMenuOpen.value) return;
    this.#isMenuOpen.value = false;
    this.renderRoot.querySelector<HTMLElement>(".menu")?.focus();
  }

  #onMenuKey(event: KeyboardEvent) {
    if (event.key !== "Escape" || !this.#isMenuOpen.value) return;
    event.stopPropagation();
    this.#closeMenu();
  }

  /** Closes the drawer when the focus leaves it. */
  #onMenuFocusOut({ relatedTarget, currentTarget }: FocusEvent) {
    if (!this.#isSigningIn.value && relatedTarget && !(currentTarget as Element).contains(relatedTarget as Node)) {
      this.#isMenuOpen.value = false;
    }
  }
}

export interface HumanChat extends Fields<typeof HumanChat.properties> {}

customElements.define("human-chat", HumanChat);
