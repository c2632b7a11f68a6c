import { html, nothing } from "lit";
import { state, styleSheets } from "../../ui/element.ts";
import { tellDesk } from "../desk.ts";
import { icons } from "../icons.ts";
import { showEmpty, showError, showLoading } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { fill, t } from "../texts.ts";
import { showChange } from "../parts/show_words.ts";
import "./draft_questions.ts";
import "./draft_tests.ts";
import { type FieldName, nameOfChange, textOf } from "./fields.ts";
import { isOutdated } from "./persona_draft.ts";
import { PersonaPart } from "./persona_part.ts";
import { showFace } from "./persona_preview.ts";
import faceStyles from "./face.css" with { type: "text" };
import styles from "./publish_draft.css" with { type: "text" };

/** The last look at a draft before it is published: the changes, and the results of the tests. */
export class PublishDraft extends PersonaPart {
  static override styles = styleSheets(faceStyles, styles);

  /** True if the draft is another one than the expert has looked at. */
  #hasChanged = state(this, false);

  override render() {
    const { draft } = this;
    const show = () =>
      draft.changes.length === 0 && this.wasPublished
        ? showEmpty(t.persona.nothingToPublish, t.persona.nothingToPublishHint)
        : this.#renderChecks();
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("persona")}>${icons.back} ${t.parts.edit}</a></p>
        <h2 id="title" tabindex="-1">${t.persona.publishTitle}</h2>
        ${showLoading(draft, show, draft.shown === null ? undefined : nothing)}
      </section>
    `;
  }

  #renderChecks() {
    const { draft } = this;
    const names = draft.changes.filter((name) => name !== "picture") as FieldName[];
    const { based_on, version } = draft.draft!;
    return html`
      ${this.wasPublished ? nothing : html`<p>${t.persona.neverPublished}</p>`}
      ${draft.changes.length === 0 ? nothing : html`
        <section class="stack" aria-labelledby="changes">
          <h3 id="changes">${version === 0 ? t.persona.whatIsNew : fill(t.persona.whatChanges, { version })}</h3>
          ${based_on !== null && based_on < version
            ? html`<p class="small muted">${fill(t.persona.begunOn, { begun: based_on, version })}</p>`
            : nothing}
          ${names.map((name) => this.#renderChange(name))}
          ${draft.changes.includes("picture") ? this.#renderPicture() : nothing}
        </section>
      `}
      <section class="stack" aria-labelledby="tests">
        <h3 id="tests">${t.persona.whatTestsSay}</h3>
        <human-desk-draft-tests .desk=${this.desk}></human-desk-draft-tests>
      </section>
      ${this.wasPublished
        ? html`
          <section class="stack" aria-labelledby="asked">
            <h3 id="asked">${t.persona.lastQuestions}</h3>
            <human-desk-draft-questions .desk=${this.desk}></human-desk-draft-questions>
          </section>
        `
        : nothing}
      <div class="stack tight end">${this.#renderPublish()}</div>
    `;
  }

  #renderChange(name: FieldName) {
    const { shown, published } = this.draft;
    return html`
      <div class="change" role="group" aria-label=${nameOfChange(name)}>
        <h4 class="of-field">${nameOfChange(name)}</h4>
        ${showChange(textOf(name, published![name]), textOf(name, shown![name]))}
      </div>
    `;
  }

  #renderPicture() {
    const { shown, published, draft } = this.draft;
    return html`
      <div class="change" role="group" aria-label=${nameOfChange("picture")}>
        <h4 class="of-field">${nameOfChange("picture")}</h4>
        <p class="row">${showFace(published!.name, published!.picture_url)}
          <span class="visually-hidden">${t.persona.becomes}</span>${icons.next}
          ${showFace(shown!.name, draft!.picture_url)}</p>
      </div>
    `;
  }

  #renderPublish() {
    const { isBusy, error } = this.action;
    const { missing } = this.draft;
    if (!this.isOwner) return html`<p>${t.persona.mayNotPublish}</p>`;
    return html`
      ${this.#hasChanged.value
        ? html`<p class="error" role="alert">${t.persona.changedSince}</p>`
        : isOutdated(error)
        ? nothing
        : showError(error)}
      ${missing.length === 0 ? nothing : html`
        <p class="error">${fill(t.persona.missing, { fields: missing.map(nameOfChange).join(", ") })}</p>
      `}
      <div class="row">
        <button class="primary" ?disabled=${isBusy || missing.length > 0} @click=${this.#publish}>${isBusy
          ? t.persona.publishing
          : t.persona.publish}</button>
        <span class="hint">${t.persona.publishHint}</span>
      </div>
    `;
  }

  #publish = async (): Promise<void> => {
    const { draft } = this;
    this.#hasChanged.value = false;
    const before = this.wasPublished ? draft.draft!.version : null;
    const published = await this.ask(async () => {
      // A colleague's change is looked at before it is published.
      await this.saveDraft();
      return await draft.publish();
    });
    if (published === null) return void (this.#hasChanged.value = isOutdated(this.action.error));
    // Before the first time, nothing was published that could come back.
    const undo = before === null ? undefined : async () => {
      try {
        await draft.restore(before);
        tellDesk(this, "persona");
      } catch (error) {
        tellDesk(this, "failure", error);
      }
    };
    this.say(fill(t.persona.publishedNow, { version: published.reply }), undo);
    tellDesk(this, "persona");
    location.hash = linkTo("persona");
  };
}

customElements.define("human-desk-publish", PublishDraft);
