import { html, nothing, type PropertyValues } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_state.ts";
import { drafts } from "../state/drafts.ts";
import { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import {
  checksSomething,
  demandsMore,
  type EarlierMessage,
  emptyFields,
  maxHistory,
  maxReference,
  maxRubric,
  outcomes,
  type TestFields,
  writeBody,
} from "./test_fields.ts";
import choiceStyles from "./file_choice.css" with { type: "text" };
import styles from "./test_form.css" with { type: "text" };

/** The fields that are a text. */
type TextName = "question" | "reference" | "rubric";

/** The fields that are a list of texts, one per line. */
type ListName = "contains" | "containsExactly" | "containsAny" | "notContains";

/**
 * The form for a test: a question and the answer that the expert would give, and what else can be demanded. The text is kept as a draft until
 * it is saved or given up.
 *
 * @fires done - The test was saved.
 */
export class TestForm extends DeskPart.with({
  /** The fields to begin with. */
  fields: { attribute: false, first: emptyFields } as Property<TestFields>,
  /** The ID of the test that is changed; null for a new one. */
  testId: { attribute: false, first: null } as Property<string | null>,
  /** The name under which the draft is kept. Never changes. */
  draft: {} as Property<string>,
  /** Called when the test was given up. */
  cancel: { attribute: false } as Property<() => void>,
}) {
  static override styles = styleSheets(styles);

  /** The fields that were shown first. Those of a draft, if there is one. */
  #first = emptyFields;
  #fields = state<TestFields>(this, emptyFields);
  #complaint = state(this, "");

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("draft")) this.#first = this.#fields.value = readDraft(this.draft) ?? this.fields;
  }
  override firstUpdated(): void {
    const first = this.#first.question ? "reference" : "question";
    this.renderRoot.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }

  override render() {
    const { isBusy, error } = this.action;
    const complaint = this.#complaint.value;
    const { outcome, allOf, anyOf, threadId } = this.#fields.value;
    return html`
      <form class="stack" @submit=${this.#submit} @keydown=${this.#onKey} novalidate>
        ${this.#renderText("question", t.parts.question, "", 32_000)}
        ${this.#renderText("reference", t.tests.reference, t.tests.referenceHint, maxReference, "tall")}
        <details ?open=${demandsMore(writeBody(this.#first).expect)}>
          <summary>${t.tests.more} <span class="hint">${t.tests.moreHint}</span></summary>
          <div class="stack">
            ${this.#renderHistory()}
            <label class="field">${t.tests.outcome}
              <select name="outcome" @change=${(event: Event) =>
                this.#set({ outcome: textOf(event) as TestFields["outcome"] })}>
                <option value="" ?selected=${outcome === ""}>${t.tests.anything}</option>
                ${outcomes.map(([value, name]) =>
                  html`<option value=${value} ?selected=${outcome === value}>${name()}</option>`
                )}
              </select>
            </label>
            <div class="both">
              ${this.#renderList("contains", t.tests.contains, t.tests.textPerLine)}
              ${this.#renderList("notContains", t.tests.notContains, t.tests.exactPerLine)}
              ${this.#renderList("containsAny", t.tests.containsAny, t.tests.exactPerLine)}
              ${this.#renderList("containsExactly", t.tests.containsExactly, t.tests.textPerLine)}
              <human-desk-file-choice .desk=${this.desk} label=${t.tests.filesAll} .names=${allOf}
                @change=${({ detail }: CustomEvent<string[]>) => this.#set({ allOf: detail })}></human-desk-file-choice>
              <human-desk-file-choice .desk=${this.desk} label=${t.tests.filesAny} .names=${anyOf}
                @change=${({ detail }: CustomEvent<string[]>) => this.#set({ anyOf: detail })}></human-desk-file-choice>
            </div>
            ${this.#renderText("rubric", t.tests.judge, t.tests.judgeHint, maxRubric, "", t.tests.judgeExample)}
          </div>
        </details>
        ${this.fields.threadId === null ? nothing : html`
          <label class="check"><input type="checkbox" .checked=${threadId !== null} @change=${this.#tie}>
            <span>${t.tests.deleteWith} <span class="hint">${t.tests.deleteWithHint}</span></span></label>
        `}
        ${complaint ? html`<p class="error" role="alert">${complaint}</p>` : showError(error)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${isBusy ? t.parts.saving : t.tests.save}</button>
          <button type="button" @click=${this.#cancel}>${t.shared.cancel}</button>
        </div>
      </form>
    `;
  }

  #renderText(name: TextName, label: string, hint: string, most: number, look = "", example = "") {
    return html`
      <label class="field"><span>${label} <span class="hint">${hint}</span></span>
        <textarea name=${name} rows="1" class=${look} ?required=${name ===
          "question"} maxlength=${most} placeholder=${example}
          .defaultValue=${this.#first[name]} @input=${(event: Event) =>
            this.#set({ [name]: textOf(event) })}></textarea>
      </label>
    `;
  }

  #renderList(name: ListName, label: string, hint: string) {
    const first = this.#first[name];
    // A text that was imported keeps its white space, which may matter.
    const read = (event: Event) => textOf(event).split("\n").map((line) => first.includes(line) ? line : line.trim());
    // A field that is named "contains" would take the place of the form's own method.
    return html`
      <label class="field"><span>${label} <span class="hint">${hint}</span></span>
        <textarea name="text-${name}" rows="1" .defaultValue=${first.join("\n")}
          @input=${(event: Event) => this.#set({ [name]: read(event) })}></textarea>
      </label>
    `;
  }

  #renderHistory() {
    const { history } = this.#fields.value;
    return html`
      <details ?open=${this.#first.history.length > 0}>
        <summary class="small">${history.length === 0
          ? t.tests.said
          : fill(t.tests.saidCount, { count: history.length })}</summary>
        <div class="stack tight">
          ${history.map((message, index) => this.#renderMessage(message, index))}
          ${history.length >= maxHistory ? nothing : html`
            <div><button type="button" class="small" @click=${this.#addMessage}>${t.tests.addMessage}</button></div>
          `}
        </div>
      </details>
    `;
  }

  #renderMessage({ role, content }: EarlierMessage, index: number) {
    const { history } = this.#fields.value;
    const change = (message: Partial<EarlierMessage>) =>
      this.#set({ history: history.map((other, at) => at === index ? { ...other, ...message } : other) });
    return html`
      <div class="said" role="group" aria-label=${fill(t.tests.message, { number: index + 1 })}>
        <select aria-label=${t.tests.saidBy} @change=${(event: Event) =>
          change({ role: textOf(event) as EarlierMessage["role"] })}>
          <option value="user" .selected=${role === "user"}>${t.tests.person}</option>
          <option value="assistant" .selected=${role === "assistant"}>${t.tests.persona}</option>
        </select>
        <textarea rows="1" aria-label=${t.tests.words} .value=${content}
          @input=${(event: Event) => change({ content: textOf(event) })}></textarea>
        <button type="button" class="quiet"
          @click=${() => this.#set({ history: history.filter((_, at) => at !== index) })}>${t.parts.remove}</button>
      </div>
    `;
  }

  #set(change: Partial<TestFields>): void {
    this.#fields.value = { ...this.#fields.value, ...change };
    drafts.keep(this.draft, { test: JSON.stringify(this.#fields.value) });
  }

  #tie = (event: Event): void => {
    this.#set({ threadId: (event.target as HTMLInputElement).checked ? this.fields.threadId : null });
  };

  #addMessage = async (): Promise<void> => {
    const { history } = this.#fields.value;
    const role = history.at(-1)?.role === "user" ? "assistant" : "user";
    this.#set({ history: [...history, { role, content: "" }] });
    await this.updateComplete;
    [...this.renderRoot.querySelectorAll<HTMLElement>(".said textarea")].at(-1)?.focus();
  };

  #submit = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    const body = writeBody(this.#fields.value);
    const complaint = this.#complaint.value = !body.question
      ? t.tests.questionMissing
      : !checksSomething(body)
      ? t.tests.goodMissing
      : "";
    if (complaint) return;
    const { threadId } = this.#fields.value;
    const isSaved = await this.run(() =>
      this.testId === null
        ? this.client.createTest(this.coachId, { ...body, thread_id: threadId })
        : this.client.updateTest(this.coachId, this.testId, body)
    );
    if (!isSaved) return;
    drafts.drop(this.draft);
    this.dispatchEvent(new CustomEvent("done"));
  };

  #onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.#submit();
  };

  #cancel = (): void => {
    drafts.drop(this.draft);
    this.cancel();
  };
}

/** Returns true if a draft with this name was begun. */
export function hasDraft(name: string): boolean {
  return readDraft(name) !== null;
}

function readDraft(name: string): TestFields | null {
  const { test } = drafts.read(name);
  return test === undefined ? null : { ...emptyFields, ...JSON.parse(test) };
}

function textOf(event: Event): string {
  return (event.target as HTMLTextAreaElement | HTMLSelectElement).value;
}

customElements.define("human-desk-test-form", TestForm);

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
  static override styles = styleSheets(choiceStyles);

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
