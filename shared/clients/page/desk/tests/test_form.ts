import { html, nothing, type PropertyValues } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { showError } from "../parts/show_state.ts";
import { drafts } from "../state/drafts.ts";
import { fill, t } from "../texts.ts";
import "./file_choice.ts";
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
