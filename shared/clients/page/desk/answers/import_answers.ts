import { html, nothing } from "lit";
import { state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { enumerate, formatNumber } from "../format.ts";
import { icons } from "../icons.ts";
import { fill, fillIn, plural, t } from "../texts.ts";
import { sayReason, showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import styles from "./import_answers.css" with { type: "text" };

type Preview = Schemas["ImportedAnswers"];
type Row = Schemas["ImportedRow"];

/** The rows that are shown before the expert asks for all of them. */
const shownFirst = 50;

const states: Record<Row["status"], () => [name: string, look: string]> = {
  added: () => [t.answers.stateNew, "ai"],
  changed: () => [t.answers.stateChanged, "person"],
  unchanged: () => [t.answers.stateSame, ""],
  refused: () => [t.answers.stateRefused, "danger"],
};

/** The names of the columns, as a sheet spells them in every language. */
const columns = {
  question: html`<b>question</b>`,
  answer: html`<b>answer</b>`,
  variants: html`<b>variants</b>`,
  active: html`<b>is_active</b>`,
};

/** The import of a sheet: a file or pasted rows, what would become of each row, and then the import. */
export class ImportAnswers extends DeskPart {
  static override styles = styleSheets(styles);

  #csv = "";
  #name = state(this, "");
  #preview = state<Preview | null>(this, null);
  #showsAll = state(this, false);

  override render() {
    const { isBusy, error } = this.action;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <a class="back" href=${linkTo("answers")}>${icons.back} ${t.answers.title}</a>
        <h2 id="title" tabindex="-1">${t.answers.importTitle}</h2>
        <p>${fillIn(t.answers.importHint, columns)}</p>
        <div class="row">
          <button ?disabled=${isBusy} @click=${this.#choose}>${icons.upload} ${t.answers.choose}</button>
          <span class="small muted text"><bdi>${this.#name.value}</bdi></span>
          <input type="file" hidden accept=".csv,.tsv,.txt,text/csv" aria-label=${t.answers.csvFile} @change=${this
            .#onChosen}>
        </div>
        <form class="stack tight" @submit=${this.#onPasted}>
          <label class="field"><span>${t.answers.paste} <span class="hint">${t.answers.pasteHint}</span></span>
            <textarea name="rows" rows="3" spellcheck="false" @input=${this.#onTyped}></textarea>
          </label>
          <div class="row"><button ?disabled=${isBusy}>${t.answers.preview}</button></div>
        </form>
        ${showError(error)}
        <div class="stack" aria-live="polite">
          ${this.#preview.value === null
            ? isBusy ? html`<p class="muted">${t.answers.readingSheet}</p>` : nothing
            : this.#renderPreview(this.#preview.value)}
        </div>
      </section>
    `;
  }

  #renderPreview(preview: Preview) {
    const { added, changed, unchanged, refused, rows, unused_columns } = preview;
    const refusedRows = rows.filter(({ status }) => status === "refused");
    const shown = this.#showsAll.value ? rows : rows.slice(0, shownFirst);
    return html`
      <h3 id="preview" tabindex="-1">${t.answers.previewTitle}</h3>
      <p class="facts">
        <span>${plural(t.answers.newAnswers, added)}</span>
        <span>${changed === 0 ? t.answers.noneChanged : plural(t.answers.changed, changed)}</span>
        <span>${unchanged === 0 ? t.answers.noneSame : plural(t.answers.same, unchanged)}</span>
        ${refused === 0 ? nothing : html`<span class="tag danger">${plural(t.answers.rowsRefused, refused)}</span>`}
      </p>
      ${unused_columns.length === 0 ? nothing : html`
        <p class="small muted text">${plural(t.answers.unusedColumns, unused_columns.length, {
          names: enumerate(unused_columns),
        })}</p>
      `}
      ${refused === 0 ? this.#renderImport(preview) : html`
        <div class="card" role="alert">
          <p>${t.answers.refusedHint}</p>
          <ul aria-label=${t.answers.refusedRows}>
            ${refusedRows.slice(0, 100).map(({ row, reason }) =>
              html`<li class="text">${fill(t.answers.refusedRow, { row, reason: sayReason(reason ?? "") })}</li>`
            )}
            ${refused > 100 ? html`<li>${plural(t.answers.refusedMore, refused - 100)}</li>` : nothing}
          </ul>
        </div>
      `}
      <table>
        <caption class="hint">${t.answers.rows}</caption>
        <thead>
          <tr>
            <th class="number" scope="col">${t.answers.row}</th>
            <th scope="col">${t.answers.questionAndAnswer}</th>
            <th class="state" scope="col">${t.answers.state}</th>
          </tr>
        </thead>
        <tbody>${shown.map(showRow)}</tbody>
      </table>
      ${shown.length === rows.length ? nothing : html`
        <div class="row">
          <button @click=${() => this.#showsAll.value = true}>${plural(t.answers.showAll, rows.length)}</button>
        </div>
      `}
    `;
  }

  #renderImport({ added, changed }: Preview) {
    if (added + changed === 0) return html`<p>${t.answers.nothingToImport}</p>`;
    const label = added === 0
      ? plural(t.answers.change, changed)
      : changed === 0
      ? plural(t.answers.add, added)
      : plural(t.answers.addAndChange, added, { changed });
    return html`
      <div class="row"><button class="primary" ?disabled=${this.isBusy} @click=${this
        .#import}>${label}</button></div>
    `;
  }

  #choose = (): void => this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();

  #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file may be chosen again, corrected.
    input.value = "";
    if (file === undefined) return;
    this.#name.value = file.name;
    void this.#read(() => readSheetFile(file));
  };
  #onPasted = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#name.value = "";
    const field = (event.target as HTMLFormElement).elements.namedItem("rows") as HTMLTextAreaElement;
    void this.#read(() => Promise.resolve(field.value));
  };
  /** A preview belongs to the rows that it was made of. */
  #onTyped = (): void => {
    this.#preview.value = null;
  };

  async #read(read: () => Promise<string>): Promise<void> {
    this.#preview.value = null;
    this.#showsAll.value = false;
    const isRead = await this.run(async () => {
      this.#csv = await read();
      if (this.#csv.trim() === "") throw new Error(t.answers.chooseFirst);
      this.#preview.value = await this.client.importAnswers(this.coachId, { csv: this.#csv, preview: true });
    });
    if (isRead) await this.focusOn("#preview");
  }

  #import = async (): Promise<void> => {
    const done = await this.ask(() => this.client.importAnswers(this.coachId, { csv: this.#csv }));
    if (done === null) return;
    const { added, changed } = done.reply;
    const parts = [
      ...added > 0 ? [plural(t.answers.newAnswers, added)] : [],
      ...changed > 0 ? [plural(t.answers.changed, changed)] : [],
    ];
    this.say(fill(t.answers.imported, { changes: enumerate(parts) || t.answers.nothingNew }));
    location.hash = linkTo("answers");
  };
}

function showRow({ row, status, question, answer, previous, reason }: Row) {
  const [name, look] = states[status]();
  return html`
    <tr>
      <td class="number muted">${formatNumber(row)}</td>
      <td>
        <div class="stack tight">
        ${question === "" ? nothing : html`<b class="text">${question}</b>`}
        ${previous === null || previous.answer === answer
          ? nothing
          : html`<del class="clamp text small">${previous.answer}</del>`}
        ${answer === null ? nothing : html`<ins class="clamp text small">${answer}</ins>`}
        ${reason === null ? nothing : html`<span class="error small text">${sayReason(reason)}</span>`}
      </div>
      </td>
      <td class="state"><span class="tag ${look}">${name}</span></td>
    </tr>
  `;
}

customElements.define("human-desk-import-answers", ImportAnswers);

/** The largest sheet that the service accepts. A larger one is not sent. */
const maxBytes = 1024 * 1024;

/** Reads the text of a file that was chosen. @throws {Error} with a sentence for the expert if it is no sheet */
async function readSheetFile(file: File): Promise<string> {
  if (file.size > maxBytes) throw new Error(t.answers.tooLarge);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(t.answers.notCsv);
  }
}
