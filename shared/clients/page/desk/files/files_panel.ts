import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { observe, type Property, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import "../parts/passage.ts";
import { searchField } from "../parts/search_field.ts";
import { showEmpty, showError, showList, showTabs } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { Loading, PagedList } from "../state/work.ts";
import { Polling } from "../state/polling.ts";
import { t } from "../texts.ts";
import "./contradictions_list.ts";
import "./drop_zone.ts";
import { isUnderWay } from "./file_row.ts";
import { type TextDraft, textOf } from "./text_draft.ts";
import "./text_editor.ts";
import "./web_addresses.ts";
import styles from "./files_panel.css" with { type: "text" };

/** The place of a text that is not stored yet. Those that are have their file's ID. */
const newText = "write";

/** The parts of the panel. */
const places = [
  ["", () => t.files.title],
  ["websites", () => t.files.websites],
  ["contradictions", () => t.files.contradictions],
  ["barred", () => t.files.barred],
] as const;

/** The panel of files: their state, a search like that of the persona, web addresses, barred passages, and texts. */
export class FilesPanel extends DeskPart.with({ route: {} as Property<Route> }) {
  static override styles = styleSheets(styles);

  #files = this.use(
    new PagedList(async ({ cursor = "1", limit }, options) => {
      const page = Number(cursor);
      const query = {
        coachId: this.coachId,
        search: this.#search || undefined,
        page,
        limit,
        include: "quotes" as const,
      };
      const { data, total } = await this.client.searchFiles(query, options);
      return { data, next_cursor: page * limit < total ? String(page + 1) : null };
    }),
  );
  #polling = new Polling(this, this.#files, ({ items }) => items.some(isUnderWay));
  #passages = this.use(
    new Loading(async (options) =>
      (await this.client.tryQuestion(this.coachId, { question: this.#search }, options)).passages
    ),
  );

  #text: TextDraft | null = null;

  constructor() {
    super();
    observe(this, () => this.#text);
    // A file that is dropped beside the field would otherwise be opened in place of the desk.
    this.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    this.addEventListener("drop", (event) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (this.mayEdit) this.desk.uploads.add(event.dataTransfer?.files ?? []);
    });
  }

  get #search(): string {
    return this.route.filters.get("search") ?? "";
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("route") && !changed.has("desk")) return;
    const before = changed.get("route");
    const { id } = this.route;
    const fileId = id === newText ? null : id;
    if (places.some(([place]) => place === (id ?? ""))) this.#text = null;
    else if (this.#text === null || this.#text.fileId !== fileId) this.#text = textOf(this.desk, fileId);
    if (before?.id === this.route.id && before?.filters.get("search") === this.route.filters.get("search")) return;
    if (this.route.id !== null) return;
    void this.#files.restart();
    this.#passages.clear();
    if (this.#search) void this.#passages.load();
  }

  override updated(): void {
    const fileId = this.#text?.fileId;
    // A new text was stored, or one that was gone.
    if (fileId && this.route.id !== fileId) location.replace(linkTo("files", fileId));
  }

  override render() {
    const { id } = this.route;
    if (this.#text !== null) {
      return keyed(this.#text, html`<human-desk-text .desk=${this.desk} .draft=${this.#text}></human-desk-text>`);
    }
    const current = id === "barred" || id === "websites" || id === "contradictions" ? id : "";
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${t.files.title}</h2>
          ${showTabs(t.files.filter, places.map(([id, name]) => [linkTo("files", id), name(), id === current]))}
        </div>
        ${current === "barred"
          ? html`<human-desk-barred .desk=${this.desk}></human-desk-barred>`
          : current === "contradictions"
          ? html`<human-desk-contradictions .desk=${this.desk}></human-desk-contradictions>`
          : current === "websites"
          ? html`<human-desk-web-addresses .desk=${this.desk}></human-desk-web-addresses>`
          : this.#renderFiles()}
      </section>
    `;
  }

  #renderFiles() {
    const search = this.#search;
    return html`
      ${this.mayEdit
        ? html`<human-desk-drop .desk=${this.desk} @done=${this.#onUploaded}></human-desk-drop>`
        : html`<p class="muted">${t.team.files}</p>`}
      <human-desk-contradictions-note .desk=${this.desk}></human-desk-contradictions-note>
      ${searchField({
        label: t.files.search,
        placeholder: t.files.search,
        value: search,
        search: (words) => location.hash = linkTo("files", null, [["search", words]]),
      })}
      ${search ? this.#renderPassages() : nothing}
      <section class="stack tight">
        ${search ? html`<h3>${t.files.title}</h3>` : nothing}
        ${showList(this.#files, {
          name: t.files.title,
          key: ({ fileId }) => fileId,
          item: (file) =>
            html`
              <human-desk-file .desk=${this.desk} .file=${file} @done=${this.#onChanged}></human-desk-file>
            `,
          empty: search ? showEmpty(t.files.noneFound, t.files.noMatch) : showEmpty(t.files.empty, t.files.emptyHint),
        })}
      </section>
    `;
  }

  #renderPassages() {
    const { value, error } = this.#passages;
    return html`
      <section class="stack tight" aria-live="polite">
        <h3>${t.files.passages}</h3>
        ${showError(error, () => this.#passages.load())}
        ${value?.map((passage) =>
          html`
            <div class="card">
              <human-desk-passage .desk=${this.desk} .passage=${passage} .among=${value}></human-desk-passage>
            </div>
          `
        )}
        ${value?.length === 0 ? html`<p class="muted">${t.parts.none}</p>` : nothing}
      </section>
    `;
  }

  /** The detail says whether the file is still there. */
  #onChanged = ({ detail }: CustomEvent<boolean>): void => {
    if (detail) return this.#onUploaded();
    // The element that had the focus was removed.
    this.renderRoot.querySelector("h2")?.focus();
    void this.#files.load();
  };
  #onUploaded = (): void => {
    this.#polling.restart();
    void this.#files.load();
  };
}

customElements.define("human-desk-files", FilesPanel);

/** The list of barred passages. */
export class BarredList extends DeskPart {
  #list = this.show(new PagedList((page, options) => this.client.listBarredPassages(this.coachId, page, options)));

  override render() {
    return showList(this.#list, {
      name: t.files.barred,
      key: ({ passage_id }) => passage_id,
      item: ({ passage_id, filename, content }) =>
        html`
          <div class="card">
            <human-desk-passage .desk=${this.desk} .isBarred=${true} @toggle=${() => this.#list.load()}
              .passage=${{ passageId: passage_id, filename, quote: content }}></human-desk-passage>
          </div>
        `,
      empty: showEmpty(t.files.barredEmpty, t.files.barredEmptyHint),
    });
  }
}

customElements.define("human-desk-barred", BarredList);
