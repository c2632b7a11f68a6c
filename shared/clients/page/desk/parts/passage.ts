import { html, nothing } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatScore } from "../format.ts";
import { Action } from "../state/action.ts";
import { showError } from "./show_error.ts";

/** What can be shown of a passage, wherever it comes from. */
export type ShownPassage = {
  passageId: string;
  filename: string | null;
  quote: string | null;
  heading?: string | null;
  page?: number | null;
  score?: number;
};

/** A passage with where it stands, and what bars it from answers or lets them use it again. */
export class DeskPassage extends DeskPart {
  static override properties = { passage: { attribute: false }, isBarred: { attribute: false } };

  declare passage: ShownPassage;
  /** Whether it was, when it was read. */
  declare isBarred: boolean;
  /** The id of the passage that has been barred, or let in again, here. */
  #toggled = "";
  #action = new Action(this);

  constructor() {
    super();
    this.isBarred = false;
  }

  override render() {
    const { passage } = this;
    const isBarred = this.#isBarredNow;
    const place = [passage.page == null ? "" : `page ${passage.page}`, passage.heading ?? ""].filter((text) => text);
    return html`
      <div class="stack tight">
        <p class="row small">
          <strong class="text">${passage.filename ?? "In no file any more"}</strong>
          ${place.length === 0 ? nothing : html`<span class="muted text">${place.join(" · ")}</span>`}
          ${passage.score === undefined ? nothing : html`<span class="tag">score ${formatScore(passage.score)}</span>`}
          ${isBarred ? html`<span class="tag danger">barred from answers</span>` : nothing}
          <button class="quiet" ?disabled=${this.#action.isBusy} @click=${this.#toggle}>${isBarred
            ? "Let answers use it"
            : "Bar it from answers"}</button>
        </p>
        ${passage.quote === null ? nothing : html`<blockquote class="small pre">${passage.quote}</blockquote>`}
        ${showError(this.#action.error)}
      </div>
    `;
  }

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
    this.say(isBarred ? "Answers may use the passage again." : "No answer draws on this passage from now on.");
    this.dispatchEvent(new CustomEvent("toggle"));
  };
}

customElements.define("human-desk-passage", DeskPassage);

/** A source of an answer that is a passage. */
export function isPassage(source: Schemas["Source"]): source is Schemas["PassageSource"] {
  return source.kind === "passage";
}
