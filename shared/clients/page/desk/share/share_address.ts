import { html, nothing, svg } from "lit";
import createQrCode from "qrcode-generator";
import { state, styleSheets } from "../../ui/element.ts";
import { saveFile } from "../../ui/save_file.ts";
import { chatAddress, type Desk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { fill, t } from "../texts.ts";
import styles from "./share_address.css" with { type: "text" };

/** What gives the persona away: its link, the link as a QR code, and the code for another site. */
export class ShareAddress extends DeskPart {
  static override styles = styleSheets(styles);

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
