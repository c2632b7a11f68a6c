import { html, nothing } from "lit";
import { type Property, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { enumerate, formatMoment, formatNumber } from "../format.ts";
import { showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { Loading } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import styles from "./file_details.css" with { type: "text" };

type Change = Schemas["FileChange"];

/** The most passages of a change that are shown at once. */
const mostShown = 5;

/**
 * The details of a file: its name and days, what replacing it has changed, and the answers that draw on it.
 *
 * @fires done - Name or days were changed.
 */
export class FileDetails extends DeskPart.with({ file: {} as Property<Schemas["FoundFile"]> }) {
  static override styles = styleSheets(styles);

  #changes = this.show(
    new Loading(async (options) => (await this.client.listFileChanges(this.coachId, this.file.fileId, options)).data),
  );
  #quotes = this.show(new Loading((options) => this.client.listFileQuotes(this.coachId, this.file.fileId, options)));

  override render() {
    return html`
      <div class="stack">
        ${this.mayEdit ? this.#renderForm() : nothing}
        <section class="stack tight small">
          <h3>${t.files.changes}</h3>
          ${showError(this.#changes.error, () => this.#changes.load())}
          ${this.#changes.value?.length === 0 ? html`<p class="muted">${t.files.noChanges}</p>` : nothing}
          ${this.#changes.value?.map((change) => this.#renderChange(change))}
        </section>
        ${this.#renderQuotes()}
      </div>
    `;
  }

  #renderForm() {
    const { filename, valid_from, valid_until, source_id, is_text } = this.file;
    return html`
      <form class="row" @submit=${this.#save}>
        ${source_id === null && !is_text
          ? html`
            <label class="name small">${t.files.name}
              <input name="filename" required maxlength="500" dir="auto" .value=${filename}>
            </label>
          `
          : nothing}
        <label class="small">${t.files.from} <input type="date" name="valid_from" .value=${valid_from ?? ""}></label>
        <label class="small">${t.files.until} <input type="date" name="valid_until" .value=${valid_until ?? ""}></label>
        <button class="small" ?disabled=${this.isBusy}>${t.parts.save}</button>
      </form>
      <p class="small muted">${t.files.daysHint}</p>
      ${showError(this.action.error)}
    `;
  }

  #renderChange({ version, changed_at, counts, came, went }: Change) {
    const facts = [
      counts.went > 0 && `${t.files.went}: ${formatNumber(counts.went)}`,
      counts.came > 0 && `${t.files.came}: ${formatNumber(counts.came)}`,
      counts.stayed > 0 && plural(t.files.stayed, counts.stayed),
    ];
    return html`
      <details>
        <summary>${fill(t.parts.version, { version: formatNumber(version) })} · ${formatMoment(changed_at)}
          <span class="muted">${enumerate(facts.filter((fact) => fact !== false))}</span></summary>
        ${this.#renderPassages(t.files.went, "went", went, counts.went)}
        ${this.#renderPassages(t.files.came, "came", came, counts.came)}
      </details>
    `;
  }

  #renderPassages(title: string, look: string, passages: Change["came"], count: number) {
    if (count === 0) return nothing;
    return html`
      <h4>${title} <span class="muted">${formatNumber(count)}</span></h4>
      ${passages.slice(0, mostShown).map(({ content }) =>
        html`<blockquote class="pre ${look}" dir="auto">${content}</blockquote>`
      )}
      ${count > mostShown ? html`<p class="muted">${plural(t.files.morePassages, count - mostShown)}</p>` : nothing}
    `;
  }

  #renderQuotes() {
    const { value, error, isBusy } = this.#quotes;
    return html`
      <section class="stack tight small" aria-live="polite">
        <h3>${t.files.quotes}</h3>
        ${showError(error, () => this.#quotes.load())}
        ${isBusy && value === null ? html`<p class="muted">${t.parts.loading}</p>` : nothing}
        ${value?.count === 0 ? html`<p class="muted">${t.files.neverQuoted}</p>` : nothing}
        ${value && value.count > 0
          ? html`
            <ul class="list" aria-label=${t.files.quotes}>
              ${value.data.map(({ thread_id, quoted_at, question, quote }) =>
                html`<li><a href=${linkTo("conversations", thread_id)}><bdi>${question ?? quote}</bdi></a>
                  <span class="muted">${formatMoment(quoted_at)}</span></li>`
              )}
            </ul>
          `
          : nothing}
        ${value && value.questions.length > 0
          ? html`
            <h3>${t.files.answerable}</h3>
            <ul class="list" aria-label=${t.files.answerable}>
              ${value.questions.map(({ question }) =>
                html`<li><a href=${linkTo("questions")}><bdi>${question}</bdi></a></li>`
              )}
            </ul>
          `
          : nothing}
      </section>
    `;
  }

  #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { fileId, filename } = this.file;
    const form = new FormData(event.target as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "");
    const name = text("filename").trim();
    const change = {
      ...(name && name !== filename && { filename: name }),
      valid_from: text("valid_from") || null,
      valid_until: text("valid_until") || null,
    };
    if (!await this.run(() => this.client.updateFile(this.coachId, fileId, change))) return;
    this.done(t.parts.saved);
  };
}

customElements.define("human-desk-file-details", FileDetails);
