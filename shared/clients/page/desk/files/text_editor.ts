import { html, nothing, type TemplateResult } from "lit";
import { observe, type Property, state, styleSheets } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment } from "../format.ts";
import { icons } from "../icons.ts";
import { sayReason, showError, showLoading } from "../parts/show_state.ts";
import "../persona/draft_meanwhile.ts";
import { linkTo } from "../route.ts";
import { Polling } from "../state/polling.ts";
import { keepSaved } from "../state/shared_draft.ts";
import { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { isUnderWay, showStates } from "./file_row.ts";
import { continueList, type Edit, type Mark, markText } from "./mark_text.ts";
import { mostCharacters, type TextDraft } from "./text_draft.ts";
import styles from "./text_editor.css" with { type: "text" };

/** The buttons of the bar: what they show, and the key that does the same with Ctrl or ⌘. */
const marks: Record<Mark, { shown: TemplateResult; key?: string }> = {
  bold: { shown: html`<b>B</b>`, key: "b" },
  italic: { shown: html`<i>I</i>`, key: "i" },
  heading: { shown: html`<b>H</b>` },
  list: { shown: icons.list },
  numbers: { shown: icons.numbers },
  link: { shown: icons.link, key: "k" },
};

/** From here on, the editor says how many characters are left. */
const nearTheEnd = 10_000;

/** The editor of a text: title, Markdown with a bar of buttons, and a preview. What is written is saved by itself. */
export class TextEditor extends DeskPart.with({
  /** Never changes: each text has an element of its own. */
  draft: {} as Property<TextDraft>,
}) {
  static override styles = styleSheets(styles);

  #isPreview = state(this, false);
  /** The last field that was left: it may say what it lacks. */
  #left = state(this, "");
  /** The text and its version, as it was stored last. */
  #stored: string | null = null;
  #file = this.use(new Loading((options) => this.client.getFile(this.coachId, this.draft.fileId!, options)));
  #polling = new Polling(
    this,
    this.#file,
    (file) => this.draft.fileId !== null && !this.draft.isGone && isUnderWay(file),
    { first: 4_000, longest: 15_000, factor: 1.5 },
  );

  constructor() {
    super();
    observe(this, () => this.draft);
    keepSaved(this, () => this.draft);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.draft.onFailure = (error) => this.failed(error);
    void this.draft.load();
  }

  override firstUpdated(): void {
    if (this.draft.fileId === null) this.renderRoot.querySelector<HTMLElement>("[name=title]")?.focus();
  }

  override updated(): void {
    const { fileId, draft } = this.draft;
    const stored = fileId && draft && `${fileId} ${draft.version}`;
    if (stored === null || stored === this.#stored) return;
    this.#stored = stored;
    this.#polling.restart();
    // One that was gone and is stored again is another file.
    if (this.#file.value?.fileId !== fileId) this.#file.clear();
    const { value, isBusy } = this.#file;
    if (value === null || isBusy) return void this.#file.load();
    // Asking after each save would be as many requests again. The next one is sent when nobody writes for a moment.
    this.#file.set({ ...value, pending: "queued" });
  }

  override render() {
    const { draft } = this.draft;
    const show = ({ title, content }: { title: string; content: string }) =>
      this.mayEdit
        ? this.#renderForm(title, content)
        : html`<p class="muted">${t.persona.onlyRead}</p>${this.#renderPreview(content)}`;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("files")}>${icons.back} ${t.files.title}</a></p>
        <h2 id="title" class="text" tabindex="-1">${draft?.title ?? t.files.write}</h2>
        ${showLoading(this.draft, show, this.draft.isGone ? this.#renderGone() : undefined)}
      </section>
    `;
  }

  #saveAsNew = (): void => {
    // The button will be gone.
    this.renderRoot.querySelector<HTMLElement>("#title")!.focus();
    void this.draft.saveAsNew();
  };

  #renderGone() {
    return html`
      <div class="row" role="alert">
        <p>${t.files.textGone}</p>
        ${this.draft.shown !== null && this.mayEdit
          ? html`<button @click=${this.#saveAsNew}>${t.files.saveAsNew}</button>`
          : nothing}
      </div>
    `;
  }

  #renderForm(title: string, content: string) {
    const isPreview = this.#isPreview.value;
    const left = mostCharacters.content - content.length;
    return html`
      ${this.#renderState()}
      <human-desk-draft-meanwhile .desk=${this.desk} .draft=${this.draft} .nameOf=${nameOfField}
        .textOf=${(_: string, value: unknown) => String(value ?? "")}></human-desk-draft-meanwhile>
      <div class="stack tight">
        <label class="field">${t.files.textTitle}
          <input name="title" dir="auto" maxlength=${mostCharacters.title} autocomplete="off"
            aria-invalid=${this.#lacks("title") ? "true" : nothing} aria-describedby="title-lacks"
            .value=${title} @input=${this.#onInput} @blur=${this.#onLeft}>
        </label>
        <p id="title-lacks" class="small error">${this.#lacks("title") ? t.files.titleMissing : nothing}</p>
      </div>
      <div class="stack tight">
        <div class="row spread">
          <div class="row" role="group" aria-label=${t.files.marks} ?hidden=${isPreview}>
            ${Object.entries(marks).map(([mark, { shown, key }]) =>
              html`
                <button class="small mark" title=${t.files[mark as Mark]} aria-label=${t.files[mark as Mark]}
                  aria-keyshortcuts=${key ? `Control+${key.toUpperCase()}` : nothing}
                  @click=${() => this.#mark(mark as Mark)}>${shown}</button>
              `
            )}
          </div>
          <div class="toggles" role="group" aria-label=${t.files.views}>
            <button aria-pressed=${!isPreview} @click=${() => this.#isPreview.value = false}>${t.parts.edit}</button>
            <button aria-pressed=${isPreview} @click=${() => this.#isPreview.value = true}>${t.parts.preview}</button>
          </div>
        </div>
        <textarea name="content" rows="12" dir="auto" ?hidden=${isPreview} aria-label=${t.files.content}
          aria-invalid=${this.#lacks("content") ? "true" : nothing} aria-describedby="content-lacks" .value=${content}
          @input=${this.#onInput} @blur=${this.#onLeft} @keydown=${this.#onKey}></textarea>
        ${isPreview ? this.#renderPreview(content) : nothing}
        <p id="content-lacks" class="small ${left < 0 || this.#lacks("content") ? "error" : "hint"}">${left < 0
          ? fill(t.files.tooLong, { number: -left })
          : this.#lacks("content")
          ? t.files.contentMissing
          : left < nearTheEnd
          ? fill(t.persona.charactersLeft, { number: left })
          : nothing}</p>
      </div>
    `;
  }

  #renderPreview(content: string) {
    return html`
      <div class="card preview markdown" dir="auto" role="group" aria-label=${t.parts.preview}>
        ${renderMarkdown(content)}
      </div>
    `;
  }

  /** Says whether the text is saved, and what answers draw on. */
  #renderState() {
    const { saveError } = this.draft;
    const { value } = this.#file;
    const file = this.draft.fileId === null || this.draft.isGone ? null : value;
    return html`
      <div class="stack tight">
        <p class="facts state small">
          <span class="muted" role="status">${this.#describeSaving()}</span>
          ${file === null ? nothing : showStates(file)}
          ${file?.pending === "queued" || file?.pending === "indexing"
            ? html`<span class="muted">${t.files.earlierAnswers}</span>`
            : nothing}
        </p>
        ${file?.error ? html`<p class="small error"><bdi>${sayReason(file.error)}</bdi></p>` : nothing}
        ${saveError === null || this.draft.isGone ? nothing : html`
          ${showError(saveError, () => this.draft.save())}
          <p class="small muted">${t.persona.keptHere}</p>
        `}
      </div>
    `;
  }

  #describeSaving(): string {
    const { draft } = this;
    if (draft.saving === "failed") return t.persona.notSaved;
    if (draft.saving !== "saved") return t.parts.saving;
    if (draft.isAtRisk) return t.files.notSavedYet;
    return draft.draft === null ? "" : fill(t.persona.savedAt, { time: formatMoment(draft.draft.saved_at) });
  }

  /** Returns true if a field says that it is empty: if the text is stored, if it was left so, or if only its title is missing. */
  #lacks(name: "title" | "content"): boolean {
    const { draft, shown } = this.draft;
    if (shown === null || shown[name].trim() !== "") return false;
    return draft !== null || this.#left.value === name && this.draft.unsaved.length > 0 ||
      name === "title" && shown.content.trim() !== "";
  }

  get #textarea(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  #onInput = (event: Event): void => {
    const { name, value } = event.target as HTMLInputElement;
    this.draft.set(name as "title" | "content", value);
  };

  #onLeft = (event: Event): void => {
    this.#left.value = (event.target as HTMLInputElement).name;
  };

  #onKey = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
    const { value, selectionStart, selectionEnd } = this.#textarea;
    if (isComposing || altKey || shiftKey) return;
    const [mark] = Object.entries(marks).find(([, mark]) => mark.key === key.toLowerCase()) ?? [];
    if ((ctrlKey || metaKey) && mark !== undefined) {
      event.preventDefault();
      this.#mark(mark as Mark);
    } else if (key === "Enter" && !ctrlKey && !metaKey && selectionStart === selectionEnd) {
      const edit = continueList(value, selectionStart);
      if (edit === null) return;
      event.preventDefault();
      this.#apply(edit);
    }
  };

  #mark(mark: Mark): void {
    const { value, selectionStart, selectionEnd } = this.#textarea;
    this.#apply(markText(value, selectionStart, selectionEnd, mark));
  }

  /** Changes the content as if it were typed, so that it can be undone. */
  #apply({ from, to, text, select: [start, end] }: Edit): void {
    const textarea = this.#textarea;
    textarea.focus();
    textarea.setSelectionRange(from, to);
    const isDone = from === to && text === "" ||
      (text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text));
    if (!isDone) {
      textarea.setRangeText(text, from, to);
      this.draft.set("content", textarea.value);
    }
    textarea.setSelectionRange(start, end);
  }
}

const nameOfField = (name: string): string => name === "title" ? t.persona.changed.title : t.files.changedContent;

customElements.define("human-desk-text", TextEditor);
