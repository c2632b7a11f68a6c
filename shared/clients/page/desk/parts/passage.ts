import { html, nothing } from "lit";
import type { Source } from "../../reader/reading.ts";
import type { Property } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { fill, t } from "../texts.ts";
import { isPassage, openPlace } from "./sources.ts";
import { showError } from "./show_state.ts";

/** The parts of a passage that can be shown. */
type ShownPassage = {
  passageId: string;
  filename: string | null;
  quote: string | null;
  heading?: string | null;
  page?: number | null;
  is_recognized?: boolean | undefined;
};

/**
 * A passage with its file and place, and a button that bars it from answers or allows it again.
 *
 * @fires toggle - The passage was barred or allowed.
 */
export class DeskPassage extends DeskPart.with({
  passage: {} as Property<ShownPassage>,
  /** The sources among which the passage is shown, if the file can be read. */
  among: { attribute: false, first: [] } as Property<Source[]>,
  /** True if the passage was barred when it was read. */
  isBarred: { type: Boolean, first: false },
}) {
  /** The ID of the passage that was barred, or allowed again, here. */
  #toggled = "";

  override render() {
    const { passage } = this;
    const isBarred = this.#isBarredNow;
    const place = [
      passage.page == null ? "" : fill(t.shared.page, { page: passage.page }),
      passage.heading ?? "",
      passage.is_recognized ? t.reader.recognized : "",
    ].filter((text) => text);
    return html`
      <div class="stack tight">
        <p class="row small">
          <strong class="text">${passage.filename === null
            ? t.parts.fromDeleted
            : html`<bdi>${passage.filename}</bdi>`}</strong>
          ${place.length === 0 ? nothing : html`<span class="muted text">${place.join(" · ")}</span>`}
          ${isBarred ? html`<span class="tag danger">${t.parts.barredTag}</span>` : nothing}
          ${this.among.length === 0
            ? nothing
            : html`<button class="quiet" aria-haspopup="dialog" @click=${this.#read}>${t.parts.read}</button>`}
          ${this.mayEdit
            ? html`<button class="quiet" ?disabled=${this.isBusy} @click=${this.#toggle}>${
              isBarred ? t.parts.allow : t.parts.bar
            }</button>`
            : nothing}
        </p>
        ${passage.quote === null
          ? nothing
          : html`<blockquote class="small pre" dir="auto">${passage.quote}</blockquote>`}
        ${showError(this.action.error)}
      </div>
    `;
  }

  #read = (): void => {
    const { among: sources, passage: { passageId } } = this;
    openPlace(this, sources, sources.findIndex((source) => isPassage(source) && source.passageId === passageId));
  };

  get #isBarredNow(): boolean {
    return this.isBarred !== (this.#toggled === this.passage.passageId);
  }

  #toggle = async (): Promise<void> => {
    const { passageId } = this.passage;
    const isBarred = this.#isBarredNow;
    const isDone = await this.run(() =>
      isBarred ? this.client.unbarPassage(this.coachId, passageId) : this.client.barPassage(this.coachId, passageId)
    );
    if (!isDone) return;
    this.#toggled = this.isBarred === isBarred ? passageId : "";
    this.requestUpdate();
    this.say(isBarred ? t.parts.allowed : t.parts.barred);
    this.dispatchEvent(new CustomEvent("toggle"));
  };
}

customElements.define("human-desk-passage", DeskPassage);
