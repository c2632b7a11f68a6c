import { css, html, nothing } from "lit";
import { theme } from "../../ui/theme.ts";
import { DeskPart } from "../desk_part.ts";
import { deskStyles } from "../desk_styles.ts";
import { count, formatSize } from "../format.ts";
import { icons } from "../icons.ts";
import { isOver, type Upload } from "./upload_queue.ts";

const types = ".pdf,.docx,.txt,.md,.jpg,.jpeg,.png,.gif,.webp,.mp4,.avi,.mov,.webm";

const states: Record<Upload["state"], string> = {
  waiting: "waits",
  sending: "is being sent …",
  done: "sent",
  refused: "not accepted",
  broken: "not sent",
};

/** Takes files that are dropped on it or chosen, and shows how far each is. Fires `done` after each. */
export class DropZone extends DeskPart {
  static override styles = [
    theme,
    deskStyles,
    css`
      .zone {
        display: grid;
        justify-items: center;
        gap: 0.25rem;
        padding: 1.25rem 1rem;
        border: 2px dashed var(--line);
        border-radius: var(--radius);
        text-align: center;
      }
      .zone.over {
        border-color: var(--accent);
        background: color-mix(in oklab, var(--accent) 8%, var(--surface));
      }
      ul.list {
        gap: 0.25rem;
        margin-block-start: 0.75rem;
      }
      progress {
        inline-size: 100%;
        accent-color: var(--accent);
      }
    `,
  ];
  static override properties = { isUnderFiles: { state: true } };

  declare private isUnderFiles: boolean;
  #unwatchUploads: (() => void) | undefined;
  #ended = 0;

  constructor() {
    super();
    this.isUnderFiles = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ended = this.#countEnded();
    this.#unwatchUploads = this.desk.uploads.watch(() => {
      this.requestUpdate();
      const ended = this.#countEnded();
      if (ended > this.#ended) this.dispatchEvent(new CustomEvent("done"));
      this.#ended = ended;
    });
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatchUploads?.();
  }

  override render() {
    return html`
      <div class="zone ${this.isUnderFiles ? "over" : ""}" @dragenter=${this.#onDrag} @dragover=${this.#onDrag}
        @dragleave=${() => this.isUnderFiles = false} @drop=${this.#onDrop}>
        <button @click=${this.#choose}>${icons.upload} Choose files</button>
        <p class="small muted">or drop them here: PDF, DOCX, TXT, MD, images, videos</p>
        <input type="file" multiple hidden accept=${types} aria-label="Files" @change=${this.#onChosen}>
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
      <ul class="list" aria-label="Uploads">
        ${ended === items.length ? nothing : html`
          <li><progress max=${items.length} value=${ended} aria-label="Files sent"></progress></li>
        `}
        ${sent === 0 ? nothing : html`<li class="small muted">${count(sent, "file")} sent.</li>`}
        ${items.filter(({ state }) => state !== "done").map(({ file, state, error }) =>
          html`
            <li class="row small">
              <span class="text">${file.name}</span> <span class="muted">${formatSize(file.size)}</span>
              <span class="tag ${error ? "danger" : ""}">${states[state]}</span>
              ${error ? html`<span class="error text">${error}</span>` : nothing}
            </li>
          `
        )}
        ${items.some(({ state }) => state === "broken")
          ? html`<li><button class="small" @click=${() => this.desk.uploads.tryAgain()}>Try again</button></li>`
          : nothing}
      </ul>
    `;
  }

  #countEnded(): number {
    return this.desk.uploads.items.filter(isOver).length;
  }

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
    this.isUnderFiles = true;
  };
  #onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.isUnderFiles = false;
    this.desk.uploads.add(event.dataTransfer?.files ?? []);
  };
}

customElements.define("human-desk-drop", DropZone);
