import { html, nothing, type TemplateResult } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatList, formatMoment, formatTime, nameExpert } from "../format.ts";
import { icons } from "../icons.ts";
import { fill, fillIn, plural, t } from "../texts.ts";
import { isPassage, numberedSources } from "../parts/sources.ts";
import "../parts/passage.ts";
import { linkTo } from "../route.ts";
import { fieldsOfMessage } from "../tests/test_fields.ts";
import "../tests/save_as_test.ts";
import "./revise_form.ts";
import styles from "./message.css" with { type: "text" };

type Message = Schemas["Message"];

const statuses: Partial<Record<NonNullable<Message["status"]>, () => string>> = {
  waiting: () => t.conversations.statusWaiting,
  streaming: () => t.conversations.statusStreaming,
  stopped: () => t.conversations.statusStopped,
  failed: () => t.conversations.statusFailed,
};

/**
 * A message. An answer also shows its sources and the feedback of the person.
 *
 * @fires done - The answer was corrected.
 * @fires reply - The question is to be answered in person.
 */
export class DeskMessage extends DeskPart.with({
  message: {} as Property<Message>,
  /** The question before the message. */
  asked: {} as Property<string>,
  /** The question that a message of the expert answers, if other messages stand between them; otherwise empty. */
  quoted: {} as Property<string>,
  /** The messages before that question. */
  earlier: { attribute: false, first: [] } as Property<Message[]>,
}) {
  static override styles = styleSheets(styles);

  #isRevising = state(this, false);

  override render() {
    const { message } = this;
    // Nobody has said anything yet: it is the expert's turn.
    if (message.status === "waiting" && message.content === "") {
      return html`<p class="turn small"><span class="tag person">${icons.person} ${t.conversations.statusWaiting}</span></p>`;
    }
    const isRevising = this.#isRevising.value;
    const author = authorOf(message);
    const name = nameOfAuthor(message, this.desk.userId);
    const isAnswer = message.role === "assistant";
    const hasFoot = isAnswer && (author !== "expert" || this.asked !== "");
    const status = message.status && statuses[message.status]?.();
    return html`
      <article class=${author} aria-label=${name}>
        <p class="row small">
          ${showAuthor(author, name)}
          <time class="muted" datetime=${message.created_at} title=${formatTime(message.created_at)}
            >${formatMoment(message.created_at)}</time>
          ${status ? html`<span class="tag ${message.status === "failed" ? "danger" : ""}">${status}</span>` : nothing}
          ${message.basis?.revised_at
            ? html`<span class="tag person">${t.conversations.correctedByYou}</span>`
            : nothing}
        </p>
        ${this.quoted === ""
          ? nothing
          : html`<blockquote class="pre small muted" dir="auto">${this.quoted}</blockquote>`}
        ${isRevising ? this.#renderForm() : this.#renderText()}
        ${this.#renderRequest()}
        ${isAnswer ? this.#renderFeedback() : nothing}
        ${hasFoot && !isRevising ? this.#renderFoot() : nothing}
      </article>
    `;
  }

  #renderText() {
    const { content, sources = [] } = this.message;
    if (content === "") return nothing;
    // A person's own words are shown as they were written.
    return this.message.role === "user"
      ? html`<div class="pre" dir="auto">${content}</div>`
      : html`<div class="markdown" dir="auto">${renderMarkdown(content, numberedSources(this, sources))}</div>`;
  }

  /** The question that the person has asked in person, as long as they wait. */
  #renderRequest() {
    const { request } = this.message;
    if (request?.status !== "waiting" && request?.status !== "seen") return nothing;
    return html`
      <p class="row small">
        <span class="tag person">${icons.person} ${t.conversations.askedInPerson}</span>
        <button class="small" @click=${this.#onReply}>${t.conversations.reply}</button>
      </p>
    `;
  }

  #renderFeedback() {
    const { feedback } = this.message;
    if (!feedback) return nothing;
    const isDown = feedback.rating === "down";
    return html`
      <p class="row small">
        <span class="tag ${isDown ? "danger" : "ai"}">${isDown ? icons.down : icons.up} ${isDown
          ? t.conversations.tagDown
          : t.conversations.tagUp}</span>
        ${feedback.comment === null ? nothing : html`<q class="text">${feedback.comment}</q>`}
      </p>
    `;
  }

  #renderFoot() {
    const { message } = this;
    const isOver = message.status === "complete" || message.status === "stopped";
    // A pinned answer is changed in its own panel.
    const canRevise = message.author === "ai" && isOver;
    return html`
      <div class="foot row spread small">
        ${authorOf(message) === "expert" ? nothing : html`
          <details>
            <summary>${describeSources(message.sources ?? [])}</summary>
            <div class="stack basis">${this.#renderBasis()}</div>
          </details>
        `}
        ${canRevise
          ? html`<button class="small" @click=${() =>
            this.#isRevising.value = true}>${t.conversations.correct}</button>`
          : nothing}
        ${isOver && this.asked ? this.#renderSave() : nothing}
      </div>
    `;
  }

  #renderSave() {
    const { message, asked, earlier } = this;
    return html`
      <human-desk-save-as-test .desk=${this.desk} .of=${message.id}
        .read=${() => fieldsOfMessage(message, asked, earlier)}></human-desk-save-as-test>
    `;
  }

  #renderBasis() {
    const { sources = [], basis, error_code } = this.message;
    const made = [
      basis?.model && fill(t.parts.model, { model: basis.model }),
      basis?.coach_version != null && fill(t.parts.instructionsVersion, { version: basis.coach_version }),
      basis?.mode && fill(t.conversations.mode, { mode: basis.mode }),
      error_code && fill(t.conversations.errorCode, { code: error_code }),
    ].filter(Boolean);
    return html`
      ${sources.map((source) =>
        isPassage(source)
          ? html`<human-desk-passage .desk=${this.desk} .passage=${source} .among=${sources}></human-desk-passage>`
          : html`
            <div class="stack tight">
              <p class="text">${fillIn(t.parts.yourAnswerTo, {
                question: html`<a href=${linkTo("answers", source.pinnedAnswerId)}><bdi>${source.question}</bdi></a>`,
              })}
                <span class="muted">${fill(source.isWordForWord ? t.parts.versionWordForWord : t.parts.version, {
                  version: source.version,
                })}</span></p>
              <blockquote class="pre" dir="auto">${source.quote}</blockquote>
            </div>
          `
      )}
      ${basis?.revision_id
        ? html`<p><a href=${linkTo("answers", basis.revision_id)}>${t.conversations.yourCorrection}</a></p>`
        : nothing}
      ${made.length === 0 ? nothing : html`<p class="muted text">${made.join(" · ")}</p>`}
    `;
  }

  #renderForm() {
    const close = () => this.#isRevising.value = false;
    return html`
      <human-desk-revise .desk=${this.desk} .message=${this.message} .asked=${this.asked} .close=${close}
        @done=${this.#onRevised}></human-desk-revise>
    `;
  }

  #onReply = (): void => void this.dispatchEvent(new CustomEvent("reply"));

  #onRevised = (): void => {
    this.#isRevising.value = false;
    this.dispatchEvent(new CustomEvent("done"));
  };
}

type Author = NonNullable<Message["author"]> | "pinned";

/** Returns the author of a message. A pinned answer is told apart from a message that the expert has written in person. */
function authorOf({ author = "user", sources }: Message): Author {
  const isPinned = sources?.some((source) => !isPassage(source) && source.isWordForWord);
  return author === "expert" && isPinned ? "pinned" : author;
}

const names: Record<Author, () => string> = {
  user: () => t.conversations.authorPerson,
  ai: () => t.conversations.authorAi,
  expert: () => t.conversations.authorExpert,
  pinned: () => t.conversations.authorPinned,
};

/** Returns the name of the author, for screen readers. */
export function nameOfAuthor(message: Message, userId: string): string {
  return describeColleague(message, userId) ?? names[authorOf(message)]();
}

/** Describes which other expert has written a message. Returns null for those of the expert who reads it. */
function describeColleague(message: Message, userId: string): string | null {
  const { user_id, own_name: name = null, email = null } = message.expert ?? {};
  if (!user_id || user_id === userId) return null;
  return fill(
    authorOf(message) === "pinned" ? t.conversations.authorColleaguePinned : t.conversations.authorColleague,
    { name: isolate(nameExpert({ user_id, name, email })) },
  );
}

function showAuthor(author: Author, name: string): TemplateResult {
  if (author === "user") return html`<strong>${name}</strong>`;
  if (author === "ai") return html`<span class="tag ai">${icons.ai} ${t.parts.ai}</span>`;
  return html`<span class="tag person">${author === "pinned" ? icons.answers : icons.person} ${name}</span>`;
}

function describeSources(sources: Schemas["Source"][]): string {
  const passages = sources.filter(isPassage).length;
  const pinned = sources.length - passages;
  const parts = [
    ...pinned > 0 ? [plural(t.conversations.pinnedAnswers, pinned)] : [],
    ...passages > 0 ? [plural(t.conversations.passages, passages)] : [],
  ];
  if (parts.length === 0) return t.conversations.noSources;
  return fill(t.conversations.basedOn, { sources: formatList(parts) });
}

customElements.define("human-desk-message", DeskMessage);
