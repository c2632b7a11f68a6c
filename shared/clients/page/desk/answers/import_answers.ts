import { css, html, nothing } from "lit";
import { state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { count } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Action } from "../state/work.ts";
import { readSheetFile } from "./read_sheet_file.ts";

type Preview = Schemas["ImportedAnswers"];
type Row = Schemas["ImportedRow"];

/** The rows that are shown before the expert asks for all of them. */
const shownFirst = 50;

const states: Record<Row["status"], [name: string, look: string]> = {
  added: ["new", "ai"],
  changed: ["changed", "person"],
  unchanged: ["the same", ""],
  refused: ["refused", "danger"],
};

/** The import of a sheet: a file or pasted rows, what would become of each row, and then the import. */
export class ImportAnswers extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      table {
        inline-size: 100%;
        border-collapse: collapse;
        table-layout: fixed;
      }
      th,
      td {
        padding: 0.5rem 0.25rem;
        border-block-start: 1px solid var(--line);
        text-align: start;
        vertical-align: top;
        overflow-wrap: anywhere;
      }
      .number {
        inline-size: 3.5rem;
        font-variant-numeric: tabular-nums;
      }
      .state {
        inline-size: 6rem;
      }
      del {
        color: var(--muted);
      }
      ins {
        text-decoration: none;
      }
    `,
  ];

  #csv = "";
  #name = state(this, "");
  #preview = state<Preview | null>(this, null);
  #showsAll = state(this, false);
  #action = this.use(new Action());

  override render() {
    const { isBusy, error } = this.#action;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <a class="back" href=${linkTo("answers")}>${icons.back} Your answers</a>
        <h2 id="title" tabindex="-1">Import answers</h2>
        <p>A sheet has the columns <b>question</b> and <b>answer</b>, and, if you like, <b>variants</b> (other wordings, one
          a line in the cell) and <b>is_active</b> (true or false). Exports of this desk and of Dify, and FAQ files for
          Chatwoot, fit as they are. You see what would happen first.</p>
        <div class="row">
          <button ?disabled=${isBusy} @click=${this.#choose}>${icons.upload} Choose a CSV file</button>
          <span class="small muted text">${this.#name.value}</span>
          <input type="file" hidden accept=".csv,.tsv,.txt,text/csv" aria-label="CSV file" @change=${this.#onChosen}>
        </div>
        <form class="stack tight" @submit=${this.#onPasted}>
          <label class="field"><span>Or paste rows from a spreadsheet <span class="hint">with the row of column names</span></span>
            <textarea name="rows" rows="3" spellcheck="false" @input=${this.#onTyped}></textarea>
          </label>
          <div class="row"><button ?disabled=${isBusy}>Preview</button></div>
        </form>
        ${showError(error)}
        <div class="stack" aria-live="polite">
          ${this.#preview.value === null
            ? isBusy ? html`<p class="muted">Reading the sheet…</p>` : nothing
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
      <h3 id="preview" tabindex="-1">What an import would do</h3>
      <p class="facts">
        <span>${count(added, "new answer")}</span>
        <span>${formatChanged(changed)}</span>
        <span>${unchanged === 0 ? "none" : count(unchanged, "answer")} the same</span>
        ${refused === 0 ? nothing : html`<span class="tag danger">${count(refused, "row")} refused</span>`}
      </p>
      ${unused_columns.length === 0 ? nothing : html`
        <p class="small muted text">Not used: the ${unused_columns.length === 1 ? "column" : "columns"}
          ${unused_columns.join(", ")}.</p>
      `}
      ${refused === 0 ? this.#renderImport(preview) : html`
        <div class="card" role="alert">
          <p>Nothing can be imported yet. Please correct these rows in your sheet, and choose it again:</p>
          <ul aria-label="Refused rows">
            ${refusedRows.slice(0, 100).map(({ row, reason }) => html`<li class="text">Row ${row}: ${reason}.</li>`)}
            ${refused > 100 ? html`<li>… and ${count(refused - 100, "more row", "more rows")}.</li>` : nothing}
          </ul>
        </div>
      `}
      <table>
        <caption class="hint">The rows, with the numbers that your spreadsheet shows</caption>
        <thead>
          <tr>
            <th class="number" scope="col">Row</th>
            <th scope="col">Question and answer</th>
            <th class="state" scope="col">Here</th>
          </tr>
        </thead>
        <tbody>${shown.map(showRow)}</tbody>
      </table>
      ${shown.length === rows.length ? nothing : html`
        <div class="row"><button @click=${() => this.#showsAll.value = true}>Show all ${count(
          rows.length,
          "row",
        )}</button></div>
      `}
    `;
  }

  #renderImport({ added, changed }: Preview) {
    if (added + changed === 0) return html`<p>Your answers already say all of this.</p>`;
    const label = [
      ...added > 0 ? [`Add ${count(added, "answer")}`] : [],
      ...changed > 0 ? [`${added > 0 ? "change" : "Change"} ${added > 0 ? changed : count(changed, "answer")}`] : [],
    ].join(" and ");
    return html`
      <div class="row"><button class="primary" ?disabled=${this.#action.isBusy} @click=${this
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
    const { client, coach } = this.desk;
    this.#preview.value = null;
    this.#showsAll.value = false;
    const isRead = await this.#action.run(async () => {
      this.#csv = await read();
      if (this.#csv.trim() === "") throw new Error("Please choose a file or paste rows first.");
      this.#preview.value = await client.importAnswers(coach.id, { csv: this.#csv, preview: true });
    });
    if (!isRead) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#preview")?.focus();
  }

  #import = async (): Promise<void> => {
    const { client, coach } = this.desk;
    let imported: Preview | null = null;
    const isDone = await this.#action.run(async () => {
      imported = await client.importAnswers(coach.id, { csv: this.#csv });
    });
    if (!isDone || imported === null) return;
    const { added, changed } = imported as Preview;
    const parts = [
      ...added > 0 ? [count(added, "new answer")] : [],
      ...changed > 0 ? [formatChanged(changed)] : [],
    ];
    this.say(`Imported: ${parts.join(", ") || "nothing new"}.`);
    location.hash = linkTo("answers");
  };
}

const formatChanged = (changed: number) => `${changed === 0 ? "none" : count(changed, "answer")} changed`;

function showRow({ row, status, question, answer, previous, reason }: Row) {
  const [name, look] = states[status];
  return html`
    <tr>
      <td class="number muted">${row}</td>
      <td>
        <div class="stack tight">
        ${question === "" ? nothing : html`<b class="text">${question}</b>`}
        ${previous === null || previous.answer === answer
          ? nothing
          : html`<del class="clamp text small">${previous.answer}</del>`}
        ${answer === null ? nothing : html`<ins class="clamp text small">${answer}</ins>`}
        ${reason === null ? nothing : html`<span class="error small text">${reason}</span>`}
      </div>
      </td>
      <td class="state"><span class="tag ${look}">${name}</span></td>
    </tr>
  `;
}

customElements.define("human-desk-import-answers", ImportAnswers);
