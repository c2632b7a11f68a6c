import { html, nothing } from "lit";
import { isolate } from "../../../isolate.ts";
import { openSource } from "../../reader/reading.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { enumerate, formatDate, formatMoment, formatNumber, formatSize, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { sayReason, showError } from "../parts/show_state.ts";
import { linkToWeb } from "../parts/sources.ts";
import { linkTo } from "../route.ts";
import { Loading } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import detailsStyles from "./file_details.css" with { type: "text" };
import styles from "./file_row.css" with { type: "text" };

const states: Record<Schemas["FoundFile"]["status"], () => [name: string, look: string]> = {
  queued: () => [t.files.waitingTag, ""],
  indexing: () => [t.files.beingRead, ""],
  ready: () => [t.files.readyTag, "ai"],
  empty: () => [t.files.noText, "danger"],
  failed: () => [t.files.notRead, "danger"],
};

/** The reason why a file cannot be read. Where the service lacks a model, it names what only operators know: see `open_file.ts`. */
function describeReason(error: string): string {
  return error.includes("cannot be read on this service yet.") ? t.files.noModel : sayReason(error);
}

type State = Pick<Schemas["FoundFile"], "status" | "pending">;

/** Returns true if a file, or its new version, waits or is being read. */
export function isUnderWay({ status, pending }: State): boolean {
  return [status, pending].some((state) => state === "queued" || state === "indexing");
}

/** Shows how far a file is, and its new version. */
export function showStates({ status, pending }: State) {
  const [state, look] = states[status]();
  return html`
    <span class="tag ${look}">${state}</span>
    ${pending === null ? nothing : html`
      <span class="tag ${pending === "failed" ? "danger" : ""}">${pending === "failed"
        ? t.files.newNotRead
        : t.files.newBeingRead}</span>
    `}
  `;
}

const shown = /\/(?:pdf|png|jpeg)$/;

/**
 * A file, with its state or the reason why it cannot be read. Its name opens it in the reader.
 *
 * @fires done - The file was deleted, or is being replaced or was changed; then with the detail `true`.
 */
export class FileRow extends DeskPart.with({ file: {} as Property<Schemas["FoundFile"]> }) {
  static override styles = styleSheets(styles);

  #isOpen = state(this, false);

  /** A text goes by its title. */
  get #name(): string {
    return this.file.title ?? this.file.filename;
  }

  override render() {
    const { fileId, status, pending, error, warning, snippet, source_url, is_text } = this.file;
    const filename = this.#name;
    return html`
      <div>
        ${is_text ? icons.pencil : icons.files}
        <article class="stack tight" aria-label=${filename}>
          <p class="name">${is_text
            ? html`<a href=${linkTo("files", fileId)}><bdi>${filename}</bdi></a>`
            : status === "ready"
            ? html`<button class="quiet" aria-haspopup="dialog" @click=${this.#read}><bdi>${filename}</bdi></button>`
            : html`<bdi>${filename}</bdi>`}</p>
          ${this.#renderFacts()}
          ${source_url === null ? nothing : html`<p class="small">${linkToWeb(source_url)}</p>`}
          ${error === null
            ? nothing
            : html`<p class="small text ${status === "failed" || pending ? "error" : "muted"}"><bdi>${
              describeReason(error)
            }</bdi></p>`}
          ${warning === null
            ? nothing
            : html`<p class="small text">${t.files.note} <bdi>${sayReason(warning)}</bdi></p>`}
          ${snippet === null ? nothing : html`<blockquote class="small" dir="auto">${snippet}</blockquote>`}
          ${showError(this.action.error)}
        </article>
        <div class="row">
          <button class="small" aria-expanded=${this.#isOpen.value}
            @click=${() => this.#isOpen.value = !this.#isOpen.value}>${t.files.details}</button>
          <button class="small" ?disabled=${this.isBusy} @click=${this.#download}>${t.shared.download}</button>
          ${this.mayEdit ? this.#renderActions() : nothing}
        </div>
        ${this.#isOpen.value
          ? html`
            <human-desk-file-details .desk=${this.desk} .file=${this.file} @done=${() =>
              this.#done(true)}></human-desk-file-details>
          `
          : nothing}
      </div>
    `;
  }

  #renderFacts() {
    const { size, uploadedAt, category, contentType, status, fetched_at, quotes, is_text } = this.file;
    const { valid_from, valid_until, is_valid_today, is_recognized } = this.file;
    const [isImage, isSound] = [category === "images", contentType.startsWith("audio/")];
    const facts = [
      is_recognized ? t.reader.recognized : "",
      category === "documents" ? "" : isImage ? t.files.image : isSound ? t.files.recording : t.files.video,
      valid_from === null ? "" : fill(t.files.validFrom, { day: formatDate(valid_from) }),
      valid_until === null ? "" : fill(t.files.validUntil, { day: formatDate(valid_until) }),
      status !== "ready" || quotes === undefined
        ? ""
        : quotes === 0
        ? t.files.neverQuoted
        : plural(t.files.quoted, quotes),
    ];
    const time = formatMoment(fetched_at ?? uploadedAt);
    return html`
      <p class="facts small muted">
        ${showStates(this.file)}
        ${is_valid_today ? nothing : html`<span class="tag danger">${t.files.notToday}</span>`}
        <span>${is_text ? t.files.writtenHere : formatSize(size)}</span>
        <span title=${formatTime(fetched_at ?? uploadedAt)}>${fetched_at === null
          ? time
          : fill(t.files.readAt, { time })}</span>
        ${facts.filter((fact) => fact !== "").map((fact) => html`<span>${fact}</span>`)}
      </p>
    `;
  }

  #renderActions() {
    const { fileId, source_url, is_text, quotes = 0 } = this.file;
    const question = source_url !== null
      ? t.files.deletePage
      : quotes > 0
      ? plural(t.files.deleteQuoted, quotes)
      : t.files.deleteFile;
    return html`
      ${is_text
        ? html`<a class="button small" href=${linkTo("files", fileId)}>${t.parts.edit}</a>`
        : source_url === null
        ? html`
          <button class="small" ?disabled=${this.isBusy} @click=${this.#choose}>${t.files.replace}</button>
        `
        : nothing}
      ${this.confirmButton(t.parts.delete, question, this.#delete)}
    `;
  }

  /** Opens the file at its beginning. */
  #read = async (): Promise<void> => {
    const { fileId, filename, source_url } = this.file;
    await this.run(async () => {
      const { sections: [first] } = await this.client.getFile(this.coachId, fileId);
      if (first === undefined) return;
      const { passage_id: passageId, passages: _, ...place } = first;
      const file = { fileId, file_id: fileId, filename, source_url };
      const source = { kind: "passage" as const, number: 1, quote: "", score: 0, passageId, ...place, ...file };
      openSource(this, { coachId: this.coachId, sources: [source], place: 0, isReadable: true });
    });
  };

  #download = async (): Promise<void> => {
    const { fileId, contentType } = this.file;
    // What browsers show in place, in a tab of its own. One that is opened later, after waiting, is blocked.
    const tab = shown.test(contentType) ? open("", "_blank") : null;
    if (tab) tab.opener = null;
    const isDone = await this.run(async () => {
      const { url } = await this.client.getOriginal(this.coachId, fileId);
      if (tab) tab.location.replace(url);
      else Object.assign(document.createElement("a"), { href: url, download: "" }).click();
    });
    if (!isDone) tab?.close();
  };

  #choose = (): void => {
    const input = Object.assign(document.createElement("input"), { type: "file" });
    input.onchange = () => void this.#replace(input.files ?? []);
    input.click();
  };

  #replace = async ([chosen]: Iterable<File>): Promise<void> => {
    if (chosen === undefined) return;
    const { fileId, filename } = this.file;
    if (!await this.run(() => this.client.replaceFile(this.coachId, fileId, chosen))) return;
    this.say(fill(t.files.replacing, { name: isolate(filename) }));
    this.#done(true);
  };

  #done(isThere: boolean): void {
    this.dispatchEvent(new CustomEvent("done", { detail: isThere }));
  }

  #delete = async (): Promise<void> => {
    if (!await this.run(() => this.client.deleteFile(this.coachId, this.file.fileId))) return;
    this.say(fill(t.files.deleted, { name: isolate(this.#name) }));
    this.#done(false);
  };
}

customElements.define("human-desk-file", FileRow);

type Change = Schemas["FileChange"];

/** The most passages of a change that are shown at once. */
const mostShown = 5;

/**
 * The details of a file: its name and days, what replacing it has changed, and the answers that draw on it.
 *
 * @fires done - Name or days were changed.
 */
export class FileDetails extends DeskPart.with({ file: {} as Property<Schemas["FoundFile"]> }) {
  static override styles = styleSheets(detailsStyles);

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
