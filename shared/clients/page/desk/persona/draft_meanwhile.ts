import { html, nothing } from "lit";
import type { Observable } from "../../ui/observable.ts";
import { observe, type Property, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { formatList } from "../format.ts";
import { linkTo } from "../route.ts";
import type { SharedDraft } from "../state/shared_draft.ts";
import { fill, t } from "../texts.ts";
import { showOne } from "../parts/show_words.ts";
import styles from "./draft_meanwhile.css" with { type: "text" };

/** The parts of a draft with any fields. */
type AnyDraft =
  & Observable
  & Pick<SharedDraft<Record<string, unknown>, unknown>, "shown" | "conflicts" | "meanwhile" | "acknowledge" | "settle">;

/** The notice that a colleague has changed or published something meanwhile, and the choice where both have changed it. */
export class DraftMeanwhile extends DeskPart.with({
  draft: {} as Property<AnyDraft>,
  /** The name of a field, as it stands in a list of what has changed. */
  nameOf: {} as Property<(name: string) => string>,
  textOf: {} as Property<(name: string, value: unknown) => string>,
}) {
  static override styles = styleSheets(styles);

  constructor() {
    super();
    observe(this, () => this.draft);
  }

  override render() {
    const { meanwhile, conflicts } = this.draft;
    const names = Object.keys(conflicts);
    if (meanwhile === null && names.length === 0) return nothing;
    return html`
      <section class="card stack" aria-label=${t.persona.meanwhile} tabindex="-1">
        <div class="stack tight" role="alert">
          <p>${this.#describe()}</p>
          ${names.length > 0
            ? html`<p>${fill(t.persona.bothChanged, { fields: this.#list(names) })}</p>`
            : html`<p class="muted small">${t.persona.nothingLost}</p>`}
        </div>
        ${names.map((name) => this.#renderConflict(name))}
        ${names.length > 0 ? nothing : html`
          <div class="row">
            <button class="small" @click=${() => this.draft.acknowledge()}>${t.persona.understood}</button>
            ${meanwhile?.version
              ? html`<a class="button small" href=${
                linkTo("persona", "history", [["version", String(meanwhile.version)]])
              }>${t.persona.seeWhatChanged}</a>`
              : nothing}
          </div>
        `}
      </section>
    `;
  }

  #list(names: string[]): string {
    return formatList([...new Set(names.map((name) => this.nameOf(name)))]);
  }

  #describe(): string {
    const { meanwhile } = this.draft;
    if (meanwhile === null) return t.persona.conflictLeft;
    const who = meanwhile.by ?? t.persona.somebody;
    const fields = this.#list(meanwhile.fields);
    if (meanwhile.version !== null) return fill(t.persona.publishedMeanwhile, { who, version: meanwhile.version });
    return fill(t.persona.changedMeanwhile, { who, fields });
  }

  #renderConflict(name: string) {
    const { shown, conflicts } = this.draft;
    const [mine, theirs] = [this.textOf(name, shown![name]), this.textOf(name, conflicts[name])];
    const field = this.nameOf(name);
    const side = (title: string, text: string, other: string, whose: "theirs" | "mine", label: string) =>
      html`
        <div class="stack tight">
          <p class="small muted">${title}</p>
          ${showOne(text, other)}
          <div><button @click=${() => this.#settle(name, whose)}>${label}</button></div>
        </div>
      `;
    return html`
      <div class="stack tight" role="group" aria-label=${field}>
        <h4 class="of-field">${field}</h4>
        <div class="both">
          ${side(t.persona.theirs, theirs, mine, "theirs", t.persona.takeTheirs)}
          ${side(t.persona.mine, mine, theirs, "mine", t.persona.keepMine)}
        </div>
      </div>
    `;
  }

  #settle(name: string, whose: "theirs" | "mine"): void {
    this.draft.settle(name, whose);
    const field = this.nameOf(name);
    this.say(fill(whose === "theirs" ? t.persona.tookTheirs : t.persona.keptMine, { field }));
    // The button that had the focus is gone.
    this.renderRoot.querySelector<HTMLElement>("section")?.focus();
  }
}

customElements.define("human-desk-draft-meanwhile", DraftMeanwhile);
