import { html, nothing, type PropertyValues, svg } from "lit";
import createQrCode from "qrcode-generator";
import { state, styleSheets } from "../../ui/element.ts";
import { saveFile } from "../../ui/save_file.ts";
import { chatAddress, type Desk, type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showError, showLoading } from "../parts/show_state.ts";
import { languageOfDesk } from "../persona/languages.ts";
import { linkTo } from "../route.ts";
import { Action, Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import addressStyles from "./share_address.css" with { type: "text" };
import styles from "./share_end.css" with { type: "text" };
import settingsStyles from "./share_settings.css" with { type: "text" };

/** The panel with the address of a persona: to give it away, to change how it looks, to pause it and to end it. */
export class SharePanel extends DeskPart {
  override render() {
    const { desk } = this;
    const { coach } = desk;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title" tabindex="-1">${t.share.title}</h2>
        ${coach.slug === null
          ? html`<p>${fill(t.share.unpublished, { name: coach.name })}</p>`
          : html`<human-desk-share-address .desk=${desk}></human-desk-share-address>`}
        ${coach.slug !== null && this.mayEdit
          ? html`<human-desk-share-settings .desk=${desk}></human-desk-share-settings>`
          : nothing}
        ${this.isOwner ? html`<human-desk-share-end .desk=${desk}></human-desk-share-end>` : nothing}
      </section>
    `;
  }
}

customElements.define("human-desk-share", SharePanel);

/** Pauses a persona, deletes it, and makes a further one. */
export class ShareEnd extends DeskPart {
  static override styles = styleSheets(styles);

  #pausing = this.use(new Action());
  #deleting = this.use(new Action());
  #making = this.use(new Action());
  #typed = state(this, "");

  override render() {
    const { coach } = this.desk;
    const { name } = coach;
    return html`
      ${coach.slug === null ? nothing : html`
        <section class="card stack tight" aria-labelledby="pause">
          <h3 id="pause">${coach.is_active ? t.share.pause : t.share.paused}</h3>
          <p class="small muted">${fill(coach.is_active ? t.share.pauseHint : t.share.pausedHint, { name })}</p>
          ${showError(this.#pausing.error)}
          <div class="row"><button ?disabled=${this.#pausing.isBusy} @click=${this.#pause}>${coach.is_active
            ? t.share.pause
            : t.share.resume}</button></div>
        </section>
      `}
      <form class="card stack tight" aria-labelledby="another" @submit=${this.#make}>
        <h3 id="another">${t.share.another}</h3>
        <label class="stack tight">
          <span>${t.share.anotherName}</span>
          <input name="name" required maxlength="200">
        </label>
        ${showError(this.#making.error)}
        <div class="row"><button ?disabled=${this.#making.isBusy}>${t.share.make}</button></div>
      </form>
      <form class="card stack tight" aria-labelledby="delete" @submit=${this.#delete}>
        <h3 id="delete">${fill(t.share.delete, { name })}</h3>
        <p class="small muted">${t.share.deleteHint}</p>
        <label class="stack tight"><span>${fill(t.share.typeName, { name })}</span>
          <input autocomplete="off" .value=${this.#typed.value}
            @input=${({ target }: InputEvent) => this.#typed.value = (target as HTMLInputElement).value}></label>
        ${showError(this.#deleting.error)}
        <div class="row"><button class="danger" ?disabled=${this.#typed.value.trim() !== name ||
          this.#deleting.isBusy}>${fill(t.share.delete, { name })}</button></div>
      </form>
    `;
  }

  async #pause(): Promise<void> {
    const { coach } = this.desk;
    const isDone = await this.#pausing.run(() =>
      this.client.saveSettings(this.coachId, { is_active: !coach.is_active })
    );
    if (isDone) tellDesk(this, "persona");
  }

  async #make(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get("name")).trim();
    const made = await this.#making.ask(() => this.client.createCoach({ name, language: languageOfDesk() }));
    if (made === null) return;
    form.reset();
    location.hash = linkTo("persona");
    tellDesk(this, "persona", made.reply.id);
  }

  async #delete(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { coach } = this.desk;
    if (await this.#deleting.run(() => this.client.deleteCoach(this.coachId, coach.name))) {
      tellDesk(this, "persona", "");
    }
  }
}

customElements.define("human-desk-share-end", ShareEnd);

type Settings = Schemas["CoachSettings"];

/** The form with what an owner sets at once. Editors read it. */
export class ShareSettings extends DeskPart {
  static override styles = styleSheets(settingsStyles);

  #settings = this.use(new Loading((options) => this.client.getSettings(this.coachId, options)));
  /** The color that is chosen in the form; null: the usual one. */
  #color = state<string | null | undefined>(this, undefined);

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("desk") && changed.get("desk")?.coach !== this.desk.coach) void this.#settings.load();
  }

  override render() {
    return showLoading(this.#settings, (settings) => this.#renderForm(settings));
  }

  #renderForm(settings: Settings) {
    const { coach } = this.desk;
    const isLocked = !this.isOwner;
    const color = this.#color.value === undefined ? settings.accent_color : this.#color.value;
    // White text on it, and links in it on white.
    const isTooLight = color !== null && contrastOf(color, "#ffffff") < leastContrast;
    return html`
      <form class="card stack" aria-labelledby="look" @submit=${this.#save}>
        <h3 id="look">${t.share.look}</h3>
        ${isLocked ? html`<p class="small muted">${t.share.onlyOwners}</p>` : nothing}
        <fieldset class="stack" ?disabled=${isLocked || this.isBusy}>
          <label class="stack tight"><span>${t.share.slug}</span>
            <input name="slug" dir="ltr" required minlength="3" maxlength="40" pattern="[a-z0-9][a-z0-9\\-]*[a-z0-9]"
              aria-describedby="slug-hint" .value=${settings.slug ?? ""}></label>
          <p id="slug-hint" class="small muted">${t.share.slugHint}</p>
          <div class="row">
            <label class="row"><span>${t.share.color}</span>
              <input type="color" .value=${color ?? "#0f6b5c"} @input=${this.#onColor}></label>
            ${color === null ? nothing : html`
              <button type="button" @click=${() => this.#color.value = null}>${t.share.usualColor}</button>
            `}
          </div>
          ${isTooLight ? html`<p class="error" role="alert">${t.share.tooLight}</p>` : nothing}
          <label class="stack tight"><span>${t.share.launcherText}</span>
            <input name="launcher" maxlength="60" aria-describedby="launcher-hint" .value=${settings.launcher_text ??
              ""}></label>
          <p id="launcher-hint" class="small muted">${t.share.launcherHint}</p>
          <label class="row"><input type="checkbox" name="sources" .checked=${settings.sources_are_open}>
            <span>${t.share.sources}</span></label>
          <p class="small muted">${fill(t.share.sourcesHint, { name: coach.name })}</p>
          ${showError(this.action.error)}
          ${isLocked ? nothing : html`
            <div class="row"><button class="primary" ?disabled=${isTooLight}>${t.parts.save}</button></div>
          `}
        </fieldset>
      </form>
    `;
  }

  #onColor({ target }: InputEvent): void {
    this.#color.value = (target as HTMLInputElement).value;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const { slug: slugBefore = null, accent_color } = this.#settings.value!;
    const slug = String(form.get("slug"));
    const isSaved = await this.run(async () => {
      const saved = await this.client.saveSettings(this.coachId, {
        ...slug !== slugBefore && { slug },
        accent_color: this.#color.value === undefined ? accent_color : this.#color.value,
        launcher_text: String(form.get("launcher")).trim() || null,
        sources_are_open: form.has("sources"),
      });
      this.#settings.set(saved);
    });
    if (!isSaved) return;
    this.say(t.share.saved);
    tellDesk(this, "persona");
  }
}

customElements.define("human-desk-share-settings", ShareSettings);

/** The contrast that texts need, after the Web Content Accessibility Guidelines. */
const leastContrast = 4.5;

/** The contrast of two colors such as `#0a7d5c`, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = parseInt(color.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** What gives the persona away: its link, the link as a QR code, and the code for another site. */
export class ShareAddress extends DeskPart {
  static override styles = styleSheets(addressStyles);

  /** The address of a page of its own, if there is one. */
  #ownPage = state<string | null>(this, null);
  #site = state(this, "");
  #copied = state(this, "");

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#findOwnPage();
  }

  override render() {
    const address = this.#ownPage.value ?? chatAddress(this.desk);
    const { coach } = this.desk;
    return html`
      ${address === null ? nothing : html`
        <section class="card stack tight" aria-labelledby="link">
          <h3 id="link">${t.share.link}</h3>
          <div class="link">
            <div class="stack tight">
              <p class="break"><a href=${address} dir="ltr">${address}</a></p>
              <div class="row">${this.#renderCopy(address, t.share.copyLink)}
                <button @click=${() => this.#saveQrCode(address)}>${t.share.saveQr}</button></div>
              <p class="small muted">${t.share.preview}</p>
              <div class="preview">
                ${coach.picture_url ? html`<img src=${coach.picture_url} alt="">` : nothing}
                <div><strong><bdi>${coach.name}</bdi></strong>
                  <p class="small muted"><bdi>${coach.title}</bdi></p>
                  <p class="small"><bdi>${coach.greeting}</bdi></p></div>
              </div>
            </div>
            ${drawQrCode(address, fill(t.share.qrOf, { name: coach.name }))}
          </div>
        </section>
      `}
      <section class="card stack tight" aria-labelledby="site">
        <h3 id="site">${t.share.site}</h3>
        <p class="small muted">${t.share.siteHint}</p>
        <pre dir="ltr" tabindex="0">${launcherCode(this.desk)}</pre>
        <div class="row">${this.#renderCopy(launcherCode(this.desk), t.share.copyCode)}</div>
        ${this.#renderOrigin()}
      </section>
    `;
  }

  /** A key opens for the origins that the operator has named. */
  #renderOrigin() {
    const site = this.#site.value.trim();
    const { origin } = URL.parse(/^https?:/.test(site) ? site : `https://${site}`) ?? {};
    const { key } = this.desk.connection;
    const sentence = site && origin && fill(t.share.originAsk, { origin, key, name: this.desk.coach.name });
    return html`
      <label class="stack tight">
        <span>${t.share.origin}</span>
        <input inputmode="url" dir="ltr" placeholder="https://" .value=${this.#site.value}
          @input=${({ target }: InputEvent) => this.#site.value = (target as HTMLInputElement).value}>
      </label>
      ${sentence
        ? html`
          <p class="small">${t.share.originHint}</p>
          <pre tabindex="0">${sentence}</pre>
          <div class="row">${this.#renderCopy(sentence, t.share.copySentence)}</div>
        `
        : nothing}
    `;
  }

  #renderCopy(text: string, label: string) {
    const copy = async () => {
      await navigator.clipboard.writeText(text);
      this.#copied.value = text;
    };
    return html`<button @click=${copy}>${this.#copied.value === text ? t.team.copied : label}</button>`;
  }

  /** Many hosts answer every address with some page: only one that names the persona is its own. */
  async #findOwnPage(): Promise<void> {
    const { chatUrl, coach: { slug } } = this.desk;
    if (chatUrl === null || slug === null) return;
    const { href } = new URL(`${slug}/`, new URL(chatUrl, location.href));
    if (new URL(href).origin !== location.origin) return;
    const page = await fetch(href).then((reply) => reply.ok ? reply.text() : "").catch(() => "");
    if (page.includes(` coach="${slug}"`)) this.#ownPage.value = href;
  }

  #saveQrCode(address: string): void {
    const drawing = this.renderRoot.querySelector("svg")!.outerHTML.replace(/<!--.*?-->/g, "")
      .replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
    const name = new URL(address).searchParams.get("coach") ?? this.desk.coach.slug;
    saveFile(new Blob([drawing], { type: "image/svg+xml" }), `${name}.svg`);
  }
}

/** Draws an address as a QR code: a square for each dark module. */
function drawQrCode(address: string, label: string) {
  const code = createQrCode(0, "M");
  code.addData(address);
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) if (code.isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
  }
  return html`<svg role="img" aria-label=${label} viewBox=${`0 0 ${size} ${size}`} shape-rendering="crispEdges">${svg`<path fill="#000000" d=${path}></path>`}</svg>`;
}

/** The code that a site puts into its pages. */
function launcherCode({ chatUrl, coach, connection }: Desk): string {
  const script = new URL("human-chat-launcher.js", new URL(chatUrl ?? "./", location.href)).href;
  const attributes = Object.entries({
    ...connection,
    coach: coach.slug ?? coach.id,
    label: coach.launcher_text,
    accent: coach.accent_color,
    picture: coach.picture_url,
  }).filter(([, value]) => value).map(([name, value]) => `\n\t${name}="${escape(String(value))}"`);
  return `<script type="module" src="${script}"></script>\n` +
    `<human-chat-launcher${attributes.join("")}></human-chat-launcher>`;
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

customElements.define("human-desk-share-address", ShareAddress);
