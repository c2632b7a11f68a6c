import { css, html, nothing, type PropertyValues } from "lit";
import "../../ui/confirm_button.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import { tellDesk } from "../desk.ts";
import { deskStyles } from "../desk_part.ts";
import { formatTime, nameExpert } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Action, Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { nameOfChange, textOf } from "./field_words.ts";
import { type FieldName, fieldNames, isSame, type PersonaFields, type Version } from "./fields.ts";
import { PersonaPart } from "./persona_part.ts";
import { faceStyles, showFace } from "./show_face.ts";
import { showChange, wordStyles } from "./show_words.ts";
import { describeVersion, linkToVersion } from "./versions_list.ts";

/** A version, and what it is compared with. */
type Compared = { version: Version; with: Version | null };

/** A published version: its texts compared with the version before or with what is published now, and its restoring. */
export class VersionView extends PersonaPart {
  static override styles = [
    deskStyles,
    wordStyles,
    faceStyles,
    css`
      dl {
        display: grid;
        gap: 1rem;
      }
      dl > div {
        display: grid;
        gap: 0.25rem;
      }
      .toggles {
        justify-self: start;
      }
      .face {
        inline-size: 4rem;
        font-size: 1.25rem;
      }
    `,
  ];
  static override properties = {
    number: { type: Number, first: 0 } as Property<number>,
    /** True if the version is compared with what is published now, instead of the version before. */
    isAgainstNow: { attribute: false, first: false },
  };

  #loading = this.use(new Loading<Compared>((signal) => this.#read(signal)));
  #action = this.use(new Action());

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("number") && !changed.has("isAgainstNow") && !changed.has("desk")) return;
    this.#loading.clear();
    void this.#loading.load();
  }

  override render() {
    const { value, error } = this.#loading;
    const isGone = error instanceof ServiceError && error.status === 404;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("persona", "history")}>${icons.back} ${t.persona.history}</a></p>
        <h2 id="title" tabindex="-1">${fill(t.persona.version, { version: this.number })}</h2>
        ${isGone ? html`<p>${t.persona.noVersion}</p>` : showError(error, () => this.#loading.load())}
        ${value === null
          ? error === null ? html`<p class="muted" role="status">${t.persona.loading}</p>` : nothing
          : this.#renderVersion(value)}
      </section>
    `;
  }

  #renderVersion({ version, with: other }: Compared) {
    const { published_at, published_by } = version;
    const now = this.draft.published?.version;
    const against = { before: t.persona.againstBefore, now: t.persona.againstNow };
    const isNow = version.version === now;
    return html`
      <div class="stack tight">
        <p class="facts small muted">
          ${isNow ? html`<span class="tag ai">${t.persona.published}</span>` : nothing}
          <span>${formatTime(published_at)}</span>
          ${published_by === null ? nothing : html`<bdi>${nameExpert(published_by)}</bdi>`}
        </p>
        <p>${describeVersion(version)}</p>
        ${isNow || now === undefined ? nothing : this.#renderRestore()}
      </div>
      ${isNow ? nothing : html`
        <nav class="toggles" aria-label=${t.persona.compare}>
          <a href=${linkToVersion(this.number)} aria-current=${this.isAgainstNow ? nothing : "true"}>${against
            .before}</a>
          <a href=${linkToVersion(this.number, true)} aria-current=${this.isAgainstNow ? "true" : nothing}>${against
            .now}</a>
        </nav>
        <p class="small muted">${this.isAgainstNow ? t.persona.againstNowHint : t.persona.againstBeforeHint}</p>
      `}
      <dl>
        ${this.#renderPicture(version)}
        ${fieldNames.map((name) => this.#renderField(name, version, other))}
      </dl>
    `;
  }

  #renderRestore() {
    if (!this.mayPublish) return html`<p class="small muted">${t.persona.mayNotRestore}</p>`;
    return html`
      <div class="row">
        <human-confirm question=${fill(t.persona.restoreQuestion, { version: this.number })} confirm=${t.persona
          .restore}
          ?disabled=${this.#action.isBusy} @confirm=${this.#restore}>${t.persona.restore}</human-confirm>
      </div>
      ${showError(this.#action.error)}
    `;
  }

  #renderPicture({ name, picture_url }: Version) {
    return html`
      <div>
        <dt class="of-field">${nameOfChange("picture")}</dt>
        <dd>${showFace(name, picture_url)}</dd>
      </div>
    `;
  }

  #renderField(name: FieldName, version: PersonaFields, other: PersonaFields | null) {
    const text = textOf(name, version[name]);
    const isChanged = other !== null && !isSame(name, version[name], other[name]);
    if (text === "" && !isChanged) return nothing;
    // What is published now has replaced an earlier version. A version has replaced the one before.
    const [before, after] = this.isAgainstNow
      ? [text, textOf(name, other?.[name] ?? null)]
      : [textOf(name, other?.[name] ?? null), text];
    return html`
      <div>
        <dt class="of-field">${nameOfChange(name)}</dt>
        <dd>${isChanged ? showChange(before, after) : html`<div class="words pre">${text}</div>`}</dd>
      </div>
    `;
  }

  async #read(signal: AbortSignal): Promise<Compared> {
    const { client, coach } = this.desk;
    const read = (number: number) => client.getVersion(coach.id, number, { signal });
    if (this.draft.published === null) await this.draft.load();
    const now = this.draft.published;
    const version = await read(this.number);
    if (this.isAgainstNow) return { version, with: now };
    const before = this.number <= 1 ? null : await read(this.number - 1).catch((error) => {
      // The first version that was kept has none before it.
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    });
    return { version, with: before };
  }

  #restore = async (): Promise<void> => {
    let published = 0;
    const isDone = await this.#action.run(async () => published = await this.draft.restore(this.number));
    if (!isDone) return;
    this.say(fill(t.persona.restoredNow, { from: this.number, version: published }));
    tellDesk(this, "persona");
    location.hash = linkTo("persona", "history");
  };
}

export interface VersionView extends Fields<typeof VersionView.properties> {}

customElements.define("human-desk-version", VersionView);
