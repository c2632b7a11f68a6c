import { html, nothing } from "lit";
import { type Property, styleSheets } from "../../ui/element.ts";
import { icons } from "../icons.ts";
import { DeskPart } from "../desk_part.ts";
import { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import styles from "./file_choice.css" with { type: "text" };

/** The number of files that are offered. Others can be typed. */
const offered = 100;

/**
 * A choice of files by their names. The files of the persona are offered, and any other name can be typed: a file may come
 * later.
 *
 * @fires change - Files were added or removed. The detail is the list of their names.
 */
export class FileChoice extends DeskPart.with({
  label: { type: String, first: "" },
  hint: { type: String, first: "" },
  names: { attribute: false, first: [] } as Property<string[]>,
}) {
  static override styles = styleSheets(styles);

  #files = this.use(
    new Loading(async (options) => {
      const { data } = await this.client.searchFiles({ coachId: this.coachId, page: 1, limit: offered }, options);
      return [...new Set(data.map(({ filename }) => filename))];
    }),
  );

  override render() {
    const { names, label, hint } = this;
    const more = (this.#files.value ?? []).filter((name) => !names.includes(name));
    return html`
      <div class="stack tight" role="group" aria-label=${label}>
        <label class="field"><span>${label} ${hint ? html`<span class="hint">${hint}</span>` : nothing}</span>
          <span class="row nowrap add">
            <input name="file" list="files" autocomplete="off" placeholder=${t.tests.fileName} @focus=${this.#offer}
              @input=${this.#onInput} @change=${this.#stopEvent} @keydown=${this.#onKey}>
            <button type="button" @click=${this.#add}>${t.tests.add}</button>
          </span>
        </label>
        <datalist id="files">${more.map((name) => html`<option value=${name}></option>`)}</datalist>
        ${names.length === 0 ? nothing : html`
          <ul class="sources">
            ${names.map((name) =>
              html`
                <li class="tag">${icons.files} <bdi>${name}</bdi>
                  <button type="button" class="quiet" aria-label=${fill(t.tests.removeFile, { name })}
                    @click=${() => this.#tell(names.filter((other) => other !== name))}>✕</button>
                </li>
              `
            )}
          </ul>
        `}
      </div>
    `;
  }

  get #field(): HTMLInputElement {
    return this.renderRoot.querySelector("input")!;
  }

  #offer = (): void => {
    if (this.#files.value === null) void this.#files.load();
  };
  /** A file that is chosen from the list is added at once. */
  #onInput = (event: InputEvent): void => {
    const isTyped = event.inputType?.startsWith("insertText") || event.inputType?.startsWith("delete");
    if (!isTyped && this.#files.value?.includes(this.#field.value)) this.#add();
    event.stopPropagation();
  };
  #onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#add();
  };
  /** The change of the field is none of the choice. */
  #stopEvent = (event: Event): void => event.stopPropagation();

  #add = (): void => {
    const field = this.#field;
    const name = field.value.trim();
    field.value = "";
    if (name !== "" && !this.names.includes(name)) this.#tell([...this.names, name]);
    field.focus();
  };

  #tell(names: string[]): void {
    this.dispatchEvent(new CustomEvent("change", { detail: names }));
  }
}

customElements.define("human-desk-file-choice", FileChoice);
