import { html, nothing } from "lit";
import { openSource, type Source } from "../../reader/reading.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatScore } from "../format.ts";
import { Action } from "../state/work.ts";
import { showError } from "./show_error.ts";

/** The parts of a passage that can be shown. */
export type ShownPassage = {
  passageId: string;
  filename: string | null;
  quote: string | null;
  heading?: string | null;
  page?: number | null;
  score?: number;
};

/**
 * A passage with its file and place, and a button that bars it from answers or allows it again.
 *
 * @fires toggle - The passage was barred or allowed.
 */
export class DeskPassage extends DeskPart {
  static override properties = {
    passage: {} as Property<ShownPassage>,
    /** The sources among which the passage is shown, if the file can be read. */
    among: { attribute: false, first: [] } as Property<Source[]>,
    /** True if the passage was barred when it was read. */
    isBarred: { type: Boolean, first: false },
  };

  /** The ID of the passage that was barred, or allowed again, here. */
  #toggled = "";
  #action = this.use(new Action());

  override render() {
    const { passage } = this;
    const isBarred = this.#isBarredNow;
    const place = [passage.page == null ? "" : `page ${passage.page}`, passage.heading ?? ""].filter((text) => text);
    return html`
      <div class="stack tight">
        <p class="row small">
          <strong class="text">${passage.filename === null
            ? "From a deleted file"
            : html`<bdi>${passage.filename}</bdi>`}</strong>
          ${place.length === 0 ? nothing : html`<span class="muted text">${place.join(" · ")}</span>`}
          ${passage.score === undefined ? nothing : html`<span class="tag">score ${formatScore(passage.score)}</span>`}
          ${isBarred ? html`<span class="tag danger">barred from answers</span>` : nothing}
          ${this.among.length === 0
            ? nothing
            : html`<button class="quiet" aria-haspopup="dialog" @click=${this.#read}>Read in the file</button>`}
          <button class="quiet" ?disabled=${this.#action.isBusy} @click=${this.#toggle}>${isBarred
            ? "Allow in answers"
            : "Bar from answers"}</button>
        </p>
        ${passage.quote === null ? nothing : html`<blockquote class="small pre">${passage.quote}</blockquote>`}
        ${showError(this.#action.error)}
      </div>
    `;
  }

  #read = (): void => {
    const { among: sources, passage: { passageId } } = this;
    const place = sources.findIndex((source) => isPassage(source) && source.passageId === passageId);
    openSource(this, { coachId: this.desk.coach.id, sources, place, isReadable: true });
  };

  get #isBarredNow(): boolean {
    return this.isBarred !== (this.#toggled === this.passage.passageId);
  }

  #toggle = async (): Promise<void> => {
    const { client, coach } = this.desk;
    const { passageId } = this.passage;
    const isBarred = this.#isBarredNow;
    const isDone = await this.#action.run(() =>
      isBarred ? client.unbarPassage(coach.id, passageId) : client.barPassage(coach.id, passageId)
    );
    if (!isDone) return;
    this.#toggled = this.isBarred === isBarred ? passageId : "";
    this.requestUpdate();
    this.say(isBarred ? "Answers can use this passage again." : "Answers no longer use this passage.");
    this.dispatchEvent(new CustomEvent("toggle"));
  };
}

export interface DeskPassage extends Fields<typeof DeskPassage.properties> {}

customElements.define("human-desk-passage", DeskPassage);

/** A source of an answer that is a passage. */
export function isPassage(source: Schemas["Source"]): source is Schemas["PassageSource"] {
  return source.kind === "passage";
}
