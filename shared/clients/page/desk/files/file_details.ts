import { css, html, nothing } from "lit";
import { type Fields, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatMoment, formatNumber } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Action, Loading } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { fill, plural, t } from "../texts.ts";

type Change = Schemas["FileChange"];

/** The most passages of a change that are shown at once. */
const mostShown = 5;

/**
 * The details of a file: its name and days, what replacing it has changed, and the answers that draw on it.
 *
 * @fires saved - Name or days were changed.
 */
export class FileDetails extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: 0.5rem 0.75rem;
      }
      label {
        display: grid;
        gap: 0.2rem;
      }
      label.name {
        flex: 1 1 14rem;
      }
      .went {
        text-decoration: line-through;
        opacity: 0.75;
      }
    `,
  ];
  static override properties = { file: {} as Property<Schemas["FoundFile"]> };

  #saving = this.use(new Action());
  #changes = this.use(
    new Loading<Change[]>(async (signal) => {
      const { client, coach } = this.desk;
      return (await client.listFileChanges(coach.id, this.file.fileId, { signal })).data;
    }),
  );
  #quotes = this.use(
    new Loading<Schemas["FileQuotes"]>((signal) => {
      const { client, coach } = this.desk;
      return client.listFileQuotes(coach.id, this.file.fileId, { signal });
    }),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#changes.load();
    void this.#quotes.load();
  }

  override render() {
    return html`
      <div class="stack">
        ${mayEdit(this.desk.role) ? this.#renderForm() : nothing}
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
      <form @submit=${this.#save}>
        ${source_id === null && !is_text
          ? html`
            <label class="name small">${t.files.name}
              <input name="filename" required maxlength="500" dir="auto" .value=${filename}>
            </label>
          `
          : nothing}
        <label class="small">${t.files.from} <input type="date" name="valid_from" .value=${valid_from ?? ""}></label>
        <label class="small">${t.files.until} <input type="date" name="valid_until" .value=${valid_until ?? ""}></label>
        <button class="small" ?disabled=${this.#saving.isBusy}>${t.parts.save}</button>
      </form>
      <p class="small muted">${t.files.daysHint}</p>
      ${showError(this.#saving.error)}
    `;
  }

  #renderChange({ version, changed_at, counts, came, went }: Change) {
    return html`
      <details>
        <summary>${fill(t.parts.version, { version: formatNumber(version) })} · ${formatMoment(changed_at)}
          <span class="muted">${plural(t.files.stayed, counts.stayed)}</span></summary>
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
    const { client, coach } = this.desk;
    const { fileId, filename } = this.file;
    const form = new FormData(event.target as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "");
    const name = text("filename").trim();
    const change = {
      ...(name && name !== filename && { filename: name }),
      valid_from: text("valid_from") || null,
      valid_until: text("valid_until") || null,
    };
    if (!await this.#saving.run(() => client.updateFile(coach.id, fileId, change))) return;
    this.say(t.parts.saved);
    this.dispatchEvent(new CustomEvent("saved"));
  };
}

export interface FileDetails extends Fields<typeof FileDetails.properties> {}

customElements.define("human-desk-file-details", FileDetails);
