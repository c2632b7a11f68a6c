import { css, html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Fields, observe, type Property } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import "../parts/passage.ts";
import { searchField } from "../parts/search_field.ts";
import { showError } from "../parts/show_error.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import { linkTo, type Route } from "../route.ts";
import { Loading } from "../state/work.ts";
import { PagedList } from "../state/paged_list.ts";
import { Polling } from "../state/polling.ts";
import { mayEdit } from "../team/roles.ts";
import { t } from "../texts.ts";
import "./barred_list.ts";
import "./contradictions_list.ts";
import "./drop_zone.ts";
import { isUnderWay } from "./file_row.ts";
import { type TextDraft, textOf } from "./text_draft.ts";
import "./text_editor.ts";
import "./web_addresses.ts";

type FoundFile = Schemas["FoundFile"];

/** The place of a text that is not stored yet. Those that are have their file's ID. */
const newText = "write";

/** Between two requests for the state of the files. */
const pauses = { first: 2_000, longest: 15_000, factor: 1.5 };

/** The parts of the panel. */
const places = [
  ["", () => t.files.title],
  ["websites", () => t.files.websites],
  ["contradictions", () => t.files.contradictions],
  ["barred", () => t.files.barred],
] as const;

/** The panel of files: their state, a search like that of the persona, web addresses, barred passages, and texts. */
export class FilesPanel extends DeskPart {
  static override styles = [
    deskStyles,
    // A dense list: lines between the files instead of cards.
    css`
      :host {
        min-block-size: 100%;
      }
      ul.list {
        gap: 0;
      }
      ul.list > li {
        border-block-start: 1px solid var(--line);
      }
      ul.list > li:first-child {
        border-block-start: 0;
      }
    `,
  ];
  static override properties = { route: {} as Property<Route> };

  #files = this.use(
    new PagedList<FoundFile>(async ({ cursor = "1", limit }, signal) => {
      const { client, coach } = this.desk;
      const page = Number(cursor);
      const query = { coachId: coach.id, search: this.#search || undefined, page, limit, include: "quotes" as const };
      const { data, total } = await client.searchFiles(query, { signal });
      return { data, next_cursor: page * limit < total ? String(page + 1) : null };
    }),
  );
  #polling = new Polling(
    this,
    pauses,
    () => this.#files.items?.some(isUnderWay) === true,
    () => void this.#files.load(),
  );
  #passages = this.use(
    new Loading<Schemas["PassageSource"][]>(async (signal) => {
      const { client, coach } = this.desk;
      return (await client.tryQuestion(coach.id, { question: this.#search }, { signal })).passages;
    }),
  );

  /** The text that is open. */
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
      if (mayEdit(this.desk.role)) this.desk.uploads.add(event.dataTransfer?.files ?? []);
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
          <nav class="toggles" aria-label=${t.files.filter}>
            ${places.map(([id, name]) =>
              html`<a href=${linkTo("files", id)} aria-current=${id === current ? "true" : nothing}>${name()}</a>`
            )}
          </nav>
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
      ${mayEdit(this.desk.role)
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

export interface FilesPanel extends Fields<typeof FilesPanel.properties> {}

customElements.define("human-desk-files", FilesPanel);
