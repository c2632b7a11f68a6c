/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { HumanChat } from "../chat/human_chat.ts";
import type { Texts } from "../chat/texts.ts";
import ar from "../texts/ar.json" with { type: "json" };
import de from "../texts/de.json" with { type: "json" };
import es from "../texts/es.json" with { type: "json" };
import fr from "../texts/fr.json" with { type: "json" };
import pt from "../texts/pt.json" with { type: "json" };
import { en } from "../texts/texts.ts";
import { chooseLanguage, directionOf, type Language } from "../ui/language.ts";
import styles from "./human_chat_launcher.css" with { type: "text" };

/** The texts in all languages. They are few enough to be in one script. */
const textsOf: Record<Language, typeof en.launcher> = {
  ar: ar.launcher,
  de: de.launcher,
  en: en.launcher,
  es: es.launcher,
  fr: fr.launcher,
  pt: pt.launcher,
};

/** The attributes that the chat in the panel has, too. */
const ofChat = ["base-url", "key", "publishable-key", "supabase-key", "coach", "coaches", "privacy-url", "lang"];

const ofButton = ["label", "accent", "picture"];

/** The properties that the chat in the panel has, too. */
const propertiesOfChat = ["accessToken", "texts"] as const;

/** The parts of the chat that a site can style through the launcher. */
const partsOfChat =
  "side, header, question, answer, person, source, composer, send, stop, starter, thread, dialog: window";

const cross = "M6 6l12 12 M18 6L6 18";

const smallWindow = "(max-width: 30rem), (max-height: 30rem)";

/** Addresses that a mail has brought, and that the chat deals with. */
const mailed = /^#(?:confirm-email=|.*\b(?:type=recovery|error_code=otp_expired)\b)/;

/**
 * A button in a corner of the window that opens a chat. The chat is loaded when it is opened for the first time.
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
 * @attr {string} label - The words on the button; by default, it only has a picture.
 * @attr {string} accent - The color of the button, on which white can be read. A site can set `--human-chat-accent` instead.
 * @attr {string} picture - The address of a picture for the button, such as that of the persona.
 * @attr {boolean} open - Shows the panel. It changes when the visitor opens or closes it.
 * @attr {"end" | "start"} corner - The lower corner of the window: `end`, by default, is on the right where people write
 * from the left; `start` is the other one.
 * @attr {boolean} watch - Loads the chat in the background for visitors who have been here before, so that the button
 * shows what is new for them.
 *
 * @prop {(() => Promise<string | null>) | null} accessToken - Returns the access token of a user whom the site itself has
 * signed in.
 * @prop {Record<string, string | Record<string, string>>} texts - Replacements for texts of the chat.
 *
 * @fires {ToggleEvent} toggle - The panel was opened or closed: `newState` says which.
 * @fires {CustomEvent<number>} unread - The number of chats with something new has changed. It is the `detail`.
 *
 * @slot icon - A picture for the button, in the place of the usual one.
 *
 * @csspart button - The button in the corner.
 * @csspart mark - The number of chats with something new, at the button.
 * @csspart panel - The panel with the chat.
 * @csspart close - The button that closes the panel in small windows.
 * @csspart window - A window of the chat above the page. All other parts of `<human-chat>` have their own names.
 *
 * @cssprop --human-chat-launcher-size - The height of the button.
 * @cssprop --human-chat-launcher-offset - The distance between the button and the edges of the window.
 * @cssprop --human-chat-launcher-layer - The `z-index` of the button and the panel.
 * @cssprop --human-chat-accent - The color of the button. All other properties of `<human-chat>` work here, too.
 */
export class HumanChatLauncher extends HTMLElement {
  static readonly observedAttributes: string[] = [...ofChat, ...ofButton, "open"];

  #accessToken: (() => Promise<string | null>) | null = null;
  #replaced: Partial<Texts> = {};
  #chat: HumanChat | null = null;
  #unread = 0;
  #isShown = false;
  #listening = new AbortController();
  #texts = en.launcher;

  #icon = make("slot", { name: "icon" });
  #cross = draw(cross);
  #words = make("span", { className: "words" });
  #mark = make("span", { part: "mark", className: "mark", hidden: true });
  #bubble = make("button", { part: "button", className: "bubble", type: "button" });
  #close = make("button", { part: "close", className: "close", type: "button" });
  #state = make("div", { className: "state" });
  #panel = make("dialog", { part: "panel", id: "panel", tabIndex: -1 });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
    this.#bubble.append(this.#icon, this.#cross, this.#words, this.#mark);
    this.#bubble.setAttribute("aria-haspopup", "dialog");
    this.#bubble.addEventListener("click", () => this.toggle());
    this.#close.append(draw(cross));
    this.#close.addEventListener("click", () => this.close());
    this.#panel.append(this.#close, this.#state);
    // The windows and the forms of the chat keep Escape to themselves.
    this.#panel.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    // The browser has closed it, for example by the button that goes back.
    this.#panel.addEventListener("close", () => !this.#panel.open && this.open && this.close());
    this.#panel.addEventListener("unread", (event) => this.#count((event as CustomEvent<number>).detail));
    root.append(this.#bubble, this.#panel);
  }

  connectedCallback(): void {
    // Properties that were set before the script was there.
    for (const name of ["open", ...propertiesOfChat] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const { [name]: value } = this;
      delete (this as Partial<this>)[name];
      Object.assign(this, { [name]: value });
    }
    const { signal } = this.#listening = new AbortController();
    matchMedia(smallWindow).addEventListener("change", () => this.#isShown && this.#show(), { signal });
    visualViewport?.addEventListener("resize", () => this.#fit(), { signal });
    this.#speak();
    this.#dress();
    if (this.getAttribute("supabase-key") && mailed.test(location.hash)) this.show();
    else if (this.hasAttribute("watch") && this.#hasBeenHere()) setTimeout(() => void this.#load(), 1_000);
    this.#follow();
  }

  disconnectedCallback(): void {
    this.#listening.abort();
    this.#hide();
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === "open") return this.#follow();
    if (name === "lang") this.#speak();
    if (ofButton.includes(name)) return this.#dress();
    if (this.#chat) pass(this.#chat, name, value);
  }

  /** Tells if the panel is open. */
  get open(): boolean {
    return this.hasAttribute("open");
  }
  set open(isOpen: boolean) {
    this.toggleAttribute("open", isOpen);
  }

  /** The chat in the panel; null until it was loaded. */
  get chat(): HumanChat | null {
    return this.#chat;
  }

  get accessToken(): (() => Promise<string | null>) | null {
    return this.#accessToken;
  }
  set accessToken(value: (() => Promise<string | null>) | null) {
    this.#accessToken = value;
    if (this.#chat) this.#chat.accessToken = value;
  }

  get texts(): Partial<Texts> {
    return this.#replaced;
  }
  set texts(value: Partial<Texts>) {
    this.#replaced = value;
    if (this.#chat) this.#chat.texts = value;
  }

  /** Opens the panel, and moves the focus into it. */
  show(): void {
    this.open = true;
    // A keyboard on the screen would cover the conversation.
    if (!this.isConnected || this.#isModal) return;
    this.#panel.focus();
    void this.#focusField();
  }

  /** Closes the panel. The focus returns to the button if it was in the panel. */
  close(): void {
    const hadFocus = this.#panel.contains(this.shadowRoot!.activeElement);
    this.open = false;
    if (hadFocus) this.#bubble.focus();
  }

  /** Opens the panel, or closes it. */
  toggle(): void {
    if (this.open) this.close();
    else this.show();
  }

  get #isModal(): boolean {
    return matchMedia(smallWindow).matches;
  }

  /** Shows or hides the panel, as the attribute says. */
  #follow(): void {
    if (!this.isConnected || this.open === this.#isShown) return;
    if (this.open) this.#show();
    else this.#hide();
    this.#label();
    const [oldState, newState] = this.open ? ["closed", "open"] : ["open", "closed"];
    this.dispatchEvent(new ToggleEvent("toggle", { oldState, newState }));
  }

  #show(): void {
    this.#hide();
    // A site may open the panel with the page: the focus stays where it is then, unless the panel fills the window.
    if (this.#isModal) this.#panel.showModal();
    else this.#panel.open = true;
    this.#isShown = true;
    this.#close.hidden = !this.#isModal;
    this.#fit();
    void this.#load();
  }

  #hide(): void {
    this.#isShown = false;
    this.#panel.close();
  }

  /** Leaves the place of a keyboard on the screen free. */
  #fit(): void {
    const height = this.#isModal && visualViewport ? `${visualViewport.height}px` : null;
    this.#panel.style.setProperty("--visible", height);
  }

  async #load(): Promise<void> {
    if (this.#chat) return;
    this.#say(this.#texts.loading);
    try {
      if (!customElements.get("human-chat")) await import(new URL("human-chat.js", import.meta.url).href);
    } catch {
      const retry = make("button", { type: "button", textContent: this.#texts.retry });
      retry.addEventListener("click", () => void this.#load());
      return this.#say(this.#texts.failed, retry);
    }
    if (this.#chat) return;
    const chat = this.#chat = document.createElement("human-chat") as HumanChat;
    // The chats of a tab are kept under the name of the element.
    chat.id = this.id || "launcher";
    chat.setAttribute("exportparts", partsOfChat);
    for (const name of ofChat) pass(chat, name, this.getAttribute(name));
    chat.accessToken = this.#accessToken;
    chat.texts = this.#replaced;
    this.#state.remove();
    this.#panel.append(chat);
  }

  #say(sentence: string, ...more: Node[]): void {
    const line = make("div", { textContent: sentence });
    line.setAttribute("role", more.length > 0 ? "alert" : "status");
    this.#state.replaceChildren(line, ...more);
  }

  /** Moves the focus into the field for a message as soon as there is one, unless it is elsewhere by then. */
  async #focusField(): Promise<void> {
    await this.#load();
    const find = () =>
      this.#chat?.shadowRoot?.querySelector<HTMLElement & { focusField(): void }>("human-chat-composer");
    const observer = new MutationObserver(() => void focus());
    const focus = async () => {
      const isWanted = this.#isShown && this.shadowRoot!.activeElement === this.#panel;
      const field = find();
      if (field || !isWanted) observer.disconnect();
      if (!field || !isWanted) return;
      await (field as unknown as HumanChat).updateComplete;
      field.focusField();
    };
    if (this.#chat) observer.observe(this.#chat.shadowRoot!, { childList: true, subtree: true });
    await focus();
  }

  /** Returns true if this visitor has a session, or the site signs its users in itself. */
  #hasBeenHere(): boolean {
    if (!this.getAttribute("supabase-key")) return true;
    const key = this.getAttribute("key") || this.getAttribute("publishable-key");
    try {
      return Object.keys(localStorage).some((name) =>
        name.startsWith("human-chat visitor ") && name.endsWith(` ${key}`)
      );
    } catch {
      return false;
    }
  }

  #count(unread: number): void {
    this.#unread = unread;
    this.#label();
  }

  #dress(): void {
    const [words, color, src] = ofButton.map((name) => this.getAttribute(name));
    this.#icon.replaceChildren(
      src
        ? make("img", { src, alt: "" })
        : draw("M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.500 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z M8 10.500h8"),
    );
    this.style.setProperty("--coach-accent", color ?? null);
    this.style.setProperty("--coach-on-accent", color ? "#fff" : null);
    this.#words.textContent = words ?? "";
    this.#label();
  }

  #label(): void {
    const { locale } = chooseLanguage(this.lang);
    const count = this.#unread.toLocaleString(locale);
    const hasNews = this.#unread > 0 && !this.open;
    const name = this.open
      ? this.#texts.close
      : hasNews
      ? this.#texts.openNew.replace("{count}", count)
      : this.getAttribute("label") || this.#texts.open;
    this.#words.hidden = this.open || !this.#words.textContent;
    this.#bubble.setAttribute("aria-label", name);
    this.#bubble.ariaExpanded = String(this.open);
    this.#icon.hidden = this.open;
    this.#cross.toggleAttribute("hidden", !this.open);
    this.#mark.textContent = count;
    this.#mark.hidden = !hasNews;
  }

  #speak(): void {
    const { language, locale } = chooseLanguage(this.lang);
    const texts = this.#texts = textsOf[language];
    for (const element of [this.#bubble, this.#panel]) {
      element.lang = locale;
      // English has the direction of the site, as in the chat.
      element.dir = language === "en" ? "" : directionOf(locale);
    }
    this.#close.ariaLabel = texts.close;
    this.#panel.ariaLabel = texts.name;
    this.#label();
  }
}

function pass(chat: HumanChat, name: string, value: string | null): void {
  if (value === null) chat.removeAttribute(name);
  else chat.setAttribute(name, value);
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { part = "", ...properties }: Partial<Omit<HTMLElementTagNameMap[Name], "part">> & { part?: string },
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  if (part) element.setAttribute("part", part);
  return element;
}

/** Draws an icon as the chat does, without its library. */
function draw(path: string): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(space, "svg");
  const attributes = { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "aria-hidden": "true" };
  const line = { "stroke-width": "1.75", "stroke-linecap": "round", "stroke-linejoin": "round" };
  for (const [name, value] of Object.entries({ ...attributes, ...line })) icon.setAttribute(name, value);
  const drawn = document.createElementNS(space, "path");
  drawn.setAttribute("d", path);
  icon.append(drawn);
  return icon;
}

if (!customElements.get("human-chat-launcher")) customElements.define("human-chat-launcher", HumanChatLauncher);
