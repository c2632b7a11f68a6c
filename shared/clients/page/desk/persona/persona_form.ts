import { html, nothing, type TemplateResult } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { linkTo } from "../route.ts";
import { fill, fillIn, plural, t } from "../texts.ts";
import { type FieldName, fields, limits, type PersonaFields } from "./fields.ts";
import { offeredLanguages } from "./languages.ts";
import { PersonaPart } from "./persona_part.ts";
import "./persona_preview.ts";
import "./picture_field.ts";
import guideStyles from "./instructions_guide.css" with { type: "text" };
import styles from "./persona_form.css" with { type: "text" };
import startersStyles from "./starters_field.css" with { type: "text" };

type TextName = Exclude<FieldName, "starters" | "language">;

/** The form for the persona. It has no button that saves: the draft is saved while it is written. */
export class PersonaForm extends PersonaPart {
  static override styles = styleSheets(styles);

  override render() {
    const shown = this.draft.shown!;
    const language = fields.language.words();
    return html`
      ${this.mayEdit ? nothing : html`<p class="muted">${t.persona.onlyRead}</p>`}
      <section class="stack" aria-labelledby="start">
        <h3 id="start">${t.persona.start}</h3>
        <div class="columns">
          <div class="stack">
            <human-desk-picture .desk=${this.desk} .name=${shown.name} .url=${this.draft.draft!.picture_url}
              .canChange=${this.mayEdit} .keep=${(picture: Blob | null) =>
                this.draft.setPicture(picture)}></human-desk-picture>
            <div class="both">
              ${this.#renderLine("name")}
              ${this.#renderLine("title")}
            </div>
            ${this.#renderText("greeting")}
            <human-desk-starters .starters=${shown.starters} .isReadOnly=${!this.mayEdit}
              @change=${({ detail }: CustomEvent<string[]>) =>
                this.draft.set("starters", detail)}></human-desk-starters>
          </div>
          <human-desk-persona-preview class="beside" .desk=${this.desk}></human-desk-persona-preview>
        </div>
      </section>
      <section class="stack" aria-labelledby="thinking">
        <h3 id="thinking">${t.persona.thinking}</h3>
        <div class="columns">
          <div class="stack tight">
            ${this.#renderText("instructions", "instructions")}
            <p class="hint counter">${this.#describeLength(shown.instructions)}</p>
          </div>
          <human-desk-guide class="beside"></human-desk-guide>
        </div>
      </section>
      <section class="stack" aria-labelledby="helpless">
        <h3 id="helpless">${t.persona.helpless}</h3>
        <div class="stack">
          ${this.#renderText("no_answer")}
          ${this.#renderText("takeover_notice")}
        </div>
      </section>
      <section class="stack tight" aria-labelledby="language">
        <h3 id="language">${language.label}</h3>
        <p class="hint">${language.hint}</p>
        <div class="both">${this.#renderLanguage(shown.language)}</div>
      </section>
    `;
  }

  #renderLine(name: TextName): TemplateResult {
    const { words, most } = fields[name];
    const { label, hint } = words();
    return html`
      <label class="field"><span>${label} <span class="hint">${hint}</span></span>
        <input name=${name} dir="auto" required maxlength=${most!} autocomplete="off" ?readonly=${!this.mayEdit}
          .value=${this.draft.shown![name] ?? ""} @input=${this.#onInput}>
      </label>
    `;
  }

  #renderText(name: TextName, look = ""): TemplateResult {
    const { words, most } = fields[name];
    const { label, hint, usual = "" } = words();
    return html`
      <label class="field"><span>${label} <span class="hint">${hint}</span></span>
        <textarea name=${name} rows="2" class=${look} maxlength=${most!} ?readonly=${!this.mayEdit}
          placeholder=${usual} .value=${this.draft.shown![name] ?? ""} @input=${this.#onInput}></textarea>
      </label>
    `;
  }

  #renderLanguage(current: string): TemplateResult {
    const onChange = (event: Event) => this.draft.set("language", (event.target as HTMLSelectElement).value);
    return html`
      <select name="language" aria-labelledby="language" ?disabled=${!this.mayEdit} @change=${onChange}>
        ${offeredLanguages(current).map(([value, name]) =>
          html`<option value=${value} .selected=${value === current}>${name}</option>`
        )}
      </select>
    `;
  }

  #describeLength(text: string): string {
    const words = text.split(/\s+/).filter(Boolean).length;
    const count = plural(t.persona.words, words);
    const left = fields.instructions.most! - text.length;
    if (left < 2_000) return `${count} · ${fill(t.persona.charactersLeft, { number: left })}`;
    return words > longInstructions ? `${count} · ${t.persona.long}` : count;
  }

  #onInput = (event: Event): void => {
    const { name, value } = event.target as HTMLInputElement;
    this.draft.set(name as TextName, value as PersonaFields[TextName] & string);
  };
}

/** The number of words above which instructions are better shortened. */
const longInstructions = 1_200;

customElements.define("human-desk-persona-form", PersonaForm);

/** A short guide to writing instructions: a few hints, each with an example. */
export class InstructionsGuide extends DeskPart {
  static override styles = styleSheets(guideStyles);

  /** True if the guide has a place of its own beside the field. Below it, it would be in the way. */
  #isWide = state(this, matchMedia("(min-width: 68rem)").matches);

  override render() {
    const hints = [
      [t.persona.guide.who, t.persona.guide.whoExample],
      [t.persona.guide.how, t.persona.guide.howExample],
      [t.persona.guide.limits, t.persona.guide.limitsExample],
      [t.persona.guide.example, t.persona.guide.exampleExample],
    ];
    return html`
      <details class="guide" ?open=${this.#isWide.value}>
        <summary><strong>${t.persona.guide.title}</strong></summary>
        <ol>${hints.map(([hint, example]) => html`<li>${hint} <q>${example}</q></li>`)}</ol>
        <p>${fillIn(t.persona.guide.facts, {
          files: html`<a href=${linkTo("files")}>${t.persona.guide.files}</a>`,
          answers: html`<a href=${linkTo("answers")}>${t.persona.guide.answers}</a>`,
        })}</p>
      </details>
    `;
  }
}

customElements.define("human-desk-guide", InstructionsGuide);

/**
 * The questions that a chat begins with, which can be put in another order.
 *
 * @fires change - A question was changed, added, moved or removed. The detail is the list of all.
 */
export class StartersField extends DeskPart.with({
  starters: { attribute: false, first: [] } as Property<string[]>,
  isReadOnly: { attribute: false, first: false },
}) {
  static override styles = styleSheets(startersStyles);

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
