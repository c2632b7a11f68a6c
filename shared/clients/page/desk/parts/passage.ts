import { html, nothing, type TemplateResult } from "lit";
import { openSource, type Source } from "../../reader/reading.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatNumber } from "../format.ts";
import { Action } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { fill, t } from "../texts.ts";
import { fillIn } from "./fill_in.ts";
import { showError } from "./show_error.ts";

/** The parts of a passage that can be shown. */
export type ShownPassage = {
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
          ${mayEdit(this.desk.role)
            ? html`<button class="quiet" ?disabled=${this.#action.isBusy} @click=${this.#toggle}>${
              isBarred ? t.parts.allow : t.parts.bar
            }</button>`
            : nothing}
        </p>
        ${passage.quote === null
          ? nothing
          : html`<blockquote class="small pre" dir="auto">${passage.quote}</blockquote>`}
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
    this.say(isBarred ? t.parts.allowed : t.parts.barred);
    this.dispatchEvent(new CustomEvent("toggle"));
  };
}

export interface DeskPassage extends Fields<typeof DeskPassage.properties> {}

customElements.define("human-desk-passage", DeskPassage);

/** The name of a file, with a page of it if there is one. */
export function showPlace(file: TemplateResult, page: number | null): unknown {
  return page === null ? file : fillIn(t.parts.inFile, { file, page: formatNumber(page) });
}

/** A source of an answer that is a passage. */
export function isPassage(source: Schemas["Source"]): source is Schemas["PassageSource"] {
  return source.kind === "passage";
}
