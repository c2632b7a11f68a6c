import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Client } from "../../client/client.ts";
import type { ServiceError } from "../../client/service_error.ts";
// Not from `texts.ts`, which the chat brings: these are in the script of the reader alone.
import own from "../texts/en.json" with { type: "json" };
import { en, type Wording } from "../texts/texts.ts";
import { closeModal, modal, modalStyles } from "../ui/dialog.ts";
import { elementWith, observe, type Property, state, styleSheets } from "../ui/element.ts";
import { fill } from "../ui/fill.ts";
import { icons } from "../ui/icons.ts";
import { renderMarkdown, textStyles } from "../ui/markdown.ts";
import styles from "./human_reader.css" with { type: "text" };
import { type Opened, type Reading, type Source, withoutRepeats } from "./reading.ts";

type Found = Awaited<ReturnType<Client["getPassage"]>>;

/** The number of passages beside the marked one: at first, more of them at a time, and at most. */
const beside = { first: 1, more: 4, most: 20 };

/**
 * `<human-reader>`: a window with a source of an answer. A passage is marked in its place in the file. A pinned answer, and
 * a passage of a file that is not open to readers, is quoted.
 *
 * @csspart dialog - The window.
 */
export class HumanReader extends elementWith({
  reading: {} as Property<Reading>,
  client: {} as Property<Client>,
  name: {} as Property<string>,
  /** The texts of all pages and, except in English, those of the reader. */
  texts: { first: en.shared } as Property<Wording<typeof en.shared> & Partial<Wording<typeof own.reader>>>,
  /** Returns a sentence about an error. Called once for each. */
  describe: {} as Property<(error: unknown) => string>,
}) {
  static override styles = styleSheets(modalStyles, textStyles, styles);

  /** All of them, in the language of the page. */
  #texts: Wording<typeof en.shared & typeof own.reader> = { ...en.shared, ...own.reader };
  #opened: Opened | null = null;
  /** The element that had the focus before. */
  #opener: HTMLElement | null = null;
  #found = state<Found | null>(this, null);
  /** The sentence about a failure; the failed request can be repeated if `again` is set. */
  #trouble = state<{ sentence: string; again?: () => void } | null>(this, null);
  #isGone = state(this, false);
  #isBusy = state(this, false);
  /** Of a recording or a video: its address, with the second to begin at, and when the address expires. */
  #media = state<{ url: string; expiresAt: number } | null>(this, null);
  /** The seconds at which its sections begin. */
  #minutes = state<number[]>(this, []);
  #size = { before: 0, after: 0 };
  #loading = new AbortController();

  constructor() {
    super();
    observe(this, () => this.reading);
  }

  get #source(): Source | null {
    return this.#opened?.sources[this.#opened.place] ?? null;
  }
  get #passage() {
    return this.#found.value?.passage ?? this.#source;
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#loading.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has("texts")) this.#texts = { ...own.reader, ...this.texts };
    const { opened } = this.reading;
    if (opened === this.#opened) return;
    if (!this.#opened) this.#opener = findFocused();
    this.#opened = opened;
    this.#loading.abort();
    this.#found.value = null;
    this.#trouble.value = null;
    this.#isGone.value = this.#isBusy.value = false;
    this.#media.value = null;
    this.#minutes.value = [];
    this.#size = { before: beside.first, after: beside.first };
    if (opened?.isReadable && this.#source?.kind === "passage") void this.#load();
  }

  protected override updated() {
    if (this.#opened || !this.#opener) return;
    this.#opener.focus();
    this.#opener = null;
  }

  override render() {
    const { name, reading } = this;
    const [texts, opened, source, passage] = [this.#texts, this.#opened, this.#source, this.#passage];
    if (!opened || !source || !passage) return nothing;
    const isPassage = source.kind === "passage";
    const filename = this.#found.value?.filename ?? (isPassage ? source.filename : "");
    const title = isPassage ? filename || texts.aSource : fill(texts.hasSaid, { name });
    return modal({
      title: fill(texts.source, { number: opened.place + 1 }),
      onClose: () => reading.close(),
      content: html`
        <div class="head ${isPassage ? "" : "person"}">
          ${isPassage ? icons.file : icons.person}
          <h2><bdi>${title}</bdi></h2>
          <button class="plain icon" aria-label=${texts.close} @click=${closeModal}>${icons.close}</button>
          <p class="muted"><bdi>${isPassage
            ? this.#whereIn(passage as Place)
            : source.question}</bdi>${isPassage && (passage as Place).is_recognized
            ? html`
              <span class="recognized">${texts.recognized}</span>
            `
            : nothing}</p>
        </div>
        ${this.#renderMedia()}
        <div class="body ${isPassage ? "" : "person"} ${this.#found.value || this.#isBusy.value
          ? "tall"
          : ""}" role="region"
          aria-label=${title} tabindex="0" autofocus>
          ${this.#found.value ? this.#renderFound(this.#found.value) : this.#renderQuote(source.quote)}
        </div>
        ${this.#renderTrouble()}
        ${this.#renderFoot(opened)}
      `,
    });
  }

  #renderMedia() {
    const [media, found] = [this.#media.value, this.#found.value];
    if (!media || !found) return nothing;
    return html`
      <div class="media">
        ${found.content_type.startsWith("video/")
          ? html`<video controls playsinline preload="metadata" src=${media.url} @error=${this.#renew}></video>`
          : html`<audio controls preload="metadata" src=${media.url} @error=${this.#renew}></audio>`}
        ${this.#minutes.value.length > 1
          ? html`<div class="minutes">${this.#minutes.value.map((seconds) => this.#renderSecond(seconds))}</div>`
          : nothing}
      </div>
    `;
  }

  #renderSecond(seconds: number) {
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const play = () => {
      const player = this.#player;
      if (!player) return;
      player.currentTime = seconds;
      // What is wrong, the player shows.
      player.play().catch(() => {});
    };
    return html`<button class="plain" aria-label=${
      fill(this.#texts.playFrom, { time })
    } @click=${play}>${time}</button>`;
  }

  get #player(): HTMLMediaElement | null {
    return this.renderRoot.querySelector<HTMLMediaElement>("audio, video");
  }

  /** Gets an address of the recording, which begins at a second. */
  async #loadMedia(seconds: number) {
    const { signal } = this.#loading;
    const { coachId, fileId } = this.#ids;
    try {
      const { url, expires_at } = await this.client.getOriginal(coachId, fileId);
      if (!signal.aborted) this.#media.value = { url: `${url}#t=${seconds}`, expiresAt: Date.parse(expires_at) };
    } catch {
      // The text can be read without it, and the file can be downloaded.
    }
  }

  /** An address is valid for a minute. When the player needs more of the file later, it goes on with another address. */
  #renew = async () => {
    const [player, media] = [this.#player, this.#media.value];
    if (!player || !media || Date.now() < media.expiresAt) return;
    const isPlaying = !player.paused;
    await this.#loadMedia(player.currentTime);
    await this.updateComplete;
    if (isPlaying) this.#player?.play().catch(() => {});
  };

  async #loadMinutes() {
    const { signal } = this.#loading;
    const { coachId, fileId } = this.#ids;
    const { sections } = await this.client.getFile(coachId, fileId).catch(() => ({ sections: [] }));
    if (!signal.aborted) this.#minutes.value = sections.flatMap(({ seconds }: { seconds?: number }) => seconds ?? []);
  }

  #renderFound({ before, passage, after, content_type, ...found }: Found) {
    const texts = this.#texts;
    const passages = [...before, passage, ...after];
    const contents = withoutRepeats(passages, before.length);
    // A page of the web was written as Markdown by the service, which wraps no line.
    const isWrapped = !found.source_url;
    const show = (content: string, { is_recognized }: Place) => {
      // A model writes Markdown.
      const isMarkdown = is_recognized || content_type.startsWith("text/markdown");
      return html`<div class="text ${isMarkdown ? "" : "plain"}">${
        isMarkdown ? renderMarkdown(content, { isWrapped }) : content
      }</div>`;
    };
    let last = this.#whereIn(passage);
    return html`
      ${this.#renderMore("before", found.has_more_before)}
      ${passages.map((it, place) => {
        const where = this.#whereIn(it);
        const label = where === last
          ? nothing
          : html`<p class="where muted">${
            it.seconds === undefined ? html`<bdi>${where}</bdi>` : this.#renderSecond(it.seconds)
          }</p>`;
        last = where;
        const content = contents[place]!;
        if (!content) return nothing;
        if (it !== passage) return html`${label}<div dir="auto">${show(content, it)}</div>`;
        // What a passage repeats is in the part before.
        const start = label === nothing ? 0 : it.repeats;
        return html`
          ${start ? nothing : label}
          <section class="cited" aria-label=${texts.cited} dir="auto">${start
            ? html`${show(content.slice(0, start), it)}${label}${show(content.slice(start).trimStart(), it)}`
            : show(content, it)}</section>
        `;
      })}
      ${this.#renderMore("after", found.has_more_after)}
    `;
  }

  #renderMore(side: "before" | "after", hasMore: boolean) {
    if (!hasMore || this.#size[side] >= beside.most) return nothing;
    const more = () => {
      if (this.#isBusy.value) return;
      this.#size[side] = Math.min(this.#size[side] + beside.more, beside.most);
      void this.#load();
    };
    return html`<button class="more" aria-disabled=${this.#isBusy.value} @click=${more}>${
      side === "before" ? this.#texts.moreBefore : this.#texts.moreAfter
    }</button>`;
  }

  #renderQuote(quote: string) {
    const texts = this.#texts;
    return html`
      ${this.#isBusy.value ? html`<p class="muted" role="status">${texts.loading}</p>` : nothing}
      ${this.#isGone.value
        ? html`<p role="alert">${texts.passageGone}</p>${quote ? html`<p class="muted">${texts.drewOn}</p>` : nothing}`
        : nothing}
      ${quote ? html`<blockquote dir="auto">${quote}</blockquote>` : nothing}
    `;
  }

  #renderTrouble() {
    const trouble = this.#trouble.value;
    if (!trouble) return nothing;
    return html`
      <div class="trouble">
        <p class="error" role="alert">${trouble.sentence}</p>
        ${trouble.again ? html`<button @click=${trouble.again}>${this.#texts.retry}</button>` : nothing}
      </div>
    `;
  }

  #renderFoot({ sources, place }: Opened) {
    const texts = this.#texts;
    const links = this.#renderLinks();
    const count = sources.length;
    if (count < 2 && links.length === 0) return nothing;
    return html`
      <div class="foot">
        ${count > 1
          ? html`<div class="steps">
            ${this.#renderStep(-1, texts.previousSource, icons.previous)}
            <span class="muted" role="status">${fill(texts.sourceOf, { number: place + 1, count })}</span>
            ${this.#renderStep(1, texts.nextSource, icons.next)}
          </div>`
          : nothing}
        ${links}
      </div>
    `;
  }

  /** A button at the end of the row keeps the focus. */
  #renderStep(by: 1 | -1, label: string, icon: TemplateResult) {
    const { sources, place } = this.#opened!;
    return html`
      <button class="plain icon" aria-label=${label} title=${label} aria-disabled=${!sources[place + by]}
        @click=${() => this.reading.step(by)}>${icon}</button>
    `;
  }

  /** The links to the page that the file was read from, and to the file as it was added. */
  #renderLinks(): TemplateResult[] {
    const texts = this.#texts;
    const [found, source] = [this.#found.value, this.#source!];
    const links = [];
    const address = found?.source_url ?? (source.kind === "passage" ? source.source_url : null);
    if (address && /^https?:\/\//i.test(address)) {
      const day = found?.fetched_at &&
        new Date(found.fetched_at).toLocaleDateString(texts.locale, { dateStyle: "medium" });
      links.push(html`
        ${day ? html`<span class="muted">${fill(texts.fetched, { date: day })}</span>` : nothing}
        <a href=${address} target="_blank" rel="noopener noreferrer">${texts.openWebPage}</a>
      `);
    }
    if (!found || address && found.content_type.startsWith("text/")) return links;
    const isPdf = found.content_type === "application/pdf";
    const page = isPdf ? found.passage.page : null;
    const isShown = isPdf || /^image\/(?:png|jpeg)$/.test(found.content_type);
    const name = page ? fill(texts.openOriginalAt, { page }) : isShown ? texts.openOriginal : texts.download;
    const open = () => this.#openOriginal(isShown, page ? `#page=${page}` : "");
    return [...links, html`<button @click=${open}>${name}</button>`];
  }

  /** Opens the file as it was added in a tab of its own, or has the browser store it. */
  async #openOriginal(isShown: boolean, place: string) {
    // A tab that is opened later, when the address has arrived, is blocked as an advertisement.
    const tab = isShown ? open("", "_blank") : null;
    if (tab) tab.opener = null;
    this.#trouble.value = null;
    const opened = this.#opened;
    try {
      const { coachId, fileId } = this.#ids;
      const { url } = await this.client.getOriginal(coachId, fileId);
      if (tab) tab.location.replace(url + place);
      else Object.assign(document.createElement("a"), { href: url, download: "" }).click();
    } catch (error) {
      tab?.close();
      if (opened === this.#opened) this.#trouble.value = { sentence: this.#describe(error) };
    }
  }

  get #ids() {
    const { fileId, passageId } = this.#source as Extract<Source, { kind: "passage" }>;
    return { coachId: this.#opened!.coachId, fileId, passageId };
  }

  async #load() {
    // An address of the recording that is on its way would not be stopped any more. It is asked for again.
    this.#loading.abort();
    const { signal } = this.#loading = new AbortController();
    this.#trouble.value = null;
    this.#isBusy.value = true;
    const topOfCited = () => this.renderRoot.querySelector(".cited")?.getBoundingClientRect().top;
    try {
      const { coachId, fileId, passageId } = this.#ids;
      const found = await this.client.getPassage(coachId, fileId, passageId, this.#size, { signal });
      if (signal.aborted) return;
      const before = topOfCited();
      this.#found.value = found;
      this.#isBusy.value = false;
      if (/^(?:audio|video)\//.test(found.content_type) && !this.#media.value) {
        const { seconds } = this.#source as Extract<Source, { kind: "passage" }>;
        void this.#loadMedia(seconds ?? found.passage.seconds ?? 0);
        void this.#loadMinutes();
      }
      await this.updateComplete;
      const body = this.renderRoot.querySelector(".body");
      // The text that was being read keeps its place. At first, some of the passage before is shown.
      if (body) body.scrollTop += topOfCited()! - (before ?? body.getBoundingClientRect().top + 72);
    } catch (error) {
      if (signal.aborted) return;
      this.#isBusy.value = false;
      this.#isGone.value = (error as Partial<ServiceError>).code === "passage_not_found";
      if (this.#isGone.value) this.#found.value = null;
      else {this.#trouble.value = {
          sentence: this.#describe(error),
          again: isFinal(error) ? undefined : () => this.#load(),
        };}
    }
  }

  #describe(error: unknown): string {
    const sentence = this.describe(error);
    return isFinal(error) ? this.#texts.fileGone : sentence;
  }

  #whereIn({ heading, page }: Place): string {
    return [heading, page === null ? null : fill(this.texts.page, { page })].filter(Boolean).join(" · ");
  }
}

type Place = { heading: string | null; page: number | null; is_recognized?: boolean };

/** Returns true if a file is not there, or not for this user, so that asking again would not help. */
function isFinal(error: unknown): boolean {
  return [400, 403, 404].includes((error as Partial<ServiceError>).status ?? 0);
}

function findFocused(): HTMLElement | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused as HTMLElement | null;
}

// A page may load both the chat and the desk, which share this element.
if (!customElements.get("human-reader")) customElements.define("human-reader", HumanReader);
