import { html, nothing } from "lit";
import { type Property, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { fill, t } from "../texts.ts";
import { fields, limits } from "./fields.ts";
import styles from "./starters_field.css" with { type: "text" };

/**
 * The questions that a chat begins with, which can be put in another order.
 *
 * @fires change - A question was changed, added, moved or removed. The detail is the list of all.
 */
export class StartersField extends DeskPart.with({
  starters: { attribute: false, first: [] } as Property<string[]>,
  isReadOnly: { attribute: false, first: false },
}) {
  static override styles = styleSheets(styles);

  override render() {
    const { starters, isReadOnly } = this;
    const { label: legend, hint } = fields.starters.words();
    const label = t.persona.addStarter;
    return html`
      <fieldset>
        <legend>${legend} <span class="hint">${hint}</span></legend>
        ${starters.length === 0 ? nothing : html`
          <ol class="list">${starters.map((starter, place) => this.#renderStarter(starter, place))}</ol>
        `}
        ${isReadOnly || starters.length >= limits.starters ? nothing : html`
          <div><button type="button" class="small add" @click=${this.#add}>${icons.plus} ${label}</button></div>
        `}
      </fieldset>
    `;
  }

  #renderStarter(starter: string, place: number) {
    const number = place + 1;
    const onInput = (event: Event) =>
      this.#tell(this.starters.with(place, (event.target as HTMLInputElement).value.replace(/[\r\n]+/g, " ")));
    return html`
      <li>
        <input dir="auto" maxlength=${limits.starter} autocomplete="off" aria-label=${fill(t.persona.starter, {
          number,
        })}
          ?readonly=${this.isReadOnly} .value=${starter} @input=${onInput}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event, place)}>
        ${this.isReadOnly ? nothing : html`
          <button type="button" class="up" title=${t.persona.moveUp} aria-label=${fill(t.persona.moveStarterUp, {
            number,
          })} ?disabled=${place === 0}
            @click=${() => this.#move(place, place - 1)}>${icons.moveUp}</button>
          <button type="button" class="down" title=${t.persona.moveDown} aria-label=${fill(t.persona.moveStarterDown, {
            number,
          })} ?disabled=${place === this.starters.length - 1}
            @click=${() => this.#move(place, place + 1)}>${icons.moveDown}</button>
          <button type="button" class="remove" title=${t.parts.remove} aria-label=${fill(t.persona.removeStarter, {
            number,
          })} @click=${() => this.#remove(place)}>${icons.remove}</button>
        `}
      </li>
    `;
  }

  /** Enter goes on to the next question; with Alt, the arrow keys move a question. */
  #onKey(event: KeyboardEvent, place: number): void {
    if (event.isComposing || this.isReadOnly) return;
    const to = event.altKey && event.key === "ArrowUp"
      ? place - 1
      : event.altKey && event.key === "ArrowDown"
      ? place + 1
      : null;
    if (to !== null) {
      event.preventDefault();
      void this.#move(place, to, "input");
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (place < this.starters.length - 1) this.#focus(place + 1, "input");
      else void this.#add();
    }
  }

  #add = async (): Promise<void> => {
    if (this.starters.length >= limits.starters) return;
    this.#tell([...this.starters, ""]);
    await this.updateComplete;
    this.#focus(this.starters.length - 1, "input");
  };

  async #move(from: number, to: number, focus?: string): Promise<void> {
    if (to < 0 || to >= this.starters.length) return;
    const starters = [...this.starters];
    const [moved] = starters.splice(from, 1);
    starters.splice(to, 0, moved!);
    this.#tell(starters);
    await this.updateComplete;
    const selector = focus ?? (to < from ? ".up" : ".down");
    // At the end, the button is disabled.
    this.#focus(to, `${selector}:not(:disabled)`) || this.#focus(to, "input");
  }

  async #remove(place: number): Promise<void> {
    this.#tell(this.starters.filter((_, other) => other !== place));
    await this.updateComplete;
    this.#focus(Math.min(place, this.starters.length - 1), "input") ||
      this.renderRoot.querySelector<HTMLElement>(".add")?.focus();
  }

  #focus(place: number, selector: string): boolean {
    const target = this.renderRoot.querySelectorAll("li")[place]?.querySelector<HTMLElement>(selector);
    target?.focus();
    return target != null;
  }

  #tell(starters: string[]): void {
    this.starters = starters;
    this.dispatchEvent(new CustomEvent("change", { detail: starters }));
  }
}

customElements.define("human-desk-starters", StartersField);
