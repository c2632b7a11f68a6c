import { html, nothing } from "lit";
import { observe, state, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatSize } from "../format.ts";
import { icons } from "../icons.ts";
import { linkTo } from "../route.ts";
import { fill, plural, t } from "../texts.ts";
import { isOver, type Upload } from "./upload_queue.ts";
import styles from "./drop_zone.css" with { type: "text" };

const types =
  ".pdf,.docx,.pptx,.xlsx,.odt,.epub,.html,.htm,.csv,.txt,.md,.jpg,.jpeg,.png,.gif,.webp,.mp4,.avi,.mov,.webm,.mp3,.m4a,.wav,.ogg";

const states: Record<Upload["state"], () => string> = {
  waiting: () => t.files.waitingTag,
  asking: () => t.files.waitingTag,
  sending: () => t.files.uploading,
  done: () => t.files.uploadDone,
  refused: () => t.files.uploadRefused,
  broken: () => t.files.uploadBroken,
};

/**
 * The field for files that are dropped or chosen, with the state of each upload.
 *
 * @fires done - An upload has ended.
 */
export class DropZone extends DeskPart {
  static override styles = styleSheets(styles);

  #isUnderFiles = state(this, false);
  #ended = 0;

  constructor() {
    super();
    observe(this, () => this.desk.uploads);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ended = this.#countEnded();
  }
  override updated(): void {
    const ended = this.#countEnded();
    if (ended > this.#ended) this.dispatchEvent(new CustomEvent("done"));
    this.#ended = ended;
  }

  override render() {
    return html`
      <div class="zone ${this.#isUnderFiles.value ? "over" : ""}" @dragenter=${this.#onDrag} @dragover=${this.#onDrag}
        @dragleave=${() => this.#isUnderFiles.value = false} @drop=${this.#onDrop}>
        <div class="row">
          <button @click=${this.#choose}>${icons.upload} ${t.files.choose}</button>
          <a class="button" href=${linkTo("files", "write")}>${icons.pencil} ${t.files.write}</a>
        </div>
        <p class="small muted">${t.files.drop}</p>
        <input type="file" multiple hidden accept=${types} aria-label=${t.files.title} @change=${this.#onChosen}>
      </div>
      ${this.#renderUploads()}
    `;
  }

  #renderUploads() {
    const { items } = this.desk.uploads;
    if (items.length === 0) return nothing;
    const ended = this.#countEnded();
    const sent = items.filter(({ state }) => state === "done").length;
    return html`
      <ul class="list" aria-label=${t.files.uploads}>
        ${ended === items.length ? nothing : html`
          <li class="row"><progress max=${items.length} value=${ended} aria-label=${t.files.sent}></progress></li>
        `}
        ${sent === 0 ? nothing : html`<li class="small muted">${plural(t.files.uploaded, sent)}</li>`}
        ${items.filter(({ state }) => state !== "done").map((item) => {
          const { file, state, error, earlier } = item;
          if (state === "asking") return this.#renderQuestion(item, formatMoment(earlier!.uploadedAt));
          return html`
            <li class="row small">
              <span class="text"><bdi>${file.name}</bdi></span> <span class="muted">${formatSize(file.size)}</span>
              <span class="tag ${error ? "danger" : ""}">${states[state]()}</span>
              ${error ? html`<span class="error text">${error}</span>` : nothing}
            </li>
          `;
        })}
        <li class="row">
          ${items.some(({ state }) => state === "broken")
            ? html`<button class="small" @click=${() => this.desk.uploads.tryAgain()}>${t.shared.retry}</button>`
            : nothing}
          ${ended === 0 ? nothing : html`<button class="small" @click=${this.#clear}>${t.files.closeList}</button>`}
        </li>
      </ul>
    `;
  }

  #renderQuestion(item: Upload, time: string) {
    const { uploads } = this.desk;
    return html`
      <li class="row small" role="group" aria-label=${item.file.name}>
        <span class="text"><bdi>${item.file.name}</bdi></span>
        <span>${fill(t.files.replaceOrKeep, { time })}</span>
        <button class="small" @click=${() => uploads.decide(item, true)}>${t.files.replace}</button>
        <button class="small" @click=${() => uploads.decide(item, false)}>${t.files.keepBoth}</button>
      </li>
    `;
  }

  #countEnded(): number {
    return this.desk.uploads.items.filter(isOver).length;
  }

  #clear = (): void => {
    this.desk.uploads.clear();
    this.renderRoot.querySelector("button")?.focus();
  };

  #choose = (): void => this.renderRoot.querySelector("input")?.click();

  #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    this.desk.uploads.add(input.files ?? []);
    // The same file may be chosen again.
    input.value = "";
  };
  #onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#isUnderFiles.value = true;
  };
  #onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.#isUnderFiles.value = false;
    this.desk.uploads.add(event.dataTransfer?.files ?? []);
  };
}

customElements.define("human-desk-drop", DropZone);
